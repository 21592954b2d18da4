"""The player that makes any legal move, each as likely as the others."""

from typing import NamedTuple

from ludus import vocabulary as words
from ludus.dice import below
from ludus.vocabulary import says


class Random(NamedTuple):
    nothing: int = 0  # numba wants a field


@says(words.choose, Random)
def _(player, game, state, moves, n, dice):
    return moves[below(dice, n)]
