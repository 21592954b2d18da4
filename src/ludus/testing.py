"""Checks that every game must pass, so that players, learners, records and the page can rely on it.

In the tests of a game of your own:

    from ludus.testing import check_game

    def test_my_game():
        check_game(MyGameType())

`check_game` raises `CheckError`, with one sentence that names the position, at the first check that fails. It takes a
game type, a game, or the name of one. What it can't know is whether the rules are right: compare them with published
counts of move sequences (`GameType.perft`, which is checked too), or in random games with a second, slower program.

`ludus check GAME` runs all checks and reports on each; with `--learners`, every learner also takes its first step.
"""

import random
import string
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ludus.compile.jit import kernel
from ludus.compile.rng import stream
from ludus.errors import LudusError
from ludus.games import protocol
from ludus.games.game import Game, GameType, Position
from ludus.games.names import game as find
from ludus.games.perft import perft
from ludus.games.words import sentence
from ludus.play.matches import match
from ludus.players.names import player
from ludus.registry import game_types, learners
from ludus.runs.run import Run
from ludus.runs.spec import RunSpec

MAX_NODES = 30_000_000
"""Larger counts of move sequences are left to `ludus perft`."""

MALFORMED = ["", " ", "z99", "a0", "A0", "1-", "11x", "resign", "99-98", "９９", "passs", "a1 a2", "\0", "-" * 999]


class CheckError(AssertionError):
    """A check that a game does not pass."""


class CheckResult(NamedTuple):
    description: str
    """What was checked."""
    problem: str
    """What is wrong; empty if the check has passed."""


def check_game(game: GameType | Game | str, effort: int = 1) -> None:
    """Raise CheckError at the first check that a game does not pass; of a game type, in any size of board.

    `effort` multiplies the number of random positions where that is what a check takes its time for.
    """
    if isinstance(game, GameType):
        games = [Game(game, size) for size in game.sizes or (0,)]
    else:
        games = [find(game) if isinstance(game, str) else game]
    for each in games:
        for check in GAME_CHECKS:
            check(each, effort)


def run_checks(game: Game, effort: int = 1) -> Iterator[CheckResult]:
    """Run every check, also after one has failed, and give the result of each as soon as it is there."""
    for check in GAME_CHECKS:
        problem = ""
        try:
            check(game, effort)
        except CheckError as failed:
            problem = str(failed)
        except Exception as failed:
            problem = f"{type(failed).__name__}: {failed}"
        yield CheckResult((check.__doc__ or "").partition("\n")[0], problem)


def run_learner_checks(game: Game) -> Iterator[CheckResult]:
    """Let every learner take its first step on the game."""
    for method in learners().values():
        spec = RunSpec.create(method.name, game)
        with tempfile.TemporaryDirectory(prefix="ludus-check-") as folder:
            problem = ""
            try:
                next(Run(spec, Path(folder)).steps())
            except LudusError as failed:
                problem = str(failed)
            except Exception as failed:  # such as the game's own, in a function that only this learner calls
                problem = f"{type(failed).__name__}: {failed}"
        yield CheckResult(f"`{method.name}` learns it.", problem)


def require(holds: object, sentence: str) -> None:
    if not holds:
        raise CheckError(sentence)


def random_positions(game: Game, seed: int, games: int = 3) -> list[Position]:
    """All positions of some random games, in which a side passes only if it must."""
    choice, found = random.Random(f"{game} {seed}"), []
    for _ in range(games):
        position = game.start()
        while not position.over:
            found.append(position)
            limit = (game.max_plies + 1) * games
            require(len(found) <= limit, f"a game has more moves than the {game.max_plies} of `max_plies`")
            moves = position.legal_moves
            position = position.play(choice.choice([move for move in moves if move != "pass"] or moves))
        found.append(position)
    return found


def snapshot(position: Position) -> tuple[list[str], bytes, int, float, float | None]:
    """All that can be asked of a position."""
    return position.legal_moves, position.cells.tobytes(), position.current_player, position.margin, position.outcome


def check_name(game: Game, effort: int) -> None:
    """The game is found by its name."""
    if game.type.name not in game_types():  # nothing is known by name before it is installed
        return
    require(find(game.name) == game, f"the name {game.name} finds another game")
    require(find(game.name.upper()) == game, f"the name {game.name.upper()} finds another game")


def check_start(game: Game, effort: int) -> None:
    """The first player begins, and there is room for all moves."""
    start = game.start()
    require(start.current_player == 0 and not start.over, "the first player does not begin")
    for position in random_positions(game, 6):
        where = f"in {position.text}"
        require(len(position.legal) == len(set(position.legal.values())), f"two moves have one number {where}")
        require(len(position.legal) <= game.max_legal_moves, f"there are more moves than `max_legal_moves` {where}")
        require(set(np.unique(position.cells).tolist()) <= {-2, -1, 0, 1, 2}, f"cells are not -2 to 2 {where}")
        require((position.outcome in (0.0, 0.5, 1.0)) == position.over, f"the outcome is wrong {where}")


def check_board(game: Game, effort: int) -> None:
    """Squares have places and names of their own, and moves begin and end on them."""
    (rows, columns), squares, game_type = game.shape, game.squares, game.type
    names = {game_type.square_name(game.rules, square) for square in range(squares)}
    require(len(names) == squares, "two squares have one name")
    require(len(set(game.coordinates)) == squares, "two squares are in one place")
    inside = all(0 <= row < rows and 0 <= column < columns for row, column in game.coordinates)
    require(inside, f"a square is beyond the {rows} rows and {columns} columns of the board")
    planes = np.zeros(-(-squares // 64) * 2, np.uint64)
    for position in random_positions(game, 7, games=1):
        for text, move in position.legal.items():
            start, end, action = _move_on_board(game.rules, position.state, np.int64(move), planes)
            where = f"{text} in {position.text}"
            require(0 <= start <= squares and 0 <= end <= squares, f"{where} begins or ends beyond board and pass")
            require((start == squares) == (end == squares), f"{where} is a pass at one end only")
            require(-1 <= action < game_type.actions(game.rules), f"{where} is action {action}, more than there are")
            require(all(0 <= each < squares for each in game_type.path(game.rules, move)), f"{where} leaves the board")
        bits = np.unpackbits(planes.reshape(-1, 2).T.copy().view(np.uint8).reshape(2, -1), axis=1, bitorder="little")
        require(not bits[:, squares:].any(), f"`planes` has more squares than the board in {position.text}")


@kernel
def _move_on_board(game, state, move, planes):
    """Where a move begins and ends, and which action it is. Writes the planes of the position."""
    state = protocol.copy_state(game, state)
    protocol.planes(game, state, planes)
    start, end = protocol.move_squares(game, move)
    return start, end, protocol.action(game, state, move)


def check_shortcuts(game: Game, effort: int) -> None:
    """What kernels ask for the sake of speed agrees with moves and cells."""
    work = np.empty(game.max_legal_moves, np.int64)
    squares, pieces = np.empty((2, game.squares), np.int64)
    sets = np.zeros(2 * game.piece_kinds * -(-game.squares // 64), np.uint64)
    placed = 0
    for position in reversed(random_positions(game, 8, games=1)):
        where = f"in {position.text}"
        placed += not position.over and position.legal_moves != ["pass"]
        over, remaining, count = _shortcuts(game.rules, position.state, work, squares, pieces, sets)
        require(over == position.over, f"`over` is wrong {where}")
        require(remaining >= placed, f"`remaining` is {remaining}, but {placed} moves were made from {position.text}")
        seen = position.cells * (1 - 2 * position.current_player)
        require(squares[:count].tolist() == seen.nonzero()[0].tolist(), f"`occupied` has other squares {where}")
        require(pieces[:count].tolist() == seen[squares[:count]].tolist(), f"`occupied` has other pieces {where}")
        bits = np.unpackbits(sets.view(np.uint8).reshape(2 * game.piece_kinds, -1), axis=1, bitorder="little")
        require(not bits[:, game.squares :].any(), f"`piece_sets` has more squares than the board {where}")
        kinds = [sign * kind for kind in range(1, game.piece_kinds + 1) for sign in (1, -1)]
        same = all((here[: game.squares] == (seen == kind)).all() for here, kind in zip(bits, kinds, strict=True))
        require(same and np.abs(seen).max() <= game.piece_kinds, f"`piece_sets` has other pieces {where}")
        require(count <= game.type.max_pieces(game.rules), f"there are more than `max_pieces` {where}")


@kernel
def _shortcuts(game, state, work, squares, pieces, sets):
    count = protocol.occupied(game, state, squares, pieces)
    protocol.piece_sets(game, state, sets)
    return protocol.over(game, state, work), protocol.remaining(game, state), count


def check_perft(game: Game, effort: int) -> None:
    """The published numbers of move sequences come out."""
    for depth, nodes in enumerate(game.type.perft.get(game.name, ()), 1):
        if nodes <= MAX_NODES * effort:
            found = perft(game.start(), depth)
            require(found == nodes, f"{found} sequences of {depth} moves instead of {nodes}")


def check_texts(game: Game, effort: int) -> None:
    """The text of a position gives the position back."""
    for position in random_positions(game, 1):
        again = game.position(position.text)
        require(snapshot(again) == snapshot(position), f"the text {position.text} gives another position")
        require(again.text == position.text and again == position and hash(again) == hash(position), "texts differ")


def check_moves(game: Game, effort: int) -> None:
    """A move changes only what it returns."""
    positions = random_positions(game, 2, games=1)
    for position in positions[:: len(positions) // 15 + 1]:
        before = snapshot(position)
        for move in position.legal_moves:
            after = position.play(move)
            require(snapshot(position.play(move)) == snapshot(after), f"{move} leads to two positions: {position.text}")
            said = sentence(position, move)
            require(said.isprintable() and said[-1] == ".", f"{move} is described as {said!r} in {position.text}")
            if not after.over:  # playing on must not reach back either
                after.play(after.legal_moves[-1])
        require(snapshot(Position(game, position.state)) == before, f"a move has changed {position.text}")


def check_symmetries(game: Game, effort: int) -> None:
    """The positions after each move are the same whether one mirrors before the move or after it."""
    choice, table = random.Random(str(game)), game.symmetries
    require(all(sorted(row) == list(range(game.squares)) for row in table.tolist()), "a symmetry loses a square")
    require(len({tuple(row) for row in table.tolist()}) == len(table), "a symmetry is there twice")
    require(table[0].tolist() == list(range(game.squares)), "the first symmetry is not the identity")
    positions = random_positions(game, 3)
    for position in choice.sample(positions, min(len(positions), 20 * effort)):
        symmetry = choice.randrange(len(table))
        mirror, where = position.mirrored(symmetry), f"{position.text} under symmetry {symmetry}"
        before = sorted(after.mirrored(symmetry).cells.tobytes() for after in map(position.play, position.legal_moves))
        after = sorted(after.cells.tobytes() for after in map(mirror.play, mirror.legal_moves))
        require(before == after, f"other moves are legal in {where}")
        swapped = game.type.swaps_sides(symmetry)
        side = 1 - position.current_player if swapped else position.current_player
        require(mirror.current_player == side, f"the wrong side moves in {where}")
        require(mirror.margin == (-position.margin if swapped else position.margin), f"the margin is wrong in {where}")


def check_illegal_moves(game: Game, effort: int) -> None:
    """Illegal and malformed moves are refused, and change nothing."""
    for position in random_positions(game, 4, games=1)[-8:]:
        before = snapshot(position)
        wrong: list[str | int] = [*MALFORMED, -1, 10**6, 2**62]
        if position.over:
            wrong.append(game.start().legal_moves[0])
        for move in wrong:
            if move in position.legal or move in position.legal.values():
                continue
            try:
                position.play(move)
            except LudusError:
                continue
            raise CheckError(f"{move!r} is played in {position.text}")
        require(snapshot(position) == before, f"a refused move has changed {position.text}")


def check_damaged_texts(game: Game, effort: int) -> None:
    """A damaged text is refused, or is a position that can be played on."""
    choice = random.Random(f"{game} damaged")
    known = [position.text for position in random_positions(game, 5, games=2)][::5]
    letters = "XO.-*/:,=BWKF 0123456789" + string.ascii_letters + "\n\0é"
    for _ in range(200 * effort):
        text = list(choice.choice(known))
        for _ in range(choice.randint(1, 3)):
            place, kind = choice.randint(0, len(text)), choice.randrange(3)
            text[place : place + (kind > 0)] = [] if kind == 2 else [choice.choice(letters)]
        check_any_text(game, "".join(text))


def check_any_text(game: Game, text: str) -> None:
    """If a text is accepted as a position, it can be written, read back and played on."""
    try:
        position = game.position(text)
    except LudusError:
        return
    again = game.position(position.text)
    require(snapshot(again) == snapshot(position), f"{text!r} is accepted, but its own text is another position")
    for move in position.legal_moves[:3]:
        changed = np.any(position.play(move).cells != position.cells)
        require(changed or move == "pass", f"{move} changes nothing in {text!r}")


def check_matches(game: Game, effort: int) -> None:
    """Games are the same by kernels and move by move, and can be replayed."""
    anybody = player("random", game)
    played = match(anybody, anybody, 4, seed=3, record=True, opening="none")
    for number, record in enumerate(played.records()):
        position = record.positions()[-1]
        require(position.over, "a game that was played to its end is not over")
        score = played.scores[number] if number % 2 == 0 else 1 - played.scores[number]
        require(position.outcome == score, "a kernel counts another result than Python")
    seat, position = anybody.seat(), game.start()
    seat.begin(position, ())
    while not position.over:
        position = position.play(seat.choose(position, stream(1, "conformance")))


GAME_CHECKS: tuple[Callable[[Game, int], None], ...] = (
    check_name, check_start, check_board, check_shortcuts, check_perft, check_texts, check_moves, check_symmetries,
    check_illegal_moves, check_damaged_texts, check_matches,
)  # fmt: skip
