"""What every game must hold to, so that players, learners, records and the page can rely on it.

`ludus check GAME` runs it on a game of yours; the tests run it on ours. Each check raises `Broken` with one sentence.
"""

import random
import string
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from ludus import vocabulary as words
from ludus.dice import stream
from ludus.errors import LudusError
from ludus.games.game import Game, Position
from ludus.games.perft import perft
from ludus.kernels import kernel
from ludus.lab.runs import Request, train
from ludus.learners.learner import parse_settings
from ludus.learners.names import learners
from ludus.measures.matches import match
from ludus.players.strings import player
from ludus.registry import game as find

MOST_NODES = 30_000_000
"""Longer counts are left to `ludus perft`."""

MALFORMED = ["", " ", "z99", "a0", "A0", "1-", "11x", "resign", "99-98", "９９", "passs", "a1 a2", "\0", "-" * 999]


class Broken(Exception):  # noqa: N818, it is what the game is
    """A check that a game does not pass."""


def sure(holds: object, sentence: str) -> None:
    if not holds:
        raise Broken(sentence)


def random_positions(game: Game, seed: int, games: int = 3) -> list[Position]:
    """All positions of some random games that seldom pass."""
    choice, found = random.Random(f"{game} {seed}"), []
    for _ in range(games):
        position = game.start()
        while not position.over:
            found.append(position)
            sure(len(found) <= (game.longest + 1) * games, f"a game has more than the promised {game.longest} moves")
            moves = position.moves
            position = position.play(choice.choice([move for move in moves if move != "pass"] or moves))
        found.append(position)
    return found


def signature(position: Position) -> tuple[list[str], bytes, int, float, float | None]:
    """All that can be asked of a position."""
    return position.moves, position.cells.tobytes(), position.mover, position.margin, position.outcome


def counts(game: Game, effort: int) -> None:
    """The published numbers of move sequences come out."""
    for depth, nodes in enumerate(game.family.perft.get(game.name, ()), 1):
        if nodes <= MOST_NODES * effort:
            found = perft(game.start(), depth)
            sure(found == nodes, f"{found} sequences of {depth} moves instead of {nodes}")


def name(game: Game, effort: int) -> None:
    """The game is found by its name."""
    sure(find(game.name) == game, f"the name {game.name} finds another game")
    sure(find(game.name.upper()) == game, f"the name {game.name.upper()} finds another game")


def beginning(game: Game, effort: int) -> None:
    """The first player begins, and there is room for all moves."""
    start = game.start()
    sure(start.mover == 0 and not start.over, "the first player does not begin")
    for position in random_positions(game, 6):
        sure(len(position.legal) == len(set(position.legal.values())), f"two moves have one number: {position.text}")
        sure(len(position.legal) <= game.width, f"there are more moves than `width` has room for: {position.text}")
        sure(set(np.unique(position.cells).tolist()) <= {-2, -1, 0, 1, 2}, f"cells are not -2 to 2: {position.text}")
        sure((position.outcome in (0.0, 0.5, 1.0)) == position.over, f"the outcome is wrong: {position.text}")


def board(game: Game, effort: int) -> None:
    """Squares have places and names of their own, and moves begin and end on them."""
    (rows, columns), squares, family = game.shape, game.squares, game.family
    names = {family.square_name(game.rules, square) for square in range(squares)}
    sure(len(names) == squares, "two squares have one name")
    sure(len(set(game.spots)) == squares, "two squares are in one place")
    inside = all(0 <= row < rows and 0 <= column < columns for row, column in game.spots)
    sure(inside, f"a square is beyond the {rows} rows and {columns} columns of the board")
    planes = np.zeros(-(-squares // 64) * 2, np.uint64)
    for position in random_positions(game, 7, games=1):
        for text, move in position.legal.items():
            start, end, action = seen_of(game.rules, position.state, np.int64(move), planes)
            where = f"{text} in {position.text}"
            sure(0 <= start <= squares and 0 <= end <= squares, f"{where} begins or ends beyond the board and the pass")
            sure((start == squares) == (end == squares), f"{where} is a pass at one end only")
            sure(-1 <= action < family.actions(game.rules), f"{where} is action {action}, more than there are")
            sure(all(0 <= each < squares for each in family.path(game.rules, move)), f"{where} leaves the board")
        bits = np.unpackbits(planes.reshape(-1, 2).T.copy().view(np.uint8).reshape(2, -1), axis=1, bitorder="little")
        sure(not bits[:, squares:].any(), f"the word `planes` tells of more squares than there are: {position.text}")


@kernel
def seen_of(game, state, move, planes):
    """Where a move begins and ends, and which action it is. Writes what rules see of the position."""
    state = words.detached(game, state)
    words.planes(game, state, planes)
    start, end = words.ends(game, move)
    return start, end, words.action(game, state, move)


def texts(game: Game, effort: int) -> None:
    """The text of a position gives the position back."""
    for position in random_positions(game, 1):
        again = game.position(position.text)
        sure(signature(again) == signature(position), f"the text {position.text} gives another position")
        sure(again.text == position.text and again == position and hash(again) == hash(position), "texts differ")


def moves_stay(game: Game, effort: int) -> None:
    """A move changes only what it returns."""
    positions = random_positions(game, 2, games=1)
    for position in positions[:: len(positions) // 15 + 1]:
        before = signature(position)
        for move in position.moves:
            after = position.play(move)
            sure(signature(position.play(move)) == signature(after), f"{move} leads to two positions: {position.text}")
            if not after.over:  # playing on must not reach back either
                after.play(after.moves[-1])
        sure(signature(Position(game, position.state)) == before, f"a move has changed {position.text}")


def symmetries(game: Game, effort: int) -> None:
    """The positions after each move are the same whether one mirrors before the move or after it."""
    choice, table = random.Random(str(game)), game.symmetries
    sure(all(sorted(row) == list(range(game.squares)) for row in table.tolist()), "a symmetry loses a square")
    sure(len({tuple(row) for row in table.tolist()}) == len(table), "a symmetry is there twice")
    sure(table[0].tolist() == list(range(game.squares)), "the first symmetry does not leave all as it is")
    positions = random_positions(game, 3)
    for position in choice.sample(positions, min(len(positions), 20 * effort)):
        symmetry = choice.randrange(len(table))
        mirror, where = position.mirrored(symmetry), f"{position.text} under symmetry {symmetry}"
        before = sorted(after.mirrored(symmetry).cells.tobytes() for after in map(position.play, position.moves))
        after = sorted(after.cells.tobytes() for after in map(mirror.play, mirror.moves))
        sure(before == after, f"other moves are legal in {where}")
        swapped = game.family.swaps(symmetry)
        sure(mirror.mover == (1 - position.mover if swapped else position.mover), f"the wrong side moves in {where}")
        sure(mirror.margin == (-position.margin if swapped else position.margin), f"the margin is wrong in {where}")


def refusals(game: Game, effort: int) -> None:
    """Illegal and malformed moves are refused, and change nothing."""
    for position in random_positions(game, 4, games=1)[-8:]:
        before = signature(position)
        wrong: list[str | int] = [*MALFORMED, -1, 10**6, 2**62]
        if position.over:
            wrong.append(game.start().moves[0])
        for move in wrong:
            if move in position.legal or move in position.legal.values():
                continue
            try:
                position.play(move)
            except LudusError:
                continue
            raise Broken(f"{move!r} is played in {position.text}")
        sure(signature(position) == before, f"a refused move has changed {position.text}")


def damaged_texts(game: Game, effort: int) -> None:
    """A damaged text is refused, or is a position that can be played on."""
    choice = random.Random(f"{game} damaged")
    known = [position.text for position in random_positions(game, 5, games=2)][::5]
    letters = "XO.-*/:,=BWKF 0123456789" + string.ascii_letters + "\n\0é"
    for _ in range(200 * effort):
        text = list(choice.choice(known))
        for _ in range(choice.randint(1, 3)):
            place, kind = choice.randint(0, len(text)), choice.randrange(3)
            text[place : place + (kind > 0)] = [] if kind == 2 else [choice.choice(letters)]
        check_text(game, "".join(text))


def check_text(game: Game, text: str) -> None:
    """A text that is accepted as a position is one."""
    try:
        position = game.position(text)
    except LudusError:
        return
    again = game.position(position.text)
    sure(signature(again) == signature(position), f"{text!r} is accepted, but not what it is written as")
    for move in position.moves[:3]:
        changed = np.any(position.play(move).cells != position.cells)
        sure(changed or move == "pass", f"{move} changes nothing in {text!r}")


def matches(game: Game, effort: int) -> None:
    """Games are the same by kernels and move by move, and can be replayed."""
    anybody = player("random", game)
    played = match(anybody, anybody, 4, seed=3, record=True, opening="none")
    for number, record in enumerate(played.records()):
        position = record.positions()[-1]
        sure(position.over, "a game that was played to its end is not over")
        score = played.scores[number] if number % 2 == 0 else 1 - played.scores[number]
        sure(position.outcome == score, "a kernel counts another result than Python")
    seat, position = anybody.seat(), game.start()
    seat.begin(position, ())
    while not position.over:
        position = position.play(seat.choose(position, stream(1, "conformance")))


GAME_CHECKS: tuple[Callable[[Game, int], None], ...] = (
    name, beginning, board, counts, texts, moves_stay, symmetries, refusals, damaged_texts, matches,
)  # fmt: skip


def check_game(game: Game, effort: int = 1) -> Iterator[tuple[str, str]]:
    """Each check as it is done: what it is about, and what is wrong, or nothing."""
    for check in GAME_CHECKS:
        try:
            check(game, effort)
            wrong = ""
        except Broken as problem:
            wrong = str(problem)
        yield (check.__doc__ or "").partition("\n")[0], wrong


def check_learners(game: Game) -> Iterator[tuple[str, str]]:
    """Each learner's first step on the game, and what is wrong, or nothing."""
    for method in learners().values():
        chosen = parse_settings(method, {})
        with tempfile.TemporaryDirectory(prefix="ludus-check-") as folder:
            wrong = ""
            try:
                next(iter(train(Request(method, game, chosen, 1), Path(folder))))
            except LudusError as problem:
                wrong = str(problem)
        yield f"`{method.name}` learns it.", wrong
