"""The solver of small Go boards against published values, a twin that follows superko by the letter, and itself."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

import ludus
from ludus.games.game import Position
from ludus.games.go import Board
from ludus.games.go_life import living_stones, safe_points
from ludus.players.search.solver import solve
from tests.effort import EFFORT
from tests.interfaces.conftest import refuses, say  # noqa: F401 - fixtures
from tests.naive.go import NaiveGo
from tests.naive.go_solving import NaiveGoSolver, TooLong

PLAIN = "komi=0,plies=400"
"""Without komi, and with so many moves that the limit on them does not matter."""


def random_moves(name: str, fewest: int, most: int, choice: random.Random) -> tuple[Position, list[str]]:
    """A position of a random game that is not over, and its moves."""
    while True:
        position, moves = ludus.game(f"{name}:{PLAIN}").start(), list[str]()
        for _ in range(choice.randint(fewest, most)):
            plays = [move for move in position.legal_moves if move != "pass" or choice.random() < 0.1]
            moves.append(choice.choice(plays or ["pass"]))
            position = position.play(moves[-1])
            if position.over:
                break
        if not position.over:
            return position, moves


@pytest.mark.parametrize(
    ("name", "score", "best"),
    [
        ("go2", 1, {"A1", "A2", "B1", "B2"}),
        ("go3", 9, {"B2"}),
        ("go3:ko=simple", 9, {"B2"}),
    ],
)
def test_published_values_of_empty_boards(name: str, score: int, best: set[str]) -> None:
    """3x3: van der Werf, van den Herik and Uiterwijk (2003); 2x2 with superko: Tromp."""
    found = ludus.solve(name)
    assert (found.score, found.move in best) == (score, True)
    assert found.line[0] == found.move


@pytest.mark.long
def test_4x4_is_won_by_two_points() -> None:
    """Van der Werf, van den Herik and Uiterwijk (2003)."""
    found = ludus.solve("go4")
    assert (found.score, found.move in {"B2", "B3", "C2", "C3"}) == (2, True)
    assert found.nodes < 30_000_000


def test_with_simple_ko_2x2_goes_on_for_ever() -> None:
    """Nobody can force an end that is worth anything: every group can be captured again."""
    found = ludus.solve("go2:ko=simple")
    assert (found.low, found.high, found.score) == (-4, 4, None)
    assert found.verdict.startswith("Undecided after looking 62 moves ahead: Black's score is between -4 and +4")


@pytest.mark.parametrize(("name", "most", "count"), [("go2", 14, 40), ("go3", 40, 16)])
def test_the_score_is_that_of_superko_by_the_letter(name: str, most: int, count: int) -> None:
    """Wherever the twin, which keeps every position of every line, comes to an end."""
    choice, compared = random.Random(name), 0
    for _ in range(count * EFFORT):
        position, moves = random_moves(name, 4, most, choice)
        game = NaiveGo(position.game.size, komi=0, plies=400)
        twin = game.start()
        for move in moves:
            twin = game.play(twin, move)
        score = solve(position).score
        assert score is not None
        try:
            assert NaiveGoSolver(game, 2000).is_above(twin, score - 1), position.text
            assert not NaiveGoSolver(game, 2000).is_above(twin, score), position.text
            compared += 1
        except (TooLong, RecursionError):
            continue
    assert compared >= 2 * EFFORT


@pytest.mark.parametrize(("name", "fewest", "most", "count"), [("go2", 0, 16, 40), ("go3", 4, 40, 20)])
def test_the_score_is_that_of_the_best_reply(name: str, fewest: int, most: int, count: int) -> None:
    """With the game so far: each position and each of its replies is solved for itself."""
    choice = random.Random(f"{name} replies")
    for _ in range(count * EFFORT):
        position, _ = random_moves(name, fewest, most, choice)
        sign, replies = 1 if position.current_player == 0 else -1, {}
        for move in position.legal_moves:
            after = position.play(move)
            known = -sign * after.margin if after.over else solve(after).score
            assert known is not None
            replies[move] = -known
        found = solve(position)
        assert found.score == max(replies.values()) == replies[found.move], position.text


def test_a_late_position_on_5x5() -> None:
    """Both sides live, whoever moves first, and White has a point more."""
    position = "..OX./.OOX./O.OX./OOXX./.OXX. {}"
    assert [ludus.solve("go5", position.format(side)).score for side in "OX"] == [1, -1]


def test_the_game_so_far_matters() -> None:
    """The same stones, but superko bars what has been on the board."""
    played = ludus.game(f"go2:{PLAIN}").start()
    for move in ("A1", "B2", "A2"):
        played = played.play(move)
    assert solve(played).score == -1
    assert solve(played.game.position(played.text)).score is not None


def test_who_has_passed_can_not_take_dead_stones_any_more() -> None:
    position = ludus.game(f"go3:{PLAIN}").position("XO./XXX/X.O O passes=1")
    assert (solve(position).score, solve(position).move) == (-3, "pass")


def board(rows: str) -> Board:
    position = ludus.game("go5:komi=0").position(f"{rows} X")
    return tuple(position.state.own)


@pytest.mark.parametrize(
    ("rows", "alive", "safe"),
    [
        (".X.../XX.../...../...../.....", 0, 0),  # one eye
        (".X.X./XXXX./...../...../.....", 6, 8),  # two, and the rest of the board is open
        (".X.X./XXXXX/...../...../.....", 7, 10),  # three
        ("X.X../.XX../XX.../...../.....", 6, 8),  # two that three blocks share
        ("..X../..X../..X../..X../..X..", 0, 0),  # the sides are too wide for eyes
        (".XXX./XX.XX/.XXX./.X.X./XX.XX", 16, 25),  # no room for the opponent anywhere
    ],
)
def test_life(rows: str, alive: int, safe: int) -> None:
    rules, stones = ludus.game("go5").rules, board(rows)
    none = tuple(word ^ word for word in stones)
    assert int(living_stones(rules, stones)[0]).bit_count() == alive
    assert int(safe_points(rules, stones, none)[0]).bit_count() == safe
    assert int(safe_points(rules, stones, rules.board)[0]).bit_count() == alive


def test_stopped_early_it_knows_bounds() -> None:
    for nodes in (1, 1000, 100_000):
        found = ludus.solve("go4", nodes=nodes)
        assert found.low <= 2 <= found.high
        assert found.score is None
        assert found.nodes <= nodes + 1
    assert "Stopped early" in found.verdict
    assert ludus.solve("go5", seconds=0.5).score is None


def test_the_same_search_every_time() -> None:
    assert ludus.solve("go3") == ludus.solve("go3")


def test_ctrl_c_stops_it() -> None:
    program = "import ludus; ludus.solve('go3'); print('ready', flush=True); ludus.solve('go5', nodes=10**15)"
    child = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        time.sleep(1)
        os.kill(child.pid, signal.SIGINT)
        assert b"KeyboardInterrupt" in child.communicate(timeout=30)[1]
    finally:
        child.kill()
        child.communicate()


def test_the_command_says_what_the_function_finds(say) -> None:
    code, out, _ = say("solve", "go3")
    assert code == 0
    assert "B2 is best: Black wins by 9." in out
    assert "Komi is not counted: with 7.5 points Black wins by 1.5." in out
    assert "Proved with superko" in out
    summary = json.loads(say("solve", "go3", "--moves", "B2", "--json")[1])
    assert summary | {"seconds": 0} == ludus.solve("go3", moves="B2").to_json() | {"seconds": 0}
    assert (summary["score"], summary["ko"], summary["komi"]) == (-9, "superko", 7.5)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["go9"], "go9 is too large to solve; boards of up to 5x5 points can be"),
        (["go3:rules=abramson2001"], "rules=abramson2001 can't be solved"),
        (["go5"], "25 points are empty there, which may take hours to solve; give a limit of nodes or seconds"),
        (["go3", "--moves", "pass pass"], "the game is over there"),
        (["go3", "--scoring", "discs"], "invalid scoring 'discs': must be area"),
        (["checkers"], "the solver does not play checkers; it plays go2 to go5 and othello4, othello6 and othello8"),
    ],
)
def test_what_can_not_be_solved_is_refused(arguments: list[str], sentence: str, refuses) -> None:
    refuses(["solve", *arguments], sentence)
