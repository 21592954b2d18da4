"""Monte Carlo tree search against a slow, obvious twin, exact play and weaker players."""

from typing import Any

import numpy as np
import pytest

import ludus
from ludus.compile.rng import Rng, stream
from ludus.evaluators.base import evaluator
from ludus.games.game import Position
from ludus.games.go_playouts import play_out_chains
from ludus.games.guided_playouts import guides
from ludus.play.matches import match
from ludus.players.explanations import explanation
from ludus.players.names import player
from ludus.players.restrained import permitted
from ludus.players.search.uct import (
    MCTS,
    UNKNOWN,
    Playouts,
    RecordedPlayouts,
    SearchTree,
    new_tree,
    new_tree_of,
    simulate,
    with_scale,
)
from tests.naive.mcts import Node, Playout, playout, uct
from tests.players.test_search import some_positions

PLAYOUTS = Playouts()


def grown(position: Position, simulations: int, nodes: int = 0, evaluator: Any = PLAYOUTS) -> SearchTree:
    rng, parts = stream(1, "test"), MCTS(evaluator, nodes or simulations, 1.0)
    tree: SearchTree = new_tree(parts, position.game.rules, position.state, rng)
    simulate(parts, position.game.rules, position.state, tree, simulations, rng)
    return tree


def recorded(position: Position, rave: float = 500.0) -> RecordedPlayouts:
    return RecordedPlayouts(bool(guides(position.game.rules)), rave, position.game.type.actions(position.game.rules))


def compare(tree: SearchTree, number: int, node: Node) -> int:
    """That a node is the same as the twin's, and all below it; how many these are."""
    assert tree.visits[number] == len(node.values)
    assert tree.totals[number] == pytest.approx(sum(node.values))
    assert tree.proven[number] == (UNKNOWN if node.proven is None else node.proven)
    children, child = list(node.children.items()), int(tree.children[number])
    count = 1
    for move, below in reversed(children):
        assert tree.moves[child] == node.position.legal[move]
        count += compare(tree, child, below)
        child = int(tree.siblings[child])
    assert child == 0
    return count


def playout_of_go(position: Position, rng: Rng) -> float:
    return 2 * float(play_out_chains(position.game.rules, position.state, rng)[0]) - 1


@pytest.mark.parametrize(
    ("name", "plays_out"), [("othello4", playout), ("checkers:moves=20", playout), ("go3:komi=0.5", playout_of_go)]
)
def test_the_same_tree_as_the_twin(name: str, plays_out: Playout) -> None:
    """Move by move and to the last visit, passes and the ends of games included."""
    for position in some_positions(name, 4):
        tree = grown(position, 200)
        assert compare(tree, 0, uct(position, 200, 1.0, stream(1, "test"), plays_out)) == tree.size[0]


def test_a_full_tree_grows_no_further() -> None:
    """Simulations go on, and count where they left the tree."""
    tree = grown(ludus.game("othello4").start(), 500, nodes=20)
    assert (tree.size[0], len(tree.moves), tree.visits[0]) == (21, 21, 500)
    assert sum(tree.visits[1:][tree.parents[1:] == 0]) == 500


@pytest.mark.parametrize("name", ["othello4", "checkers:moves=20", "go3:komi=0.5", "go5", "go5:rules=abramson2001"])
def test_rave_counts_each_simulation_for_its_own_moves_at_least(name: str) -> None:
    """Moves that were tried are linked, once; what counts for one is among the simulations of the node above it."""
    for position in some_positions(name, 3):
        tree = grown(position, 400, evaluator=recorded(position))
        rave, size, more = tree.rave, int(tree.size[0]), 0
        for node in np.flatnonzero(rave.blocks[:size]):
            block = range(rave.blocks[node], rave.blocks[node] + rave.widths[node])
            linked, child = set[int](), int(tree.children[node])
            while child:
                assert child not in linked
                linked.add(child)
                child = int(tree.siblings[child])
            assert linked == {each for each in block if tree.visits[each] > 0}
            assert tree.untried[node] == len(block) - len(linked)
            for each in block:
                assert tree.parents[each] == node
                assert tree.visits[each] <= rave.visits[each] <= tree.visits[node]
                assert abs(rave.totals[each]) <= rave.visits[each]
                more += int(rave.visits[each] - tree.visits[each])
        assert sum(tree.visits[1:size][tree.parents[1:size] == 0]) == tree.visits[0]
        assert more > 0 or tree.proven[0] != UNKNOWN


def test_a_full_tree_with_rave_grows_no_further() -> None:
    position = ludus.game("go5").start()
    tree = grown(position, 2000, nodes=8, evaluator=recorded(position))
    assert tree.size[0] <= len(tree.moves) < 120
    assert tree.visits[0] == 2000


def test_rave_and_guided_playouts_win_in_go() -> None:
    """Against twice as many simulations without them."""
    game = ludus.game("go5:komi=0.5")
    better, plain = player("mcts:simulations=60", game), player("mcts:simulations=120,playouts=random", game)
    assert match(better, plain, 40).wins >= 28


def test_enough_simulations_solve_othello_endings() -> None:
    """What is proven is the result of perfect play, and the move made is one that gets it."""
    endings = [each for each in some_positions("othello4", 40) if np.sum(each.cells == 0) <= 7]
    assert len(endings) > 10
    for position in endings:
        sign = 1 - 2 * position.current_player
        best = max(sign * perfect(position.play(move)) for move in position.legal_moves)
        assert grown(position, 30_000).proven[0] == sign * best
        assert grown(position, 30_000, evaluator=recorded(position)).proven[0] == sign * best
        seat = player("mcts:simulations=30000", position.game).seat()
        assert sign * perfect(position.play(seat.choose(position, stream(1, "choice")))) == best


def perfect(position: Position) -> float:
    """The result for the first player if both are perfect."""
    if position.outcome is not None:
        return 2 * position.outcome - 1
    results = [perfect(position.play(move)) for move in position.legal_moves]
    return max(results) if position.current_player == 0 else min(results)


AHEAD = "XX.OO/XX.OO/XXX../XXX../XXXX. {} passes=1"
FORCED = [
    ("checkers", "B:W13:B4,5,6,K15,20,22,28,K30:F24", "5-9", True),  # the last man can't move
    ("checkers", "W:WK7,K19,21:BK31:F56", "19-23", True),  # the king's only capture puts it beside another
    ("go5:komi=0.5", AHEAD.format("X"), "pass", True),
    ("go5:komi=0.5", AHEAD.format("O"), "pass", False),
]


@pytest.mark.parametrize("options", ["simulations=1000", "simulations=1000,value=usual", "seconds=0.1"])
@pytest.mark.parametrize(("name", "text", "move", "wins"), FORCED, ids=[f"{text}" for _, text, _, _ in FORCED])
def test_a_move_that_settles_the_game(options: str, name: str, text: str, move: str, wins: bool) -> None:
    """It is made if it wins, and not if it loses."""
    position = ludus.game(name).position(text)
    seat = player(f"mcts:{options}", position.game).seat()
    for seed in range(3):
        assert (seat.choose(position, stream(seed, "test")) == position.legal[move]) == wins


@pytest.mark.parametrize("name", ["checkers", "go5"])
def test_any_seed_will_do_against_the_clock(name: str) -> None:
    """Streams of random numbers begin with any word, such as one beyond the limit of a signed one."""
    position = ludus.game(name).start()
    seat = player("mcts:seconds=0.001", position.game).seat()
    for seed in range(8):
        assert seat.choose(position, stream(seed, "test")) in position.legal.values()


def test_workers_do_not_change_the_games_and_random_play_loses_them() -> None:
    game = ludus.game("othello6")
    one, anybody = player("mcts:simulations=100", game), player("random", game)
    alone, together = (match(one, anybody, 20, seed=3, workers=n, record=True) for n in (1, 2))
    assert np.array_equal(alone.scores, together.scores)
    assert [record.moves for record in alone.records()] == [record.moves for record in together.records()]
    assert alone.wins >= 19


@pytest.mark.parametrize("name", ["othello6", "go5"])
def test_the_search_is_about_the_moves_that_it_is_given(name: str) -> None:
    """And only about these: each of them gets a node at the root."""
    for position in some_positions(name, 3):
        some, rules, rng = list(position.legal.values())[1::2], position.game.rules, stream(1, "test")
        if not some:
            continue
        for evaluates in (PLAYOUTS, recorded(position)):
            parts = MCTS(evaluates, 200, 1.4)
            tree: SearchTree = new_tree_of(parts, rules, position.state, np.array(some), rng)
            simulate(parts, rules, position.state, tree, 200, rng)
            nodes = np.flatnonzero(tree.parents[1 : tree.size[0]] == 0) + 1
            assert set(tree.moves[nodes]) == set(some)
            assert tree.visits[0] == tree.visits[nodes].sum()


def test_a_restrained_tree_search_is_restrained() -> None:
    game = ludus.game("go5:komi=0.5")
    seat = player("restrained:mcts:simulations=50", game).seat()
    for position in some_positions("go5:komi=0.5", 60):
        legal, out = np.array(list(position.legal.values())), np.empty(26, np.int64)
        allowed = out[: permitted(game.rules, position.state, legal, len(legal), out)].tolist()
        assert seat.choose(position, stream(1, "test")) in (allowed or [position.legal["pass"]])


def test_an_evaluator_takes_the_place_of_playouts() -> None:
    game = ludus.game("othello6")
    discs = MCTS(evaluator("discs", game), 100, 1.0)
    assert 5 < with_scale(discs, game.rules).scale < 15  # in random games one side leads by about ten discs
    assert match(player("mcts:simulations=100,value=usual", game), player("random", game), 20).wins >= 17


def test_the_explanation_is_what_the_search_found() -> None:
    position = ludus.game("othello6").start()
    found = explanation(player("mcts:simulations=400", position.game), position)
    visits = [int(each.description.split()[0]) for each in found.moves]
    assert sorted(each.move for each in found.moves) == sorted(position.legal_moves)
    assert (sum(visits), visits) == (400, sorted(visits, reverse=True))
    assert all(-1 <= each.value <= 1 for each in found.moves)
    assert found.line[0] == found.moves[0].move
    assert len(found.line) > 2
    for move in found.line:
        position = position.play(move)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("mcts:simulations=0", "invalid simulations=0: must be a whole number from 1 to 10000000"),
        ("mcts:c=-1", "invalid c=-1: must be a number from 0.0 to 100.0"),
        ("mcts:value=oracle", "unknown evaluator 'oracle'"),
        ("mcts:value=pieces", "the evaluator pieces does not play othello8"),
        ("mcts:playouts=guided", "othello8 knows no guided playouts; leave out playouts=, or write playouts=random"),
        ("mcts:value=discs,rave=100", "mcts with value=discs has no playouts; leave out rave="),
        ("mcts:depth=3", "mcts has no option 'depth'; its options are simulations, c, value, playouts, rave, seconds"),
    ],
)
def test_bad_options(text: str, sentence: str) -> None:
    with pytest.raises(ludus.LudusError, match=sentence):
        player(text, ludus.game("othello8"))
