"""Reviews and puzzles in a real browser."""

import pytest

import ludus
from ludus.measures.puzzles import shipped_puzzles
from tests.interfaces.test_arena_page import (  # noqa: F401 - fixtures, too
    CHROMIUM,
    Open,
    begin,
    browser,
    click_a_move,
    my_turn,
    server,
    shot,
    visit,
)

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="there is no chromium on this machine")


def test_a_game_is_reviewed_and_tried_again(visit: Open) -> None:
    page = visit()
    begin(page, "othello", 4, "discs")
    while my_turn(page):
        click_a_move(page)
    plies = page.locator(".moves li").count()
    page.click("#review")
    page.wait_for_selector(".coach[aria-busy=false]")
    mistakes = page.locator(".moves .grade").count()
    assert mistakes > 0
    assert page.locator(".graph .mistake").count() == mistakes
    seen = set()
    for _ in range(mistakes):
        page.keyboard.press("n")
        page.wait_for_selector("#judged .lead")
        assert page.locator(".cell .better").count() >= (page.locator("#judged li.x, #judged li.o").count() > 0)
        seen.add(page.inner_text("#judged .lead"))
    assert len(seen) > mistakes / 2  # two mistakes may read the same
    shot(page, "review")
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
