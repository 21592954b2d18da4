"""Steps a second of batches of random games, beside pgx where it is installed: python benchmarks/batches.py [--json]

Both play legal moves at random, look at the legal moves of every game after every step, and begin finished games anew,
with 1024 games at once on all cores that each of them uses. pgx runs on JAX for the processor; its step is compiled
with the choice of moves and repeated inside one call, which is its fastest way.
"""

import json
import sys
import time

import numpy as np

from ludus.interfaces.batch import Batch

GAMES = {"othello8": "othello", "go9": "go_9x9"}
COUNT, STEPS, ROUNDS = 1024, 200, 5


def ours(name: str) -> float:
    batch = Batch(name, COUNT)
    begin = time.perf_counter()
    for _ in range(STEPS):
        batch.step(batch.random_moves())
        if batch.over.any():
            batch.reset()
    return COUNT * STEPS / (time.perf_counter() - begin)


def pgx_speed(name: str):
    """A function that plays once and tells pgx's speed, or None where it is not installed."""
    try:
        import jax
        import pgx
        from pgx.experimental import auto_reset
    except ImportError:
        return None
    env = pgx.make(GAMES[name])
    step = auto_reset(env.step, env.init)

    def one(carry, key):
        state, keys = carry
        choose, reset = jax.random.split(key)
        scores = jax.random.uniform(choose, state.legal_action_mask.shape)
        action = jax.numpy.argmax(jax.numpy.where(state.legal_action_mask, scores, -1.0), axis=1)
        state = jax.vmap(step)(state, action, jax.random.split(reset, COUNT))
        return (state, keys), state.terminated.sum()

    @jax.jit
    def play(state, key):
        return jax.lax.scan(one, (state, key), jax.random.split(key, STEPS))

    state = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), COUNT))
    jax.block_until_ready(play(state, jax.random.PRNGKey(1)))  # compiles

    def turn() -> float:
        begin = time.perf_counter()
        jax.block_until_ready(play(state, jax.random.PRNGKey(int(np.random.default_rng().integers(1 << 30)))))
        return COUNT * STEPS / (time.perf_counter() - begin)

    return turn


def main() -> None:
    rows = []
    for name in GAMES:
        ours(name)  # compiles
        theirs = pgx_speed(name)
        best = [0.0, 0.0]
        for _ in range(ROUNDS):
            best = [max(best[0], ours(name)), max(best[1], theirs() if theirs else 0.0)]
        ratio = round(best[0] / best[1], 2) if theirs else None
        rows.append({"game": name, "per_second": round(best[0]), "vs_pgx": ratio})
        if "--json" not in sys.argv:
            print(f"{name:<10}{best[0]:>14,.0f} steps/s{f', {ratio} times pgx' if ratio else ''}", flush=True)
    if "--json" in sys.argv:
        print(json.dumps({"rows": rows}))


main()
