"""Blondie24's networks against plain numpy, and what files of them may hold."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludus
from ludus.evaluators.subsquares import (
    architecture,
    layers,
    network,
    network_inputs,
    network_output,
    output_within,
)
from ludus.games.game import Game, Position
from ludus.play.matches import match
from ludus.players.base import CompiledPlayer
from ludus.players.explanations import explanation
from ludus.players.files import read_player, save_player
from ludus.players.names import player
from ludus.players.search.alphabeta import EXTENSIONS, Search
from ludus.players.search.transposition import remembering
from ludus.players.shipped import shipped
from ludus.players.social import MOST_STRATEGIES
from tests.naive import subsquares as naive
from tests.naive.search import best_moves
from tests.players.test_search import picks, some_positions

CHECKERS = ludus.game("checkers")
WITH_KINGS = CHECKERS.position("W:WK3,K9,10,13,14,K16:B5,K18,20,K26,K30,K31,K32:F66")
TOLERANCE = 1e-5
"""Between single precision with a tanh of our own, and double precision."""


def random_numbers(game: Game, hidden: tuple[int, ...], size: float = 0.5) -> np.ndarray:
    count = architecture(game, hidden).count
    return np.random.default_rng(count).uniform(-size, size, count).astype(np.float32)


def test_the_papers_network_has_91_windows_and_5046_numbers() -> None:
    found = architecture(CHECKERS)
    assert (len(found.windows), found.count) == (91, 5046)
    sides = [len(window) for window in architecture(ludus.game("othello8")).windows]
    assert [sides.count(side**2) for side in range(3, 9)] == [36, 25, 16, 9, 4, 1]
    assert len(set(found.where.tolist())) == found.count  # every number has a place of its own


@pytest.mark.parametrize(
    ("name", "hidden"), [("checkers", (40, 10)), ("othello6", (5,)), ("othello4", (17, 3, 2)), ("go5", (40, 10))]
)
def test_judgements_are_those_of_plain_numpy(name: str, hidden: tuple[int, ...]) -> None:
    game = ludus.game(name)
    numbers = random_numbers(game, hidden)
    one = network(architecture(game, hidden), numbers, 1.7)
    for position in [*some_positions(name, 8), *([WITH_KINGS] if name == "checkers" else [])]:
        plain = naive.output(position, numbers, 1.7, hidden)
        assert network_output(one, game.rules, position.state) == pytest.approx(plain, abs=TOLERANCE)


@pytest.mark.parametrize("size", [0.5, 20.0])  # with large weights, most units give all that they can
def test_bounds_of_a_judgement_hold_and_spare_what_is_outside_the_window(size: float) -> None:
    found = set()
    for seed in range(20):
        numbers = np.random.default_rng(seed).uniform(-size, size, architecture(CHECKERS, (9, 3)).count)
        one = network(architecture(CHECKERS, (9, 3)), numbers.astype(np.float32), 1.7)
        for position in [CHECKERS.start(), WITH_KINGS]:
            value = network_output(one, CHECKERS.rules, position.state)
            for alpha in value + np.array([-5, -0.5, -1e-6, 1e-6, 0.5, 5]) * size:
                low, high = output_within(one, CHECKERS.rules, position.state, alpha, alpha + 0.1)
                assert low <= value <= high
                assert low == high or high <= alpha or low >= alpha + 0.1
                found.add("value" if low == high else "at most" if high <= alpha else "at least")
    assert found == {"value", "at most", "at least"}


def test_both_sides_see_the_same_of_a_board_turned_round() -> None:
    one = network(architecture(CHECKERS), random_numbers(CHECKERS, (40, 10)), 2.0)
    for position in [*some_positions("checkers", 6), WITH_KINGS]:
        turned = position.mirrored(1)
        values = [network_output(one, CHECKERS.rules, each.state) for each in (position, turned)]
        assert values[0] == pytest.approx(values[1], abs=TOLERANCE)


@pytest.mark.parametrize(("extend", "depth"), [("captures", 2), ("captures", 3), ("pairs", 2)])
def test_forced_captures_extend_the_search(extend: str, depth: int) -> None:
    numbers = random_numbers(CHECKERS, (4,), 2.0)
    parts = Search(network(architecture(CHECKERS, (4,)), numbers, 1.5), depth, 0, True, True, EXTENSIONS.index(extend))
    one = CompiledPlayer("searcher", CHECKERS, parts)
    plain, differs = CompiledPlayer("plain", CHECKERS, parts._replace(extension=0)), 0

    def judge(position: Position) -> float:
        return float(network_output(parts.evaluator, CHECKERS.rules, position.state))

    for position in some_positions("checkers", 12):
        found = picks(one, position, 1)
        assert found <= best_moves(position, depth, judge, extend), position.text
        differs += found != picks(plain, position, 1)
    assert differs


def test_a_search_that_remembers_finds_the_same() -> None:
    """Whole games, to the last moves: there the number of moves decides, and memories must not."""
    game, numbers = ludus.game("checkers:moves=40"), random_numbers(CHECKERS, (4,), 2.0)
    judges: list[Any] = [network(architecture(game, (4,)), each, 1.5) for each in (numbers, -numbers)]
    played = []
    for known in (judges, [remembering(judge, 1 << 13) for judge in judges]):
        one, other = (CompiledPlayer("searcher", game, Search(judge, 4, 0, True, True, 1)) for judge in known)
        played.append([record.moves for record in match(one, other, 4, record=True).records()])
    assert played[0] == played[1]
    assert {0.5} < set(match(one, other, 8).scores)  # by the number of moves, and otherwise


def test_the_parts_of_a_network_explain_its_judgement() -> None:
    one = network(architecture(CHECKERS), random_numbers(CHECKERS, (40, 10)), 1.5)
    for position in (CHECKERS.start(), WITH_KINGS):
        units = network_inputs(one, position)
        for table, biases in layers(one)[:-1]:
            units = np.tanh(units @ table + biases)
        table, bias = layers(one)[-1]
        assert units @ table + bias + network_inputs(one, position).sum() == pytest.approx(
            network_output(one, CHECKERS.rules, position.state), abs=TOLERANCE
        )
        found = explanation(CompiledPlayer("x", CHECKERS, Search(one, 2, 0, True, True, 1)), position)
        pieces, *parts = found.boards
        assert [bool(each) for each in pieces.squares] == [bool(cell) for cell in position.cells]
        assert {"seen"} < {mark for part in parts for mark in part.squares}


def settings(**changes: object) -> dict[str, object]:
    return {"hidden": "40,10", "depth": 4, "extend": "captures"} | changes


NUMBERS, KING = np.zeros(5046, np.float32), np.array(2.0)
SEVERAL = {"numbers": np.zeros((3, 5046), np.float32), "kings": np.full(3, 2.0), "record": np.zeros((3, 3), np.int64)}


@pytest.mark.parametrize(
    ("kind", "arrays", "settings", "sentence"),
    [
        ("blondie24", {"numbers": NUMBERS[1:], "king": KING}, settings(), "needs 5046 float32"),
        ("blondie24", {"numbers": NUMBERS.astype(float), "king": KING}, settings(), "needs 5046 float32"),
        ("blondie24", {"numbers": NUMBERS}, settings(), "king"),
        ("blondie24", {"numbers": NUMBERS, "king": np.zeros(2)}, settings(), "not a whole player"),
        ("blondie24", {"numbers": NUMBERS, "king": KING}, settings(depth=10**6), "hidden, depth and extend"),
        ("blondie24", {"numbers": NUMBERS, "king": KING}, settings(extend="much"), "hidden, depth and extend"),
        ("blondie24", {"numbers": NUMBERS, "king": KING}, settings(hidden="40,0"), "at least one unit"),
        ("blondie24", {"numbers": NUMBERS, "king": KING}, settings(hidden="9999999"), "all together at most"),
        ("blondie24", {"numbers": NUMBERS, "king": KING}, settings(hidden=40), "hidden, depth and extend"),
        ("social", SEVERAL, settings(), "current"),
        ("social", SEVERAL, settings(current=3), "not one of its 3"),
        ("social", SEVERAL | {"record": np.full((3, 3), -1)}, settings(current=0), "fit together"),
        ("social", SEVERAL | {"kings": np.zeros(2)}, settings(current=0), "fit together"),
    ],
)
def test_files_that_are_no_such_players_are_refused(
    kind: str, arrays: dict[str, np.ndarray], settings: dict[str, object], sentence: str, tmp_path: Path
) -> None:
    save_player(tmp_path / "file", kind, CHECKERS, arrays, settings)
    with pytest.raises(ludus.LudusError, match=sentence):
        player(str(tmp_path / "file"), CHECKERS)


@pytest.mark.parametrize("name", ["c0", "rr", "c1", "c10"])
def test_shipped_players_are_as_good_as_the_report_says(name: str) -> None:
    opponent = player("alphabeta:depth=2", CHECKERS)
    assert match(player(f"blondie24:{name}", CHECKERS), opponent, 86, opening="ballots").scores.mean() > 0.85


def test_the_shipped_player_of_a_social_one_is_its_evolved_strategy() -> None:
    alone, first = (read_player(shipped(kind)["c10"])[1] for kind in ("blondie24", "social"))
    assert np.array_equal(alone["numbers"], first["numbers"][0])
    assert (alone["king"][0], len(first["kings"]), first["record"].sum()) == (first["kings"][0], MOST_STRATEGIES, 0)
    assert player("social:c10,depth=2", CHECKERS).parts.depth == 2
