"""What our report of abramson2001 says beside its figures."""

from ludus.papers.base import Section

NOTES = [
    Section(
        "Readings, chosen before the runs",
        """
        The paper leaves much open, and its figures have lost their axes. Each claim has one main reading, argued from
        the text; the others stand beside it, judged by the same rule, with the first of the same seeds (at full scale
        five of ten).

        - A vector's rate `decays proportionally as a function of the number of times m won`; which function is not
          said. The same words come once more, `decay proportionally as the square root of the number of games`
          (SLinear). So the rate is divided by the root of 1 plus the wins: the only function of a count that the paper
          names. Beside it: divided by 1 plus the wins, as in our first report; Kohonen's OLVQ1, whose vectors have
          rates of their own too; and constant rates.
        - Forced moves. The paper names no pass among what is learned, and a pass that is the only legal move is no
          decision. So it is made without learning, and takes no place in the line of moves along which a reward fades.
          If it does, as in our first report, fifteen passes at the end of a 7x7 game leave less than a hundredth of
          the reward for the stones before them.
        - Noise is added to `the action evaluation`, which is `the pareto optimality of moves`: to moves on the Pareto
          front. Algorithm 1 has argSoftmax over the similarities of all vectors: the other reading.
        - Wally is Millen's program. The paper cites his article for it, calls it `surprisingly good`, and says of
          Newman's program, which is lost, that it was modified for colours and boards only. Its list of four rules
          reads as a summary: it lacks the attack that Millen's program is about, and Wally by this list is weaker than
          Heuristic, the reverse of the paper. Readings: by that list, and with less or no defence of its own stones.
        - SLinear's `policy is to pick the move with the greatest weight`: weights belong to moves. Read as weights of
          the board after a move, SLinear can tell what a capture is worth: the other reading, with forced passes and
          without, since the boards after them tell most about how games end.
        - lambda is missing: 0.8, and 0.5 and 0.95 beside it. So is the length of training: 2,000 games at full scale.
        - Figures 5 to 9 and 11 are judged by the last quarter of training, since the text speaks of where curves lead.
          `Most` games are more than half, `a few` more than none. Tests have 20 games at full scale, the paper's have
          5.
        - Figure 4: see the claim.
        """,
    ),
    Section(
        "Where the paper leaves a choice",
        """
        - Influence is above 0 for Black and below 0 for White. By the paper's formula a position led by White would
          then be unlike itself, so what is ours and what is theirs are kept apart, as memberships from 0 to 1.
        - How a move is taken from the Pareto front of similarity and utility is not said; we add the two. Trials with
          weights from 0 to 100 on utility (5x5, 3 runs of 1,000 games each, by the readings of our first report) found
          1 the best against Heuristic, and 0 to 1 alike against Wally.
        - The seeds are the winner's moves in games of Wally, by the paper's list, against GNU Go 3.8 at level 10,
          played to the very end, since Wally never passes. So there are more of them than the paper's 331 and 659 from
          as many games.
        - Figure 10 is lost. A problem of our own takes its place; a section above says what is known about it.
        """,
    ),
    Section(
        "What was known before the runs",
        """
        Our first report had other readings of rates, forced passes and Wally. That they mattered was found in trials of
        2 to 5 runs, and in one of 600 games for each figure, with seeds that are reported nowhere; so we knew roughly
        what these readings give when we argued for them. The runs reported here were made afterwards, with new seeds.
        """,
    ),
]
