"""Moves in words, names of openings."""

import pytest

import ludus
from ludus.games.opening_names import opening_list, opening_name
from ludus.games.words import sentence
from ludus.records.record import Record
from ludus.registry import game_types


@pytest.mark.parametrize(
    ("game", "position", "move", "words"),
    [
        (
            "othello6",
            "-OX---" + "-" * 30 + " X",
            "a1",
            "It takes the corner a1, flips only one disc and wins the game.",
        ),
        (
            "othello4",
            "-OX- -XX- --O- ---- X",
            "a1",
            "It takes the corner a1 and flips only one disc; the opponent must pass.",
        ),
        ("othello8", "", "f5", "It flips only one disc; the opponent is left with three moves."),
        ("checkers", "B:W18,22:B14,5", "14x23", "It captures one man; the opponent is left with two moves."),
        ("checkers", "B:WK18,22:B14,5", "14x23", "It captures one king; the opponent is left with two moves."),
        ("checkers", "W:W22:BK17", "22x13", "It captures one king and wins the game."),
        ("checkers", "W:WK32:BK27,18,K9", "32x23x14x5", "It captures three pieces and wins the game."),
        (
            "checkers",
            "B:W6,7,14,15,K32:BK2",
            "2x9x18x11x2",
            "It captures four pieces; the opponent is left with two moves.",
        ),
        ("checkers", "B:W18,5:B27,1", "27-31", "It makes a king; the opponent is left with two moves."),
        ("checkers", "", "11-15", "It advances a man into the centre."),
        ("go5", "...../..O../.OX../..O../..... O", "D3", "It captures one stone."),
        ("go5", "...../...../.OX../..O../..... O", "D3", "It puts one stone in atari."),
        ("go5", "...../..O../.OX../..O../..... X", "D3", "It saves one stone from atari."),
        ("go5", "", "pass", "It passes."),
    ],
)
def test_what_a_move_does(game: str, position: str, move: str, words: str) -> None:
    here = ludus.game(game).position(position) if position else ludus.game(game).start()
    assert sentence(here, move) == words


def test_every_explanation_has_a_sentence_for_each_move() -> None:
    found = ludus.explain("heuristic", moves="f5 d6 c5")
    assert all(each.sentence.startswith("It ") and each.sentence.endswith(".") for each in found.moves)
    assert found.sentence == found.moves[0].sentence
    assert found.sentence in found._repr_html_()


def named(game: str, moves: str) -> str:
    return opening_name(Record(ludus.game(game), "", tuple(moves.split()), ("", ""), None).positions())


def test_named_openings_can_be_played() -> None:
    counts = {}
    for game_type in game_types().values():
        found = opening_list(game_type)
        counts[game_type.name] = len({name for name, _ in found})
        assert counts[game_type.name] == len(found)
        for name, moves in found:
            board = f"{game_type.name}{game_type.default_size or ''}"
            assert named(board, " ".join(moves)) == name, name
    assert counts["othello"] == 77
    assert counts["checkers"] == 28


@pytest.mark.parametrize(
    ("game", "moves", "name"),
    [
        ("othello8", "f5 d6 c3 d3 c4 f4 c5 b3 c2", "Rose-Bill"),
        ("othello8", "d3 c3 c4 e3 d2", "Heath, Tobidashi"),
        ("othello8", "f5 f6 e6 f4 g5", "Heath, Tobidashi"),
        ("othello8", "f5 f4", "Parallel"),
        ("checkers", "11-15 23-19 8-11 22-17 4-8 17-13", "Old Fourteenth"),
        ("checkers", "11-15 22-18 15x22", "Single Corner"),
        ("othello6", "d5 c5", ""),
        ("go9", "E5", ""),
    ],
)
def test_an_opening_is_known_however_the_board_is_turned(game: str, moves: str, name: str) -> None:
    assert named(game, moves) == name
