"""Terms of the field, each in a sentence, for readers of a report who meet them for the first time."""

import re

TERMS = {
    "95% interval": "Where a figure would nearly always lie if all was done again with other random numbers.",
    "action set": "In XCS, the rules that matched the position and advised the move that was made.",
    "afterstate": "The position that a move leads to, before the opponent replies.",
    "alpha-beta": "Search of all lines of play to some depth, without those that can't change the result.",
    "classifier": "A rule of XCS: a condition on the board, a move, and the payoff to expect from it.",
    "codebook": "The vectors of learning vector quantization: positions, each with a move and its utility.",
    "coevolution": "Evolution in which fitness comes from games against other members of the population.",
    "Elo": "A scale of strength on which a difference says what score to expect: 100 more is 64%.",
    "exploration": "Moves that a learner makes to see what happens, rather than because they are best.",
    "fitness": "What decides who has children in evolution; in XCS, how accurate a rule is beside others.",
    "generalization": "Points in percent against opponents with random weights.",
    "heuristic": "A player that people made by hand: in Othello by weights of squares, in Go by influence.",
    "influence": "How far the stones of each side dominate each point of a Go board.",
    "mobility": "How many moves a side can choose from.",
    "n-tuple network": "A sum of lookup tables, each over a small set of squares.",
    "one-ply": "Looking at the positions after one's own moves, and no further.",
    "performance profile": "Points against opponents of each strength, from the weakest to the strongest.",
    "ply": "One move by one side.",
    "quiescence": "Searching on while captures are forced, so that no exchange is cut in half.",
    "round robin": "Everybody plays everybody.",
    "Sarsa": "Correcting the value of a move towards the value of the next move that is actually made.",
    "self-play": "Learning from games against oneself.",
    "social learning": "Taking over strategies from a pool that all players share.",
    "superko": "The rule of Go that no position may repeat.",
    "TD error": "How far a value is from what it is corrected towards. It may rise while play improves: positions "
    "that are valued more boldly can be further off.",
    "temporal difference": "Learning by correcting the value of a position towards that of a later one.",
    "utility": "What a move is worth, by what has been learned.",
    "Wally": "A small program that plays Go by patterns of two or three stones.",
    "XCS": "A population of rules that is evolved by the accuracy of what they predict.",
}


def terms_in(text: str) -> dict[str, str]:
    """The terms that a text uses."""
    plain = re.sub(r"\s+", " ", text)
    return {term: words for term, words in TERMS.items() if re.search(rf"\b{re.escape(term)}(s|es)?\b", plain, re.I)}
