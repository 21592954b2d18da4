"""Sarsa with a codebook or with weights, one number after the other: a slow, obvious twin."""

import math
from typing import Any

import numpy as np

from ludus.compile.rng import Rng, key, randint, seek, uniform
from ludus.games.game import Game, Position
from ludus.games.influence import influence_of
from ludus.players.names import player

UNIT = 16384
SAME = 1e-9


def ends(position: Position, move: str) -> tuple[int, int]:
    """Where a move begins and ends, from its text."""
    if move == "pass":
        return position.game.squares, position.game.squares
    if position.game.type.name == "checkers":
        places = [int(each) - 1 for each in move.replace("x", "-").split("-")]
        return places[0], places[-1]
    return position.legal[move], position.legal[move]


class Slow:
    """What both twins do alike: games against an opponent, and surprises."""

    def __init__(self, game: Game, settings: Any, seed: int) -> None:
        self.game, self.settings, self.seed = game, settings, seed
        self.most = 12.0 if game.type.name == "checkers" else float(game.squares)

    def play(self, name: str, index: int) -> None:
        chosen, rng, opponent = self.settings, np.empty(4, np.uint64), player(self.settings.opponent, self.game).seat()
        seek(rng, key(self.seed, f"{name} games"), index)
        self.begin()
        position, lines = self.game.start(), ([], [])
        noise = chosen.exploration / math.sqrt(index + 1.0)
        while not position.over:
            who, entry = position.current_player, None
            learns = len(position.legal_moves) > 1 or chosen.from_forced
            if who == 0 and not learns:
                move = position.legal_moves[0]
            elif who == 0:
                move, entry = self.decide(position, position.legal_moves, noise, rng)
            else:
                number = opponent.choose(position, rng)
                move = next(text for text, each in position.legal.items() if each == number)
                if chosen.from_opponent and learns:
                    _, entry = self.decide(position, [move], 0.0, rng)
            if entry is not None:
                if lines[who]:
                    self.learn(who, lines[who], chosen.gamma * self.worth(entry) - self.worth(lines[who][-1]), index)
                lines[who].append(entry)
            position = position.play(move)
        reward = position.margin / self.most
        for who, line in enumerate(lines):
            if line:
                self.learn(who, line, (reward if who == 0 else -reward) - self.worth(line[-1]), index)

    def begin(self) -> None:
        pass


class SlowCodebook(Slow):
    """Vectors are lists [memberships, start, end, utility, wins]."""

    def __init__(self, game: Game, settings: Any, seed: int, vectors: list[list[Any]]) -> None:
        super().__init__(game, settings, seed)
        self.vectors = vectors
        swaps = [i for i in range(len(game.symmetries)) if game.type.swaps_sides(i)]
        plain = [i for i in range(len(game.symmetries)) if not game.type.swaps_sides(i)]
        self.ways = [plain, swaps or plain]
        if game.size:
            self.places = [divmod(square, game.size) for square in range(game.squares)]
        else:
            self.places = [(i // 4, 2 * (i % 4) + 1 - i // 4 % 2) for i in range(32)]

    def near(self, end: int, square: int) -> float:
        if end == self.game.squares:
            return 1.0
        (a, b), (c, d) = self.places[end], self.places[square]
        return 1 / (1 + max(abs(a - c), abs(b - d)))

    def seen(self, position: Position, way: int) -> list[float]:
        """The position as a vector would have it, turned in that way, in units."""
        field = influence_of(position)
        field = field * ((1 - 2 * position.current_player) / max(abs(field))) if field.any() else field
        goes = self.game.symmetries[way]
        units = [round(field[goes[square]] * UNIT) for square in range(self.game.squares)]
        return [max(each, 0) for each in units] + [max(-each, 0) for each in units]

    def salience(self, units: list[float], end: int) -> float:
        squares = self.game.squares
        return sum(self.near(end, k) * (units[k] + units[squares + k]) for k in range(squares)) / UNIT

    def similarity(self, units: list[float], vector: list[Any]) -> float:
        """Of the position, seen in the vector's way."""
        shape = [round(each * UNIT) for each in vector[0]]
        p, r = self.salience(shape, vector[2]), self.salience(units, vector[2])
        a = p / (p + r) if p + r else 0.5
        common = sum(min(x, y) for x, y in zip(shape, units, strict=True))
        missing = sum(max(x - y, 0) for x, y in zip(shape, units, strict=True))
        extra = sum(max(y - x, 0) for x, y in zip(shape, units, strict=True))
        return (common - a * missing - (1 - a) * extra) / UNIT / self.game.squares

    def turned(self, way: int, square: int) -> int:
        return square if square == self.game.squares else int(self.game.symmetries[way][square])

    def matches(self, position: Position, moves: list[str]) -> list[tuple[float, str, int, int]]:
        """The best way of each vector that has one: similarity, move, way and which vector."""
        legal: dict[tuple[int, int], str] = {}
        for move in moves:
            legal.setdefault(ends(position, move), move)
        views = {way: self.seen(position, way) for way in self.ways[position.current_player]}
        found = []
        for i, vector in enumerate(self.vectors):
            best: tuple[float, str, int, int] | None = None
            for way, units in views.items():
                move = legal.get((self.turned(way, vector[1]), self.turned(way, vector[2])))
                if move is not None:
                    similarity = self.similarity(units, vector)
                    if best is None or similarity > best[0] + SAME:
                        best = (similarity, move, way, i)
            if best:
                found.append(best)
        return found

    def decide(self, position: Position, moves: list[str], noise: float, rng: Rng) -> tuple[str, list[Any]]:
        found = self.matches(position, moves)
        novel = not found or max(each[0] for each in found) < 0
        if self.settings.noise == "vectors":
            found = [(similarity + noise * uniform(rng), *match) for similarity, *match in found]
            noise = 0.0
        front = []
        for rank, (similarity, move, way, i) in enumerate(found):
            value = self.vectors[i][3]
            beaten = any(
                s >= similarity - SAME and self.vectors[j][3] >= value
                and (s > similarity + SAME or self.vectors[j][3] > value or other < rank)
                for other, (s, _, _, j) in enumerate(found) if other != rank
            )  # fmt: skip
            if not beaten:
                score = similarity + self.settings.balance * value + (noise * uniform(rng) if noise else 0)
                front.append((score, move, way, i))
        move, way, i = moves[0], 0, -1
        if front:
            best = front[0]
            for each in front:
                best = each if each[0] > best[0] + SAME else best
            _, move, way, i = best
        else:
            move = moves[randint(rng, len(moves))]
        if novel:
            way, i = self.add(position, move)
        return move, self.gone_by(position, way, i)

    def add(self, position: Position, move: str) -> tuple[int, int]:
        way = self.ways[position.current_player][0]
        goes = [*self.game.symmetries[way].tolist(), self.game.squares]
        start, end = (goes.index(each) for each in ends(position, move))
        self.vectors.append([[each / UNIT for each in self.seen(position, way)], start, end, 0.0, 0])
        return way, len(self.vectors) - 1

    def gone_by(self, position: Position, way: int, i: int) -> list[Any]:
        self.vectors[i][4] += 1
        return [i, self.seen(position, way), 1.0]

    def worth(self, entry: list[Any]) -> float:
        return float(self.vectors[entry[0]][3])

    def learn(self, who: int, line: list[list[Any]], td_error: float, index: int) -> None:
        chosen = self.settings
        for entry in reversed(line):
            vector = self.vectors[entry[0]]
            rate = chosen.alpha / (1 + chosen.cooling_step * vector[4]) ** chosen.cooling
            change = rate * td_error * entry[2]
            vector[3] += change
            moved = [max(m + change * (s / UNIT - m), 0.0) for m, s in zip(vector[0], entry[1], strict=True)]
            vector[0] = [each / max(moved) for each in moved] if any(moved) else moved
            entry[2] *= chosen.gamma * chosen.decay


class SlowWeights(Slow):
    """A weight for (what is on a square, the square); 0 ours, 1 theirs, 2 empty."""

    def __init__(self, game: Game, settings: Any, seed: int) -> None:
        super().__init__(game, settings, seed)
        self.weights = {(kind, square): 1.0 for kind in range(3) for square in range(game.squares + 1)}
        self.traces: tuple[dict[Any, float], dict[Any, float]] = ({}, {})

    def begin(self) -> None:
        self.traces = ({}, {})

    def marks(self, position: Position, move: str) -> list[tuple[int, int]]:
        swaps = position.current_player == 1 and any(map(self.game.type.swaps_sides, range(len(self.game.symmetries))))
        goes = [*(self.game.symmetries[1] if swaps else range(self.game.squares)), self.game.squares]
        if self.settings.reading == "move":
            return [(0, int(goes[ends(position, move)[1]]))]
        cells = position.play(move).cells * (1 - 2 * position.current_player)
        return [(0 if cell > 0 else 1 if cell < 0 else 2, int(goes[i])) for i, cell in enumerate(cells.tolist())]

    def decide(self, position: Position, moves: list[str], noise: float, rng: Rng) -> tuple[str, list[Any]]:
        worths = [self.worth(self.marks(position, move)) for move in moves]
        if uniform(rng) < noise:
            chosen = randint(rng, len(moves))
        else:
            chosen, ties = 0, 1
            for i in range(1, len(moves)):
                if worths[i] > worths[chosen]:
                    chosen, ties = i, 1
                elif worths[i] == worths[chosen]:
                    ties += 1
                    if randint(rng, ties) == 0:
                        chosen = i
        return moves[chosen], self.marks(position, moves[chosen])

    def worth(self, marks: list[Any]) -> float:
        total = 0.0
        for mark in sorted(marks, key=lambda each: each[1]):
            total += self.weights[mark]
        return total / len(marks)

    def learn(self, who: int, line: list[list[Any]], td_error: float, index: int) -> None:
        for mark in line[-1]:
            self.traces[who][mark] = 1.0
        for mark, trace in self.traces[who].items():
            self.weights[mark] += self.settings.alpha / math.sqrt(index + 1) * td_error * trace
            self.traces[who][mark] = trace * self.settings.gamma * self.settings.decay
