"""What the arena's visitors learn: reviews of their games, puzzles made of their mistakes, and which they have solved.

It is stored in the same file as their games (`ludus.records.arena`), so it survives a restart:

    reviews     game, judge, ply, move, judged: what a judge said of the moves of a game, as JSON
    mistakes    visitor, puzzle, game, ply, position: the puzzles that somebody's own mistakes have left, as JSON
    attempts    visitor, puzzle, tries, solved, last: who has tried which puzzle
    names       game, black, white: who played a game between two visitors, or one that was brought along in a file
"""

import json
import time
from dataclasses import dataclass
from typing import Any

from ludus.records.arena import ArenaGames

LAYOUT = """
create table if not exists reviews (
    game text not null references games, judge text not null, ply integer not null, move text not null,
    judged text not null, primary key (game, judge, ply)
) without rowid;
create table if not exists mistakes (
    visitor text not null references visitors, puzzle text not null, game text not null references games,
    ply integer not null, position text not null, primary key (visitor, puzzle)
) without rowid;
create table if not exists attempts (
    visitor text not null references visitors, puzzle text not null, tries integer not null, solved integer not null,
    last real not null, primary key (visitor, puzzle)
) without rowid;
create table if not exists names (
    game text primary key references games, black text not null, white text not null
) without rowid;
"""

MISTAKES = 500
"""How many puzzles of their own mistakes a visitor keeps; older ones make room."""


@dataclass(frozen=True)
class Attempt:
    """How often somebody has tried a puzzle, and whether they have found the move."""

    tries: int
    solved: bool


class Training:
    """The coach's part of the arena's file."""

    def __init__(self, games: ArenaGames) -> None:
        self._games = games
        with games.transaction() as connection:
            for statement in LAYOUT.split(";"):
                connection.execute(statement)

    def add_names(self, game: str, black: str, white: str) -> None:
        """Store who played a game between two visitors, or one that was brought along."""
        with self._games.transaction() as connection:
            connection.execute("insert or replace into names values (?, ?, ?)", (game, black, white))

    def names(self, game: str) -> tuple[str, str] | None:
        """Who played a game between two visitors or brought along; None for all others."""
        found = self._games.rows("select black, white from names where game = ?", (game,))
        return (str(found[0][0]), str(found[0][1])) if found else None

    def first_moves(self, visitor: str, most: int) -> dict[str, tuple[str, ...]]:
        """The first `most` moves of each of the visitor's games."""
        found = dict[str, tuple[str, ...]]()
        query = (
            "select moves.game, move from moves join games on games.id = moves.game "
            "where (visitor = ? or games.id in (select game from rivals where rivals.visitor = ?)) and ply < ? "
            "order by moves.game, ply"
        )
        for game, move in self._games.rows(query, (visitor, visitor, most)):
            found[game] = (*found.get(game, ()), move)
        return found

    def reviewed(self, game: str, judge: str, moves: tuple[str, ...]) -> list[dict[str, Any]]:
        """What the judge has said of the first moves of a game, as far as these are still the same."""
        query = "select ply, move, judged from reviews where game = ? and judge = ? order by ply"
        found = list[dict[str, Any]]()
        for ply, move, judged in self._games.rows(query, (game, judge)):
            if ply != len(found) or ply >= len(moves) or moves[ply] != move:
                break
            found.append(json.loads(judged))
        return found

    def add_reviewed(self, game: str, judge: str, ply: int, move: str, judged: dict[str, Any]) -> None:
        """Store what the judge says of a move."""
        values = (game, judge, ply, move, json.dumps(judged))
        with self._games.transaction() as connection:
            connection.execute("insert or replace into reviews values (?, ?, ?, ?, ?)", values)

    def add_mistake(self, visitor: str, puzzle: dict[str, Any], game: str, ply: int) -> None:
        """Store a puzzle that a mistake of the visitor's has left."""
        with self._games.transaction() as connection:
            connection.execute(
                "insert or replace into mistakes values (?, ?, ?, ?, ?)",
                (visitor, puzzle["id"], game, ply, json.dumps(puzzle)),
            )
            connection.execute(
                "delete from mistakes where visitor = :visitor and puzzle not in (select puzzle from mistakes "
                "join games on games.id = mistakes.game where mistakes.visitor = :visitor "
                "order by games.touched desc limit :most)",
                {"visitor": visitor, "most": MISTAKES},
            )

    def mistakes(self, visitor: str) -> list[dict[str, Any]]:
        """The puzzles of the visitor's own mistakes, those of the latest games first."""
        query = (
            "select position from mistakes join games on games.id = mistakes.game "
            "where mistakes.visitor = ? order by games.touched desc, ply"
        )
        return [json.loads(puzzle) for (puzzle,) in self._games.rows(query, (visitor,))]

    def attempts(self, visitor: str) -> dict[str, Attempt]:
        """Which puzzles the visitor has tried, by their ids."""
        found = self._games.rows("select puzzle, tries, solved from attempts where visitor = ?", (visitor,))
        return {puzzle: Attempt(tries, bool(solved)) for puzzle, tries, solved in found}

    def attempt(self, visitor: str, puzzle: str, solved: bool) -> Attempt:
        """Count a try. A puzzle stays solved."""
        with self._games.transaction() as connection:
            connection.execute(
                "insert into attempts values (?, ?, 1, ?, ?) on conflict (visitor, puzzle) do update set "
                "tries = tries + 1, solved = max(solved, excluded.solved), last = excluded.last",
                (visitor, puzzle, solved, time.time()),
            )
        return self.attempts(visitor)[puzzle]
