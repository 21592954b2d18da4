"""Our games as PettingZoo environments, for agents that are trained with other people's code.

    from ludus.pettingzoo import othello_v0
    env = othello_v0.env(size=6)

`game_v0` is for games of other packages. `against` makes a Gymnasium environment of one, in which one of our players
is the opponent.
"""

try:
    import pettingzoo as _pettingzoo  # noqa: F401 - the name is this package's too
except ImportError as problem:
    raise ImportError("these environments need the package pettingzoo; install ludus[pettingzoo]") from problem
