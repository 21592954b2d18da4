"""One colour language, for figures, reports, notebooks, the arena and terminals: blue is good, orange is bad.

Colours are those of Okabe and Ito (2008), which the colour-blind can tell apart.
"""

GOOD, BAD = "#0072B2", "#D55E00"
"""What is wanted, won, reproduced or excites; what is shunned, lost, not reproduced or inhibits."""

SERIES = (GOOD, BAD, "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C6D1F")
"""Lines and marks that are merely different, in this order; each also has a dash or a shape of its own."""
