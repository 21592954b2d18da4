"""The page's modules: checked by types, of readable size, and without knowledge of any game."""

import json
import re
from dataclasses import asdict
from itertools import product

from ludus.games.style import BoardStyle
from ludus.interfaces.web.app import PAGE
from ludus.registry import game_types

MODULES = sorted(PAGE.glob("*.js"))
MOST_LINES, MOST_CHARACTERS = 250, 100


def test_modules_are_typed_formatted_and_short() -> None:
    for file in MODULES:
        lines = file.read_text().splitlines()
        assert lines[0] == "// @ts-check", file.name
        assert len(lines) <= MOST_LINES, file.name
        assert max(map(len, lines)) <= MOST_CHARACTERS, file.name


def test_the_page_knows_no_game_by_name() -> None:
    names = "|".join(name for name in game_types() if len(name) > 2)  # go is also an English word
    for file in [*MODULES, *PAGE.glob("*.css"), PAGE / "index.html"]:
        assert not re.search(rf"\b({names})\d*\b|[\"'.#]go\b", file.read_text(), re.IGNORECASE), file.name


def test_a_game_that_declares_no_style_looks_the_same_to_page_and_server() -> None:
    block = re.search(r"PLAIN = \{\n(.*?)\n\};", (PAGE / "style.js").read_text(), re.DOTALL)
    assert block
    fields = re.findall(r"^  (\w+): (.*),$", block[1], re.MULTILINE)
    plain = {name: json.loads(value) for name, value in fields}
    declared = json.loads(json.dumps(asdict(BoardStyle()))) | {"star_points": []}
    assert plain == declared


def light(colour: str) -> float:
    """The relative luminance of a colour such as #6f8a5c, as WCAG 2 defines it."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (each / 12.92 if each <= 0.03928 else ((each + 0.055) / 1.055) ** 2.4 for each in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def darker(colour: str) -> str:
    """What a frame of this colour fades into towards its lower end: 12% black."""
    return "#" + "".join(f"{int(colour[i : i + 2], 16) * 22 // 25:02x}" for i in (1, 3, 5))


def test_coordinates_are_readable_on_every_board() -> None:
    themes = re.findall(r"colours: \{(.*?)\}", (PAGE / "themes.js").read_text(), re.DOTALL)
    assert len(themes) == 3
    for game_type, theme in product(game_types().values(), themes):
        style = asdict(game_type.board_style) | dict(re.findall(r'(\w+): "(#\w+)"', theme))
        if style["coordinates"] == "squares":
            ink, behind = style.get("name", style["label"]), [style["square"]]
        else:
            ink, behind = style["label"], [style["frame"], darker(style["frame"])]
        for each in behind:
            dark, bright = sorted([light(ink), light(each)])
            assert (bright + 0.05) / (dark + 0.05) >= 4.5, (game_type.name, ink, each)
