"""What our report of alkhateeb2012 says beside its figures."""

from ludus.papers.base import Section

NOTES = [
    Section(
        "Readings, chosen before the runs",
        """
        Each claim has one main reading, argued from the text; the others stand beside it, judged by the same rule, with
        fewer generations where they need runs of their own.

        - C0 and Blondie24-RR are the players with the most wins of those evolved in the same way, since the paper says
          so (its player 6 of ten, twice). The social players are one run each: its text calls each `the result of a
          single run`, and of C10 nine more were evolved only afterwards. Beside it: the first that was evolved.
        - The sum of the pieces has no weight. The text counts 5,046 weights and biases, and that many are in the layers
          alone. Beside it: a weight that evolves, and networks that are 3 and 10 times as loud beside that sum.
        - The board is turned for White, so that a network plays both sides in the same way. The text says nothing, and
          the figure of the architecture shows one board. Beside it: a board that is not turned.
        - The king has no value in the text. It evolves as in the Blondie24 that the text builds on: from 2, by steps of
          0.1, within 1 to 3. Beside it: kings that count 2 and do not evolve, as equations (1) and (2) have no king.
        - The search is extended while captures are forced, as in Blondie24; the text says `minimax` and no more. Beside
          it: a search that ends at its depth.
        - In the generations of social learning there are no children: step 8 has no mutation, steps 7 and 9 do.
        - Table XXI has one game of each colour. Lots among equal moves make games differ, so `won` is read as won in
          most of many games. Beside it: draws as half, and the first game alone.
        - A league of players that are alike has two claims: whether pairs differ, and how far ratings span.
        """,
    ),
    Section(
        "Where the paper leaves a choice",
        """
        - Ratings are BayesElo's with advantage 0, as in the paper; draws and the prior are its defaults.
        - The paper says minimax and no more of the search. Blondie24's authors extend it by pairs of moves where
          captures are forced. At the starting depth of 4 that looked at 115,000 positions a move in our trials, against
          540 when forced captures extend it move by move and 415 without. Here it is the second (`extend=captures`).
        - The paper gave each method the same time, we give it the same number of games.
        - Each player of the league is one run, in the paper as here: intervals are over games, not over runs. Runs of
          social players with one seed begin with the same networks.
        """,
    ),
    Section(
        "What was known before the runs",
        """
        Our first report had one run each of C0, Blondie24-RR, C1 and C10. Trials with these players and two untrained
        networks showed about what the controls give, how little a tournament tells, and how many games are drawn. The
        runs reported here were made afterwards, with new seeds.
        """,
    ),
]
