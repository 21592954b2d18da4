"""The games that people play in the arena (`ludus serve`), stored in one SQLite file, and their statistics.

    visitors    id, since: whoever has opened the page, by a random name in a cookie
    games       one row a game: who played, what was agreed, how it ended (see `StoredGame`)
    moves       game, ply, move, seconds, by_lot: the moves as players write them, the opening's included
    strategies  player, game, current, record: how players with several strategies have fared here, and which is next
    details     game, stones, dead: handicap stones, and the squares of pieces that were agreed to be dead
    shares      token, game: games that anybody who knows the token may look at
    rivals      game, visitor, side: who plays that side of a game between two visitors; the other is its owner's

A side of a game is a player string, or `person`. Every change is one transaction in a write-ahead log: a server that is
killed loses nothing that it had answered, and others can read meanwhile.
"""

import json
import math
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ludus.errors import DamagedFile, StorageError
from ludus.storage import home_folder

PERSON = "person"
SKILLS = ("new", "average", "strong")
"""What people may say of themselves: the three groups of jain2018's Table I."""

VERSION = 1
BUSY_SECONDS, WAIT_SECONDS = 2.0, 5.0
"""How long a change waits for another program that has the file, and for other threads of this one."""

LAYOUT = """
create table visitors (id text primary key, since real not null) without rowid;
create table games (
    id text primary key,
    visitor text not null references visitors,
    game text not null,
    black text not null,
    white text not null,
    skill text not null check (skill in ('', 'new', 'average', 'strong')),
    opening integer not null,
    handicap real not null,
    clock real not null,
    seed integer not null,
    black_strategy integer,
    white_strategy integer,
    begun real not null,
    touched real not null,
    undone integer not null default 0,
    hints integer not null default 0,
    outcome real check (outcome in (0, 0.5, 1)),
    reason text not null default '',
    lesson text not null default ''
) without rowid;
create index games_by_visitor on games (visitor, touched);
create index games_by_end on games (outcome, touched);
create table moves (
    game text not null references games,
    ply integer not null,
    move text not null,
    seconds real not null,
    by_lot integer not null,
    primary key (game, ply)
) without rowid;
create table strategies (
    player text not null, game text not null, current integer not null, record text not null,
    primary key (player, game)
) without rowid;
"""

LATER_LAYOUT = """
create table if not exists details (
    game text primary key references games, stones integer not null default 0, dead text not null default ''
) without rowid;
create table if not exists shares (token text primary key, game text not null unique references games) without rowid;
create table if not exists rivals (
    game text primary key references games, visitor text not null references visitors, side integer not null
) without rowid;
create index if not exists rivals_by_visitor on rivals (visitor);
"""
"""What came later, and older versions do without."""


def data_folder() -> Path:
    """The folder for users' own data: `$LUDUS_DATA`, or `ludus` in the user's data folder."""
    if chosen := os.environ.get("LUDUS_DATA"):
        return Path(chosen)
    return Path(os.environ.get("XDG_DATA_HOME") or home_folder("LUDUS_DATA") / ".local" / "share") / "ludus"


def default_file() -> Path:
    """Where the arena stores its games by default."""
    return data_folder() / "arena.sqlite"


@dataclass(frozen=True)
class StoredMove:
    """A move that was made."""

    move: str
    seconds: float
    by_lot: bool
    """Random: of the opening, or by the machine's handicap."""


@dataclass(frozen=True)
class StoredGame:
    """A game in the file."""

    id: str
    visitor: str
    game: str
    black: str
    white: str
    skill: str = ""
    """What the person says of themselves, one of SKILLS, or nothing."""
    opening: int = 0
    """How many random moves begin the game."""
    handicap: float = 0.0
    """The chance that a move of the machine is random."""
    clock: float = 0.0
    """Seconds that each side has for the whole game; 0 is no clock."""
    seed: int = 0
    black_strategy: int | None = None
    """Which strategy a player that has several plays with."""
    white_strategy: int | None = None
    begun: float = 0.0
    touched: float = 0.0
    undone: int = 0
    """How often moves were taken back; 1 from the start in a game that goes on from a position of another."""
    hints: int = 0
    outcome: float | None = None
    """For Black, who moves first."""
    reason: str = ""
    """Why it ended if the board does not show it: resigned, time."""
    lesson: str = ""
    """What a player with several strategies learned from the game."""
    stones: int = 0
    """Handicap stones that the first player began with; they are among the moves of the opening."""
    dead: tuple[int, ...] = ()
    """The squares of pieces that were agreed to be dead at the end."""
    rival: str = ""
    """The visitor who plays the other side, in a game between two visitors."""
    rival_side: int = 0
    moves: tuple[StoredMove, ...] = field(default=())

    @property
    def players(self) -> tuple[str, str]:
        return self.black, self.white

    @property
    def strategies(self) -> tuple[int | None, int | None]:
        return self.black_strategy, self.white_strategy

    def side_of(self, visitor: str) -> int | None:
        """The side of one of two visitors; None where one visitor plays or watches alone."""
        if not self.rival or visitor not in (self.visitor, self.rival):
            return None
        return self.rival_side if visitor == self.rival else 1 - self.rival_side

    def visitor_at(self, side: int) -> str:
        """The visitor who plays a side that is a person's."""
        return self.rival if self.rival and side == self.rival_side else self.visitor


COLUMNS = tuple(StoredGame.__dataclass_fields__)[:-5]


@dataclass(frozen=True)
class Strategies:
    """The record of a player with several strategies: games won, drawn and lost with each, and which is next."""

    current: int
    record: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class Ending:
    """How a game ended, and what a player with several strategies learned from it."""

    outcome: float
    reason: str = ""
    lesson: str = ""
    learned: tuple[str, Strategies] | None = None


class ArenaGames:
    """The file. Threads may share it."""

    def __init__(self, file: Path) -> None:
        self._lock = threading.Lock()
        try:
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            _keep_private(file)
            self._connection = sqlite3.connect(
                file, check_same_thread=False, isolation_level=None, timeout=BUSY_SECONDS
            )
            self._connection.execute("pragma journal_mode = wal")
            self._connection.execute("pragma synchronous = normal")
            self._connection.execute("pragma foreign_keys = on")
            version = self._connection.execute("pragma user_version").fetchone()[0]
            if version == 0:
                self._connection.executescript(f"begin immediate; {LAYOUT} pragma user_version = {VERSION}; commit;")
            elif version != VERSION:
                raise DamagedFile(
                    f"{file} was written by another version of Ludus (layout {version}, here {VERSION}); "
                    "name another folder"
                )
            self._connection.executescript(f"begin immediate; {LATER_LAYOUT} commit;")
        except (OSError, sqlite3.Error) as problem:
            raise StorageError(f"{file} can't hold the arena's games ({problem}); name another folder") from problem

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        """The connection, for one thread at a time; raises StorageError if that, the file or the disk won't do."""
        if not self._lock.acquire(timeout=WAIT_SECONDS):
            raise StorageError("the arena's games are busy; try again in a moment")
        try:
            yield self._connection
        except sqlite3.OperationalError as problem:
            raise StorageError(
                f"the arena's games can't be read or written now ({problem}); nothing has changed, try again soon"
            ) from problem
        finally:
            self._lock.release()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """A transaction: all changes or none."""
        with self._connected() as connection:
            connection.execute("begin immediate")
            try:
                yield connection
                connection.execute("commit")
            except BaseException:
                if connection.in_transaction:  # where the disk is full, SQLite has rolled back by itself
                    connection.execute("rollback")
                raise

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._connected() as connection:
            return connection.execute(query, values).fetchall()

    transaction, rows = _transaction, _rows  # for what others store in the file, such as `ludus.records.training`

    def add_visitor(self, visitor: str) -> None:
        with self._transaction() as connection:
            connection.execute("insert or ignore into visitors values (?, ?)", (visitor, time.time()))

    def has_visitor(self, visitor: str) -> bool:
        return bool(self._rows("select 1 from visitors where id = ?", (visitor,)))

    def add(self, game: StoredGame) -> None:
        """Store a new game with the moves of its opening."""
        values = [getattr(game, column) for column in COLUMNS]
        with self._transaction() as connection:
            connection.execute(
                f"insert into games ({', '.join(COLUMNS)}) values ({', '.join('?' * len(COLUMNS))})", values
            )
            for ply, made in enumerate(game.moves):
                connection.execute(
                    "insert into moves values (?, ?, ?, ?, ?)", (game.id, ply, made.move, made.seconds, made.by_lot)
                )
            if game.stones:
                connection.execute("insert into details (game, stones) values (?, ?)", (game.id, game.stones))
            if game.rival:
                connection.execute("insert into rivals values (?, ?, ?)", (game.id, game.rival, game.rival_side))

    def game(self, visitor: str, id: str) -> StoredGame | None:
        """The visitor's game of that id, with its moves."""
        found = self._rows(f"select {', '.join(COLUMNS)} from games where id = ?", (id,))
        rivals = self._rows("select visitor, side from rivals where game = ?", (id,))
        rival, side = rivals[0] if rivals else ("", 0)
        if not found or visitor not in filter(None, (StoredGame(*found[0]).visitor, rival)):
            return None
        made = self._rows("select move, seconds, by_lot from moves where game = ? order by ply", (id,))
        moves = tuple(StoredMove(move, seconds, bool(by_lot)) for move, seconds, by_lot in made)
        details = self._rows("select stones, dead from details where game = ?", (id,))
        stones, dead = details[0] if details else (0, "")
        squares = tuple(map(int, dead.split()))
        return replace(StoredGame(*found[0]), stones=stones, dead=squares, rival=rival, rival_side=side, moves=moves)

    def games_of(self, visitor: str, most: int) -> list[tuple[StoredGame, int]]:
        """The visitor's games, most recent first, without their moves but with the number of moves."""
        columns = ", ".join(f"games.{column}" for column in COLUMNS)
        found = self._rows(
            f"select {columns}, (select count(*) from moves where moves.game = games.id) from games "
            "where visitor = ? or id in (select game from rivals where rivals.visitor = ?) "
            "order by touched desc limit ?",
            (visitor, visitor, most),
        )
        return [(StoredGame(*row[:-1]), row[-1]) for row in found]

    def count_unfinished(self, since: float, visitor: str = "") -> int:
        """How many unfinished games have changed since then, of one visitor or of all."""
        query = "select count(*) from games where outcome is null and touched > ?"
        values: tuple[Any, ...] = (since,)
        if visitor:
            query, values = f"{query} and visitor = ?", (since, visitor)
        return int(self._rows(query, values)[0][0])

    def unfinished(self, ids: Collection[str], since: float) -> list[str]:
        """Those of these games that are unfinished and have changed since then."""
        places = ", ".join("?" * len(ids))
        query = f"select id from games where outcome is null and touched > ? and id in ({places})"
        return [id for (id,) in self._rows(query, (since, *ids))]

    def count(self) -> int:
        return int(self._rows("select count(*) from games")[0][0])

    def add_move(self, game: StoredGame, made: StoredMove, ending: Ending | None = None) -> StoredGame:
        """The game after that move, which may be its last."""
        now = _touch(game)
        after = replace(game, moves=(*game.moves, made), touched=now)
        with self._transaction() as connection:
            connection.execute(
                "insert into moves values (?, ?, ?, ?, ?)",
                (game.id, len(game.moves), made.move, made.seconds, made.by_lot),
            )
            connection.execute("update games set touched = ? where id = ?", (now, game.id))
            return _ended(connection, after, ending) if ending else after

    def end(self, game: StoredGame, ending: Ending) -> StoredGame:
        """The game after it has ended other than by a move."""
        with self._transaction() as connection:
            return _ended_now(connection, game, ending)

    def agree(self, game: StoredGame, dead: Sequence[int], ending: Ending) -> StoredGame:
        """The game after both sides have agreed that the pieces on these squares are dead, which ends it."""
        with self._transaction() as connection:
            connection.execute(
                "insert into details (game, dead) values (?, ?) on conflict (game) do update set dead = excluded.dead",
                (game.id, " ".join(map(str, dead))),
            )
            return _ended_now(connection, replace(game, dead=tuple(dead)), ending)

    def share(self, game: StoredGame) -> str:
        """The token by which anybody may look at the game; the same each time."""
        with self._transaction() as connection:
            connection.execute("insert or ignore into shares values (?, ?)", (secrets.token_urlsafe(12), game.id))
        return str(self._rows("select token from shares where game = ?", (game.id,))[0][0])

    def shared(self, token: str) -> tuple[str, str] | None:
        """The visitor and the id of the game that is shared under this token."""
        found = self._rows("select visitor, id from games join shares on shares.game = id where token = ?", (token,))
        return (str(found[0][0]), str(found[0][1])) if found else None

    def results_of(self, visitor: str) -> list["Played"]:
        """The finished games of the visitor against one machine each, the oldest first."""
        found = self._rows(
            "select games.id, games.game, black, white, outcome, touched, handicap, hints, undone, ifnull(stones, 0) "
            "from games left join details on details.game = games.id where visitor = ? and outcome is not null "
            "and (black = ?) != (white = ?) order by touched",
            (visitor, PERSON, PERSON),
        )
        return [_played(*row) for row in found]

    def take_back(self, game: StoredGame, plies: int, counts: bool = True) -> StoredGame:
        """The game cut back to its first `plies` moves; `counts` is whether that is remembered as a move taken back."""
        now = _touch(game)
        with self._transaction() as connection:
            connection.execute("delete from moves where game = ? and ply >= ?", (game.id, plies))
            connection.execute("update games set undone = undone + ?, touched = ? where id = ?", (counts, now, game.id))
        return replace(game, moves=game.moves[:plies], undone=game.undone + counts, touched=now)

    def add_hint(self, game: StoredGame) -> StoredGame:
        """The game with one more hint given."""
        with self._transaction() as connection:
            connection.execute("update games set hints = hints + 1 where id = ?", (game.id,))
        return replace(game, hints=game.hints + 1)

    def strategies(self, player: str, game: str) -> Strategies | None:
        """The record of a player with several strategies; None if it has not played here yet."""
        found = self._rows("select current, record from strategies where player = ? and game = ?", (player, game))
        return Strategies(found[0][0], tuple(tuple(row) for row in json.loads(found[0][1]))) if found else None

    def lessons(self, player: str, game: str, after: float, before: float) -> list[tuple[float, int, tuple[str, ...]]]:
        """The games of a player with people that the board decided and that ended between these times, in that order.

        Of each: when it ended, the player's side, and the moves.
        """
        found = self._rows(
            "select id, touched, white = ? from games "
            "where outcome is not null and touched > ? and touched < ? and reason = '' and game = ? "
            "and (black = ? and white = ? or white = ? and black = ?) order by touched, id",
            (player, after, before, game, player, PERSON, player, PERSON),
        )
        return [
            (
                ended,
                side,
                tuple(move for (move,) in self._rows("select move from moves where game = ? order by ply", (id,))),
            )
            for id, ended, side in found
        ]


@dataclass(frozen=True)
class Played:
    """A finished game of a person with a machine, as the person sees it."""

    id: str
    game: str
    opponent: str
    side: int
    score: float
    ended: float
    rated: bool
    """Whether it was played without random moves of the machine, handicap stones, hints and moves taken back."""


def _played(
    id: str, game: str, black: str, white: str, outcome: float, ended: float, handicap: float, hints: int, undone: int,
    stones: int,
) -> Played:  # fmt: skip
    side = int(white == PERSON)
    rated = not (handicap or hints or undone or stones)
    return Played(id, game, black if side else white, side, 1 - outcome if side else outcome, ended, rated)


def _keep_private(file: Path) -> None:
    """Let nobody else read the games, in a folder that others can read too."""
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
    for each in (file, *(file.with_name(file.name + end) for end in ("-wal", "-shm"))):
        with suppress(FileNotFoundError, PermissionError):  # SQLite makes the others like the file itself
            each.chmod(0o600)


def _touch(game: StoredGame) -> float:
    """The time, but after whatever was done in the game before, even if the clock was set back: pages order by it."""
    return max(time.time(), math.nextafter(game.touched, math.inf))


def _ended_now(connection: sqlite3.Connection, game: StoredGame, ending: Ending) -> StoredGame:
    now = _touch(game)
    connection.execute("update games set touched = ? where id = ?", (now, game.id))
    return _ended(connection, replace(game, touched=now), ending)


def _ended(connection: sqlite3.Connection, game: StoredGame, ending: Ending) -> StoredGame:
    connection.execute(
        "update games set outcome = ?, reason = ?, lesson = ? where id = ?",
        (ending.outcome, ending.reason, ending.lesson, game.id),
    )
    if ending.learned:
        player, learned = ending.learned
        values = (player, game.game, learned.current, json.dumps(learned.record))
        connection.execute("insert or replace into strategies values (?, ?, ?, ?)", values)
    return replace(game, outcome=ending.outcome, reason=ending.reason, lesson=ending.lesson)


@dataclass(frozen=True)
class Tally:
    """A player's results against people of one skill."""

    wins: int = 0
    losses: int = 0
    ties: int = 0


def results_by_skill(file: Path, player: str, game: str, *, aided: bool = False) -> dict[str, Tally]:
    """The results of a player against people, as jain2018's Table I has them: for each of SKILLS.

    Counted are finished games without handicap, and unless `aided` is asked for, without hints or moves taken back.
    """
    if not file.exists():
        raise StorageError(f"{file} holds no games against people yet; `ludus serve` lets people play")
    query = """
        select skill, case when black = :player then outcome else 1 - outcome end as score, count(*) from games
        where game = :game and outcome is not null and handicap = 0 and skill != '' and (:aided or undone + hints = 0)
            and (black = :player and white = :person or white = :player and black = :person)
        group by skill, score
    """
    found = {skill: {1.0: 0, 0.0: 0, 0.5: 0} for skill in SKILLS}
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            values = {"player": player, "game": game, "aided": aided, "person": PERSON}
            for skill, score, count in connection.execute(query, values):
                found[skill][score] = count
    except sqlite3.Error as problem:
        raise DamagedFile(f"{file} does not hold games of the arena ({problem})") from problem
    return {skill: Tally(*counts.values()) for skill, counts in found.items()}
