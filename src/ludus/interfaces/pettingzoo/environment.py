"""A game as an AEC environment: agents `player_0`, who begins, and `player_1`.

An observation has planes [rows, columns, planes] of 0 and 1, the agent's own pieces first, and `action_mask`, which is
1 for each action that is legal for the agent whose turn it is, and 0 everywhere for the other.

Actions of Othello and Go are squares in our order (rows from the top in Othello, from the bottom in Go), and after them
the pass. In checkers an action is one step or jump: four times the square it starts from (0 to 31) plus its direction
(0 down-left, 1 down-right, 2 up-right, 3 up-left). A capture of several pieces is several actions, during which the
same agent stays on turn and a plane marks its piece.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ludus.errors import IllegalMove
from ludus.games.checkers import STEPS, bit_of, square_of
from ludus.games.game import Game, Position

AGENTS = ("player_0", "player_1")


class Actions:
    """The numbers of actions in a game whose moves are on one square: squares, then the pass."""

    def __init__(self, game: Game) -> None:
        self.game, self.count, self.planes = game, game.squares + 1, 2

    def legal(self, position: Position, begun: int) -> dict[int, int | None]:
        """The move that each legal action completes; None if the move goes on after it."""
        return {move: move for move in position.legal.values()}

    def marked(self, position: Position, begun: int) -> int:
        """The square of a piece in the middle of its move, or -1."""
        return -1

    def after(self, action: int, begun: int) -> int:
        """The unfinished move after an action that does not complete it."""
        return 0


class CheckersActions(Actions):
    """One step or jump at a time. An unfinished move (`begun`) is encoded as moves are: start, jumps, directions."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.count, self.planes = 4 * game.squares, 5

    def legal(self, position: Position, begun: int) -> dict[int, int | None]:
        found: dict[int, int | None] = {}
        for move in position.legal.values():
            jumps, done = (move >> 6) & 15, (begun >> 6) & 15
            if begun and not self._continues(move, begun):
                continue
            action = 4 * self._square(move, done) + ((move >> (10 + 2 * done)) & 3)
            found[action] = move if done + 1 >= jumps else None
        return found

    def marked(self, position: Position, begun: int) -> int:
        return self._square(begun, (begun >> 6) & 15) if begun else -1

    def after(self, action: int, begun: int) -> int:
        done = (begun >> 6) & 15
        start = begun & 63 if begun else bit_of(action // 4)
        route = (begun >> 10) | ((action & 3) << (2 * done))
        return start | ((done + 1) << 6) | (route << 10)

    @staticmethod
    def _continues(move: int, begun: int) -> bool:
        done = (begun >> 6) & 15
        same_route = (move >> 10) & ((1 << (2 * done)) - 1) == begun >> 10
        return move & 63 == begun & 63 and (move >> 6) & 15 > done and same_route

    @staticmethod
    def _square(move: int, done: int) -> int:
        """Where the piece is after so many jumps of the move."""
        place = move & 63
        for i in range(done):
            place += 2 * STEPS[(move >> (10 + 2 * i)) & 3]
        return square_of(place)


class Environment(AECEnv):  # type: ignore[misc]
    """A game as an AEC environment."""

    def __init__(self, name: str, game: Game, actions: Actions, render_mode: str | None = None) -> None:
        super().__init__()
        self.metadata = {"name": name, "render_modes": ["ansi", "human"], "is_parallelizable": False, "render_fps": 1}
        self.game, self.actions, self.render_mode = game, actions, render_mode
        self.possible_agents = list(AGENTS)
        self._places = np.array(game.coordinates)
        self._observed = Dict(
            {
                "observation": Box(0, 1, (*game.shape, actions.planes), np.int8),
                "action_mask": Box(0, 1, (actions.count,), np.int8),
            }
        )
        self._acted = {agent: Discrete(actions.count) for agent in AGENTS}

    def observation_space(self, agent: str) -> Any:
        return self._observed

    def action_space(self, agent: str) -> Any:
        return self._acted[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game. Nothing in it is random, so only the action spaces use the seed."""
        if seed is not None:
            for number, space in enumerate(self._acted.values()):
                space.seed(seed + number)
        self.agents = list(AGENTS)
        self.position, self._begun = self.game.start(), 0
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: dict[str, Any]() for agent in AGENTS}
        self.agent_selection = AGENTS[self.position.current_player]

    def observe(self, agent: str) -> dict[str, NDArray[np.int8]]:
        side = AGENTS.index(agent)
        cells = self.position.cells * (1 - 2 * side)
        shown = np.zeros(self._observed["observation"].shape, np.int8)
        kinds = (1, -1) if self.actions.planes == 2 else (1, 2, -1, -2)
        for plane, kind in enumerate(kinds):
            there = self._places[cells == kind]
            shown[there[:, 0], there[:, 1], plane] = 1
        if (marked := self.actions.marked(self.position, self._begun)) >= 0:
            shown[(*self._places[marked], -1)] = 1
        mask = np.zeros(self.actions.count, np.int8)
        if agent == self.agent_selection and not self.position.over:
            mask[list(self.legal())] = 1
        return {"observation": shown, "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        legal = self.legal()
        if action is None or int(action) not in legal:
            raise IllegalMove(f"action {action} is not legal for {agent}; legal actions: {sorted(legal)}")
        move = legal[int(action)]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        if move is None:
            self._begun = self.actions.after(int(action), self._begun)
        else:
            self.play(move)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def legal(self) -> dict[int, int | None]:
        """The number of the move that each legal action completes; None if the move goes on after it."""
        return self.actions.legal(self.position, self._begun)

    def play(self, move: int) -> None:
        """Make a whole move, given by its number, for the agent whose turn it is."""
        self.position, self._begun = self.position.play(move), 0
        if self.position.outcome is not None:
            won = 2 * self.position.outcome - 1
            self.rewards = {AGENTS[0]: won, AGENTS[1]: -won}
            self.terminations = dict.fromkeys(AGENTS, True)
        self.agent_selection = AGENTS[self.position.current_player]

    def render(self) -> str | None:
        text = str(self.position)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """There is nothing to close."""


def wrapped(raw: Callable[..., Environment]) -> Callable[..., Any]:
    """`env` from `raw_env`: with PettingZoo's own checks of how it is used."""

    def env(**arguments: Any) -> Any:
        return wrappers.OrderEnforcingWrapper(
            wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(raw(**arguments), illegal_reward=-1))
        )

    return env
