"""Go on boards of 2x2 to 19x19 points: how games, positions and moves are named, shown and told of."""

import re
from collections.abc import Collection, Iterable, Mapping
from hashlib import shake_256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.errors import InvalidPosition
from ludus.games.game import Cells, Count, Defaults, GameType, Option, Position, as_kernel_value, square_symmetries
from ludus.games.go_rules import Board, Go, GoState, any_without_liberty, with_stones, write_ko_points
from ludus.games.style import BoardStyle

U = np.uint64

COLUMNS = "ABCDEFGHJKLMNOPQRST"


def point_name(size: int, point: int) -> str:
    return f"{COLUMNS[point % size]}{point // size + 1}"


def _board(points: int, bits: int) -> Board:
    """A set of points, given as one long integer, as the words of a board."""
    return tuple(U((bits >> shift) & 0xFFFFFFFFFFFFFFFF) for shift in range(0, points, 64))


def _points(board: Board, points: int) -> NDArray[np.bool_]:
    """The points of a board, as Python sees them: [points]"""
    return np.array([bool((int(board[point // 64]) >> (point % 64)) & 1) for point in range(points)])


def _line(size: int, point: int) -> str:
    """How far from the edge a point is."""
    row, column = divmod(point, size)
    away = min(row, column, size - 1 - row, size - 1 - column)
    if size % 2 and row == column == size // 2:
        return "centre point"
    return f"{('first', 'second', 'third', 'fourth', 'fifth')[min(away, 4)]} line{' or beyond' if away > 4 else ''}"


class GoType(GameType):
    name = "go"
    title = "Go"
    version = 1
    sizes = range(2, 20)
    default_size = 9
    options = (
        Option("komi", 7.5, "points added to White's score", low=-400, high=400, title="Komi"),
        Option(
            "ko",
            "superko",
            "superko bars every earlier position, simple only the last",
            ("superko", "simple"),
            title="Ko",
            labels=("No position may come back (superko)", "Only the last position may not come back"),
        ),
        Option(
            "rules",
            "area",
            "abramson2001 also bars joining stones into atari and needless passes",
            ("area", "abramson2001"),
            title="Rules",
            labels=("Area scoring (as Chinese rules)", "Those of abramson2001"),
        ),
        Option(
            "plies",
            0,
            "moves after which the game ends; 0 is four for each point",
            low=0,
            high=100000,
            title="Most moves",
        ),
    )
    counts_captures = True
    rules_summary = (
        "Area scoring: your stones and the points that only they surround count, and White gets the komi for moving "
        "second. Suicide is not allowed. No play may repeat an earlier position of the whole board, whoever moved "
        "then (positional superko); with simple ko, only the position before the opponent's last play is barred. Two "
        "passes end the game, and so does a limit on its length. After two passes people agree on which stones are "
        "dead, or play on; between machines every stone counts as it stands, unless a GTP engine says which are dead."
    )
    pieces = ("stone", "stones")
    board_style = BoardStyle(
        grid="lines",
        piece="stone",
        square="#d9ad68",
        line="#6b4a1c",
        frame="#d9ad68",
        label="#3f2b0f",
        heat="#0072b2",
        star_points=True,
    )
    first_row_below = True
    move_pattern = r"[a-hj-t]\d{1,2}|pass"
    move_example = "C3, or pass"

    def defaults(self, size: int) -> Defaults:
        simulations = 10_000 if size <= 7 else 5000 if size <= 9 else 2000  # about as long for each size
        return Defaults("area", "greedy:value=area", "wally", judge=f"mcts:simulations={simulations}")

    def record_formats(self, size: int) -> tuple[str, ...]:
        return ("sgf",)

    def count(self, position: Position, dead: Collection[int] = ()) -> Count:
        from ludus.games.go_counting import count

        return count(position, dead)

    def dead_pieces(self, position: Position) -> list[int] | None:
        from ludus.games.go_counting import dead_stones

        return dead_stones(position)

    def handicap_squares(self, rules: Go, stones: int) -> list[int]:
        from ludus.games.go_counting import handicap_points

        return handicap_points(rules.size, stones)

    def rules(self, size: int, options: Mapping[str, Any]) -> Go:
        points = size * size
        plies = options["plies"] or 4 * points
        row, every_row = (1 << size) - 1, sum(1 << (size * i) for i in range(size))
        return Go(
            size=size,
            komi=options["komi"],
            superko=options["ko"] == "superko",
            restricted=options["rules"] == "abramson2001",
            plies=plies,
            bloom=1 << max(plies // 4, 1).bit_length(),
            board=_board(points, (1 << points) - 1),
            not_west=_board(points, every_row * (row - 1)),
            not_east=_board(points, every_row * (row >> 1)),
            keys=np.frombuffer(shake_256(b"ludus go").digest(16 * points), "<u8").astype(np.uint64).reshape(2, points),
        )

    def shape(self, rules: Go) -> tuple[int, int]:
        return rules.size, rules.size

    def square_name(self, rules: Go, square: int) -> str:
        return point_name(rules.size, square)

    def max_plies(self, rules: Go) -> int:
        return rules.plies

    def symmetries(self, rules: Go) -> NDArray[np.int64]:
        return square_symmetries(rules.size)

    def state_from_cells(
        self, rules: Go, cells: Cells, current_player: int, like: GoState | None = None, bars: Iterable[int] = ()
    ) -> Any:
        black, white = (
            _board(rules.size**2, sum(1 << int(point) for point in np.flatnonzero(cells == colour)))
            for colour in (1, -1)
        )
        own, opp = (black, white) if current_player == 0 else (white, black)
        forbidden = np.array(list(bars), np.int64)
        history = np.zeros(rules.bloom + rules.plies + len(forbidden) + 1, np.uint64)
        passes, ply = (like.passes, like.ply) if like else (0, 0)
        return as_kernel_value(with_stones(rules, own, opp, current_player, passes, ply, forbidden, history))

    def ko_points(self, position: Position) -> NDArray[np.int64]:
        """The points that only the ko rule forbids."""
        points = np.empty(position.game.max_legal_moves, np.int64)
        return points[: write_ko_points(position.game.rules, position.state, points)]

    def mirrored(self, position: Position, symmetry: int) -> Any:
        goes = position.game.symmetries[symmetry]
        cells = np.empty_like(position.cells)
        cells[goes] = position.cells
        return self.state_from_cells(
            position.game.rules, cells, position.current_player, position.state, goes[self.ko_points(position)]
        )

    def deeds(self, position: Position, move: str, after: Position) -> list[str]:
        """What it captures, puts in atari and saves from it."""
        from ludus.games.words import counted

        if move == "pass":
            return ["passes"]
        mover = 1 if position.current_player == 0 else -1
        before, now, point = position.cells * mover, after.cells * mover, position.legal[move]
        # the stones in atari, of both sides
        was, is_now = (_points(each.state.atari, position.game.size**2) for each in (position, after))
        threatened = int(np.sum(is_now & (now < 0) & ~was))
        saved = int(np.sum(was & (before > 0) & ~is_now))
        found = super().deeds(position, move, after)
        if saved:
            found.append(f"saves {counted(saved, *self.pieces)} from atari")
        if threatened:
            found.append(f"puts {counted(threatened, *self.pieces)} in atari")
        if is_now[point]:
            found.append("can be captured itself")
        return found or [f"plays on the {_line(position.game.size, point)}"]

    def prospects(self, position: Position, after: Position) -> list[str]:
        """How many moves there are says little in Go."""
        return []

    def move_text(self, rules: Go, state: GoState, move: int) -> str:
        return "pass" if move == rules.size**2 else point_name(rules.size, move)

    def position_text(self, position: Position) -> str:
        """Rows from the top, X black, O white, then the side to move, and what else decides the next moves.

        `.X./O.O/... X ko=B3 passes=1 ply=7`. Of the game so far a text has only the points that ko forbids now, not
        those that superko would forbid later.
        """
        rows = position.cells.reshape(position.game.size, -1)[::-1]
        parts = ["/".join("".join("O.X"[cell + 1] for cell in row) for row in rows), "XO"[position.current_player]]
        if len(bars := self.ko_points(position)):
            parts.append("ko=" + ",".join(point_name(position.game.size, int(point)) for point in bars))
        parts += [f"{name}={value}" for name in ("passes", "ply") if (value := getattr(position.state, name))]
        return " ".join(parts)

    def parse(self, rules: Go, text: str) -> Any:
        size, names = rules.size, [point_name(rules.size, point) for point in range(rules.size**2)]
        board, side, *rest = [*text.upper().split(), "", ""]
        rows = board.split("/")
        if [len(row) for row in rows] != [size] * size or set(board) - set("XO./") or side not in ("X", "O"):
            raise InvalidPosition(
                f"{text!r} is not a position of go{size}; write {size} rows from the top with / between them "
                "(X black, O white, . empty), then X or O for the side to move"
            )
        found = {"KO": "", "PASSES": "0", "PLY": "0"}
        for part in filter(None, rest):
            key, _, value = part.partition("=")
            if key not in found or not value:
                raise InvalidPosition(
                    f"{part.lower()!r} in {text!r} is not understood; write ko=C3, passes=1 or ply=20"
                )
            found[key] = value
        for key, most in (("PASSES", 2), ("PLY", rules.plies)):
            if not re.fullmatch(r"\d{1,6}", found[key], re.ASCII) or int(found[key]) > most:
                raise InvalidPosition(f"{key.lower()}={found[key]} is not possible; write a number from 0 to {most}")
        cells = np.array(["O.X".index(point) - 1 for row in reversed(rows) for point in row], np.int8)
        bars = found["KO"].split(",") if found["KO"] else []
        for bar in bars:
            if bar not in names or cells[names.index(bar)]:
                raise InvalidPosition(
                    f"ko={bar} is not possible; name empty points of the board, such as ko={names[0]}"
                )
        like = GoState(*((),) * 5, U(0), -1, int(found["PASSES"]), int(found["PLY"]), 0, 0, np.empty(0, np.uint64))
        state = self.state_from_cells(rules, cells, "XO".index(side), like, [names.index(bar) for bar in bars])
        if any_without_liberty(rules, state.own, state.opp):
            raise InvalidPosition(f"{text!r} has stones without a liberty, which would have been captured")
        return state

    def diagram(self, position: Position) -> str:
        size = position.game.size
        rows = [
            f"{row + 1:>2} " + " ".join("O.X"[cell + 1] for cell in position.cells[size * row : size * (row + 1)])
            for row in reversed(range(size))
        ]
        turn = "over" if position.over else f"{position.side} ({'XO'[position.current_player]}) to move"
        lead = f"{'Black' if position.margin > 0 else 'White'} leads by {abs(position.margin):g}"
        score = lead if position.margin else "nobody leads"
        return "\n".join([*rows, "   " + " ".join(COLUMNS[:size]), f"Black X, White O, {score}: {turn}"])


GAME = GoType()
