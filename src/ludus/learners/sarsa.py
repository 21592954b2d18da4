"""Sarsa(lambda) against an opponent: what its learners have in common, and the games that they learn from.

Abramson and Wechsler (2001), "Competitive Reinforcement Learning for Combinatorial Problems", sections 4 and 5. After
each of its moves the learner is surprised by the difference between what that move is worth to it, discounted, and
what its move before was; at the end of the game, by the difference between the reward and its last move's worth. All
its moves of the game so far learn from a surprise, the older ones the less.

A learner plays one opponent for some games and is then tested against the same in games without learning.

Where we decided, since the paper is silent or does not say it all:

- lambda is not readable in the paper; 0.8. Training lasts 2,000 games, with a test every 50.
- The reward is the lead at the end as a part of the greatest there is: of the board, in checkers of twelve pieces.
- Learning from the opponent's moves, which the paper mentions, sees its positions with the colours exchanged, as if its
  move were the only one there is, and its reward is the learner's with the sign turned. It is off by default.
- A position to start from is given in the game's own text. Whoever moves there moves first.
"""

from typing import Any, Generic, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ludus import vocabulary as words
from ludus.dice import key, throw
from ludus.errors import LudusError
from ludus.games.game import Game
from ludus.kernels import kernel
from ludus.learners.learner import Learner, Row, Settings
from ludus.players.player import CompiledPlayer
from ludus.players.strings import player
from ludus.vocabulary import word


class SarsaSettings(Settings):
    games: int = Field(2000, ge=1, le=10**9, description="games in all (not readable in the paper)")
    opponent: str = Field(
        "usual", description="whom to play and to be tested against (section 5: influence, wally); usual is wally in Go"
    )
    side: Literal["first", "second", "both"] = Field(
        "first", description="which side to play (section 5: Black, who is first); both in turn"
    )
    start: str = Field("", description="the position in which games begin, in the game's text; the usual one if empty")
    alpha: float = Field(0.09, gt=0, le=1, description="learning rate at first (section 5)")
    gamma: float = Field(0.9, ge=0, le=1, description="discount of what comes a move later (section 5)")
    decay: float = Field(
        0.8, ge=0, le=1, description="lambda: how far surprises reach back (its value is missing in the paper)"
    )
    exploration: float = Field(
        0.09,
        ge=0,
        le=10,
        description="how much a choice is left to chance in the first game; less by the root of games",
    )
    from_opponent: bool = Field(False, description="also learn from the opponent's moves (section 4)")
    step_games: int = Field(50, ge=1, le=10_000, description="games between two tests (not said)")
    test_games: int = Field(5, ge=1, le=10_000, description="games of a test, without learning (section 5)")


class Terms(NamedTuple):
    """The settings that the games are played by, as kernels know them."""

    gamma: float
    exploration: float
    side: int  # 0 first, 1 second, 2 both in turn
    from_opponent: bool
    most: float  # the lead that has a reward of 1


@word
def forget(pupil: Any) -> Any:
    """A new game begins."""


@word
def decide(pupil: Any, game: Any, state: Any, moves: Any, n: Any, noise: Any, dice: Any) -> Any:
    """The move that the pupil makes, and the utility it expects. A move of the opponent is the only one to choose."""


@word
def note(pupil: Any, who: Any) -> Any:
    """Remember the move just decided on as the latest in the learner's line of moves (0) or the opponent's (1)."""


@word
def expected(pupil: Any, who: Any) -> Any:
    """What the latest move of a line is worth by now."""


@word
def learn(pupil: Any, who: Any, surprise: Any, games: Any) -> Any:
    """Let all moves of a line learn from a surprise; `games` is how many games have been played, this one included."""


# each so much work that a call costs nothing beside it, while compiling them into every caller would take long


@kernel
def _listed(game, state, moves):
    return words.moves(game, state, moves)


@kernel
def _after(game, state, move):
    return words.play(game, state, move)


@kernel
def _chosen(player, game, state, moves, n, dice):
    return words.choose(player, game, state, moves, n, dice)


@kernel
def lessons(game, start, pupil, opponent, terms, seed, begin, games):
    """Play and learn from `games` games; return the mean part of the board lost, and the mean size of a surprise."""
    moves, dice = np.empty(words.width(game), np.int64), np.empty(4, np.uint64)
    lost, surprises, learned = 0.0, 0.0, 0
    lengths, single = np.empty(2, np.int64), np.empty(1, np.int64)
    for index in range(begin, begin + games):
        throw(dice, seed, index)
        forget(pupil)
        lengths[:] = 0
        side = index % 2 if terms.side == 2 else terms.side
        noise = terms.exploration / np.sqrt(index + 1.0)
        state = words.detached(game, start)
        while True:
            n = _listed(game, state, moves)
            if n == 0:
                break
            who = 0 if words.mover(game, state) == side else 1
            choice, count, chance = moves, n, noise
            if who == 1:
                single[0] = _chosen(opponent, game, state, moves, n, dice)
                choice, count, chance = single, 1, 0.0
            move = choice[0]
            if who == 0 or terms.from_opponent:
                move, worth = decide(pupil, game, state, choice, count, chance, dice)
                if lengths[who] > 0:
                    surprise = terms.gamma * worth - expected(pupil, who)
                    learn(pupil, who, surprise, index + 1)
                    surprises += abs(surprise)
                    learned += 1
                note(pupil, who)
                lengths[who] += 1
            state = _after(game, state, move)
        reward = words.margin(game, state) / terms.most
        if side == 1:
            reward = -reward
        for who in range(2):
            if lengths[who] > 0:
                surprise = (reward if who == 0 else -reward) - expected(pupil, who)
                learn(pupil, who, surprise, index + 1)
                surprises += abs(surprise)
                learned += 1
        lost -= reward
    return lost / games, surprises / max(learned, 1)


@kernel
def play_from(game, start, player, opponent, side, most, seed, begin, lost):
    """Play games without learning, as many as `lost` has room for; write the part of the board lost in each."""
    moves, dice = np.empty(words.width(game), np.int64), np.empty(4, np.uint64)
    for i in range(len(lost)):
        throw(dice, seed, begin + i)
        ours = (begin + i) % 2 if side == 2 else side
        state = words.detached(game, start)
        while True:
            n = _listed(game, state, moves)
            if n == 0:
                break
            if words.mover(game, state) == ours:
                move = _chosen(player, game, state, moves, n, dice)
            else:
                move = _chosen(opponent, game, state, moves, n, dice)
            state = _after(game, state, move)
        lead = words.margin(game, state) / most
        lost[i] = lead if ours == 1 else -lead


def territory_lost(
    ours: CompiledPlayer, theirs: CompiledPlayer, games: int, *, start: str = "", side: str = "first", seed: int = 1
) -> NDArray[np.float64]:
    """The part of the board lost to `theirs` in each game: [games], below 0 where `ours` leads."""
    game, lost = ours.game, np.empty(games)
    begin = game.position(start) if start else game.start()
    sides = ("first", "second", "both").index(side)
    most = game.family.greatest_lead(game.rules)
    play_from(game.rules, begin.state, ours.parts, theirs.parts, sides, most, key(seed, "territory"), 0, lost)
    return lost


Chosen = TypeVar("Chosen", bound=SarsaSettings)
State = TypeVar("State", bound=tuple[Any, ...])


class Sarsa(Learner[Chosen, State], Generic[Chosen, State]):
    """What both learners do alike. Their states count their `games`."""

    def opponent(self, settings: Chosen, game: Game) -> Any:
        """The parts of the opponent."""
        usual = "wally" if game.family.name == "go" else "greedy"
        found = player(usual if settings.opponent == "usual" else settings.opponent, game)
        if not isinstance(found, CompiledPlayer):
            raise LudusError(f"{found.name} is too slow to learn from; choose an opponent such as {usual}")
        return found.parts

    def begin(self, settings: Chosen, game: Game) -> Any:
        """The state in which games begin."""
        position = game.position(settings.start) if settings.start else game.start()
        if position.over:
            raise LudusError(f"start={settings.start} is the end of a game, from which nothing can be learned")
        return position.state

    def round(self, settings: Chosen, game: Game, seed: int, pupil: Any, plays: Any, played: int) -> Row:
        """Let the pupil learn from some games, of which there have been `played`, and test the player that it is."""
        begin, opponent = self.begin(settings, game), self.opponent(settings, game)
        games = min(settings.step_games, settings.games - played)
        side = ("first", "second", "both").index(settings.side)
        most = game.family.greatest_lead(game.rules)
        terms = Terms(settings.gamma, settings.exploration, side, settings.from_opponent, most)
        seeds = key(seed, f"{self.name} games"), key(seed, f"{self.name} tests")
        lost, surprise = lessons(game.rules, begin, pupil, opponent, terms, seeds[0], played, games)
        tested = np.empty(settings.test_games)
        number = played // settings.step_games * settings.test_games
        play_from(game.rules, begin, plays, opponent, side, terms.most, seeds[1], number, tested)
        return {
            "games": played + games,
            "lost": float(tested.mean()),
            "lost_in_training": float(lost),
            "surprise": float(surprise),
        }
