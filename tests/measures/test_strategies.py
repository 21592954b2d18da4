"""Strategies and figures: planted clusters are found, and figures are the same bytes each time."""

from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.measures.behaviour import behaviour
from ludus.measures.figures import Curve, behaviour_curves, boards, clusters, curves, profile_curves
from ludus.measures.profiles import Profile
from ludus.measures.strategies import estimated_bandwidth, strategies, to_unit_range, weakest_corners
from ludus.play.matches import match
from ludus.players.names import player

GAME = ludus.game("othello8")
CORNERS = {"a1": 0, "h1": 7, "a8": 56, "h8": 63}


def planted(corners: list[str], each: int) -> np.ndarray:
    """Players like those of jaskowski2014's TDL: they differ by which corner is weak."""
    choice = np.random.default_rng(4)
    weights = choice.normal(0, 3, (len(corners) * each, 64))
    weights[:, list(CORNERS.values())] += 105
    for i, corner in enumerate(corners):
        weights[i * each : (i + 1) * each, CORNERS[corner]] -= 57
    return weights * choice.uniform(0.5, 2, (len(weights), 1))


@pytest.mark.parametrize(
    ("corners", "quantile"), [(["a1", "h1", "h8"], 0.3), (["a1", "h1", "a8", "h8"], 0.22), (["a8"], 0.3)]
)
def test_planted_clusters_are_found(corners: list[str], quantile: float) -> None:
    weights = planted(corners, 20)
    found = strategies(weights, quantile=quantile)
    groups = found.labels.reshape(len(corners), 20)
    if len(corners) > 1:
        assert np.all(groups == groups[:, :1])
        assert sorted(groups[:, 0]) == list(range(len(corners)))
        assert weakest_corners(GAME, found.centres[groups[:, 0]]) == corners
        apart = np.linalg.norm(found.points[:20].mean(axis=0) - found.points[20:40].mean(axis=0))
        assert apart > 3 * found.points[:20].std(axis=0).max()
    assert weakest_corners(GAME, weights) == [corner for corner in corners for _ in range(20)]


def test_the_librarys_bandwidth_finds_planted_clusters_at_a_small_quantile() -> None:
    weights = planted(["a1", "h1", "a8", "h8"], 20)
    counts = {part: len(strategies(weights, estimated_bandwidth(weights, part)).centres) for part in (0.2, 0.25, 0.5)}
    assert counts[0.25] == 4
    assert counts[0.5] < 4
    distances = np.linalg.norm(to_unit_range(weights)[:, None] - to_unit_range(weights), axis=2)
    assert estimated_bandwidth(weights, 0.25) == pytest.approx(np.sort(distances)[:, 19].mean())  # itself the first
    assert estimated_bandwidth(weights, 0.01) == 0


def test_scaling_is_by_player() -> None:
    assert to_unit_range(np.array([[2.0, 4.0, 3.0], [-10.0, 10.0, 0.0], [5.0, 5.0, 5.0]])).tolist() == [
        [0, 1, 0.5],
        [0, 1, 0.5],
        [0, 0, 0],
    ]


def test_what_has_no_clusters_is_refused() -> None:
    with pytest.raises(ludus.LudusError, match="three or more players"):
        strategies(np.zeros((2, 64)))
    with pytest.raises(ludus.LudusError, match="a distance above 0"):
        strategies(planted(["a1"], 5), 0.0)
    with pytest.raises(ludus.LudusError, match="a distance above 0"):
        strategies(planted(["a1"], 5), np.inf)
    with pytest.raises(ludus.LudusError, match="too many of the players have the same weights"):
        strategies(np.zeros((5, 64)))
    with pytest.raises(ludus.LudusError, match="invalid quantile=2"):
        strategies(planted(["a1"], 5), quantile=2)
    with pytest.raises(ludus.LudusError, match="about Othello"):
        weakest_corners(ludus.game("go9"), np.zeros((1, 81)))


def draw_all(folder: Path) -> list[Path]:
    x = np.arange(10.0)
    some = Profile(x * 10, 95 - x, np.stack([90 - x, 99 - x], axis=1), np.full(10, 5))
    found = strategies(planted(["a1", "h1", "h8"], 20))
    watched = behaviour(match(player("discs", GAME), player("mobility", GAME), 20, record=True))
    drawn = [
        curves(folder / "c.svg", {"a": Curve(x, x, x - 1, x + 1), "b": Curve(x, x**0.5)}, x="x", y="y", title="t"),
        profile_curves(folder / "p.png", {"one": some}),
        boards(folder / "b.svg", ludus.game("othello4"), {"one": np.linspace(-1, 1, 16), "other": np.zeros(16)}),
        boards(folder / "k.svg", ludus.game("checkers"), {"": np.linspace(-1, 1, 32)}),
        boards(folder / "g.svg", ludus.game("go3"), {"": np.linspace(-20, 20, 9)}),
        clusters(folder / "s.svg", found.points, found.labels),
        behaviour_curves(folder / "h.svg", watched, ("discs", "mobility")),
    ]
    return [path for both in drawn for path in both]


def test_what_a_paper_says_has_a_colour_of_its_own(tmp_path: Path) -> None:
    ours, theirs = {"ours": Curve([0, 2_000_000], [1, 2])}, {"the paper": Curve([0, 2_000_000], [3, 3])}
    alone = curves(tmp_path / "alone.svg", ours, x="games", y="y")[0].read_text()
    both = curves(tmp_path / "both.svg", ours, x="games", y="y", published=theirs)[0].read_text()
    assert "stroke: #333333; stroke-width: 1.2" not in alone
    assert "stroke: #333333; stroke-width: 1.2" in both


def test_figures_are_the_same_bytes_each_time(tmp_path: Path) -> None:
    once, again = (draw_all(tmp_path / name) for name in ("once", "again"))
    assert [path.read_bytes() for path in once] == [path.read_bytes() for path in again]
    assert {path.suffix for path in once} == {".svg", ".png"}
    with pytest.raises(ludus.LudusError, match="ends in"):
        curves(tmp_path / "c.pdf", {}, x="x", y="y")
    with pytest.raises(ludus.LudusError, match="64 weights"):
        boards(tmp_path / "b.svg", GAME, {"short": np.zeros(36)})
