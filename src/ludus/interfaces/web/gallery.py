"""The opponents that the page offers, as people choose them: a plain name and a sentence of character."""

from collections.abc import Mapping
from typing import NamedTuple

from ludus.players.levels import levels


class Character(NamedTuple):
    name: str
    description: str


CHARACTERS: Mapping[str, Character] = {
    "random": Character("Random mover", "Makes any legal move, without a thought."),
    "discs": Character("Greedy for discs", "Turns over as many discs as it can, as most beginners do."),
    "pieces": Character("Greedy for pieces", "Counts men and kings one move ahead, and walks into every shot."),
    "greedy:value=area": Character("Greedy for area", "Takes the point that gives it the most area at once."),
    "jain2018": Character("Square values", "Goes by what each square is worth: corners first, and not beside them."),
    "heuristic": Character("Standard heuristic", "Goes by the best-known table of square values, one move ahead."),
    "positional": Character(
        "Positional weights", "Goes by square values like those of the program Iago, one move ahead."
    ),
    "mobility": Character("Mobility", "Keeps many moves for itself and leaves you few."),
    "wally": Character("Wally", "A small Go program published in 1981: it captures, saves its stones and attacks."),
    "influence": Character("Influence", "Plays where its stones radiate furthest over the board."),
    "alphabeta:depth=2": Character("Search, 2 moves ahead", "Looks at its move and your reply."),
    "alphabeta:depth=4": Character("Search, 4 moves ahead", "Looks four moves ahead and expects your best replies."),
    "alphabeta:depth=6": Character("Search, 6 moves ahead", "Looks six moves ahead and expects your best replies."),
    "mcts:simulations=1000": Character(
        "Monte Carlo, 1,000 simulations", "Plays a thousand games in its head before each move."
    ),
    "ntuples:othello8": Character(
        "The pattern reader", "Taught itself in 2,000,000 games against itself; reads edges, corners and diagonals."
    ),
    "ntuples:othello6": Character(
        "The small pattern reader", "Taught itself in 1,500,000 games against itself to win by as much as it can."
    ),
    "ntuples:checkers": Character(
        "The shape reader",
        "Taught itself in 400,000 games against itself; sees shapes of men and kings, one move ahead.",
    ),
    "ntuples:go5": Character("The shape reader", "Taught itself the shapes of stones in 600,000 games against itself."),
    "ntuples:go7": Character("The shape reader", "Taught itself the shapes of stones in 400,000 games against itself."),
    "ntuples:go9": Character("The shape reader", "Taught itself the shapes of stones in 200,000 games against itself."),
    "marker:mobility": Character(
        "The cramper", "A network grown by evolution against a searcher; likes few discs and many moves."
    ),
    "marker:positional": Character(
        "The edge lover", "A network grown by evolution against a random mover; likes edges and corners."
    ),
    "fixed-network:searcher": Character(
        "The searcher's bane", "A network of fixed shape, evolved for 2,000 generations against a searcher."
    ),
    "xcs:othello6": Character(
        "The rule follower", "Learned 1,000 if-then rules in 60,000 games; you can read them all."
    ),
    "blondie24:c10": Character(
        "Blondie, sociable",
        "A network evolved for 840 generations, which often copied the best of a pool; looks 4 ahead.",
    ),
    "blondie24:c1": Character(
        "Blondie, who copies one", "A network evolved for 840 generations with a pool that holds a single model."
    ),
    "blondie24:c0": Character("Blondie", "A network evolved for 840 generations as in Blondie24; looks 4 moves ahead."),
    "blondie24:rr": Character(
        "Blondie, round robin", "A network evolved in 145 round-robin tournaments; looks 4 ahead."
    ),
    "social:c10": Character(
        "Blondie, who changes her mind", "Has several networks, and takes another after losing to a person."
    ),
    "sarsa-lvq:go5": Character(
        "The codebook", "Learned from 2,000 games against Wally to compare the board with examples, near each move."
    ),
    "sarsa-lvq:go7": Character(
        "The codebook", "Learned from 6,000 games against Wally to compare the board with examples."
    ),
    "sarsa-lvq:go9": Character(
        "The codebook", "Learned from 2,000 games against Wally to compare the board with examples."
    ),
    "sarsa-linear:go5": Character(
        "The straight thinker", "Learned a weight for each point in 2,000 games against Wally."
    ),
}
"""Every one has been looked at: what it says of training is in its file, what it says of play is in docs/papers."""


def level_character(board: str, number: int) -> Character:
    """How a level is offered."""
    known = levels(board)
    name = {1: ", beginner", len(known): ", strongest"}.get(number, "")
    errs = known[number - 1].player.startswith("softmax")
    how = (
        "Sees good moves, but often plays another that loses little." if errs else "Plays the best move that it finds."
    )
    return Character(f"Level {number}{name}", how)
