"""OpenSpiel's bots as our players, and our players as its bots. Needs the package open_spiel.

OpenSpiel numbers the moves of Othello (8x8) and Go as we do. In checkers it makes one step or jump at a time, and the
same side moves on until its capture is complete.

A bot receives moves, not positions, so it has to follow a game from its start. OpenSpiel's rules differ in three
points: its Go ends when a position comes back, which our superko bars, so a bot that brings one back forfeits the game;
its Go ends after two moves for each point; its checkers are drawn after 40 moves without a capture or a move of a man.
Where its game is over and ours goes on, the bot makes the first legal move.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ludus.compile.rng import Rng, randint, stream
from ludus.errors import IllegalMove, InvalidPosition, MissingDependency, UnknownName, WrongGame
from ludus.games.game import Game, Option, Position
from ludus.players.base import Player, PlayerKind, Seat
from ludus.players.engines.process import ILLEGAL_MOVE, Forfeit
from ludus.players.names import settings


def pyspiel() -> Any:
    """The package; raises MissingDependency without it."""
    try:
        import pyspiel as package
    except ImportError as problem:
        raise MissingDependency.extra("OpenSpiel's bots need the package open_spiel", "openspiel") from problem
    return package


def spiel_game(game: Game) -> Any:
    """OpenSpiel's own form of a game of ours."""
    names = {"othello8": "othello", "checkers": "checkers", "go": f"go(board_size={game.size},komi={_komi(game)})"}
    return pyspiel().load_game(game.choice("OpenSpiel", names))


def _komi(game: Game) -> float:
    return float(getattr(game.rules, "komi", 0.0))


def apply(state: Any, position: Position, move: str) -> None:
    """Make a move of ours, legal in `position`, in OpenSpiel's state."""
    if position.game.type.name != "checkers":
        state.apply_action(position.legal[move])
        return
    squares = [int(each) for each in re.split("[-x]", move)]
    for wanted in pairwise(squares):
        mover = state.current_player()
        state.apply_action(
            next(each for each in state.legal_actions() if _ends(state.action_to_string(mover, each)) == wanted)
        )


def moves_of(game: Game, state: Any) -> list[str]:
    """The moves of ours that have led to OpenSpiel's state, which is not in the middle of a capture.

    Raises IllegalMove if our rules bar one of them.
    """
    position, moves, here, steps = (
        game.start(),
        list[str](),
        spiel_game(game).new_initial_state(),
        list[tuple[int, int]](),
    )
    for action in state.history():
        mover = here.current_player()
        if game.type.name == "checkers":
            steps.append(_ends(here.action_to_string(mover, action)))
        here.apply_action(action)
        if game.type.name == "checkers":
            if not here.is_terminal() and here.current_player() == mover:
                continue  # the capture goes on
            route, steps = [steps[0][0], *(end for _, end in steps)], []
            move = next(
                text for text in position.legal_moves if [int(each) for each in re.split("[-x]", text)] == route
            )
        else:
            move = next((text for text, number in position.legal.items() if number == action), "")
            if not move:
                raise IllegalMove(
                    f"OpenSpiel's move {here.action_to_string(mover, action)} is not legal here in {game.name}; a "
                    "position that comes back ends its games"
                )
        position = position.play(move)
        moves.append(move)
    return moves


def _ends(text: str) -> tuple[int, int]:
    """The squares, counted from 1, of a step such as `a3b4`; OpenSpiel's first player is at the bottom."""
    start, end = (4 * (int(spot[1]) - 1) + (7 - "abcdefgh".index(spot[0])) // 2 + 1 for spot in (text[:2], text[2:4]))
    return start, end


MakeBot = Callable[[Any, int, int], Any]
"""Makes a `pyspiel.Bot` for OpenSpiel's game, the player it is (0 or 1) and a seed."""


@dataclass(frozen=True, repr=False, eq=False)
class SpielPlayer(Player):
    """A bot of OpenSpiel's as our player."""

    make: MakeBot

    def seat(self) -> Seat:
        return _SpielSeat(self)


class _SpielSeat(Seat):
    def __init__(self, player: SpielPlayer) -> None:
        self._player, self._theirs = player, spiel_game(player.game)
        self._bots: dict[int, Any] = {}

    def begin(self, position: Position, moves: Sequence[str]) -> None:
        here, self._state = self._player.game.start(), self._theirs.new_initial_state()
        for move in moves:
            apply(self._state, here, move)
            here = here.play(move)
        if here != position:
            raise InvalidPosition(f"OpenSpiel's bots follow games from their start only, not from {position.text}")
        self._position, self._bots = here, {}

    def see(self, move: str, mover: int) -> None:
        if not self._state.is_terminal():
            apply(self._state, self._position, move)
        self._position = self._position.play(move)

    def choose(self, position: Position, rng: Rng) -> int:
        mover = position.current_player
        if self._state.is_terminal():
            move = position.legal_moves[0]
        else:
            if mover not in self._bots:
                self._bots[mover] = self._player.make(self._theirs, mover, randint(rng, 1 << 31))
            move = self._chosen(mover)
        self.see(move, mover)
        return position.legal[move]

    def _chosen(self, mover: int) -> str:
        """Whole moves that the bot makes, jump by jump in checkers."""
        after = self._state.clone()
        while True:
            after.apply_action(self._bots[mover].step(after))
            if after.is_terminal() or after.current_player() != mover or self._player.game.type.name != "checkers":
                break
        try:
            return moves_of(self._player.game, after)[-1]
        except IllegalMove as barred:
            raise Forfeit(ILLEGAL_MOVE) from barred


def bot(player: Player, seed: int = 1) -> Any:
    """Our player as a `pyspiel.Bot` for OpenSpiel's form of its game."""

    class Bot(pyspiel().Bot):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self._seat, self._rng, self._rest = player.seat(), stream(seed, "openspiel"), list[int]()

        def step(self, state: Any) -> int:
            if not self._rest:
                moves = moves_of(player.game, state)
                position = player.game.start()
                for move in moves:
                    position = position.play(move)
                self._seat.begin(position, moves)
                chosen = self._seat.choose(position, self._rng)
                move = next(text for text, number in position.legal.items() if number == chosen)
                after = state.clone()
                apply(after, position, move)
                self._rest = list(after.history()[len(state.history()) :])
            return self._rest.pop(0)

        def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
            action = self.step(state)
            return [(action, 1.0)], action

        def restart(self) -> None:
            self._rest = []

        def provides_policy(self) -> bool:
            return False

        def provides_force_action(self) -> bool:
            return False

    return Bot()


OPTIONS = (
    Option("simulations", 100, "of MCTS for each move", low=1, high=10**7),
    Option("uct", 2.0, "how much MCTS explores", low=0.01, high=1000),
)


def _make(text: str, game: Game, arguments: str) -> SpielPlayer:
    name, _, rest = arguments.partition(",")
    spiel_game(game)  # raises now if OpenSpiel doesn't play this game
    if getattr(game.rules, "restricted", False):
        raise WrongGame(f"OpenSpiel does not know the rules of {game.name}; name the game without rules=")
    chosen = settings("openspiel", rest, OPTIONS)

    def mcts(theirs: Any, mover: int, seed: int) -> Any:
        judge = pyspiel().RandomRolloutEvaluator(1, seed)
        return pyspiel().MCTSBot(theirs, judge, chosen["uct"], chosen["simulations"], 200, True, seed, False)

    makers: dict[str, MakeBot] = {
        "mcts": mcts,
        "random": lambda theirs, mover, seed: pyspiel().make_uniform_random_bot(mover, seed),
    }
    if name not in makers:
        raise UnknownName(
            f"unknown player {text!r}; OpenSpiel's players: openspiel:mcts,simulations=100, openspiel:random"
        )
    return SpielPlayer(text, game, makers[name])


PLAYERS = (
    PlayerKind("openspiel", "OpenSpiel's MCTS or random bot", "openspiel:mcts,simulations=100", _make, options=OPTIONS),
)
