"""Jaśkowski, Szubert and Liskowski (2014): coevolution against temporal difference learning in Othello."""

from ludus.games.names import game
from ludus.papers.base import Paper, Report, Workspace
from ludus.papers.jaskowski2014.notes import NOTES
from ludus.papers.jaskowski2014.parameters import section_5
from ludus.papers.jaskowski2014.performance import table_2
from ludus.papers.jaskowski2014.profiles import figure_2
from ludus.papers.jaskowski2014.published import GAME
from ludus.papers.jaskowski2014.setup import BUDGETS, PLAYERS, Budget, seeds, train_players
from ludus.papers.jaskowski2014.weights import strategies
from ludus.papers.study import Study


class Jaskowski2014(Paper):
    key = "jaskowski2014"
    title = "Multi-Criteria Comparison of Coevolution and Temporal Difference Learning on Othello"
    authors = "Wojciech Jaśkowski, Marcin Szubert, Paweł Liskowski"
    year = 2014
    doi = "10.1007/978-3-662-45523-4_25"
    summary = (
        "Two ways to learn the weights of a piece counter for Othello are compared: one-population coevolution (CEL) "
        "and temporal difference learning by self-play (TDL). By points against random piece counters they are equal; "
        "against a standard heuristic and against each other TDL is far ahead. Performance profiles tell why: CEL "
        "does better against weak opponents, TDL against strong ones."
    )
    scales = {
        "quick": "10 runs of 200,000 games for each learner, a tenth of the paper's, and 2 short ones for each "
        "setting; some minutes on two cores.",
        "full": "100 runs of 2,000,000 games for each learner, as in the paper, and 30 under each other reading; 4 for "
        "12 of the 40 settings of Table 1, 3 for those of Figure 1 that differ from the paper's choice in one thing, "
        "and 8 for the best, with as many games; all settings with a tenth of them; about two and a half hours on two "
        "cores.",
    }

    def run(self, scale: str, workspace: Workspace) -> Report:
        study = Study(scale, BUDGETS[scale], workspace, game(GAME), BUDGETS[scale].runs)
        study.seeds = seeds(study, PLAYERS, study.budget.runs)
        trained = train_players(study)
        table_2(study, trained)
        figure_2(study, trained)
        strategies(study, trained)
        rivals = section_5(study)
        return study.report(NOTES, _summary(study, rivals))


def _summary(study: Study[Budget], rivals: str) -> str:
    """What holds and what does not; and how the paper's choices fared against those of our first report."""
    return f"""
        - Strength (Table 2): {study.tally("table2-*")}, with the fitness of coevolution as the text has it, the sum of
          two averages. The mean over all games, which we chose in earlier reports after the sum had failed, stands
          beside it.
        - Profiles (Figure 2): {study.tally("fig2-*")}.
        - Strategies (Figures 3 to 5): {study.tally("fig3-*", "fig4-*", "fig5-*")}. How many clusters there are depends
          on a bandwidth that the paper does not give.
        - Settings (Table 1, section 5, Figure 1): {study.tally("table1-*", "section5-*", "fig1-*")}.{rivals}
        """


PAPER = Jaskowski2014()
