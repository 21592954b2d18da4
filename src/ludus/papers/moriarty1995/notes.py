"""What our report of moriarty1995 says beside its figures."""

from ludus.papers.base import Section

NOTES = [
    Section(
        "Readings, chosen before the runs",
        """
        The paper leaves open what decides most. Each claim has one main reading, argued from the text alone; the
        others stand beside it with the same number of runs and the same rule.

        - Weights. A chromosome is a string of integers from -128 to 127, and the weight of a connection is one of them;
          no scale is mentioned. So the main reading takes them raw, and logistic units saturate. In 1024ths, which
          was the best scale in our first trials, no unit does.
        - Judging. A network's fitness is the number of games it wins of ten. Who survives plays ten new games in the
          next generation (main reading): nothing in the paper speaks of a stored score, and when the opponent changes
          all need new ones. In a steady-state algorithm a network may also keep its first score: judged once.
        - The 97% and 70% that the best networks win are read as what the best network of a population wins in new
          games. The score recorded in evolution, and the best of all populations, stand beside it.
        - Middle and end game: the last two of three thirds of a game.
        """,
    ),
    Section(
        "What was measured",
        """
        - The best network of a population is found by a trial of 200 games for each of its last generation; the figures
          are from other games, in which every one of the 244 openings of four moves is played with both colours.
        - The searcher is ours: alpha-beta, three moves deep, with the table of square values in Norvig's programs for
          Othello instead of Iago's own judgement. Among equally good moves it draws lots.
        - The paper's curves are averages over ten won games of one network; ours over all won games of every network.
          It has no control. Ours is a random mover in the network's place: of its games, too, only those it wins count.
        - Initial values of units are in 128ths under every reading; the paper's 5,160 integers of a fixed network fit
          64 inputs, one for each square, not 128.
        """,
    ),
]
