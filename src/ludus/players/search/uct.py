"""Monte Carlo tree search by UCT: simulated games that mostly follow the moves that have done best so far.

Kocsis & Szepesvári (2006), "Bandit based Monte-Carlo planning", ECML. A simulation goes down the tree by the upper
confidence bound of UCB1, adds one node, plays on from there by random moves, and counts the result on its way back.
With an evaluator, its value of the new node takes the place of the playout.

An evaluator's values are squashed by tanh. What counts as 1, three quarters of a win, is their root mean square in
random games from the start: so any evaluator will do, whatever its unit.

Where games end within the tree, results are proven and backed up exactly (MCTS-Solver; Winands, Björnsson & Saito,
2008). The tree holds moves, not states: every simulation replays its moves from the root, since states may share a
history. Values are those of the first player throughout, so it does not matter who moves twice in a row.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty
from ludus.compile.generic import generic, implements
from ludus.compile.jit import inlined, keep_alive, kernel, without_refcount
from ludus.compile.rng import Rng, key, next_uint64, randint, seek, shuffle
from ludus.evaluators.protocol import evaluate, with_own_memory
from ludus.games import protocol
from ludus.games.playouts import playout
from ludus.players.protocol import Moves, choose, with_fresh_memory

MOST_NODES = 1 << 21
"""The largest tree, about 100 MB; once it is full, simulations go on from its leaves without adding to them."""

SCALE_GAMES, SCALE_KEY = 16, key(1, "mcts scale")
"""How many random games measure the scale of an evaluator, and the key of their random streams."""

UNKNOWN = 2.0
"""What is proven of a node whose result is open."""


class MCTS(NamedTuple):
    """A player that searches by simulations."""

    evaluator: Any
    simulations: int
    exploration: float
    scale: float = 1.0  # a typical value of the evaluator, measured when a game begins


class Playouts(NamedTuple):
    """In the place of an evaluator: the result of random moves to the end of the game."""

    nothing: int = 0  # numba needs a field


class SearchTree(NamedTuple):
    """The nodes of a search. Node 0 is the root, and as a child or sibling it means that there is none."""

    moves: NDArray[np.int64]  # [nodes] each: the move that leads to the node
    parents: NDArray[np.int32]
    children: NDArray[np.int32]  # the youngest child
    siblings: NDArray[np.int32]  # the next older child of the same parent
    untried: NDArray[np.int32]  # legal moves that have no node yet; -1 until they are counted
    visits: NDArray[np.int32]  # simulations that went through the node
    totals: NDArray[np.float64]  # the sum of their values, from 1 (the first player has won) to -1
    proven: NDArray[np.float64]  # the value if it is certain, else UNKNOWN
    signs: NDArray[np.float64]  # 1 where the first player moves, -1 where the second does
    size: NDArray[np.int64]  # [1]: nodes in use
    key: np.uint64  # of the random streams that order the moves of each node


@generic
def evaluate_leaf(evaluator: Any, game: Any, state: Any, scale: float, moves: Moves, rng: Rng) -> Any:
    """The value of the state for the first player, from 1 to -1, and whether the game is over.

    moves  [max_legal_moves]: scratch space
    """


@generic
def measure_scale(evaluator: Any, game: Any) -> Any:
    """The root mean square of the evaluator's values in random games."""


@implements(evaluate_leaf)
def _(evaluator, game, state, scale, moves, rng):
    if protocol.over(game, state, moves):
        return 2.0 * protocol.outcome(game, state) - 1.0, True
    value = math.tanh(evaluate(evaluator, game, state) / scale)
    return value if protocol.current_player(game, state) == 0 else -value, False


@implements(evaluate_leaf, Playouts)
def _(evaluator, game, state, scale, moves, rng):
    outcome, plies = playout(game, state, moves, rng)
    return 2.0 * outcome - 1.0, plies == 0


@implements(measure_scale)
def _(evaluator, game):
    total, count = 0.0, 0
    moves, rng = empty(protocol.max_legal_moves(game), np.int64), empty(4, np.uint64)
    for i in range(SCALE_GAMES):
        seek(rng, SCALE_KEY, i)
        state = protocol.initial(game)
        n = protocol.legal_moves(game, state, moves)
        while n > 0:
            total += float(evaluate(evaluator, game, state)) ** 2
            count += 1
            state = protocol.play(game, state, moves[randint(rng, n)])
            n = protocol.legal_moves(game, state, moves)
    return math.sqrt(total / count) if total > 0.0 else 1.0


@implements(measure_scale, Playouts)
def _(evaluator, game):
    return 1.0


@kernel
def with_scale(player: MCTS, game: Any) -> MCTS:
    """The player with the scale of its evaluator, and with memory that no other thread uses."""
    evaluator = with_own_memory(player.evaluator)
    return MCTS(evaluator, player.simulations, player.exploration, measure_scale(evaluator, game))


@implements(with_fresh_memory, MCTS)
def _(player, game):
    return with_scale(player, game)


@inlined
def add_node(tree: SearchTree, parent: int, move: int):
    """A new node, of which nothing is known yet."""
    node = tree.size[0]
    tree.size[0] += 1
    tree.moves[node], tree.parents[node] = move, parent
    tree.children[node], tree.untried[node], tree.visits[node] = 0, -1, 0
    tree.totals[node], tree.proven[node] = 0.0, UNKNOWN
    return node


@kernel
def new_tree(player: MCTS, game: Any, state: Any, rng: Rng) -> SearchTree:
    """A tree of the root alone, with room for a node for each simulation."""
    n = min(player.simulations, MOST_NODES) + 1
    tree = SearchTree(
        empty(n, np.int64), empty(n, np.int32), empty(n, np.int32), empty(n, np.int32), empty(n, np.int32),
        empty(n, np.int32), empty(n, np.float64), empty(n, np.float64), empty(n, np.float64), empty(1, np.int64),
        next_uint64(rng),
    )  # fmt: skip
    tree.size[0] = 0
    root = add_node(tree, 0, 0)
    tree.signs[root] = 1 - 2 * protocol.current_player(game, state)
    return tree


@inlined
def add_child(tree: SearchTree, node: int, game: Any, state: Any, moves: Moves, order: Rng):
    """A node for one of the moves that have none yet. They are tried in random order."""
    n = protocol.legal_moves(game, state, moves)
    if tree.untried[node] < 0:
        tree.untried[node] = n
    seek(order, tree.key, node)
    shuffle(order, moves, n)
    tree.untried[node] -= 1
    child = add_node(tree, node, moves[tree.untried[node]])
    tree.siblings[child], tree.children[node] = tree.children[node], child
    return child


@inlined
def best_child(tree: SearchTree, node: int, exploration: float):
    """The child with the highest upper confidence bound for who moves; of one that is proven, its value."""
    best, pick, child = -np.inf, 0, int(tree.children[node])
    sign, width = tree.signs[node], exploration * math.sqrt(math.log(tree.visits[node]))
    while child > 0:
        value = sign * tree.proven[child]
        if tree.proven[child] == UNKNOWN:
            visits = tree.visits[child]
            value = sign * tree.totals[child] / visits + width / math.sqrt(visits)
        if value > best:
            best, pick = value, child
        child = int(tree.siblings[child])
    return pick


@inlined
def prove(tree: SearchTree, node: int, value: float) -> None:
    """Note that a node has this value for certain, and whatever follows from that for the nodes above it.

    A node is proven by a child that wins for who moves there, or if all its moves are.
    """
    tree.proven[node] = value
    while node > 0:
        node = int(tree.parents[node])
        sign, best, settled, child = tree.signs[node], -1.0, tree.untried[node] == 0, int(tree.children[node])
        while child > 0:
            if tree.proven[child] == UNKNOWN:
                settled = False
            else:
                best = max(best, sign * tree.proven[child])
            child = int(tree.siblings[child])
        if not settled and best < 1.0:
            break
        tree.proven[node] = sign * best


@kernel
def simulate(player: MCTS, game: Any, root: Any, tree: SearchTree, simulations: int, rng: Rng) -> None:
    """Add so many simulations to the tree, or fewer if they prove the value of its root."""
    player, game, root, tree = without_refcount((player, game, root, tree))
    moves, order = empty(protocol.max_legal_moves(game), np.int64), empty(4, np.uint64)
    for _ in range(simulations):
        if tree.proven[0] != UNKNOWN:
            break
        owner = protocol.copy_state(game, root)
        state, node, is_new = without_refcount(owner), 0, False
        while tree.proven[node] == UNKNOWN and not is_new:
            is_new = tree.untried[node] != 0
            if not is_new:
                node = best_child(tree, node, player.exploration)
            elif tree.size[0] < len(tree.moves):
                node = add_child(tree, node, game, state, moves, order)
            else:
                break
            state = protocol.play(game, state, tree.moves[node])
        value = tree.proven[node]
        if value == UNKNOWN:
            tree.signs[node] = 1 - 2 * protocol.current_player(game, state)
            value, over = evaluate_leaf(player.evaluator, game, state, player.scale, moves, rng)
            if over:
                prove(tree, node, value)
        keep_alive(owner)
        tree.visits[0] += 1
        tree.totals[0] += value
        while node > 0:
            tree.visits[node] += 1
            tree.totals[node] += value
            node = int(tree.parents[node])


@kernel
def standing(tree: SearchTree, node: int):
    """How much speaks for the move that leads to a node: a proven win, or at least no loss; its visits; its mean value.

    The value is that for who makes the move, exact if it is proven.
    """
    sign, visits = tree.signs[tree.parents[node]], float(tree.visits[node])
    if tree.proven[node] == UNKNOWN:
        return 0.0, visits, sign * tree.totals[node] / visits
    value = sign * tree.proven[node]
    return value, visits, value


@kernel
def chosen_child(tree: SearchTree, node: int):
    """The child with the highest standing, of several the one that was tried first; 0 if there is none."""
    pick = child = int(tree.children[node])
    while child > 0:
        if standing(tree, child) >= standing(tree, pick):
            pick = child
        child = int(tree.siblings[child])
    return pick


@implements(choose, MCTS)
def _(player, game, state, moves, n, rng):
    if n == 1:
        return moves[0]
    tree = new_tree(player, game, state, rng)
    simulate(player, game, state, tree, player.simulations, rng)
    return tree.moves[chosen_child(tree, 0)]
