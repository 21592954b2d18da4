"""Othello on 4x4, 6x6 or 8x8."""

from ludus.games.names import game
from ludus.interfaces.pettingzoo.environment import Actions, Environment, wrapped


def raw_env(size: int = 8, render_mode: str | None = None) -> Environment:
    variant = game(f"othello{size}")
    return Environment("othello_v0", variant, Actions(variant), render_mode)


env = wrapped(raw_env)
