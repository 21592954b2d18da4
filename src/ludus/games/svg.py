"""Positions as SVG, for notebooks: the arena's board without anything to click on.

Shapes and colours come from the game's `BoardStyle`; the arena's page (`board.css`) draws the same ones.
"""

from collections.abc import Iterable, Sequence
from html import escape

from ludus.games.game import Position
from ludus.games.style import BoardStyle, star_points

CELL = 40.0
BORDER_SHARE = 0.047
"""The width of the frame, as a share of the board's."""
RADII = {"counter": 0.41, "disc": 0.41, "stone": 0.47, "man": 0.41}
"""Of pieces, as shares of a square."""
MARK = "#f5e663"
"""The colour of the last move."""
CROWN = "M3 19h18l1.5-12-6 4.5L12 4 7.5 11.5 1.5 7z"
"""In a square of 24."""

# laid over a plain colour, so that any CSS colour can be shaded; all boards of a notebook share these names and values
DEFINITIONS = """<defs>
<linearGradient id="ludus-frame" x2="0" y2="1"><stop stop-opacity="0"/><stop offset="1" stop-opacity=".12"/>
</linearGradient>
<radialGradient id="ludus-shaded" cx=".36" cy=".3" r=".95"><stop stop-color="#fff" stop-opacity=".28"/>
<stop offset=".6" stop-color="#fff" stop-opacity="0"/><stop offset=".6" stop-opacity="0"/>
<stop offset="1" stop-opacity=".15"/></radialGradient>
<radialGradient id="ludus-rings" r=".17" spreadMethod="repeat"><stop stop-opacity=".08"/>
<stop offset=".5" stop-opacity=".08"/><stop offset=".54" stop-color="#fff" stop-opacity=".08"/>
<stop offset="1" stop-color="#fff" stop-opacity=".08"/></radialGradient>
</defs>"""
OVERLAYS = {"disc": "ludus-shaded", "stone": "ludus-shaded", "man": "ludus-rings"}


def board_svg(position: Position, size: int = 360, last_move: Sequence[int] = ()) -> str:
    """The position as SVG, `size` pixels wide.

    `last_move` has the squares that the last move went over (`GameType.path`): a dot marks where it ended, a border
    where a piece came from. Without it, nothing is marked.
    """
    game, style = position.game, position.game.type.board_style
    rows, columns = game.shape
    places = game.coordinates_from_above
    names = [game.type.square_name(game.rules, square) for square in range(game.squares)]
    border = BORDER_SHARE * columns * CELL
    width, height = columns * CELL + 2 * border, rows * CELL + 2 * border
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size * height / width:.0f}" '
        f'viewBox="{-border:g} {-border:g} {width:g} {height:g}" role="img" font-family="system-ui, sans-serif">',
        f"<title>{escape(f'{game.name}: {position.text}')}</title>",
        DEFINITIONS,
        *(
            f'<rect x="{-border:g}" y="{-border:g}" width="{width:g}" height="{height:g}" rx="{border / 2:g}" '
            f'fill="{fill}"/>'
            for fill in (escape(style.frame), "url(#ludus-frame)")
        ),
        *(_lines(style, places, rows, columns) if style.grid == "lines" else _squares(style, places, rows, columns)),
    ]
    if style.star_points:
        stars = star_points(rows, columns)
        parts += [_circle(place, 0.09, style.line) for place in places if place in stars]
    if style.coordinates == "squares":
        parts += [_name(style, place, name) for place, name in zip(places, names, strict=True)]
    elif style.coordinates == "edges" and len(places) == rows * columns:
        parts += _edges(style, places, names, border)
    if len(last_move) > 1:
        row, column = places[last_move[0]]
        x, y, side = column * CELL + 1.5, row * CELL + 1.5, CELL - 3
        parts.append(f'<rect x="{x:g}" y="{y:g}" width="{side:g}" height="{side:g}" fill="none" {_stroke(MARK, 3)}/>')
    for place, cell in zip(places, position.cells.tolist(), strict=True):
        if cell:
            parts += _piece(style, place, cell)
    if last_move:
        parts.append(
            _circle(places[last_move[-1]], 0.1, MARK, ' stroke="#000" stroke-opacity=".35" stroke-width="1.5"')
        )
    return "\n".join([*parts, "</svg>"])


def _squares(style: BoardStyle, places: Sequence[tuple[int, int]], rows: int, columns: int) -> list[str]:
    return [
        f'<rect width="{columns * CELL:g}" height="{rows * CELL:g}" fill="{escape(style.unused)}"/>',
        f'<path d="{_outlines(places)}" fill="{escape(style.square)}" {_stroke(style.line, 1)}/>',
    ]


def _outlines(places: Iterable[tuple[int, int]]) -> str:
    return "".join(f"M{column * CELL:g} {row * CELL:g}h{CELL:g}v{CELL:g}h-{CELL:g}z" for row, column in places)


def _lines(style: BoardStyle, places: Iterable[tuple[int, int]], rows: int, columns: int) -> list[str]:
    """Lines that cross in the middle of each square, and end at the edges of the board."""
    path, half = "", CELL / 2
    for row, column in places:
        x, y = (column + 0.5) * CELL, (row + 0.5) * CELL
        west, east = x - half * (column > 0), x + half * (column < columns - 1)
        north, south = y - half * (row > 0), y + half * (row < rows - 1)
        path += f"M{west:g} {y:g}H{east:g}M{x:g} {north:g}V{south:g}"
    return [f'<path d="{path}" {_stroke(style.line, 1)}/>']


def _edges(style: BoardStyle, places: Iterable[tuple[int, int]], names: Iterable[str], border: float) -> list[str]:
    """The letters of the columns above the board, the numbers of the rows at its left."""
    labels = []
    for (row, column), name in zip(places, names, strict=True):
        if row == 0:
            letters = "".join(each for each in name if not each.isdigit())
            labels.append(((column + 0.5) * CELL, -border / 2, letters))
        if column == 0:
            digits = "".join(each for each in name if each.isdigit())
            labels.append((-border / 2, (row + 0.5) * CELL, digits))
    size = min(0.6 * border, 0.4 * CELL)
    return [
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="middle" dominant-baseline="central" '
        f'fill="{escape(style.label)}">{escape(label)}</text>'
        for x, y, label in labels
    ]


def _name(style: BoardStyle, place: tuple[int, int], name: str) -> str:
    row, column = place
    x, y, size = (column + 0.05) * CELL, (row + 0.2) * CELL, 0.18 * CELL
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{escape(style.label)}">{escape(name)}</text>'


def _piece(style: BoardStyle, place: tuple[int, int], cell: int) -> list[str]:
    radius = RADII[style.piece]
    row, column = place
    parts = [
        _circle((row + 0.04, column), radius, "#000", ' fill-opacity=".35"'),
        _circle(place, radius, style.colours[cell < 0]),
    ]
    if style.piece in OVERLAYS:
        parts.append(_circle(place, radius, f"url(#{OVERLAYS[style.piece]})"))
    if abs(cell) == 2:
        side = 1.04 * radius * CELL
        x, y = (column + 0.5) * CELL - side / 2, (row + 0.5) * CELL - side / 2
        parts.append(
            f'<path transform="translate({x:g} {y:g}) scale({side / 24:g})" d="{CROWN}" fill="#f7cf52" '
            f'{_stroke("#6b4a05", 1.2)} stroke-linejoin="round"/>'
        )
    return parts


def _circle(place: tuple[float, float], radius: float, fill: str, more: str = "") -> str:
    row, column = place
    x, y = (column + 0.5) * CELL, (row + 0.5) * CELL
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius * CELL:g}" fill="{escape(fill)}"{more}/>'


def _stroke(colour: str, width: float) -> str:
    return f'stroke="{escape(colour)}" stroke-width="{width:g}"'
