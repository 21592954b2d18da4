"""Territory lost over training (Figures 5 to 9 and 11), and the field of influence of Figure 3."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ludus.games.influence import influence_of
from ludus.games.names import game
from ludus.measures import figures
from ludus.measures.performance import compiled
from ludus.papers.abramson2001.runs import (
    Trained,
    banded,
    early,
    late,
    lost,
    lost_by,
    mean,
    mean_lost,
    metric,
    shown,
    smoothed,
    untrained,
)
from ludus.papers.abramson2001.setup import (
    FIGURE_3,
    INFLUENCE_TOLERANCE,
    LEARNERS,
    LEVEL_TOLERANCE,
    LINEAR,
    LVQ,
    MAIN,
    SETTINGS,
    VARIANTS,
    WHOLE_BOARD_TOLERANCE,
    Budget,
    Setting,
    Variant,
)
from ludus.papers.base import Reading
from ludus.papers.study import Study
from ludus.papers.verdicts import Ruling, verdict_above, verdict_near
from ludus.play.intervals import Estimate
from ludus.players.names import player

FIGURE_3_FIELD = (
    (-0.72, -0.73, -0.49, -1.00, 0.13),
    (-0.70, -0.74, -1.00, 1.00, 0.40),
    (-0.73, -0.60, -1.00, 1.00, 0.87),
    (-0.62, -1.00, 1.00, 1.00, 0.93),
    (-0.59, -0.17, 0.34, 0.84, 0.92),
)

LAST_QUARTER = "The mean over the tests in the last quarter of training"

DIFFERENCE = (-2.0, 2.0)
"""The least and the greatest difference of two parts of the board lost."""

Figures = Callable[[Variant], Sequence[float]]
"""A figure of each run under a reading."""
Rule = Callable[[Estimate | None], Ruling]


def influence(study: Study[Budget]) -> None:
    """The field of Figure 3."""
    field = influence_of(study.game.position(FIGURE_3))
    apart = float(np.abs(field.reshape(5, 5)[::-1] - FIGURE_3_FIELD).max())
    study.claim(
        "fig3-influence",
        "The field of influence of the position in Figure 3, as printed.",
        paper="25 figures",
        ours=f"at most {apart:.3f} apart",
        runs=0,
        verdict=verdict_near(apart, 0.0, INFLUENCE_TOLERANCE),
        reading="Summing the neighbours `with equal weight` is taking their mean: so it is, to about 0.01, at every "
        "empty point of the printed figure.",
        note="The equations solved exactly; the authors stopped rippling before the second digit was right.",
    )


def learning_curves(study: Study[Budget], trained: Trained) -> None:
    """Figures 5 to 9 and 11: territory lost over training."""
    for setting in SETTINGS:
        stem = _curves(study, trained, setting)
        _better(study, trained, setting, stem)
        if setting.key in ("fig5", "fig9"):
            _wins(study, trained, setting, stem)
        if setting.key in ("fig6", "fig8", "fig11"):
            _games_won(study, trained, setting, stem)
        if setting.key == "fig7":
            _converges(study, trained, setting, stem)
        if setting.key == "fig8":
            _improves(study, trained, setting, stem)


def _curves(study: Study[Budget], trained: Trained, setting: Setting) -> str:
    """Draw one of the paper's figures: its stem, or nothing where runs are missing."""
    found = {learner: trained.runs(learner, setting) for learner in LEARNERS}
    if min(map(len, found.values())) < 2:
        return ""
    tables = {learner: metric(runs, "lost") for learner, runs in found.items()}
    games = np.arange(1, tables[LVQ].shape[1] + 1) * study.budget.step_games
    drawn = {LEARNERS[learner]: banded(games, smoothed(table)) for learner, table in tables.items()}
    before = float(np.mean(lost_by(study, untrained(setting), setting, setting.opponent, setting.start)))
    drawn["SLVQ before training"] = figures.Curve(games[[0, -1]], [before, before])
    stem = f"{setting.key}-lost"
    file = study.figure(
        stem,
        f"Territory lost in {setting.title} (the paper's Figure {setting.number})",
        f"Below 0 the learner leads. Means over {len(found[LVQ])} runs of tests of {study.budget.test_games} games "
        "smoothed over 10%, with 95% intervals; the level line is the codebook of the seeds, which has learned "
        f"nothing. Scale {study.scale}, seed {study.workspace.seed}.",
        alt="Two curves over the games of training, and a level line",
    )
    figures.curves(file, drawn, x="games of training", y="part of the board lost", y_range=(-1.05, 1.05))
    return stem


def _readings(
    study: Study[Budget],
    setting: Setting,
    of: Figures,
    rule: Rule,
    learners: Sequence[str],
    within: tuple[float, float] = (-1.0, 1.0),
    form: str = "",
) -> list[Reading]:
    """The figure under every other reading that changes something for one of these learners."""
    found = []
    for variant in VARIANTS:
        if variant is not MAIN and any(variant.changes(learner, setting) for learner in learners):
            values = of(variant)
            found.append(_reading(study, variant.name, mean(values, within), rule, len(values), form))
    return found


def _reading(study: Study[Budget], name: str, found: Estimate | None, rule: Rule, runs: int, form: str = "") -> Reading:
    """A figure under another reading; `form` writes its value in words."""
    if found is None:
        return study.reading(name, ours=None, verdict=rule(None), runs=0)
    ours = form.format(found.value) if form else found.value
    return study.reading(name, ours=ours, interval=found.interval, verdict=rule(found), runs=runs)


def _better(study: Study[Budget], trained: Trained, setting: Setting, stem: str) -> None:
    def ahead(variant: Variant) -> list[float]:
        lvq, linear = (trained.late(learner, setting, variant) for learner in (LVQ, LINEAR))
        return [linear[seed] - lvq[seed] for seed in lvq if seed in linear]

    def rule(found: Estimate | None) -> Ruling:
        return verdict_above(found, 0.0)

    values = ahead(MAIN)
    ours = mean(values, DIFFERENCE)
    means = [shown(mean_lost(trained.late(learner, setting).values())) for learner in (LVQ, LINEAR)]
    study.claim(
        f"{setting.key}-better",
        f"In {setting.title}, SLVQ loses less territory than SLinear.",
        paper="less",
        ours=ours,
        runs=len(values) if ours else 0,
        verdict=rule(ours),
        reading=f"{LAST_QUARTER}, of SLinear less that of SLVQ, by pairs of one seed.",
        readings=_readings(study, setting, ahead, rule, (LVQ, LINEAR), DIFFERENCE),
        note=f"In the last quarter of training SLVQ loses {means[0]}, SLinear {means[1]}.",
        figure=stem,
    )


def _wins(study: Study[Budget], trained: Trained, setting: Setting, stem: str) -> None:
    def lead(variant: Variant) -> list[float]:
        return [-each for each in trained.late(LVQ, setting, variant).values()]

    def rule(found: Estimate | None) -> Ruling:
        return verdict_above(found, 0.0)

    ours = mean_lost(lead(MAIN))
    study.claim(
        f"{setting.key}-wins",
        f"In {setting.title}, SLVQ wins: its territory lost is below 0.",
        paper="wins",
        ours=ours,
        runs=len(lead(MAIN)) if ours else 0,
        verdict=rule(ours),
        reading=f"{LAST_QUARTER}, since winning `corresponds on the average to negative territory lost`. Our figure "
        "is the lead.",
        readings=_readings(study, setting, lead, rule, (LVQ,)),
        figure=stem,
    )


def _games_won(study: Study[Budget], trained: Trained, setting: Setting, stem: str) -> None:
    """How many games the trained players win."""
    mostly = setting.key == "fig6"

    def won(variant: Variant) -> list[float]:
        name, opponent = f"{setting.key}-{variant.key}-{LVQ}", variant.opponent(setting)
        runs = trained.runs(LVQ, setting, variant)
        found = lost(study, name, runs, setting, opponent, setting.start) if runs else {}
        return [100 * float(np.mean(np.array(games) < 0)) for games in found.values()]

    def rule(found: Estimate | None) -> Ruling:
        return verdict_above(found, 50.0 if mostly else 0.0)

    def lead_rule(found: Estimate | None) -> Ruling:
        return verdict_above(found, 0.0)

    values = won(MAIN)
    ours = mean(values, (0.0, 100.0))
    readings = _readings(study, setting, won, rule, (LVQ,), (0.0, 100.0), "{:.0f}% of games")
    if mostly:
        leads = [-each for each in trained.late(LVQ, setting).values()]
        lead = mean_lost(leads)
        readings.insert(0, _reading(study, "by territory: a lead on average", lead, lead_rule, len(leads), "{:.2f}"))
    study.claim(
        f"{setting.key}-wins",
        f"In {setting.title}, SLVQ wins {'most' if mostly else 'some'} of its games.",
        paper="most" if mostly else "a few",
        ours=f"{ours.value:.0f}% of games" if ours else None,
        interval=ours.interval if ours else None,
        runs=len(values) if ours else 0,
        verdict=rule(ours),
        reading=f"{study.budget.measured_games} games of each trained player; "
        + ("most are more than half." if mostly else "some are more than none."),
        readings=readings,
        note=_without_learning(study, setting),
        figure=stem,
    )


def _without_learning(study: Study[Budget], setting: Setting) -> str:
    """What players win that have learned nothing: more than none takes little."""
    untaught = untrained(setting), compiled(player("random", game(setting.game)))
    before, chance = (
        100 * np.mean(np.array(lost_by(study, each, setting, setting.opponent, setting.start)) < 0) for each in untaught
    )
    return (
        f"With nothing learned, in as many games: the codebook before training wins {before:.1f}%, a random mover "
        f"{chance:.1f}%."
    )


def _converges(study: Study[Budget], trained: Trained, setting: Setting, stem: str) -> None:
    """Where both learners end in the problem of Figure 3."""
    claims: Mapping[str, tuple[str, str, str, float, float]] = {
        LINEAR: (
            "fig7-linear",
            "In the problem of Figure 3 SLinear comes to lose the whole board.",
            "1.0",
            1.0,
            WHOLE_BOARD_TOLERANCE,
        ),
        LVQ: ("fig7-level", "There SLVQ comes to be level with Wally.", "about 0.0", 0.0, LEVEL_TOLERANCE),
    }
    for learner, (name, description, paper, value, tolerance) in claims.items():

        def ends(variant: Variant, learner: str = learner) -> list[float]:
            return list(trained.late(learner, setting, variant).values())

        def rule(found: Estimate | None, value: float = value, tolerance: float = tolerance) -> Ruling:
            return verdict_near(found, value, tolerance)

        ours = mean_lost(ends(MAIN))
        study.claim(
            name,
            description,
            paper=paper,
            ours=ours,
            runs=len(ends(MAIN)) if ours else 0,
            verdict=rule(ours),
            reading=f"{LAST_QUARTER}.",
            readings=_readings(study, setting, ends, rule, (learner,)),
            figure=stem,
        )


def _improves(study: Study[Budget], trained: Trained, setting: Setting, stem: str) -> None:
    def gain(variant: Variant) -> list[float]:
        runs = trained.runs(LVQ, setting, variant)
        return (early(metric(runs, "lost")) - late(metric(runs, "lost"))).tolist() if runs else []

    def rule(found: Estimate | None) -> Ruling:
        return verdict_above(found, 0.0)

    readings = []
    if ends := list(trained.late(LVQ, setting).values()):
        before = float(np.mean(lost_by(study, untrained(setting), setting, setting.opponent, setting.start)))
        since = mean([before - each for each in ends], DIFFERENCE)
        readings.append(_reading(study, "against the codebook before training", since, rule, len(ends)))
    values = gain(MAIN)
    ours = mean(values, DIFFERENCE)
    study.claim(
        "fig8-improves",
        "In 7x7 games against Wally, SLVQ improves as training goes on.",
        paper="improves",
        ours=ours,
        runs=len(values) if ours else 0,
        verdict=rule(ours),
        reading="What it loses in the first quarter of training, less that in the last: the curve should fall.",
        readings=readings + _readings(study, setting, gain, rule, (LVQ,), DIFFERENCE),
        figure=stem,
    )
