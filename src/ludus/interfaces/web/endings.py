"""How a game ends, and what a player that learns from people makes of it.

One with several strategies (kind `social`) may switch to another when it loses; `lessons.py` is about those that learn
rules.
"""

from ludus.games.game import Game
from ludus.interfaces.web import payloads
from ludus.interfaces.web.catalog import LEARNING, Catalog, learned
from ludus.records.arena import PERSON, ArenaGames, Ending, StoredGame, Strategies


class Endings:
    def __init__(self, games: ArenaGames, catalog: Catalog) -> None:
        self._games, self._catalog = games, catalog

    def strategies(self, text: str, game: Game) -> Strategies | None:
        """What a player with several strategies knows of them, from its games here or else from its file."""
        if text == PERSON or not (born := self._catalog.strategies(text)):
            return None
        known = self._games.strategies(text, game.name)
        return known if known and len(known.record) == len(born.record) else born

    def ending(self, kept: StoredGame, game: Game, outcome: float, reason: str) -> Ending:
        """How the game ends, and what a player who learns has learned from it, if it played a person."""
        people = payloads.persons(kept)
        if len(people) != 1:
            return Ending(outcome, reason)
        side = 1 - people[0]
        text, played = kept.players[side], kept.strategies[side]
        if text.startswith(LEARNING) and not reason:
            lesson = f"{self._catalog.title(text)}: it has learned from this game, and plays its next ones by it."
            return Ending(outcome, reason, lesson)
        known = self.strategies(text, game)
        if known is None or played is None:
            return Ending(outcome, reason)
        score = outcome if side == 0 else 1 - outcome
        after = learned(Strategies(played, known.record), score)
        name = self._catalog.title(text)
        if score:
            lesson = f"{name} keeps its strategy {played + 1} of {len(known.record)}: it did not lose."
            after = Strategies(known.current, after.record)  # another game may have changed it meanwhile
        elif after.current == played:
            lesson = f"{name} lost and has no other strategy to switch to."
        else:
            lesson = (
                f"{name} lost with its strategy {played + 1} of {len(known.record)}, "
                f"so it plays its next game with strategy {after.current + 1}."
            )
        return Ending(outcome, reason, lesson, (text, after))
