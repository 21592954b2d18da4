"""A class in a real browser: two pupils join and play each other, the teacher looks at the wall."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludus.interfaces.web.app import application
from ludus.interfaces.web.arena import Arena
from ludus.interfaces.web.server import Server, listening_socket
from tests.interfaces.test_arena_page import (  # noqa: F401 - a fixture, too
    CHROMIUM,
    PATIENCE,
    browser,
    click_a_move,
    shot,
    sync_api,
)

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="there is no chromium on this machine")

TOKEN, TEACHER = "pupils-pupils-pupils-1", "teacher-teacher-teach-1"


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    behind = Arena(tmp_path / "data", tmp_path / "runs", [], "othello4")
    with listening_socket("127.0.0.1", 0) as listening:
        server = Server(application(behind, TOKEN, warm=False, teacher=TEACHER))
        thread = threading.Thread(target=server.run, args=[[listening]], daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        server.should_exit = True
        thread.join(30)


def test_two_pupils_play_each_other_and_the_wall_shows_it(browser: "sync_api.Browser", address: str) -> None:
    wrong: list[str] = []

    def visit(where: str) -> "sync_api.Page":
        page = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce").new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: message.type in ("error", "warning") and wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(address + where)
        return page

    pages = [visit(f"?token={TOKEN}") for _ in range(2)]
    for page, name, player in zip(pages, ("Ada", "Ben"), ("random", "discs"), strict=True):
        page.fill("#name", name)
        page.click("#join button")
        page.select_option("#entry-player", player)
        page.click("#entry button")
        page.wait_for_selector("#entry .note:has-text('plays for you.')")
    ada, ben = pages
    ada.focus("#pupils tr:has-text('Ben') button")
    ben.click("#pupils tr:has-text('Ada') button")
    ada.wait_for_selector("#challenges:has-text('Ben challenges you')")
    assert ada.evaluate("document.activeElement.textContent") == "Challenge"  # though the list was made anew
    ben.click("#challenges button:has-text('Withdraw')")
    ada.wait_for_selector("#challenges", state="hidden")
    ada.click("#pupils tr:has-text('Ben') button")
    ben.wait_for_selector("#challenges:has-text('Ada challenges you; you play White')")
    shot(ben, "class")
    ben.click(".accept")
    ada.click("#class-games a.play-on")
    for page in pages:
        page.wait_for_selector(".board")
        assert not page.locator("#undo, #hint, #review").locator("visible=true").count()
    shot(ada, "class-game")

    done = "#verdict:not([hidden])"
    while not all(page.locator(done).count() for page in pages):
        for page, other in ((ada, ben), (ben, ada)):
            if page.locator(".seat.turn:has-text('your turn')").count():
                moves = page.locator(".moves li").count()
                click_a_move(page)
                other.wait_for_function("before => document.querySelectorAll('.moves li').length > before", arg=moves)
    texts = sorted(page.inner_text("#verdict strong")[:8] for page in pages)
    assert texts in (["You lost", "You won "], ["A draw 8", "A draw 8"])
    ada.click("#verdict button")
    ada.wait_for_selector("#class-games:has-text('Ada')")
    assert not ada.locator("#class-games a.play-on").count()

    wall = visit(f"?token={TEACHER}#wall")
    wall.wait_for_selector("#league-state:has-text('20 of 20 games')")
    assert TOKEN in wall.inner_text("#join-link")
    assert {"Ada", "Ben"} == {each.split("\n")[0] for each in wall.locator("#league tbody th").all_inner_texts()}
    assert "Ada" in wall.inner_text("#latest")
    shot(wall, "wall")
    wall.click("#manage summary")
    wall.click("#closing")
    wall.wait_for_selector("h1:has-text('closed for new names')")
    remove = wall.locator("#manage tr:has-text('Ben') button", has_text="Remove name")
    remove.click()
    wall.locator("#manage tr:has-text('Ben') button", has_text="Really?").click()
    wall.wait_for_selector("h1:has-text('1 pupil')")
    assert "Ben" not in wall.inner_text("main")
    ben.set_viewport_size({"width": 390, "height": 844})
    ben.goto(f"{address}#class")
    ben.wait_for_selector("#pupils td")
    assert not ben.locator("#join").is_visible()
    assert ben.evaluate("document.documentElement.scrollWidth") <= 390
    tabs = ben.evaluate("() => [document.querySelector('nav')].map((nav) => [nav.scrollWidth, nav.clientWidth])[0]")
    assert tabs[0] <= tabs[1]  # all are seen, one more than without a class
    shot(ben, "class-phone")
    ben.click("#to-wall")
    ben.wait_for_selector("#league:has-text('Ada')")
    shot(ben, "wall-phone")
    assert not ben.locator("#manage, #join-link").locator("visible=true").count()
    for page in (*pages, wall):
        page.context.close()
    assert wrong == []
