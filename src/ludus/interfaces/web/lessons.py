"""What learning players have learned from people in this arena.

A learning player such as `learning:xcs:othello6` begins as its file has it, and learns from every game that a person
plays with it until the board decides it, in the order in which these end. All visitors teach the same player. Only the
games are stored: after a restart it learns from them again, to the same rules. In a game it goes by what it knew when
the game began.
"""

import threading

from ludus.errors import LudusError
from ludus.games.game import Game
from ludus.interfaces.web.catalog import Catalog, Machine
from ludus.players.base import CompiledPlayer
from ludus.players.learning import Knowledge
from ludus.records.arena import ArenaGames


class Lessons:
    def __init__(self, games: ArenaGames, catalog: Catalog) -> None:
        self._games, self._catalog, self._lock = games, catalog, threading.Lock()
        self._known = dict[tuple[str, str], tuple[float, Knowledge]]()  # with the end of the last game it knows

    def machine(self, text: str, game: Game, begun: float) -> Machine:
        """The player as it plays a game that began then."""
        with self._lock:
            until, knowledge = self._known.get((text, game.name), (0.0, None))
            if knowledge is None or until >= begun:
                until, knowledge = 0.0, self._catalog.knowledge(text, game)
            for ended, side, moves in self._games.lessons(text, game.name, until, begun):
                until, knowledge = ended, _taught(knowledge, game, moves, side)
            if until >= self._known.get((text, game.name), (0.0, None))[0]:
                self._known[text, game.name] = until, knowledge
        return Machine(CompiledPlayer(text, game, knowledge.parts), knowledge.parts)


def _taught(knowledge: Knowledge, game: Game, moves: tuple[str, ...], side: int) -> Knowledge:
    position, numbers = game.start(), list[int]()
    try:
        for text in moves:
            numbers.append(position.move(text))
            position = position.play(numbers[-1])
    except LudusError:
        return knowledge  # of a version with other rules
    return knowledge.after_game(numbers, side) if position.over else knowledge
