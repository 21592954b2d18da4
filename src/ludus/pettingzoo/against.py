"""A Gymnasium environment in which one of our players is the opponent."""

from typing import Any

import gymnasium
from numpy.typing import NDArray

from ludus.dice import key, throw
from ludus.dice import stream as dice_of
from ludus.pettingzoo.environment import AGENTS, Environment
from ludus.players.strings import player as find_player

Observation = dict[str, NDArray[Any]]


class Against(gymnasium.Env[Observation, int]):  # type: ignore[misc]
    """Games of one agent against a player that a player string names.

    `side` says whom the agent plays: 0 begins, 1 does not, None alternates from game to game. The reward is 1, 0 or -1
    when the game is over; an illegal action loses it. The seed decides the opponent's dice.
    """

    def __init__(self, environment: Environment, opponent: str, side: int | None = 0) -> None:
        self._inner, self._player = environment, find_player(opponent, environment.game)
        self._side, self._games, self._seed = side, 0, 1
        self._seat, self._dice = self._player.seat(), dice_of(1, "against")
        self.observation_space = environment.observation_space(AGENTS[0])
        self.action_space = environment.action_space(AGENTS[0])
        self.render_mode = environment.render_mode
        self.metadata = environment.metadata

    @property
    def agent(self) -> str:
        """Whom the agent plays in this game."""
        return AGENTS[self._games % 2 if self._side is None else self._side]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        if seed is not None:
            self._seed, self._games = seed, 0
        else:
            self._games += 1
        throw(self._dice, key(self._seed, "against"), self._games)
        self._inner.reset(seed)
        self._seat.begin(self._inner.position, ())
        self._reply()
        return self._inner.observe(self.agent), {}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        before, moves = self._inner.position, self._inner.legal()
        if int(action) not in moves:
            return self._inner.observe(self.agent), -1.0, True, False, {"illegal": int(action)}
        self._inner.step(int(action))
        if (move := moves.get(int(action))) is not None:
            self._seat.see(next(text for text, each in before.legal.items() if each == move), before.mover)
            self._reply()
        over = self._inner.position.over
        reward = self._inner.rewards[self.agent] if over else 0.0
        return self._inner.observe(self.agent), reward, over, False, {}

    def render(self) -> Any:
        return self._inner.render()

    def close(self) -> None:
        self._seat.close()

    def _reply(self) -> None:
        """Let the opponent move until it is the agent's turn."""
        while not self._inner.position.over and self._inner.agent_selection != self.agent:
            self._inner.play(self._seat.choose(self._inner.position, self._dice))


def against(environment: Environment, opponent: str, side: int | None = 0) -> Against:
    """The environment (a `raw_env`) with a player of ours as the opponent."""
    return Against(environment, opponent, side)
