"""The command line as a person uses it."""

import json
import os
import re
import subprocess
import sys
from contextlib import suppress
from importlib.metadata import requires
from typing import Any

import pytest
import typer

import ludus
from ludus import testing
from ludus.games.game import Game
from ludus.games.othello import OthelloType
from ludus.interfaces.cli.app import app
from ludus.interfaces.cli.groups import first_sentence


def test_alone_it_shows_what_to_do_next(say) -> None:
    code, out, err = say()
    assert (code, err) == (0, "")
    assert "ludus demo" in out
    assert say("--version")[1] == f"ludus {ludus.__version__}\n"


@pytest.mark.parametrize("command", sorted(typer.main.get_command(app).commands))  # type: ignore[attr-defined]
def test_every_command_has_help_with_an_example(say, command: str) -> None:
    code, out, _ = say(command, "--help")
    assert code == 0
    assert f"Example: ludus {command}" in " ".join(out.split())


def test_help_lists_every_command_in_a_group_with_its_whole_sentence(say) -> None:
    code, out, _ = say("--help")
    assert (code, say("help")[1]) == (0, out)
    words = " ".join(out.split())
    group: Any = typer.main.get_command(app)
    for name, command in group.commands.items():
        assert f"{name} {first_sentence(command.help)}" in words
    assert "More:" not in out
    assert say("help", "match") == say("match", "--help")


def test_the_help_of_train_has_the_settings_of_the_learner(say) -> None:
    assert "alpha=0.05" in say("train", "tdl", "--help")[1]
    assert "alpha=" not in say("train", "--help")[1]


def test_games(say) -> None:
    code, out, _ = say("games")
    assert code == 0
    assert all(name in out for name in ("othello8", "checkers", "go9", "komi"))
    told = json.loads(say("games", "--json")[1])["games"]
    assert {game["name"] for game in told} == {"othello", "checkers", "go"}


def test_perft(say, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = say("perft", "othello6", "--depth", "5")
    assert code == 0
    assert [line.split()[1] for line in out.splitlines()] == ["4", "12", "56", "244", "1,364"]
    assert out.count("as published") == 5
    rows = json.loads(say("perft", "checkers", "--depth", "3", "--json")[1])["rows"]
    assert [(row["nodes"], row["published"]) for row in rows] == [(7, 7), (49, 49), (302, 302)]
    told = json.loads(say("perft", "checkers", "--depth", "3", "--divide", "--json")[1])
    assert (sum(told["moves"].values()), told["nodes"]) == (302, 302)
    position = "--------------OX----XO-------------- X"
    assert say("perft", "othello6", "--depth", "3", "--position", position)[1].split()[-3] == "56"
    monkeypatch.setattr(OthelloType, "perft", {"othello4": (4, 13)})
    code, out, _ = say("perft", "othello4", "--depth", "2")
    assert (code, out.split()[-2:]) == (1, ["PUBLISHED", "13"])


BAD_INPUT = [
    (["perft", "chess"], "unknown game 'chess'; known games: checkers, go9, othello8 (`ludus games` lists them all)"),
    (["perft", "othello5"], "othello can't be played on a board of size 5; its sizes: 4, 6, 8"),
    (["perft", "go1"], "its sizes: 2, 3, 4"),
    (["perft", "go20"], "its sizes: 2, 3, 4"),
    (["perft", "go9:komi=x"], "invalid komi=x: must be a number from -400 to 400"),
    (["perft", "go9:ko=none"], "invalid ko=none: must be one of superko, simple"),
    (["perft", "go9:kom=3"], "go has no option 'kom' (did you mean komi?); its options are komi, ko, rules, plies"),
    (["perft", "othello8", "--depth", "0"], "invalid --depth: must be at least 1"),
    (["perft", "othello8", "--depth", "many"], "invalid --depth: must be a whole number"),
    (["perft", "othello8", "--position", "X"], "write 64 squares row by row"),
    (["perft"], "missing argument: GAME"),
    (["perft", "othello8", "--dept", "3"], "unknown option: --dept"),
    (["match", "heuristc", "random"], "unknown player 'heuristc' (did you mean heuristic?)"),
    (["match", "runs/none", "random"], "there is no file or run runs/none"),
    (["perft", "othelo8"], "unknown game 'othelo8' (did you mean othello8?)"),
    (["mtach", "random", "discs"], "unknown command: mtach; did you mean match?"),
    (["fly"], "unknown command: fly"),
]


@pytest.mark.parametrize(
    ("arguments", "sentence"), BAD_INPUT, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_bad_input_gets_one_sentence_and_exit_code_2(refuses, arguments: list[str], sentence: str) -> None:
    refuses(arguments, sentence)


def test_bench_reports_in_its_documented_form(say) -> None:
    code, out, _ = say("bench", "--json", "--seconds", "0.01", "--rounds", "1")
    assert code == 0
    told = json.loads(out)
    assert [row["work"] for row in told["rows"]] == [
        "othello8 random games",
        "othello8 perft",
        "othello8 piece counters",
        "othello8 search nodes",
        "othello8 network activations",
        "othello8 n-tuple networks",
        "othello6 random games",
        "checkers random games",
        "go5 random games",
        "go7 random games",
        "go9 random games",
        "blondie24 networks",
        "go7 codebook of 1,000 vectors",
        "xcs 50,000 rules",
        "othello8 mcts simulations",
        "go9 mcts simulations",
        "wtb records",
        "pdn records",
        "sgf records",
        "othello8 solver nodes",
    ]
    assert all(row["per_second"] > 0 for row in told["rows"])
    assert all(
        row["vs_openspiel"] > 0
        for row in told["rows"]
        if ("random games" in row["work"] and "othello6" not in row["work"]) or "mcts" in row["work"]
    )
    assert set(told["start"]) == {"cold_seconds", "warm_seconds"}


def on_a_terminal(*arguments: str, columns: int) -> str:
    """What a command shows on a terminal so wide, without colours."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    environment = os.environ | {"COLUMNS": str(columns), "TERM": "xterm", "NO_COLOR": "1"}
    command = [sys.executable, "-m", "ludus", *arguments]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # which is how a terminal ends
            while some := os.read(ours, 65536):
                shown += some
        process.wait()
    os.close(ours)
    return shown.decode().replace("\r", "")


def test_a_narrow_terminal_without_colours() -> None:
    shown = on_a_terminal("games", columns=60)
    assert "…" not in shown
    assert "abramson2001" in "".join(line[50:].strip() for line in shown.splitlines())
    commands = on_a_terminal("--help", columns=60)
    assert "Reproduce" in commands
    assert max(len(re.sub(r"\x1b\[\d*m", "", line)) for line in commands.splitlines()) <= 60
    assert on_a_terminal("fly", columns=60) == "ludus: unknown command: fly\n"


@pytest.mark.parametrize("arguments", [[], ["--help"]])
def test_help_does_not_wait_for_what_is_heavy(arguments: list[str]) -> None:
    """Of all that Ludus needs it imports only what writes the help."""
    needed = [re.match(r"[\w-]+", text)[0] for text in requires("ludus") if "extra ==" not in text]
    heavy = sorted({"sklearn" if name == "scikit-learn" else name for name in needed} - {"typer", "rich"})
    assert {"numba", "scipy", "matplotlib", "sklearn"} <= set(heavy)
    code = f"""
import sys
sys.argv = ["ludus", *{arguments}]
from ludus.interfaces.cli import main
try:
    main()
finally:
    print([name for name in {heavy} if name in sys.modules], file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "[]\n")


def test_a_game_is_checked(say, refuses, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = say("check", "othello4")
    assert (code, out.count("ok ")) == (0, len(out.splitlines()))
    assert len(out.splitlines()) == len(testing.GAME_CHECKS) > 0
    refuses(["check", "chess"], "unknown game 'chess'")

    def broken(game: Game, effort: int) -> None:
        """It is whole."""
        raise testing.CheckError("It is not.")

    monkeypatch.setattr(testing, "GAME_CHECKS", (broken,))
    assert say("check", "othello4")[:2] == (1, "BROKEN  It is whole. It is not.\n")
    code, out, _ = say("check", "othello4", "--json")
    checks = [{"check": "It is whole.", "wrong": "It is not."}]
    assert (code, json.loads(out)) == (1, {"game": "othello4", "checks": checks})
