"""What the weights of many piece counters have in common: clusters, a map of them, and their weakest corners.

Jaśkowski, Szubert and Liskowski (2014), section 7. Weights mean the same when all are scaled alike, so those of each
player are first brought to the range from 0 to 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.errors import InvalidSetting, WrongGame
from ludus.games.game import Game
from ludus.games.othello import square_name
from ludus.play.tables import html_table

Table = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class Strategies:
    """Clusters of players by their weights, and a map of them."""

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
    """The distance within which mean shift looks for neighbours."""
    players: tuple[str, ...] = ()
    """What each player is called."""

    def __repr__(self) -> str:
        sizes = np.bincount(self.labels).tolist()
        return f"Strategies({len(self.labels)} players in {len(sizes)} clusters of {', '.join(map(str, sizes))})"

    def _repr_html_(self) -> str:
        rows = [(each["player"], each["cluster"], *(f"{x:.2f}" for x in each["point"])) for each in self._rows()]
        return html_table(["player", "cluster", "first component", "second component"], rows)

    def to_json(self) -> dict[str, Any]:
        return {"bandwidth": self.bandwidth, "explained": list(self.explained), "players": self._rows()}

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"player": name, "cluster": int(label) + 1, "point": point.tolist()}
            for name, label, point in zip(self.players, self.labels, self.points, strict=True)
        ]


def strategies(
    weights: Table, bandwidth: float | None = None, quantile: float = 0.3, players: Sequence[str] = ()
) -> Strategies:
    """Cluster these weights [players, squares] by mean shift; `players` are their names.

    The bandwidth, if not given, is that quantile of the distances of all pairs of players. With k clusters of one size
    only about 1/k of the pairs are within one, so for many clusters take a smaller quantile. `estimated_bandwidth` is
    scikit-learn's own choice.
    """
    from sklearn.cluster import MeanShift
    from sklearn.decomposition import PCA
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    if weights.ndim != 2 or len(weights) < 3 or not np.all(np.isfinite(weights)):
        raise InvalidSetting("strategies need the weights of three or more players, all finite")
    if not 0 <= quantile <= 1:
        raise InvalidSetting(f"invalid quantile={quantile:g}: must be from 0 to 1")
    scaled = to_unit_range(weights)
    if bandwidth is None:
        bandwidth = float(np.quantile(pair_distances(scaled), quantile))
        if not bandwidth:
            raise InvalidSetting(
                "too many of the players have the same weights to tell clusters apart; name others, or take a larger "
                "quantile"
            )
    if not 0 < bandwidth < np.inf:
        raise InvalidSetting(f"invalid bandwidth={bandwidth:g}: must be a distance above 0")
    with threadpool_limits(1):  # so few points: threads would only wait for each other
        found = MeanShift(bandwidth=bandwidth).fit(scaled).labels_
        projection = PCA(2).fit(scaled)
    old, sizes = np.unique(found, return_counts=True)
    ranked = old[np.argsort(-sizes, kind="stable")]
    labels = np.argsort(ranked)[np.searchsorted(old, found)].astype(np.int64)
    first, second = (float(share) for share in projection.explained_variance_ratio_)
    centres = np.array([scaled[labels == label].mean(axis=0) for label in range(len(ranked))])
    names = tuple(players) or tuple(f"player {number + 1}" for number in range(len(weights)))
    return Strategies(scaled, projection.transform(scaled), (first, second), labels, centres, bandwidth, names)


def estimated_bandwidth(weights: Table, quantile: float = 0.3) -> float:
    """The bandwidth that scikit-learn estimates for these weights [players, squares].

    It is the mean distance of a player to the furthest of that share of all players which are nearest to it, itself
    included: 0 if that is nobody else.
    """
    from sklearn.cluster import estimate_bandwidth
    from threadpoolctl import threadpool_limits

    if int(len(weights) * quantile) < 2:
        return 0.0  # the library's own figure is then a rounding error
    with threadpool_limits(1):
        return float(estimate_bandwidth(to_unit_range(weights), quantile=quantile))


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
    if game.type.name != "othello":
        raise WrongGame(f"{game.name} has no corners that matter; this is about Othello")
    last = game.size - 1
    corners = np.array([0, last, last * game.size, game.squares - 1])
    return [square_name(game.size, int(corners[np.argmin(row[corners])])) for row in weights]
