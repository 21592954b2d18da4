"""Whatever is read from people, files and other programs, it is understood or refused by the one error.

Valid inputs are cut, doubled, mixed and strewn with what parsers stumble over. Positions, files of games and requests
to the arena have such tests of their own, beside what they test.
"""

import json
import random
import shlex
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from safetensors.numpy import save

import ludus
from ludus.errors import LudusError
from ludus.games.openings import openings
from ludus.interfaces.gtp import GtpServer
from ludus.interfaces.nboard import NBoardServer
from ludus.learners.base import parse_settings
from ludus.learners.names import learner
from ludus.measures.leagues import league
from ludus.measures.profiles import load as load_opponents
from ludus.measures.ratings import rate, read_results
from ludus.players.base import CompiledPlayer
from ludus.players.engines.process import Engine, Forfeit
from ludus.players.names import player
from ludus.players.random import Random
from ludus.runs.run import Run
from ludus.runs.spec import RunSpec
from ludus.runs.store import read_run
from tests.effort import EFFORT

Content = TypeVar("Content", str, bytes)

TIMES = 100 * EFFORT
TROUBLE = (
    "", " ", "\0", "\n", "\t", ":", ",", "=", "-", "--", "%", "/", "\\", "[", "]", "{", "}", '"', "'", "#", "0", "-1",
    "1e999", "nan", "inf", "١", "²", "9" * 30, "9" * 5000, "ä", "\udcff", "\u202e", "noisy:0.5,", "..", "[" * 3000,
)  # fmt: skip


def mutants(choice: random.Random, seeds: Sequence[Content], times: int = TIMES) -> list[Content]:
    """So many inputs that are almost like the seeds."""
    found = []
    for _ in range(times):
        text, other = choice.choice(seeds), choice.choice(seeds)
        for _ in range(choice.randint(1, 3)):
            place, end = sorted(choice.randrange(len(text) + 1) for _ in range(2))
            trouble = choice.choice(TROUBLE)
            strewn = trouble if isinstance(text, str) else trouble.encode(errors="surrogateescape")
            text = choice.choice([
                text[:place] + strewn + text[place:], text[:place] + strewn + text[end:], text[:place] + text[end:],
                text[:end] + text[place:], text[:place] + other[place:], text[:place],
            ])  # fmt: skip
        found.append(text)
    return found


def tried(read: Callable[[Content], object], seeds: Sequence[Content], times: int = TIMES) -> None:
    """Every seed is understood; of the mutants those that are not are refused by LudusError, and by nothing else."""
    for seed in seeds:
        read(seed)
    for mutant in mutants(random.Random(len(seeds[0])), seeds, times):
        with suppress(LudusError):
            read(mutant)


def test_names_and_options_of_games() -> None:
    def read(name: str) -> None:
        game = ludus.game(name)
        assert ludus.game(game.name) == game

    tried(read, ["othello8", "checkers:moves=40", "go9:komi=5.5,ko=simple", "go5:rules=abramson2001,plies=90"])


def test_openings() -> None:
    tried(lambda name: openings(ludus.game("othello4"), name), ["usual", "four-ply", "none", "random:12"])


@pytest.mark.parametrize("name", ["othello6", "checkers", "go5"])
def test_moves(name: str) -> None:
    position = ludus.game(name).start()
    for mutant in mutants(random.Random(1), [*position.legal_moves, "15x22x29", "pass", "T19"]):
        with suppress(LudusError):
            assert position.move(mutant) in position.legal.values()


def test_player_strings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    seeds = [
        "random", "alphabeta:depth=2,value=positional,exact=3,extend=no", "minimax:seconds=0.5", "noisy:0.1,heuristic",
        "weights:seed=7", "ntuples:seed=7,tuples=3", "greedy:value=mobility,ties=first", "marker:mobility",
        "openspiel:mcts,simulations=3", f"gtp:{shlex.quote('true')} --mode gtp",
    ]  # fmt: skip
    tried(lambda text: player(text, ludus.game("othello8")), seeds)


def test_settings_of_learners() -> None:
    seeds = ["games=10 alpha=0.1 epsilon=0.2 representation=ntuples", "tuples=3 length=4 symmetric=true decay=0.5"]

    def read(text: str) -> None:
        given = dict(part.split("=", 1) for part in text.split(" ") if "=" in part)
        parse_settings(learner("tdl"), given)

    tried(read, seeds)


def test_results(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"

    def read(content: bytes) -> None:
        file.write_bytes(content)
        rate(read_results(file))

    seeds = [b'a,b,wins,draws,losses\nx,"y, z",1,2,3\n', b"\xef\xbb\xbfa,b,wins,draws,losses\r\n1,2,3,4,5\r\n"]
    tried(read, seeds)


def test_leagues(tmp_path: Path) -> None:
    everybody = [CompiledPlayer(name, ludus.game("othello4"), Random()) for name in ("x", "y")]
    list(league(everybody, 2, tmp_path))
    asked, results = tmp_path / "league.json", tmp_path / "results.csv"
    whole = asked.read_bytes(), results.read_bytes()

    def read(content: bytes) -> None:
        one, _, other = content.partition(b"|")
        asked.write_bytes(one)
        results.write_bytes(other)
        list(league(everybody, 2, tmp_path))

    tried(read, [b"|".join(whole)], TIMES // 2)


def test_runs(tmp_path: Path) -> None:
    """A run goes on from files that are damaged to the same player, or not at all."""
    run = Run(RunSpec.create("tdl", "othello4", {"games": 20, "step_games": 5}), tmp_path)
    work = run.steps(checkpoint_seconds=0)
    next(work), next(work)
    work.close()  # type: ignore[attr-defined]
    names = ["run.json", "metrics.csv", "checkpoint.safetensors"]
    whole = {name: (tmp_path / name).read_bytes() for name in names}
    run.complete()
    player_file = tmp_path / "player.safetensors"
    learned = player_file.read_bytes()
    for name in names:
        for mutant in mutants(random.Random(3), [whole[name]], TIMES // 2):
            player_file.unlink(missing_ok=True)
            for each, content in (whole | {name: mutant}).items():
                (tmp_path / each).write_bytes(content)
            try:
                read_run(tmp_path).to_json()
                run.complete()
            except LudusError:
                continue
            assert player_file.read_bytes() == learned, (name, mutant)


def test_opponents_of_profiles(tmp_path: Path) -> None:
    file, game = tmp_path / "opponents", ludus.game("othello4")
    told = {"format": 1, "game": "othello4", "game_version": 1, "width": 5.0, "per_bin": 1}
    whole = save({"weights": np.ones((2, 16)), "percent": np.array([3.0, 60.0])}, {"ludus": json.dumps(told)})

    def read(content: bytes) -> None:
        file.write_bytes(content)
        assert str(load_opponents(file, game))

    tried(read, [whole])


GTP = [
    "1 boardsize 5\n2 komi 6.5\nplay b C3\ngenmove w\nundo\nshowboard\nfinal_score\n", "known_command play\nname\n",
    "clear_board\nreg_genmove black\nplay white pass\ntime_left b 1 0\nlist_commands\nboardsize 7\n",
]  # fmt: skip
NBOARD = [
    "nboard 2\nset depth 3\nset game (;GM[Othello]PC[x]DT[x]PB[a]PW[b]RE[?]TI[0]TY[8]BO[8 ---------------------------O*"
    "------*O--------------------------- *]B[F5];)\nmove D6\nhint 3\ngo\nping 4\n", "learn\nmove PA\nhint 1\ngo\n",
]  # fmt: skip


def test_conversations() -> None:
    """A command that can't be understood gets an answer; the conversation goes on."""
    go, othello = ludus.game("go5"), ludus.game("othello8")
    for text in mutants(random.Random(4), GTP):
        server = GtpServer(lambda game: player("random", game), go, "x")
        answers = [server.answer(line) for line in text.split("\n")]
        assert all(answer == "" or (answer[0] in "=?" and answer.endswith("\n\n")) for answer in answers), text
    for text in mutants(random.Random(5), NBOARD, TIMES // 4):
        board = NBoardServer(lambda game: player("heuristic", game), othello, "x")
        assert all("\n" not in each for line in text.split("\n") for each in board.answers(line)), text


def test_replies_of_engines(tmp_path: Path) -> None:
    """An engine that writes anything moves or loses."""
    game, file = ludus.game("go5"), tmp_path / "replies"
    position = game.start()
    seeds = [
        b"=1 2\n\n=2 name\n\n=3\n\n=4\n\n=5\n\n=6 C3\n\n",
        b"=1 2\r\n\r\n=2\r\n\r\n=3 \n\n=4\n\n=5\n\n=6 resign\n\n",
    ]
    command = f"sh -c 'cat {file}; cat >/dev/null'"  # the shell stays, and with it the way back
    file.write_bytes(seeds[0])
    with Engine(command, game) as engine:
        engine.new_game(position)
        assert engine.genmove(position) == "C3"
    for replies in mutants(random.Random(6), seeds, TIMES // 4):
        file.write_bytes(replies)
        with Engine(command, game, move_seconds=0.2, start_seconds=0.5) as engine, suppress(Forfeit):
            engine.new_game(position)
            assert engine.genmove(position) in position.legal
