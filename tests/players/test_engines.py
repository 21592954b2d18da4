"""Engines that misbehave lose for the right reason and leave nothing behind; real ones play whole games."""

import os
import random
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import ludus
from ludus.compile.rng import Rng, randint
from ludus.interfaces.engine_board import Board
from ludus.players.base import Player, Seat
from ludus.players.engines.process import NONSENSE, Engine, Forfeit
from ludus.players.names import player
from tests.effort import EFFORT
from tests.players import misbehaving_engine

MOVE_SECONDS = 1.0
SLACK_SECONDS = 1.0
GAMES = min(EFFORT, 50)
GO5 = ludus.game("go5")


class FollowingSeat(Seat):
    """Plays at random, and goes on by what it has made and been told, as engines do: neither twice."""

    def begin(self, position: ludus.Position, moves: Sequence[str]) -> None:
        self.position = position

    def see(self, move: str, mover: int) -> None:
        if mover != self.position.current_player or move not in self.position.legal:
            raise Forfeit(NONSENSE)
        self.position = self.position.play(move)

    def choose(self, position: ludus.Position, rng: Rng) -> int:
        if position != self.position:
            raise Forfeit(NONSENSE)
        move = list(position.legal.values())[randint(rng, len(position.legal))]
        self.position = position.play(move)
        return move


class FollowingPlayer(Player):
    def seat(self) -> Seat:
        return FollowingSeat()


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


@pytest.fixture(autouse=True)
def _nothing_leaks() -> Iterator[None]:
    assert GO5.start().play("A1").legal_moves  # compiled before any clock runs
    files, threads = descriptors(), set(threading.enumerate())
    yield
    # what an earlier test left may end meanwhile
    assert not set(threading.enumerate()) - threads
    assert descriptors() <= files


@pytest.fixture
def pids(tmp_path: Path) -> Path:
    """The file into which the misbehaving engine writes the numbers of its processes."""
    return tmp_path / "pids"


def misbehaving(trouble: str, pids: Path, start_seconds: float = 30.0) -> Engine:
    command = shlex.join([sys.executable, "-I", "-S", misbehaving_engine.__file__, trouble, str(pids)])
    return Engine(command, GO5, MOVE_SECONDS, start_seconds)


def alive(pid: int) -> bool:
    """Whether a process runs; one that nobody has asked for its exit code yet doesn't."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def all_ended(pids: Path) -> bool:
    """Whether the processes end. They have been killed, but that may take a moment to show."""
    numbers = [int(line) for line in pids.read_text().split()]
    assert numbers
    patience = time.monotonic() + 10
    while any(map(alive, numbers)) and time.monotonic() < patience:
        time.sleep(0.01)
    return not any(map(alive, numbers))


def play(engine: Engine, moves: int) -> ludus.Position:
    """A game in which the engine is Black and makes that many moves, each answered by the last that is legal."""
    position = engine.game.start()
    engine.new_game(position)
    for _ in range(moves):
        position = position.play(engine.genmove(position))
        reply = position.legal_moves[-2]
        engine.tell(reply, position.current_player)
        position = position.play(reply)
    return position


REASONS = [
    ("hang", "time"),
    ("late", "time"),
    ("half line", "time"),
    ("illegal", "illegal move"),
    ("occupied", "illegal move"),
    ("crash", "crashed"),
    ("half line, then exit", "crashed"),
    ("child, then crash", "crashed"),
    ("garbage", "nonsense"),
    ("flood", "nonsense"),
    ("flood of lines", "nonsense"),
    ("wrong id", "nonsense"),
    ("failure", "nonsense"),
]


@pytest.mark.parametrize(("trouble", "reason"), REASONS)
def test_a_misbehaving_engine_forfeits_and_a_fresh_one_plays_on(trouble: str, reason: str, pids: Path) -> None:
    with misbehaving(trouble, pids) as engine:
        for _ in range(GAMES):
            position = play(engine, 1)
            began, first = time.monotonic(), engine.name
            with pytest.raises(Forfeit) as forfeit:
                engine.genmove(position)
            assert forfeit.value.reason == reason
            assert time.monotonic() - began < MOVE_SECONDS + SLACK_SECONDS
            assert all_ended(pids)
        play(engine, 1)
        assert engine.name != first
    assert all_ended(pids)


@pytest.mark.parametrize("trouble", ["none", "flood on stderr"])
def test_a_good_engine_plays_many_games_in_one_process(trouble: str, pids: Path) -> None:
    with misbehaving(trouble, pids) as engine:
        assert play(engine, 3).text == play(engine, 3).text == "..OOO/...../...../...../XXX.. X ply=6"
        assert engine.name == f"Misbehaving {pids.read_text().strip()}"
    assert all_ended(pids)


def test_resigning_loses_the_game_but_not_the_process(pids: Path) -> None:
    with misbehaving("resigns", pids) as engine:
        position = play(engine, 1)
        name = engine.name
        with pytest.raises(Forfeit, match="resigned"):
            engine.genmove(position)
        play(engine, 1)
        assert engine.name == name
    assert all_ended(pids)


def test_no_handshake(pids: Path) -> None:
    engine = misbehaving("no handshake", pids, start_seconds=0.5)
    for _ in range(GAMES):
        began = time.monotonic()
        with pytest.raises(Forfeit, match="did not start"):
            engine.new_game(GO5.start())
        assert time.monotonic() - began < 0.5 + SLACK_SECONDS
        assert not pids.exists() or all_ended(pids)


@pytest.mark.parametrize("command", ["cat", "true", "yes", "sleep 60", "sh -c 'cat >/dev/null'", "echo =1 1"])
def test_programs_that_are_no_engines(command: str) -> None:
    with pytest.raises(Forfeit, match="did not start"):
        Engine(command, GO5, start_seconds=0.2).new_game(GO5.start())


def test_a_file_that_is_no_program(tmp_path: Path) -> None:
    file = tmp_path / "engine"
    file.write_bytes(b"\x7fELF")
    file.chmod(0o755)
    with pytest.raises(Forfeit, match="did not start"):
        Engine(str(file), GO5).new_game(GO5.start())
    file.unlink()
    with pytest.raises(ludus.LudusError, match="there is no program"):
        Engine(str(file), GO5)


@pytest.mark.parametrize(
    ("command", "description"),
    [
        ("no-such-engine --mode gtp", "there is no program 'no-such-engine'"),
        ("", "not an engine's command"),
        ("   ", "not an engine's command"),
        ("cat \0", "not an engine's command"),
        ("gnugo 'half a quote", "can't be split"),
    ],
)
def test_a_command_that_cannot_be_right(command: str, description: str) -> None:
    with pytest.raises(ludus.LudusError, match=description):
        Engine(command, GO5)


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_time_that_cannot_be_right(seconds: float) -> None:
    with pytest.raises(ludus.LudusError, match="an engine needs time"):
        Engine("cat", GO5, seconds)


@pytest.mark.parametrize("trouble", ["none", "ignores quit", "child"])
def test_closing_leaves_nothing(trouble: str, pids: Path) -> None:
    for _ in range(GAMES):
        with misbehaving(trouble, pids) as engine:
            play(engine, 1)
            began = time.monotonic()
        assert time.monotonic() - began < 1 + SLACK_SECONDS
        assert all_ended(pids)
        engine.close()  # once more does nothing


def test_an_engine_behind_a_board_is_told_the_moves_of_others_only() -> None:
    board = Board(lambda game: FollowingPlayer("following", game), GO5)
    for _ in range(3):
        board.play(board.choose())
        board.play(board.position.legal_moves[0])
    board.choose()
    other = next(move for move in board.position.legal_moves if move != board.choose())  # asked twice
    board.play(other)
    board.play(board.choose())
    assert board.undo()
    assert board.choose() in board.position.legal


def test_an_engine_behind_a_board_fails_once_a_game(pids: Path) -> None:
    board = Board(lambda game: player(f"gtp:{misbehaving('crash', pids).command}", game), GO5)
    board.play(board.choose())
    board.play("E1")
    for _ in range(2):
        with pytest.raises(Forfeit, match="crashed"):
            board.choose()
        board.play(board.position.legal_moves[-2])
    board.clear(GO5)
    assert board.choose() == "A1"
    board.close()


def test_exit_between_games(pids: Path) -> None:
    with misbehaving("exits after its move", pids) as engine:
        for _ in range(GAMES):
            engine.genmove(play(engine, 1))
            assert all_ended(pids)
        play(engine, 1)


def test_an_engine_killed_between_games_is_replaced(pids: Path) -> None:
    with misbehaving("none", pids) as engine:
        play(engine, 1)
        os.kill(int(pids.read_text()), signal.SIGKILL)
        play(engine, 1)


@pytest.mark.parametrize(("trouble", "reason"), [("twice", "nonsense"), ("deaf", "time")])
def test_trouble_when_told_a_move(trouble: str, reason: str, pids: Path) -> None:
    with misbehaving(trouble, pids) as engine:
        engine.genmove(play(engine, 1))
        began = time.monotonic()
        with pytest.raises(Forfeit, match=reason):
            engine.tell("C3" + " " * (1 << 20), 1)  # more than a pipe takes, if nobody reads it
        assert time.monotonic() - began < MOVE_SECONDS + SLACK_SECONDS
        assert all_ended(pids)


def test_an_interrupted_engine_starts_afresh(pids: Path) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    usual = signal.signal(signal.SIGALRM, interrupt)
    with misbehaving("hang", pids) as engine:
        position = play(engine, 1)
        signal.setitimer(signal.ITIMER_REAL, MOVE_SECONDS / 4)
        with pytest.raises(KeyboardInterrupt):
            engine.genmove(position)
        assert all_ended(pids)
        play(engine, 1)
    signal.signal(signal.SIGALRM, usual)


def test_a_forgotten_engine_ends(pids: Path) -> None:
    engine = misbehaving("child", pids)
    play(engine, 1)
    del engine
    assert all_ended(pids)


def test_an_engine_left_open_ends_with_python(pids: Path) -> None:
    code = f"""
import ludus
from pathlib import Path
from tests.players.test_engines import misbehaving, play
engine = misbehaving("child", Path({str(pids)!r}))
play(engine, 1)
"""
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, cwd=Path(__file__).parents[2])
    assert all_ended(pids)


def test_a_game_can_begin_later(pids: Path) -> None:
    with misbehaving("none", pids) as engine:
        position = GO5.start().play("A1").play("pass").play("B1")
        engine.new_game(position, ["a1", "pass", " B1\n"])
        assert engine.genmove(position) == "C1"
        with pytest.raises(ludus.LudusError, match="give the moves that lead to"):
            engine.new_game(position, ["A1"])


def test_no_move_without_a_game(pids: Path) -> None:
    with misbehaving("none", pids) as engine:
        with pytest.raises(ludus.LudusError, match="call new_game first"):
            engine.genmove(GO5.start())
        over = GO5.start().play("pass").play("pass")
        engine.new_game(over, ["pass", "pass"])
        with pytest.raises(ludus.LudusError, match="the game is over"):
            engine.genmove(over)


def installed(command: str) -> str:
    """The command of a real engine; skips the test where it isn't installed."""
    try:
        Engine(command, GO5)
    except ludus.LudusError as error:
        pytest.skip(str(error))
    return command


def after(game: ludus.Game, moves: list[str]) -> ludus.Position:
    position = game.start()
    for move in moves:
        position = position.play(move)
    return position


def play_random(engine: Engine, side: int, seed: int) -> ludus.Position:
    """A whole game of the engine, which plays that side, against random moves."""
    rng, position = random.Random(seed), engine.game.start()
    engine.new_game(position)
    while not position.over:
        if position.current_player == side:
            move = engine.genmove(position)
        else:
            move = rng.choice(position.legal_moves)
            engine.tell(move, position.current_player)
        position = position.play(move)
    return position


@pytest.mark.parametrize("name", ["go5", "go7", "go9"])
def test_gnugo_wins_by_our_rules(name: str) -> None:
    # without these options it passes while dead stones are left, which count when scored by area
    options = "--chinese-rules --positional-superko --capture-all-dead --never-resign --seed 1"
    with Engine(installed(f"gnugo --mode gtp --level 1 {options}"), ludus.game(name), 60) as engine:
        for seed in range(2 * GAMES):
            assert play_random(engine, seed % 2, seed).outcome == 1 - seed % 2
        assert engine.name == "GNU Go"


def test_gnugo_names_the_stones_that_are_dead() -> None:
    # a Black wall across the board, White behind it, and a White stone on the wrong side
    walls = [f"{column}{row}" for row in (5, 4, 3, 2, 1) for column in "CD"]
    moves = [*walls, "B4", "E4", "A3", "E2", "B2", "A1", "pass", "pass"]
    position = after(GO5, moves)
    with Engine(installed("gnugo --mode gtp --level 1 --chinese-rules"), GO5, 60) as engine:
        engine.new_game(position, moves)
        dead = engine.dead_stones(position)
        assert dead is not None
        assert {GO5.type.square_name(GO5.rules, each) for each in dead} == {"A1"}
    assert engine.dead_stones(position) is None  # whoever is gone has no say


def test_gnugo_loses_if_it_repeats_a_position() -> None:
    game = ludus.game("go2")
    moves = ["B2", "A1", "pass", "B1", "pass", "A2"]  # now B2 captures and leaves a lone stone, as on the first move
    with Engine(installed("gnugo --mode gtp --level 1 --simple-ko"), game, 60) as engine:
        position = after(game, moves)
        engine.new_game(position, moves)
        with pytest.raises(Forfeit, match="illegal move"):
            engine.genmove(position)


def test_gtp_rhino_plays_othello() -> None:
    with Engine(installed("gtp-rhino --level 2"), ludus.game("othello8"), 60) as engine:
        wins = sum(play_random(engine, seed % 2, seed).outcome == 1 - seed % 2 for seed in range(10 * GAMES))
    assert wins >= 8 * GAMES


def test_gtp_rhino_passes_and_is_told_passes() -> None:
    game = ludus.game("othello8")
    moves = ["d3", "c3", "e6", "d2", "d1", "e1", "b2", "c1"]
    position = after(game, moves)
    assert position.legal_moves == ["pass"]
    with Engine(installed("gtp-rhino --level 1"), game, 60) as engine:
        engine.new_game(position, moves)
        assert engine.genmove(position) == "pass"
        position = position.play("pass")
        assert engine.genmove(position) in position.legal_moves
        engine.new_game(position, [*moves, "pass"])
        assert engine.genmove(position) in position.legal_moves


def test_gtp_rhino_refuses_other_boards() -> None:
    with pytest.raises(Forfeit, match="did not start"):
        Engine(installed("gtp-rhino"), ludus.game("othello6")).new_game(ludus.game("othello6").start())
