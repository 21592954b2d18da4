"""A Gymnasium environment: one agent, with a player of Ludus as its opponent.

    from ludus.interfaces.gymnasium import OpponentEnv
    from ludus.interfaces.pettingzoo import othello_v0

    env = OpponentEnv(othello_v0.raw_env(size=6), "alphabeta:depth=2")

Gymnasium comes with PettingZoo, which the extra `pettingzoo` installs.
"""

from collections.abc import Callable
from typing import Any

import gymnasium
from numpy.typing import NDArray

from ludus.compile.rng import key, seek, stream
from ludus.interfaces.pettingzoo.environment import AGENTS, Environment
from ludus.players.engines.process import Forfeit
from ludus.players.names import player

Observation = dict[str, NDArray[Any]]


class OpponentEnv(gymnasium.Env[Observation, int]):  # type: ignore[misc]
    """Games of one agent against the player that a player string names.

    `environment` is a PettingZoo `raw_env` and says how moves and boards are encoded. `side` is the side that the agent
    plays: 0 moves first, 1 second, None alternates from game to game. The reward is 1, 0 or -1 at the end of the game;
    an illegal action loses. An engine as the opponent loses if it fails or resigns, and `info` has the reason as
    `forfeit`. The seed decides the opponent's random choices.
    """

    def __init__(self, environment: Environment, opponent: str, side: int | None = 0) -> None:
        self._inner = environment
        self._side, self._games, self._seed, self._forfeit = side, 0, 1, ""
        self._seat, self._rng = player(opponent, environment.game).seat(), stream(1, "against")
        self.observation_space = environment.observation_space(AGENTS[0])
        self.action_space = environment.action_space(AGENTS[0])
        self.render_mode = environment.render_mode
        self.metadata = environment.metadata

    @property
    def agent(self) -> str:
        """The side that the agent plays in this game, by its name in the PettingZoo environment."""
        return AGENTS[self._games % 2 if self._side is None else self._side]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        if seed is not None:
            self._seed, self._games = seed, 0
        else:
            self._games += 1
        seek(self._rng, key(self._seed, "against"), self._games)
        self._inner.reset(seed)
        self._forfeit = ""
        self._continue(lambda: self._seat.begin(self._inner.position, ()))
        return self._inner.observe(self.agent), {}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if self._forfeit:  # before the agent's first move
            return self._lost_by_the_opponent()
        before, moves = self._inner.position, self._inner.legal()
        if int(action) not in moves:
            return self._inner.observe(self.agent), -1.0, True, False, {"illegal": int(action)}
        self._inner.step(int(action))
        if (move := moves.get(int(action))) is not None:
            text = next(text for text, each in before.legal.items() if each == move)
            self._continue(lambda: self._seat.see(text, before.current_player))
        over = self._inner.position.over
        if self._forfeit and not over:
            return self._lost_by_the_opponent()
        reward = self._inner.rewards[self.agent] if over else 0.0
        return self._inner.observe(self.agent), reward, over, False, {}

    def render(self) -> Any:
        return self._inner.render()

    def close(self) -> None:
        self._seat.close()

    def _continue(self, news: Callable[[], None]) -> None:
        """Tell the opponent the news and let it move until it is the agent's turn."""
        try:
            news()
            while not self._inner.position.over and self._inner.agent_selection != self.agent:
                self._inner.play(self._seat.choose(self._inner.position, self._rng))
        except Forfeit as failure:
            self._forfeit = failure.reason

    def _lost_by_the_opponent(self) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        return self._inner.observe(self.agent), 1.0, True, False, {"forfeit": self._forfeit}
