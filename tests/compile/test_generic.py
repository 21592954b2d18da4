"""Generic functions: one body for each class, chosen by type."""

from collections import namedtuple
from typing import NamedTuple

import numpy as np
import pytest

import ludus
from ludus.compile.generic import generic, implements
from ludus.compile.jit import kernel
from ludus.games import protocol
from ludus.games.game import Position
from ludus.play.games import play_out
from ludus.players.random import Random


@generic
def loudness(animal, place):
    """How loud an animal is at a place."""


class Dog(NamedTuple):
    size: int


class Cat(NamedTuple):
    size: int


class Hall(NamedTuple):
    echo: int


@implements(loudness)
def _(animal, place):
    return 1


@implements(loudness, Dog)
def _(animal, place):
    return 10 * animal.size


@implements(loudness, Dog, Hall)
def _(animal, place):
    return 10 * animal.size * place.echo


@kernel
def heard(animal, place):
    return loudness(animal, place)


def test_the_most_specific_body_is_chosen() -> None:
    assert [heard(Cat(2), Hall(5)), heard(Dog(2), Cat(0)), heard(Dog(2), Hall(5))] == [1, 20, 100]


def test_two_classes_of_one_name_are_refused() -> None:
    """To numba they would be one, and one of them would run the other's machine code."""
    other = namedtuple("Dog", "size")
    with pytest.raises(TypeError, match="two classes are named Dog"):
        implements(loudness, other)


def test_a_body_must_fit_its_generic_function() -> None:
    with pytest.raises(TypeError, match="takes"):
        implements(loudness, Cat)(lambda animal: 0)
    with pytest.raises(TypeError, match="already"):
        implements(loudness, Dog)(lambda animal, place: 0)


@pytest.mark.parametrize("order", [["othello6", "checkers", "go3", "go5"], ["go5", "go3", "checkers", "othello6"]])
def test_games_do_not_cross_in_one_process(order: list[str]) -> None:
    counts = {"othello6": 56, "checkers": 302, "go3": 739, "go5": 15651}
    assert {name: ludus.perft(ludus.game(name).start(), 3) for name in order} == counts


def test_same_seed_same_games() -> None:
    game = ludus.game("othello6")
    assert play_out(game, Random(), Random(), 500, 3) == play_out(game, Random(), Random(), 500, 3)
    assert play_out(game, Random(), Random(), 500, 3) != play_out(game, Random(), Random(), 500, 4)


def test_states_share_their_history_like_a_stack() -> None:
    """Playing one move after another from the same state, as a search does, disturbs nothing before it."""
    position = ludus.game("go3").start().play("A1").play("B1")
    state = position.state

    @kernel
    def after(game, state, move):
        return protocol.play(game, state, move).position_hash

    seen = [after(position.game.rules, state, np.int64(move)) for move in (3, 4, 5, 3)]
    assert seen[0] == seen[3]
    assert Position(position.game, state).text == position.text
