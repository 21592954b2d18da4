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
from ludus.games.go_life import living_stones, safe_points
from ludus.games.go_rules import Board
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


SEKI = ".XOO./XXOOX/OXOOX/.XOOX/XXOO. {}"
"""Who plays on the right loses what is there; the white stone on the left is dead."""


@pytest.mark.parametrize("side", ["X", "X passes=1"])
def test_with_simple_ko_dead_stones_are_taken_before_a_pass(side: str) -> None:
    """The opponent may pass as well, and what is on the board counts then."""
    found = ludus.solve("go5:komi=2.5,plies=400,ko=simple", SEKI.format(side))
    assert (found.score, found.line) == (3, ("A2", "pass", "pass"))


@pytest.mark.parametrize("ko", ["superko", "simple"])
def test_a_line_does_not_end_by_passes_with_dead_stones_on_the_board(ko: str) -> None:
    found = ludus.solve(f"go4:{PLAIN},ko={ko}", "XXXX/X.XX/XXXX/.OXX O")
    assert (found.score, found.line) == (-16, ("pass", "A1"))


@pytest.mark.parametrize(
    ("name", "begin", "most"),
    [
        ("go3", "", 40),
        ("go3:ko=simple", "", 40),
        ("go4", "", 90),
        ("go4:ko=simple", "", 90),
        ("go5:ko=simple", SEKI.format("X"), 6),
    ],
)
def test_the_move_and_the_line_keep_the_score(name: str, begin: str, most: int) -> None:
    """By solving what the move leads to, and by the points on the board where the line ends the game."""
    game = ludus.game(f"{name}{',' if ':' in name else ':'}{PLAIN}")
    choice, solved, ended = random.Random(name), 0, 0
    while solved < 16 * EFFORT:
        position = later(game.position(begin) if begin else game.start(), most, choice)
        found = solve(position, nodes=20_000)
        if found.score is None:
            continue
        after, end = position.play(found.move), position
        assert (ahead(after) if after.over else solve(after).score) == -found.score, position.text
        for move in found.line:
            end = end.play(move)
        if end.over:
            assert ahead(end) == found.score * (1 if end.current_player == position.current_player else -1)
        solved, ended = solved + 1, ended + end.over
    assert ended > 0


def later(position: Position, most: int, choice: random.Random) -> Position:
    """The position, or one after random moves that fill no eyes."""
    for _ in range(choice.randint(0, most)):
        plays = [move for move, point in position.legal.items() if move == "pass" or not is_eye(position, point)]
        after = position.play("pass" if choice.random() < 0.15 else choice.choice(plays))
        if not after.over:
            position = after
    return position


def is_eye(position: Position, point: int) -> bool:
    """Whether all points beside it are the mover's."""
    size, mover = position.game.size, 1 - 2 * position.current_player
    row, column = divmod(point, size)
    beside = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    cells = position.cells.reshape(size, size)
    return all(cells[r, c] == mover for r, c in beside if 0 <= r < size and 0 <= c < size)


def ahead(position: Position) -> float:
    """The points on the board to the player to move."""
    return position.margin * (1 - 2 * position.current_player)


@pytest.mark.parametrize("komi", [0.1, 1.1, 7.5])
def test_komi_does_not_change_the_points_on_the_board(komi: float) -> None:
    """Computers have no exact number for some fractions."""
    assert ludus.solve(f"go3:komi={komi},plies=400", "OX./OOO/O.X X passes=1").score == -3


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
