"""The arena's page in a real browser: games by clicking, reloads, restarts, and no error anywhere."""

import json
import os
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import ludus
from ludus.records.arena import ArenaGames
from tests.effort import nightly
from tests.interfaces.arena import Listening, listening

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = os.environ.get("LUDUS_CHROMIUM") or shutil.which("chromium") or ""
pytestmark = pytest.mark.skipif(not CHROMIUM, reason="there is no chromium on this machine")

PATIENCE = 60_000
"""Milliseconds: a kernel may have to be compiled first."""
CUT_OFF = "net::ERR_ABORTED"
"""How a request fails whose page is left."""
SHOTS = os.environ.get("LUDUS_SHOTS", "")
"""A folder for screenshots, for whoever wants to look at them."""

Open = Callable[..., "sync_api.Page"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listening]:
    with listening(tmp_path_factory.mktemp("arena")) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator["sync_api.Browser"]:
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def visit(browser: "sync_api.Browser", server: Listening) -> Iterator[Open]:
    """Opens the page; whatever its console or its requests complain about fails the test."""
    wrong: list[str] = []
    contexts = []

    def open_page(
        where: str = "", width: int = 1280, height: int = 800, scheme: str = "light", motion: str = "reduce"
    ) -> "sync_api.Page":
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion=motion
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: message.type in ("error", "warning") and wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("requestfailed", lambda each: each.failure == CUT_OFF or wrong.append(f"failed {each.url}"))
        page.on("request", lambda each: each.url.startswith(server.address) or wrong.append(f"elsewhere {each.url}"))
        page.goto(server.address + where)
        return page

    open_page.wrong = wrong  # type: ignore[attr-defined]
    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []


def begin(page: "sync_api.Page", game_type: str, size: int = 0, opponent: str = "", **options: str) -> None:
    """Fill in the form and begin."""
    page.wait_for_selector("#begin")
    page.check(f"input[name=family][value={game_type}]", force=True)
    if size:
        page.wait_for_selector(f"input[name=size][value='{size}'], select[data-key=size]")
        if page.locator("select[data-key=size]").count():
            page.select_option("select[data-key=size]", str(size))
        else:
            page.check(f"input[name=size][value='{size}']", force=True)
    if opponent:
        chosen = f"input[name=opponent][value='{opponent}']"
        page.wait_for_selector(chosen, state="attached")
        page.evaluate("chosen => document.querySelector(chosen).click()", chosen)  # at once: the list may be drawn anew
        page.wait_for_function("chosen => document.querySelector(chosen)?.checked", arg=chosen)
    if options:
        page.click("summary")
    for name, value in options.items():
        page.fill(f"input[data-key={name}]", value)
        page.press(f"input[data-key={name}]", "Tab")
        page.wait_for_function("name => document.querySelector(`input[data-key=${name}]`).value", arg=name)
    page.click("#begin")
    page.wait_for_selector(".board")


def my_turn(page: "sync_api.Page") -> bool:
    """Wait until the person is to move, or the game is over."""
    page.wait_for_selector(".seat.turn:has-text('your turn'), #verdict:not([hidden]), #agreement:not([hidden])")
    return not page.locator("#verdict, #agreement").locator("visible=true").count()


def click_a_move(page: "sync_api.Page") -> None:
    """Make some legal move by clicking."""
    before = page.locator(".moves li").count()
    if page.locator("#pass").is_visible() and not page.locator(".cell.can").count():
        page.click("#pass")
    else:
        page.locator(".cell.can").last.click()
        while page.locator(".cell.chosen").count():  # a piece was chosen: now where it goes
            page.locator(".cell.can:has(.dot)").first.click()
    page.wait_for_function("before => document.querySelectorAll('.moves li').length > before", arg=before)


def shot(page: "sync_api.Page", name: str) -> None:
    if SHOTS:
        page.screenshot(path=str(Path(SHOTS) / f"{name}.png"), full_page=True)


@pytest.mark.parametrize(
    ("game_type", "size", "opponent", "options"),
    [
        ("othello", 4, "discs", {}),
        ("checkers", 0, "alphabeta:depth=2", {"moves": "4"}),
        ("go", 3, "greedy:value=area", {"plies": "8"}),
    ],
)
def test_a_whole_game_is_played_by_clicking(visit: Open, server: Listening, game_type, size, opponent, options) -> None:
    page = visit()
    begin(page, game_type, size, opponent, **options)
    reasons = set()
    while my_turn(page):
        click_a_move(page)
        if my_turn(page):
            page.wait_for_selector("#why .weighed")
            page.wait_for_function(  # the reason is that of the move made last
                "() => document.querySelector('#why .lead').textContent.includes("
                "[...document.querySelectorAll('.moves li button')].at(-1).lastChild.textContent)"
            )
            reasons.add(page.inner_text("#why"))
    assert len(reasons) > 1
    if game_type == "go":  # the machine has proposed what is dead
        page.click("#agree")
        page.wait_for_selector("#verdict:not([hidden])")
    shot(page, f"{game_type}-over")
    id = page.url.rpartition("/")[2]
    kept = page.evaluate("id => fetch(`/api/tables/${id}`).then(answer => answer.json())", id)
    position = ludus.game(kept["game"]).start()
    for frame in kept["frames"][1:]:
        position = position.play(frame["move"])
    if kept["reason"] != "agreed":
        assert kept["outcome"] == position.outcome
    if kept["count"]:  # one's own points first
        one, other = (f"{points:g}" for points in kept["count"]["totals"])
        assert f" {one}-{other}." in page.inner_text("#verdict strong")
    page.click("#share")
    with page.expect_download() as download:
        page.locator("a[download]").first.click()
    assert Path(download.value.path()).read_text().count("\n") >= 1


CLICK_AT_ONCE = """async () => {
  let last = performance.now(), moves = 0;
  while (document.querySelector("#verdict").hidden && document.querySelector("#agreement").hidden) {
    const cells = [...document.querySelectorAll(".cell.can")];
    const cell = cells.find((each) => each.querySelector(".dot")) ?? cells[0];
    const pass = document.querySelector("#pass:not([hidden])");
    (cell ?? pass)?.click();
    const made = document.querySelectorAll(".moves li").length;
    if (made !== moves) [moves, last] = [made, performance.now()];
    if (performance.now() - last > 20000) return `nothing moves after ${moves} moves`;
    await new Promise((resolve) => setTimeout(resolve));
  }
  return "over";
}"""
"""Clicks whatever is legal in the moment in which it becomes so, more often than a hand can."""


@pytest.mark.parametrize(
    ("game_type", "size", "opponent", "options"),
    [
        ("othello", 4, "discs", {}),
        *nightly(("othello", 8, "marker:mobility", {})),
        ("checkers", 0, "alphabeta:depth=2", {"moves": "4"}),
        ("go", 3, "greedy:value=area", {"plies": "8"}),
    ],
)
def test_whoever_clicks_at_once_gets_to_the_end(visit: Open, game_type, size, opponent, options) -> None:
    page = visit(motion="no-preference")
    begin(page, game_type, size, opponent, **options)
    assert page.evaluate(CLICK_AT_ONCE) == "over"


def test_reloads_and_a_restart_of_the_server_lose_nothing(visit: Open, server: Listening) -> None:
    page = visit()
    begin(page, "othello", 6, "jain2018")
    for _ in range(2):
        assert my_turn(page)
        click_a_move(page)
    assert my_turn(page)
    moves = page.locator(".moves").inner_text()
    page.reload()
    assert my_turn(page)
    assert page.locator(".moves").inner_text() == moves
    server.stop()
    page.locator(".cell.can").first.click()
    page.wait_for_selector("#toast:has-text('does not answer')")
    server.start()
    page.wait_for_function("() => document.querySelector('.seat.turn .state').textContent === 'your turn'")
    refused = [each for each in visit.wrong if "ERR_CONNECTION_REFUSED" in each or each.startswith("failed")]  # type: ignore[attr-defined]
    assert refused  # while nobody listened; nothing else went wrong
    visit.wrong[:] = [each for each in visit.wrong if each not in refused]  # type: ignore[attr-defined]
    page.reload()
    assert my_turn(page)
    assert page.locator(".moves").inner_text() == moves
    click_a_move(page)
    assert my_turn(page)
    assert page.locator(".moves li").count() == 6
    # a second later in another tab: the same game
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector(".moves li:nth-child(6)")
    other.close()


def test_the_board_is_a_labelled_grid_that_the_keyboard_plays(visit: Open) -> None:
    page = visit()
    page.wait_for_selector("#begin")
    page.check("input[name=who][value=people]", force=True)
    begin(page, "othello", 4)
    grid = page.get_by_role("grid", name="othello4 board")
    assert grid.get_by_role("row").count() == 4
    assert grid.get_by_role("gridcell").count() == 16
    legal = grid.get_by_role("gridcell", name=re.compile("^b1, empty, legal move"))
    assert legal.count() == 1
    assert grid.get_by_role("gridcell", name="b2, white disc").count() == 1
    page.locator(".cell[tabindex='0']").focus()
    for key in ("ArrowUp", "ArrowUp", "Home", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector(".moves li:nth-child(1)")
    assert page.locator("#say").inner_text().startswith("Black plays b1. White to move")
    assert grid.get_by_role("gridcell", name="b2, black disc").count() == 1
    page.keyboard.press("h")
    page.wait_for_selector("#why .weighed")
    page.keyboard.press("u")
    page.wait_for_function("() => !document.querySelector('.moves li')")
    page.click("#resign")
    page.click("#resign")
    page.wait_for_selector("#verdict:has-text('White won')")


def test_pieces_are_seen_under_a_contrast_theme_of_the_system(visit: Open) -> None:
    page = visit()
    page.emulate_media(forced_colors="active")
    begin(page, "othello", 6, "random")
    assert my_turn(page)
    cells = (page.locator(f".cell{each}").first for each in (":has(.piece.x)", ":has(.piece.o)", ":not(:has(.piece))"))
    assert len({cell.screenshot() for cell in cells}) == 3


def test_two_players_are_watched_and_looked_at_again(visit: Open) -> None:
    page = visit()
    page.wait_for_selector("#begin")
    page.check("input[name=who][value=watch]", force=True)
    page.wait_for_selector("select[data-key=other]")
    page.check("input[name=size][value='4']", force=True)
    page.wait_for_function("() => ![...document.querySelectorAll('option')].some(each => each.value === 'heuristic')")
    page.select_option("select[data-key=other]", "mobility")
    page.click("#begin")
    page.wait_for_selector(".board")
    page.select_option("select[aria-label=Speed]", "150")
    page.wait_for_selector("#verdict:not([hidden])")
    last = page.locator(".moves li").count()
    page.click("[aria-label='First position']")
    assert page.locator(".piece").count() == 4
    page.click("[aria-label='One move on']")
    assert page.locator(".piece").count() == 5
    page.click(f".moves li:nth-child({last - 1}) button")
    page.wait_for_selector(".moves [aria-current]")
    page.goto(page.url.partition("#")[0] + "#games")
    page.click("a:has-text('review')")
    page.wait_for_selector("#verdict:not([hidden])")
    assert page.locator(".moves li").count() == last


def test_runs_are_begun_and_stopped_on_the_page(visit: Open, server: Listening) -> None:
    page = visit("#learn")
    page.wait_for_selector("#start-run")
    page.get_by_text("Settings of the learner").click()
    page.get_by_label(re.compile("^games")).first.fill("100000000")
    page.get_by_label(re.compile("^step games")).first.fill("500")
    page.get_by_label(re.compile("^alpha")).first.fill("0.01")
    page.get_by_label(re.compile("^alpha")).first.press("Tab")
    page.click("#start-run")
    page.wait_for_selector("p:has-text('The run is starting'), .badge.live")
    page.wait_for_selector(".badge.live")
    page.wait_for_selector("#curve polyline")
    box = page.locator("#curve").bounding_box()  # what was begun is seen to grow
    assert 0 <= box["y"] + box["height"] / 2 <= 800
    shot(page, "learn")
    page.set_viewport_size({"width": 390, "height": 844})
    stop = page.locator("button:has-text('Stop')").bounding_box()
    assert stop["x"] + stop["width"] <= 390
    page.click("button:has-text('Stop')")
    page.wait_for_selector("button:has-text('Resume')")
    assert page.locator(".papers a").count() == 0  # no reports in this folder


FAINT = """() => {
  const channels = (text) => {
    const [r, g, b, alpha = 1] = text.match(/[\\d.]+/g).map(Number);
    return { rgb: text.startsWith("color") ? [r, g, b].map((each) => each * 255) : [r, g, b], alpha };
  };
  const over = ({ rgb, alpha }, below) => rgb.map((each, i) => each * alpha + below[i] * (1 - alpha));
  const light = (rgb) => {
    const [r, g, b] = rgb.map((each) => each / 255)
      .map((each) => each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => over(channels(getComputedStyle(element).backgroundColor),
    element.parentElement ? behind(element.parentElement) : [255, 255, 255]);
  return [...document.querySelectorAll("body *")].filter((each) => {
    const texts = [...each.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    const told = "svg *, .edge *, .worth, .skip, .unseen, :disabled, option, noscript *";
    if (!texts || !each.checkVisibility() || each.matches(told)) return false;
    const below = behind(each), ink = over(channels(getComputedStyle(each).color), below);
    const [dark, bright] = [light(ink), light(below)].sort((one, other) => one - other);
    return (bright + 0.05) / (dark + 0.05) < 4.5;
  }).map((each) => `${each.className}: ${each.textContent}`);
}"""
"""Texts whose contrast to what is behind them is less than WCAG 2 asks for (AA)."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_everything_readably_without_scrolling_sideways(visit: Open, scheme: str) -> None:
    page = visit(width=390, height=844, scheme=scheme)

    def check(name: str) -> None:
        page.mouse.move(0, 0)  # off the board, whose squares change colour under it
        page.wait_for_function("() => !document.getAnimations().length")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert page.evaluate(FAINT) == []
        shot(page, f"phone-{name}-{scheme}")

    page.wait_for_selector("#begin")
    check("setup")
    begin(page, "checkers", 0, "alphabeta:depth=2")
    assert my_turn(page)
    assert page.locator(".board").bounding_box()["width"] > 300
    click_a_move(page)
    page.wait_for_selector("#why .weighed")
    check("checkers")
    for where in ("games", "learn", "puzzles", "papers"):
        page.click(f"[data-tab={where}]")
        page.wait_for_selector(".games a, .learn .main, #answer p, #papers-title")
        check(where)
    page.evaluate(
        """async () => {
          const { superiorityTable } = await import("/page/charts.js");
          const table = superiorityTable(["one", "other"], [[0.6, 0.9], [0.1, 0.999]]);
          document.querySelector("main .panel").append(table);
        }"""
    )
    check("league")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == scheme


def test_what_a_social_player_learned_is_told(visit: Open, server: Listening) -> None:
    page = visit()
    begin(page, "othello", 4, "discs")
    page.click("#resign")
    page.click("#resign")
    page.wait_for_selector("#verdict:has-text('You lost'):has-text('You resigned')")
    id = page.url.rpartition("/")[2]
    games: ArenaGames = server.arena.games
    with games._transaction() as base:  # as the arena keeps it when such a player loses
        base.execute("update games set lesson = 'social:x lost with its strategy 1 of 3' where id = ?", (id,))
    server.stop()
    server.start()
    page.reload()
    page.wait_for_selector("#lesson:has-text('lost with its strategy 1 of 3')")
    assert json.loads(page.evaluate("localStorage.getItem('ludus-table')")) == id
    time.sleep(0.1)


def test_an_opponent_is_found_by_strength_or_chosen_from_the_gallery(visit: Open) -> None:
    page = visit()
    page.wait_for_selector("#begin")
    page.check("input[name=size][value='6']", force=True)
    page.wait_for_selector(".card:has-text('The rule follower')")
    assert page.is_checked("input[name=opponent][value=find]")
    assert "no rated games here yet" in page.inner_text(".card:has(input[value=find])")
    shown = [int(text.split()[0]) for text in page.locator(".card.level small:has-text('Elo')").all_inner_texts()]
    assert len(shown) == 7
    assert shown == sorted(shown)
    shot(page, "gallery")
    page.click("#begin")
    page.wait_for_selector(".seat:has-text('Level')")


def test_a_machine_that_is_being_compiled_is_not_said_to_think(visit: Open, server: Listening, monkeypatch) -> None:
    slow = {"ready": False, "seconds": 3.0, "usual": 20.0}
    monkeypatch.setattr(server.arena.preparation, "ask", lambda game, players: slow)
    reply, wait = server.arena.tables.reply, threading.Event()
    monkeypatch.setattr(server.arena.tables, "reply", lambda *asked: wait.wait(30) and reply(*asked))
    page = visit()
    page.wait_for_selector("#preparing:has-text('is being compiled for the first time: 3 s so far, about 17 s left')")
    begin(page, "othello", 4, "discs")
    assert my_turn(page)
    click_a_move(page)
    page.wait_for_selector(".seat.turn:has-text('is thinking')")
    page.wait_for_selector(".seat.turn:has-text('is being compiled')")
    wait.set()
    assert my_turn(page)


WHY = """async ([played, line]) => {
  const { whyPanel } = await import("/page/why.js");
  const weighed = (move, value) => ({ move, value, path: [], boards: [], chance: null, description: "" });
  const moves = [weighed("a1", 2), weighed("b1", 1), weighed("c1", 2)];
  const why = { moves, line, boards: [], unit: "discs", description: "" };
  const given = { layout: {}, reason: { why, by: "Level 1", move: played }, sides: ["Black", "White"] };
  return whyPanel(given).textContent;
}"""


def test_reasons_that_favour_another_move_say_so(visit: Open) -> None:
    page = visit()
    page.wait_for_selector("#begin")
    again = "Asked again for its reasons, it ranks a1 first."
    usual = page.evaluate(WHY, ["a1", ["a1", "d1"]])
    assert "Expected line" in usual
    assert again not in usual
    by_chance = page.evaluate(WHY, ["b1", ["a1", "d1"]])
    assert again in by_chance
    assert "What it expected after a1" in by_chance
    assert again not in page.evaluate(WHY, ["c1", ["c1"]])  # as good as the first


def test_reasons_that_take_long_are_announced(visit: Open) -> None:
    page = visit()
    asked: list[sync_api.Route] = []
    page.route("**/why/*", lambda route: asked.append(route))
    begin(page, "othello", 4, "discs")
    assert my_turn(page)
    click_a_move(page)
    page.wait_for_selector("#why:has-text('Looking for the reasons')")
    asked[0].continue_()
    page.wait_for_selector("#why .weighed")


def test_boards_are_called_as_people_call_them(visit: Open) -> None:
    page = visit()
    names = ["othello6", "go9:komi=5.5", "checkers", "hex11"]
    titles = page.evaluate("async (names) => names.map(await (await import('/page/catalog.js')).boardTitles())", names)
    assert titles == ["Othello 6 × 6", "Go 9 × 9, komi=5.5", "English checkers", "hex11"]


def test_a_refused_komi_stays_with_the_reason_beside_it(visit: Open) -> None:
    page = visit()
    page.wait_for_selector("#begin")
    page.check("input[name=family][value=go]", force=True)
    page.wait_for_selector(".setup:has-text('Area scoring')")
    page.click("summary")
    page.fill("input[data-key=komi]", "1000")
    page.press("input[data-key=komi]", "Tab")
    page.wait_for_selector("input[data-key=komi][aria-invalid=true]")
    assert page.input_value("input[data-key=komi]") == "1000"
    assert "invalid komi=1000" in page.inner_text(".refused")
    assert page.is_disabled("#begin")
    shot(page, "refused")
    page.fill("input[data-key=komi]", "5.5")
    page.press("input[data-key=komi]", "Tab")
    page.wait_for_selector("#begin:enabled")
    assert not page.locator(".refused").count()
    visit.wrong[:] = [each for each in visit.wrong if "400 (Bad Request)" not in each]  # type: ignore[attr-defined]


def test_dead_stones_are_marked_and_counted_on_the_board(visit: Open) -> None:
    page = visit()
    page.wait_for_selector("#begin")
    page.check("input[name=who][value=people]", force=True)
    begin(page, "go", 5)
    moves = ["C1", "D1", "C2", "D2", "C3", "D3", "C4", "D4", "C5", "D5", "B3", "A1"]
    for number, square in enumerate(moves):
        page.click(f".cell[data-square={square}]")
        page.wait_for_selector(f".moves li:nth-child({number + 1})")
    page.click("#pass")
    page.wait_for_selector(".moves li:nth-child(13)")
    page.click("#pass")
    page.wait_for_selector("#agreement:has-text('Both have passed')")
    assert page.locator(".cell.dead").get_attribute("data-square") == "A1"
    page.click(".cell[data-square=A1]")
    page.wait_for_function("() => !document.querySelector('.cell.dead')")
    page.click(".cell[data-square=A1]")
    page.wait_for_selector(".cell.dead")
    assert page.locator(".owner.x").count() == 9
    shot(page, "dead")
    page.click("#agree")
    page.wait_for_selector("#verdict:has-text('White won 17.5-15.')")
    assert "komi" in page.inner_text(".count-table")


def test_a_game_is_shared_by_a_link_and_its_own_link_says_whose_it_is(visit: Open) -> None:
    page = visit()
    begin(page, "othello", 4, "discs")
    assert my_turn(page)
    click_a_move(page)
    assert my_turn(page)
    page.click("#share")
    page.wait_for_function("() => document.querySelector('.sharing input').value")
    link = page.input_value(".sharing input")
    elsewhere = visit("#" + page.url.partition("#")[2])
    elsewhere.wait_for_selector(".remark:has-text('not begun in this browser')")
    elsewhere.goto(link)
    elsewhere.wait_for_selector(".moves li:nth-child(2)")
    assert "A person" in elsewhere.inner_text(".seat >> nth=1")
    assert not elsewhere.locator(".cell.can, #undo:visible, #resign:visible, #review:visible").count()
    elsewhere.click("[aria-label='First position']")
    assert elsewhere.locator(".piece").count() == 4
    visit.wrong[:] = [each for each in visit.wrong if "404 (Not Found)" not in each]  # type: ignore[attr-defined]


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_board_controls_and_result_are_seen_without_scrolling(visit: Open, width: int, height: int) -> None:
    page = visit(width=width, height=height)
    begin(page, "othello", 8, "heuristic")
    assert my_turn(page)
    assert not page.locator(".heat").count()  # one's own legal moves alone

    def seen(*selectors: str) -> None:
        for selector in selectors:
            box = page.locator(selector).bounding_box()
            assert box["y"] >= 0, selector
            assert box["y"] + box["height"] <= height, selector

    seen(".frame", ".actions", ".steer")
    page.click("#resign")
    page.click("#resign")
    page.wait_for_selector("#verdict:not([hidden])")
    page.evaluate("scrollTo(0, 0)")
    seen(".frame", ".actions", ".steer", "#verdict", "#review")
    page.select_option("#board-theme", "slate")
    colour = page.evaluate("getComputedStyle(document.querySelector('.play')).getPropertyValue('--board-square')")
    assert colour.strip() == "#7f8c99"


def test_ones_games_are_filtered_and_added_up(visit: Open) -> None:
    page = visit()
    page.wait_for_selector("#begin")
    for opponent, black in (("level:1", True), ("level:1", False), ("discs", True)):
        sides = {"black": "person", "white": opponent} if black else {"black": opponent, "white": "person"}
        page.evaluate(
            """async (sides) => {
              const send = (path, body) => fetch(path, { method: "POST", body: JSON.stringify(body),
                headers: { "Content-Type": "application/json" } }).then((answer) => answer.json());
              const { id } = await send("/api/tables", { game: "othello6", ...sides });
              await send(`/api/tables/${id}/resign`, {});
            }""",
            sides,
        )
    page.click("[data-tab=games]")
    page.wait_for_selector("tr.total")
    assert page.inner_text("tr.total").split() == ["All", "3", "0%", "0-0-3", "0-0-2", "0-0-1"]
    assert page.locator(".chart polyline").count() == 1  # one's progress
    shot(page, "games")
    page.select_option("#filter-opponent", "Level 1")
    assert page.inner_text("tr.total").split() == ["All", "2", "0%", "0-0-2", "0-0-1", "0-0-1"]
    assert page.locator(".games li").count() == 2
    page.select_option("#filter-side", "1")
    assert page.locator(".games li").count() == 1


def test_all_claims_of_all_papers_are_seen_at_a_glance(visit: Open, server: Listening) -> None:
    report = server.folder / "reports" / "jain2018"
    report.mkdir(parents=True)
    (report / "index.html").write_text("<h1 id=claim-one>One</h1>")
    claims = [
        {"id": "one", "description": "It wins.", "verdict": "reproduced", "paper": "65%", "ours": 64.251},
        {"id": "two", "description": "It loses.", "verdict": "not run", "paper": 1, "ours": None},
    ]
    (report / "claims.json").write_text(json.dumps({"scale": "full", "partial": True, "claims": claims}))
    page = visit("#papers")
    page.wait_for_selector("h2:has-text('XCS')")
    assert "full scale, not all runs finished." in page.inner_text("#paper-jain2018 .note")
    first = page.locator(".claims a").first
    assert first.get_attribute("href") == "/papers/jain2018/#claim-one"
    assert first.get_attribute("aria-label") == "reproduced: It wins. (paper: 65%, here: 64.25)"
    assert page.locator(".claims .not-run").count() == 1
    shutil.rmtree(report)
