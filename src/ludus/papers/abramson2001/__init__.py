"""Abramson and Wechsler (2001): Sarsa with learning vector quantization in Go on small boards."""

from ludus.games.names import game
from ludus.papers.abramson2001.changes import lifts
from ludus.papers.abramson2001.codebook import codebooks
from ludus.papers.abramson2001.controls import controls, our_problem
from ludus.papers.abramson2001.learning import influence, learning_curves
from ludus.papers.abramson2001.notes import NOTES
from ludus.papers.abramson2001.opponents import other_opponents, ranking
from ludus.papers.abramson2001.runs import train_all
from ludus.papers.abramson2001.setup import BUDGETS, Budget
from ludus.papers.base import Paper, Report, Workspace
from ludus.papers.study import Study


class Abramson2001(Paper):
    key = "abramson2001"
    title = "Competitive Reinforcement Learning for Combinatorial Problems"
    authors = "Myriam Abramson, Harry Wechsler"
    year = 2001
    doi = "10.1109/IJCNN.2001.938727"
    summary = (
        "SLVQ learns to play Go on 5x5 and 7x7: a codebook of positions, seen as fields of influence, each with a move "
        "whose utility Sarsa learns, while the positions themselves are drawn towards what has served well. It is "
        "compared with SLinear, a weight for each point, in games and in two life-and-death problems against two "
        "opponents: Heuristic, which plays for influence, and Wally, which captures and knows a few patterns."
    )
    scales = {
        "quick": "2 runs of 300 games for each learner, figure and reading; some minutes on two cores.",
        "full": "10 runs of 2,000 games for each learner and figure (the paper's length is not readable), 5 under each "
        "other reading, a test of 20 games after every 50, and 4 runs for each change that might lift the player "
        "against GNU Go; about an hour on two cores.",
    }

    def run(self, scale: str, workspace: Workspace) -> Report:
        study = Study(scale, BUDGETS[scale], workspace, game("go5"), BUDGETS[scale].runs)
        trained = train_all(study)
        influence(study)
        learning_curves(study, trained)
        codebooks(study, trained)
        ranking(study)
        controls(study, trained)
        our_problem(study, trained)
        other_opponents(study, trained)
        lifts(study)
        return study.report(NOTES, _summary(study))


def _summary(study: Study[Budget]) -> str:
    """What holds and what does not."""
    return f"""
        - The field of influence (Figure 3): {study.tally("fig3-*")}.
        - SLVQ against SLinear (Figures 5 to 9 and 11): {study.tally("*-better")}.
        - SLVQ and its opponents (the same figures): {study.tally("*-wins", "fig7-l*")}. Against Heuristic, which
          never varies, one line of play decides.
        - What it learns (Figures 4 and 8): {study.tally("fig4-*", "*-improves")}. What it owes to learning, and what
          to the recorded games of its codebook, is in the section on what learning adds.
        - Its opponents (abstract): {study.tally("section1-*")}, with Wally as Millen published it.
        """


PAPER = Abramson2001()
