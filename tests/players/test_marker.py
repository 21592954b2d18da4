"""Networks on chromosomes with markers: reading them, playing with them, drawing them, refusing what is none."""

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save

import ludus
from ludus.compile.rng import key, randint, stream
from ludus.play.matches import match
from ludus.players.base import CompiledPlayer
from ludus.players.explanations import explanation
from ludus.players.files import save_player
from ludus.players.fixed_network import fixed_network, genes
from ludus.players.marker import MarkerNetwork, Wiring, connections, decode, marker_network
from ludus.players.names import player
from ludus.players.policy_networks import mean_outputs
from tests.effort import nightly
from tests.naive import marker as naive
from tests.play.test_matches import ByHand
from tests.players.test_files import header

OTHELLO = ludus.game("othello8")


def network(*chromosome: int) -> list[naive.Unit]:
    """What the kernel reads, on a board of 16 squares, in the words of its slow twin."""
    found = decode(np.array(chromosome, np.int8), 16, 64.0)
    units = [naive.Unit(0, value) for value in found.initial.tolist()]
    for i, unit in enumerate(units):
        for j in range(int(found.begins[i]), int(found.begins[i + 1])):
            source = int(found.sources[j])
            kind = ("input", source) if source < 32 else ("unit", source - 32)
            unit.inward.append((*kind, float(found.weights[j])))
        for j in range(int(found.out_begins[i]), int(found.out_begins[i + 1])):
            unit.outward.append((int(found.targets[j]), float(found.out_weights[j])))
    return units


def unit(value: float, *inward: tuple[str, int, float], outward: list[tuple[int, float]] = []) -> naive.Unit:  # noqa: B006
    return naive.Unit(0, value, list(inward), list(outward))


@pytest.mark.parametrize(
    ("chromosome", "units"),
    [
        # start, label, value, key and label of an input, weight, end
        ((1, 10, 64, 5, 3, 32, 2), [unit(0.5, ("input", 3, 0.5))]),
        # markers count by their absolute value; what is outside of them means nothing
        ((7, -26, 10, 64, 5, 3, 32, -102, 5, 3, 32), [unit(0.5, ("input", 3, 0.5))]),
        # inside a definition a start marker is a number like any other
        ((1, 10, 64, 26, 3, 51, 2), [unit(0.5, ("input", 3, 51 / 64))]),
        # inputs modulo 32, outputs modulo 16; label 0 is an output, key 0 a hidden unit: here itself
        (
            (1, 10, 64, 5, 35, 32, 5, -18, 16, 5, 0, -16, 0, 4, 8, 2),
            [unit(0.5, ("input", 3, 0.5), ("unit", 0, 0.125), outward=[(2, 0.25), (0, -0.25)])],
        ),
        # round the end of the chromosome, to an end marker
        ((3, 32, 27, 9, 1, 10, 64, 5), [unit(0.5, ("input", 3, 0.5))]),
        # no end marker: to the first start marker, be it its own
        ((3, 32, 1, 10, 64, 5), [unit(0.5, ("input", 3, 0.5))]),
        ((32, 1, 10, 64, 2, 26, 4, 0, 5, 3), [unit(0.5), unit(0.0, ("input", 3, 0.5))]),
        # of equal labels the first; of labels equally near also the first; else the nearest
        (
            (1, 12, 0, 2, 1, 12, 0, 2, 1, 8, 0, -5, 13, 64, -5, 10, 64, -5, 9, 64, 2),
            [unit(0.0), unit(0.0), unit(0.0, ("unit", 0, 1.0), ("unit", 0, 1.0), ("unit", 2, 1.0))],
        ),
        # a connection that is cut short is let go
        ((1, 10, 64, 5, 3, 2), [unit(0.5)]),
        ((1, 10, 64, 5, 2), [unit(0.5)]),
        # no hidden unit at all: no start marker, too little inside, nothing but a marker
        ((3, 4, 5, 2), []),
        ((1, 2, 1, 10, 2), []),
        ((1,), []),
    ],
)
def test_chromosomes_worked_out_by_hand(chromosome: tuple[int, ...], units: list[naive.Unit]) -> None:
    assert network(*chromosome) == units


@pytest.mark.parametrize("squares", [16, 64, 81, 361])
def test_random_chromosomes_are_read_as_by_the_twin(squares: int) -> None:
    for seed in range(5):
        found, genes = decode(naive.random_genes(seed), squares, 64.0), naive.random_genes(seed).tolist()
        twin = naive.units(genes, squares, 64.0)
        assert found.initial.tolist() == [each.value for each in twin]
        sources = [i + 2 * squares * (kind == "unit") for each in twin for kind, i, _ in each.inward]
        assert found.sources.tolist() == sources
        assert found.weights.tolist() == [weight for each in twin for _, _, weight in each.inward]
        assert list(zip(found.targets.tolist(), found.out_weights.tolist(), strict=True)) == [
            out for each in twin for out in each.outward
        ]
        assert np.diff(found.begins).tolist() == [len(each.inward) for each in twin]
        assert np.diff(found.out_begins).tolist() == [len(each.outward) for each in twin]


def test_about_110_hidden_units_come_out() -> None:
    """The paper's ten networks had 110 on average."""
    counts = [len(decode(naive.random_genes(seed), 64, 64.0).initial) for seed in range(200)]
    assert 103 < np.mean(counts) < 111


def test_a_network_plays_as_its_twin_and_forgets_after_each_game() -> None:
    one = CompiledPlayer("network", OTHELLO, marker_network(OTHELLO, naive.random_genes(3), "logistic", 64.0))
    played = match(one, player("random", OTHELLO), 4, record=True)
    for index, record in enumerate(played.records()):
        twin = naive.Network(naive.random_genes(3).tolist(), 64)
        for position, move in list(zip(record.positions(), record.moves, strict=False))[4:]:
            if position.current_player == index % 2:
                assert twin.choose(position) == move


def networks_with_memory(game: ludus.games.game.Game) -> list[CompiledPlayer]:  # type: ignore[name-defined]
    chromosome = naive.random_genes(1, genes(game, 6, "two"))
    parts = [marker_network(game, naive.random_genes(5)), fixed_network(game, chromosome, 6, "tanh")]
    return [CompiledPlayer(type(each).__name__, game, each) for each in parts]


@pytest.mark.parametrize("name", ["othello6", *nightly("checkers:moves=30", "go5")])
def test_memory_makes_no_difference_to_workers_and_ways_of_playing(name: str) -> None:
    """Each game has a memory of its own, however many are played at once, by a kernel or move by move."""
    game = ludus.game(name)
    one, other = networks_with_memory(game)
    other = CompiledPlayer("noisy", game, ludus.players.noisy.Noisy(0.1, other.parts))  # type: ignore[attr-defined]
    asked = [(one, 1), (one, 3), (ByHand("by hand", game, one), 1), (ByHand("by hand", game, one), 3)]
    games = [[list(each.moves) for each in match(a, other, 12, workers=n, record=True).records()] for a, n in asked]
    assert games[0] == games[1] == games[2] == games[3]


def test_a_network_is_explained_and_drawn() -> None:
    for one in networks_with_memory(OTHELLO):
        position = OTHELLO.start().play("d3")
        found = explanation(one, position)
        assert found.picture is not None
        chosen = one.seat().choose(position, np.zeros(4, np.uint64))
        assert position.legal[found.moves[0].move] == chosen
        assert found.moves[0].value == found.boards[0].squares[chosen]
        picture = ElementTree.fromstring(found.picture())
        circles = [each for each in picture.iter("{http://www.w3.org/2000/svg}circle") if each.get("fill") == "white"]
        assert len(circles) == len(one.parts.memory) - (128 if isinstance(one.parts, MarkerNetwork) else 0)


def test_mean_outputs_are_those_of_games_against_a_random_mover() -> None:
    """As the twin finds them, which plays the same games itself."""
    chromosome, mean, seen = naive.random_genes(3), np.empty(64), []
    same, choices = mean_outputs(
        marker_network(OTHELLO, chromosome, "logistic", 64.0), OTHELLO.rules, key(7, "test"), 4, mean
    )
    for index in range(4):
        rng, twin, position = stream(7, "test", index), naive.Network(chromosome.tolist(), 64), OTHELLO.start()
        while not position.over:
            legal = position.legal_moves
            if position.current_player != index % 2:
                position = position.play(legal[randint(rng, len(legal))])
                continue
            outputs = twin.outputs(position)
            scores = [outputs[position.legal[move]] if move != "pass" else 0.0 for move in legal]
            move = legal[int(np.argmax(scores))]
            if len(legal) > 1:
                seen.append((outputs, list(position.legal.values()), position.legal[move]))
            position = position.play(move)
    assert choices == len(seen)
    assert mean == pytest.approx(np.mean([outputs for outputs, _, _ in seen], axis=0))
    assert same == sum(legal[int(np.argmax(mean[legal]))] == move for _, legal, move in seen) < choices


@pytest.mark.parametrize("name", ["othello6", "checkers", *nightly("go5")])
def test_an_explanation_says_how_far_the_choice_comes_from_the_position(name: str) -> None:
    for one in networks_with_memory(ludus.game(name)):
        found = explanation(one, one.game.start())
        assert re.search(r"the same move in \d+% of its choices", found.description)
        assert [each.title for each in found.boards] == ["outputs", "mean outputs"]
        assert found.boards[0].squares != found.boards[1].squares


def test_a_picture_has_a_line_for_each_connection() -> None:
    game, chromosome = ludus.game("othello4"), (1, 10, 64, 5, 35, 32, 5, -18, 16, 5, 21, -16, 0, 4, 8, 2)
    one = marker_network(game, np.array(chromosome, np.int8), "logistic", 64.0)
    assert connections(one) == [
        (("own", 3), ("unit", 0), 0.5), (("their", 5), ("unit", 0), -0.25), (("unit", 0), ("unit", 0), 0.125),
        (("unit", 0), ("move", 2), 0.25),
    ]  # fmt: skip
    found = explanation(CompiledPlayer("x", game, one), game.start())
    assert found.picture is not None
    picture = ElementTree.fromstring(found.picture())
    assert len(list(picture.iter("{http://www.w3.org/2000/svg}path"))) == 3  # the fourth is a loop


RIGHT = {"activation": "logistic", "weight_scale": 64.0}
WRONG = [
    ("marker", {"chromosome": np.zeros(0, np.int8)}, RIGHT),
    ("marker", {"chromosome": np.zeros(9)}, RIGHT),
    ("marker", {"chromosome": np.zeros((3, 3), np.int8)}, RIGHT),
    ("marker", {"genes": np.zeros(9, np.int8)}, RIGHT),
    ("marker", {"chromosome": np.zeros(9, np.int8)}, {}),
    ("marker", {"chromosome": np.zeros(9, np.int8)}, RIGHT | {"activation": "sine"}),
    ("marker", {"chromosome": np.zeros(9, np.int8)}, RIGHT | {"activation": ["logistic"]}),
    ("marker", {"chromosome": np.zeros(9, np.int8)}, RIGHT | {"weight_scale": 0}),
    ("marker", {"chromosome": np.zeros(9, np.int8)}, RIGHT | {"weight_scale": "64"}),
    ("fixed-network", {"chromosome": np.zeros(5161, np.int8)}, RIGHT | {"hidden": 40}),
    ("fixed-network", {"chromosome": np.zeros(5160, np.int8)}, RIGHT | {"hidden": 0}),
    ("fixed-network", {"chromosome": np.zeros(5160, np.int8)}, RIGHT | {"hidden": 1e9}),
    ("fixed-network", {"chromosome": np.zeros(5160, np.int8)}, RIGHT),
]


@pytest.mark.parametrize(("kind", "arrays", "settings"), WRONG)
def test_what_is_no_network_is_refused(kind: str, arrays: dict[str, object], settings: object, tmp_path: Path) -> None:
    file = tmp_path / "wrong"
    file.write_bytes(save(arrays, header(kind=kind, settings=settings)))  # type: ignore[arg-type]
    with pytest.raises(ludus.LudusError, match=f"is not a whole player of kind {kind}"):
        player(str(file), OTHELLO)


def test_any_chromosome_plays(tmp_path: Path) -> None:
    """One without a hidden unit likes nothing, and makes the first legal move."""
    save_player(tmp_path / "nothing", "marker", OTHELLO, {"chromosome": np.array([5], np.int8)}, RIGHT)
    position = OTHELLO.start()
    assert player(str(tmp_path / "nothing"), OTHELLO).seat().choose(position, np.zeros(4, np.uint64)) == next(
        iter(position.legal.values())
    )
    assert isinstance(marker_network(OTHELLO, np.array([5], np.int8)).wiring, Wiring)


@pytest.mark.parametrize(
    ("name", "opponent", "least"),
    [
        ("marker:positional", "random", 0.8),
        ("marker:mobility", "alphabeta:depth=3", 0.65),
        ("fixed-network:searcher", "alphabeta:depth=3", 0.45),
    ],
)
def test_shipped_networks_are_as_good_as_the_report_says(name: str, opponent: str, least: float) -> None:
    assert match(player(name, OTHELLO), player(opponent, OTHELLO), 488).scores.mean() > least


@pytest.mark.parametrize(("activation", "value"), [("logistic", 1 / (1 + np.exp(-2))), ("tanh", np.tanh(2)),
                                                   ("threshold", 1.0), ("linear", 1.0)])  # fmt: skip
def test_a_fixed_network_worked_out_by_hand(activation: str, value: float) -> None:
    """Two hidden units on a board of 16 squares, where the mover's discs are on 6 and 9, the other's on 5 and 10."""
    game = ludus.game("othello4")
    weights = np.zeros((16 + 1 + 16, 2))
    weights[[6, 9, 5, 10], 0] = 3, 1, 1, 1  # comes to 2 for the first unit
    chromosome = np.concatenate([weights[:17].ravel(), weights[17:].T.ravel()])
    chromosome[17 * 2 + 1] = 5  # the first unit suggests square 1
    one = CompiledPlayer("x", game, fixed_network(game, chromosome.astype(np.int8), 2, activation, 1.0))
    board, _ = explanation(one, game.start()).boards
    assert board.squares == pytest.approx([0, 5 * value, *[0] * 14])
    assert len(chromosome) == genes(game, 2, "one")
    assert genes(OTHELLO, 40, "one") == 5160
    assert genes(OTHELLO, 40, "two") == 7720
