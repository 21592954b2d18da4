"""Monte Carlo tree search by UCT: simulated games that mostly follow the moves that have done best so far.

Kocsis & Szepesvári (2006), "Bandit based Monte-Carlo planning", ECML. A simulation goes down the tree by the upper
confidence bound of UCB1, adds one node, plays on from there by random moves, and counts the result on its way back.
With an evaluator, its value of the new node takes the place of the playout.

An evaluator's values are squashed by tanh. What counts as 1, three quarters of a win, is their root mean square in
random games from the start: so any evaluator will do, whatever its unit.

With RAVE (Gelly & Silver, 2007, "Combining online and offline knowledge in UCT", ICML) a simulation counts for every
move that it makes, as if it had been made at once: for all moves of the nodes on its way that the same player is the
first to take later on. Such values come soon and are biased; they fade as a move gets simulations of its own. The moves
of a node then all get nodes at the same time, with what the game knows of them beforehand.

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
from ludus.games.guided_playouts import guided_playout, play_out_recorded, write_priors
from ludus.games.playouts import playout
from ludus.players.protocol import Moves, choose, with_fresh_memory

MOST_NODES = 1 << 21
"""The largest tree, about 100 MB, with RAVE 170; once it is full, simulations go on from its leaves, adding none."""

SCALE_GAMES, SCALE_KEY = 16, key(1, "mcts scale")
"""How many random games measure the scale of an evaluator, and the key of their random streams."""

GROWN_VISITS = 4
"""With RAVE, after how many simulations a leaf gets nodes for all its moves."""

EVEN_PRIOR = 10.0
"""With RAVE, so many simulations with an even result are taken for granted of each move."""

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


class RecordedPlayouts(NamedTuple):
    """In the place of an evaluator: playouts whose moves count for the same moves in the tree (RAVE)."""

    guided: bool  # whether they go on by what the game thinks sensible, or at random
    rave: float  # simulations after which a move's own results count as much; 0 if these alone count
    actions: int  # of the game


class RaveArrays(NamedTuple):
    """What RAVE knows of the nodes of a tree. The moves of a node get theirs all at once, one behind the other."""

    blocks: NDArray[np.int32]  # [nodes] each: the first of the nodes for its moves; 0 until they are made
    widths: NDArray[np.int32]  # how many these are
    actions: NDArray[np.int32]  # the action that leads to the node
    visits: NDArray[np.float32]  # simulations through the parent in which who moves there was first to take the action
    totals: NDArray[np.float32]  # the sum of their values
    prior_visits: NDArray[np.float32]  # how much is known of the move beforehand, in simulations
    prior_totals: NDArray[np.float32]  # the sum of the values of these


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
    rave: RaveArrays
    choices: Moves  # the moves of the root that the search is about
    size: NDArray[np.int64]  # [1]: nodes in use
    key: NDArray[np.uint64]  # [1]: of the random streams that order the moves of each node


@generic
def evaluate_leaf(evaluator: Any, game: Any, state: Any, scale: float, moves: Moves, rng: Rng) -> Any:
    """The value of the state for the first player, from 1 to -1, and whether the game is over.

    moves  [max_legal_moves]: scratch space
    """


@generic
def measure_scale(evaluator: Any, game: Any) -> Any:
    """The root mean square of the evaluator's values in random games."""


@generic
def nodes_wanted(evaluator: Any, game: Any, simulations: int) -> Any:
    """How many nodes such a search may add to the root."""


@generic
def remembers_actions(evaluator: Any) -> Any:
    """Whether the tree has the arrays of RAVE."""


@generic
def add_simulations(evaluator: Any, player: MCTS, game: Any, root: Any, tree: Any, simulations: int, rng: Rng) -> Any:
    """Add so many simulations to the tree, or fewer if they prove the value of its root."""


@implements(nodes_wanted)
def _(evaluator, game, simulations):
    return simulations


@implements(remembers_actions)
def _(evaluator):
    return False


@implements(nodes_wanted, RecordedPlayouts)
def _(evaluator, game, simulations):
    return (simulations // GROWN_VISITS + 1) * protocol.max_legal_moves(game)


@implements(remembers_actions, RecordedPlayouts)
def _(evaluator):
    return True


@implements(measure_scale, RecordedPlayouts)
def _(evaluator, game):
    return 1.0


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


class RaveWork(NamedTuple):
    """Scratch space of a search by RAVE."""

    moves: Moves  # [max_legal_moves]
    order: Rng
    visits: NDArray[np.float64]  # [max_legal_moves] of priors, and their totals
    totals: NDArray[np.float64]
    firsts: NDArray[np.int64]  # [actions + 1]: who was first to take an action, or -1; the last is a forced pass


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
    moves = empty(protocol.max_legal_moves(game), np.int64)
    return new_tree_of(player, game, state, moves[: protocol.legal_moves(game, state, moves)], rng)


@kernel
def new_tree_of(player: MCTS, game: Any, state: Any, choices: Moves, rng: Rng) -> SearchTree:
    """The same for a search that looks at some of the root's moves only."""
    n = min(nodes_wanted(player.evaluator, game, player.simulations), MOST_NODES) + 1
    m = n if remembers_actions(player.evaluator) else 1
    rave = RaveArrays(
        empty(m, np.int32), empty(m, np.int32), empty(m, np.int32), empty(m, np.float32), empty(m, np.float32),
        empty(m, np.float32), empty(m, np.float32),
    )  # fmt: skip
    tree = SearchTree(
        empty(n, np.int64), empty(n, np.int32), empty(n, np.int32), empty(n, np.int32), empty(n, np.int32),
        empty(n, np.int32), empty(n, np.float64), empty(n, np.float64), empty(n, np.float64), rave, choices.copy(),
        empty(1, np.int64), empty(1, np.uint64),
    )  # fmt: skip
    tree.size[0], tree.key[0] = 0, next_uint64(rng)
    root = add_node(tree, 0, 0)
    rave.blocks[root] = 0
    tree.signs[root] = 1 - 2 * protocol.current_player(game, state)
    return tree


@inlined
def moves_of(tree: SearchTree, node: int, game: Any, state: Any, moves: Moves):
    """Write the moves of a node, at the root those that the search is about; how many there are."""
    if node > 0:
        return protocol.legal_moves(game, state, moves)
    n = len(tree.choices)
    moves[:n] = tree.choices
    return n


@inlined
def add_child(tree: SearchTree, node: int, game: Any, state: Any, moves: Moves, order: Rng):
    """A node for one of the moves that have none yet. They are tried in random order, as `shuffle` would make it."""
    n = moves_of(tree, node, game, state, moves)
    if tree.untried[node] < 0:
        tree.untried[node] = n
    tree.untried[node] -= 1
    seek(order, tree.key[0], node)
    for i in range(n - 1, max(tree.untried[node], 1) - 1, -1):  # those before are not needed yet
        j = randint(order, i + 1)
        moves[i], moves[j] = moves[j], moves[i]
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


@implements(add_simulations)
def _(evaluator, player, game, root, tree, simulations, rng):
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
            value, over = evaluate_leaf(evaluator, game, state, player.scale, moves, rng)
            if over:
                prove(tree, node, value)
        keep_alive(owner)
        tree.visits[0] += 1
        tree.totals[0] += value
        while node > 0:
            tree.visits[node] += 1
            tree.totals[node] += value
            node = int(tree.parents[node])


@inlined
def add_children(tree: SearchTree, node: int, game: Any, state: Any, work: RaveWork):
    """Nodes for all moves, of which nothing but the prior is known; whether there was room for them."""
    n = moves_of(tree, node, game, state, work.moves)
    first = tree.size[0]
    if first + n > len(tree.moves):
        return False
    seek(work.order, tree.key[0], node)
    shuffle(work.order, work.moves, n)  # so that none is preferred for its place on the board
    write_priors(game, state, last_move(tree, node), work.moves, n, work.visits, work.totals)
    rave, sign = tree.rave, tree.signs[node]
    tree.untried[node], rave.blocks[node], rave.widths[node] = n, first, n
    for i in range(n):
        child = add_node(tree, node, work.moves[i])
        rave.blocks[child], rave.actions[child] = 0, protocol.action(game, state, work.moves[i])
        rave.visits[child] = rave.totals[child] = 0.0
        rave.prior_visits[child] = EVEN_PRIOR + work.visits[i]
        rave.prior_totals[child] = sign * work.totals[i]
    return True


@inlined
def last_move(tree: SearchTree, node: int):
    """The move that led to a node; -1 for the root."""
    return tree.moves[node] if node > 0 else -1


@inlined
def best_by_rave(tree: SearchTree, node: int, equivalence: float, exploration: float):
    """The node of the move that looks best to who moves, by its own simulations and those that have it later on."""
    best, sign, rave = -np.inf, tree.signs[node], tree.rave
    first = int(rave.blocks[node])
    pick, width = first, exploration * math.sqrt(math.log(tree.visits[node] + 1.0))
    for child in range(first, first + rave.widths[node]):
        value = sign * tree.proven[child]
        if tree.proven[child] == UNKNOWN:
            n = tree.visits[child] + float(rave.prior_visits[child])
            value = sign * (tree.totals[child] + rave.prior_totals[child]) / n
            m = float(rave.visits[child])
            if m > 0.0 and equivalence > 0.0:
                share = m / (m + n + m * n / equivalence)
                value += share * (sign * rave.totals[child] / m - value)
            if width > 0.0:
                value += width / math.sqrt(n)
        if value > best:
            best, pick = value, child
    return pick


@inlined
def back_up(tree: SearchTree, node: int, value: float, firsts: NDArray[np.int64]) -> None:
    """Count a simulation that ended at a node on its way to the root, and for the moves that it had later on.

    firsts  [actions + 1]: who was the first to take each action behind the node, or -1
    """
    rave = tree.rave
    while True:
        tree.visits[node] += 1
        tree.totals[node] += value
        if node == 0:
            break
        action, node = rave.actions[node], int(tree.parents[node])
        mover = 0 if tree.signs[node] > 0.0 else 1
        firsts[action] = mover
        first = int(rave.blocks[node])
        for child in range(first, first + rave.widths[node]):
            if firsts[rave.actions[child]] == mover:
                rave.visits[child] += np.float32(1.0)
                rave.totals[child] += np.float32(value)


@implements(add_simulations, RecordedPlayouts)
def _(evaluator, player, game, root, tree, simulations, rng):
    width, rave = protocol.max_legal_moves(game), tree.rave
    work = RaveWork(
        empty(width, np.int64), empty(4, np.uint64), empty(width, np.float64), empty(width, np.float64),
        empty(evaluator.actions + 1, np.int64),
    )  # fmt: skip
    for _ in range(simulations):
        if tree.proven[0] != UNKNOWN:
            break
        owner = protocol.copy_state(game, root)
        state, node = without_refcount(owner), 0
        while tree.proven[node] == UNKNOWN:
            if rave.blocks[node] == 0:
                if node > 0 and tree.visits[node] < GROWN_VISITS:
                    break
                if not add_children(tree, node, game, state, work):
                    break
            parent, node = node, best_by_rave(tree, node, evaluator.rave, player.exploration)
            if tree.visits[node] == 0:
                tree.siblings[node], tree.children[parent] = tree.children[parent], node
                tree.untried[parent] -= 1
            state = protocol.play(game, state, tree.moves[node])
        value = tree.proven[node]
        for i in range(evaluator.actions + 1):
            work.firsts[i] = -1
        if value == UNKNOWN:
            tree.signs[node] = 1 - 2 * protocol.current_player(game, state)
            if evaluator.guided:
                outcome, plies = guided_playout(game, state, last_move(tree, node), work.moves, work.firsts, rng)
            else:
                outcome, plies = play_out_recorded(game, state, work.moves, work.firsts, rng)
            value = 2.0 * outcome - 1.0
            if plies == 0:
                prove(tree, node, value)
        keep_alive(owner)
        back_up(tree, node, value, work.firsts)


@kernel
def simulate(player: MCTS, game: Any, root: Any, tree: SearchTree, simulations: int, rng: Rng) -> None:
    """Add so many simulations to the tree, or fewer if they prove the value of its root."""
    player, game, root, tree = without_refcount((player, game, root, tree))
    add_simulations(player.evaluator, player, game, root, tree, simulations, rng)


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
    tree = new_tree_of(player, game, state, moves[:n], rng)
    simulate(player, game, state, tree, player.simulations, rng)
    return tree.moves[chosen_child(tree, 0)]
