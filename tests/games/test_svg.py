"""Boards as pictures: what a game declares is what is drawn."""

from typing import Any
from xml.etree import ElementTree

import pytest

import ludus
from ludus.games.style import BoardStyle, star_points
from ludus.games.svg import board_svg
from tests.effort import nightly

SVG = "{http://www.w3.org/2000/svg}"


def drawn(position: Any, **given: Any) -> ElementTree.Element:
    return ElementTree.fromstring(board_svg(position, **given))


def fills(drawing: ElementTree.Element, kind: str) -> list[str]:
    return [element.get("fill", "") for element in drawing.iter(f"{SVG}{kind}")]


@pytest.mark.parametrize("name", ["othello4", "othello8", "checkers", "go2", "go9", *nightly("go19")])
def test_every_piece_is_drawn_in_its_sides_colour(name: str) -> None:
    position = ludus.game(name).start()
    for _ in range(6):
        position = position.play(position.legal_moves[0])
    colours = position.game.type.board_style.colours
    circles = fills(drawn(position), "circle")
    assert circles.count(colours[0]) == (position.cells > 0).sum()
    assert circles.count(colours[1]) == (position.cells < 0).sum()


def test_kings_wear_crowns_and_the_last_move_is_marked() -> None:
    position = ludus.game("checkers").position("B:WK3,30:B12,K28")
    assert fills(drawn(position), "path").count("#f7cf52") == 2
    marked = drawn(position, last_move=(2, 6))
    assert len(list(marked.iter(f"{SVG}circle"))) == len(list(drawn(position).iter(f"{SVG}circle"))) + 1
    assert "none" in fills(marked, "rect")


def test_coordinates_are_where_the_style_says() -> None:
    def labels(name: str) -> list[str]:
        return [text.text or "" for text in drawn(ludus.game(name).start()).iter(f"{SVG}text")]

    assert sorted(labels("othello4")) == ["1", "2", "3", "4", "a", "b", "c", "d"]
    assert sorted(labels("go2")) == ["1", "2", "A", "B"]
    assert labels("checkers") == [str(square) for square in range(1, 33)]


def test_the_size_is_the_width_in_pixels_and_notebooks_get_the_picture() -> None:
    position = ludus.game("othello8").start()
    assert drawn(position, size=200).get("width") == "200"
    assert position._repr_svg_() == board_svg(position)


def test_star_points_are_those_of_go_boards() -> None:
    assert star_points(9, 9) == {(2, 2), (2, 6), (4, 4), (6, 2), (6, 6)}
    assert star_points(19, 19) == {(row, column) for row in (3, 9, 15) for column in (3, 9, 15)}
    assert star_points(5, 5) == {(2, 2)}
    assert star_points(4, 4) == set()


def test_colours_can_not_break_out_of_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    position = ludus.game("othello4").start()
    monkeypatch.setattr(type(position.game.type), "board_style", BoardStyle(square='"/><script>', label="<b>"))
    assert not list(drawn(position).iter(f"{SVG}script"))
