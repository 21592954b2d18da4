"""The page when people are quick, answers are slow or refused, and the server is gone for a moment."""

import itertools
import json
import time
from pathlib import Path
from typing import Any

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
    visit,
)

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="there is no chromium on this machine")

SEND = """async ([path, body]) => (await fetch(path, { method: "POST", body: JSON.stringify(body),
  headers: { "Content-Type": "application/json" } })).json()"""


def send(page: Any, path: str, body: dict[str, Any]) -> Any:
    """Ask the server as another tab of the same browser would."""
    return page.evaluate(SEND, [path, body])


def expect_refusals(visit: Open, *statuses: int) -> None:
    """The console tells of refused requests; of no others."""
    told = [f"status of {status} " for status in statuses]
    visit.wrong[:] = [each for each in visit.wrong if not any(one in each for one in told)]  # type: ignore[attr-defined]


class Held:
    """Requests of a page that are answered only when `release` is called."""

    def __init__(self, page: Any, pattern: str, method: str = "POST") -> None:
        self.page, self.waiting, self._method, self._open = page, list[Any](), method, False
        page.route(pattern, self._hold)

    def _hold(self, route: Any) -> None:
        if self._open or route.request.method != self._method:
            route.continue_()
        else:
            self.waiting.append(route)

    def wait(self, count: int = 1) -> None:
        until = time.monotonic() + 60
        while len(self.waiting) < count:
            assert time.monotonic() < until
            self.page.wait_for_timeout(20)

    def release(self) -> None:
        self._open = True
        for route in self.waiting:
            route.continue_()


def test_marks_that_were_changed_elsewhere_are_shown_before_they_are_agreed_upon(visit: Open) -> None:
    page = visit()
    page.wait_for_selector("#begin")
    table = send(page, "/api/tables", {"game": "go5", "black": "person", "white": "person"})
    path = f"/api/tables/{table['id']}"
    moves = ["C1", "D1", "C2", "D2", "C3", "D3", "C4", "D4", "C5", "D5", "B3", "A1", "pass", "pass"]
    for ply, move in enumerate(moves):
        send(page, f"{path}/move", {"ply": ply, "move": move})
    page.goto(page.url.partition("#")[0] + f"#play/{table['id']}")
    page.wait_for_selector(".cell.dead")
    send(page, f"{path}/mark", {"ply": len(moves), "square": "A1"})
    page.click("#agree")
    page.wait_for_selector("#toast:has-text('the marks have changed')")
    page.wait_for_function("() => !document.querySelector('.cell.dead')")
    assert page.is_visible("#agreement")
    page.click("#agree")
    page.wait_for_selector("#verdict:not([hidden])")
    expect_refusals(visit, 409)


FLAGS = """async (machineToMove) => {
  const { Seats } = await import("/page/seats.js");
  let flags = 0;
  const payload = { left: [60, 0], titles: ["One", "Other"], strategies: [null, null] };
  const people = { personToMove: !machineToMove, machineToMove, rivalToMove: false, over: false };
  const table = { payload, mover: 0, updatedAt: performance.now() - 1e6, ...people };
  const seats = new Seats(table, async () => void flags++);
  seats.tick();
  seats.close();
  return flags;
}"""


def test_only_the_clock_of_a_person_who_is_to_move_can_run_out(visit: Open) -> None:
    page = visit()
    page.wait_for_selector("#begin")
    assert page.evaluate(FLAGS, True) == 0
    assert page.evaluate(FLAGS, False) == 1


def test_skipping_to_the_content_stays_where_one_is(visit: Open) -> None:
    page = visit("#games")
    page.wait_for_selector("#games-title")
    page.focus("#skip")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "view"
    assert page.url.endswith("#games")


def test_a_game_that_begins_late_does_not_replace_the_tab_one_went_to(visit: Open) -> None:
    page = visit()
    page.wait_for_selector("#begin")
    held = Held(page, "**/api/tables")
    page.click("#begin")
    page.check("input[name=who][value=people]", force=True)
    page.wait_for_selector("#opponents", state="hidden")  # the form was drawn anew
    assert page.is_disabled("#begin")
    page.click("[data-tab=papers]")
    page.wait_for_selector("#papers-title")
    held.wait()
    with page.expect_response("**/api/tables"):
        held.release()
    page.wait_for_timeout(200)
    assert page.url.endswith("#papers")
    assert page.is_visible("#papers-title")


def test_a_watched_game_goes_on_if_it_is_resumed_during_a_step(visit: Open) -> None:
    page = visit()
    page.wait_for_selector("#begin")
    table = send(page, "/api/tables", {"game": "othello4", "black": "discs", "white": "mobility"})
    held = Held(page, "**/reply")
    page.goto(page.url.partition("#")[0] + f"#play/{table['id']}")
    page.click("#pause")
    page.wait_for_timeout(1000)  # a move that was about to be asked for is not
    page.click("#step")
    held.wait()
    page.click("#pause")
    held.release()
    page.wait_for_selector(".moves li:nth-child(3)")


def test_a_review_that_breaks_off_can_be_asked_for_again(visit: Open) -> None:
    page = visit()
    page.wait_for_selector("#begin")
    page.check("input[name=who][value=people]", force=True)
    begin(page, "othello", 4)
    click_a_move(page)
    click_a_move(page)
    polls: list[str] = []

    def running(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(json=answer.json() | {"running": True, "moves": []})

    def poll(route: Any) -> None:
        polls.append(route.request.url)
        if len(polls) == 1:
            route.fulfill(status=503, json={"error": "gone for a moment"})
        else:
            running(route)

    page.route("**/review", running)
    page.route("**/review?*", poll)
    page.click("#review")
    page.wait_for_selector(".coach .note:has-text('gone for a moment')")
    page.click("#review")
    page.wait_for_selector(".coach .note:has-text('0 of 2 moves judged')")
    # another judge takes the place of this one, whose review would go on for ever
    page.evaluate("() => (window.menu = document.querySelector('#judge'))")
    page.unroute("**/review")
    other = page.locator("#judge option").nth(1).get_attribute("value")
    page.unroute("**/review?*")
    page.route("**/review?*", lambda route: route.continue_() if other[:9] in route.request.url else running(route))
    page.select_option("#judge", other)
    page.wait_for_selector(".coach[aria-busy=false]")
    page.wait_for_timeout(1200)
    assert page.get_attribute(".coach", "aria-busy") == "false"
    assert page.input_value("#judge") == other
    assert page.evaluate("() => window.menu === document.querySelector('#judge')")
    expect_refusals(visit, 503)


def test_play_again_is_the_game_on_the_screen_and_old_games_are_not_taken_up(visit: Open) -> None:
    page = visit()
    begin(page, "othello", 4, "discs")
    first = page.url
    page.evaluate("localStorage.setItem('ludus-setup', JSON.stringify({ family: 'othello', size: 6, who: 'watch' }))")
    page.click("#resign")
    page.click("#resign")
    page.click("#verdict button:has-text('Play again')")
    page.wait_for_function("first => location.href !== first && document.querySelector('#resign')", arg=first)
    assert page.locator(".cell").count() == 16
    assert "Greedy for discs" in page.inner_text(".seat >> nth=0")
    second = page.url
    for elsewhere, shown in ((first, "#verdict:not([hidden])"), (first[:-4] + "none", ".remark")):
        page.evaluate("address => (location.href = address)", elsewhere)
        page.wait_for_selector(shown)
        page.click("[data-tab=play]")
        page.wait_for_function("second => location.href === second", arg=second)
    expect_refusals(visit, 404)


def test_puzzles_do_not_mix(visit: Open) -> None:
    page = visit("#puzzles")
    page.select_option("select[data-key=game]", "othello8")
    page.focus("select[data-key=difficulty]")
    page.select_option("select[data-key=difficulty]", "")
    page.wait_for_selector(".board[aria-colcount='8']")
    page.wait_for_selector("#answer:has-text('Find it')")
    page.focus("select[data-key=difficulty]")
    page.evaluate("() => document.activeElement.dispatchEvent(new Event('change'))")
    page.wait_for_function("() => !document.querySelector('#give-up').hidden")
    assert page.evaluate("document.activeElement.dataset.key") == "difficulty"

    shown = page.evaluate("() => fetch('/api/puzzles/next?source=shipped&game=othello8').then(a => a.json())")
    solution = next(each.move for each in shipped_puzzles() if each.id == shown["id"])
    wrong = next(each for each in ludus.game("othello8").position(shown["now"]["text"]).legal if each != solution)
    answers = Held(page, "**/api/puzzles/*")
    page.dblclick(f"[data-square={wrong}]")
    answers.wait()
    page.wait_for_timeout(100)
    assert len(answers.waiting) == 1  # a double click is one try
    answers.release()
    page.wait_for_selector("#answer:has-text('is not it')")
    page.click(f"[data-square={solution}]")
    page.wait_for_selector("#answer:has-text('Right!')")
    page.wait_for_timeout(900)
    assert not page.locator(".cell.can").count()  # nothing more is to be found

    page.click("#next-puzzle")
    page.wait_for_selector("#answer:has-text('Find it')")
    solutions, following = Held(page, "**/solution"), Held(page, "**/puzzles/next?*", "GET")
    page.click("#give-up")
    page.click("#next-puzzle")
    page.click("#next-puzzle")
    following.wait(2)
    one, other = (route.request.url for route in following.waiting)
    assert one == other
    following.release()
    page.wait_for_selector("#answer:has-text('Find it')")
    with page.expect_response("**/solution"):
        solutions.release()
    page.wait_for_timeout(200)
    assert "Find it" in page.inner_text("#answer")

    page.route("**/puzzles/next?*", lambda route: route.fulfill(status=503, json={"error": "gone for a moment"}))
    page.select_option("select[data-key=source]", "mine")
    page.wait_for_selector("#answer:has-text('gone for a moment')")
    expect_refusals(visit, 503)


def test_only_what_waiting_helps_is_asked_for_again(visit: Open) -> None:
    page = visit()
    page.wait_for_selector("#begin")
    asked: list[str] = []

    def refuse(route: Any) -> None:
        asked.append(route.request.url)
        headers = {"Retry-After": "1"} if route.request.url.endswith("fast") and len(asked) == 1 else {}
        status = 200 if len(asked) > 1 else 429
        route.fulfill(status=status, json={"error": "too much"}, headers=headers)

    page.route("**/api/too-*", refuse)
    get = "async (path) => (await import('/page/http.js')).get(path).then(() => 'answered', (each) => each.message)"
    assert page.evaluate(get, "/api/too-fast") == "answered"
    assert len(asked) == 2
    asked.clear()
    assert page.evaluate(get, "/api/too-many") == "too much"
    assert len(asked) == 1
    expect_refusals(visit, 429)


def test_a_hint_that_comes_late_is_not_drawn_on_another_position(visit: Open) -> None:
    page = visit()
    begin(page, "othello", 4, "discs")
    assert my_turn(page)
    assert page.is_disabled("#undo")  # nothing is to be undone
    click_a_move(page)
    assert my_turn(page)
    held = Held(page, "**/hint")
    page.click("#hint")
    held.wait()
    page.keyboard.press(",")
    with page.expect_response("**/hint"):
        held.release()
    page.wait_for_timeout(200)
    assert not page.locator(".cell.hint").count()
    assert page.is_disabled("#hint")
    page.keyboard.press(".")
    page.wait_for_selector("#hint:enabled")


def test_a_shared_game_offers_no_help(visit: Open) -> None:
    page = visit()
    page.wait_for_selector("#begin")
    table = send(page, "/api/tables", {"game": "othello4", "black": "person", "white": "person"})
    token = send(page, f"/api/tables/{table['id']}/share", {})["token"]
    page.goto(page.url.partition("#")[0] + f"#shared/{token}")
    page.wait_for_selector("#why:has-text('no machine has anything to explain')")
    assert not page.locator("#review:visible, #hint:visible").count()


def test_undo_waits_for_a_move_of_ones_own(visit: Open) -> None:
    page = visit()
    page.wait_for_selector("#begin")
    table = send(page, "/api/tables", {"game": "othello4", "black": "discs", "white": "person"})
    page.goto(page.url.partition("#")[0] + f"#play/{table['id']}")
    assert my_turn(page)
    assert page.is_disabled("#undo")
    click_a_move(page)
    assert my_turn(page)
    assert page.is_enabled("#undo")


def test_the_tab_learn_begins_one_run_and_keeps_the_focus(visit: Open) -> None:
    page = visit()
    page.wait_for_selector("#begin")
    polls: list[int] = []
    run = {"id": "one", "name": "One", "learner": "xcs", "game": "othello6", "state": "running", "steps": 1}
    study = {"kind": "league", "game": "othello6", "titles": [], "running": True, "stoppable": True, "problem": ""}

    def runs(route: Any) -> None:
        if route.request.method == "POST":
            begun.append(route)
            return
        polls.append(1)
        state = {"seconds": len(polls), "mine": True, "stoppable": True, "problem": ""}
        route.fulfill(json={"runs": [run | state]})

    begun: list[Any] = []
    studies = [study | {"id": "one"}, study | {"id": "two"}]
    page.route("**/api/runs", runs)
    page.route("**/api/runs/*", lambda route: route.fulfill(json=run | {"at": [], "columns": {}}))
    page.route(
        "**/api/studies",
        lambda route: route.fulfill(json={"studies": [each | {"done": len(polls) / 100} for each in studies]}),
    )
    page.click("[data-tab=learn]")
    page.wait_for_selector("#start-run")
    page.wait_for_selector("details[data-study=one][open]")
    page.click("details[data-study=one] summary")
    page.focus("#view td button:has-text('Stop')")
    seen = len(polls)
    until = time.monotonic() + 60
    while len(polls) < seen + 2:
        assert time.monotonic() < until
        page.wait_for_timeout(100)
    page.wait_for_timeout(200)
    assert page.evaluate("document.activeElement.textContent") == "Stop"
    assert not page.locator("details[data-study][open]").count()
    page.dblclick("#start-run")
    page.wait_for_timeout(200)
    assert len(begun) == 1
    begun[0].fulfill(status=429, json={"error": "one of yours is running"})
    page.wait_for_selector("#toast:has-text('one of yours is running')")
    page.unroute_all()
    page.evaluate("() => (location.hash = '#games')")  # leaves no question open
    page.wait_for_selector("#games-title")
    expect_refusals(visit, 429)


def test_a_phone_has_room_for_whatever_is_told(visit: Open) -> None:
    page = visit(width=390, height=844)
    begin(page, "othello", 4, "discs")
    assert my_turn(page)
    told = "is being compiled for the first time: 3 s so far, about 17 s left"
    page.evaluate("told => (document.querySelector('.seat .state').textContent = told)", told)
    page.evaluate("async (told) => (await import('/page/dom.js')).notice(told)", f"{told}, and {told}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator(".seat .who").first.bounding_box()["width"] >= 90
    toast = page.locator("#toast").bounding_box()
    assert toast["width"] > 300
    assert toast["x"] >= 0
    assert toast["x"] + toast["width"] <= 390


def test_failures_are_told(visit: Open, tmp_path: Path) -> None:
    page = visit()
    begin(page, "othello", 4, "discs")
    game = page.url
    page.route("**/api/players*", lambda route: route.fulfill(status=503, json={"error": "gone for a moment"}))
    page.click("#new")
    page.wait_for_selector("#toast:has-text('gone for a moment')")
    assert page.url == game
    page.evaluate("() => Object.defineProperty(navigator, 'clipboard', { value: undefined })")  # as over plain HTTP
    page.click("#share")
    page.wait_for_function("() => document.querySelector('.sharing input').value")
    page.click("button:has-text('Copy')")
    page.wait_for_selector("#toast:has-text('copied'), #toast:has-text('Ctrl+C')")
    page.click("[data-tab=games]")
    (tmp_path / "club.sgf").write_text(json.dumps("no game"))
    page.set_input_files("#import", tmp_path / "club.sgf")
    page.wait_for_selector("#toast:has-text('club.sgf')")
    assert page.evaluate("document.querySelector('#import').files.length") == 0  # it can be chosen again
    expect_refusals(visit, 503, 400)


def fail(page: Any, pattern: str) -> None:
    page.route(pattern, lambda route: route.fulfill(status=503, json={"error": "gone for a moment"}))


def test_an_answer_that_was_cut_off_does_not_stop_the_game(visit: Open) -> None:
    page = visit()
    begin(page, "othello", 4, "discs")
    assert my_turn(page)
    page.route("**/move", lambda route: route.fulfill(status=200, body='{"id"'))
    page.locator(".cell.can").last.click()
    page.wait_for_selector("#toast:has-text('could not be read')")
    page.unroute("**/move")
    page.wait_for_selector(".cell.can")
    click_a_move(page)
    assert my_turn(page)


def test_a_machine_that_fails_is_asked_ever_more_rarely_until_it_moves(visit: Open) -> None:
    page = visit()
    begin(page, "othello", 4, "discs")
    assert my_turn(page)
    asked = []
    page.on("request", lambda request: asked.append(time.monotonic()) if request.url.endswith("/reply") else None)
    fail(page, "**/reply")
    click_a_move(page)
    until = time.monotonic() + 60
    while len(asked) < 3:
        assert time.monotonic() < until
        page.wait_for_timeout(50)
    first, second = (after - before for before, after in itertools.pairwise(asked[:3]))
    assert second > first + 0.3
    page.unroute("**/reply")
    assert my_turn(page)
    expect_refusals(visit, 503)


def test_a_page_that_is_behind_shows_all_moves_once_one_has_resigned(visit: Open) -> None:
    page = visit()
    page.wait_for_selector("#begin")
    table = send(page, "/api/tables", {"game": "othello4", "black": "person", "white": "person"})
    page.goto(page.url.partition("#")[0] + f"#play/{table['id']}")
    page.wait_for_selector(".cell.can")
    for ply in range(3):  # in another tab
        wanted = {"ply": ply, "move": table["now"]["legal"][0]["move"]}
        table = send(page, f"/api/tables/{table['id']}/move", wanted)
    page.dblclick("#resign")  # says only once that one wants to
    page.wait_for_selector("#resign:has-text('Really resign?')")
    assert page.is_hidden("#verdict")
    page.click("#resign")
    page.wait_for_selector("#verdict:not([hidden])")
    assert page.locator(".moves li").count() == 3


def test_a_tab_that_could_not_be_shown_can_be_asked_for_again(visit: Open) -> None:
    page = visit("#games")
    page.wait_for_selector("#games-title")
    fail(page, "**/api/players*")
    page.click("[data-tab=play]")
    page.wait_for_selector("main [role=alert]:has-text('gone for a moment')")
    page.unroute_all()
    page.click("button:has-text('Try again')")
    page.wait_for_selector("#begin")
    assert page.evaluate("document.activeElement.id") == "view"  # the keyboard goes on from here
    fail(page, "**/api/learners")
    page.click("[data-tab=learn]")
    page.wait_for_selector("#toast:has-text('gone for a moment')")
    page.wait_for_selector("#start-league")
    page.unroute_all()
    page.wait_for_selector("#start-run")
    expect_refusals(visit, 503)


def test_the_form_shows_the_game_whose_players_it_offers(visit: Open) -> None:
    page = visit()
    page.wait_for_selector("#begin")
    page.evaluate("localStorage.setItem('ludus-setup', JSON.stringify({ family: 'othello', size: 5 }))")
    page.reload()  # a size that there was once
    page.wait_for_selector("#begin:enabled")
    first = page.evaluate("document.querySelector('input[name=family]:checked').value")
    fail(page, "**/api/players*")
    page.evaluate("document.querySelector('input[name=family][value=go]').click()")
    page.wait_for_selector("#toast:has-text('gone for a moment')")
    page.wait_for_selector(f"input[name=family][value={first}]:checked", state="attached")
    expect_refusals(visit, 503)


def test_the_keyboard_keeps_its_place_beside_the_board(visit: Open) -> None:
    page = visit()
    page.wait_for_selector("#begin")
    page.check("input[name=who][value=people]", force=True)
    begin(page, "othello", 4)
    page.evaluate("() => delete window.AudioContext")  # nor does a browser without sounds stop the game
    click_a_move(page)
    page.focus("#hint")
    page.keyboard.press("Enter")
    page.wait_for_selector("#why .weighed")
    page.wait_for_selector("#hint:enabled")
    assert page.evaluate("document.activeElement.id") == "hint"
    page.focus("#undo")
    page.keyboard.press("Enter")
    page.wait_for_function("() => !document.querySelector('.moves li')")
    assert page.evaluate("document.activeElement.matches('.cell')")


def test_the_forms_of_the_tab_learn_keep_the_focus_and_do_not_mix_games(visit: Open) -> None:
    page = visit("#learn")
    page.wait_for_selector("#start-run")
    page.wait_for_selector("#start-league")
    learner = "select[data-key=learner]"
    page.focus(learner)
    page.select_option(learner, index=1)
    assert page.evaluate("document.activeElement.dataset.key") == "learner"
    game = "select[data-key=game]"
    held = Held(page, "**/api/players?game=othello4", "GET")
    page.focus(game)
    page.select_option(game, "othello4")
    held.wait()
    with page.expect_response("**/api/players?game=go5"):
        page.select_option(game, "go5")
    page.wait_for_timeout(200)
    assert page.evaluate("document.activeElement.dataset.key") == "game"
    players = page.inner_text(".ticks")
    with page.expect_response("**/api/players?game=othello4"):
        held.release()
    page.wait_for_timeout(200)
    assert page.inner_text(".ticks") == players


CIRCLE = """async () => {
  const { MoveSelection } = await import("/page/selection.js");
  const selection = new MoveSelection({ squares: [] });
  selection.reset([{ move: "circle", path: [0, 1, 2, 3, 0] }]);
  const choose = (...squares) => squares.map((each) => selection.choose(each));
  return [choose(0, 0), choose(0, 1, 2, 3, 0)];
}"""

HIDDEN = """async () => {
  const { seen } = await import("/page/dom.js");
  Object.defineProperty(document, "hidden", { value: true, configurable: true });
  let isSeen = false;
  const waiting = seen().then(() => (isSeen = true));
  await new Promise((resolve) => setTimeout(resolve, 50));
  const before = isSeen;
  delete document.hidden;
  document.dispatchEvent(new Event("visibilitychange"));
  await waiting;
  return before;
}"""


def test_the_chosen_piece_is_let_go_of_and_a_hidden_page_waits(visit: Open) -> None:
    page = visit("#games")
    page.wait_for_selector("#games-title")
    nothing = [None] * 4
    assert page.evaluate(CIRCLE) == [nothing[:2], [*nothing, "circle"]]
    assert page.evaluate(HIDDEN) is False
