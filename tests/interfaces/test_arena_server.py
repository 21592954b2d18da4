"""The arena as a server: as quick as a plain one, and in reach for everybody whatever one client does."""

import http.client
import json
import os
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from ludus.errors import StorageError
from ludus.interfaces.web import connections
from ludus.interfaces.web.clients import Client as Who
from ludus.interfaces.web.limits import HEAD_SECONDS, Refused
from ludus.interfaces.web.thinking import Thinking, Turns
from ludus.players.search.iterative_deepening import _TimedSeat
from tests.interfaces.arena import Client, arena, listening


def asked(port: int, method: str, path: str, source: str = "127.0.0.1", body: Any = None, **headers: str) -> Any:
    """Status, JSON and headers of an answer; whoever asks has the address `source`."""
    asking = http.client.HTTPConnection("127.0.0.1", port, timeout=HEAD_SECONDS - 2, source_address=(source, 0))
    given = headers | ({"Content-Type": "application/json"} if body is not None else {})
    try:
        asking.request(method, path, None if body is None else json.dumps(body), given)
        answer = asking.getresponse()
        return answer.status, json.loads(answer.read()), dict(answer.getheaders())
    finally:
        asking.close()


async def plain(scope: Any, receive: Any, send: Any) -> None:
    """The least that a server can do."""
    if scope["type"] == "http":
        head = [(b"content-type", b"application/json"), (b"content-length", b"2")]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        await send({"type": "http.response.body", "body": b"{}"})


@contextmanager
def plain_server() -> Iterator[int]:
    server = uvicorn.Server(uvicorn.Config(plain, port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    thread.join(30)


def test_an_answer_takes_little_longer_than_a_plain_server_s(tmp_path: Path) -> None:
    with listening(tmp_path) as ours, plain_server() as port, ExitStack() as open_ones:
        both = []
        for each in (ours.port, port):
            connection = http.client.HTTPConnection("127.0.0.1", each, timeout=20)
            open_ones.callback(connection.close)
            both.append((connection, list[float]()))
        for _ in range(40):
            for connection, seconds in both:
                begin = time.perf_counter()
                connection.request("GET", "/page/main.js")
                connection.getresponse().read()
                seconds.append(time.perf_counter() - begin)
        taken, least = (statistics.median(seconds) for _, seconds in both)
        # where small packets wait for the acknowledgement of the last one (Nagle), it is more than 20 times as long
        assert taken < 8 * least


def test_connections_that_say_nothing_shut_nobody_out(tmp_path: Path, monkeypatch, caplog) -> None:
    monkeypatch.setattr(connections, "most_connections", lambda: 10)
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.5)
    with listening(tmp_path) as server, ExitStack() as open_ones:

        def silent(says: bytes = b"") -> socket.socket:
            made = open_ones.enter_context(socket.socket())
            made.bind(("127.0.0.2", 0))
            made.connect(("127.0.0.1", server.port))
            made.settimeout(20)
            made.sendall(says)
            return made

        for _ in range(30):
            silent()
        assert asked(server.port, "GET", "/api/games", "127.0.0.1")[0] == 200
        assert asked(server.port, "GET", "/api/games", "127.0.0.2")[0] == 200  # the oldest silent one makes room
        slow = silent(b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
        assert b"408 Request Timeout" in slow.recv(1000)
        assert slow.recv(1000) == b""
        # requests that are being answered are not cut off: then there is no room
        head = b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        for _ in range(5):
            silent(head + b"Content-Length: 9\r\n\r\n")
        while sum(not each.idle for each in list(server.server.server_state.connections)) < 5:
            time.sleep(0.01)
        assert b"503 Service Unavailable" in silent().recv(1000)
        assert b"503 Service Unavailable" in silent().recv(1000)
        assert asked(server.port, "GET", "/api/games", "127.0.0.1")[0] == 200
    assert sum("too many connections" in record.getMessage() for record in caplog.records) == 1


def test_a_request_that_hangs_keeps_no_server_from_closing(tmp_path: Path, monkeypatch) -> None:
    let_go, begun, answers = threading.Event(), threading.Event(), list[Any]()

    def hang(*given: Any) -> list[Any]:
        begun.set()
        assert let_go.wait(60)
        return []

    monkeypatch.setattr("ludus.interfaces.web.tables.Tables.listed", hang)
    with listening(tmp_path) as server:
        asks = threading.Thread(target=lambda: answers.append(asked(server.port, "GET", "/api/tables")[0]))
        asks.start()
        assert begun.wait(20)
        server.stop()  # and the request still hangs
    asks.join()
    assert answers == [503]
    let_go.set()


def test_turns_go_round_among_addresses_and_their_visitors() -> None:
    turns, order, begun = Turns(1), list[str](), threading.Semaphore(0)
    waiting = [("many", f"a{number % 2}") for number in range(4)] + [("one", "b")] * 2

    def think(address: str, visitor: str) -> None:
        begun.release()
        with turns.take(Who(visitor, address)):
            order.append(visitor)

    threads = []
    with turns.take(Who("first", "first")):
        for number, who in enumerate(waiting, 1):
            threads.append(threading.Thread(target=think, args=who))
            threads[-1].start()
            begun.acquire()
            while sum(len(turn) for of in turns._waiting.values() for turn in of.values()) < number:
                time.sleep(0.001)
        with pytest.raises(Refused, match="too many machines"), turns.take(Who("late", "late"), patience=0.01):
            pass
    for thread in threads:
        thread.join(20)
    assert order == ["a0", "b", "a1", "b", "a0", "a1"]
    with turns.take(Who("b", "one"), patience=0):
        pass


def test_quick_players_never_wait_for_slow_ones(tmp_path: Path, monkeypatch) -> None:
    let_go, deep, at_once = threading.Event(), "alphabeta:depth=6", list[int]()
    thinking = threading.Semaphore(100)

    def choose(self: Any, position: Any, rng: Any) -> int:
        with thinking:
            at_once.append(100 - thinking._value)
            assert let_go.wait(30)
        return int(next(iter(position.legal.values())))

    monkeypatch.setattr(_TimedSeat, "choose", choose)
    monkeypatch.setattr("ludus.interfaces.web.arena.WAITING_OF_ONE", 4)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    behind = arena(tmp_path)
    greedy = Client(behind)
    tables = [greedy.begin("othello4", deep, "person") for _ in range(6)]
    answers = list[int]()

    def reply(table: Any) -> None:
        same = Client(behind)
        same.cookies = dict(greedy.cookies)
        answers.append(same.ask("POST", f"/api/tables/{table['id']}/reply", {"ply": 0})[0])

    threads = [threading.Thread(target=reply, args=[table]) for table in tables]
    for thread in threads:
        thread.start()
    while answers.count(429) < 2:  # one visitor may have four machines waiting
        time.sleep(0.01)
    other = Client(behind)
    other.address = "192.0.2.1"
    assert other.step(other.begin("othello4", "random", "person"))["plies"] == 1  # while all others still wait
    assert answers == [429, 429]
    let_go.set()
    for thread in threads:
        thread.join(30)
    assert sorted(answers) == [200] * 4 + [429] * 2
    assert max(at_once) == 2
    behind.close()


def test_a_search_that_proves_quick_waits_no_more() -> None:
    thinking, blocked = Thinking(at_once=1), threading.Event()
    from ludus.games.names import game
    from ludus.players.names import player

    parts = player("alphabeta:depth=1", game("othello4")).parts  # type: ignore[attr-defined]
    with thinking.turn(parts, "shallow"):
        pass

    def others() -> None:
        with thinking.turn(parts, "shallow"):
            blocked.set()

    with thinking.turn(parts, "deep"):  # has the only turn
        thread = threading.Thread(target=others)
        thread.start()
        assert blocked.wait(20)
        thread.join()


def test_clocks_go_by_a_clock_that_nobody_sets(tmp_path: Path, monkeypatch) -> None:
    behind, today = arena(tmp_path), time.time
    client = Client(behind)
    table = client.begin("othello4", "person", "person", clock=60.0)
    monkeypatch.setattr(time, "time", lambda: today() + 3600)
    table = client.step(table, "b1")
    assert (table["plies"], table["outcome"]) == (1, None)
    assert min(table["left"]) > 50
    monkeypatch.setattr(time, "time", lambda: today() - 3600)
    table = client.step(table, table["now"]["legal"][0]["move"])
    assert max(table["left"]) <= 60
    behind.close()
    monkeypatch.setattr(time, "time", lambda: today() + 7200)  # long without a server: nobody has lost by that
    again = arena(tmp_path)
    later = Client(again)
    later.cookies = client.cookies
    shown = later.get(f"/api/tables/{table['id']}")
    assert shown["outcome"] is None
    assert min(shown["left"]) > 50
    again.close()


@contextmanager
def small_disk(folder: Path) -> Iterator[Callable[[bool], None]]:
    """A folder with little room; what is given fills it (True) or empties it (False)."""
    folder.mkdir()
    mounted = (
        sys.platform == "linux"
        and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(folder)], capture_output=True, check=False
        ).returncode
        == 0
    )
    filler = folder / "filler"

    def fill(full: bool) -> None:
        if not full:
            filler.unlink()
            return
        with open(filler, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass

    if not mounted:
        pytest.skip("only root can make a small disk")
    try:
        yield fill
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_is_told_and_a_game_goes_on_when_there_is_room(tmp_path: Path) -> None:
    with small_disk(tmp_path / "small") as fill:
        behind = arena(tmp_path / "small")
        client = _plays_on(behind, fill)
        fill(True)
        league = {"kind": "league", "game": "othello4", "players": ["random", "discs"], "games": 2}
        assert client.ask("POST", "/api/studies", league) == (
            503, {"error": "the server can't use its disk now (No space left on device); try again in a moment"},
        )  # fmt: skip
        assert client.get("/api/studies") == {"studies": []}
        fill(False)
        behind.close()


def test_a_full_file_is_told_as_a_full_disk_is(tmp_path: Path) -> None:
    """What SQLite says of a full disk, for those who can't make one."""
    behind = arena(tmp_path)
    connection = behind.games._connection

    def fill(full: bool) -> None:
        pages = connection.execute("pragma page_count").fetchone()[0]
        connection.execute(f"pragma max_page_count = {pages if full else 10**6}")

    _plays_on(behind, fill)
    behind.close()


def _plays_on(behind: Any, fill: Callable[[bool], None]) -> Client:
    client = Client(behind)
    table = client.step(client.step(client.begin("othello4", "person", "discs"), "b1"))
    path = f"/api/tables/{table['id']}"
    fill(True)
    move, told = table["now"]["legal"][0]["move"], ""
    plies = table["plies"]
    for _ in range(3000):  # the file still has room in its last pages
        status, answer = client.ask("POST", "/api/tables", {"game": "othello4", "black": "person", "white": "discs"})
        if status != 201:
            told = answer["error"]
            break
        client.ask("POST", f"/api/tables/{answer['id']}/resign", {})
    assert status == 503
    assert "is full" in told
    status, answer = client.ask("POST", f"{path}/move", {"ply": plies, "move": move})
    assert status in (200, 503)
    assert client.another().send("GET", "/")[0] == 200
    assert client.get(path)["plies"] == plies + (status == 200)  # what was not kept was not made
    fill(False)
    if status == 503:
        table = client.step(table, move)
    table = client.step(client.get(path))
    assert table["plies"] == plies + 2
    while table["outcome"] is None:
        here = table["now"]
        table = client.step(table, here["legal"][0]["move"] if here["mover"] == 0 else None)
    assert [frame["move"] for frame in client.get(path)["frames"][1:]][plies] == move
    return client


def test_a_machine_whose_move_was_not_kept_takes_its_seat_anew(tmp_path: Path, monkeypatch) -> None:
    """Else one that remembers what it has seen would go on as if it had moved."""
    behind = arena(tmp_path)
    client = Client(behind)
    table = client.begin("othello4", "discs", "person")

    def fail(*given: Any) -> Any:
        raise StorageError("the disk is full")

    with monkeypatch.context() as failing:
        failing.setattr(behind.games, "add_move", fail)
        path = f"/api/tables/{table['id']}/reply"
        assert client.ask("POST", path, {"ply": 0}) == (503, {"error": "the disk is full"})
    assert not behind.tables._tables[table["id"]].seats
    assert client.step(table)["plies"] == 1
    behind.close()


def test_waits_for_the_database_are_bounded(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("ludus.records.arena.BUSY_SECONDS", 0.1)
    behind = arena(tmp_path)
    client = Client(behind)
    table = client.begin("othello4", "person", "random")
    with sqlite3.connect(tmp_path / "data" / "arena.sqlite", isolation_level=None) as other:
        other.execute("begin immediate")
        status, answer = client.ask("POST", f"/api/tables/{table['id']}/move", {"ply": 0, "move": "b1"})
        assert status == 503
        assert "locked" in answer["error"]
        other.execute("rollback")
    other.close()
    assert client.step(table, "b1")["plies"] == 1
    behind.close()


@pytest.mark.skipif(sys.platform == "win32", reason="limits and signals of Unix")
def test_a_server_with_few_files_survives_a_flood_and_closes_while_a_machine_thinks(tmp_path: Path) -> None:
    few = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100)); "
    program = few + "from ludus.interfaces.cli import main; main()"
    command = [sys.executable, "-c", program, "serve", "--host", "0.0.0.0", "--port", "0", "--data", str(tmp_path)]
    environment = {name: value for name, value in os.environ.items() if name != "LUDUS_TOKEN"}
    with open(tmp_path / "log", "wb") as log:
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, cwd=tmp_path, env=environment)
    try:
        assert server.stdout
        address = server.stdout.readline().decode().split()[5]
        port, token = int(address.split(":")[2].split("/")[0]), address.partition("?token=")[2]
        assert len(token) >= 22
        with ExitStack() as open_ones:
            for _ in range(110):
                silent = open_ones.enter_context(socket.socket())
                silent.setblocking(False)
                silent.bind(("127.0.0.2", 0))
                silent.connect_ex(("127.0.0.1", port))
            me = {"Authorization": f"Bearer {token}"}
            status, _, headers = asked(port, "GET", "/api/games", **me)
            assert status == 200
        me["Cookie"] = headers["set-cookie"].partition(";")[0]
        wanted = {"game": "othello8", "black": "minimax:depth=8", "white": "person", "opening": 16}
        tables = [asked(port, "POST", "/api/tables", body=wanted, **me)[1]["id"] for _ in range(3)]
        answers = list[Any]()

        def think(table: str) -> None:
            answers.append(asked(port, "POST", f"/api/tables/{table}/reply", body={"ply": 16}, **me))

        threads = [threading.Thread(target=think, args=[table]) for table in tables]
        for thread in threads:
            thread.start()
        time.sleep(0.5)
        begin = time.monotonic()
        server.send_signal(signal.SIGTERM)
        server.wait(30)
        assert time.monotonic() - begin < 4  # a machine may think for five, and they take turns
        for thread in threads:
            thread.join()
        closing = (503, {"error": "the arena is closing; your game is kept"})
        assert closing in [answer[:2] for answer in answers]
    finally:
        server.kill()
        server.wait()
        server.stdout.close()
    said = (tmp_path / "log").read_text()
    assert "Traceback" not in said
    assert len(said) < 2000
