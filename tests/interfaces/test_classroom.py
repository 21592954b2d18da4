"""A class: who may join, what each may do at a table of two, who plays next in the league."""

import http.client
import json
import threading
import time
from pathlib import Path
from typing import Any

from ludus.interfaces.web.app import application
from ludus.interfaces.web.arena import Arena
from ludus.interfaces.web.class_league import next_pair, ratings
from ludus.interfaces.web.server import Server, listening_socket
from ludus.records.classroom import Scored
from tests.interfaces.arena import Client

TOKEN, TEACHER = "pupils-pupils-pupils-1", "teacher-teacher-teach-1"


def class_of(folder: Path) -> Arena:
    return Arena(folder / "data", folder / "runs", [], "othello4")


def pupil(first: Client, name: str, token: str = TOKEN) -> Client:
    made = first.another()
    made.headers = {"authorization": f"Bearer {token}"}
    if name:
        made.post("/api/class/join", {"name": name})
    return made


def test_two_pupils_join_and_play_each_other(tmp_path: Path) -> None:
    behind = class_of(tmp_path)
    first = Client(behind, TOKEN)
    first.app._teacher = TEACHER  # type: ignore[attr-defined]
    ada, ben, eve = (pupil(first, name) for name in ("Ada", "Ben", "Eve"))
    stranger, teacher = pupil(first, ""), pupil(first, "", TEACHER)
    assert stranger.ask("POST", "/api/class/join", {"name": " aDA "})[0] == 409
    assert stranger.ask("POST", "/api/class/join", {"name": "x" * 25})[0] == 400
    assert stranger.ask("POST", "/api/class/entry", {"player": "random"})[0] == 403
    assert ada.ask("POST", "/api/class/closed", {"closed": True})[0] == 403
    teacher.post("/api/class/closed", {"closed": True})
    assert stranger.ask("POST", "/api/class/join", {"name": "Late"})[0] == 403

    ada.post("/api/class/challenge", {"pupil": ben.get("/api/class")["class"]["me"]["number"], "side": 0})
    asked = ben.get("/api/class")["class"]["challenges"][0]
    answer = {"challenge": asked["number"], "accept": True}
    assert ada.ask("POST", "/api/class/answer", answer)[0] == 403
    assert eve.ask("POST", "/api/class/answer", answer)[0] == 404
    id = ben.post("/api/class/answer", answer)["table"]
    place = f"/api/tables/{id}"
    assert eve.ask("GET", place)[0] == 404
    mine, theirs = ada.get(place), ben.get(place)
    assert (mine["persons"], theirs["persons"]) == ([0], [1])
    assert mine["titles"] == theirs["titles"] == ["Ada", "Ben"]
    assert mine["now"]["legal"]
    assert not theirs["now"]["legal"]
    move = {"ply": 0, "move": mine["now"]["legal"][0]["move"]}
    assert ben.ask("POST", f"{place}/move", move)[0] == 409
    ada.post(f"{place}/move", move)
    assert ada.ask("POST", f"{place}/undo", {"ply": 1})[0] == 409
    assert ben.ask("POST", f"{place}/hint", {"ply": 1})[0] == 409
    behind.close()

    behind = class_of(tmp_path)  # a restart changes nothing
    again = Client(behind, TOKEN)
    for each in (ada, ben):
        each.app, each.loop = again.app, again.loop
    assert ben.get(place)["plies"] == 1
    assert ada.get("/api/class")["class"]["me"]["name"] == "Ada"
    assert ben.post(f"{place}/resign", {})["outcome"] == 1.0
    assert [each["outcome"] for each in ada.get("/api/class/wall")["latest"]] == [1.0]
    behind.close()


def test_the_league_plays_all_entries_and_rates_them(tmp_path: Path) -> None:
    behind = class_of(tmp_path)
    first = Client(behind, TOKEN)
    for name, player in (("Ada", "random"), ("Ben", "discs"), ("Eve", "discs")):
        pupil(first, name).post("/api/class/entry", {"player": player})
    looks, until = pupil(first, ""), time.monotonic() + 60
    while (wall := looks.get("/api/class/wall"))["games"] < wall["of"]:
        assert time.monotonic() < until
        time.sleep(0.1)
    assert {tuple(row["pupils"]) for row in wall["rows"]} == {("Ada",), ("Ben", "Eve")}
    assert all(row["games"] == 20 for row in wall["rows"])
    behind.close()


def test_whoever_has_played_least_is_next() -> None:
    assert next_pair(["a"], {}, 2) is None
    assert next_pair(["a", "b", "c"], {("a", "b"): 2}, 4) == ("a", "c")
    assert next_pair(["a", "b"], {("a", "b"): 4}, 4) is None
    assert set(ratings(["a", "b", "c", "d", "e"], [Scored("a", "b", 1, 0, 1), Scored("b", "c", 2, 0, 0)])) == set("abc")


class Browser:
    """A pupil behind the school's one address, over real HTTP, who notes how long answers take."""

    def __init__(self, port: int, seconds: list[float]) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        self.headers, self.seconds = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}, seconds

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        begin = time.perf_counter()
        self.connection.request(method, path, None if body is None else json.dumps(body), self.headers)
        answer = self.connection.getresponse()
        payload = json.loads(answer.read())
        self.seconds.append(time.perf_counter() - begin)
        assert answer.status in (200, 201), payload
        if cookie := answer.getheader("set-cookie"):
            self.headers["Cookie"] = cookie.partition(";")[0]
        return payload


def test_thirty_pupils_behind_one_address_play_each_other_at_once(tmp_path: Path) -> None:
    behind = class_of(tmp_path)
    with listening_socket("127.0.0.1", 0) as listening:
        server = Server(application(behind, TOKEN, warm=False, teacher=TEACHER))
        thread = threading.Thread(target=server.run, args=[[listening]], daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        seconds, ended, problems = list[float](), dict[int, Any](), list[Exception]()
        pupils = [Browser(listening.getsockname()[1], seconds) for _ in range(30)]
        numbers, tables, ready = dict[int, int](), dict[int, str](), threading.Barrier(30, timeout=30)

        def attend(i: int) -> None:
            me, even = pupils[i], i % 2 == 0
            shown = me.ask("POST", "/api/class/join", {"name": f"Pupil {i}"})
            numbers[i] = shown["class"]["me"]["number"]
            me.ask("POST", "/api/class/entry", {"player": ("random", "discs")[i % 2]})
            ready.wait()
            if even:
                me.ask("POST", "/api/class/challenge", {"pupil": numbers[i + 1], "side": 0})
            ready.wait()
            if not even:
                asked = me.ask("GET", "/api/class")["class"]["challenges"][0]
                answer = me.ask("POST", "/api/class/answer", {"challenge": asked["number"], "accept": True})
                tables[i] = tables[i - 1] = answer["table"]
            ready.wait()
            place = f"/api/tables/{tables[i]}"
            while (table := me.ask("GET", place))["outcome"] is None:
                if legal := table["now"]["legal"]:
                    me.ask("POST", f"{place}/move", {"ply": table["plies"], "move": legal[0]["move"]})
                else:
                    time.sleep(0.1)
            me.ask("GET", "/api/class/wall")
            ended[i] = table

        def attending(i: int) -> None:
            try:
                attend(i)
            except Exception as problem:
                problems.append(problem)
                ready.abort()

        threads = [threading.Thread(target=attending, args=[i]) for i in range(30)]
        for each in threads:
            each.start()
        for each in threads:
            each.join(60)
        for each in pupils:
            each.connection.close()
        server.should_exit = True
        thread.join(30)
    assert not problems
    for i, table in ended.items():
        assert table["titles"] == [f"Pupil {i - i % 2}", f"Pupil {i - i % 2 + 1}"]
        assert table["persons"] == [i % 2]
    assert len(ended) == 30
    assert len(set(tables.values())) == 15
    assert sorted(seconds)[int(len(seconds) * 0.99)] < 1.0
