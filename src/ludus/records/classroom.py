"""A class at the arena (`ludus serve --class`), stored in the same file as its games (`ludus.records.arena`).

pupils          number, visitor, name, spelled: who has joined; `spelled` is the name as names are compared
entries         pupil, game, player: whom each has entered into the league of a game
grown           run, visitor: who has begun a run on the page
challenges      number, challenger, challenged, side, clock: games that are asked for; `side` is the challenger's
league          game, a, b, wins, draws, losses: what two players of the league have scored, seen by `a`
class_settings  name, value: the tokens, and whether new names are refused
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

from ludus.records.arena import ArenaGames

LAYOUT = """
create table if not exists pupils (
    number integer primary key autoincrement, visitor text not null unique references visitors, name text not null,
    spelled text not null unique
);
create table if not exists entries (
    pupil integer not null references pupils on delete cascade, game text not null, player text not null,
    primary key (pupil, game)
) without rowid;
create table if not exists grown (run text primary key, visitor text not null references visitors) without rowid;
create table if not exists challenges (
    number integer primary key autoincrement, challenger integer not null references pupils on delete cascade,
    challenged integer not null references pupils on delete cascade, side integer not null, clock real not null,
    unique (challenger, challenged)
);
create table if not exists league (
    game text not null, a text not null, b text not null, wins integer not null, draws integer not null,
    losses integer not null, primary key (game, a, b)
) without rowid;
create table if not exists class_settings (name text primary key, value text not null) without rowid
"""


@dataclass(frozen=True)
class Pupil:
    number: int
    visitor: str
    name: str
    entry: str
    """The player string in the league; empty without one."""


@dataclass(frozen=True)
class Challenge:
    number: int
    challenger: int
    challenged: int
    side: int
    """The challenger's."""
    clock: float


@dataclass(frozen=True)
class ClassGame:
    """A game between two pupils."""

    id: str
    names: tuple[str, str]
    outcome: float | None
    reason: str
    plies: int
    touched: float


class Scored(NamedTuple):
    """Games between two players of the league, counted for `a`."""

    a: str
    b: str
    wins: int
    draws: int
    losses: int


class ClassRecords:
    """The class's part of the arena's file."""

    def __init__(self, games: ArenaGames) -> None:
        self._games = games
        with games.transaction() as connection:
            for statement in LAYOUT.split(";"):
                connection.execute(statement)

    def _change(self, statement: str, values: tuple[Any, ...]) -> int:
        """How many rows a change has touched."""
        with self._games.transaction() as connection:
            return connection.execute(statement, values).rowcount

    def setting(self, name: str, fallback: str) -> str:
        """A setting; one that there is not yet becomes `fallback`."""
        self._change("insert or ignore into class_settings values (?, ?)", (name, fallback))
        return str(self._games.rows("select value from class_settings where name = ?", (name,))[0][0])

    def change_setting(self, name: str, value: str) -> None:
        self._change("insert or replace into class_settings values (?, ?)", (name, value))

    def pupils(self, game: str) -> list[Pupil]:
        """Everybody in the order in which they joined, with their entries for this game."""
        query = (
            "select number, visitor, name, ifnull(player, '') from pupils "
            "left join entries on pupil = number and game = ? order by number"
        )
        return [Pupil(*row) for row in self._games.rows(query, (game,))]

    def join(self, visitor: str, name: str, spelled: str) -> bool:
        """Whether the name was free, and is the visitor's now."""
        values = (visitor, name, spelled)
        return bool(self._change("insert or ignore into pupils (visitor, name, spelled) values (?, ?, ?)", values))

    def remove(self, number: int) -> bool:
        """Forget a pupil with entries and challenges; whether there was one."""
        return bool(self._change("delete from pupils where number = ?", (number,)))

    def enter(self, number: int, game: str, player: str) -> None:
        self._change("insert or replace into entries values (?, ?, ?)", (number, game, player))

    def withdraw(self, number: int, game: str) -> None:
        self._change("delete from entries where pupil = ? and game = ?", (number, game))

    def add_grown(self, run: str, visitor: str) -> None:
        self._change("insert or replace into grown values (?, ?)", (run, visitor))

    def grown(self, visitor: str) -> set[str]:
        """The runs that the visitor has begun."""
        return {run for (run,) in self._games.rows("select run from grown where visitor = ?", (visitor,))}

    def challenges(self, number: int) -> list[Challenge]:
        """What a pupil has asked for, or is asked for."""
        query = "select * from challenges where challenger = ? or challenged = ? order by number"
        return [Challenge(*row) for row in self._games.rows(query, (number, number))]

    def challenge(self, challenger: int, challenged: int, side: int, clock: float) -> None:
        """Ask for a game, instead of what was asked of the same pupil before."""
        values = (challenger, challenged, side, clock)
        statement = "insert or replace into challenges (challenger, challenged, side, clock) values (?, ?, ?, ?)"
        self._change(statement, values)

    def take_challenge(self, number: int) -> bool:
        """Whether the challenge was still there; now it is not."""
        return bool(self._change("delete from challenges where number = ?", (number,)))

    def games(self, most: int, visitor: str = "") -> list[ClassGame]:
        """The games between pupils that changed last, of one visitor or of all whose names were not removed."""
        there = "(select name from pupils)"
        whose, values = f"where names.black in {there} and names.white in {there}", tuple[str, ...]()
        if visitor:
            whose, values = "where ? in (games.visitor, rivals.visitor)", (visitor,)
        query = (
            "select games.id, names.black, names.white, outcome, reason, "
            "(select count(*) from moves where moves.game = games.id), touched "
            "from rivals join games on games.id = rivals.game join names on names.game = games.id "
            f"{whose} order by touched desc limit ?"
        )
        return [
            ClassGame(id, (black, white), *rest) for id, black, white, *rest in self._games.rows(query, (*values, most))
        ]

    def add_result(self, game: str, result: Scored) -> None:
        """Add what two players have scored to what they had."""
        self._change(
            "insert into league values (?, ?, ?, ?, ?, ?) on conflict (game, a, b) do update set "
            "wins = wins + excluded.wins, draws = draws + excluded.draws, losses = losses + excluded.losses",
            (game, *result),
        )

    def results(self, game: str) -> list[Scored]:
        query = "select a, b, wins, draws, losses from league where game = ?"
        return [Scored(*row) for row in self._games.rows(query, (game,))]
