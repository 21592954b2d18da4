"""Experiments: many runs and a report. Methods are compared, settings tuned, papers reproduced."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.api._given import CORES, GameLike, as_game, game_of
from ludus.checked import checked
from ludus.errors import InvalidSetting, UnknownName
from ludus.learners.names import learner as learner_named
from ludus.progress import progress_bar

if TYPE_CHECKING:
    from ludus.papers.base import Figure, Report
    from ludus.papers.comparison import Compared
    from ludus.runs.dask import Cluster
    from ludus.runs.groups import GroupLike
    from ludus.runs.tuning import Trial, Tuned


@checked
def compare(
    *groups: "GroupLike | Mapping[str, GroupLike]",
    game: GameLike | None = None,
    measure: str = "generalization",
    games: int | None = None,
    at: str = "end",
    same_within: float | None = None,
    ordered: bool = False,
    lower_is_better: bool | None = None,
    runs: int = 10,
    settings: Mapping[str, Any] | None = None,
    snapshots: int | None = None,
    curves: bool | None = None,
    seed: int = 1,
    folder: str | Path | None = "comparison",
    workers: int = CORES,
    cluster: "Cluster | None" = None,
    progress: bool | str = True,
    command: str = "",
    figures: "Sequence[Figure]" = (),
) -> "Compared":
    """Compare groups of runs by a measure of their players, or by a column of their metrics, and write a report.

    A group is a folder of runs, a pattern of folders, a list of runs, or a learner with settings (`"tdl:alpha=0.1"`).
    Of such a learner `runs` runs are trained, with `seed` and those after it, and with `settings` too, in `game`, or if
    that is None, in the game of the other groups.
    `{"slow": group}` or `"slow=tdl:alpha=0.01"` names a group. They are compared at the end of their training, or `at`
    equal `games` or `seconds`. Groups are called alike if they are the same within `same_within`; groups in an order
    (`ordered`) are tested for a trend. With `curves` runs are also scored on the way, by the `snapshots` that they
    keep; by default unless the measure takes long. The report is written into `folder`, unless that is None; it says
    by which `command` it was made, and shows other `figures` that are there already.
    """
    from dataclasses import replace

    from ludus.measures.comparison import check_comparison
    from ludus.papers.comparison import compare_groups
    from ludus.papers.comparison_report import write_comparison
    from ludus.runs.groups import Training, check_groups, game_played, read_groups, register_planned
    from ludus.runs.pool import follow_all
    from ludus.runs.scores import Scoring, parse_at

    if runs < 2:
        raise InvalidSetting(f"invalid runs={runs}: a group takes two or more to show how runs differ")
    parse_at(at)
    place = Path(folder) if folder is not None else None
    scoring = Scoring(measure, games, seed, workers, place / "measured.json" if place else None)
    curves = not scoring.dear if curves is None else curves
    if snapshots is None:
        snapshots = 4 if curves and scoring.measure else 0
    variant, home = game_of([], game or game_played(groups)), (place or Path("runs")) / "runs"
    chosen = read_groups(groups, Training(variant.name, range(seed, seed + runs), home, snapshots, settings or {}))
    check_groups(chosen)
    check_comparison(len(chosen), same_within, ordered)
    scoring.check_before(chosen[0].runs[0].spec.game, [run for one in chosen for run in one.runs if run.finished])
    if waiting := register_planned(chosen):
        for run in follow_all(waiting, workers, cluster, title="training", progress=progress):
            scoring.check([run])  # a column that there is not need not wait for all of them
    with progress_bar("scoring", progress) as update:
        found = compare_groups(
            chosen,
            scoring,
            at=at,
            same_within=same_within,
            ordered=ordered,
            lower_is_better=lower_is_better,
            curves=curves,
            progress=lambda done, run: update(done, f"{done:.0%} of the runs are scored ({run.folder})"),
        )
    if place:
        found = replace(found, folder=place)
        write_comparison(found, place, command, figures)
    return found


@checked
def tune(
    learner: str,
    game: GameLike | None = None,
    *,
    vary: Sequence[str] = (),
    settings: Mapping[str, Any] | None = None,
    trials: int = 30,
    seeds: int = 3,
    measure: str = "generalization",
    games: int | None = None,
    fresh: int = 10,
    seed: int = 1,
    folder: str | Path | None = None,
    workers: int = 1,
    cluster: "Cluster | None" = None,
    on_trial: "Callable[[Trial, bool], None]" = lambda trial, given_up: None,
    command: str = "",
) -> "tuple[Tuned, Compared | None]":
    """Search for good settings of a learner by Optuna, and measure the best with fresh seeds beside the defaults.

    Without a game it is the learner's usual one, that of its paper.
    `vary` names settings, as `"alpha"`, `"alpha=0.001..0.5"` or `"rates=one|coherent"`; by default those that the
    learner declares. Others are `settings`, for all runs. A trial scores the mean of a measure over `seeds` runs;
    `workers` trials go on at once. An interrupted search resumes from its folder. In the end `best.toml` there has the
    best settings, and `index.html` is a report on `fresh` runs of these and of the defaults, with seeds that the search
    has not seen; with `fresh=0` there is none.
    """
    from ludus.papers.base import Figure
    from ludus.runs.scores import MEASURES, Scoring
    from ludus.runs.tuning import Search, check_search, search, write_found

    variant, settings = as_game(learner_named(learner).usual_game if game is None else game), dict(settings or {})
    if measure not in MEASURES:
        raise UnknownName(f"unknown measure {measure!r}; measures: {', '.join(MEASURES)}")
    if fresh == 1:
        raise InvalidSetting("invalid fresh=1: must be 0, or two or more to show how runs differ")
    varied = check_search(learner, variant.name, settings, vary)
    place = Path(folder or f"runs/tune-{learner}-{variant.name.replace(':', '-')}-{seed}")
    scoring = Scoring(measure, games, seed, CORES, place / "measured.json")
    scoring.check_before(variant.name, ())
    asked = Search(learner, variant.name, settings, varied, scoring, tuple(range(seed, seed + seeds)), place, seed)
    found = search(asked, trials, workers, cluster, on_trial)
    best = write_found(asked, found)
    if not fresh:
        return found, None
    caption = f"Their parts in how scores differ, by fANOVA over {len(found.trials)} trials."
    return found, compare(
        {"tuned": best, "defaults": learner},
        game=variant,
        measure=measure,
        games=games,
        runs=fresh,
        settings=settings,
        seed=seed + seeds,  # of runs and of measures: the search has seen neither
        folder=place,
        workers=workers,
        cluster=cluster,
        progress=False,
        command=command,
        figures=[Figure("importance", f"Importance of the settings of {learner}", caption)] if found.importance else [],
    )


@checked
def reproduce(
    paper: str,
    *,
    scale: str = "quick",
    seed: int = 1,
    folder: str | Path = "reports",
    runs: str | Path = "runs/papers",
    workers: int = CORES,
    cluster: "Cluster | None" = None,
    partial: bool = False,
    unpack: str | Path = "",
    pack: str | Path = "",
    tell: Callable[[str], None] = lambda line: None,
) -> "Report":
    """Run the experiments behind a paper's claims, or what is left of them, and write the report into `folder/PAPER`.

    With `partial` nothing is started: the report covers the runs that are finished. `unpack` takes finished work from
    an archive first, and `pack` writes it into one afterwards (`ludus.papers.archive`).
    """
    from ludus.papers import archive
    from ludus.papers.base import Workspace
    from ludus.papers.names import paper as find_paper
    from ludus.papers.report import reproduce as run_experiments

    chosen = find_paper(paper)
    place = Workspace(
        runs=Path(runs).resolve() / paper / f"{scale}-seed-{seed}",
        report=Path(folder) / paper,
        workers=workers,
        cluster=cluster,
        seed=seed,
        partial=partial,
        log=tell,
    )
    if unpack:
        tell(f"{archive.unpack(Path(unpack), place.runs)} files of finished work are new from {unpack}")
    report = run_experiments(chosen, scale, place)
    if pack:
        tell(f"{archive.pack(place.runs, Path(pack))} files of finished work are in {pack}")
    return report
