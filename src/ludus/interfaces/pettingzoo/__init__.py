"""Games as PettingZoo environments, for agents that are trained with other code.

    from ludus.interfaces.pettingzoo import othello_v0
    env = othello_v0.env(size=6)

`game_v0` takes any game by its name, those of other packages too. `ludus.interfaces.gymnasium` makes a Gymnasium
environment of one, with a player of Ludus as the opponent.
"""

try:
    import pettingzoo as _pettingzoo  # noqa: F401 - the name is this package's too
except ImportError as problem:
    raise ImportError("these environments need the package pettingzoo: pip install 'ludus[pettingzoo]'") from problem
