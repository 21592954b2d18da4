"""SGF as the world writes it, and as we do."""

import re
from dataclasses import replace

import pytest

import ludus
from ludus.records import sgf
from ludus.records.record import BadRecord, Record
from tests.records.games import random_record

KGS = r"""
 (;GM[1]FF[4]CA[UTF-8]AP[CGoban:3]ST[2]
RU[Japanese]SZ[9]KM[6.50]TM[600]OT[5x20 byo-yomi]
PW[white \] one]PB[the \
black one]WR[2d]BR[1k]DT[2006-05-07]EV[Some
Cup]PC[The KGS Go Server at http://www.gokgs.com/]C[white [2d\]: hi ; (not a variation)
]RE[W+Resign]XX[a][b]YY[7]
;B[fd]BL[598.2](;W[cf]WL[590.1]C[hello (;B[aa\])];B[dg]LB[dg:A][cf:B](;W[])(;W[ee];B[eg]))
(;W[ff];B[cc]))
"""


def test_a_file_from_a_server() -> None:
    (record,) = sgf.read(KGS)
    assert record == Record(
        ludus.game("go9:komi=6.5"),
        "",
        ("F6", "C4", "D3", "pass"),
        ("the black one", "white ] one"),
        0.0,
        "resigned",
        (
            ("RU", "Japanese"),
            ("TM", "600"),
            ("OT", "5x20 byo-yomi"),
            ("WR", "2d"),
            ("BR", "1k"),
            ("date", "2006-05-07"),
            ("event", "Some Cup"),
            ("place", "The KGS Go Server at http://www.gokgs.com/"),
            ("YY", "7"),
        ),
    )
    assert sgf.read(sgf.write([record])) == [record]


def test_handicap_and_set_up_stones() -> None:
    (record,) = sgf.read("(;GM[1]SZ[5]HA[2]KM[0]AB[bb][dd];AW[aa:ba]AE[aa];W[cc];B[cd])")
    assert record.start == ".O.../.X.../...../...X./..... O"
    assert record.moves == ("C3", "C2")
    assert record.tags == (("HA", "2"),)
    assert sgf.read(sgf.write([record])) == [record]
    assert sgf.read("(;SZ[5]HA[2]AB[bb][dd])")[0].start.endswith(" O")
    assert sgf.read("(;SZ[5]AB[bb])")[0].start.endswith(" X")
    assert sgf.read("(;SZ[5]AB[bb]PL[W])")[0].start.endswith(" O")
    assert sgf.read("(;SZ[5];W[bb])")[0].start == "...../...../...../...../..... O"


def test_collections_defaults_and_old_names() -> None:
    records = sgf.read("Dear friend,\n(;;B[tt];W[])\n\n(;GaMe[1]SiZe[7]KoMi[5,5];Black[gg])(;SZ[7:7];B[aa];W[bb];)\n--")
    assert [record.game.name for record in records] == ["go19:komi=0.0", "go7:komi=5.5", "go7:komi=0.0"]
    assert [record.moves for record in records] == [("pass", "pass"), ("G1",), ("A7", "B6")]


def test_names_in_lower_case() -> None:
    usual = "(;GM[1]SZ[7]KM[5.5]AB[aa][bb]PB[one];W[cc];B[dd])(;GM[2]SZ[8];B[fe])"
    lower = re.sub(r"[A-Z]+(?=\[)", lambda name: name[0].lower(), usual)
    assert lower != usual
    assert sgf.read(lower) == sgf.read(usual)
    assert [record.moves for record in sgf.read(lower)] == [("C5", "D4"), ("f5",)]
    read = sgf.read("(;size[9];black[aa])" + lower)
    assert len(read) == 2
    assert "size is no property; write names in upper case, such as B[dd]" in str(read.problems)


def test_komi_in_hundredths() -> None:
    assert sgf.read("(;KM[375];B[dd])")[0].game.name == "go19:komi=3.75"


def test_a_side_that_moves_twice_and_passes_after_the_end() -> None:
    (record,) = sgf.read("(;SZ[5];B[aa];B[bb];W[];B[];W[])")
    assert record.moves == ("A5", "pass", "B4", "pass", "pass")


def test_a_game_that_repeats_positions_is_read_with_simple_ko() -> None:
    text = sgf.write(random_record("go3:ko=simple", seed, longest=30) for seed in range(30))
    names = [record.game.name for record in sgf.read(text.replace("RU[ko=simple]", ""))]
    assert set(names) == {"go3", "go3:ko=simple"}
    japanese = sgf.read(text.replace("RU[ko=simple]", "RU[Japanese]"))
    assert {record.tags for record in japanese} == {(("RU", "Japanese"),)}
    assert [record.game.name for record in sgf.read(sgf.write(japanese))] == names


RESULTS = [
    ("B+3.5", 1.0, "", "+3.5"),
    ("W+0.5", 0.0, "", "-0.5"),
    ("W+12,5", 0.0, "", "-12.5"),
    ("W+1/2", 0.0, "", ""),
    ("B+12 3/4", 1.0, "", ""),
    ("B+R", 1.0, "resigned", ""),
    ("W+Resign", 0.0, "resigned", ""),
    ("B+T", 1.0, "time", ""),
    ("White+Time", 0.0, "time", ""),
    ("W+F", 0.0, "forfeit", ""),
    ("b+", 1.0, "", ""),
    ("0", 0.5, "", ""),
    ("Draw", 0.5, "", ""),
    ("Void", None, "void", ""),
    ("?", None, "", ""),
    ("", None, "", ""),
]


@pytest.mark.parametrize(("said", "outcome", "reason", "score"), RESULTS)
def test_results(said: str, outcome: float | None, reason: str, score: str) -> None:
    (record,) = sgf.read(f"(;SZ[9]RE[{said}];B[ee])")
    assert (record.outcome, record.reason, record.tag("score")) == (outcome, reason, score)
    assert sgf.read(sgf.write([record])) == [record]


def test_a_result_in_other_words_is_kept() -> None:
    (record,) = sgf.read("(;SZ[9]RE[Both lose];B[ee])")
    assert (record.outcome, record.tags) == (None, (("RE", "Both lose"),))
    assert "RE[Both lose]" in sgf.write([record])


def test_othello() -> None:
    text = "(;GM[2]SZ[8]PB[A]PW[B];B[fe];W[df];B[cc];W[dc];B[cd])"
    (record,) = sgf.read(text)
    assert record == Record(ludus.game("othello8"), "", ("f5", "d6", "c3", "d3", "c4"), ("A", "B"), None)
    edax = "(;FF[4]GM[2]SZ[8]PB[A]PW[B]AB[e4][d5]AW[d4][e5]PL[B]RE[?]\nB[f5];W[d6];\nB[c3];W[d3];\nB[c4];)"
    assert sgf.read(edax) == [record]
    assert "AB[ed][de]AW[dd][ee]PL[B]" in sgf.write([record])


def test_forced_passes_may_be_missing_in_othello() -> None:
    passing = [record for seed in range(40) if "pass" in (record := random_record("othello8", seed)).moves]
    assert passing
    text = sgf.write(passing)
    assert sgf.read(text) == passing
    assert sgf.read(text.replace(";B[]", "").replace(";W[]", "")) == passing
    assert sgf.read(text.replace("[]", "[PA]")) == passing


@pytest.mark.parametrize(
    "name", ["go5", "go9:komi=5.5", "go9:ko=simple,plies=200", "go19", "othello4", "othello6", "othello8"]
)
def test_round_trip(name: str) -> None:
    records = [random_record(name, 1), random_record(name, 2, longest=17), random_record(name, 3, longest=0)]
    assert sgf.read(sgf.write(records)) == records


def test_round_trip_from_other_positions() -> None:
    records = [
        random_record("go5", 1, ".X.O./X...O/..X../...../..... O", 30),
        random_record("othello6", 1, "------" * 2 + "--OX--" + "--XXX-" + "------" * 2 + " O"),
    ]
    assert sgf.read(sgf.write(records)) == records


def test_what_sgf_holds_of_reasons() -> None:
    record = replace(random_record("go5", 4, longest=6), outcome=1.0, reason="illegal move", players=("a]\\", "\x07[b"))
    (again,) = sgf.read(sgf.write([record]))
    assert (again.moves, again.outcome, again.reason, again.players) == (record.moves, 1.0, "forfeit", ("a]\\", "[b"))


BAD = [
    ("(;GM[1]SZ[9]\n;B[ee];W[ee])", "line 2", "'E5' is not legal for White"),
    ("(;GM[4]SZ[9];B[ee])", "line 1", "GM[1] is Go and GM[2] is Othello"),
    ("(;SZ[9:13];B[ee])", "line 1", "go can't be played on a board of 9x13"),
    ("(;SZ[20];B[ee])", "line 1", "go can't be played on a board of 20; boards are square, of sizes 2, 3"),
    ("(;GM[2]\nSZ[19];B[ee])", "line 2", "boards are square, of sizes 4, 6, 8"),
    ("(;SZ[9]\n\n;B[zz])", "line 3", "'zz' is not a point of this board; a point is two letters from a to i"),
    ("(;SZ[9]KM[many];B[ee])", "line 1", "write komi such as KM[6.5]"),
    ("(;SZ[9];B[ee]\n;W[dd", "line 2", "close it with ]"),
    ("(;SZ[9];B[ee]\n", "line 2", "the file ends inside a game"),
    ("(;SZ[9];\nB[ee];[dd])", "line 2", "the value [dd] has no name"),
    ("(;SZ[9];B;W[dd])", "line 1", "B has no value; write B[...]"),
    ("(;SZ[9];B[ee] 7)", "line 1", "unexpected '7'"),
    ("(;SZ[3]AB[aa][ab][ba]AW[ac][bb][ca];B[cc])", "line 1", "has stones without a liberty"),
    ("(;GM[2];W[fe])", "line 1", "is by the wrong side: it is Black's turn"),
]


@pytest.mark.parametrize(("text", "where", "problem"), BAD, ids=[problem for _, _, problem in BAD])
def test_a_bad_game_is_named_and_those_before_it_are_kept(text: str, where: str, problem: str) -> None:
    good = "(;SZ[9];B[aa])"
    with pytest.raises(BadRecord) as bad:
        sgf.read(good + text, strict=True)
    assert (bad.value.number, bad.value.where) == (2, where)
    assert problem in str(bad.value)
    assert bad.value.records == sgf.read(good)


def test_checkers_cannot_be_written() -> None:
    with pytest.raises(ludus.LudusError, match="game 2 can't be written: SGF can't hold games of checkers"):
        sgf.write([random_record("go5", 1, longest=3), random_record("checkers", 1, longest=3)])


def test_illegal_games_are_not_written() -> None:
    record = replace(random_record("go5", 1, longest=1), moves=("C3", "C3"))
    with pytest.raises(ludus.LudusError, match="game 1 can't be written: move 2: 'C3' is not legal for White"):
        sgf.write([record])
