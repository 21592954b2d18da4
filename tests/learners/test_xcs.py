"""The learner of rules, in every game."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.compile.rng import stream
from ludus.errors import LudusError
from ludus.games.game import Position
from ludus.learners.base import parse_settings
from ludus.learners.names import learner
from ludus.learners.xcs.learner import XCSState
from ludus.learners.xcs.rule_set import TOTAL
from ludus.learners.xcs.settings import PRESETS
from ludus.learners.xcs.training import exploit_chance, step_reward, train, training_setup
from ludus.play.games import GameResults
from ludus.players.base import CompiledPlayer
from ludus.players.explanations import Explanation, explain_parts
from ludus.players.files import load_player, save_player
from ludus.players.names import player
from ludus.players.xcs import RuleSet, condition_text
from ludus.players.xcs_matching import words_for
from ludus.runs.run import Run
from ludus.runs.spec import RunSpec
from tests.effort import nightly
from tests.learners.learning import as_player, score, trained

GAMES = ["othello6", "othello8", *nightly("checkers", "go9")]
VARIED = {
    "othello6": {"symmetric": True, "after": True, "mutates": "each", "mutation": 0.05, "prediction": "linear"},
    "othello8": {
        "symmetric": True,
        "opponents": "random + self",
        "colours": "both",
        "prediction": "linear",
        "covers": "all",
        "end_fitness": "game",
    },
    "checkers": {"symmetric": True, "after": True, "colours": "both", "rewards": "none", "bootstrap": False},
    "go9": {"symmetric": True, "preset": "standard", "colours": "second", "end_reward": "margin"},
}
"""Other settings than the defaults, each in some game."""


def made(game: str, **given) -> CompiledPlayer:
    asked = {"games": 30, "step_games": 10, "rules": 300} | given
    return trained("xcs", game, 5, **asked)  # type: ignore[return-value]


def positions(game: str, count: int, seed: int = 1) -> list[Position]:
    """Positions of a random game in which there is a choice."""
    choice, position, found = random.Random(seed), ludus.game(game).start(), list[Position]()
    while not position.over and len(found) < 100:
        if len(position.legal_moves) > 1:
            found.append(position)
        position = position.play(choice.choice(position.legal_moves))
    return found[:: max(1, len(found) // count)]


@pytest.mark.parametrize("game", GAMES)
def test_a_few_steps_of_other_settings(game: str) -> None:
    method, plays = learner("xcs"), ludus.game(game)
    settings = parse_settings(method, {"games": 30, "step_games": 10, "rules": 300} | VARIED[game])
    state = method.start(settings, plays, 1)
    while method.done(settings, state) < 1:
        old, (state, row) = state, method.step(settings, plays, 1, state)
        again, _ = method.step(settings, plays, 1, old)
        assert all(np.array_equal(a, b) for a, b in zip(state, again, strict=True)), "the same step differs"
        assert all(np.isfinite(value) for value in row.values())
        assert row["rules"] <= row["numerosity"] == state.counts[TOTAL] <= 300
        alive = state.ids[: state.starts[-1]]
        assert np.all(state.numerosity[alive] > 0)
        assert len(set(alive)) == len(alive)
    assert isinstance(as_player(method.player(settings, plays, state), plays), CompiledPlayer)


def test_it_learns() -> None:
    """Five thousand games against a random player, whom another random player beats as Black in 43 of 100 games."""
    one = trained("xcs", "othello6", preset="general", games=5000, symmetric=True, rules=5000)
    assert score(one, "random", games=400) > 0.65


def named_squares(position: Position, mover: int) -> list[str]:
    """What stands on each square, for that side."""
    game_type = position.game.type
    cells = position.cells * (1 if mover == 0 else -1)
    legal = set(position.legal.values()) if game_type.name != "checkers" and position.current_player == mover else set()
    names = []
    for square, cell in enumerate(cells.tolist()):
        if game_type.name == "checkers" and abs(cell) == 2:
            names.append("king")
        elif cell:
            names.append("mine" if cell > 0 else "theirs")
        else:
            names.append("legal" if square in legal else "empty")
    return names


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("game", ["othello6", "checkers"])
def test_the_rules_that_are_shown_hold_on_the_board(game: str, after: bool) -> None:
    """On the squares as the reader sees them, whoever moves and however the board was turned to match."""
    linear = "linear" if after else "number"
    one = made(
        game, symmetric=True, after=after, prediction=linear, any_chance=0.8, games=60, step_games=60, rules=2000
    )
    shown = specific = 0
    for position in positions(game, 12):
        found = explain_parts(one.parts, position)
        assert sorted(each.move for each in found.moves) == sorted(position.legal_moves)
        for weighed in found.moves:
            seen = position.play(weighed.move) if after else position
            names = named_squares(seen, position.current_player)
            if after and game != "checkers":
                names = ["legal" if s in seen.legal.values() else each for s, each in enumerate(names)]
            for board in weighed.boards:
                if board.title.startswith("what"):
                    assert all(isinstance(each, float) for each in board.squares)
                    continue
                shown += 1
                specific += sum(word != "any" for word in board.squares)
                for word, name in zip(board.squares, names, strict=True):
                    assert word == "any" or name in word.split("/"), (board, position)
        check_choice(one, position, found)
    assert shown > 10
    assert specific > 2 * shown


def check_choice(one: CompiledPlayer, position: Position, found: Explanation) -> None:
    best = [each.move for each in found.moves if each.value == found.moves[0].value]
    chosen = one.seat().choose(position, stream(1, "test"))
    assert next(text for text, number in position.legal.items() if number == chosen) in best


@pytest.mark.parametrize(("game", "symmetric"), [("othello6", True), ("checkers", False), *nightly(("go9", True))])
def test_symmetric_positions_are_judged_alike(game: str, symmetric: bool) -> None:
    """In checkers with the sides exchanged: the second player sees the board from its own side."""
    one = made(game, symmetric=symmetric)
    for position in positions(game, 5):
        values = sorted(each.value for each in explain_parts(one.parts, position).moves)
        for symmetry in range(1, len(position.game.symmetries)):
            mirrored = explain_parts(one.parts, position.mirrored(symmetry)).moves
            assert sorted(each.value for each in mirrored) == pytest.approx(values)


def first_game(**given) -> tuple[XCSState, list[Position]]:
    """The rules after one game of Othello in which none is bred, and the positions in which Black chose a move."""
    method, game = learner("xcs"), ludus.game("othello6")
    settings = parse_settings(method, {"ga_time": 10**9, "bootstrap": False, **given})
    state, results = (
        method.start(settings, game, 1),
        GameResults(np.empty(1), np.empty(1, np.int64), np.zeros((1, 72), np.int64)),
    )
    train(
        game.rules,
        player("random", game).parts,
        state.population,
        training_setup(settings, game, np.uint64(1)),
        0,
        results,
    )
    position, chosen = game.start(), []
    for move in results.moves[0, : results.lengths[0]]:
        if position.current_player == 0 and position.legal_moves != ["pass"]:
            chosen.append(position)
        position = position.play(int(move))
    assert position.over
    return state, chosen


def test_covering_all_squares_makes_a_rule_for_each() -> None:
    """For conditions without #, one on each turn for all squares but the four in the middle, which are taken."""
    state, chosen = first_game(covers="all", any_chance=0)
    taken = np.flatnonzero(ludus.game("othello6").start().cells)
    expected = [0 if square in taken else len(chosen) for square in range(36)]
    assert np.diff(state.starts).tolist() == expected
    legal, _ = first_game(any_chance=0)
    assert legal.starts[-1] < state.starts[-1] / 3


def test_covering_all_squares_of_a_board_that_is_turned() -> None:
    """A rule for each view of a square that differs, found square by square."""
    state, chosen = first_game(covers="all", any_chance=0, symmetric=True)
    symmetries, views = ludus.game("othello6").symmetries, set()
    for position in chosen:
        symbols = named_squares(position, 0)
        for square in np.flatnonzero(ludus.game("othello6").start().cells == 0):
            canonical, turned = symmetries[:, square].min(), []
            for symmetry in symmetries[symmetries[:, square] == canonical]:
                view = dict(zip(symmetry.tolist(), symbols, strict=True))
                turned.append(tuple(view[place] for place in range(36)))
            views.add((int(canonical), min(turned)))
    assert np.diff(state.starts).tolist() == [sum(square == each for square, _ in views) for each in range(36)]


@pytest.mark.parametrize("end_fitness", ["set", "game"])
def test_fitness_at_the_end_of_a_game(end_fitness: str) -> None:
    """The rules ask nothing, so symmetric squares share one, which stands in several action sets, alone in each."""
    state, chosen = first_game(symmetric=True, any_chance=1, end_fitness=end_fitness)
    played = state.experience > 0
    assert state.experience.sum() == len(chosen) > played.sum() > 1
    fitness = np.full(played.sum(), 1e-4)
    if end_fitness == "game":  # once, each an equal part, since all are accurate
        fitness += 0.2 * (1 / played.sum() - fitness)
    else:
        fitness = 1 - (1 - fitness) * 0.8 ** state.experience[played]
    assert state.fitness[played] == pytest.approx(fitness)


def test_the_schedule_and_the_rewards_by_hand() -> None:
    """Two squares of the paper's weights, and the phase in which discs are counted."""
    game = ludus.game("othello6")
    settings = parse_settings(learner("xcs"), {})
    setup = training_setup(settings, game, np.uint64(1))
    assert float(np.abs(setup.values.weights).sum()) == 620
    reward = step_reward(game.rules, setup, 620.0, game.start().state, 0)
    assert reward == 0
    corner = game.position("X" + "-" * 12 + "OO" + "-" * 21 + " O")
    assert step_reward(game.rules, setup, 620.0, corner.state, 0) == pytest.approx((50 + 2 + 1) / 620)
    assert step_reward(game.rules, setup, 620.0, corner.state, 1) == pytest.approx(-(50 + 2 + 1) / 620)
    late = game.position("X" * 20 + "O" * 9 + "-" * 7 + " O")
    assert step_reward(game.rules, setup, 620.0, late.state, 0) == pytest.approx(11 / 36)
    chances = [exploit_chance(setup.training, index) for index in (0, 30_000, 60_000)]
    assert chances == pytest.approx([0.0025, 0.5, 0.9975], abs=1e-4)


def test_presets_are_defaults_that_can_be_changed() -> None:
    chances = {name: parse_settings(learner("xcs"), {"preset": name}).any_chance for name in PRESETS}
    assert chances == {"jain2018": 0.4, "general": 0.95, "standard": 0.33, "strong": 0.95}
    standard = parse_settings(learner("xcs"), {"preset": "standard", "any_chance": "0.5"})
    assert (standard.ga, standard.gamma, standard.any_chance) == ("step", 0.71, 0.5)
    assert parse_settings(learner("xcs"), {}).gamma == 1.0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"preset": "best"}, "invalid preset=best for xcs: must be 'jain2018', 'general', 'standard' or 'strong'"),
        ({"opponents": "nobody"}, "unknown player 'nobody'"),
        ({"opponents": "random + alphabeta:seconds=1"}, "too slow to learn against"),
        ({"opponents": ""}, "unknown player ''"),
        ({"covers": "all", "after": "true"}, "a move that is not legal leads to no board"),
        ({"rules": "1"}, "invalid rules=1 for xcs: must be at least 10"),
        ({"opponents": "random + self", "step_games": "1"}, "invalid step_games=1 for xcs: must be at least 2"),
    ],
)
def test_invalid_settings(given: dict[str, str], message: str) -> None:
    method = learner("xcs")
    with pytest.raises(LudusError, match=message):  # noqa: PT012 - either may refuse
        settings = parse_settings(method, given)
        method.start(settings, ludus.game("othello6"), 1)


def test_a_population_larger_than_memory() -> None:
    with pytest.raises(LudusError, match="invalid rules=1000000 for go19: too many for memory"):
        learner("xcs").start(parse_settings(learner("xcs"), {"rules": 10**6}), ludus.game("go19"), 1)


def test_a_finished_run_is_a_player_with_readable_rules(tmp_path: Path) -> None:
    game = ludus.game("othello6")
    Run(RunSpec.create("xcs", game, {"games": 20, "rules": 200}), tmp_path).complete()
    parts = player(str(tmp_path), game).parts  # type: ignore[attr-defined]
    assert isinstance(parts, RuleSet)
    texts = [condition_text(parts, game, rule) for rule in range(parts.starts[-1])]
    assert all(len(text) == 72 and set(text) <= set("01#") for text in texts)
    assert len(set(texts)) > 10


DAMAGES = {
    "conditions": lambda a: a[:1],
    "starts": lambda a: a[::-1].copy(),
    "prediction": lambda a: a[1:],
    "fitness": lambda a: -a - 1,
    "experience": lambda a: a.astype(np.float64),
}


def test_files_that_are_no_rules_are_refused(tmp_path: Path) -> None:
    game, file = ludus.game("othello6"), tmp_path / "player.safetensors"
    parts = made("othello6").parts
    arrays = {name: getattr(parts, name) for name in ("conditions", "starts", "prediction", "error", "fitness")}
    arrays |= {"experience": parts.experience, "numerosity": parts.numerosity, "weights": parts.weights}
    settings = {"after": False, "symmetric": False, "unknown": 0.0}
    save_player(file, "xcs", game, arrays, settings)
    load_player(file, game)
    wrong = [({**arrays, name: damage(arrays[name])}, settings) for name, damage in DAMAGES.items()]
    wrong += [({name: each for name, each in arrays.items() if name != gone}, settings) for gone in arrays]
    wrong += [({**arrays, "conditions": arrays["conditions"] | np.uint64(1 << 50)}, settings)]
    wrong += [
        (
            {
                **arrays,
                "conditions": np.stack([arrays["conditions"][0] * 0, *(arrays["conditions"][1:] | np.uint64(1))]),
            },
            settings,
        )
    ]
    wrong += [(arrays, settings | {"after": 3}), (arrays, {}), (arrays, settings | {"unknown": "much"})]
    for given, chosen in wrong:
        save_player(file, "xcs", game, given, chosen)
        with pytest.raises(LudusError, match="is not a whole player of kind xcs"):
            load_player(file, game)


def test_explanations_are_data(tmp_path: Path) -> None:
    from dataclasses import asdict

    one = made("othello6")
    found = asdict(explain_parts(one.parts, one.game.start()))
    del found["picture"]
    assert json.loads(json.dumps(found))["moves"]
    assert words_for(ludus.game("go9")) == 2
