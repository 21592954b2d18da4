"""How many games the evolved networks win, how large they are, and how evolution went (section 4)."""

from collections.abc import Sequence

import numpy as np

from ludus.compile.rng import Rng, randint, stream
from ludus.games.game import Game
from ludus.measures import figures
from ludus.measures.performance import over_runs, share_over_runs
from ludus.papers.base import Reading
from ludus.papers.moriarty1995.setup import (
    KINDS,
    MAIN,
    OPPONENTS,
    SCALED,
    SEARCHER,
    Budget,
    Population,
    Populations,
    listed,
    others,
    random_mover,
    won,
)
from ludus.papers.study import Study
from ludus.papers.verdicts import verdict_above, verdict_below, verdict_near
from ludus.play.intervals import Estimate
from ludus.players.base import Player
from ludus.players.marker import marker_network

PUBLISHED = {
    ("marker", 1): (97.0, 2.0),
    ("marker", 2): (70.0, 5.0),
    ("fixed-network", 1): (97.0, 2.0),
    ("fixed-network", 2): (7.0, 5.0),
}
"""Games won in percent, and the difference from it that would not matter, by kind of network and number of opponents
met: two points near the end of the scale, else five."""

SMOOTHED = 25
"""Generations that a point of a learning curve is the mean of."""

POOR = 20.0
"""Percent of games won below which networks do `very poorly`."""


def games_won(study: Study[Budget], populations: Populations) -> None:
    """Games won by the best network of each population."""
    _beats(study, populations, "marker", 1, "After {0} generations, marker-based networks beat the random mover.")
    _before(study, populations)
    _beats(study, populations, "marker", 2, "After {1} more, they beat the searcher.")
    _beats(study, populations, "fixed-network", 1, "After {0} generations, fixed networks beat the random mover.")
    _beats(study, populations, "fixed-network", 2, "After {1} more, they do not beat the searcher.")
    _ahead(study, populations)
    _scores_table(study, populations)


def _retested(study: Study[Budget], found: Sequence[Population], phases: int) -> list[float]:
    """The games that the best network of each population wins against the last opponent it met."""
    return [won(study, each.network(phases), OPPONENTS[phases - 1]).value for each in found]


def _beats(study: Study[Budget], populations: Populations, kind: str, phases: int, description: str) -> None:
    """Claim how many games networks win against the last opponent they met."""
    found, (value, tolerance) = populations[kind, MAIN], PUBLISHED[kind, phases]
    shares = _retested(study, found, phases)
    ours = share_over_runs(shares)
    best = max(found, key=lambda each: each.trial(phases)[0])

    def reading(name: str, ours: Estimate, runs: int) -> Reading:
        return study.reading(name, ours=ours, verdict=verdict_near(ours, value, tolerance), runs=runs)

    recorded = "{}, as recorded in evolution"
    readings = [
        reading(
            f"the best of {len(found)} populations by their trials",
            won(study, best.network(phases), OPPONENTS[phases - 1]),
            1,
        ),
        reading(recorded.format(MAIN.name), _recorded(found, phases), len(found)),
    ]
    for variant, each in others(populations, kind):
        readings.append(reading(variant.name, share_over_runs(_retested(study, each, phases)), len(each)))
        readings.append(reading(recorded.format(variant.name), _recorded(each, phases), len(each)))
    study.claim(
        f"section4-{kind}-{('random', 'searcher')[phases - 1]}",
        description.format(*study.budget.generations(kind)),
        paper=f"{value:g}%",
        ours=ours,
        runs=len(found),
        verdict=verdict_near(ours, value, tolerance),
        reading=f"{MAIN.name[0].upper()}{MAIN.name[1:]}; the best network of each population, re-tested in "
        f"{study.budget.games:,} games that played no part in its evolution, mean over populations.",
        readings=readings,
        note=f"Games won, in percent, by population: {listed(shares)}. {_by_chance(study, OPPONENTS[phases - 1])}",
        figure="learning" if phases == 2 else "",
    )


def _by_chance(study: Study[Budget], opponent: str) -> str:
    return f"A random mover wins {won(study, random_mover(study), opponent).value:.1f}."


def _recorded(found: Sequence[Population], phases: int) -> Estimate:
    """The best score of each last generation, in the ten games that evolution went by."""
    return share_over_runs([each.recorded(phases) for each in found])


def _before(study: Study[Budget], populations: Populations) -> None:
    def before(found: Sequence[Population]) -> list[float]:
        return [won(study, each.network(1), SEARCHER).value for each in found]

    shares = before(populations["marker", MAIN])
    poor = share_over_runs(shares)
    readings = []
    for variant, each in others(populations, "marker"):
        theirs = share_over_runs(before(each))
        readings.append(study.reading(variant.name, ours=theirs, verdict=verdict_below(theirs, POOR), runs=len(each)))
    study.claim(
        "section4-marker-before",
        "Before they meet the searcher, marker-based networks do very poorly against it.",
        paper="very poorly",
        ours=f"{poor.value:.1f}%",
        interval=poor.interval,
        runs=len(shares),
        verdict=verdict_below(poor, POOR),
        reading=f"Very poorly is less than {POOR:g}% of games won.",
        readings=readings,
        note=f"By population: {listed(shares)}. {_by_chance(study, SEARCHER)}",
    )


def _ahead(study: Study[Budget], populations: Populations) -> None:
    """Marker-based networks against fixed ones, by seed."""

    def ahead(markers: Sequence[Population], fixed: Sequence[Population]) -> Estimate | None:
        by_seed = {each.seed: each for each in fixed}
        pairs = [(each, by_seed[each.seed]) for each in markers if each.seed in by_seed]
        first, second = (_retested(study, side, 2) for side in zip(*pairs, strict=True)) if pairs else ([], [])
        return over_runs([a - b for a, b in zip(first, second, strict=True)]) if len(pairs) > 1 else None

    ours = ahead(populations["marker", MAIN], populations["fixed-network", MAIN])
    readings = []
    for variant, each in others(populations, "marker"):
        if theirs := ahead(each, populations.get(("fixed-network", variant), ())):
            readings.append(study.reading(variant.name, ours=theirs, verdict=verdict_above(theirs, 0.0), runs=theirs.n))
    study.claim(
        "section4-marker-ahead",
        "Against the searcher marker-based networks win more often than fixed ones.",
        paper="63%",
        ours=ours,
        runs=ours.n if ours else 0,
        verdict=verdict_above(ours, 0.0),
        reading="Judged as an order, not by its size; populations of one seed are compared.",
        readings=readings,
        note="Percent points by which they are ahead, re-tested.",
    )


def _scores_table(study: Study[Budget], populations: Populations) -> None:
    """What was recorded in evolution beside what a re-test finds."""
    head = "| networks, against the searcher | populations | recorded, best of a generation | re-tested, best network |"
    rows = [head + " re-tested, best population | trial of the whole population |"]
    for (kind, variant), found in populations.items():
        retested = _retested(study, found, 2)
        whole = share_over_runs([each.trial(2)[1] for each in found])
        best = max(range(len(found)), key=lambda i: found[i].trial(2)[0])
        rows.append(
            f"| {kind}, {variant.name} | {len(found)} | {_recorded(found, 2):.1f} | {share_over_runs(retested):.1f} | "
            f"{retested[best]:.1f} | {whole:.1f} |"
        )
    study.section(
        "Recorded and re-tested scores",
        "Percent of games won. `Recorded` is the score by which evolution selects: the best of a generation in its "
        "ten games. `Re-tested` are new games. Who is judged once keeps the score of its first ten games, so a lucky "
        "network stays, and its record says little about it.\n\n" + "\n".join(rows),
    )


def hidden_units(study: Study[Budget], populations: Populations) -> None:
    """The size of marker-based networks."""
    found = populations["marker", MAIN]
    counts, before = ([_units(each.network(phases)) for each in found] for phases in (2, 1))
    ours = over_runs([float(count) for count in counts])
    rng = stream(study.workspace.seed, "random chromosomes")
    chance = [_random_units(rng, study.game) for _ in range(200)]
    readings = []
    for variant, each in others(populations, "marker"):
        theirs = over_runs([float(_units(one.network(2))) for one in each])
        readings.append(study.reading(variant.name, ours=theirs, verdict=verdict_near(theirs, 110, 10), runs=len(each)))
    study.claim(
        "section4-hidden-units",
        "Evolved marker-based networks have about 110 hidden units.",
        paper="110",
        ours=ours,
        runs=len(found),
        verdict=verdict_near(ours, 110, 10),
        reading="The best network of each population after both phases.",
        readings=readings,
        note=f"{listed(counts)}; before the searcher {listed(before)}. Evolution is not needed for it: 200 random "
        f"chromosomes have {np.mean(chance):.1f}.",
    )


def _units(one: Player) -> int:
    return len(one.parts.wiring.initial)  # type: ignore[attr-defined]


def _random_units(rng: Rng, othello: Game) -> int:
    chromosome = np.array([randint(rng, 256) - 128 for _ in range(5000)], np.int8)
    return len(marker_network(othello, chromosome).wiring.initial)


def learning_curves(study: Study[Budget], populations: Populations) -> None:
    """How fitness rises against the searcher, for each kind of network, as the paper is read and otherwise."""
    for name, variant in (("learning", MAIN), ("learning-1024ths", SCALED)):
        drawn = {}
        for kind in KINDS:
            if (kind, variant) in populations:
                fitness = np.array([each.fitness() for each in populations[kind, variant]])
                smooth = [
                    figures.moving_average(each, SMOOTHED)
                    for each in (fitness.mean(axis=0), fitness.min(axis=0), fitness.max(axis=0))
                ]
                drawn[kind] = figures.Curve(np.arange(1, len(smooth[0]) + 1), *smooth)
        if drawn:
            ends = np.array([1, len(next(iter(drawn.values())).x)])  # type: ignore[arg-type]
            published = {
                f"the paper, {kind}, the best at the end": figures.Curve(ends, [value, value])
                for kind, value in (("marker", 70.0), ("fixed-network", 7.0))
            }
            file = study.figure(
                name,
                f"Evolution against the searcher ({variant.name})",
                "Games won by all networks of a generation, mean, least and most of the populations, over "
                f"{SMOOTHED} generations; level lines are what the paper's best networks win in the end.",
                alt="Two rising curves",
            )
            figures.curves(
                file,
                drawn,
                x="generation against the searcher",
                y="games won by the population (%)",
                y_range=(0, 100),
                published=published,
            )
