"""What our report of abramson2001 says beside its figures."""

from ludus.papers.paper import Section

NOTES = [
    Section(
        "Where the paper leaves a choice",
        """
        - Influence is above 0 for Black and below 0 for White. By the paper's formula a position led by White would
          then be unlike itself, so what is ours and what is theirs are kept apart, as memberships from 0 to 1.
        - lambda is missing; 0.8. So is the length of training; 2,000 games. A vector's learning rate is 0.09 divided
          by 1 plus the times it has moved, which is one way to read that it falls in proportion to them.
        - How a move is taken from the Pareto front of similarity and utility is not said; we add the two. Our trials
          with weights from 0 to 100 on utility found 1 the best against Heuristic, and 0 to 1 alike against Wally.
        - The seeds are the winner's moves in games of Wally against GNU Go 3.8 at level 10, played to the very end,
          since Wally never passes. So there are more of them than the paper's 331 and 659 from as many games.
        - Figure 10 is lost. Our 7x7 problem is one of life and death too: a black group in the lower right lives if
          Black moves first and dies if White does.
        """,
    ),
    Section(
        "The opponents",
        """
        The paper takes Wally for the stronger of its opponents. Ours is the weaker on 5x5 and about even on 7x7. One
        cause is known: Millen's Wally, by the pseudo-code of 1981, also saves its own stones, of which the paper's
        description says nothing, so ours does not. `wally:defends=yes` saves stones in atari. In 400 games with each
        colour that raised Wally's share against Heuristic from 21% to 25% on 5x5 and from 47% to 57% on 7x7. The rest
        may be Newman's program of 1988, which is lost, or Heuristic: it never varies, and on 5x5 its first moves
        happen to suit it. Whoever beats Heuristic once beats it always, so little should be read into scores
        against it; the differences between learners do not depend on the ranking.
        """,
    ),
    Section(
        "What we think",
        """
        With the paper's settings SLVQ owes its lead over SLinear to its seeds. Without them it is little better; with
        three times fewer games to seed from it loses far more, with four times as many far less; and in 2,000 games
        its curves hardly move, nor in 6,000. Rates that fall with every use leave utilities near where they began.

        What lifts it most is to let it go on learning: rates that fall with the root of uses, no discount, and then
        longer training, which without these changes nothing. More seeds come next. Local patterns and growth do not
        help. A utility belongs to a vector, a position with a move, so much of it tells how good positions were
        rather than which of the moves of one position is best; and a vector that grows has the move that was chosen
        for want of a better one.

        A linear function of the whole board, the other reading of SLinear, learns more from the same games than SLVQ
        with the paper's settings. So the paper's comparison shows the worth of seeds rather than that of a codebook.

        Against an opponent that never varies everything hangs on one line of play: on 5x5 the seeds win it in every
        run, on 7x7 they lose it in every run, and exploration of 0.09, divided by the root of games, is too little to
        leave it.

        Codebooks hardly grow, since with hundreds of vectors in eight ways something always has a similarity above 0:
        a few vectors a run, half of them for passes, which no seed has. Better play against Wally is not better play:
        trained longest it loses every game to GNU Go, by the whole board, where the player of the paper's settings
        wins a few.

        We chose the weight of utility beside similarity, 1, after trials with 0 to 100 on 5x5 (3 runs of 1,000 games
        each), in which larger ones lost; and saw the gain of slower falling rates and no discount there before these
        runs. The player that meets GNU Go as the best was picked from the same table that shows how much it lost.
        """,
    ),
]
