"""Measures what moves of each grade have really cost, for docs/how-to/review.md; some minutes.

    python docs/grades.py GAME [JUDGE...]

Two levels of unlike strength play; the judge, by default the game's usual one, grades every third move that is not the
best. A strong player then plays on against itself twice, after the move made and after the best one: the difference of
the results is what the move cost, in percent of a win, and its mean over many moves is what their grade means.
"""

import sys

import numpy as np

import ludus
from ludus.compile.rng import key
from ludus.measures.judges import judge
from ludus.measures.review import GRADES, reviewed_move
from ludus.play.games import GameResults, Schedule, play_games

SEED, EVERY, OPENING = 3, 3, "random:4"
STUDIES = {
    "checkers": ("level:4", "level:6", 60, "alphabeta:depth=6,extend=captures"),
}
"""Who made the moves, in how many games, and who plays on."""


def result(player, moves):
    """The first player's result of the game that begins with these moves, if the player makes all others."""
    openings, keys = np.array([moves], np.int64), np.array([0, key(SEED, "grades")], np.uint64)
    results = GameResults(np.empty(1), np.empty(1, np.int64))
    play_games(player.game.rules, player.parts, player.parts, Schedule(0, keys, openings), results)
    return results.scores[0]


def study(name, judges):
    one, other, games, strong = STUDIES[name]
    player, judges = ludus.player(strong, name), [judge(ludus.game(name), each) for each in judges]
    played = ludus.match(one, other, name, games=games, seed=SEED, opening=OPENING, record=True, progress=False)
    found = [[] for _ in judges]  # of each judge: grade, loss, cost
    for number, record in enumerate(played.records()):
        positions, results = record.positions(), {}
        numbers = [position.move(move) for position, move in zip(positions, record.moves, strict=False)]
        for ply in range(4 + number % EVERY, len(numbers), EVERY):
            position, sign = positions[ply], 1 if positions[ply].current_player == 0 else -1
            for judging, rows in zip(judges, found, strict=True):
                reviewed = reviewed_move(judging, position, record.moves[ply], ply)
                if reviewed.move == reviewed.best:
                    continue
                for move in (reviewed.best, reviewed.move):
                    if (ply, move) not in results:
                        results[ply, move] = result(player, [*numbers[:ply], position.move(move)])
                cost = 100 * sign * (results[ply, reviewed.best] - results[ply, reviewed.move])
                rows.append((reviewed.grade, reviewed.loss, cost))
    for judging, rows in zip(judges, found, strict=True):
        grades, losses, costs = np.array(rows).T
        agreement = np.corrcoef(losses, costs)[0, 1]
        print(f"{judging.name}, in {judging.unit}: {len(rows)} moves; correlation of loss and cost {agreement:.2f}")
        for grade, title in enumerate(GRADES):
            here = costs[grades == grade]
            error = here.std() / max(1, len(here)) ** 0.5
            title = title or "no grade"
            lost = losses[grades == grade].mean()
            print(
                f"  {title:10} {len(here):5}  lost {lost:5.2f}  cost {here.mean():5.1f}% (standard error {error:.1f})"
            )


if __name__ == "__main__":
    study(sys.argv[1], sys.argv[2:] or [""])
