"""Go from 2x2 to 19x19; options as in a game's name, such as komi=5.5."""

from typing import Any

from ludus.games.names import game
from ludus.interfaces.pettingzoo.environment import Actions, Environment, wrapped


def raw_env(size: int = 9, render_mode: str | None = None, **options: Any) -> Environment:
    chosen = ",".join(f"{name}={value}" for name, value in options.items())
    variant = game(f"go{size}:{chosen}")
    return Environment("go_v0", variant, Actions(variant), render_mode)


env = wrapped(raw_env)
