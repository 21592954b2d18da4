"""The experiments of moriarty1995: opponents, readings, populations, and how much is done at each scale."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ludus.errors import StorageError
from ludus.measures.performance import percent
from ludus.papers.study import Study
from ludus.play.intervals import Estimate
from ludus.play.matches import match, pair_scores
from ludus.players.base import Player
from ludus.players.names import player
from ludus.runs.run import Run

GAME = "othello8"
RANDOM, SEARCHER = "random", "alphabeta:depth=3,value=positional"
OPPONENTS = (RANDOM, SEARCHER)
"""Of the two phases."""
KINDS = ("marker", "fixed-network")
TRIAL_GAMES = 200
"""Of each network of a last generation, to find the best of its population."""


@dataclass(frozen=True)
class Variant:
    """A reading of how networks are made and selected."""

    name: str
    weights: str
    weight_scale: float
    judged: str


MAIN = Variant("raw weights, judged anew", "raw", 1, "anew")
"""Weights: the chromosome's integers, since the paper defines no scale for them. Judging: everybody plays ten games in
each generation, since the paper never speaks of a stored score, and a population that meets a new opponent needs new
ones. Both were argued from the text and written down before the populations reported here were evolved."""
SCALED = Variant("weights in 1024ths, judged anew", "1024ths", 1024, "anew")
VARIANTS = (
    MAIN,
    Variant("raw weights, judged once", "raw", 1, "once"),
    SCALED,
    Variant("weights in 1024ths, judged once", "1024ths", 1024, "once"),
)


@dataclass(frozen=True)
class Budget:
    """How much is done at a scale."""

    populations: int
    """Of each kind for each reading."""
    marker_generations: tuple[int, int]
    fixed_generations: tuple[int, int]
    games: int
    """For each measure of a network, with random streams that it was not evolved with."""
    trial_populations: int
    """For each choice that is tried."""
    trial_generations: int
    """Against the searcher in those trials."""
    trial_games: int = TRIAL_GAMES

    def generations(self, kind: str) -> tuple[int, int]:
        """Against the random mover, and then against the searcher."""
        return self.marker_generations if kind == "marker" else self.fixed_generations


BUDGETS = {
    "quick": Budget(
        populations=2,
        marker_generations=(100, 150),
        fixed_generations=(100, 150),
        games=1000,
        trial_populations=0,
        trial_generations=0,
    ),
    "full": Budget(
        populations=10,
        marker_generations=(100, 2000),
        fixed_generations=(1000, 2000),
        games=4000,
        trial_populations=3,
        trial_generations=300,
    ),
}


@dataclass(frozen=True)
class Population:
    """Two runs with one seed: through the first phase alone, and through both."""

    kind: str
    variant: Variant
    seed: int
    runs: tuple[Run, Run]

    def network(self, phases: int) -> Player:
        """Its best network after so many phases."""
        label = f"{self.kind}-{self.variant.weights}-{self.variant.judged}-{phases}-seed-{self.seed}"
        return replace(self.runs[phases - 1].player, label=label)

    def recorded(self, phases: int) -> float:
        """The best score of the last generation, in percent of the ten games that evolution went by."""
        return 100 * self._rows(phases, trial=False)[-1]["best_fitness"]

    def trial(self, phases: int) -> tuple[float, float]:
        """The scores of the best and of all of the last generation in games that it was not selected by, in percent."""
        last = self._rows(phases, trial=True)[-1]
        return 100 * last["best_fitness"], 100 * last["mean_fitness"]

    def fitness(self) -> list[float]:
        """The mean score of each generation against the searcher, in percent."""
        return [100 * row["mean_fitness"] for row in self._rows(2, trial=False)]

    def _rows(self, phases: int, trial: bool) -> list[dict[str, float]]:
        rows = self.runs[phases - 1].metrics
        return [row for row in rows if row["phase"] == phases and (row["trials"] > 0) == trial]


Populations = Mapping[tuple[str, Variant], Sequence[Population]]
"""By kind and reading. A partial report has those that are finished, and readings with at least two of them."""


def evolve(study: Study[Budget]) -> Populations:
    """All populations."""
    asked = {
        (kind, variant, seed): tuple(_run(study, kind, variant, phases, seed) for phases in (1, 2))
        for variant in VARIANTS
        for seed in study.seeds
        for kind in KINDS
    }
    finished = study.workspace.train_available({str(run.folder): run for pair in asked.values() for run in pair})
    found: dict[tuple[str, Variant], list[Population]] = {}
    for (kind, variant, seed), (first, both) in asked.items():
        if {str(first.folder), str(both.folder)} <= finished.keys():
            found.setdefault((kind, variant), []).append(Population(kind, variant, seed, (first, both)))
    found = {key: each for key, each in found.items() if len(each) > 1}
    if missing := [kind for kind in KINDS if (kind, MAIN) not in found]:
        raise StorageError(
            f"there is nothing to report yet: no two populations of kind {missing[0]} are finished; leave out --partial"
        )
    return found


def _run(study: Study[Budget], kind: str, variant: Variant, phases: int, seed: int) -> Run:
    """A population that meets the random mover, and in a second phase the searcher."""
    asked = {
        "opponents": "; ".join(OPPONENTS[:phases]),
        "generations": "; ".join(map(str, study.budget.generations(kind)[:phases])),
        "trial_games": study.budget.trial_games,
        "judged": variant.judged,
        "weight_scale": variant.weight_scale,
    }
    group = f"{kind}-{variant.weights}-{variant.judged}-{phases}"
    return study.workspace.run(f"{group}/seed-{seed}", kind, GAME, seed, asked)


def others(populations: Populations, kind: str) -> Iterator[tuple[Variant, Sequence[Population]]]:
    """The populations of a kind under the other readings."""
    for variant in VARIANTS:
        if variant is not MAIN and (kind, variant) in populations:
            yield variant, populations[kind, variant]


def random_mover(study: Study[Budget], seed: int | None = None) -> Player:
    """A player that has learned nothing: what it wins, and how its won games go, takes no strategy."""
    return replace(player(RANDOM, study.game), label="random-mover" + ("" if seed is None else f"-seed-{seed}"))


def won(study: Study[Budget], one: Player, opponent: str) -> Estimate:
    """The games that a network wins in percent, with the interval over its games."""

    def play() -> dict[str, object]:
        workspace = study.workspace
        played = match(
            one, player(opponent, study.game), study.budget.games, seed=workspace.seed, workers=workspace.workers
        )
        found = percent(pair_scores((played.scores == 1).astype(float)))  # as in the paper, a draw is not won
        return {"value": found.value, "interval": found.interval}

    name = f"won/{one.label}-{opponent.partition(':')[0]}"
    found = study.workspace.cached(name, {"games": study.budget.games}, play)
    return Estimate(found["value"], tuple(found["interval"]))


def listed(values: Sequence[float | None]) -> str:
    """Figures as notes show them."""
    return ", ".join("never" if each is None else f"{each:.4g}" for each in values)
