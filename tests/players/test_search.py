"""Searches and one-ply players against a slow, obvious minimax."""

import random

import numpy as np
import pytest

import ludus
from ludus.compile.rng import Rng, stream
from ludus.games.game import Position
from ludus.play.games import play_out
from ludus.play.matches import match
from ludus.players.base import CompiledPlayer, Player, Seat
from ludus.players.names import player
from ludus.players.noisy import _NoisySeat
from ludus.players.search.alphabeta import search, search_deeper
from ludus.players.search.transposition import remembering
from tests.naive.search import Judge, best_moves

CORNER = np.array([120, -20, 20, 5, -20, -40, -5, -5, 20, -5, 15, 3, 5, -5, 3, 3]).reshape(4, 4)
POSITIONAL = np.block([[CORNER, CORNER[:, ::-1]], [CORNER[::-1], CORNER[::-1, ::-1]]]).ravel()


def weighted(position: Position) -> float:
    return float(np.dot(position.cells, POSITIONAL)) * (1 - 2 * position.current_player)


def lead(position: Position) -> float:
    return position.margin * (1 - 2 * position.current_player)


def material(position: Position) -> float:
    worths = {0: 0.0, 1: 1.0, 2: 1.5, -1: -1.0, -2: -1.5}
    return sum(worths[cell] for cell in position.cells.tolist()) * (1 - 2 * position.current_player)


SEARCHES: list[tuple[str, str, int, Judge]] = [
    ("othello8", "{}:depth=2,value=discs", 2, lead),
    ("othello6", "{}:depth=3,value=discs", 3, lead),
    ("othello8", "{}:depth=2,value=positional", 2, weighted),
    ("checkers", "{}:depth=3,value=pieces", 3, material),
    ("go3:komi=0.5", "{}:depth=2,value=area", 2, lead),
    ("go5:komi=0.5", "{}:depth=1,value=area", 1, lead),
]


def some_positions(name: str, count: int) -> list[Position]:
    choice, found = random.Random(name), []
    while len(found) < count:
        position = ludus.game(name).start()
        for _ in range(choice.randrange(60)):
            if position.over:
                break
            position = position.play(choice.choice(position.legal_moves))
        if not position.over:
            found.append(position)
    return found


def picks(one: Player, position: Position, throws: int, seed: int = 1) -> set[str]:
    seat = one.seat()
    names = {move: text for text, move in position.legal.items()}
    return {names[seat.choose(position, stream(seed, "test", i))] for i in range(throws)}


@pytest.mark.parametrize("kind", ["alphabeta", "minimax"])
@pytest.mark.parametrize(("game", "text", "depth", "judge"), SEARCHES, ids=[f"{g} {t}" for g, t, _, _ in SEARCHES])
def test_a_search_makes_the_best_moves(kind: str, game: str, text: str, depth: int, judge: Judge) -> None:
    """Each of them with random ties, and the first of them without."""
    by_lot = player(text.format(kind), ludus.game(game))
    first = player(text.format(kind) + ",ties=first", ludus.game(game))
    for position in some_positions(game, 12):
        best = best_moves(position, depth, judge)
        if len(best) <= 4:
            assert picks(by_lot, position, 60) == best, position.text
        assert picks(first, position, 2) == {next(move for move in position.legal_moves if move in best)}


@pytest.mark.parametrize(
    ("game", "text", "depth", "saves"),
    [
        ("othello8", "alphabeta:value=positional", 6, 2.0),
        ("checkers:moves=40", "alphabeta:value=pieces,extend=captures", 6, 1.1),
        ("go3:komi=0.5", "alphabeta:value=area", 5, 1.0),
    ],
)
def test_a_search_that_remembers_finds_the_same_sooner(game: str, text: str, depth: int, saves: float) -> None:
    """The same move of many that are equally good, and the same value; from one position to the next as in a game.

    A plain search tries moves in the order given; one that remembers begins with shallow searches, too.
    """
    plain, order, most = player(text, ludus.game(game)).parts, random.Random(1), 1 << 40
    rules, spent, found = ludus.game(game).rules, [0, 0], [[], []]
    for position in some_positions(game, 12):
        moves = list(position.legal.values())
        order.shuffle(moves)
        remembers = plain._replace(evaluator=remembering(plain.evaluator, 1 << 14))
        for i, (searched, parts) in enumerate([(search_deeper, plain), (search, remembers)]):
            budget = np.full(1, most, np.int64)
            found[i].append(searched(parts, rules, position.state, np.array(moves), depth, budget))
            spent[i] += most - int(budget[0])
    assert found[0] == found[1]
    assert spent[0] > saves * spent[1]


def test_games_of_searches_that_remember() -> None:
    """Over a game a table fills up with what earlier searches found."""
    game, played = ludus.game("othello6"), []
    parts = player("alphabeta:depth=4,value=discs", game).parts
    for each in (parts, parts._replace(evaluator=remembering(parts.evaluator, 1 << 8))):
        one = CompiledPlayer("searcher", game, each)
        played.append([record.moves for record in match(one, one, 6, record=True).records()])
    assert played[0] == played[1]


def test_a_one_ply_player_looks_at_weights_only() -> None:
    for position in some_positions("othello8", 30):
        values = {move: -weighted(position.play(move)) for move in position.legal_moves}
        best = {move for move, value in values.items() if value == max(values.values())}
        assert picks(player("positional", position.game), position, 40) == best


def test_mobility_and_discs() -> None:
    for position in some_positions("othello6", 10):
        discs = {move: -lead(position.play(move)) for move in position.legal_moves}
        assert picks(player("discs", position.game), position, 1) <= {
            move for move, value in discs.items() if value == max(discs.values())
        }
    start = ludus.game("othello6").start()
    assert picks(player("mobility", start.game), start, 40) == set(start.legal_moves)  # all alike by symmetry


def test_exact_play_solves_4x4_othello() -> None:
    """The second player wins by 11 to 3 when both are perfect."""
    game = ludus.game("othello4")
    perfect = player("alphabeta:depth=1,exact=12", game)
    position, rng, seat = game.start(), stream(1, "test"), perfect.seat()
    while not position.over:
        position = position.play(seat.choose(position, rng))
    assert position.margin == -8


def test_exact_play_against_the_clock() -> None:
    """It looks to the end, however few moves ahead it may look before; and one move ahead, however little its time."""
    position = ludus.game("othello6").position("XXX-O--OXX--OOOXX-OOOXXXOXXXXXO-XXXX O")
    assert picks(player("alphabeta:depth=1", position.game), position, 20) == {"d1"}
    assert picks(player("alphabeta:seconds=0.000001", position.game), position, 20) == {"d1"}
    assert picks(player("alphabeta:depth=1,exact=7", position.game), position, 1) == {"b6"}
    assert picks(player("alphabeta:depth=1,exact=7,seconds=60", position.game), position, 1) == {"b6"}
    # all moves lose, this one by the fewest discs
    position = position.game.position("XXXX---OOXXO--OXXXOOXOXXOOOXXXXOO--O O")
    assert picks(player("alphabeta:depth=1,exact=7,seconds=60", position.game), position, 20) == {"d6"}


def test_searching_deeper_wins() -> None:
    game = ludus.game("othello8")
    deep, shallow = player("alphabeta:depth=4", game), player("alphabeta:depth=1", game)
    assert isinstance(deep, CompiledPlayer)
    assert isinstance(shallow, CompiledPlayer)
    tally = play_out(game, deep.parts, shallow.parts, 60)
    assert tally.wins > 1.5 * tally.losses


def test_noise_is_as_frequent_as_asked() -> None:
    position = ludus.game("othello8").position("-" * 19 + "XO" + "-" * 6 + "OX" + "-" * 6 + "XO" + "-" * 27 + " X")
    game, one = position.game, "heuristic"
    quiet = picks(player(one, game), position, 30)
    assert len(quiet) < len(position.legal_moves)
    seat = player(f"noisy:0.5,{one}", game).seat()
    strange = sum(
        seat.choose(position, stream(2, "t", i)) not in [position.legal[q] for q in quiet] for i in range(2000)
    )
    assert strange / 2000 == pytest.approx(0.5 * (1 - len(quiet) / len(position.legal_moves)), abs=0.05)


def test_who_plays_noisily_is_told_of_the_moves_made_in_its_place() -> None:
    class Listener(Seat):
        def __init__(self) -> None:
            self.heard: list[tuple[str, int]] = []

        def see(self, move: str, mover: int) -> None:
            self.heard.append((move, mover))

        def choose(self, position: ludus.Position, rng: Rng) -> int:
            return position.legal[position.legal_moves[0]]

    position, listener = ludus.game("othello6").start(), Listener()
    made = [_NoisySeat(0.5, listener).choose(position, stream(1, "test", i)) for i in range(40)]
    assert 5 < len(listener.heard) < 35
    assert all(mover == 0 for _, mover in listener.heard)
    strange = [move for move in made if move != position.legal[position.legal_moves[0]]]
    assert strange == [position.legal[move] for move, _ in listener.heard if move != position.legal_moves[0]]


def test_a_search_against_the_clock_sees_a_win() -> None:
    """The one move after which the last man can't move, whatever the machine's speed."""
    position = ludus.game("checkers").position("B:W13:B4,5,6,K15,20,22,28,K30:F24")
    assert picks(player("alphabeta:seconds=0.2", position.game), position, 1) == {"5-9"}


def test_limits_beside_the_clock_are_kept_however_they_are_spaced() -> None:
    game = ludus.game("othello8")
    for space in ("", " "):
        timed = player(f"alphabeta:seconds=1,{space}depth{space}={space}5", game)
        assert timed.parts.depth == 5  # type: ignore[attr-defined]
        timed = player(f"mcts:seconds=1,{space}simulations{space}={space}7", game)
        assert timed.parts.simulations == 7  # type: ignore[attr-defined]


BAD_STRINGS = [
    ("othello8", "nobody", "unknown player 'nobody'"),
    ("othello8", "alphabeta:depth=0", "invalid depth=0: must be a whole number from 1 to 60"),
    ("othello8", "alphabeta:dept=3", "alphabeta has no option 'dept'"),
    ("go9", "alphabeta:exact=9", "invalid exact=9 for go9: only Othello is searched to its end"),
    ("checkers", "minimax:exact=4", "invalid exact=4 for checkers: only Othello is searched to its end"),
    ("othello8", "alphabeta:extend=captures", "invalid extend=captures for othello8: only checkers has forced"),
    ("othello8", "alphabeta:value=jain2018", "the evaluator jain2018 does not play othello8; it plays othello6"),
    ("othello6", "heuristic", "the evaluator heuristic does not play othello6; it plays othello8"),
    ("checkers", "discs", "does not play checkers"),
    ("othello8", "greedy:value=oracle", "unknown evaluator 'oracle'"),
    ("othello8", "random:x=1", "random has no option 'x'; nothing can follow its name"),
    ("othello8", "noisy:2,random", "write noisy:0.1,PLAYER"),
    ("othello8", "noisy:0.1", "write noisy:0.1,PLAYER"),
    ("othello8", "noisy:0.1,nobody", "unknown player 'nobody'"),
    ("othello8", "weights:seed=-1", "invalid seed=-1"),
    ("checkers", "gtp:cat", "can't play checkers"),
    ("go9", "gtp:", "needs a command"),
    ("go9", "gtp:/no/such/program --mode gtp", "/no/such/program"),
    ("go9", "wally:x=1", "wally has no option 'x'"),
    ("othello8", "wally", "wally does not play othello8; it plays go"),
]


@pytest.mark.parametrize(("game", "text", "description"), BAD_STRINGS, ids=[text for _, text, _ in BAD_STRINGS])
def test_bad_player_strings(game: str, text: str, description: str) -> None:
    with pytest.raises(ludus.LudusError, match=description):
        player(text, ludus.game(game))
