"""Files as the world writes them, written by hand: what is good in them is read, and what is not is named."""

from pathlib import Path

import pytest

from ludus.records.files import read_games, write_games
from ludus.records.record import BadRecord, Games

CORPUS = Path(__file__).with_name("corpus")


def moves(games: Games) -> list[str]:
    return [" ".join(record.moves) for record in games]


def problems(games: Games) -> list[tuple[int, str]]:
    """Of each bad game its number and line, and the beginning of what is wrong."""
    return [(bad.number, f"{bad.where}: {bad.problem}") for bad in games.problems]


def named(found: list[tuple[int, str]], wanted: list[tuple[int, str]]) -> bool:
    return [number for number, _ in found] == [number for number, _ in wanted] and all(
        said.startswith(begins) for (_, said), (_, begins) in zip(found, wanted, strict=True)
    )


def test_annotated_pdn() -> None:
    games = read_games(CORPUS / "annotated.pdn")
    line = "11-15 23-19 8-11 22-17 11-16 24-20 16x23 27x18x11 7x16 20x11"
    assert moves(games) == [line, line, "12-16", "12-16 24-20"]
    assert [record.outcome for record in games] == [1.0, 1.0, None, 0.5]
    assert games[0].tag("event") == "Club evening; round 1 {of 4}"
    assert games.problems == []


def test_pdn_with_typos() -> None:
    games = read_games(CORPUS / "typos.pdn")
    assert [record.tag("event") for record in games] == [
        "Good one", "Good again", "Words after the result", "Good at last", "",
    ]  # fmt: skip
    assert [record.outcome for record in games] == [0.0, None, None, 0.5, None]
    wanted = [
        (2, "line 7: '2l-17' is neither a move nor a result"),
        (3, "line 11: move 4: '99-98' is not legal"),
        (4, "line 14: a comment begins with { but has no end"),
        (6, "line 19: a variation begins with ( but has no end"),
        (7, "line 22: '[Event Without quote' is not a tag"),
        (9, "line 27: 'as' is neither a move nor a result"),
        (11, "line 33: 'resigns' is neither a move nor a result"),
    ]
    assert named(problems(games), wanted), problems(games)
    with pytest.raises(BadRecord, match=r"typos.pdn, game 2, line 7: '2l-17'") as bad:
        read_games(CORPUS / "typos.pdn", strict=True)
    assert len(bad.value.records) == 1


def test_positions_in_pdn() -> None:
    games = read_games(CORPUS / "positions.pdn")
    assert [record.start for record in games[:2]] == ["W:WK1,22:BK12,K32:F1", "W:WK3,K4,5,30:B12:F1"]
    assert moves(games) == ["1-6 12-16", "5-1", "2x11x18 14-10 18-23", "2x9x18 15-10 18-23", games[4].moves[0]]
    assert games[4].moves[0].startswith("14x")
    assert named(problems(games), [(5, "line 20: move 1: '2x18' is ambiguous; write one of 2x9x18, 2x11x18")])


def test_edited_sgf() -> None:
    games = read_games(CORPUS / "edited.sgf")
    taught, resumed, rectangle, turned = games
    assert taught.moves == ("C3", "B4", "C4", "B3", "C5")
    assert taught.setups == (
        (2, "OO.../...../..X../...X./...X. O ply=2"),
        (4, "XO.../..O../.XX../...X./...X. O ply=4"),
    )
    assert [position.text for position in taught.positions()][2] == taught.setups[0][1]
    assert taught.positions()[-1].cells.sum() == 2
    assert resumed.moves == ("C3", "B4", "pass", "pass", "C4", "B3", "pass", "pass")
    assert resumed.setups == ((4, "...../.O.../..X../...../..... O ply=4"),)
    assert rectangle.start == "XX.../XX.../..O../..O../..O.X O"
    assert turned.setups == ((1, "--------O-----XX----XO-------------- O"),)
    wanted = [(3, "line 11: 'bb:ce' is not a point"), (5, "line 15: move 1: 'd4' is not legal for Black here")]
    assert named(problems(games), wanted), problems(games)


def test_set_up_positions_are_written_too(tmp_path: Path) -> None:
    games = read_games(CORPUS / "edited.sgf")
    write_games(tmp_path / "again.sgf", games)
    assert read_games(tmp_path / "again.sgf") == games


def test_broken_sgf() -> None:
    games = read_games(CORPUS / "broken.sgf")
    assert moves(games) == ["E5", "A9 B8", "B8", "C7 D6"]
    assert games.numbers == [1, 4, 6, 9]
    wanted = [
        (2, "line 2: move 2: 'E5' is not legal for White here"),
        (3, "line 3: a value begins with [ but never ends"),
        (5, "line 6: the game has no end before the next one begins"),
        (7, "line 7: unexpected '7'"),
        (8, "line 8: GM[40] is another game"),
        (10, "line 12: the file ends inside a game"),
    ]
    assert named(problems(games), wanted), problems(games)


def test_ggf_from_a_server() -> None:
    games = read_games(CORPUS / "server.ggf")
    assert moves(games) == ["f5 f6 e6", "f5 d6"]
    wanted = [(2, "line 2: move 1: 'a1' is not legal"), (3, "line 3: a value begins with [ but never ends")]
    assert named(problems(games), wanted), problems(games)


@pytest.mark.parametrize("charset", ["utf-16", "utf-16-be"])
@pytest.mark.parametrize("name", ["edited.sgf", "typos.pdn", "server.ggf"])
def test_utf_16(tmp_path: Path, name: str, charset: str) -> None:
    mark = b"" if charset == "utf-16" else b"\xfe\xff"
    (tmp_path / name).write_bytes(mark + (CORPUS / name).read_text().replace("First", "Źródło").encode(charset))
    assert read_games(tmp_path / name) == read_games(CORPUS / name)
