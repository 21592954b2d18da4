"""English checkers; the game is drawn when each side has made `moves` moves."""

from ludus.games.names import game
from ludus.interfaces.pettingzoo.environment import CheckersActions, Environment, wrapped


def raw_env(moves: int = 100, render_mode: str | None = None) -> Environment:
    variant = game(f"checkers:moves={moves}")
    return Environment("checkers_v0", variant, CheckersActions(variant), render_mode)


env = wrapped(raw_env)
