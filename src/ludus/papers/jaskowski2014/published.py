"""What jaskowski2014 printed, and how far we may be from it."""

GAME = "othello8"

TABLE_2 = {
    "tdl": {"generalization": (87.26, 0.32), "heuristic": (46.14, 0.96)},
    "cel": {"generalization": (86.97, 0.21), "heuristic": (32.31, 0.62)},
}
"""Means over runs, and half their 95% intervals."""
RUNS = 100
"""How many runs of each learner the paper had."""
HEAD_TO_HEAD = {"tdl": 78.8, "cel": 21.2}

TOLERANCE = {"generalization": 1.5, "heuristic": 3.5}
"""How far our mean may be from the paper's.

Generalization changes so much from one learning rate of Table 1 to the next. The other is a quarter of what lies
between the two learners, which is what the paper is about.
"""
ALIKE = 0.67
"""Points of generalization that the paper would likely have noticed: with the intervals of Table 2 a t-test at 1%, as
in section 6.1, finds such a difference with a chance of 80%."""
HEAD_TO_HEAD_TOLERANCE = 5.0
"""A sixth of TDL's lead over an even match; the paper prints no interval."""
FIGURE_2 = {"TDL": [(4.0, 94.0)], "CEL": [(4.0, 98.0), (20.0, 95.0)], "where they cross": [(50.0, 87.0)]}
"""Strength of the opponents and points against them, as far as the text names them."""
CROSSING_TOLERANCE, HEIGHT_TOLERANCE = 10.0, 3.0
"""Of figures that we read off Figure 2, or that the text calls nearly or about."""
STRONG, WEAK = 81.0, 13.0
"""Who is stronger or weaker is among the strongest or the weakest (section 6.2)."""

ALPHAS = (0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1)
TABLE_1 = {
    0.0: (81.4, 82.3, 84.2, 84.0, 84.3, 82.1, 79.9, 75.4, 71.5, 72.0),
    0.05: (84.0, 81.1, 82.7, 86.2, 87.9, 87.7, 87.4, 87.4, 87.0, 86.8),
    0.1: (84.4, 81.5, 82.4, 84.4, 87.3, 87.7, 87.2, 86.4, 85.4, 85.4),
    0.15: (84.9, 82.7, 82.2, 83.3, 86.1, 87.8, 86.7, 85.5, 84.6, 84.5),
}
"""Generalization by exploration, for each of these learning rates."""
BEST_RATE = (0.05, 0.05)
"""Exploration and learning rate that the paper chose."""

SELECTIONS = ("comma", "plus", "tournament", "universal")
SIZES = (4, 10, 20, 50, 100, 200)
"""Of populations and of samples (section 5.2)."""
BEST_SELECTION = ("comma", 20, 200)
"""Selection, population and sample that the paper chose (Figure 1)."""
FIRST_MUTATION = {"mutation": "gaussian", "mutation_chance": 0.1, "mutation_size": 0.25}
"""With which it chose them."""

MUTATIONS = ("gaussian", "uniform")
STEPS = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Seven chances and seven sizes of mutation: the text lists eleven, but 7 x 7 x 2 experiments."""
BEST_MUTATION = ("gaussian", 1.0, 1.0)
POOR_MUTATIONS = (("gaussian", 0.05, 0.05), ("gaussian", 0.1, 0.05))
"""Kind, chance and size of the only ones that were worse than others."""
LAMBDAS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
"""Ours: the paper says that it checked different values, and does not name them."""

AGAINST = {
    "generalization": "against random piece counters (generalization)",
    "heuristic": "against the standard heuristic, with 10% random moves",
}
