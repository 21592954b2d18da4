"""Dependence: players that don't look at the board are found out, and what is counted equals a replay by hand."""

import json
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.measures.dependence import Choices, dependence, luce_values, makes_same, share
from ludus.play.matches import match
from ludus.players.base import CompiledPlayer
from ludus.players.fixed_network import fixed_network, genes
from ludus.players.names import player as player_named
from ludus.players.ranking import Ranking
from tests.effort import nightly

GAME = ludus.game("othello6")


def player(text: str, game: ludus.Game) -> CompiledPlayer:
    found = player_named(text, game)
    assert isinstance(found, CompiledPlayer)
    return found


def blind_network() -> CompiledPlayer:
    """A network whose hidden units see nothing, so that its outputs are the same in every position."""
    chromosome = np.random.default_rng(3).integers(-128, 128, genes(GAME, 5, "one")).astype(np.int8)
    parts = fixed_network(GAME, chromosome, 5)
    return CompiledPlayer("blind", GAME, parts._replace(inward=0 * parts.inward, loops=0 * parts.loops))


def test_a_network_that_sees_nothing_is_a_ranking() -> None:
    found = dependence(blind_network(), games=60)
    assert found.fits[0].by == "outputs"
    assert found.dependence.value == 0
    assert found.fits[1].same.value > 98
    ours, its = (
        match(each, player("random", GAME), 40, record=True) for each in (blind_network(), found.ranking_player())
    )
    assert [each.moves.tolist() for each in ours.blocks] == [each.moves.tolist() for each in its.blocks]


def test_a_ranking_is_found_and_searchers_are_none() -> None:
    order = np.random.default_rng(5).permutation(GAME.squares).astype(float)
    ranking, searcher = (
        dependence(each, games=400)
        for each in (CompiledPlayer("list", GAME, Ranking(order)), player("alphabeta:depth=2", GAME))
    )
    assert ranking.dependence.value < 1
    assert searcher.dependence.interval[0] > 30


def test_random_moves_are_hit_by_chance() -> None:
    found = dependence(player("random", GAME), games=400)
    assert found.same.interval[0] - 1 < found.chance < found.same.interval[1] + 1
    assert found.same.value < found.fits[0].same_of_all.value


@pytest.mark.parametrize(("name", "who"), [("checkers", "pieces"), *nightly(("go5", "wally"))])
def test_positions_are_counted_and_other_games_ranked(name: str, who: str) -> None:
    game = ludus.game(name)
    one = player(who, game)
    found = dependence(one, games=10, seed=3)
    positions, forced = 0, 0
    for rival, games in (("random", 6), (f"noisy:0.1,{game.defaults.opponent}", 4)):
        played = match(one, player(rival, game), games, seed=3, record=True)
        opening = played.openings.table.shape[1] or played.openings.plies
        for index, record in enumerate(played.records()):
            mine = [
                each
                for each in list(record.positions())[opening:]
                if not each.over and each.current_player == index % 2
            ]
            positions += len(mine)
            forced += sum(len(each.legal_moves) == 1 for each in mine)
    assert (found.positions, found.forced) == (positions, forced)
    assert len(found.fits[0].values) == game.type.actions(game.rules)
    assert 0 < found.dependence.value < 100


def test_the_fit_recovers_weights_and_is_a_maximum() -> None:
    rng = np.random.default_rng(1)
    true = rng.normal(0, 1, 6)
    options = np.full((20_000, 4), -1, np.int32)
    options[:, :3] = np.argsort(rng.random((20_000, 5)), axis=1)[:, :3]  # action 5 is never legal
    utility = true[options[:, :3]] + rng.gumbel(size=(20_000, 3))
    choices = Choices(options, np.argmax(utility, axis=1), np.zeros(20_000, np.int64))
    found = luce_values(choices, 6, steps=100)
    assert np.isnan(found[5])
    assert found[:5] - found[:5].mean() == pytest.approx(true[:5] - true[:5].mean(), abs=0.1)
    probability = np.exp(found[options[:, :3]])
    probability /= probability.sum(axis=1, keepdims=True)
    expected = np.bincount(options[:, :3].ravel(), probability.ravel(), 6)
    wins = np.bincount(options[np.arange(20_000), choices.made], minlength=6)
    assert expected == pytest.approx(wins, abs=0.1)  # the likelihood's gradient is zero


def test_a_ranking_takes_the_first_of_equal_ones() -> None:
    choices = Choices(np.array([[2, 1, -1], [0, 1, 2]], np.int32), np.array([0, 1]), np.array([0, 0]))
    assert makes_same(np.array([np.nan, 1.0, 1.0]), choices).tolist() == [True, True]
    assert makes_same(np.array([2.0, 1.0, 0.0]), choices).tolist() == [False, False]


def test_games_are_the_observations() -> None:
    few, many = np.array([10.0, 0.0] * 10), np.full(20, 10.0)
    alike = share(few, many)
    assert (alike.value, alike.interval[0]) == (50, pytest.approx(29.9, abs=2))  # as 20 tosses, not 200
    assert share(np.array([5.0] * 20), many).interval[0] > 29
    low, high = share(many, many).interval
    assert low < 90
    assert high == 100


@pytest.mark.parametrize("groups", [2, 4, 10, 100])
def test_few_games_make_wide_intervals(groups: int) -> None:
    rng, held = np.random.default_rng(1), 0
    for _ in range(1000):
        count = rng.integers(10, 20, groups)
        low, high = share(rng.binomial(count, rng.beta(10, 10, groups)).astype(float), count).interval
        held += low <= 50 <= high
    assert 930 <= held <= 985


def test_results_are_json_short_and_players(tmp_path: Path) -> None:
    found = dependence(player("discs", GAME), games=20)
    summary = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert summary["dependence"]["percent"] == pytest.approx(100 - summary["rankings"][0]["same"]["percent"])
    assert "d4" not in summary["rankings"][0]["values"]  # is never empty
    assert len(repr(found)) < 120
    assert found._repr_html_().startswith("<table>")
    found.save(tmp_path / "list.safetensors")
    loaded = player(str(tmp_path / "list.safetensors"), GAME)
    assert np.array_equal(loaded.parts.values, found.ranking_player().parts.values)
    with pytest.raises(ludus.LudusError, match="must be 8 or more"):
        dependence(player("random", GAME), games=4)
