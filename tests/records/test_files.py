"""Files by their endings, in any character set; and files that something has gone wrong with."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

import ludus
from ludus.records.files import check_format, read_games, write_games
from ludus.records.record import BadRecord, Record
from tests.effort import EFFORT
from tests.records.games import random_record

SUITED = {
    ".sgf": ["go5", "othello6"],
    ".pdn": ["checkers", "checkers"],
    ".ggf": ["othello8", "othello4"],
    ".wtb": ["othello8", "othello8"],
}


TAGS = (("event", "17"), ("place", 'at "home" [sic]'), ("date", "2026"), ("score", "+12"), ("XY", "{\\z"))


def some_games(ending: str) -> list[Record]:
    return [random_record(name, seed) for seed, name in enumerate(SUITED[ending])]


@pytest.mark.parametrize("ending", SUITED)
def test_the_ending_tells_the_format(tmp_path: Path, ending: str) -> None:
    games, path = some_games(ending), tmp_path / f"games{ending.upper()}"
    write_games(path, games)
    again = read_games(str(path))
    assert [(each.game, each.moves, each.outcome) for each in again] == [
        (each.game, each.moves, each.outcome) for each in games
    ]
    assert ending == ".wtb" or again == games
    write_games(path, [])
    with pytest.raises(ludus.LudusError, match=r"is empty; a game in|holds no game; name a file with games"):
        read_games(path)


def test_formats_are_checked_before_the_games_are_played() -> None:
    for ending, names in SUITED.items():
        for name in names:
            check_format(f"x{ending}", ludus.game(name))
    check_format("x.sgf", ludus.game("go9:komi=0"))
    with pytest.raises(ludus.LudusError, match=r"x.pdn can't hold games of go9; use a file ending in .sgf"):
        check_format("x.pdn", ludus.game("go9"))
    with pytest.raises(ludus.LudusError, match=r"can't hold games of othello6; use a file ending in .ggf or .sgf"):
        check_format("x.wtb", ludus.game("othello6"))


def test_character_sets(tmp_path: Path) -> None:
    path = tmp_path / "x.sgf"
    for name, charset in [("日本棋院]", "shift_jis"), ("聶衛平", "big5"), ("Ünal", "cp1252"), ("이세돌", "utf-8")]:
        escaped = name.replace("]", "\\]")
        path.write_bytes(f"(;CA[{charset}]SZ[9]PB[{escaped}];B[ee])".encode(charset))
        assert read_games(path)[0].players[0] == name
    for name, charset, wider in [
        ("李喆乚", "gb2312", "gbk"),
        ("髙橋①", "shift_jis", "cp932"),
        ("설믜", "euc-kr", "cp949"),
    ]:
        path.write_bytes(f"(;CA[{charset}]SZ[9]PB[{name}];B[ee])".encode(wider))
        assert read_games(path)[0].players[0] == name
    path.write_text("(;CA[gb2312]SZ[9]PB[李喆];B[ee])")  # which is UTF-8 after all
    assert read_games(path)[0].players[0] == "李喆"
    for charset in ("klingon", "unicode_escape", "hex", "utf-8"):
        path.write_bytes(f"(;CA[{charset}]SZ[9]PB[Åse];B[ee])".encode("latin-1"))
        assert read_games(path)[0].players[0] == "Åse"


def test_byte_order_marks_and_line_ends(tmp_path: Path) -> None:
    for ending, text in [
        (".pdn", '[Black "Ä"]\n1. 11-15\n{a\nb} 99-1'),
        (".sgf", "(;SZ[9]PB[Ä\\\nb]\n;B[ee]\n;W[ee])"),
        (".ggf", "(;GM[Othello]PB[Ä]\n\n\nB[a1];)"),
    ]:
        path = tmp_path / f"x{ending}"
        for line_end in ("\n", "\r\n", "\r"):
            path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", line_end).encode())
            with pytest.raises(BadRecord, match=f"{path}, game 1, line 4: move"):
                read_games(path)
    path = tmp_path / "y.pdn"
    path.write_bytes('[Black "Øst"]\r\n1. 11-15 *\r\n'.encode("latin-1"))
    assert read_games(path)[0].players[0] == "Øst"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "folder.sgf").mkdir()
    (tmp_path / "letter.sgf").write_text("Dear friend, there is no game here.")
    (tmp_path / "latin.ggf").write_bytes("(;GM[Othello]\nPB[Åse];)".encode("latin-1"))
    for name, problem in [
        ("absent.sgf", "can't be read: No such file or directory"),
        ("folder.sgf", "can't be read: Is a directory"),
        ("games.txt", "is not a file of games; such files end in .sgf, .pdn, .ggf, .wtb"),
        ("games", "is not a file of games"),
        ("letter.sgf", "holds no game; a game in .sgf looks like (;GM[1]SZ[9];B[ee])"),
        ("latin.ggf", "line 2: this is not text in UTF-8"),
        ("\0.sgf", "can't be read"),
    ]:
        with pytest.raises(ludus.LudusError) as error:
            read_games(tmp_path / name)
        assert problem in str(error.value)
        assert str(tmp_path / name) in str(error.value)
    with pytest.raises(ludus.LudusError, match=r"can't be written \(a file is where a folder should be\)"):
        write_games(Path("/dev/null/x.sgf"), [])


def mutated(data: bytes, choice: random.Random) -> bytes:
    """The data with a few bytes flipped, inserted, removed or doubled, or cut off."""
    for _ in range(choice.randint(1, 3)):
        place = choice.randrange(len(data) + 1)
        telling = choice.choice(
            [b"[", b"]", b"(", b")", b";", b"\\", b'"', b"{", b"}", b"*", b"1-0", b"\0", b"\xff", b"tt"]
        )
        data = choice.choice(
            [
                data[:place] + bytes([choice.randrange(256)]) + data[place + 1 :],
                data[:place] + telling + data[place:],
                data[:place] + data[place + choice.randint(1, 9) :],
                data[:place] + data[max(place - 20, 0) :],
                data[:place],
            ]
        )
    return data


@pytest.mark.parametrize("ending", SUITED)
def test_whatever_a_file_holds_it_is_read_or_refused(tmp_path: Path, ending: str) -> None:
    """Nothing but LudusError comes out, and what is read can be replayed, written, and read again."""
    path, choice = tmp_path / f"x{ending}", random.Random(7)
    games = [replace(random_record(name, 5, longest=12), outcome=1.0, tags=TAGS) for name in SUITED[ending]]
    write_games(path, [*games, *some_games(ending)])
    whole, counts = path.read_bytes(), [0, 0]
    for _ in range(200 * EFFORT):
        path.write_bytes(mutated(whole, choice))
        try:
            records = read_games(path)
        except ludus.LudusError as problem:
            records = problem.records if isinstance(problem, BadRecord) else []
            counts[0] += 1
        else:
            counts[1] += 1
        if not records:
            continue
        write_games(path, records)
        assert [(each.moves, each.outcome) for each in read_games(path)] == [
            (each.moves, each.outcome) for each in records
        ]
    assert min(counts) > 0


@pytest.mark.parametrize(("name", "game"), [("x.sgf", "(;SZ[9];B[ee])\n"), ("x.pdn", "1. 11-15 *\n")])
def test_long_files_tell_how_far_they_are_read(tmp_path: Path, name: str, game: str) -> None:
    told = list[tuple[float, int]]()
    (tmp_path / name).write_text(1000 * game)
    assert len(read_games(tmp_path / name, progress=lambda share, games: told.append((share, games)))) == 1000
    assert [games for _, games in told] == [256, 512, 768]
    assert [share for share, _ in told] == pytest.approx([0.256, 0.512, 0.768], abs=0.002)


def test_python_is_warned_of_games_that_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "x.pdn"
    path.write_text("1. 11-15 *\n1. 11-11 *\n1. 9-13 *\n")
    with pytest.warns(UserWarning, match=r"games that can't be read: 1; the first: .*x.pdn, game 2, line 2: move 1"):
        games = ludus.read_games(path)
    assert (len(games), games.numbers, repr(games)) == (2, [1, 3], "Games(2 games, 1 can't be read)")
    with pytest.raises(BadRecord, match="game 2, line 2"):
        ludus.read_games(path, strict=True)
