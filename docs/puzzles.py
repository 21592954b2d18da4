"""Finds the puzzles of src/ludus/shipped/puzzles.csv in games of our own players; a quarter of an hour.

    python docs/puzzles.py [GAME...]

Two players of unlike strength meet after some random moves. Kept are positions where the side to move is not lost and
much depends on the move, at most three of a game and as many of each difficulty as there are; of mirror images one.
What is known of other games stays.
"""

import sys

import ludus
from ludus.measures.judges import PERCENT, SimulationJudge, judge
from ludus.measures.puzzles import DIFFICULTIES, FILE, puzzle, read_puzzles, shape, write_puzzles
from ludus.players.explanations import explanation
from ludus.players.search.solver import empty_squares

SEED, OF_A_GAME, LONGEST_LINE = 1, 3, 12
EMPTY = (*range(6, 15), *range(19, 49))
"""With so many empty squares positions of Othello are looked at: exact ones that are quick to solve, and early ones."""
WANTED = {"othello8": 102, "othello6": 102, "checkers": 102, "go5": 60, "go7": 60}
PLAYERS = {
    "othello8": ("alphabeta:depth=4", "ntuples:othello8", "random:8", 400),
    "othello6": ("alphabeta:depth=4", "xcs:othello6", "random:4", 200),
    "checkers": ("alphabeta:depth=4,extend=captures", "mcts:simulations=200", "random:6", 200),
    "go5": ("wally", "mcts:simulations=200", "random:2", 300),
    "go7": ("wally", "mcts:simulations=200", "random:2", 100),
}


def decides(found, judging):
    """Whether much depends on the move: in Othello who wins, elsewhere a quarter more than a mistake loses."""
    if judging.unit == PERCENT:
        return found.value > -10 and found.value - found.second > 1.25 * judging.grades[1]
    return (found.value >= 0 and found.second < 0) or (found.value > 0 and found.second <= 0)


def promising(judging, position, ply):
    """Whether a quick look finds one move better than the others; in Go no pass, and before the board is full."""
    if isinstance(judging, SimulationJudge):
        if ply > position.game.squares:
            return False
        first, second = explanation(ludus.player("mcts:simulations=400", position.game), position).moves[:2]
        return first.move != "pass" and first.value - second.value > 0.2
    quick = judge(position.game, "alphabeta:depth=6,value=ntuples:checkers,extend=captures")
    best = quick.judge(position)
    return best.value - quick.second(position, best.move).value > quick.grades[0]


def main(wanted):
    kept = [each for each in (read_puzzles(FILE) if FILE.exists() else []) if each.game not in wanted]
    for game in wanted:
        one, other, opening, games = PLAYERS[game]
        played = ludus.match(one, other, game, games=games, seed=SEED, opening=opening, record=True, progress=False)
        judging, found, seen = judge(ludus.game(game)), {name: [] for name in DIFFICULTIES}, set()
        share = WANTED[game] // len(DIFFICULTIES)
        for record in played.records():
            positions, here = record.positions(), 0
            first = int(opening.partition(":")[2])
            for ply in sorted(range(first, len(positions) - 1), key=lambda ply: ply * 37 % 101):  # here and there
                position = positions[ply]
                if here == OF_A_GAME or all(len(each) >= share for each in found.values()):
                    break
                if len(position.legal) < 3 or (judging.unit == "discs" and empty_squares(position) not in EMPTY):
                    continue
                if shape(position) in seen or (judging.unit == PERCENT and not promising(judging, position, ply)):
                    continue
                each = puzzle(judging, position, f"{record.players[0]} - {record.players[1]}, move {ply + 1}")
                if each and each.move != "pass" and decides(each, judging) and len(found[each.difficulty]) < share:
                    each = type(each)(**{**vars(each), "line": each.line[:LONGEST_LINE]})
                    seen.add(shape(position))
                    found[each.difficulty].append(each)
                    here += 1
        chosen = [each for name in DIFFICULTIES for each in found[name]]
        print(game, {name: len(each) for name, each in found.items()}, sum(each.exact for each in chosen), "exact")
        kept += chosen
        order = list(PLAYERS)
        write_puzzles(
            FILE, sorted(kept, key=lambda each: (order.index(each.game), DIFFICULTIES.index(each.difficulty)))
        )


if __name__ == "__main__":
    main(sys.argv[1:] or list(PLAYERS))
