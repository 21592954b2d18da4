"""What the arena holds in memory depends on how many games are played, not on their length nor on those before."""

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ludus
from ludus.compile.rng import randint, stream
from ludus.games.game import Position
from ludus.interfaces.web import tables
from ludus.interfaces.web.positions import Positions
from tests.interfaces.arena import Client, arena


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    behind = arena(tmp_path)
    client = Client(behind)
    client.behind = behind  # type: ignore[attr-defined]
    yield client
    behind.close()


def played(client: Client, table: dict[str, Any], plies: int = 1000) -> dict[str, Any]:
    """The table after so many moves, the person's being the first that are legal."""
    while table["outcome"] is None and table["plies"] < plies:
        here = table["now"]
        table = client.step(table, here["legal"][0]["move"] if here["mover"] == 0 else None)
    return table


def positions_held() -> int:
    gc.collect()
    return sum(type(each) is Position for each in gc.get_objects())  # isinstance would ask weak proxies, too


@pytest.mark.parametrize("name", ["othello6", "checkers", "go7"])
def test_positions_that_are_not_held_are_made_again(name: str) -> None:
    game, rng = ludus.game(name), stream(1, "made again")
    positions, texts = Positions(game), [game.start().text]
    for _ in range(20):
        move = positions.here.legal_moves[randint(rng, len(positions.here.legal_moves))]
        positions.add(move, positions.here.play(move))
        texts.append(positions.here.text)
    assert [each.text for each in positions] == texts
    assert [positions[ply].text for ply in range(21)] == texts
    assert [each.text for each in positions.since(17)] == texts[17:]
    assert list(positions.since(21)) == []
    assert list(positions.movers) == [each.current_player for each in positions][:-1]
    positions.cut(12)
    assert [each.text for each in positions] == texts[:13]
    assert positions.here.legal_moves == positions[12].legal_moves
    with pytest.raises(IndexError):
        positions[13]


def test_a_long_game_holds_no_more_than_a_short_one(client: Client) -> None:
    table, held = client.begin("othello6", "person", "discs"), set[int]()
    for plies in (4, 12, 20):
        table = played(client, table, plies)
        client.get(f"/api/tables/{table['id']}")
        for ply in range(1, plies, 2):
            client.get(f"/api/tables/{table['id']}/why/{ply}")
        held.add(positions_held())
    assert len(held) == 1


def test_tables_share_a_player_and_let_it_go(client: Client) -> None:
    behind = client.behind  # type: ignore[attr-defined]
    ids = [played(client, client.begin("go5", "person", "ntuples:go5"), 2)["id"] for _ in range(3)]
    ids += [played(client, client.begin("go5", "person", "noisy:0.5,ntuples:go5"), 2)["id"]]
    machines = [behind.tables._tables[id].machines[1] for id in ids]
    assert len({id(each.parts.evaluator.weights) for each in machines[:3]}) == 1
    assert machines[3].parts.player.evaluator.weights is machines[0].parts.evaluator.weights
    del machines
    behind.tables._tables.clear()
    gc.collect()
    assert not behind.catalog._shared


def test_finished_games_are_forgotten(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "FINISHED", 2)
    held = client.behind.tables._tables  # type: ignore[attr-defined]
    begun = [client.begin("othello4", "person", "discs") for _ in range(6)]
    last = [played(client, table) for table in begun][-1]
    assert not any(table.seats for table in held.values())
    going_on = client.begin("othello4", "person", "discs")
    assert len(held) == 3
    assert {last["id"], going_on["id"]} <= held.keys()
    first = client.get(f"/api/tables/{begun[0]['id']}")  # it is stored
    assert first["outcome"] is not None
