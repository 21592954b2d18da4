"""PDN as the world writes it, and as we do."""

from dataclasses import replace

import pytest

import ludus
from ludus.records import pdn, replaying
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
    (record,) = pdn.read(ANNOTATED, result="white")
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
    """As they are where 1-0 is White's win, and where it is the first mover's."""
    other = None if outcome is None else 1 - outcome
    for meaning, wanted in (("white", outcome), ("first-mover", other)):
        assert pdn.read(f"1. 11-15 {result}", result=meaning)[0].outcome == wanted
        assert pdn.read(f'[Result "{result}"]\n1. 11-15', result=meaning)[0].outcome == wanted
        dashed = result.replace("-", "\u2013")
        assert pdn.read(f"1. 11\u201315 22\u201317 2. {dashed}", result=meaning)[0].outcome == wanted
        assert pdn.read(f'[Result "{dashed}"]\n1. 11-15', result=meaning)[0].outcome == wanted
        # as PDN 3.0 ends every game
        assert pdn.read(f'[Result "{result}"]\n1. 11-15 *', result=meaning)[0].outcome == wanted


QUIET = '[Black "A"]\n1. 11-15 23-19 1-0\n1. 11-15 1/2-1/2\n1. 11-15 *\n'
SAID = '[FEN "W:W30,21:B25,22"] 1. 30-26 {white wins} 0-1\n'
ENDED = '[FEN "W:W18,9:B14"] 1. 18-15 14-17 2. 15-10 17-21 3. 10-6 21-25 4. 6-1 25-30 5. 1-6 0-1\n'
WON = '[FEN "B:W18:B14"] 1. 14x23 1-0\n'
AHEAD = '[FEN "B:W30,31,32:B1,2"] 1. 1-5 {} 0-1\n'
"""White is a man ahead, and 0-1 would be its win if 1-0 were the first mover's."""


@pytest.mark.parametrize(
    ("text", "outcomes"),
    [
        (QUIET + SAID, [1.0, 0.5, None, 0.0]),
        (QUIET + WON, [1.0, 0.5, None, 1.0]),
        (QUIET + WON.replace("1-0", "0-1"), [0.0, 0.5, None, 1.0]),
        (QUIET + SAID.replace("white wins", "Black resigned."), [1.0, 0.5, None, 0.0]),
        (QUIET + 6 * AHEAD, [1.0, 0.5, None, *6 * [0.0]]),
        (QUIET + 6 * AHEAD.replace("0-1", "1-0"), [0.0, 0.5, None, *6 * [0.0]]),
        (QUIET + 5 * AHEAD.replace("[FEN", '[GameType "21,B,8,8,N1,0"][FEN'), [1.0, 0.5, None, *5 * [0.0]]),
        # a slip does not outweigh what most games show
        (QUIET + WON + 20 * AHEAD.replace("0-1", "1-0"), [0.0, 0.5, None, 0.0, *20 * [0.0]]),
        (QUIET.replace("1-0", "*"), [None, 0.5, None]),
    ],
)
def test_all_games_of_a_file_tell_what_1_0_means(text: str, outcomes: list[float | None]) -> None:
    assert [record.outcome for record in pdn.read(text)] == outcomes


def test_the_reason_is_given_in_a_line() -> None:
    why = "1-0 is read as a win for Black, who moves first, as in 1 of 1 games whose winner is known"
    assert pdn.read(WON).remark == why
    assert pdn.read(6 * AHEAD).remark.endswith("as in 6 of 6 games that stop with one side ahead")
    begins = AHEAD.replace("[FEN", '[GameType "21,B,8,8,N1,0"][FEN')
    assert pdn.read(5 * begins).remark.endswith("with one side ahead; GameType says that Black begins")
    assert pdn.read(WON, result="first-mover").remark == pdn.read("1. 11-15 *").remark == ""


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        (QUIET, "no game shows it"),
        (QUIET + 5 * AHEAD, "for first-mover speak 5 of 5 games that stop with one side ahead"),
        (WON + WON.replace("1-0", "0-1"), "for white speak 1 of 2 games whose winner is known"),
        (QUIET + 60 * AHEAD + 40 * AHEAD.replace("0-1", "1-0"), "60 of 100 games"),
    ],
)
def test_thin_evidence_asks_for_the_option(text: str, seen: str) -> None:
    with pytest.raises(ludus.errors.InvalidSetting, match="say --pdn-result first-mover or white") as unclear:
        pdn.read(text)
    assert seen in str(unclear.value)
    assert len(pdn.read(text, result="white")) == len(pdn.read(text, result="first-mover"))
    with pytest.raises(ludus.errors.InvalidSetting, match="must be first-mover or white"):
        pdn.read(text, result="black")


def test_captures_that_are_due_are_made_before_pieces_are_counted() -> None:
    """Black is a man down, but takes two at once."""
    text = '[FEN "W:W10,14,32:B2,12"] 1. 10-6 1-0\n'
    assert "win for Black" in pdn.read(6 * text).remark


def test_our_files_say_who_wins() -> None:
    """So a loss on time by whoever has won on the board is not taken for the other way of writing results."""
    (lost,) = pdn.read('[FEN "B:W18:B14"] 1. 14x23 *')
    record = replace(lost, outcome=0.0, reason="time")
    assert "{White wins} 1-0" in pdn.write([record])
    assert pdn.read(pdn.write([record])) == [record]


def test_set_up_positions_and_games_without_moves() -> None:
    study = '[Setup "1"]\n[FEN "W:W32,27,24,22:B20,15,10,7."]\n1... 27-23 20x27 2. 23-18 *\n'
    one, two = pdn.read(study + '[Event "Gem"]\n[FEN "B:W21,K5:BK17,K14"]\n1-0', result="white")
    assert one.start == "W:W22,24,27,32:B7,10,15,20:F1"
    assert one.moves == ("27-23", "20x27", "23-18")
    assert (two.moves, two.outcome, two.tags) == ((), 0.0, (("event", "Gem"),))
    assert pdn.read(pdn.write([one, two])) == [one, two]
    (usual,) = pdn.read('[SetUp "1"][FEN "B:W21-32:B1-12"] 1. 11-15')
    assert usual.start == ""


def test_games_without_tags_or_results_follow_one_another() -> None:
    text = '1. 11-15 * 1. 9-13 22-18 1-0 *\n\n[Event "x"] 1. 10-14\n[Event "y"] 1. 12-16'
    found = pdn.read(text, result="white")
    assert [record.moves for record in found] == [("11-15",), ("9-13", "22-18"), ("10-14",), ("12-16",)]


def test_a_long_game_puts_off_the_draw() -> None:
    text = '[FEN "B:WK32:BK1"]' + " 1-5 32-28 5-1 28-32" * 60
    (record,) = pdn.read(text)
    assert record.game.name == "checkers:moves=120"
    assert pdn.read(pdn.write([record])) == [record]
    with pytest.raises(BadRecord, match="move 201: '1-5' can't be played: the game is over"):
        pdn.read('[Rules "moves=100"]' + text, strict=True)


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
]


@pytest.mark.parametrize(("text", "where", "problem"), BAD, ids=[problem for _, _, problem in BAD])
def test_a_bad_game_is_named_and_those_before_it_are_kept(text: str, where: str, problem: str) -> None:
    with pytest.raises(BadRecord) as bad:
        pdn.read("1. 9-13 *\n" + text, strict=True)
    assert (bad.value.number, bad.value.where) == (2, where)
    assert problem in str(bad.value)
    assert [record.moves for record in bad.value.records] == [("9-13",)]


def test_a_move_that_may_mean_two_needs_its_whole_way() -> None:
    diamond = '[FEN "B:W6,7,14,15:B2"] '
    with pytest.raises(BadRecord, match="is ambiguous; write one of 2x"):
        pdn.read(diamond + "1. 2x18", strict=True)
    assert pdn.read(diamond + "1. 2x9x18")[0].moves[0].startswith("2x9x18")


def test_the_numbers_of_moves_that_the_rest_of_a_game_settles_are_known() -> None:
    """Who learns from a file looks them up."""
    replaying._texts.cache_clear()
    (record,) = pdn.read('[FEN "B:W6,7,14,15:B2"] 1. 2x18 15-10 *')
    assert record.moves == ("2x9x18", "15-10")
    assert set(record.moves) <= set(replaying.move_numbers(record.game))


def test_othello_cannot_be_written() -> None:
    with pytest.raises(ludus.LudusError, match="game 1 can't be written: PDN can't hold games of othello8"):
        pdn.write([random_record("othello8", 1, longest=3)])
