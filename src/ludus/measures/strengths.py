"""What is known of players' strength on a board: the rungs of its ladder, its levels, and shipped players."""

from functools import lru_cache

from ludus.errors import UnknownName
from ludus.games.game import Game
from ludus.measures.ladder import ladder
from ludus.players.levels import Rating, ratings


@lru_cache(64)  # the arena asks for every komi that visitors think of
def strengths(game: Game) -> dict[str, Rating]:
    """The ratings of player strings for this game, on the scale of its ladder; empty where there is no ladder."""
    try:
        rungs = ladder(game)
    except UnknownName:
        return {}
    found = {
        rung.player: Rating(
            game.name, 0, rung.player, rung.elo, rung.elo - rung.minus, rung.elo + rung.plus, rung.games
        )
        for rung in rungs
    }
    usual = f",value={game.defaults.evaluator}"  # what a search evaluates with unless it is told otherwise
    found |= {text.removesuffix(usual): rating for text, rating in found.items() if text.endswith(usual)}
    for each in ratings():
        if each.board == game.name:
            found.setdefault(each.player, each)
            if each.level:
                found[f"level:{each.level}"] = each
    return found
