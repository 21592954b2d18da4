"""Our players behind GTP and NBoard: scripted conversations, and whole games for other programs."""

import io
import random
import shutil
import sys
from pathlib import Path

import pytest

import ludus
from ludus.games.game import Game
from ludus.interfaces import gtp, nboard
from ludus.interfaces.engine_board import bounded_lines
from ludus.interfaces.gtp import GtpServer
from ludus.interfaces.nboard import NBoardServer
from ludus.play.matches import match
from ludus.players.base import Player
from ludus.players.names import player


def gtp_server(name: str = "random", game: str = "go5") -> GtpServer:
    return GtpServer(lambda variant: player(name, variant), ludus.game(game), name)


def nboard_server(name: str = "heuristic") -> NBoardServer:
    return NBoardServer(lambda variant: player(name, variant), ludus.game("othello8"), name)


CONVERSATION = [
    ("protocol_version", "= 2"),
    ("7 name", "=7 Ludus random"),
    ("version", f"= {ludus.__version__}"),
    ("known_command genmove", "= true"),
    ("known_command fly", "= false"),
    ("known_command", "? syntax error"),
    ("fly", "? unknown command"),
    ("12 fly # to the moon", "?12 unknown command"),
    ("boardsize 4", "="),
    ("boardsize 99", "? unacceptable size"),
    ("boardsize big", "? syntax error"),
    ("boardsize", "? syntax error"),
    ("clear_board", "="),
    ("komi 5.5", "="),
    ("komi much", "? syntax error"),
    ("komi nan", "? syntax error"),
    ("play black B2", "="),
    ("play white b2", "? illegal move"),
    ("play white", "? syntax error"),
    ("play green C3", "? syntax error"),
    ("play white I9", "? illegal move"),
    ("\tplay\twh\x07ite\tC3\r", "="),
    ("play white D4", "="),  # out of turn, as a handicap: Black has passed
    ("komi 0.5", "="),
    ("final_score", "? cannot score: the game is not over"),
    ("undo", "="),  # and Black's pass with it
    ("undo", "="),
    ("undo", "="),
    ("undo", "? cannot undo"),
    ("time_settings 60 10 1", "="),
    ("time_left b 60 0", "="),
    ("play b pass", "="),
    ("play w pass", "="),
    ("final_score", "= W+0.5"),
    ("play b A1", "? illegal move"),
    ("genmove b", "= pass"),
    ("genmove", "? syntax error"),
    ("quit", "="),
]


def test_a_conversation_over_gtp() -> None:
    server, out = gtp_server(), io.StringIO()
    server.serve([line + "\n" for line, _ in CONVERSATION] + ["name\n"], out)
    answers = out.getvalue().split("\n\n")
    assert answers[-1] == ""  # nothing after quit
    assert list(zip([line for line, _ in CONVERSATION], answers, strict=False)) == CONVERSATION
    commands = gtp_server().answer("list_commands").removeprefix("= ").split()
    required = "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove"
    assert set(required.split()) <= set(commands)
    assert all(gtp_server().answer(f"known_command {each}") == "= true\n\n" for each in commands)


def test_moves_out_of_turn_leave_nothing_behind_when_they_are_taken_back_or_only_asked_for() -> None:
    server = gtp_server()
    for line in ("play b C3", "play b D3", "genmove b", "reg_genmove b"):
        assert server.answer(line).startswith("=")
    assert server.board.moves[:4] == ["C3", "pass", "D3", "pass"]
    assert len(server.board.moves) == 5
    for left in (3, 1, 0):
        assert server.answer("undo") == "=\n\n"
        assert len(server.board.moves) == left
    assert server.answer("reg_genmove w").startswith("= ")
    assert server.answer("play b C3") == "=\n\n"
    assert server.board.moves == ["C3"]


def test_a_forced_pass_that_was_left_out_is_taken_back_with_the_move_after_it() -> None:
    server, position = gtp_server(game="othello6"), ludus.game("othello6").start()
    for move in until_a_forced_pass():
        server.answer(f"play {'bw'[position.current_player]} {move}")
        position = position.play(move)
    assert server.answer(f"genmove {'bw'[1 - position.current_player]}").startswith("=")
    assert server.answer("undo") == "=\n\n"
    assert server.board.position == position


def test_a_player_whose_file_is_gone_ends_no_session() -> None:
    there = [True]

    def make(variant: Game) -> Player:
        if not there:
            raise ludus.LudusError("the file\n\nis gone")
        return player("random", variant)

    server = GtpServer(make, ludus.game("go5"), "random")
    there.clear()
    assert server.answer("8 clear_board") == "?8 the file is gone\n\n"
    assert server.answer("genmove b").startswith("= ")


def test_whole_games_over_gtp_are_legal() -> None:
    for name in ("go4", "othello6"):
        server, position = gtp_server(game=name), ludus.game(name).start()
        while not position.over:
            move = server.answer(f"genmove {'bw'[position.current_player]}").removeprefix("= ").strip()
            position = position.play(move)
        assert server.board.position == position
        assert server.answer("final_score")[0] == "="


def until_a_forced_pass() -> list[str]:
    """The moves of a game of Othello up to a position in which there is no move."""
    for seed in range(100):
        choice, position, moves = random.Random(seed), ludus.game("othello6").start(), []
        while not position.over and position.legal_moves != ["pass"]:
            moves.append(choice.choice(position.legal_moves))
            position = position.play(moves[-1])
        if not position.over:
            return moves
    raise AssertionError


@pytest.mark.parametrize("sent", [True, False])
def test_a_forced_pass_in_othello_may_be_sent_or_not(sent: bool) -> None:
    server, position = gtp_server(game="othello6"), ludus.game("othello6").start()
    for move in until_a_forced_pass():
        assert server.answer(f"play {'bw'[position.current_player]} {move}") == "=\n\n"
        position = position.play(move)
    passing = "bw"[position.current_player]
    if sent:
        assert server.answer(f"play {passing} pass") == "=\n\n"
    position = position.play("pass")
    assert server.answer(f"play {'bw'[position.current_player]} {position.legal_moves[0]}") == "=\n\n"
    assert server.board.position == position.play(position.legal_moves[0])


def test_hostile_lines_are_answered_and_nothing_breaks() -> None:
    server = gtp_server()
    for line in (
        "",
        "   ",
        "#",
        "\0\0",
        "9" * 10_000,
        "play " * 5000,
        "é\x1b[2J",
        "1 2 3",
        "-1 name",
        "play b " + "A" * 9999,
    ):
        answer = server.answer(line)
        assert answer == "" or (answer[0] in "=?" and answer.endswith("\n\n"))
    assert server.answer("name") == "= Ludus random\n\n"


def test_a_game_that_gtp_does_not_know_is_refused(refuses) -> None:
    refuses(["gtp", "random", "--game", "checkers"], "GTP can't play checkers")


def test_the_commands_listen_and_answer(say, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("1 name\n2 boardsize 4\n3 genmove b\nquit\nname\n"))
    code, out, _ = say("gtp", "ranking:B2", "--game", "go5")
    assert (code, out) == (0, "=1 Ludus ranking:B2\n\n=2\n\n=3 B2\n\n=\n\n")
    monkeypatch.setattr(sys, "stdin", io.StringIO("nboard 2\nping 7\nquit\nping 8\n"))
    code, out, _ = say("nboard", "random")
    assert (code, out) == (0, "set myname Ludus random\npong 7\n")


OURS = f"gtp:{sys.executable} -m ludus gtp"


@pytest.mark.skipif(not Path("/usr/games/gnugo").exists(), reason="gnugo is not installed")
def test_games_against_gnugo_through_our_own_gtp() -> None:
    gtp_server("wally").answer("genmove b")  # compiled here, where no clock runs
    go = ludus.game("go5:komi=0.5")
    gnugo = "gtp:gnugo --mode gtp --level 1 --chinese-rules --positional-superko --capture-all-dead --never-resign"
    played = match(player(f"{OURS} wally --game go5", go), player(gnugo, go), 4, opening="none", record=True)
    assert not played.reasons
    assert [len(record.moves) > 5 for record in played.records()] == [True] * 4


@pytest.mark.skipif(not shutil.which("gtp-rhino", path="/usr/games"), reason="gtp-rhino is not installed")
def test_games_against_rhino_through_our_own_gtp() -> None:
    gtp_server("heuristic", "othello8").answer("genmove b")
    othello = ludus.game("othello8")
    played = match(
        player(f"{OURS} heuristic --game othello8", othello), player("gtp:gtp-rhino", othello), 2, opening="none"
    )
    assert not played.reasons
    assert len(played.scores) == 2


BOARD = f"8 {'-' * 27}O*{'-' * 6}*O{'-' * 27} *"
GAME = f"(;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[15:00]TY[8]BO[{BOARD}]B[F5]W[F6];)"


def test_a_conversation_over_nboard() -> None:
    server, out = nboard_server(), io.StringIO()
    commands = ["nboard 2", "set depth 6", f"set game {GAME}", "ping 3", "hint 2", "go", "move E6/1.00/0.2", "learn"]
    server.serve(
        [line + "\n" for line in [*commands, "dance", "move a1", "set game (;nonsense", "go", "quit", "ping 9"]], out
    )
    lines = out.getvalue().splitlines()
    assert lines[0] == "set myname Ludus heuristic"
    assert lines[1] == "pong 3"
    after = ludus.game("othello8").start().play("f5").play("f6")
    hints = [line.split() for line in lines[2:4]]
    assert [each[0] for each in hints] == ["search", "search"]
    assert {each[1].lower() for each in hints} <= set(after.legal_moves)
    assert float(hints[0][2]) >= float(hints[1][2])
    (first, second) = [line.split("/")[0].removeprefix("=== ").lower() for line in lines if line.startswith("===")]
    assert first == hints[0][1].lower()
    assert second in after.play("e6").legal_moves  # neither nonsense nor an illegal move has changed anything
    assert "learned" in lines
    assert "pong 9" not in lines


def test_nboard_says_what_is_wrong_with_a_game() -> None:
    (answer,) = nboard_server().answers(f"set game {GAME.replace('F6', 'A1')}")
    assert answer.startswith("status game 1, line 1: move 2: 'a1' is not legal")
    assert nboard_server().answers("set game none") == ["status expected one game in GGF, found 0"]


def test_nboard_passes_and_sees_the_end() -> None:
    server, position = nboard_server("random"), ludus.game("othello8").start()
    while not position.over:
        (answer,) = [line for line in server.answers("go") if line.startswith("===")]
        move = answer.split()[1].split("/")[0]
        server.answers(f"move {move}")
        position = position.play("pass" if move == "PA" else move)
    assert server.answers("go") == ["status the game is over"]
    assert server.answers("hint 3") == ["status"]


def test_a_player_that_is_a_program_and_fails_has_lost() -> None:
    """The board itself goes on, and so does the conversation."""
    server = gtp_server("gtp:false")
    assert [server.answer(line) for line in ("genmove b", "play b C3", "genmove w", "undo")] == [
        "= resign\n\n", "=\n\n", "= resign\n\n", "=\n\n",
    ]  # fmt: skip
    assert nboard_server("gtp:false").answers("go") == ["status the player has lost: did not start"]


def test_a_line_without_end_fills_no_memory() -> None:
    class Endless(io.StringIO):
        def __init__(self, last: str) -> None:
            super().__init__("x" * 10**6 + "\nname\n" + last)
            self.longest = 0

        def readline(self, size: int | None = -1, /) -> str:
            line = super().readline(-1 if size is None else size)
            self.longest = max(self.longest, len(line))
            return line

    for server, most in ((gtp_server(), gtp.MAX_LINE), (nboard_server(), nboard.MAX_LINE)):
        lines, out = Endless("ping 1\nquit\nname"), io.StringIO()
        server.serve(bounded_lines(lines, most), out)
        assert f"the line is too long: at most {most} characters are accepted" in out.getvalue().splitlines()[0]
        assert "Ludus random" in out.getvalue() or "pong 1" in out.getvalue()
        assert lines.longest == most + 1
