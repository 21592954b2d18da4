"""Games that do not begin at the start: tried again from a position of another game, or brought along in a file."""

import re
import secrets
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ludus.errors import InvalidSetting, LudusError
from ludus.interfaces.web import payloads
from ludus.interfaces.web.catalog import Catalog, offered_game, suggested_opponent
from ludus.interfaces.web.limits import Refused
from ludus.interfaces.web.tables import Tables
from ludus.records.arena import PERSON, ArenaGames, StoredGame, StoredMove
from ludus.records.files import read_games
from ludus.records.record import Record, one_line

IMPORTED = 10
"""At most so many games of a file are taken."""
LONGEST_NAME = 60


class Continuations:
    def __init__(self, tables: Tables, games: ArenaGames, catalog: Catalog) -> None:
        self._tables, self._games, self._catalog = tables, games, catalog

    def again(self, visitor: str, id: str, ply: int) -> dict[str, Any]:
        """A new game from the position after `ply` moves of another: with the same players, or with who looks on."""
        self._tables.check_room(visitor)
        table = self._tables.table(visitor, id)
        table.check_unaided()
        with table.lock:
            kept = table.kept
            position = table.positions[ply] if 0 <= ply < len(table.positions) else None
        if position is None or position.over:
            raise Refused(409, f"nobody can move after {ply} moves of this game; choose an earlier position")
        side, players, before = position.current_player, list(kept.players), kept.moves[:ply]
        if self._tables.training.names(id):  # people who are not here
            players[1 - side] = suggested_opponent(table.game, self._catalog.players(table.game))
        elif not payloads.persons(kept):  # who looked on takes over
            players[side] = PERSON
        again = StoredGame(
            id=secrets.token_urlsafe(12),
            visitor=visitor,
            game=kept.game,
            black=players[0],
            white=players[1],
            opening=ply,
            handicap=kept.handicap,
            seed=secrets.randbits(53),
            black_strategy=kept.black_strategy,
            white_strategy=kept.white_strategy,
            begun=time.time(),
            touched=time.time(),
            # as if moves were taken back: what was won from here says little of anybody's strength
            undone=int(bool(before) and (kept.undone + kept.stones > 0 or not all(made.by_lot for made in before))),
            moves=before,
        )
        self._games.add(again)
        return self._tables.show(visitor, again.id)

    def imported(self, visitor: str, name: str, text: str) -> list[str]:
        """The ids of the games in a file, which are the visitor's from now on."""
        self._tables.check_room(visitor)
        with TemporaryDirectory() as folder:  # readers know a format by the ending of the name
            ending = re.fullmatch(r"\.[a-z]{1,7}", Path(name).suffix.lower())
            file = Path(folder) / f"games{ending[0] if ending else ''}"
            file.write_text(text, errors="replace")
            try:
                records = _read(file)
            except LudusError as problem:
                raise LudusError(str(problem).replace(str(file), Path(name).name[:60])) from None
        kept = [self._stored(visitor, record) for record in records[:IMPORTED]]
        for each, record in zip(kept, records, strict=False):
            self._games.add(each)
            self._tables.training.add_names(each.id, *(one_line(name)[:LONGEST_NAME] or "?" for name in record.players))
        return [each.id for each in kept]

    def _stored(self, visitor: str, record: Record) -> StoredGame:
        if record.start or record.setups:
            raise LudusError("the game has a position that is set up, and only whole games can be stored here")
        if not record.moves:
            raise LudusError("the game has no moves, so there is nothing to review")
        last = record.positions()[-1]
        outcome = last.outcome if record.outcome is None else record.outcome
        return StoredGame(
            id=secrets.token_urlsafe(12),
            visitor=visitor,
            game=offered_game(record.game.name).name,
            black=PERSON,
            white=PERSON,
            begun=time.time(),
            touched=time.time(),
            outcome=outcome,
            reason="" if last.over or outcome is None else record.reason or "as recorded",
            moves=tuple(StoredMove(move, 0.0, False) for move in record.moves),
        )


def _read(file: Path) -> list[Record]:
    """The games in a file; those with a winner have no result if it is not clear what 1-0 means in it."""
    try:
        return read_games(file)
    except InvalidSetting:
        if file.suffix != ".pdn":
            raise
        found = read_games(file, pdn_result="white")
        return [each if each.outcome == 0.5 else replace(each, outcome=None) for each in found]
