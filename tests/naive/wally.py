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


def candidates(
    game: NaiveGo, position: Position, source: str = "millen", defends: int = 2, edge: bool = False
) -> set[str]:
    """The moves that Wally chooses from at random; none if the game is over.

    It saves its own groups with up to `defends` liberties, with a stone on the edge line only if `edge`.
    """
    moves = game.legal_moves(position)
    stones = [move for move in moves if move != PASS]
    if not stones:
        return set(moves)
    gains = {move: captured(game, position, move) for move in stones}
    if best := max(gains.values()):
        return {move for move in stones if gains[move] == best}
    found = millen(game, position, stones) if source == "millen" else listed(game, position, stones)
    for move in stones:
        if (edge or not on_edge(game, move)) and liberties_after(game, position, move) >= 2:
            for count, size in saved(game, position, move):
                if count == 1 <= defends:
                    found.append((1, 0, -size, move))
                elif count == 2 <= defends:
                    found.append((2, 2 if source == "millen" else 1, 0, move))
    least = min((each[:3] for each in found), default=None)
    return {each[3] for each in found if each[:3] == least} or set(stones)


Proposal = tuple[int, int, int, str]  # how urgent, which kind of that urgency, which of that kind; and the move


def millen(game: NaiveGo, position: Position, stones: list[str]) -> list[Proposal]:
    """Patterns, which count as two liberties, and attacks, by the liberties of who is attacked."""
    found: list[Proposal] = []
    safe = [move for move in stones if liberties_after(game, position, move) >= 2]
    for rank, pattern in enumerate(PATTERNS):
        found += [(2, 0, rank, move) for move in matches(game, position, pattern) & set(safe)]
    for move in safe:
        for point, cell in enumerate(position.board):
            around = liberties(game, position.board, point) if cell == -colour(position) else set()
            if game.names.index(move) in around:
                found.append((len(around), 1, 0, move))
    return found


def listed(game: NaiveGo, position: Position, stones: list[str]) -> list[Proposal]:
    """By the list in abramson2001: atari, then patterns."""
    found: list[Proposal] = []
    for move in stones:
        if count := put_in_atari(game, position, move):
            found.append((2, 0, -count, move))
    for rank, pattern in enumerate(PATTERNS):
        found += [(3, 0, rank, move) for move in matches(game, position, pattern) & set(stones)]
    return found


def on_edge(game: NaiveGo, move: str) -> bool:
    row, column = divmod(game.names.index(move), game.size)
    return {row, column} & {0, game.size - 1} != set()


def liberties_after(game: NaiveGo, position: Position, move: str) -> int:
    """How many liberties the stone of a move has when it is made."""
    return len(liberties(game, game.play(position, move).board, game.names.index(move)))


def saved(game: NaiveGo, position: Position, move: str) -> list[tuple[int, int]]:
    """Own liberties that the move fills: of groups with how few, and how many stones with so few touch it."""
    point, touched = game.names.index(move), dict[int, set[int]]()
    for other, cell in enumerate(position.board):
        if cell == colour(position) and point in (around := liberties(game, position.board, other)):
            touched.setdefault(len(around), set()).add(other)
    return [(count, len(stones)) for count, stones in touched.items()]


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
