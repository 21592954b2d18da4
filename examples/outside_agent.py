"""An agent outside of Ludus, trained on its environments: Q-learning with linear values on 4x4 Othello.

pip install --editable '.[pettingzoo]' && python examples/outside_agent.py
"""

import numpy as np

from ludus.interfaces.gymnasium import OpponentEnv
from ludus.interfaces.pettingzoo import othello_v0


def features(observation):
    """The agent's pieces less the opponent's, square by square."""
    planes = observation["observation"].astype(float)
    return (planes[..., 0] - planes[..., 1]).ravel()


def play(env, weights, rate, chance, rng):
    """Play one game, learning from it unless `rate` is 0; return the reward at its end."""
    seen, _ = env.reset()
    over, reward = False, 0.0
    while not over:
        legal = np.flatnonzero(seen["action_mask"])
        values = weights[legal] @ features(seen)
        action = rng.choice(legal) if rng.random() < chance else legal[np.argmax(values)]
        before = features(seen)
        seen, reward, over, _, _ = env.step(action)
        best = 0.0 if over else np.max(weights[np.flatnonzero(seen["action_mask"])] @ features(seen))
        weights[action] += rate * (reward + best - weights[action] @ before) * before
    return reward


env, rng = OpponentEnv(othello_v0.raw_env(size=4), "random", side=None), np.random.default_rng(1)
weights = np.zeros((env.action_space.n, 16))
before = np.mean([play(env, weights, 0.0, 1.0, rng) for _ in range(500)])
for _ in range(3000):
    play(env, weights, 0.01, 0.1, rng)
after = np.mean([play(env, weights, 0.0, 0.0, rng) for _ in range(500)])
print(f"mean reward against a random mover: {before:+.2f} at first, {after:+.2f} after 3000 games")
