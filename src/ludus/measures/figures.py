"""Figures for papers and pages, each as SVG and PNG: curves, boards of weights, maps of clusters, profiles.

The same data gives the same bytes. Colours are those of `ludus.colours`.
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludus.colours import BAD, GOOD
from ludus.colours import SERIES as COLOURS
from ludus.errors import InvalidSetting
from ludus.games.game import Game
from ludus.measures.behaviour import Behaviour
from ludus.measures.profiles import Profile
from ludus.play.intervals import Estimate
from ludus.storage import check_place, write_whole

DASHES = ("-", "--", "-.", ":")
DOTTED, DASHED = ":", (0, (5, 2))
"""What a paper says."""
INK, FAINT = "#333333", "#DDDDDD"

LARGE = 10_000
"""Numbers from here on have commas."""

Points = Sequence[tuple[float, float]]

STYLE = {
    "svg.hashsalt": "ludus",
    "svg.fonttype": "path",  # looks the same where our font is missing
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "axes.titlesize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "figure.facecolor": "white",
    "figure.constrained_layout.use": True,
}


@dataclass(frozen=True)
class Curve:
    """A line, with a band between `low` and `high` if both are given."""

    x: ArrayLike
    y: ArrayLike
    low: ArrayLike | None = None
    high: ArrayLike | None = None

    @classmethod
    def of_estimates(cls, x: ArrayLike, estimates: Sequence[Estimate]) -> "Curve":
        """Estimates as a line, with their intervals as the band."""
        low, high = zip(*(each.interval for each in estimates), strict=True)
        return cls(x, [each.value for each in estimates], low, high)


def moving_average(values: NDArray[np.float64], width: int) -> NDArray[np.float64]:
    """Means over the last `width` values along the last axis; over fewer at the beginning.

    >>> import numpy as np
    >>> moving_average(np.array([1.0, 3.0, 5.0, 7.0]), 2)
    array([1., 2., 4., 6.])
    """
    sums = np.cumsum(values, axis=-1)
    sums[..., width:] = sums[..., width:] - sums[..., :-width]
    averages: NDArray[np.float64] = sums / np.minimum(np.arange(1, values.shape[-1] + 1), width)
    return averages


def curves(
    path: Path,
    drawn: Mapping[str, Curve],
    *,
    x: str,
    y: str,
    title: str = "",
    x_range: tuple[float, float] | None = None,
    y_range: tuple[float, float] | None = None,
    x_scale: str = "linear",
    marks: Mapping[str, Points] | None = None,
    published: Mapping[str, Curve] | None = None,
) -> tuple[Path, Path]:
    """Named lines over one pair of axes; `x_scale` may be `log`.

    `marks` and `published` are points and lines of a paper, in the colour of the axes, which no line of ours has.
    """
    with _figure(6.4, 4.0) as figure:
        axes = figure.add_subplot(xscale=x_scale)  # first, or the range stays that of another scale
        for i, (name, curve) in enumerate(drawn.items()):
            colour = COLOURS[i % len(COLOURS)]
            if curve.low is not None and curve.high is not None:
                axes.fill_between(curve.x, curve.low, curve.high, color=colour, alpha=0.18, linewidth=0)
            axes.plot(curve.x, curve.y, color=colour, linestyle=DASHES[i % len(DASHES)], linewidth=1.8, label=name)
        for i, (name, curve) in enumerate((published or {}).items()):
            axes.plot(curve.x, curve.y, color=INK, linestyle=(DOTTED, DASHED)[i % 2], linewidth=1.2, label=name)
        _mark(axes, marks or {})
        axes.set(xlabel=x, ylabel=y, title=title, xlim=x_range, ylim=y_range)
        _finish(axes)
        return _save(figure, path)


def profile_curves(
    path: Path,
    profiles: Mapping[str, Profile],
    title: str = "",
    marks: Mapping[str, Points] | None = None,
) -> tuple[Path, Path]:
    """Performance profiles: the points of each player against opponents of rising strength; `marks` as in `curves`."""
    drawn = {
        name: Curve(found.strength, found.percent, found.interval[:, 0], found.interval[:, 1])
        for name, found in profiles.items()
    }
    x, y, whole = "strength of the opponents (%)", "points against them (%)", (0.0, 100.0)
    return curves(path, drawn, x=x, y=y, title=title, x_range=whole, y_range=whole, marks=marks)


@dataclass(frozen=True)
class Published:
    """What a paper says of pieces through the game, to be drawn beside ours."""

    turn: float | None = None
    """The move from which on the second player loses pieces."""
    move: int = 0
    pieces: tuple[float, float] | None = None
    """Of both players after that move."""


def behaviour_curves(
    path: Path, found: Behaviour, names: tuple[str, str], published: Published | None = None
) -> tuple[Path, Path]:
    """The pieces of two players through the game, and below them the moves that each could choose from."""
    with _figure(6.4, 6.4) as figure:
        tables = {"pieces on the board": found.pieces, "moves to choose from": found.choices}
        for i, (label, table) in enumerate(tables.items()):
            axes = figure.add_subplot(2, 1, i + 1)
            for side, name in enumerate(names):
                seen = np.flatnonzero(~np.isnan(table[:, side]))
                style = {"color": COLOURS[side], "linestyle": DASHES[side], "linewidth": 1.8}
                axes.plot(seen, table[seen, side], **style, label=name)
            if i == 0 and published is not None:
                _mark_pieces(axes, published, names)
            axes.set(xlabel="moves made", ylabel=label, ylim=(0, None))
            _finish(axes)
        return _save(figure, path)


def _mark_pieces(axes: Any, published: Published, names: tuple[str, str]) -> None:
    """Draw what a paper says over curves of pieces."""
    if published.pieces is not None:
        both = zip(names, published.pieces, strict=True)
        _mark(axes, {f"the paper, {name}": [(published.move, count)] for name, count in both})
    if published.turn is not None:
        axes.axvline(published.turn, color=INK, linestyle=DOTTED, linewidth=1.2, label="the paper, the turn")


def _mark(axes: Any, marks: Mapping[str, Points]) -> None:
    """Draw named points of a paper as open marks."""
    for i, (name, points) in enumerate(marks.items()):
        style = {"markeredgecolor": INK, "markerfacecolor": "white", "markersize": 7, "linestyle": "none"}
        axes.plot(*zip(*points, strict=True), marker="oDs^"[i % 4], **style, label=name)


def whiskers(
    path: Path, groups: Mapping[str, Mapping[str, tuple[float, float, float]]], *, x: str, title: str = ""
) -> tuple[Path, Path]:
    """Values with their intervals, a line for each name; groups of them beside each other. The first is on top."""
    names = list(dict.fromkeys(name for group in groups.values() for name in group))
    with _figure(6.4, 0.9 + 0.32 * len(names)) as figure:
        axes = figure.add_subplot()
        for i, (group, values) in enumerate(groups.items()):
            rows = np.array([names.index(name) for name in values]) + 0.22 * (i - (len(groups) - 1) / 2)
            middle, low, high = np.array(list(values.values())).T
            axes.errorbar(
                middle, rows, xerr=[middle - low, high - middle], fmt="osD^"[i % 4], color=COLOURS[i % len(COLOURS)],
                capsize=3, label=group,
            )  # fmt: skip
        axes.set(yticks=range(len(names)), yticklabels=names, xlabel=x, title=title, ylim=(len(names) - 0.5, -0.5))
        _finish(axes)
        return _save(figure, path)


def bars(path: Path, values: Mapping[str, float], *, x: str, title: str = "") -> tuple[Path, Path]:
    """A bar for each name, the first on top."""
    with _figure(6.4, 0.9 + 0.32 * len(values)) as figure:
        axes = figure.add_subplot()
        axes.barh(list(values), list(values.values()), 0.6, color=COLOURS[0])
        axes.invert_yaxis()
        axes.set(xlabel=x, title=title)
        _finish(axes)
        return _save(figure, path)


def distributions(
    path: Path, groups: Mapping[str, Sequence[float]], middles: Mapping[str, Estimate], *, x: str, title: str = ""
) -> tuple[Path, Path]:
    """Every score of each group as a dot, a box around the middle half, and a figure of the group with its interval."""
    with _figure(6.4, 1.0 + 0.55 * len(groups)) as figure:
        axes = figure.add_subplot()
        for i, (name, scores) in enumerate(groups.items()):
            colour, values = COLOURS[i % len(COLOURS)], np.sort(np.asarray(scores, float))
            low, high = np.quantile(values, (0.25, 0.75))
            axes.barh(i, high - low, 0.44, left=low, color=colour, alpha=0.18, linewidth=0)
            heights = i + 0.16 * np.array([(-1, 0, 1)[k % 3] for k in range(len(values))])  # so that few cover others
            axes.scatter(values, heights, s=18, color=colour, marker="osD^vPX*"[i % 8], linewidth=0, alpha=0.8)
            middle = middles[name]
            reach = [[middle.value - middle.interval[0]], [middle.interval[1] - middle.value]]
            axes.errorbar([middle.value], [i + 0.33], xerr=reach, fmt="|", color=INK, capsize=3, markersize=9)
        axes.set(yticks=range(len(groups)), yticklabels=list(groups), xlabel=x, title=title)
        axes.set_ylim(len(groups) - 0.4, -0.6)
        _finish(axes)
        return _save(figure, path)


def boards(path: Path, game: Game, weights: Mapping[str, NDArray[np.float64]]) -> tuple[Path, Path]:
    """Weights as boards side by side, each with its title: blue squares are wanted, orange ones are shunned.

    Every square has its name in the corner and its weight in the middle.
    """
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Rectangle

    if not weights or any(len(each) != game.squares for each in weights.values()):
        raise InvalidSetting(f"a board of {game.name} shows {game.squares} weights, one for each square")
    squares = _squares(game)
    rows, columns = game.shape
    colours = LinearSegmentedColormap.from_list("weights", [BAD, "#FFFFFF", GOOD])
    with _figure(0.62 * columns * len(weights), 0.62 * rows + 0.4) as figure:
        for i, (title, each) in enumerate(weights.items()):
            axes = figure.add_subplot(1, len(weights), i + 1)
            reach = float(np.max(np.abs(each))) or 1.0
            decimals = 2 if reach < 10 else 0
            for weight, (name, row, column) in zip(each, squares, strict=True):
                shade = 0.5 + 0.5 * float(weight) / reach
                ink = "white" if abs(shade - 0.5) > 0.35 else INK
                axes.add_patch(Rectangle((column, row), 1, 1, facecolor=colours(shade), edgecolor="#BBBBBB", lw=0.6))
                axes.text(column + 0.06, row + 0.07, name, fontsize=5.5, color=ink, va="top")
                axes.text(
                    column + 0.5, row + 0.58, f"{weight:z.{decimals}f}", fontsize=7, color=ink, ha="center", va="center"
                )
            axes.set(xlim=(-0.02, columns + 0.02), ylim=(rows + 0.02, -0.02), aspect="equal", title=title)
            axes.axis("off")
        return _save(figure, path)


def clusters(
    path: Path,
    points: NDArray[np.float64],
    labels: Sequence[int] | NDArray[np.int64],
    *,
    names: Mapping[int, str] | None = None,
    x: str = "first principal component",
    y: str = "second principal component",
    title: str = "",
) -> tuple[Path, Path]:
    """Points [players, 2] on a map, each cluster by a colour and a mark of its own."""
    with _figure(5.2, 4.6) as figure:
        axes, found = figure.add_subplot(), np.asarray(labels)
        for i, label in enumerate(np.unique(found)):
            inside = points[found == label]
            name = (names or {}).get(int(label), f"cluster {int(label) + 1}")
            axes.scatter(
                inside[:, 0], inside[:, 1], s=34, color=COLOURS[i % len(COLOURS)], marker="osD^vPX*"[i % 8],
                edgecolor="white", linewidth=0.5, label=f"{name} ({len(inside)})",
            )  # fmt: skip
        axes.set(xlabel=x, ylabel=y, title=title)
        _finish(axes)
        return _save(figure, path)


@contextmanager
def _figure(width: float, height: float) -> Iterator[Any]:
    """A figure in our style, drawn without a screen and whatever other code has set in matplotlib."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        figure = Figure(figsize=(width, height))
        FigureCanvasAgg(figure)
        yield figure


def _finish(axes: Any) -> None:
    """Add a faint grid, commas to large numbers, and a legend where there are several lines."""
    for axis in (axes.xaxis, axes.yaxis):
        if axis.get_scale() == "linear" and max(map(abs, axis.get_view_interval())) >= LARGE:
            axis.set_major_formatter("{x:,.0f}")  # instead of 20000, or 2.0 with 1e6 at the end of the axis
            axis.get_major_locator().set_params(nbins=5)  # which leaves room for them
    axes.grid(color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    if len(axes.get_legend_handles_labels()[1]) > 1:
        axes.legend(loc="best")  # said, or matplotlib warns where the search for it takes over a second


def check_name(path: Path) -> None:
    """Raise an error unless a figure can have this name, and be written."""
    if path.suffix not in (".svg", ".png"):
        raise InvalidSetting(f"invalid name {path} for a figure: it ends in .svg or .png, and both are written")
    check_place(path)


def _save(figure: Any, path: Path) -> tuple[Path, Path]:
    """Write both files; `path` may name either."""
    check_name(path)
    both = (path.with_suffix(".svg"), path.with_suffix(".png"))
    for each, nameless in zip(both, ("Date", "Software"), strict=True):
        drawn = io.BytesIO()
        figure.savefig(drawn, format=each.suffix[1:], dpi=160, metadata={nameless: None})
        write_whole(each, drawn.getvalue())
    return both


def _squares(game: Game) -> list[tuple[str, int, int]]:
    """Of each square its name, and its row and column as seen from above."""
    names = [game.type.square_name(game.rules, square) for square in range(game.squares)]
    return [(name, row, column) for name, (row, column) in zip(names, game.coordinates_from_above, strict=True)]
