"""Reviews and puzzles in a real browser."""

from pathlib import Path

import pytest

import ludus
from ludus.measures.puzzles import shipped_puzzles
from ludus.records.files import write_games
from tests.interfaces.test_arena_page import (  # noqa: F401 - fixtures, too
    CHROMIUM,
    Open,
    begin,
    browser,
    my_turn,
    server,
    shot,
    visit,
)
from tests.measures.test_review import random_game

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="there is no chromium on this machine")


def test_a_game_from_a_file_is_reviewed_and_tried_again(visit: Open, tmp_path: Path) -> None:
    record = random_game("othello4")
    write_games(tmp_path / "club.ggf", [record])
    page = visit("#games")
    page.set_input_files("#import", tmp_path / "club.ggf")
    page.click("#review")
    page.wait_for_selector(".coach[aria-busy=false]")
    plies = page.locator(".moves li").count()
    assert plies == len(record.moves)
    mistakes = page.locator(".moves .grade").count()
    assert mistakes == len(ludus.review(record, progress=False).mistakes) > 0
    assert page.locator(".graph .mistake").count() == mistakes
    seen = set()
    for _ in range(mistakes):
        page.keyboard.press("n")
        page.wait_for_selector("#judged .lead")
        assert page.locator(".cell .better").count() >= (page.locator("#judged li.x, #judged li.o").count() > 0)
        seen.add(page.inner_text("#judged .lead"))
    assert len(seen) > mistakes / 2  # two mistakes may read the same
    shot(page, "review")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("#judged .line button").first.click()  # best play on the board
    page.wait_for_selector(".cell .last-mark")
    before = page.url
    page.click("#again")
    page.wait_for_function("before => location.href !== before", arg=before)
    page.wait_for_selector("#review")
    assert page.locator(".moves li").count() < plies
    assert my_turn(page)
    page.goto(page.url.partition("#")[0] + "#games")
    page.wait_for_selector(".games li")
    assert page.locator(".games li").count() == 2


JUDGED = """async (id) => {
  const { Board } = await import("/page/board.js");
  const { orient } = await import("/page/style.js");
  const { layout, sides, frames } = await (await fetch(`/api/tables/${id}`)).json();
  const board = new Board(orient(layout, [0]), sides, "Board", () => {});
  const shown = () => board.element.querySelectorAll(".heat").length;
  const moves = [{ move: "a1", value: 1, path: [0] }];
  board.show(frames[0]);
  board.showJudged([1], [2]);
  board.showValues(moves);
  const judged = shown();
  board.showJudged([3]);
  const marks = board.element.querySelectorAll(".better, .worse").length;
  board.show(frames[0]);
  board.showValues(moves);
  return [judged, marks, shown()];
}"""


def test_values_of_the_move_before_do_not_mix_with_a_mistake(visit: Open) -> None:
    page = visit()
    begin(page, "othello", 4, "discs")
    assert page.evaluate(JUDGED, page.url.rpartition("/")[2]) == [0, 1, 1]


def test_a_puzzle_is_solved_by_clicking(visit: Open) -> None:
    page = visit("#puzzles")
    page.select_option("select[data-key=game]", "othello8")
    page.wait_for_selector(".board[aria-colcount='8']")
    page.wait_for_function("() => document.querySelectorAll('.cell').length === 64")
    shown = page.evaluate("() => fetch('/api/puzzles/next?source=shipped&game=othello8').then(a => a.json())")
    solution = next(each.move for each in shipped_puzzles() if each.id == shown["id"])
    wrong = next(each for each in ludus.game("othello8").position(shown["now"]["text"]).legal if each != solution)
    page.click(f"[data-square={wrong}]")
    page.wait_for_selector("#answer:has-text('is not it')")
    page.wait_for_selector(f"[data-square={solution}].can")
    page.click(f"[data-square={solution}]")
    page.wait_for_selector("#answer:has-text('Right!')")
    assert "the next best move to" in page.inner_text("#answer")
    page.wait_for_selector("td:has-text('1 of ')")
    shot(page, "puzzle")
    page.click("#next-puzzle")
    page.wait_for_selector("#answer:has-text('Find it')")
