"""Sarsa(lambda) against an opponent: what its learners have in common, and the games that they learn from.

Abramson and Wechsler (2001), "Competitive Reinforcement Learning for Combinatorial Problems", sections 4 and 5. An
episode is a game. The TD error of a move is the discounted value of the learner's next move less its own value, or, at
the end of the game, the reward less the value of the last move. All moves of the game so far learn from a TD error, the
older ones the less: their eligibility traces decay.

A learner plays one opponent for some games and is then tested against the same opponent in games without learning.

Where we decided, since the paper is silent or does not say it all:

- lambda is not readable in the paper; 0.8. Training lasts 2,000 games, with a test every 50.
- The reward is the lead at the end as a part of the greatest there is: of the board, in checkers of twelve pieces. In
  Go the lead includes komi, so with komi a reward may lie somewhat beyond -1 and 1; the paper has none.
- Learning from the opponent's moves, which the paper mentions, sees its positions with the colours exchanged, as if its
  move were the only legal one, and its reward is minus the learner's. It is off by default.
- A move that is the only legal one, such as a pass in Go by the paper's rules, is no decision: it is made, but has no
  place in the trajectory. It neither learns nor lets traces decay, so a game that ends in a row of passes teaches the
  stones before them. The paper names no pass among what is learned. `from_forced` is the other reading, in which
  forced moves are steps of the episode like any other.
- A position to start from is written in the game's own text. Whoever moves there moves first.
"""

from typing import Any, Generic, Literal, NamedTuple, TypeVar

import numpy as np
from pydantic import Field

from ludus.compile.arrays import empty
from ludus.compile.generic import generic
from ludus.compile.jit import keep_alive, kernel, without_refcount
from ludus.compile.rng import key, seek
from ludus.errors import InvalidSetting
from ludus.games import protocol
from ludus.games.game import Game
from ludus.learners.base import Episodes, Learner, Row, Settings
from ludus.play.positions import Series, after_move, choose_move, list_moves, play_from
from ludus.players.base import CompiledPlayer
from ludus.players.names import player
from ludus.players.protocol import with_fresh_memory


class SarsaSettings(Settings):
    games: int = Field(2000, ge=1, le=10**9, description="training games in all (not readable in the paper)")
    opponent: str = Field(
        "usual", description="opponent in training and tests (section 5: influence, wally); usual is wally in Go"
    )
    side: Literal["first", "second", "both"] = Field(
        "first", description="side to play (section 5: Black, who is first); both takes turns"
    )
    start: str = Field("", description="initial position of games, in the game's text; the usual one if empty")
    alpha: float = Field(
        0.09, gt=0, le=1, description="initial learning rate (section 5)", json_schema_extra={"scale": "log"}
    )
    gamma: float = Field(0.9, ge=0, le=1, description="discount of the value of the next move (section 5)")
    decay: float = Field(
        0.8,
        ge=0,
        le=1,
        description="lambda: how far TD errors reach back (its value is missing in the paper)",
        json_schema_extra={"scale": "linear"},
    )
    exploration: float = Field(
        0.09,
        ge=0,
        le=10,
        description="exploration in the first game; it falls with the square root of the number of games",
        json_schema_extra={"scale": "log"},
    )
    from_opponent: bool = Field(False, description="also learn from the opponent's moves (section 4)")
    from_forced: bool = Field(
        False, description="also learn from moves that are the only legal one, such as forced passes (not said)"
    )
    step_games: int = Field(50, ge=1, le=10_000, description="games between two tests (not said)")
    test_games: int = Field(5, ge=1, le=10_000, description="games of a test, without learning (section 5)")


class SarsaParameters(NamedTuple):
    """The settings of training, as kernels know them."""

    gamma: float
    exploration: float
    side: int  # 0 first, 1 second, 2 both in turn
    from_opponent: bool
    from_forced: bool
    max_margin: float  # the lead that has a reward of 1


# an agent is what learns within a kernel. It has two trajectories of an episode: 0 is its own moves, 1 the opponent's


@generic
def begin_episode(agent: Any) -> Any:
    """Forget the trajectories of the last episode."""


@generic
def select_move(agent: Any, game: Any, state: Any, moves: Any, n: Any, noise: Any, rng: Any) -> Any:
    """The move that the agent makes among `moves[:n]`, and its value Q. A move of the opponent is the only choice.

    Unless forced moves are learned from, it is asked only where there is a choice.
    """


@generic
def append_move(agent: Any, trajectory: Any) -> Any:
    """Append the move just selected to a trajectory."""


@generic
def latest_value(agent: Any, trajectory: Any) -> Any:
    """The present value Q of the latest move of a trajectory."""


@generic
def apply_td_error(agent: Any, trajectory: Any, td_error: Any, games: Any) -> Any:
    """Update the values of all moves of a trajectory, by their eligibility; `games` counts episodes with this one."""


@kernel
def train_episodes(
    game: Any, start: Any, agent: Any, opponent: Any, parameters: SarsaParameters, episodes: Episodes
) -> tuple[float, float]:
    """Play games from `start` and learn from them: the mean part of the board lost, and the mean absolute TD error."""
    game, agent, opponent = without_refcount(game), without_refcount(agent), without_refcount(opponent)
    moves, rng = empty(protocol.max_legal_moves(game), np.int64), empty(4, np.uint64)
    lost, td_errors, updates = 0.0, 0.0, 0
    lengths, single = empty(2, np.int64), empty(1, np.int64)
    for index in range(episodes.first, episodes.first + episodes.games):
        seek(rng, episodes.key, index)
        begin_episode(agent)
        lengths[:] = 0
        side = index % 2 if parameters.side == 2 else parameters.side
        exploration = parameters.exploration / np.sqrt(index + 1.0)
        owners = protocol.copy_state(game, start), with_fresh_memory(opponent, game)
        state, rival = without_refcount(owners)
        while True:
            n = list_moves(game, state, moves)
            if n == 0:
                break
            trajectory = 0 if protocol.current_player(game, state) == side else 1
            choice, count, noise = moves, n, exploration
            if trajectory == 1:
                single[0] = choose_move(rival, game, state, moves, n, rng)
                choice, count, noise = single, 1, 0.0
            move = choice[0]
            if (n > 1 or parameters.from_forced) and (trajectory == 0 or parameters.from_opponent):
                move, value = select_move(agent, game, state, choice, count, noise, rng)
                if lengths[trajectory] > 0:
                    td_error = parameters.gamma * value - latest_value(agent, trajectory)
                    apply_td_error(agent, trajectory, td_error, index + 1)
                    td_errors += abs(td_error)
                    updates += 1
                append_move(agent, trajectory)
                lengths[trajectory] += 1
            state = after_move(game, state, move)
        reward = protocol.margin(game, state) / parameters.max_margin
        if side == 1:
            reward = -reward
        for trajectory in range(2):
            if lengths[trajectory] > 0:
                td_error = (reward if trajectory == 0 else -reward) - latest_value(agent, trajectory)
                apply_td_error(agent, trajectory, td_error, index + 1)
                td_errors += abs(td_error)
                updates += 1
        lost -= reward
        keep_alive(owners)
    return lost / episodes.games, td_errors / max(updates, 1)


SettingsT = TypeVar("SettingsT", bound=SarsaSettings)
StateT = TypeVar("StateT", bound=tuple[Any, ...])


class Sarsa(Learner[SettingsT, StateT], Generic[SettingsT, StateT]):
    """What both learners have in common. Their states count their `games`."""

    usual_game = "go5:komi=0,rules=abramson2001"
    curve_opponent = "wally"

    def opponent(self, settings: SettingsT, game: Game) -> Any:
        """The parts of the opponent."""
        usual = game.defaults.training_opponent
        named = player(usual if settings.opponent == "usual" else settings.opponent, game)
        if not isinstance(named, CompiledPlayer):
            raise InvalidSetting(
                f"invalid opponent={settings.opponent} for {self.name}: it is too slow to learn against; use a "
                f"compiled player such as {usual}"
            )
        return named.parts

    def start_state(self, settings: SettingsT, game: Game) -> Any:
        """The state of the game in which episodes begin."""
        position = game.position(settings.start) if settings.start else game.start()
        if position.over:
            raise InvalidSetting(f"invalid start={settings.start} for {self.name}: the game is over in this position")
        return position.state

    def train_and_test(self, settings: SettingsT, game: Game, seed: int, agent: Any, player: Any, played: int) -> Row:
        """Let the agent learn from the next games, of which there have been `played`, and test it as a player."""
        start, opponent = self.start_state(settings, game), self.opponent(settings, game)
        games = min(settings.step_games, settings.games - played)
        side = ("first", "second", "both").index(settings.side)
        max_margin = game.type.max_margin(game.rules)
        parameters = SarsaParameters(
            settings.gamma, settings.exploration, side, settings.from_opponent, settings.from_forced, max_margin
        )
        episodes = Episodes(key(seed, f"{self.name} games"), played, games)
        lost, td_error = train_episodes(game.rules, start, agent, opponent, parameters, episodes)
        tested, first = np.empty(settings.test_games), played // settings.step_games * settings.test_games
        tests = Series(side, max_margin, key(seed, f"{self.name} tests"), first)
        play_from(game.rules, start, player, opponent, tests, tested)
        return {
            "games": played + games,
            "lost": float(tested.mean()),
            "lost_in_training": float(lost),
            "td_error": float(td_error),
        }
