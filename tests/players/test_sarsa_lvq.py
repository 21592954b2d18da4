"""Fields, codebooks and what else came with them."""

import random
from typing import Any

import numpy as np
import pytest

import ludus
from ludus.compile.jit import kernel
from ludus.compile.rng import stream
from ludus.games import protocol
from ludus.games.influence import influence_of
from ludus.play.matches import match
from ludus.players.base import CompiledPlayer
from ludus.players.explanations import explanation
from ludus.players.names import player
from ludus.players.restrained import permitted
from ludus.players.sarsa_lvq import (
    UNIT,
    Codebook,
    assign_moves,
    codebook,
    load_codebook,
    nearest_similarities,
)
from tests.naive.sarsa import ends


def positions(name: str, games: int) -> list[ludus.Position]:
    rng, found = random.Random(name), []
    for _ in range(games):
        position = ludus.game(name).start()
        while not position.over:
            found.append(position)
            position = position.play(rng.choice(position.legal_moves))
    return found


def test_discs_radiate_in_othello() -> None:
    for position in positions("othello6", 2):
        field = influence_of(position).reshape(6, 6)
        for square, cell in enumerate(position.cells.tolist()):
            row, column = divmod(square, 6)
            around = field[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
            mean = (around.sum() - field[row, column]) / (around.size - 1)
            assert field[row, column] == pytest.approx(cell or mean, abs=1e-9)


def test_pieces_radiate_in_checkers() -> None:
    for position in positions("checkers", 2)[::5]:
        field, cells = influence_of(position), position.cells.tolist()
        places = {(i // 4, 2 * (i % 4) + 1 - i // 4 % 2): i for i in range(32)}
        for (row, column), i in places.items():
            around = [
                field[places[there]] for there in ((row + a, column + b) for a in (-1, 1) for b in (-1, 1))
                if there in places
            ]  # fmt: skip
            assert field[i] == pytest.approx(cells[i] / 2 if cells[i] else np.mean(around), abs=1e-7)


@kernel
def ends_of(game, move):
    return protocol.move_squares(game, move)


@pytest.mark.parametrize("name", ["checkers", "othello6", "go3"])
def test_a_move_begins_and_ends_where_its_text_says(name: str) -> None:
    for position in positions(name, 3):
        for text, move in position.legal.items():
            assert ends_of(position.game.rules, move) == ends(position, text)


def book_of(game: ludus.Game, rows: list[tuple[ludus.Position, str, float]], balance: float = 1.0) -> Codebook:
    """A codebook with these positions of the first player, moves and utilities."""
    book = codebook(game, len(rows), balance, 0.0)
    moves = np.array([position.legal[move] for position, move, _ in rows], np.int64)
    for i, (position, _, value) in enumerate(rows):
        units = np.rint(influence_of(position) * UNIT)
        book.vectors[i] = np.concatenate([np.maximum(units, 0), np.maximum(-units, 0)])
        book.values[i] = value
    book.size[0] = len(rows)
    assign_moves(book, moves, moves)
    return book


def chosen(book: Codebook, position: ludus.Position) -> str:
    move = CompiledPlayer("book", position.game, book).seat().choose(position, stream(1, "test"))
    return next(text for text, number in position.legal.items() if number == move)


def test_it_knows_a_position_again_however_it_is_turned() -> None:
    """Also with the colours exchanged: the vector is the mover's view."""
    game = ludus.game("go5:komi=0")
    known = game.position("...../.OX../..XO./.O.../..... X")
    others = [game.position(text) for text in ("XX.../...../..O../...OO/..... X", "..X../OOO../...../...X./..... X")]
    book = book_of(game, [(others[0], "E5", 0.0), (known, "E3", 0.0), (others[1], "A1", 0.0)])
    point = known.legal["E3"]
    for symmetry, goes in enumerate(game.symmetries):
        turned = known.mirrored(symmetry)
        assert turned.legal[chosen(book, turned)] == goes[point]
        cells = -turned.cells
        swapped = ludus.Position(game, game.type.state_from_cells(game.rules, cells, 1))
        assert swapped.legal[chosen(book, swapped)] == goes[point]


def test_utility_outweighs_similarity_as_far_as_balance_says() -> None:
    game = ludus.game("go5:komi=0")
    here = game.position("...../.OX../..XO./.O.../..... X")
    near = game.position("...../.OX../..XO./.OO../..... X")
    rows = [(here, "E3", -0.2), (near, "A3", 0.4)]
    assert chosen(book_of(game, rows, balance=0.0), here) == "E3"
    assert chosen(book_of(game, rows, balance=1000.0), here) == "A3"


def test_similarity_by_hand() -> None:
    """A lone stone in the corner of 2x2 rules the board: Com 4. Against a board shared by halves, by the formula."""
    game = ludus.game("go2:komi=0")
    lone, shared = game.position("../X. O"), game.position("XO/.. X")
    book = book_of(game, [(game.position("X./.. X"), "B1", 0.0)])
    field = influence_of(shared)  # 1, -1 above; below each is the mean of its three neighbours
    ours, theirs = np.maximum(field, 0), np.maximum(-field, 0)
    near = np.array([0.5, 1.0, 0.5, 0.5])  # of the squares to B1, for the vector and for the move it makes here
    p, r = near.sum(), near @ (ours + theirs)
    com, a = np.minimum(1.0, ours).sum(), p / (p + r)
    expected = (com - a * (4 - com) - (1 - a) * ((ours + theirs).sum() - com)) / 4
    found = explanation(CompiledPlayer("book", game, book), shared)
    values = {each.move: each.value for each in found.moves}
    assert values["B1"] == pytest.approx(expected, abs=1e-3)  # memberships are kept in 1/16384
    assert lone.over is False


def test_nearest_similarities() -> None:
    """A position that is in the codebook has the sum of its own memberships; less of it is known elsewhere."""
    game = ludus.game("go5:komi=0")
    known = game.position("...../.OX../..XO./.O.../..... X")
    other = game.position("..X../OOO../...../...X./..... X")
    full = ludus.game("go5:komi=0").position("XXXXX/XXXXX/XX.XX/XXXXX/XXX.X O")  # only a pass is legal
    book = book_of(game, [(known, "E3", 0.0)])
    found = nearest_similarities(book, [known, known.mirrored(3), other, full])
    itself = np.abs(influence_of(known)).sum() / 25
    assert found[:2] == pytest.approx([itself, itself], abs=1e-3)
    assert found[2] < itself - 0.2
    assert np.isnan(found[3])


def test_the_move_made_is_the_best_weighed() -> None:
    game = ludus.game("go5:komi=0")
    seen = positions("go5:komi=0", 3)
    rng = random.Random(1)
    usable = [
        (p, rng.choice([m for m in p.legal_moves if m != "pass"]))
        for p in seen
        if p.current_player == 0 and len(p.legal_moves) > 1
    ]
    book = book_of(game, [(p, m, rng.uniform(-1, 1)) for p, m in usable])
    for position in seen[::4]:
        found = explanation(CompiledPlayer("book", game, book), position)
        assert sorted(each.move for each in found.moves) == sorted(position.legal_moves)
        best = [each.move for each in found.moves if each.value > found.moves[0].value - 1e-6]
        assert chosen(book, position) in best
        assert len(found.moves[0].boards[0].squares) == 25


def whole(game: ludus.Game) -> dict[str, Any]:
    zeros = np.zeros(2, np.int64)
    vectors = np.full((2, 2 * game.squares), 7, np.int16)
    return {"vectors": vectors, "starts": zeros, "ends": zeros, "wins": zeros, "values": np.zeros(2)}


@pytest.mark.parametrize(
    ("name", "array", "description"),
    [
        ("vectors", np.zeros((2, 7), np.int16), "'vectors' of int16"),
        ("vectors", np.zeros((2, 18), np.float32), "'vectors' of int16"),
        ("vectors", np.full((2, 18), -1, np.int16), "not all from 0 to 16384"),
        ("ends", np.array([0, 10]), "'ends' of int64"),
        ("starts", np.array([0, -1]), "'starts' of int64"),
        ("wins", np.zeros(3, np.int64), "'wins' of int64"),
        ("values", np.zeros((2, 1)), "'values' of float64"),
    ],
)
def test_wrong_arrays_are_refused(name: str, array: Any, description: str) -> None:
    game = ludus.game("go3")
    chosen = {"balance": 1.0, "focus": 0.0}
    assert load_codebook(game, whole(game), chosen).size[0] == 2
    with pytest.raises(ValueError, match=description):
        load_codebook(game, whole(game) | {name: array}, chosen)
    with pytest.raises(ValueError, match="'focus' is not a number"):
        load_codebook(game, whole(game), {"balance": 1.0, "focus": "much"})


def test_restrained_players_keep_to_the_rules_of_the_paper() -> None:
    usual, strict = ludus.game("go4:komi=0"), ludus.game("go4:komi=0,rules=abramson2001")
    for position in positions("go4:komi=0", 5):
        moves, room = np.array(list(position.legal.values()), np.int64), np.empty(usual.max_legal_moves, np.int64)
        kept = room[: permitted(usual.rules, position.state, moves, len(moves), room)].tolist()
        same = strict.position(position.text)
        assert kept == [move for move in same.legal.values() if move < 16]
    one = player("restrained:random", usual)
    played = match(one, one, 20, record=True, opening="none")
    assert all(record.moves[-2:] == ("pass", "pass") for record in played.records())


def test_who_cannot_be_restrained() -> None:
    with pytest.raises(ludus.LudusError, match="restrained does not play othello6"):
        player("restrained:random", ludus.game("othello6"))
    with pytest.raises(ludus.LudusError, match="can't be restrained"):
        player("restrained:alphabeta:seconds=1", ludus.game("go5"))
