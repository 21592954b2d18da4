"""PDN as the world writes it, and as we do."""

from dataclasses import replace

import pytest

import ludus
from ludus.records import pdn
from ludus.records.record import BadRecord, Record
from tests.records.games import random_record

ANNOTATED = """\
% exported by hand
[Event "A "friendly" match, \\\\o/"]
[Site "?"]
[Date "1847.??.??"]
[Round "3"]
[Black "Wyllie, J."]
[White "Anderson, A."]
[Result "0-1"]
[GameType "21,B,8,8,N1,0"]
[WhiteTime "1:59:20"]

{ Before the game; (not a variation) } 1. 11-15 {[%clk 0:59:58]} 23-19! 2. 9-14 $1
27x23?! ( 2... 22-17 {A } 3. 5-9 ( 3. 6-9 17-13 ) 17-13 ) 2... ; the rest of a line 3. 1-5
3.8-11 22 - 18 4. 15:22 25x9* 5.\t05x14 29-25 {White is a man up} 0-1
"""


def test_an_annotated_game() -> None:
    (record,) = pdn.read(ANNOTATED)
    assert record == Record(
        ludus.game("checkers"),
        "",
        ("11-15", "23-19", "9-14", "27-23", "8-11", "22-18", "15x22", "25x18x9", "5x14", "29-25"),
        ("Wyllie, J.", "Anderson, A."),
        1.0,
        "",
        (("event", 'A "friendly" match, \\o/'), ("date", "1847.??.??"), ("round", "3"), ("WhiteTime", "1:59:20")),
    )
    assert pdn.read(pdn.write([record])) == [record]


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        ("1-0", 0.0),
        ("0-1", 1.0),
        ("1/2-1/2", 0.5),
        ("2-0", 0.0),
        ("0-2", 1.0),
        ("1-1", 0.5),
        ("0-0", None),
        ("*", None),
    ],
)
def test_results(result: str, outcome: float | None) -> None:
    """Here 1-0 is White's win."""
    assert pdn.read(f"1. 11-15 {result}")[0].outcome == outcome
    assert pdn.read(f'[Result "{result}"]\n1. 11-15')[0].outcome == outcome
    assert pdn.read(f'[Result "{result}"]\n1. 11-15 *')[0].outcome == outcome  # as PDN 3.0 ends every game


def test_a_file_in_which_1_0_is_a_win_for_black() -> None:
    """As in the Open Checkers Archive; a single game that says so, by a comment or by its end, is enough."""
    quiet = '[Black "A"]\n1. 11-15 23-19 1-0\n1. 11-15 1/2-1/2\n1. 11-15 *\n'
    said = '[FEN "W:W30,21:B25,22"] 1. 30-26 {white wins} 0-1\n'
    ended = '[FEN "W:W18,9:B14"] 1. 18-15 14-17 2. 15-10 17-21 3. 10-6 21-25 4. 6-1 25-30 5. 1-6 0-1\n'
    won = '[FEN "B:W18:B14"] 1. 14x23 1-0\n'
    assert [record.outcome for record in pdn.read(quiet)] == [0.0, 0.5, None]
    assert [record.outcome for record in pdn.read(quiet + ended)] == [0.0, 0.5, None, 1.0]
    assert [record.outcome for record in pdn.read(quiet + said)] == [1.0, 0.5, None, 0.0]
    assert [record.outcome for record in pdn.read(quiet + won)] == [1.0, 0.5, None, 1.0]
    assert [record.outcome for record in pdn.read(won.replace("1-0", "*") + quiet)] == [1.0, 0.0, 0.5, None]
    with pytest.raises(BadRecord) as bad:
        pdn.read(quiet + won + "1. 11-11")
    assert [record.outcome for record in bad.value.records] == [1.0, 0.5, None, 1.0]


def test_our_files_say_who_wins() -> None:
    """So a loss on time by whoever has won on the board is not taken for the other way of writing results."""
    (lost,) = pdn.read('[FEN "B:W18:B14"] 1. 14x23 *')
    record = replace(lost, outcome=0.0, reason="time")
    assert "{White wins} 1-0" in pdn.write([record])
    assert pdn.read(pdn.write([record])) == [record]


def test_set_up_positions_and_games_without_moves() -> None:
    study = '[Setup "1"]\n[FEN "W:W32,27,24,22:B20,15,10,7."]\n1... 27-23 20x27 2. 23-18 *\n'
    one, two = pdn.read(study + '[Event "Gem"]\n[FEN "B:W21,K5:BK17,K14"]\n1-0')
    assert one.start == "W:W22,24,27,32:B7,10,15,20:F1"
    assert one.moves == ("27-23", "20x27", "23-18")
    assert (two.moves, two.outcome, two.tags) == ((), 0.0, (("event", "Gem"),))
    assert pdn.read(pdn.write([one, two])) == [one, two]
    (usual,) = pdn.read('[SetUp "1"][FEN "B:W21-32:B1-12"] 1. 11-15')
    assert usual.start == ""


def test_games_without_tags_or_results_follow_one_another() -> None:
    text = '1. 11-15 * 1. 9-13 22-18 1-0 *\n\n[Event "x"] 1. 10-14\n[Event "y"] 1. 12-16'
    assert [record.moves for record in pdn.read(text)] == [("11-15",), ("9-13", "22-18"), ("10-14",), ("12-16",)]


def test_a_long_game_puts_off_the_draw() -> None:
    text = '[FEN "B:WK32:BK1"]' + " 1-5 32-28 5-1 28-32" * 60
    (record,) = pdn.read(text)
    assert record.game.name == "checkers:moves=120"
    assert pdn.read(pdn.write([record])) == [record]
    with pytest.raises(BadRecord, match="move 201: '1-5' can't be played: the game is over"):
        pdn.read('[Rules "moves=100"]' + text)


@pytest.mark.parametrize("name", ["checkers", "checkers:moves=20"])
def test_round_trip(name: str) -> None:
    records = [random_record(name, seed) for seed in range(8)] + [random_record(name, 8, longest=9)]
    records.append(random_record(name, 9, "W:WK3,30:B12,K28:F5"))
    records.append(replace(records[0], reason="illegal move", tags=(("place", "Here"), ("event", 'a "b" \\'))))
    assert pdn.read(pdn.write([replace(records[1], tags=(("Result", "0-0"),))])) == [records[1]]
    assert pdn.read(pdn.write(records)) == records
    assert max(len(line) for line in pdn.write(records).splitlines()) < 80


BAD = [
    ("1. 11-15 23-18\n2. 11-16 *", "line 3", "move 3: '11-16' is not legal for Black"),
    ('[GameType "20"]\n1. 32-28 *', "line 2", "GameType 20 (international draughts) is another game"),
    ('[GameType "99"]\n1. 32-28 *', "line 2", "GameType 99 is another game; Ludus reads GameType 21"),
    ('[FEN "B:W30:B33"] *', "line 2", "is not a square; squares are numbered 1 to 32"),
    (f'[FEN "B:W{"9" * 5000}:B4"] *', "line 2", "the FEN is too long"),
    ("1. 11-15 {no end", "line 2", "it ends with }"),
    ("1. 11-15\n(\n23-18 *", "line 3", "a variation begins with ("),
    ("1. 11-15\n) *", "line 3", "a ) has no ("),
    ("[Event x]\n1. 11-15 *", "line 2", "is not a tag; write one such as"),
    ("1. 11-15 resigns", "line 2", "'resigns' is neither a move nor a result"),
    ('1. 11-15 /FEN "W:W32:B1"/ 2. 32-28', "line 2", "pieces can't be set up in the middle of a game"),
    ('[FEN "B:WK18,K19,K10,K11:BK14"] 1. 14x14', "line 2", "move 1"),
]


@pytest.mark.parametrize(("text", "where", "problem"), BAD, ids=[problem for _, _, problem in BAD])
def test_a_bad_game_is_named_and_those_before_it_are_kept(text: str, where: str, problem: str) -> None:
    with pytest.raises(BadRecord) as bad:
        pdn.read("1. 9-13 *\n" + text)
    assert bad.value.where == f"game 2, {where}"
    assert problem in str(bad.value)
    assert [record.moves for record in bad.value.records] == [("9-13",)]


def test_a_move_that_may_mean_two_needs_its_whole_way() -> None:
    diamond = '[FEN "B:W6,7,14,15:B2"] '
    with pytest.raises(BadRecord, match="is ambiguous; write one of 2x"):
        pdn.read(diamond + "1. 2x18")
    assert pdn.read(diamond + "1. 2x9x18")[0].moves[0].startswith("2x9x18")


def test_othello_cannot_be_written() -> None:
    with pytest.raises(ludus.LudusError, match="game 1 can't be written: PDN can't hold games of othello8"):
        pdn.write([random_record("othello8", 1, longest=3)])
