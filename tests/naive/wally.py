"""A slow, obvious Wally: the moves that it may make in a position of the slow, obvious Go."""

from collections.abc import Callable

from tests.naive.go import BLACK, EMPTY, PASS, WHITE, Board, NaiveGo, Position

Offset = tuple[int, int]  # (down, right)

# with an opponent's stone at (0, 0): where two stones of one's own are, and where to play; the most urgent first
PATTERNS: list[tuple[Offset, Offset, Offset]] = [
    ((-1, -1), (-1, 1), (-1, 0)),
    ((0, 1), (-1, -1), (-1, 0)),
    ((0, -1), (0, 1), (1, 0)),
    ((-1, 2), (-1, -1), (-1, 0)),
    ((-1, -2), (-1, 2), (-1, 0)),
    ((0, -1), (1, -2), (1, 0)),
    ((-1, 0), (-1, -2), (0, -1)),
]
SYMMETRIES: list[Callable[[int, int], Offset]] = [
    lambda down, right: (down, right),
    lambda down, right: (down, -right),
    lambda down, right: (-down, right),
    lambda down, right: (-down, -right),
    lambda down, right: (right, down),
    lambda down, right: (right, -down),
    lambda down, right: (-right, down),
    lambda down, right: (-right, -down),
]


def candidates(game: NaiveGo, position: Position) -> set[str]:
    """The moves among which Wally throws the dice; none if the game is over."""
    moves = game.moves(position)
    stones = [move for move in moves if move != PASS]
    if not stones:
        return set(moves)
    for worth in (captured, put_in_atari):
        gains = {move: worth(game, position, move) for move in stones}
        if best := max(gains.values()):
            return {move for move in stones if gains[move] == best}
    for pattern in PATTERNS:
        if found := matches(game, position, pattern) & set(stones):
            return found
    return set(stones)


def colour(position: Position) -> int:
    return BLACK if position.turn == 0 else WHITE


def captured(game: NaiveGo, position: Position, move: str) -> int:
    """How many stones the move takes off the board."""
    opponent, after = -colour(position), game.play(position, move).board
    return position.board.count(opponent) - after.count(opponent)


def put_in_atari(game: NaiveGo, position: Position, move: str) -> int:
    """How many stones the move leaves with one liberty that had more; 0 if its own stone has then only one, too."""
    after = game.play(position, move).board
    if len(liberties(game, after, game.names.index(move))) < 2:
        return 0
    return sum(
        len(liberties(game, after, point)) == 1 < len(liberties(game, position.board, point))
        for point, cell in enumerate(after)
        if cell == -colour(position)
    )


def liberties(game: NaiveGo, board: Board, point: int) -> set[int]:
    """The liberties of the group with a stone on this point."""
    return game._group(board, point)[1]


def matches(game: NaiveGo, position: Position, pattern: tuple[Offset, Offset, Offset]) -> set[str]:
    """Where the pattern wants a stone, in each of its eight ways beside each stone of the opponent."""
    own, size, found = colour(position), game.size, set()
    for point, cell in enumerate(position.board):
        if cell != -own:
            continue
        for symmetry in SYMMETRIES:
            spots = [symmetry(*offset) for offset in pattern]
            spots = [(point // size + down, point % size + right) for down, right in spots]
            if all(0 <= row < size and 0 <= column < size for row, column in spots):
                first, second, target = (row * size + column for row, column in spots)
                if position.board[first] == position.board[second] == own and position.board[target] == EMPTY:
                    found.add(game.names[target])
    return found
