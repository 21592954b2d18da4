"""What the weights of many piece counters have in common: clusters, a map of them, and their weakest corners.

Jaśkowski, Szubert and Liskowski (2014), section 7. Weights mean the same when all are scaled alike, so those of each
player are first brought to the range from 0 to 1.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludus.errors import LudusError
from ludus.games.game import Game
from ludus.games.othello import square_name

Table = NDArray[np.float64]


@dataclass(frozen=True)
class Strategies:
    scaled: Table
    """[players, squares] the weights from 0 to 1."""
    points: Table
    """[players, 2] where each is on the map: its first two principal components."""
    explained: tuple[float, float]
    """What share of the variance each of the two stands for."""
    labels: NDArray[np.int64]
    """[players] the cluster of each, the largest being 0."""
    centres: Table
    """[clusters, squares] the mean of the scaled weights in each cluster."""
    bandwidth: float


def strategies(weights: Table, bandwidth: float | None = None, quantile: float = 0.3) -> Strategies:
    """Cluster these weights [players, squares] by mean shift.

    The bandwidth, if not given, is the distance that so large a part of all pairs of players doesn't exceed. With k
    clusters of one size only about 1/k of the pairs are within one, so for many clusters take a smaller part.
    """
    from sklearn.cluster import MeanShift
    from sklearn.decomposition import PCA
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    if weights.ndim != 2 or len(weights) < 3 or not np.all(np.isfinite(weights)):
        raise LudusError("strategies need the weights of three or more players, all finite")
    scaled = to_unit_range(weights)
    if bandwidth is None:
        bandwidth = float(np.quantile(pair_distances(scaled), quantile))
    if not bandwidth > 0:
        raise LudusError(f"a bandwidth of {bandwidth:g} finds no clusters; it is a distance above 0")
    with threadpool_limits(1):  # so few points: threads would only wait for each other
        found = MeanShift(bandwidth=bandwidth).fit(scaled).labels_
        projection = PCA(2).fit(scaled)
    old, sizes = np.unique(found, return_counts=True)
    ranked = old[np.argsort(-sizes, kind="stable")]
    labels = np.argsort(ranked)[np.searchsorted(old, found)].astype(np.int64)
    first, second = (float(share) for share in projection.explained_variance_ratio_)
    centres = np.array([scaled[labels == label].mean(axis=0) for label in range(len(ranked))])
    return Strategies(scaled, projection.transform(scaled), (first, second), labels, centres, bandwidth)


def to_unit_range(weights: Table) -> Table:
    """Each row from its least weight, which becomes 0, to its largest, which becomes 1."""
    low, high = weights.min(axis=1, keepdims=True), weights.max(axis=1, keepdims=True)
    return np.array((weights - low) / np.where(high > low, high - low, 1.0))


def pair_distances(points: Table) -> Table:
    """The distance of every pair of points."""
    one, other = np.triu_indices(len(points), 1)
    return np.array(np.linalg.norm(points[one] - points[other], axis=1))


def weakest_corners(game: Game, weights: Table) -> list[str]:
    """The corner to which each row of weights [players, squares] gives the least, on a board of Othello."""
    if game.family.name != "othello":
        raise LudusError(f"{game.name} has no corners that matter; this is about Othello")
    last = game.size - 1
    corners = np.array([0, last, last * game.size, game.squares - 1])
    return [square_name(game.size, int(corners[np.argmin(row[corners])])) for row in weights]
