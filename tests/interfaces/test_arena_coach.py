"""The coach behind the page: reviews of games, games tried again and brought along, puzzles."""

import random
import time
from pathlib import Path
from typing import Any

import pytest

import ludus
from ludus.measures.puzzles import shipped_puzzles
from ludus.records import ggf
from ludus.records.record import Record
from tests.interfaces.arena import Client, arena


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Client:
    monkeypatch.setattr("ludus.interfaces.web.tables.secrets.randbits", lambda bits: 1)  # the same games each time
    return Client(arena(tmp_path))


def finished(client: Client, seed: int = 1, **more: Any) -> Any:
    """A game against a machine to the end, by random moves."""
    dice, table = random.Random(seed), client.begin("othello4", "person", "discs", **more)
    while table["outcome"] is None:
        moves = [each["move"] for each in table["now"]["legal"]]
        table = client.step(table, dice.choice(moves) if table["now"]["mover"] == 0 else None)
    return table


def reviewed(client: Client, table: Any) -> Any:
    found = client.post(f"/api/tables/{table['id']}/review", {})
    until = time.monotonic() + 120
    while found["running"]:
        assert time.monotonic() < until
        time.sleep(0.05)
        found = client.get(f"/api/tables/{table['id']}/review")
    assert (found["problem"], len(found["moves"])) == ("", table["plies"])
    return found


def test_a_game_is_reviewed_once_and_its_mistakes_become_puzzles(client: Client) -> None:
    mistakes, rows = 0, list[Any]()
    for seed in range(40):  # some games leave none
        table = finished(client, seed)
        found = reviewed(client, table)
        assert found["unit"] == "discs"
        assert found["final"] is not None
        for each in found["moves"]:
            assert (each["grade"] > 0) == bool(each["frames"])
            mistakes += each["side"] == 0 and each["grade"] >= 2
        if rows := [row for row in client.get("/api/puzzles")["rows"] if row["source"] == "mine"]:
            break
    assert 0 < sum(row["count"] for row in rows) <= mistakes
    puzzle = client.get("/api/puzzles/next?source=mine&game=othello4")
    assert puzzle["source"].startswith("your game, move ")
    assert client.another().ask("GET", f"/api/tables/{table['id']}/review")[0] == 404
    assert client.ask("POST", f"/api/tables/{table['id']}/review", {"judge": "gtp:true"})[0] == 400


def test_a_review_of_a_game_that_goes_on_counts_as_a_hint(client: Client) -> None:
    table = client.begin("othello4", "person", "discs")
    table = client.step(table, table["now"]["legal"][0]["move"])
    assert reviewed(client, table)["final"] is not None
    assert client.get(f"/api/tables/{table['id']}")["hints"] == 1
    assert client.get(f"/api/tables/{finished(client)['id']}")["hints"] == 0


def test_a_position_is_tried_again(client: Client) -> None:
    table = finished(client)
    again = client.post(f"/api/tables/{table['id']}/again", {"ply": 4})
    assert (again["plies"], again["outcome"], again["players"]) == (4, None, ["person", "discs"])
    assert client.step(again, again["now"]["legal"][0]["move"])["plies"] == 5
    assert client.ask("POST", f"/api/tables/{table['id']}/again", {"ply": table["plies"]})[0] == 409
    watched = client.begin("othello4", "discs", "discs")
    assert client.post(f"/api/tables/{watched['id']}/again", {"ply": 0})["players"] == ["person", "discs"]


def test_a_game_that_goes_on_from_another_is_not_rated(client: Client) -> None:
    opened = client.begin("othello4", "person", "discs", opening=2)
    played = client.step(opened, opened["now"]["legal"][0]["move"])
    again = client.post(f"/api/tables/{played['id']}/again", {"ply": 3})
    plies = ((played, 3), (again, 3), (played, 2), (again, 0))
    for table, ply in plies:
        id = client.post(f"/api/tables/{table['id']}/again", {"ply": ply})["id"]
        client.post(f"/api/tables/{id}/resign", {})
    # the moves of the opening are nobody's
    assert [each["rated"] for each in client.get("/api/results")["results"]] == [False, False, True, True]


def test_a_game_is_brought_along_in_a_file(client: Client) -> None:
    moves = ("f5", "d6", "c3", "d3", "c4")
    text = ggf.write([Record(ludus.game("othello8"), "", moves, ("Ann", "Bob <b>"), None)])
    (id,) = client.post("/api/import", {"name": "club.ggf", "text": text})["tables"]
    (listed,) = client.get("/api/tables")["tables"]
    assert (listed["id"], listed["titles"], listed["opening_name"]) == (id, ["Ann", "Bob <b>"], "Tiger")
    again = client.post(f"/api/tables/{id}/again", {"ply": 3})
    assert again["players"][1] == "person"  # White is to move, against the machine that is offered
    assert again["players"][0] != "person"
    status, refused = client.ask("POST", "/api/import", {"name": "club.txt", "text": "nothing"})
    assert (status, refused["error"].startswith("club.txt is not a file of games")) == (400, True)
    status, refused = client.ask("POST", "/api/import", {"name": "../../club.ggf", "text": "(;GM[Othello]B[a1];)"})
    assert (status, refused["error"].startswith("club.ggf")) == (400, True)
    assert client.ask("POST", "/api/import", {"name": "club.\0ggf", "text": text})[0] == 400


def test_a_game_is_brought_along_though_nobody_knows_what_its_result_means(client: Client) -> None:
    text = "1. 11-15 23-18 1-0\n1. 11-15 23-18 1/2-1/2"
    ids = client.post("/api/import", {"name": "club.pdn", "text": text})["tables"]
    assert [client.get(f"/api/tables/{id}")["outcome"] for id in ids] == [None, 0.5]


def test_a_game_with_a_position_that_is_set_up_is_not_brought_along(client: Client) -> None:
    resumed = "(;SZ[5];B[cc];W[];B[];W[bb])"  # after two passes
    status, refused = client.ask("POST", "/api/import", {"name": "go.sgf", "text": resumed})
    assert (status, "a position that is set up" in refused["error"]) == (400, True)
    assert client.get("/api/tables")["tables"] == []


def test_puzzles_are_solved_and_counted(client: Client) -> None:
    puzzle = client.get("/api/puzzles/next?source=shipped&game=othello8&difficulty=easy")
    solution = next(each for each in shipped_puzzles() if each.id == puzzle["id"])
    assert "line" not in puzzle
    wrong = next(each["move"] for each in puzzle["now"]["legal"] if each["move"] != solution.move)
    answer = client.post(f"/api/puzzles/{puzzle['id']}", {"move": wrong})
    assert (answer["right"], answer["proof"], answer["tries"]) == (False, None, 1)
    answer = client.post(f"/api/puzzles/{puzzle['id']}", {"move": solution.move})
    assert (answer["right"], answer["solved"], answer["proof"]["line"][0]) == (True, True, solution.move)
    rows = client.get("/api/puzzles")["rows"]
    assert sum(row["solved"] for row in rows) == sum(row["tried"] for row in rows) == 1
    following = client.get(f"/api/puzzles/next?source=shipped&game=othello8&difficulty=easy&after={puzzle['id']}")
    assert following["id"] != puzzle["id"]
    assert client.post(f"/api/puzzles/{following['id']}/solution", {})["proof"]["move"]
    assert client.ask("GET", "/api/puzzles/next?source=elsewhere")[0] == 400
    assert client.ask("POST", "/api/puzzles/nothing", {"move": "a1"})[0] == 404
    assert client.ask("POST", f"/api/puzzles/{puzzle['id']}", {"move": "a9"})[0] == 400
