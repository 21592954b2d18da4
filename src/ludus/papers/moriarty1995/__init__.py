"""Moriarty and Miikkulainen (1995): neuro-evolution that discovers mobility in Othello."""

from ludus.games.names import game
from ludus.papers.base import Paper, Report, Workspace
from ludus.papers.moriarty1995.behaviour import game_curves
from ludus.papers.moriarty1995.notes import NOTES
from ludus.papers.moriarty1995.seeing import rankings
from ludus.papers.moriarty1995.setup import BUDGETS, GAME, Budget, evolve
from ludus.papers.moriarty1995.strength import games_won, hidden_units, learning_curves
from ludus.papers.moriarty1995.trials import trials
from ludus.papers.study import Study


class Moriarty1995(Paper):
    key = "moriarty1995"
    title = "Discovering Complex Othello Strategies Through Evolutionary Neural Networks"
    authors = "David E. Moriarty, Risto Miikkulainen"
    year = 1995
    doi = "10.1080/09540099550039228"
    summary = (
        "Networks without any search learn Othello by evolution, first against a random mover, then against an "
        "alpha-beta searcher that looks three moves ahead and judges by position. Architecture and weights are both "
        "written on a chromosome, between markers. Against the random mover they find a positional strategy; against "
        "the searcher they find mobility: few pieces, many moves, and a late turn. Networks of a fixed architecture "
        "do not get that far."
    )
    scales = {
        "quick": "2 populations of each kind for each of four readings, 150 generations against the searcher; about "
        "five minutes on two cores.",
        "full": "10 populations of each kind for each of four readings, with the paper's generations, 2,000 of them "
        "against the searcher; about three hours on two cores.",
    }

    def run(self, scale: str, workspace: Workspace) -> Report:
        study = Study(scale, BUDGETS[scale], workspace, game(GAME), BUDGETS[scale].populations)
        populations = evolve(study)
        games_won(study, populations)
        hidden_units(study, populations)
        game_curves(study, populations)
        learning_curves(study, populations)
        rankings(study, populations)
        trials(study)
        return study.report(NOTES, _summary(study))


def _summary(study: Study[Budget]) -> str:
    """What holds and what does not."""
    return f"""
        - Games won: against the random mover {study.tally("section4-*-random")}; against the searcher
          {study.tally("section4-*-searcher", "*-before", "*-ahead")}. What a network wins depends on
          how weights are scaled and on whether survivors are judged again; the readings stand side by side.
        - How won games go (Figures 4, 5, 6 and 8): {study.tally("figure*")}. Beside the networks' are the won games of
          a random mover: what both have in common is owed to winning, not to a strategy.
        - Size: {study.tally("*-hidden-units")}; random chromosomes have as many units.
        - A constant ranking of squares plays about as well as the network it was made from, even where the network's
          choices depend on the position.
        """


PAPER = Moriarty1995()
