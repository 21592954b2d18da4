"""A person plays another package's game in a real browser."""

import pytest

pytest.importorskip("connect_four", reason="run by tests/interfaces/test_outside.py, which installs it")

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


def test_discs_fall_and_the_machine_says_why(visit: Open) -> None:
    page = visit()
    begin(page, "connectfour", 0, "greedy:value=lines")
    assert page.locator(".cell").count() == 42
    assert my_turn(page)
    page.click("[data-square=d6]")  # anywhere in the column
    page.wait_for_selector("[data-square=d1][aria-label^='d1, red disc']")
    assert my_turn(page)
    page.wait_for_selector("#why .weighed")
    assert "open lines" in page.inner_text("#why")
    shot(page, "connectfour")
    while my_turn(page):
        click_a_move(page)
    assert page.locator("#verdict").inner_text().startswith(("You lost", "You won", "A draw"))
    shot(page, "connectfour-over")
