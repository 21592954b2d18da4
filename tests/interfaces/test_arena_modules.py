"""The page's modules: checked by types, of readable size, and without knowledge of any game."""

import json
import re
from dataclasses import asdict

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
