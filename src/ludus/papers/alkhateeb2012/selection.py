"""How much a tournament tells: the points of a generation, and those of the same generation in another tournament."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ludus.learners.evolution.blondie24 import EvolutionaryProgramming
from ludus.learners.evolution.operators import survivors
from ludus.measures import figures
from ludus.measures.performance import over_runs
from ludus.papers.alkhateeb2012.evolved import alike_runs, finished, method_run, table
from ludus.papers.alkhateeb2012.setup import Budget
from ludus.papers.study import Study
from ludus.runs.checkpoints import read_checkpoint
from ludus.runs.run import Run

Points = NDArray[np.float64]
"""[tournaments, networks]"""

OTHER_SEED = 10**6
"""Tournaments of a generation differ by so much in their seed."""


class Repeatability(NamedTuple):
    """How alike the tournaments of one generation are, on average over every two of them."""

    correlation: float
    """Of the points of the networks."""
    in_common: float
    """How many would survive by both."""
    by_lot: float
    """The same if equals were ranked by lot instead of as they stand."""
    by_chance: float
    """How many would, were survivors drawn by lot."""


def repeatability(points: Points) -> Repeatability:
    """What these tournaments of one generation have in common. A tournament in which all do the same tells nothing."""
    pairs = list(combinations(points, 2))
    telling = [(a, b) for a, b in pairs if np.ptp(a) and np.ptp(b)]
    lots = points + np.random.default_rng(1).uniform(0, 0.5, points.shape)  # points are whole numbers
    half = len(survivors(points[0]))
    return Repeatability(
        float(np.mean([np.corrcoef(a, b)[0, 1] for a, b in telling])) if telling else 0.0,
        _in_common(points),
        _in_common(lots),
        half**2 / points.shape[1],
    )


def _in_common(points: Points) -> float:
    """How many survive two tournaments, on average over every two of them."""
    return float(np.mean([len(np.intersect1d(survivors(a), survivors(b))) for a, b in combinations(points, 2)]))


def judged_runs(study: Study[Budget]) -> dict[tuple[str, int], list[Run]]:
    """Runs of C0 that end with each of the generations in question, and those of C0 and RR that have all generations.

    By method and generation.
    """
    budget = study.budget
    runs = {
        ("C0", generation): [method_run(study, "C0", seed, generation) for seed in study.seeds[: budget.judged_runs]]
        for generation in budget.judged_generations
    }
    for method in ("C0", "RR"):
        last = list(alike_runs(study, method).values())
        runs[method, int(last[0].spec.settings["generations"])] = last
    return runs


def selection(study: Study[Budget]) -> None:
    """How far the selection of a generation is by strength, and how far by lot."""
    found: dict[tuple[str, int], list[Repeatability]] = {}
    for key, runs in judged_runs(study).items():
        done = finished(study, {str(run.folder): run for run in runs}).values()
        judged = [_tournaments(study, run) for run in done]
        if measured := [repeatability(points) for points in judged if points is not None]:
            found[key] = measured
    if found:
        _report(study, found)


def _tournaments(study: Study[Budget], run: Run) -> Points | None:
    """The points of the last generation of a run in several tournaments; None if that generation was not kept, as of
    runs from an archive."""
    name = f"tournaments/{'-'.join(run.folder.relative_to(study.workspace.runs).parts)}"
    asked, checkpoint = {"repeats": study.budget.repeats}, run.folder / "checkpoint.safetensors"
    if study.workspace.stored(name, asked) is None and not checkpoint.exists():
        return None

    def play() -> list[list[float]]:
        (method, game, settings), seed = run.spec.parsed(), run.spec.seed
        like = method.start(settings, game, seed)
        state, *_ = read_checkpoint(checkpoint, like)
        evolution = cast(EvolutionaryProgramming[Any, Any], method)
        return [
            evolution.evaluate_population(
                settings, game, seed + OTHER_SEED * number, state.generation, state.population
            )[0].tolist()
            for number in range(1, study.budget.repeats + 1)
        ]

    return np.array(study.workspace.cached(name, asked, play))


def _report(study: Study[Budget], found: Mapping[tuple[str, int], Sequence[Repeatability]]) -> None:
    several = {generation: each for (method, generation), each in found.items() if method == "C0" and len(each) > 1}
    rows = [
        [
            method,
            generation,
            len(each),
            f"{np.mean([one.correlation for one in each]):.2f}",
            ", ".join(f"{one.correlation:.2f}" for one in each),
            f"{np.mean([one.in_common for one in each]):.1f}",
            f"{np.mean([one.by_lot for one in each]):.1f}",
            f"{each[0].by_chance:.1f}",
        ]
        for (method, generation), each in found.items()
    ]
    if several:
        file = study.figure(
            "selection",
            "What a tournament tells",
            "Correlation of the points of a generation of C0 in two tournaments; mean over runs with its 95% interval.",
            alt="A curve with a band",
        )
        estimates = [over_runs([one.correlation for one in each], (-1.0, 1.0)) for each in several.values()]
        figures.curves(
            file,
            {"points of two tournaments": figures.Curve.of_estimates(list(several), estimates)},
            x="generation",
            y="correlation",
            y_range=(-0.2, 1.0),
            x_scale="log",
        )
    study.section(
        "What a tournament tells",
        "Survivors are chosen by one tournament. How much of it is chance? "
        f"{study.budget.repeats} tournaments of the same generation, with other opponents and lots: the mean "
        "correlation of a network's points in two of them, and how many of the survivors of one survive by the other "
        "too. Among equals those who stand first survive, so that more than chance is in common even where points tell "
        "nothing; not so if equals are ranked by lot. Runs whose last generation was not kept are left out.\n\n"
        + table(
            "| method | generation | runs | correlation | by run | survivors in common | equals by lot | by chance |",
            rows,
        ),
    )
