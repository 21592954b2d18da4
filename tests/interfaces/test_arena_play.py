"""Games in the arena, asked for as the page does."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludus
from ludus.compile.rng import stream
from ludus.interfaces.web import limits
from ludus.players import shipped
from ludus.players.names import player
from ludus.records import ggf, pdn, sgf
from ludus.runs.run import Run
from ludus.runs.spec import RunSpec
from tests.interfaces.arena import Client, arena, killed
from tests.small import SMALL


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    behind = arena(tmp_path)
    yield Client(behind)
    behind.close()


@pytest.mark.parametrize(
    ("game", "machine", "form", "read"),
    [
        ("othello4", "alphabeta:depth=2", "ggf", ggf.read),
        ("othello6", "noisy:0.5,jain2018", "sgf", sgf.read),
        ("checkers:moves=5", "alphabeta:depth=3", "pdn", pdn.read),
        ("go3:plies=12", "influence", "sgf", sgf.read),
    ],
)
def test_a_whole_game_is_played_explained_and_downloaded(client: Client, game, machine, form, read) -> None:
    table = client.begin(game, machine, "person", opening=2)
    position = ludus.game(game).start()
    for frame in table["frames"][1:]:
        position = position.play(frame["move"])
    while table["outcome"] is None:
        assert table["now"]["mover"] == position.current_player
        assert [each["move"] for each in table["now"]["legal"]] == position.legal_moves
        assert table["now"]["text"] == position.text
        ply = table["plies"]
        table = client.step(table, None if position.current_player == 0 else position.legal_moves[-1])
        position = position.play(table["frames"][0]["move"])
        if table["counting"]:
            seen = {"ply": table["plies"], "dead": table["count"]["dead"]}
            table = client.post(f"/api/tables/{table['id']}/agree", seen)
        if position.over or table["frames"][0]["mover"] == 1:
            continue
        why = client.get(f"/api/tables/{table['id']}/why/{ply}")
        assert why["move"] == table["frames"][0]["move"]
        assert why["move"] in [each["move"] for each in why["why"]["moves"]]
    assert table["outcome"] == position.outcome or table["reason"] == "agreed"
    (record,) = read(client.send("GET", f"/api/tables/{table['id']}/record/{form}")[2].decode())
    assert record.positions()[-1].text == position.text
    assert client.get("/api/tables")["tables"][0]["plies"] == table["plies"]
    assert client.get(f"/api/tables/{table['id']}")["frames"][-1]["cells"] == table["frames"][-1]["cells"]


def test_boards_are_sent_with_the_look_that_their_game_declares(client: Client) -> None:
    styles = {}
    for name in ("othello4", "checkers", "go9"):
        layout = client.begin(name, "person", "person")["layout"]
        styles[name] = layout["style"]
        names = [square["name"] for square in layout["squares"]]
        declared = ludus.game(name).type.board_style
        assert layout["style"]["colours"] == list(declared.colours)
        assert (layout["style"]["grid"], layout["style"]["piece"]) == (declared.grid, declared.piece)
    assert [names[square] for square in styles["go9"]["star_points"]] == ["C3", "G3", "E5", "C7", "G7"]
    assert styles["othello4"]["star_points"] == []
    assert styles["checkers"]["rotate_for_first"]


def test_somebody_new_is_suggested_an_opponent_and_a_run(client: Client) -> None:
    games = client.get("/api/games")["games"]
    boards = [f"{game['name']}{game['default_size'] or ''}" for game in games]
    assert boards[0] == "othello8"
    for board in boards:
        payload = client.get(f"/api/players?game={board}")
        assert payload["suggested"] in [each["player"] for each in payload["players"]]
    payload = client.get("/api/learners")
    assert payload["suggested"]["learner"] in [each["name"] for each in payload["learners"]]


def test_moves_are_taken_back_and_hints_are_counted(client: Client) -> None:
    table = client.begin("othello4", "person", "discs")
    path = f"/api/tables/{table['id']}"
    assert client.ask("POST", f"{path}/undo", {"ply": 0})[0] == 409
    first = client.step(client.step(table, "b1"))
    hint = client.post(f"{path}/hint", {"ply": 2})
    assert sorted(each["move"] for each in hint["why"]["moves"]) == sorted(m["move"] for m in first["now"]["legal"])
    back = client.post(f"{path}/undo", {"ply": 2})
    assert (back["plies"], back["undone"], back["hints"]) == (0, 1, 1)
    assert back["frames"][0]["cells"] == table["frames"][0]["cells"]
    over = client.post(f"{path}/resign", {})
    assert (over["outcome"], over["reason"]) == (0.0, "resigned")
    assert client.ask("POST", f"{path}/move", {"ply": 0, "move": "b1"})[0] == 409


def test_each_answer_is_newer_than_the_one_before_even_if_the_clock_is_set_back(client: Client, monkeypatch) -> None:
    """Pages order answers by `touched`: they would wait for the old time to come round again."""
    table = client.begin("othello4", "person", "discs")
    clock = time.time
    monkeypatch.setattr(time, "time", lambda: clock() - 3600)
    first = client.step(table, "b1")
    reply = client.step(first)
    back = client.post(f"/api/tables/{table['id']}/undo", {"ply": 2})
    over = client.post(f"/api/tables/{table['id']}/resign", {})
    times = [each["touched"] for each in (table, first, reply, back, over)]
    assert times == sorted(set(times))


def test_two_people_share_a_board_and_two_machines_play_alone(client: Client) -> None:
    table = client.begin("othello4", "person", "person")
    table = client.step(client.step(table, "b1"), "a1")
    assert table["plies"] == 2
    assert client.post(f"/api/tables/{table['id']}/undo", {"ply": 2})["plies"] == 1
    assert client.post(f"/api/tables/{table['id']}/hint", {"ply": 1})["by"] == "Search, 4 moves ahead"
    table = client.begin("othello4", "random", "mobility", handicap=1.0)
    assert client.ask("POST", f"/api/tables/{table['id']}/move", {"ply": 0, "move": "b1"})[0] == 409
    while table["outcome"] is None:
        table = client.step(table)
        assert table["frames"][0]["by_lot"]
    assert client.ask("POST", f"/api/tables/{table['id']}/resign", {})[0] == 409


def test_a_clock_that_runs_out_loses_the_game(client: Client) -> None:
    table = client.begin("othello4", "person", "discs", clock=0.05)
    assert client.ask("POST", f"/api/tables/{table['id']}/undo", {"ply": 0})[0] == 409
    time.sleep(0.1)
    late = client.step(table, "b1")
    assert (late["plies"], late["outcome"], late["reason"]) == (0, 0.0, "time")
    table = client.begin("othello4", "person", "discs", clock=60.0)
    assert client.post(f"/api/tables/{table['id']}/flag", {})["outcome"] is None


def test_a_machine_uses_time_only_while_it_thinks(tmp_path: Path) -> None:
    behind = arena(tmp_path)
    client = Client(behind)
    table = client.begin("othello4", "discs", "person", clock=60.0)
    behind.tables._tables[table["id"]].since -= 100  # the page was closed for so long, so nobody asked it to move
    waited = client.post(f"/api/tables/{table['id']}/flag", {})
    assert (waited["outcome"], waited["left"]) == (None, [60.0, 60.0])
    moved = client.step(table)
    assert (moved["plies"], moved["outcome"]) == (1, None)
    assert moved["left"][0] == pytest.approx(60 - moved["frames"][0]["seconds"], abs=0.01)
    behind.tables._tables[table["id"]].since -= 100  # now the person is to move
    assert client.post(f"/api/tables/{table['id']}/flag", {})["outcome"] == 1.0
    slow = client.step(client.begin("othello4", "discs", "person", clock=1e-6))
    assert (slow["plies"], slow["outcome"], slow["reason"]) == (0, 0.0, "time")
    behind.close()


def test_a_machine_moves_once_however_often_it_is_asked(tmp_path: Path) -> None:
    behind = arena(tmp_path)
    one = Client(behind)
    table = one.begin("othello8", "alphabeta:depth=5", "person")
    statuses = []

    def ask() -> None:
        other = Client(behind)
        other.cookies = dict(one.cookies)
        statuses.append(other.ask("POST", f"/api/tables/{table['id']}/reply", {"ply": 0})[0])

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(statuses) == [200, 409, 409, 409, 409, 409]
    assert one.get(f"/api/tables/{table['id']}")["plies"] == 1
    behind.close()


def test_dead_stones_are_agreed_upon_when_both_have_passed(client: Client) -> None:
    """The lone white stone in Black's corner is dead: proposed so, marked alive and dead again, and counted."""
    table = client.begin("go5", "person", "person")
    for move in ("C1", "D1", "C2", "D2", "C3", "D3", "C4", "D4", "C5", "D5", "B3", "A1", "pass", "pass"):
        table = client.step(table, move)
    path, ply = f"/api/tables/{table['id']}", {"ply": table["plies"]}
    names = [square["name"] for square in client.get(path)["layout"]["squares"]]
    assert (table["counting"], table["outcome"], table["now"]["legal"]) == (True, None, [])
    assert [names[square] for square in table["count"]["dead"]] == ["A1"]
    assert table["count"]["totals"] == [15.0, 17.5]
    assert client.ask("POST", f"{path}/move", ply | {"move": "E1"})[0] == 409
    alive = client.post(f"{path}/mark", ply | {"square": "A1"})
    assert (alive["count"]["dead"], alive["count"]["totals"]) == ([], [6.0, 18.5])
    assert client.ask("POST", f"{path}/mark", ply | {"square": "E1"})[0] == 400
    resumed = client.post(f"{path}/resume", ply)
    assert (resumed["plies"], resumed["undone"], resumed["counting"]) == (12, 0, False)
    again = client.step(client.step(resumed, "pass"), "pass")
    seen = {"ply": again["plies"], "dead": again["count"]["dead"]}
    over = client.post(f"{path}/agree", seen)
    assert (over["outcome"], over["reason"], over["count"]["totals"]) == (0.0, "agreed", [15.0, 17.5])
    assert client.get(path)["count"] == over["count"]
    assert client.ask("POST", f"{path}/agree", seen)[0] == 409


def test_nobody_agrees_to_marks_that_were_not_seen(client: Client) -> None:
    table = client.begin("go5", "person", "person")
    for move in ("C1", "D1", "C2", "D2", "C3", "D3", "C4", "D4", "C5", "D5", "B3", "A1", "pass", "pass"):
        table = client.step(table, move)
    path, ply = f"/api/tables/{table['id']}", {"ply": table["plies"]}
    seen = table["count"]["dead"]
    marked = client.post(f"{path}/mark", ply | {"square": "A1"})  # elsewhere, as in another tab
    status, answer = client.ask("POST", f"{path}/agree", ply | {"dead": seen})
    assert status == 409
    assert "the marks have changed" in answer["error"]
    assert client.get(path)["outcome"] is None
    assert client.ask("POST", f"{path}/agree", ply)[0] == 400
    over = client.post(f"{path}/agree", ply | {"dead": marked["count"]["dead"]})
    assert over["count"]["totals"] == marked["count"]["totals"]


def test_handicap_stones_are_placed_and_captures_counted(client: Client) -> None:
    table = client.begin("go9:komi=0.5", "person", "person", stones=3)
    assert (table["stones"], table["opening"], table["now"]["mover"]) == (3, 5, 1)
    assert table["frames"][-1]["cells"].count("x") == 3
    for move in ("A1", "A2", "J9", "B1"):
        table = client.step(table, move)
    assert table["frames"][-1]["captured"] == [1, 0]
    written = client.send("GET", f"/api/tables/{table['id']}/record/sgf")[2].decode()
    assert "HA[3]AB[cg][gg][gc]PL[W]" in written
    (record,) = sgf.read(written)
    assert record.moves == ("A1", "A2", "J9", "B1")
    assert client.begin("othello4", "person", "discs", stones=3)["stones"] == 0


def test_a_shared_game_can_be_looked_at_by_anybody_and_played_by_nobody(client: Client) -> None:
    table = client.step(client.step(client.begin("othello4", "person", "discs"), "b1"))
    token = client.post(f"/api/tables/{table['id']}/share", {})["token"]
    assert client.post(f"/api/tables/{table['id']}/share", {})["token"] == token
    stranger = client.another()
    seen = stranger.get(f"/api/shared/{token}")
    assert (seen["plies"], seen["titles"], seen["now"]["legal"]) == (2, ["A person", "Greedy for discs"], [])
    assert stranger.get(f"/api/shared/{token}/why/1")["move"] == seen["frames"][-1]["move"]
    assert b"b1" in stranger.send("GET", f"/api/shared/{token}/record/ggf")[2].lower()
    assert stranger.ask("POST", f"/api/tables/{table['id']}/move", {"ply": 2, "move": "a1"})[0] == 404
    for wrong in ("", "x", table["id"]):
        assert stranger.ask("GET", f"/api/shared/{wrong}")[0] == 404


def test_opponents_are_found_by_ones_own_results(client: Client) -> None:
    def found() -> Any:
        return client.get("/api/players?game=othello6")["found"]

    levels = [each for each in client.get("/api/players?game=othello6")["players"] if each["group"] == "Levels"]
    assert [each["elo"] for each in levels] == sorted(each["elo"] for each in levels)
    first = found()
    assert "no rated games" in first["reason"]
    for _ in range(4):  # resigned, so lost
        client.post(f"/api/tables/{client.begin('othello6', 'person', 'level:6')['id']}/resign", {})
    lost = found()
    assert "your last 4 rated games, with 0 points" in lost["reason"]
    assert lost["elo"] <= first["elo"]
    aided = client.begin("othello6", "person", "level:1", handicap=0.5)
    client.post(f"/api/tables/{aided['id']}/resign", {})
    results = client.get("/api/results")["results"]
    assert [each["rated"] for each in results] == [True] * 4 + [False]
    assert [each["elo"] is None for each in results] == [False] * 4 + [True]
    assert client.get("/api/players?game=othello4")["found"] is None  # nobody has measured its players


def test_a_chosen_opponent_is_prepared_before_the_game(client: Client) -> None:
    until = time.monotonic() + 60
    while not client.get("/api/prepare?game=othello4&player=person&player=discs")["ready"]:
        assert time.monotonic() < until
        time.sleep(0.05)
    for wrong in ("?game=othello4&player=gtp:x", "?game=nim", ""):
        assert client.ask("GET", f"/api/prepare{wrong}")[0] == 400


def test_games_survive_a_restart_and_belong_to_who_began_them(tmp_path: Path) -> None:
    first = arena(tmp_path)
    client = Client(first)
    table = client.step(client.begin("othello4", "person", "discs"), "b1")
    killed(first)
    behind = arena(tmp_path)
    again = Client(behind)
    again.cookies = dict(client.cookies)
    table = again.step(again.get(f"/api/tables/{table['id']}"))
    assert table["plies"] == 2
    stranger = again.another()
    for method, path, body in (
        ("GET", "", None), ("POST", "/move", {"ply": 2, "move": "a1"}), ("POST", "/reply", {"ply": 2}),
        ("POST", "/resign", {}), ("GET", "/why/1", None), ("GET", "/record/sgf", None),
    ):  # fmt: skip
        assert stranger.ask(method, f"/api/tables/{table['id']}{path}", body)[0] == 404
    assert stranger.get("/api/tables")["tables"] == []
    behind.close()


def test_a_machine_that_remembers_plays_on_after_a_restart_as_if_there_had_been_none(
    tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr("ludus.interfaces.web.tables.secrets.randbits", lambda bits: 7)
    played = []
    for restarts in (False, True):
        behind = arena(tmp_path / str(restarts))
        client = Client(behind)
        table = client.begin("othello8", "marker:mobility", "person")
        while table["plies"] < 16 and table["outcome"] is None:
            if restarts:
                behind.tables._tables.clear()  # as after a restart: made anew from what is kept
            mine = table["now"]["mover"] == 1
            table = client.step(table, table["now"]["legal"][0]["move"] if mine else None)
        played.append([frame["move"] for frame in client.get(f"/api/tables/{table['id']}")["frames"][1:]])
        behind.close()
    assert played[0] == played[1]


@pytest.mark.parametrize(
    "text",
    [
        "gtp:gnugo --mode gtp", "/etc/passwd", "runs/x", "../x", "greedy:value=/etc/passwd", "alphabeta:depth=60",
        "alphabeta:seconds=3600", "alphabeta:exact=30", "noisy:0.1,gtp:x", "noisy:0.1,noisy:0.1,random",
        "run:000000000000", "mcts:seconds=60", "mcts:simulations=1000000",
        "ntuples:tuples=200,length=10", "weights:seed=9999999999999999999", "blondie24:../../x", "person ", "",
        "learning:random", "learning:../x", "learning:learning:xcs:othello6", "noisy:0.1,learning:xcs:othello6",
        "learning:marker:mobility", "random" * 50,
    ],
)  # fmt: skip
def test_players_that_are_not_safe_are_refused(client: Client, text: str) -> None:
    status, payload = client.ask("POST", "/api/tables", {"game": "othello6", "black": "person", "white": text})
    assert (status, list(payload)) == (400, ["error"])


def test_a_social_player_that_loses_to_a_person_changes_its_strategy(tmp_path: Path, monkeypatch) -> None:
    game = ludus.game("othello4")
    Run(RunSpec.create("social", game, SMALL["social"]), tmp_path / "run").complete()
    (tmp_path / "shipped").mkdir()
    (tmp_path / "run" / "player.safetensors").rename(tmp_path / "shipped" / "social-tiny.safetensors")
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "shipped")
    shipped.shipped.cache_clear()
    file = (tmp_path / "shipped" / "social-tiny.safetensors").read_bytes()
    behind, strong = arena(tmp_path), player("alphabeta:depth=12,exact=12", game)
    client = Client(behind)
    assert "social:tiny" in [each["player"] for each in client.get("/api/players?game=othello4")["players"]]
    changed, seat, expected = 0, strong.seat(), 0
    for number in range(6):
        table = client.begin("othello4", "social:tiny", "person", opening=2)
        assert table["strategies"] == [expected, None]
        position = game.start()
        for frame in table["frames"][1:]:
            position = position.play(frame["move"])
        while table["outcome"] is None:
            move = None
            if position.current_player == 1:
                chosen = seat.choose(position, stream(1, "person", number))
                move = next(text for text, each in position.legal.items() if each == chosen)
            table = client.step(table, move)
            position = position.play(table["frames"][0]["move"])
        assert "social:tiny" in table["lesson"]
        if table["outcome"] == 0.0:
            changed += 1
            assert f"lost with its strategy {expected + 1} of" in table["lesson"]
            expected = int(table["lesson"].split()[-1].strip(".")) - 1
            behind.close()  # remembered by the next arena too
            behind, cookies = arena(tmp_path), client.cookies
            client = Client(behind)
            client.cookies = cookies
    assert changed >= 2
    behind.close()
    assert (tmp_path / "shipped" / "social-tiny.safetensors").read_bytes() == file
    shipped.shipped.cache_clear()


def test_rules_learn_from_the_games_that_people_finish(tmp_path: Path) -> None:
    """All of them and no others, also after a restart; a game goes on as it began."""
    small = {"games": 20, "rules": 200, "colours": "both"}
    Run(RunSpec.create("xcs", "othello4", small), tmp_path / "runs" / "one").complete()
    file = (tmp_path / "runs" / "one" / "player.safetensors").read_bytes()
    behind = arena(tmp_path)
    client = Client(behind)
    offered = {each["title"]: each["player"] for each in client.get("/api/players?game=othello4")["players"]}
    text, begun = offered["one, learning"], client.begin("othello4", offered["one, learning"], "person")
    for sides in ((text, "person"), ("person", text), (text, "person")):
        table = client.begin("othello4", *sides)
        while table["outcome"] is None:
            persons_turn = sides[table["now"]["mover"]] == "person"
            table = client.step(table, table["now"]["legal"][0]["move"] if persons_turn else None)
        assert "has learned from this game" in table["lesson"]
    resigned = client.begin("othello4", text, "person")
    client.post(f"/api/tables/{resigned['id']}/resign", {})
    moments = begun["begun"], 1e12
    known = [behind.tables.lessons.machine(text, ludus.game("othello4"), moment).parts for moment in moments]
    behind.close()
    again = arena(tmp_path)
    for moment, before in zip(moments, known, strict=True):
        after = again.tables.lessons.machine(text, ludus.game("othello4"), moment).parts
        assert all(np.array_equal(a, b) for a, b in zip(after[:9], before[:9], strict=True))
    assert not np.array_equal(known[0].prediction, known[1].prediction)
    again.close()
    assert (tmp_path / "runs" / "one" / "player.safetensors").read_bytes() == file


def test_there_is_room_for_so_many_games_only(client: Client, monkeypatch) -> None:
    monkeypatch.setattr("ludus.interfaces.web.tables.LIVE_GAMES_OF_ONE", 2)
    for _ in range(2):
        client.begin("othello4", "person", "random")
    asked = {"game": "othello4", "black": "person", "white": "random"}
    assert client.ask("POST", "/api/tables", asked)[0] == 429
    monkeypatch.setattr("ludus.interfaces.web.tables.LIVE_GAMES", 3)
    other = client.another()
    other.begin("othello4", "person", "random")
    assert other.ask("POST", "/api/tables", asked)[0] == 503
    assert limits.LIVE_GAMES == 1000
