"""Al-Khateeb and Kendall (2012): individual and social learning in evolutionary checkers."""

from ludus.games.names import game
from ludus.papers.alkhateeb2012.beyond import better_evolution, changed_runs
from ludus.papers.alkhateeb2012.consistency import alike
from ludus.papers.alkhateeb2012.controls import controls, outside_strength
from ludus.papers.alkhateeb2012.dispersion import dispersion
from ludus.papers.alkhateeb2012.draws import drawn_games
from ludus.papers.alkhateeb2012.evolved import train_all
from ludus.papers.alkhateeb2012.leagues import against, league
from ludus.papers.alkhateeb2012.notes import NOTES
from ludus.papers.alkhateeb2012.published import published_ratings
from ludus.papers.alkhateeb2012.selection import judged_runs, selection
from ludus.papers.alkhateeb2012.setup import BUDGETS, GAME, Budget
from ludus.papers.alkhateeb2012.usual_start import go_as_you_please
from ludus.papers.base import Paper, Report, Workspace
from ludus.papers.study import Study


class Alkhateeb2012(Paper):
    key = "alkhateeb2012"
    title = "Introducing Individual and Social Learning Into Evolutionary Checkers"
    authors = "Belal Al-Khateeb, Graham Kendall"
    year = 2012
    doi = "10.1109/TCIAIG.2012.2209424"
    summary = (
        "Networks that judge positions of checkers are evolved as in Blondie24 (C0), by a round robin (Blondie24-RR), "
        "and with a pool of good strategies from which those who do badly may learn: every M generations the best "
        "enter it, every N generations the others look into it (C200 to C10 for falling N; C1 has a pool of one). "
        "The more often they learn from others, the better they play; C10 beats all others."
    )
    scales = {
        "quick": "one player of each method, 120 generations looking 2 moves ahead instead of 840 looking 4 ahead, and "
        "fewer of everything else; about ten minutes on two cores. C200 then never learns from others, and C100 once.",
        "full": "one player of each method with the paper's 840 generations, 4 moves ahead, and three more of C0, RR "
        "and C10; ten of these with a tenth of that, three of C0 and C10 under each other reading, and 28 of a better "
        "evolution. About eight core-hours.",
    }

    def run(self, scale: str, workspace: Workspace) -> Report:
        budget = BUDGETS[scale]
        study = Study(scale, budget, workspace, game(GAME), budget.seeds)
        better = changed_runs(study)
        train_all(
            study,
            [
                *(run for runs in judged_runs(study).values() for run in runs),
                *(run for group in better.values() for run in group.values()),
            ],
        )
        published_ratings(study)
        league(study)
        against(study, "C0", "XV, XVI, XVII")
        against(study, "RR", "XVIII, XIX, XX")
        go_as_you_please(study)
        alike(study)
        dispersion(study)
        drawn_games(study)
        controls(study)
        outside_strength(study)
        selection(study)
        better_evolution(study)
        return study.report(NOTES, _summary(study))


def _summary(study: Study[Budget]) -> str:
    """What holds and what does not."""
    better = f"; by a better evolution: {study.tally('beyond-weights-*', 'beyond-social')}"
    return f"""
        - Ratings, computed from the printed results: {study.tally("*-rated")}.
        - The league of social players (Tables XIII and XIV):
          {study.tally("table13-c*", "table13-order", "table14-*")}.
        - Against C0 and Blondie24-RR (Tables XV to XXI): {study.tally("table15-*", "table18-*", "table21-*")}. A
          score has to be near the paper's and to tell who is better, where the paper's does.
        - Whether one method always gives the same strength (Tables III to XII): {study.tally("*-alike")}; how far
          ratings span: {study.tally("*-span")}. The printed spans are smaller than those of equal players by chance;
          see the section on the printed leagues.
        - How many games are drawn (Tables IV and XIII): {study.tally("*-draws")}.
        - Questions of our own, beyond the paper, though counted above: whether evolution adds anything to its first
          generation, or to untrained networks with the same search and a king of 1.5, and whether inner weights matter:
          {study.tally("beyond-untrained-*", "beyond-shuffled-*", "beyond-evolved")}\
{better if study.budget.better_runs else ""}.

        In the league each method is one player, in the paper as here: what differs between methods may differ between
        runs.
        """


PAPER = Alkhateeb2012()
