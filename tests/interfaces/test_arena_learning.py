"""Runs, leagues, profiles and reports on the page."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest

import ludus
from ludus.errors import LudusError
from ludus.interfaces.web import clients, studies
from ludus.interfaces.web.jobs import MARK, Jobs
from ludus.interfaces.web.studies import CHECKOUT_REPORTS, Reports
from ludus.processes import marked
from ludus.registry import learners
from ludus.runs.run import Run
from ludus.runs.spec import RunSpec
from ludus.storage import write_whole
from tests.interfaces.arena import Client, arena, killed


def awaited(look: Callable[[], Any], seconds: float = 120) -> Any:
    """What `look` finds as soon as it finds something."""
    until = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < until
        time.sleep(0.1)
    return found


def test_a_run_is_begun_stopped_and_taken_up_again_from_the_page(tmp_path: Path) -> None:
    behind = arena(tmp_path)
    client = Client(behind)
    settings = {"games": 10**8, "step_games": 100_000, "alpha": 0.01, "representation": "weights", "symmetric": True}
    run = client.post("/api/runs", {"learner": "tdl", "game": "othello4", "seed": 7, "settings": settings})
    path = f"/api/runs/{run['id']}"

    def rows() -> int:
        status, payload = client.ask("GET", path)
        return len(payload["at"]) if status == 200 else 0

    awaited(rows)
    (listed,) = client.get("/api/runs")["runs"]
    assert (listed["state"], listed["stoppable"], listed["learner"], listed["seed"]) == ("running", True, "tdl", 7)
    assert listed["settings"]["alpha"] == 0.01
    assert client.ask("POST", f"{path}/resume", {})[0] == 409
    client.post(f"{path}/stop", {})
    stopped = client.get(path)
    assert (stopped["state"], stopped["problem"]) == ("stopped", "")
    assert client.ask("POST", f"{path}/stop", {})[0] == 409
    client.post(f"{path}/resume", {})
    awaited(lambda: rows() > len(stopped["at"]))
    assert client.get(path)["columns"]["games"][: len(stopped["at"])] == stopped["columns"]["games"]
    # a server that is killed leaves its processes running; the next one finds them, and its end is theirs too
    killed(behind)
    behind = arena(tmp_path)
    found = Client(behind)
    (listed,) = found.get("/api/runs")["runs"]
    assert (listed["state"], listed["stoppable"], listed["problem"]) == ("running", True, "")
    assert found.ask("POST", f"{path}/resume", {})[0] == 409
    found.post(f"{path}/stop", {})
    assert (found.get(path)["state"], found.get(path)["stoppable"]) == ("stopped", False)
    found.post(f"{path}/resume", {})
    killed(behind)
    behind = arena(tmp_path)
    assert behind.jobs.get(run["id"]).running
    behind.close()
    assert not behind.jobs.get(run["id"]).running
    assert not arena_processes(tmp_path)


def arena_processes(folder: Path) -> list[str]:
    """The work that goes on in this folder."""
    return [name for name in marked(MARK) if name.startswith(str(folder))]


def test_what_is_refused_leaves_nothing_behind(tmp_path: Path, monkeypatch) -> None:
    behind = arena(tmp_path)
    monkeypatch.setattr(behind.jobs, "_most", 0)
    client = Client(behind)
    run = {"learner": "tdl", "game": "othello4", "settings": {}}
    study = {"kind": "league", "game": "othello4", "players": ["random", "discs"], "games": 2}
    assert client.ask("POST", "/api/runs", run)[0] == client.ask("POST", "/api/studies", study)[0] == 503
    assert client.get("/api/studies") == {"studies": []}
    assert [each for name in ("runs/arena", "data/studies", "data/jobs") for each in (tmp_path / name).glob("*")] == []
    behind.close()


def test_beyond_this_machine_a_run_is_stopped_by_its_owner_or_at_the_server(tmp_path: Path, monkeypatch) -> None:
    def started(*given: Any) -> "subprocess.Popen[bytes]":
        return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True)

    monkeypatch.setattr(Jobs, "_started", started)
    behind = arena(tmp_path)
    owner = Client(behind, token="a-token-of-23-characters")
    owner.headers = {"authorization": "Bearer a-token-of-23-characters", "host": "school.example"}
    other, proxied, host = owner.another("192.0.2.2"), owner.another(), owner.another()
    owner.address = "192.0.2.1"
    for each in (other, proxied, host):
        each.headers = dict(owner.headers)
    proxied.headers |= {"host": "127.0.0.1:8620", "x-forwarded-for": "192.0.2.3"}
    host.headers["host"] = "127.0.0.1:8620"
    league = {"kind": "league", "game": "othello4", "players": ["random", "discs"], "games": 2}
    for stops in (owner, host):
        path = f"/api/studies/{owner.post('/api/studies', league)['id']}/stop"
        assert [each.get("/api/studies")["studies"][0]["stoppable"] for each in (owner, other, proxied, host)] == [
            True, False, False, True,
        ]  # fmt: skip
        assert other.ask("POST", path, {})[0] == proxied.ask("POST", path, {})[0] == 403
        stops.post(path, {})
    behind.close()


def test_finished_runs_are_listed_with_curves_and_can_be_played(tmp_path: Path) -> None:
    spec = RunSpec.create("tdl", "othello4", {"games": 20_000, "step_games": 10})
    Run(spec, tmp_path / "runs" / "deep" / "first").complete()
    (tmp_path / "runs" / "damaged").mkdir()
    (tmp_path / "runs" / "damaged" / "run.json").write_text("{")
    behind = arena(tmp_path)
    client = Client(behind)
    (listed,) = client.get("/api/runs")["runs"]
    assert (listed["name"], listed["state"], listed["steps"]) == ("deep/first", "finished", 2000)
    curve = client.get(f"/api/runs/{listed['id']}")
    assert len(curve["at"]) == len(curve["columns"]["td_error"]) == 600
    assert (curve["at"][0], curve["at"][-1]) == (1, 2000)
    assert client.ask("POST", f"/api/runs/{listed['id']}/resume", {})[0] == 403
    string = f"run:{listed['id']}"
    assert string in [each["player"] for each in client.get("/api/players?game=othello4")["players"]]
    assert string not in [each["player"] for each in client.get("/api/players?game=othello6")["players"]]
    table = client.step(client.begin("othello4", string, "person"))
    why = client.get(f"/api/tables/{table['id']}/why/0")
    assert why["by"] == "deep/first"
    assert len(why["why"]["boards"][0]["squares"]) == 16
    status, payload = client.ask("POST", "/api/tables", {"game": "othello6", "black": "person", "white": string})
    assert (status, payload["error"]) == (400, "this player plays othello4, not othello6; choose one that does")
    behind.close()


def test_a_league_is_played_and_rated(tmp_path: Path) -> None:
    behind = arena(tmp_path)
    client = Client(behind)
    asked = {"kind": "league", "game": "othello4", "players": ["random", "discs", "mobility"], "games": 10}
    client.post("/api/studies", asked)
    (study,) = awaited(lambda: [each for each in client.get("/api/studies")["studies"] if not each["running"]])
    assert (study["problem"], study["done"]) == ("", 1.0)
    assert sorted(each["name"] for each in study["ratings"]) == ["Greedy for discs", "Mobility", "Random mover"]
    assert {each["games"] for each in study["ratings"]} == {20}
    for i, row in enumerate(study["los"]):
        assert row[i] is None
        assert all(0 <= each <= 1 for each in row if each is not None)
    behind.close()


def test_who_asks_twice_for_a_study_at_once_keeps_it(tmp_path: Path, monkeypatch) -> None:
    behind, both = arena(tmp_path), Barrier(2)

    def written(file: Path, data: bytes) -> None:
        with suppress(BrokenBarrierError):  # both write, if both may
            both.wait(1.0)
        write_whole(file, data)

    monkeypatch.setattr(studies, "write_whole", written)

    def start(number: int) -> bool:
        try:
            return bool(behind.studies.start("league", "othello4", ["random", "discs"], 20, 1, clients.Client()))
        except LudusError:
            return False

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(start, range(2))) == [False, True]
    assert len(behind.studies.listed(clients.Client())) == 1
    behind.close()


def test_profiles_are_shown_by_the_players_titles(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "studies" / "0123456789ab"
    folder.mkdir(parents=True)
    asked = {"kind": "profile", "game": "othello8", "players": ["random"], "games": 20, "seed": 1, "begun": 0.0}
    (folder / "asked.json").write_text(json.dumps(asked | {"titles": ["Random mover"], "strings": ["random"]}))
    rows = [{"strength": 10.0, "percent": 60.0, "interval": [50.0, 70.0], "opponents": 5}]
    (folder / "profile.json").write_text(json.dumps({"profiles": {"random": rows}}))
    behind = arena(tmp_path)
    (study,) = Client(behind).get("/api/studies")["studies"]
    assert study["profiles"] == [{"title": "Random mover", "rows": rows}]
    behind.close()


def test_a_profile_that_is_asked_for_again_is_still_there(tmp_path: Path) -> None:
    behind = arena(tmp_path)
    asked, studies = ("profile", "othello8", ["random"], 20, 1, clients.Client()), behind.studies
    folder = studies.folder / studies.start(*asked)["id"]
    studies.jobs.stop(folder.name, clients.Client())
    profile = json.dumps({"profiles": {"random": []}})
    (folder / "profile.json").write_text(profile)
    assert studies.start(*asked)["id"] == folder.name
    assert studies.jobs.get(folder.name).stopped
    assert (folder / "profile.json").read_text() == profile
    behind.close()


def test_every_setting_of_every_learner_can_be_shown_as_a_form(tmp_path: Path) -> None:
    behind = arena(tmp_path)
    found = {each["name"]: each["fields"] for each in Client(behind).get("/api/learners")["learners"]}
    assert set(found) == set(learners())
    for name, fields in found.items():
        assert [each["name"] for each in fields] == list(learners()[name].settings.model_fields)
        assert all(each["kind"] in ("integer", "number", "string", "boolean") for each in fields)
        assert all(each["description"] for each in fields)
    behind.close()


@pytest.mark.skipif(not CHECKOUT_REPORTS.is_dir(), reason="not in a checkout")
def test_reports_are_listed_and_sent_but_nothing_beside_them() -> None:
    reports = Reports([CHECKOUT_REPORTS])
    keys = [each["key"] for each in reports.listed()]
    assert "jaskowski2014" in keys
    assert reports.file("jaskowski2014", "index.html")[1] == "text/html"
    for key, name in (
        ("..", "README.md"),
        ("jaskowski2014", "../README.md"),
        ("", "README.md"),
        ("jaskowski2014", "x"),
    ):
        with pytest.raises(ludus.LudusError):
            reports.file(key, name)
