"""The arena against hostile requests: one shape of error, nothing but its own files, limits that hold."""

import json
import random
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import quote

import pytest

from ludus.errors import LudusError
from ludus.interfaces.web import reviews
from ludus.interfaces.web.app import PAGE
from ludus.interfaces.web.catalog import REMEMBERED, offered_game
from ludus.interfaces.web.clients import is_loopback, network
from ludus.interfaces.web.limits import (
    BODY_BYTES,
    BUDGET,
    CHANGE_COSTS,
    GUESS_COSTS,
    OF_ADDRESS,
    RETRY_SECONDS,
    REVIEWS_OF_ONE,
)
from ludus.interfaces.web.safety import TOKEN, VISITOR
from ludus.interfaces.web.server import LEAST_TOKEN, serve
from tests.effort import EFFORT
from tests.interfaces.arena import Client, arena

JSON = {"content-type": "application/json"}
SECRET = "open-sesame-open-sesame"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    behind = arena(tmp_path_factory.mktemp("arena"))
    yield Client(behind)
    behind.close()


def refused(answer: tuple[int, dict[str, str], bytes]) -> tuple[int, str]:
    """The status and the sentence of an error in its one shape."""
    status, headers, content = answer
    told = json.loads(content)
    assert headers["content-type"] == "application/json"
    assert list(told) == ["error"]
    assert "Traceback" not in told["error"]
    assert 'File "' not in told["error"]
    assert len(told["error"]) < 1000
    return status, told["error"]


def test_nothing_but_the_arena_s_own_files_is_sent(client: Client) -> None:
    for path in (
        "/page/../app.py", "/page/..%2fapp.py", "/page/%2e%2e/app.py", "/page//etc/passwd", "/page/", "/papers/../x",
        "/papers/x/../../etc/passwd", "/papers/..%2f..%2f/x", "/etc/passwd", "//etc/passwd", "/api", "/api/",
        "/static/x",
        "/api/tables/../games", "/api/runs/..%2f..%2fetc", "/page/index.html%00", "/page/Index.html", "/" + "a" * 5000,
    ):  # fmt: skip
        assert refused(client.send("GET", path))[0] in (404, 405)
    assert client.send("GET", "/page/main.js")[0] == 200


def test_changes_come_from_the_page_itself(client: Client) -> None:
    body = json.dumps({"game": "othello4", "black": "person", "white": "random"}).encode()

    def status(**headers: str) -> int:
        given = JSON | {name.replace("_", "-"): value for name, value in headers.items()}
        answer = client.send("POST", "/api/tables", body, given)
        return answer[0] if answer[0] < 400 else refused(answer)[0]

    assert status() == status(origin="http://127.0.0.1:8620") == 201
    assert status(origin="https://evil.example") == status(origin="null") == 403
    assert status(origin="http://127.0.0.1:8620.evil.example") == 403
    assert status(sec_fetch_site="cross-site") == status(sec_fetch_site="same-site") == 403
    assert status(content_type="text/plain") == status(content_type="application/x-www-form-urlencoded") == 415
    # a name that another site lets point at this machine
    assert status(host="evil.example:8620") == status(host="") == status(host="127.0.0.1.evil.example") == 421
    for host in ("[::1].evil.example", "[::1]evil.example:8620", "evil.example@127.0.0.1", "[::1", "127.0.0.1:x"):
        assert status(host=host) == 421
    assert refused(client.send("GET", "/", headers={"host": "rebound.example"}))[0] == 421
    assert client.send("GET", "/", headers={"host": "localhost:8620"})[0] == 200
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "NONSENSE"):
        assert refused(client.send(method, "/api/tables"))[0] == 405


def test_the_page_forbids_what_it_does_not_need(client: Client) -> None:
    _, headers, content = client.send("GET", "/")
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "*" not in policy
    assert "script-src 'self';" in policy
    assert (headers["x-content-type-options"], headers["x-frame-options"]) == ("nosniff", "DENY")
    assert b"style=" not in content
    assert not re.search(rb"<script(?![^>]*src=)|\son\w+=|javascript:", content)
    for file in PAGE.iterdir():  # and nothing comes from another host
        text = file.read_text().replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", text), file
    fresh = client.another().send("GET", "/")[1]["set-cookie"]
    assert "HttpOnly" in fresh
    assert "SameSite=Strict" in fresh


def test_a_token_is_asked_for_beyond_this_machine(tmp_path: Path) -> None:
    assert [is_loopback(host) for host in ("127.0.0.1", "localhost", "::1", "0.0.0.0", "192.168.1.5", "x.example")] == [
        True, True, True, False, False, False,
    ]  # fmt: skip
    for token in ("short", "x" * (LEAST_TOKEN - 1), "with space; and more, long enough"):
        for host in ("0.0.0.0", "127.0.0.1"):
            with pytest.raises(LudusError, match="invalid token: must be 22"):
                serve(host, 0, token, tmp_path, tmp_path, tmp_path, print)
    behind = arena(tmp_path)
    client = Client(behind, token=SECRET)
    assert refused(client.send("GET", "/api/games"))[0] == 401
    assert refused(client.send("GET", "/page/main.js"))[0] == 401
    assert b"<form" in client.send("GET", "/", headers={"accept": "text/html"})[2]
    assert refused(client.send("GET", "/?token=wrong"))[0] == 401
    assert client.send("GET", f"/?token={SECRET}", headers={"host": "school.example"})[0] == 303
    assert client.send("GET", "/api/games", headers={"host": "school.example"})[0] == 200
    assert client.another().send("GET", "/api/games", headers={"authorization": f"Bearer {SECRET}"})[0] == 200
    behind.close()


def test_the_command_refuses_what_it_can_not_serve(refuses, tmp_path: Path) -> None:
    refuses(["serve", "--host", "0.0.0.0", "--token", "sesame", "--data", str(tmp_path)], "invalid token")
    behind = arena(tmp_path)
    refuses(["serve", "--port", "0", "--data", str(tmp_path / "data")], "is in use by another arena (ludus serve)")
    behind.close()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        refuses(["serve", "--port", str(taken.getsockname()[1]), "--data", str(tmp_path)], "can't listen on")


def test_floods_and_long_requests_are_refused_while_others_are_served(tmp_path: Path) -> None:
    behind = arena(tmp_path)
    flooding = Client(behind, budget=BUDGET)
    polite = flooding.another()
    table, _ = flooding.begin("othello4", "person", "random"), polite.get("/api/games")
    answers = [
        flooding.send("POST", f"/api/tables/{table['id']}/flag", b"{}", JSON)
        for _ in range(BUDGET // CHANGE_COSTS + 20)
    ]
    assert [status for status, *_ in answers[:50]] == [200] * 50
    status, headers, _ = answers[-1]
    assert (status, headers["retry-after"]) == (429, str(RETRY_SECONDS))
    assert polite.ask("GET", "/api/games")[0] == 200
    huge = b'{"a": "' + b"x" * BODY_BYTES + b'"}'
    assert refused(polite.send("POST", "/api/tables", huge, JSON))[0] == 413
    assert refused(polite.send("POST", "/api/tables", huge, JSON, length=False))[0] == 413
    assert refused(polite.send("POST", "/api/tables", b"{}", JSON | {"content-length": "nonsense"}))[0] == 413
    behind.close()


def test_a_token_can_not_be_guessed_in_any_place_and_guests_stay_in(tmp_path: Path) -> None:
    behind = arena(tmp_path)
    guest = Client(behind, token=SECRET)
    assert guest.send("GET", f"/?token={SECRET}")[0] == 303
    assert guest.send("GET", "/api/games")[0] == 200
    for number, place in enumerate(("authorization", "cookie", "?token=")):
        guesser = guest.another(f"192.0.2.{number + 1}")

        def guess(token: str, place: str = place, guesser: Client = guesser) -> int:
            if place == "?token=":
                return guesser.send("GET", f"/?token={token}")[0]
            value = f"Bearer {token}" if place == "authorization" else f"{TOKEN}={token}"
            return guesser.send("GET", "/api/games", headers={place: value})[0]

        statuses = [guess(f"wrong-{each}") for each in range(40)]
        assert (statuses[0], statuses[-1]) == (401, 429)
        assert statuses.count(401) <= 1 + BUDGET // GUESS_COSTS
        assert guess(SECRET) == 429  # not even the right one is looked at
    guest.address = "192.0.2.1"  # whoever was let in before is not kept out by a neighbour who guesses
    assert guest.send("GET", "/api/games")[0] == 200
    behind.close()


def test_no_budget_grows_with_the_number_of_cookies(tmp_path: Path) -> None:
    behind = arena(tmp_path)
    forgetful, statuses = Client(behind, budget=BUDGET), list[int]()
    for _ in range(2 * BUDGET):
        forgetful.cookies.clear()
        statuses.append(forgetful.send("GET", "/api/games")[0])
    assert statuses[:50] == [200] * 50
    assert statuses[-1] == 429
    keeper = Client(
        behind, budget=BUDGET / OF_ADDRESS.visitors
    )  # so that an address may spend what a visitor usually may
    for number in range(3):
        other = keeper.another("198.51.100.7")
        other.cookies[VISITOR] = f"{number}" * 22
        behind.games.add_visitor(other.cookies[VISITOR])
        statuses = [other.send("GET", "/api/games")[0] for _ in range(20)]
        assert statuses[-1] == 429
    assert keeper.another("2001:db8::1").send("GET", "/api/games")[0] == 200
    assert network("2001:db8::1") == network("2001:db8::ffff:1") != network("2001:db8:0:1::1")  # one subscriber's
    assert network("::ffff:192.0.2.1") == network("192.0.2.1") != network("192.0.2.2")
    behind.close()


def test_an_address_can_not_take_all_the_room_for_games(tmp_path: Path) -> None:
    behind = arena(tmp_path)
    behind.of_address = OF_ADDRESS._replace(live_games=3)
    one = Client(behind)
    wanted = {"game": "othello4", "black": "person", "white": "random"}
    content = json.dumps(wanted).encode()
    answers = [one.another("192.0.2.1").send("POST", "/api/tables", content, JSON) for _ in range(4)]
    assert [status for status, *_ in answers] == [201, 201, 201, 429]
    assert "retry-after" not in answers[-1][1]  # to ask again does not help
    assert one.another("192.0.2.2").ask("POST", "/api/tables", wanted)[0] == 201
    behind.close()


def test_nor_by_trying_positions_again_or_bringing_games_along(tmp_path: Path) -> None:
    behind = arena(tmp_path)
    behind.of_address = OF_ADDRESS._replace(live_games=4)
    one = Client(behind)
    again = f"/api/tables/{one.begin('othello4', 'person', 'random')['id']}/again"
    file = {"name": "two.ggf", "text": "(;GM[Othello]B[f5];)" * 2}
    answers = [one.ask("POST", again, {"ply": 0}), one.ask("POST", "/api/import", file)]
    answers += [one.ask("POST", again, {"ply": 0}), one.ask("POST", "/api/import", file)]
    assert [status for status, _ in answers] == [201, 201, 429, 429]
    behind.close()


def test_nobody_can_have_all_reviews(tmp_path: Path, monkeypatch) -> None:
    behind, go_on = arena(tmp_path), Event()
    monkeypatch.setattr(behind.reviews, "_judge_move", lambda *given: go_on.wait())
    one = Client(behind)

    def asked(who: Client) -> int:
        id = who.begin("othello4", "person", "random", opening=4)["id"]
        return who.ask("POST", f"/api/tables/{id}/review", {})[0]

    visitors = [one.another("192.0.2.1") for _ in range(4)]
    for visitor in visitors:
        visitor.get("/api/tables")
    assert [asked(visitors[0]) for _ in range(REVIEWS_OF_ONE + 1)] == [200] * REVIEWS_OF_ONE + [429]
    answers = [asked(visitor) for visitor in visitors[1:] for _ in range(REVIEWS_OF_ONE)]
    assert answers == [200] * (OF_ADDRESS.reviews - REVIEWS_OF_ONE) + [429] * REVIEWS_OF_ONE
    assert asked(one.another("192.0.2.2")) == 200
    go_on.set()
    behind.close()


def test_games_are_for_the_owner_of_the_server_alone_to_read(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(mode=0o755)
    (tmp_path / "data" / "arena.sqlite").touch(0o644)
    behind = arena(tmp_path)
    Client(behind).begin("othello4", "person", "random")
    modes = {file.name: file.stat().st_mode & 0o777 for file in (tmp_path / "data").glob("arena.sqlite*")}
    assert modes == {"arena.sqlite": 0o600, "arena.sqlite-wal": 0o600, "arena.sqlite-shm": 0o600}
    behind.close()


def test_variants_are_not_remembered_without_bound(client: Client) -> None:
    for komi in range(REMEMBERED + 50):
        client.get(f"/api/players?game=go3:komi={komi}.5") if komi < 3 else offered_game(f"go3:komi={komi}.5")
    assert offered_game.cache_info().currsize <= REMEMBERED
    for cached in (reviews.judges, reviews._judge):
        assert cached.cache_info().maxsize == REMEMBERED


WRONG: tuple[Any, ...] = (
    None, True, -1, 0, 1e308, 2**63, 10**40, "", "a1", "pass", "x" * 300, "<script>alert(1)</script>", "' or 1=1 --",
    "\u0000",
    "\ud800", "../../etc/passwd", "gtp:sh", "person", [], {}, [[[[]]]], {"a": 1}, "11-15", "Ω", "run:0123456789ab",
    "٣", 0.5,
)  # fmt: skip
GOOD = {
    "": {"game": "othello4", "black": "person", "white": "random", "opening": 1},
    "/move": {"ply": 0, "move": "b1"},
    "/reply": {"ply": 0},
    "/undo": {"ply": 1},
    "/hint": {"ply": 0},
    "/resign": {},
    "/flag": {},
}


def hostile(rng: random.Random, ids: list[str]) -> tuple[str, str, bytes, dict[str, str]]:
    """A request that is wrong in some way, or right by chance."""
    action = rng.choice(list(GOOD))
    body: Any = dict(GOOD[action])
    for _ in range(rng.randrange(3)):
        key = rng.choice([*body, "ply", "move", "game", "visitor", "__proto__"])
        body[key] = rng.choice(WRONG)
    if rng.random() < 0.1:
        body = rng.choice(WRONG)
    content = json.dumps(body).encode()
    if rng.random() < 0.15:
        cut = bytearray(content)
        for _ in range(3):
            cut[rng.randrange(len(cut))] = rng.randrange(256)
        content = bytes(cut[: rng.randrange(len(cut) + 1)])
    if rng.random() < 0.02:
        content = b"[" * 4000
    id = rng.choice([*ids, quote(str(rng.choice(WRONG)), safe="", errors="replace")[:200]])
    path = "/api/tables" if not action else f"/api/tables/{id}{action}"
    method = "POST"
    if rng.random() < 0.45:
        number = quote(str(rng.choice(WRONG)), safe="", errors="replace")[:300]
        path = rng.choice([
            f"/api/tables/{id}?since={number}", f"/api/tables/{id}/why/{number}", f"/api/tables/{id}/picture/{number}",
            f"/api/tables/{id}/record/{number}", f"/api/players?game={number}", f"/api/runs/{number}",
            f"/papers/{number}/x",
            f"/papers/{number}/", f"/page/{number}", f"/{number}", "/api/runs", "/api/studies", "/api/papers",
            "/api/tables",
            f"/api/runs/{number}/stop", f"/api/studies/{number}/stop", f"/api/runs/{number}/resume",
        ])  # fmt: skip
        method = "POST" if path.endswith(("stop", "resume")) else rng.choice(["GET", "GET", "GET", "HEAD", "POST"])
    headers = dict(JSON)
    if rng.random() < 0.1:
        name = rng.choice(["cookie", "origin", "host", "content-type", "content-length", "accept", "x-forwarded-for"])
        headers[name] = rng.choice(["", "x" * 200, "\u00ff", "ludus-visitor=../../x; =;", "127.0.0.1", "-1", "*/*"])
    return method, path, content if method == "POST" else b"", headers


def memory() -> int:
    """Megabytes that this process uses."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 >> 20


def test_generated_requests_get_an_answer_or_one_sentence(client: Client) -> None:
    table = client.step(client.step(client.begin("othello4", "person", "random"), "b1"))
    ids, rng, seen, before = [table["id"]], random.Random(20), set(), memory()
    for _ in range(2000 * EFFORT):
        method, path, content, headers = hostile(rng, ids)
        answer = client.send(method, path, content, headers)
        seen.add(answer[0])
        assert answer[0] < 500 or answer[0] == 503, (method, path, content)
        if answer[0] >= 400:
            refused(answer)
        elif answer[0] == 201:
            ids = [*ids[-5:], json.loads(answer[2])["id"]]
            client.post(f"/api/tables/{ids[-1]}/resign", {})
    assert {200, 201, 400, 404, 409} <= seen
    assert memory() - before < 50


def test_what_must_never_start_from_the_page(client: Client) -> None:
    run = {"learner": "tdl", "game": "othello4", "seed": 1}
    for body in (
        run | {"settings": {"games": 0}}, run | {"settings": {"nothing": 1}}, run | {"learner": "/bin/sh"},
        run | {"out": "/tmp/x"},
        run | {"game": "othello4; rm -rf"}, run | {"settings": {"representation": "--out=/tmp/x"}}, run | {"seed": -1},
        {"learner": "blondie24", "game": "othello4", "settings": {"hidden": "/etc/passwd"}},
    ):  # fmt: skip
        assert refused(client.send("POST", "/api/runs", json.dumps(body).encode(), JSON))[0] == 400
    study = {"kind": "league", "game": "othello4", "players": ["random", "discs"]}
    for body in (
        study | {"players": ["random"]}, study | {"players": ["random", "gtp:sh -c x"]},
        study | {"players": ["--out", "random"]},
        study | {"games": 999}, study | {"players": ["random", "person"]}, study | {"players": ["random",
        "/etc/passwd"]},
        study | {"kind": "train"},
    ):  # fmt: skip
        assert refused(client.send("POST", "/api/studies", json.dumps(body).encode(), JSON))[0] == 400
    assert client.get("/api/runs") == {"runs": []}
