"""The machines at a table: who plays a side, where it sits, and what it weighs."""

from ludus.compile.rng import stream
from ludus.games.game import Position
from ludus.interfaces.web.catalog import LEARNING, Catalog, Machine
from ludus.interfaces.web.lessons import Lessons
from ludus.interfaces.web.limits import Refused
from ludus.interfaces.web.table import Table
from ludus.interfaces.web.thinking import Thinking
from ludus.players.base import CompiledPlayer, Seat, with_memory_of_its_own
from ludus.players.explanations import Explanation, explain_parts
from ludus.records.arena import PERSON, StoredMove

ADVISERS = ("alphabeta:depth=4", "alphabeta:depth=2")
"""Who gives a hint where the opponent can't tell what it thinks; the first for boards with few moves."""
EXPLAINED_MOVES = 4
"""Of so many moves of a table the reasons are remembered."""


class Machines:
    def __init__(self, catalog: Catalog, lessons: Lessons) -> None:
        self._catalog, self._lessons, self.thinking = catalog, lessons, Thinking()

    def machine(self, table: Table, side: int) -> Machine:
        """Who plays this side; raises Refused if a person does."""
        if side not in table.machines:
            text = table.kept.players[side]
            if text == PERSON:
                raise Refused(409, f"{table.game.type.sides[side]} is played by a person here")
            if text.startswith(LEARNING):
                table.machines[side] = self._lessons.machine(text, table.game, table.kept.begun)
            else:
                table.machines[side] = self._catalog.make(text, table.game, table.kept.strategies[side])
        return table.machines[side]

    def seat(self, table: Table, side: int) -> Seat:
        """Its seat, from which it has seen the game so far."""
        if side not in table.seats:
            player = self.machine(table, side).player
            seat = player.seat()
            seat.begin(table.here, [made.move for made in table.kept.moves])
            if isinstance(player, CompiledPlayer):  # quick ones, some of whom remember what they have seen in the game
                positions = table.positions.since(table.kept.opening)
                for ply, made in enumerate(table.kept.moves[table.kept.opening :], table.kept.opening):
                    if (before := next(positions)).current_player == side and not made.by_lot:
                        seat.choose(before, stream(table.kept.seed, "arena", ply))
            table.seats[side] = seat
        return table.seats[side]

    def advice(self, machine: Machine | None, position: Position, text: str) -> tuple[Explanation, str]:
        """What a machine weighs here, or an adviser where there is none or it can't tell, and the title of that one."""
        if machine:
            found = self._explained(machine, position, text)
            if found.moves:
                return found, self._catalog.title(text)
        adviser = ADVISERS[len(position.legal_moves) > 20]
        found = self._explained(self._catalog.make(adviser, position.game), position, adviser)
        return found, self._catalog.title(adviser)

    def reason(self, table: Table, ply: int) -> tuple[Position, StoredMove, Machine, Explanation]:
        """What the machine that made move number `ply` (from 0) weighed, after the position, the move and itself."""
        with table.lock:
            if not 0 <= ply < len(table.kept.moves):
                raise Refused(404, f"there is no move number {ply} in this game")
            position, made = table.positions[ply], table.kept.moves[ply]
            machine, found = self.machine(table, position.current_player), table.reasons.get(ply)
        if found is None:
            found = self._explained(machine, position, machine.player.name)
            with table.lock:
                while len(table.reasons) >= EXPLAINED_MOVES:
                    del table.reasons[next(iter(table.reasons))]
                if ply < len(table.kept.moves) and table.kept.moves[ply] is made:  # it was not taken back
                    table.reasons[ply] = found
        return position, made, machine, found

    def _explained(self, machine: Machine, position: Position, text: str) -> Explanation:
        with self.thinking.turn(machine.parts, position.game.name, machine.player.name, "explained"):
            own = with_memory_of_its_own(machine.parts, position.game.rules)  # many tables share the player
            return explain_parts(own, position, text)
