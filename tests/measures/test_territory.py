"""Territory lost: the kernel plays the games of a slow loop, and leads are counted for the right side."""

import numpy as np
import pytest

import ludus
from ludus.compile.rng import stream
from ludus.measures.performance import compiled
from ludus.measures.territory import territory_lost
from ludus.players.base import CompiledPlayer
from ludus.players.names import player

GO = ludus.game("go5:rules=abramson2001,komi=0")


def named(name: str) -> CompiledPlayer:
    return compiled(player(name, GO))


@pytest.mark.parametrize("side", ["first", "second", "both"])
@pytest.mark.parametrize("start", ["", "...O./..OX./..OX./.OXX./..... X"])
def test_the_kernel_plays_the_games_of_a_slow_loop(start: str, side: str) -> None:
    ours, theirs, games = named("wally"), named("random"), 5
    slow = []
    for index in range(games):
        our_side = index % 2 if side == "both" else ("first", "second").index(side)
        seats, rng = [ours.seat(), theirs.seat()], stream(3, "territory", index)
        position = GO.position(start) if start else GO.start()
        while not position.over:
            position = position.play(seats[position.current_player != our_side].choose(position, rng))
        lead = position.margin / GO.type.max_margin(GO.rules)
        slow.append(lead if our_side == 1 else -lead)
    assert territory_lost(ours, theirs, games, start=start, side=side, seed=3).tolist() == slow


def test_the_stronger_player_loses_less() -> None:
    assert np.mean(territory_lost(named("wally"), named("random"), 50)) < -0.3


def test_players_of_two_games_and_unknown_sides_are_refused() -> None:
    other = compiled(player("random", ludus.game("go7")))
    with pytest.raises(ludus.LudusError, match="both must play one game"):
        territory_lost(named("random"), other, 2)
    with pytest.raises(ludus.LudusError, match="invalid side='black': must be one of first, second, both"):
        territory_lost(named("random"), named("random"), 2, side="black")
