"""What our report of jaskowski2014 says beside its figures."""

from ludus.papers.base import Section

NOTES = [
    Section(
        "Readings, chosen before the runs",
        """
        Each claim has one main reading, argued from the text; the others stand beside it, judged by the same rule, with
        runs of their own.

        - Fitness of coevolution. It is `defined as a sum of two values`, the `average result of games played against
          other individuals` and that `against a sample of random WPC players`. The main reading is what these words
          say: that sum, in which 19 members count as much as 200 random opponents. The other reading is the mean over
          all games, in which they count a tenth as much. It has a case of its own: the settings that the authors
          published for an earlier experiment with this algorithm (gecco-improving.properties in their repository
          mastering-2048) add up the points of all games, with as many members as random opponents, where both readings
          rank alike; the words may be from there. The program of these experiments is not published.
        - Random opponents are met with both colours (main reading), as in those settings, so that a generation has
          8,380 games and a run 239 generations. The text does not say; with one game against each there are 457.
        - TDL learns nothing from random moves (main reading). The text applies its formulas `after each move`; the
          authors' published program of this method (SelfPlayTDLScenario) makes a random move without them. The other
          reading learns from all moves. Weights of TDL begin at 0. With lambda above 0 a random move clears the trace,
          which that program does not do.
        - Clusters. The paper names neither the bandwidth of mean shift nor a program. The main reading is what
          scikit-learn takes when nothing is chosen: its own estimate at the 0.3 quantile. All other quantiles that we
          tried are shown.
        - In means and slopes over the bins of opponents each bin counts by how full it is.
        - The weakest opponents are those of the paper's last bin, which begins at 4%; `strongest` and `weakest` are
          above 81% and below 13%, as in section 6.2.
        - The best setting is one that is ahead of every other. Which of the others does best is found by the runs of
          the whole table, and the match between the two by new seeds: who is best of many by a few runs is lucky, too.
        - `No difference` is judged by equivalence: less than 0.67 points, which the paper's test would notice with a
          chance of 80%. Of lambda and mutation the paper does not say how many runs it had; there the rule is the same.
        - Mutation: the text lists eleven values for chance and size, but 7 x 7 x 2 experiments; we took seven. The
          values of lambda are ours.
        """,
    ),
    Section(
        "What was known before the runs",
        """
        - The mean over all games was our reading in earlier reports. We had chosen it after the sum of averages had
          failed: in five trial runs the sum gave 80% against random opponents, and the mean over all games 87% in ten,
          as the paper has. That is why it is not the main reading here, whatever it reproduces.
        - In our first report exploration of 0.1 with a rate of 0.07 was ahead of the paper's choice, by two runs of a
          tenth of the games, and plus selection ahead of comma selection, by two runs of a fifth. Both are matched with
          the paper's choice again.
        - Learning after random moves, too, gave TDL 40% against the heuristic in two trial runs, instead of 46%.
        - Before these runs were begun, rules were made fairer to the paper: `no difference` was 0.5 points, by which
          its own figures would not have been settled, and a figure of Table 1 counted as missed if our mean over five
          runs was 1.5 points off, whatever its interval.
        - The seeds of these trials and of our first report are none of those reported here: players have those that the
          page lists, settings 1000 times the seed of the report plus 300 and on, duels plus 500 and on.
        """,
    ),
]
