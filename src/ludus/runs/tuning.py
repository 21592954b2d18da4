"""Tuning: a search for good settings of a learner, by Optuna.

A trial is a choice of settings; what it scores is the mean of a measure over runs with several seeds. It is given up
after any of them if the best of its means so far is worse than the median of the others' there. The study is in
`study.sqlite` in the search's folder, the runs beside it in `trials/`, so an interrupted search resumes and more trials
can be added.

With one worker the same seed gives the same trials: what is tried next depends on the seed and on the finished trials,
never on when a search was interrupted. With several workers as many trials are chosen at once.
"""

import hashlib
import json
import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from ludus.errors import InvalidSetting, LudusError, MissingDependency, StorageError
from ludus.learners.base import Learner, parse_settings
from ludus.learners.names import learner as find_learner
from ludus.measures.figures import bars
from ludus.runs.pool import Cluster, follow_all
from ludus.runs.run import Run
from ludus.runs.scores import Scoring
from ludus.runs.settings import write_settings
from ludus.runs.spec import RunSpec
from ludus.storage import locked, record_request, write_whole

STUDY = "study.sqlite"

SPAN = 10_000
"""Of a log scale that has no lower bound but 0: from its upper bound down to the part of it that this is."""

SEEDS = 2**32
"""How many seeds numpy's older generators know, which Optuna uses."""

UNPRUNED = 4
"""Trials that are never given up, since there is too little to compare them with."""


@dataclass(frozen=True)
class Dimension:
    """A setting that is varied: between two numbers, or over some choices."""

    name: str
    low: float = 0.0
    high: float = 0.0
    log: bool = False
    whole: bool = False
    choices: tuple[Any, ...] = ()

    def __str__(self) -> str:
        if self.choices:
            return f"{self.name} in {', '.join(map(str, self.choices))}"
        return f"{self.name} from {self.low:g} to {self.high:g}" + (" (log)" if self.log else "")


@dataclass(frozen=True)
class Search:
    """What is asked of a search."""

    learner: str
    game: str
    settings: Mapping[str, Any]
    """Those that stay as they are."""
    dimensions: tuple[Dimension, ...]
    scoring: Scoring
    seeds: tuple[int, ...]
    """Of the runs of each trial."""
    folder: Path
    seed: int = 1
    """Of the choices."""


@dataclass(frozen=True)
class Trial:
    """Settings that were tried."""

    number: int
    settings: Mapping[str, Any]
    scores: tuple[float, ...]
    """Of its runs, fewer than there are seeds if it was given up."""
    problem: str = ""
    """Why it could not be tried, if it could not."""

    @property
    def mean(self) -> float:
        return sum(self.scores) / len(self.scores) if self.scores else math.nan


@dataclass(frozen=True)
class Tuned:
    """What a search found."""

    trials: tuple[Trial, ...]
    best: Trial
    importance: Mapping[str, float]
    """The part of each setting in how scores differ (fANOVA), from 0 to 1; empty if there are too few trials."""


def dimensions(learner: Learner[Any, Any], vary: Sequence[str]) -> tuple[Dimension, ...]:
    """What to vary: `alpha` within its own bounds, `alpha=0.001..0.5`, `rates=one|coherent`.

    Without any, all settings whose field names a scale.
    """
    fields = learner.settings.model_fields
    if not vary:
        vary = [name for name, field in fields.items() if _scale(field)]
        if not vary:
            raise InvalidSetting(f"{learner.name} does not say what to tune; name settings, as --vary NAME=LOW..HIGH")
    found = list[Dimension]()
    for text in vary:
        name, _, span = (part.strip() for part in text.partition("="))
        if name not in fields:
            raise InvalidSetting(f"unknown setting {name!r} for {learner.name}; known settings: {', '.join(fields)}")
        if name in (each.name for each in found):
            raise InvalidSetting(f"--vary names {name} twice; name it once")
        found.append(_dimension(learner, name, fields[name], span))
    return tuple(found)


def _dimension(learner: Learner[Any, Any], name: str, field: Any, span: str) -> Dimension:
    kind, choices = field.annotation, tuple[Any, ...]()
    if get_origin(kind) is Literal:
        choices = get_args(kind)
    elif kind is bool:
        choices = (False, True)
    if span and ".." not in span:
        choices = tuple(part.strip() for part in span.split("|"))
        if len(choices) < 2:
            raise InvalidSetting(f"invalid --vary {name}={span}: write {name}=LOW..HIGH or {name}=ONE|OTHER")
    if choices:
        for choice in choices:
            parse_settings(learner, {name: choice})
        return Dimension(name, choices=tuple(choices))
    if kind not in (int, float):
        raise InvalidSetting(f"{name} is no number; write --vary {name}=ONE|OTHER with values that it may have")
    log = _scale(field) == "log"
    low, high = _bounds(field, log)
    if span:
        try:
            low, high = (float(part) for part in span.split(".."))
            if not (math.isfinite(low) and math.isfinite(high)):
                raise ValueError
        except ValueError:
            raise InvalidSetting(f"invalid --vary {name}={span}: write two numbers, {name}=LOW..HIGH") from None
        if not low < high:
            raise InvalidSetting(f"invalid --vary {name}={span}: the first number must be lower")
        for end in (low, high):
            parse_settings(learner, {name: int(end) if kind is int and end == int(end) else end})
    if not (math.isfinite(low) and math.isfinite(high)):
        raise InvalidSetting(f"{name} has no bounds of its own; write --vary {name}=LOW..HIGH")
    return Dimension(name, low, high, log and low > 0, kind is int)


def _bounds(field: Any, log: bool) -> tuple[float, float]:
    """The least and the greatest value that a field allows; of an open end, a value near it."""
    low, high = -math.inf, math.inf
    for each in field.metadata:
        low = max([low, *(float(getattr(each, end)) for end in ("ge", "gt") if hasattr(each, end))])
        high = min([high, *(float(getattr(each, end)) for end in ("le", "lt") if hasattr(each, end))])
    if log and low <= 0 < high:
        low = high / SPAN
    elif any(hasattr(each, "gt") for each in field.metadata):
        low += (high - low) / SPAN
    return low, high


def _scale(field: Any) -> str:
    extra = field.json_schema_extra
    return str(extra.get("scale", "")) if isinstance(extra, Mapping) else ""


def search(
    asked: Search,
    trials: int,
    workers: int = 1,
    cluster: Cluster | None = None,
    tell: Callable[[Trial, bool], None] = lambda trial, given_up: None,
) -> Tuned:
    """Do the search, or what is left of it, until there are so many trials. `tell` takes each trial as it ends."""
    with locked(asked.folder), _optuna(asked.folder) as optuna:
        record_request(asked.folder / "tune.json", _request(asked), "search")
        study = _study(optuna, asked)
        for stale in study.get_trials(deepcopy=False, states=(optuna.trial.TrialState.RUNNING,)):
            study.tell(stale.number, state=optuna.trial.TrialState.FAIL)  # an interrupted process left it
        while (done := len(_finished(optuna, study))) < trials:
            batch = [_asked(optuna, study, asked, done + i) for i in range(min(workers, trials - done))]
            for trial in _tried(optuna, study, asked, batch, workers, cluster):
                tell(*trial)
        return _result(optuna, study, asked)


def _tried(
    optuna: Any, study: Any, asked: Search, batch: Sequence[tuple[int, Any]], workers: int, cluster: Cluster | None
) -> Iterator[tuple[Trial, bool]]:
    """Train and score trials side by side, seed by seed, and end each as soon as it is finished or hopeless."""
    scores: dict[int, list[float]] = {number: [] for number, _ in batch}
    under_way = dict(batch)
    for number, trial in batch:
        if problem := _problem(asked, trial.params):
            trial.set_user_attr("problem", problem)
            study.tell(under_way.pop(number), state=optuna.trial.TrialState.PRUNED)
            yield Trial(number, trial.params, (), problem), True
    for step, seed in enumerate(asked.seeds):
        runs = {number: _run(asked, trial.params, seed) for number, trial in under_way.items()}
        for _ in follow_all(list(runs.values()), workers, cluster, title="training"):
            pass
        for number, run in runs.items():
            trial = under_way[number]
            scores[number].append(asked.scoring.score(run.folder / "player.safetensors", run))
            mean = sum(scores[number]) / len(scores[number])
            trial.set_user_attr("scores", scores[number])
            trial.report(mean, step)
            last = step == len(asked.seeds) - 1
            if last or trial.should_prune():
                state = optuna.trial.TrialState.COMPLETE if last else optuna.trial.TrialState.PRUNED
                study.tell(trial, mean if last else None, state)
                del under_way[number]
                yield Trial(number, trial.params, tuple(scores[number])), not last


def _asked(optuna: Any, study: Any, asked: Search, number: int) -> tuple[int, Any]:
    """The next trial: by a sampler of its own, so that it depends on no earlier process."""
    study.sampler = optuna.samplers.TPESampler(seed=(asked.seed * 1_000_003 + number) % SEEDS)
    return number, study.ask({each.name: _distribution(optuna, each) for each in asked.dimensions})


def _distribution(optuna: Any, dimension: Dimension) -> Any:
    if dimension.choices:
        return optuna.distributions.CategoricalDistribution(dimension.choices)
    if dimension.whole:
        return optuna.distributions.IntDistribution(int(dimension.low), int(dimension.high), log=dimension.log)
    return optuna.distributions.FloatDistribution(dimension.low, dimension.high, log=dimension.log)


def _study(optuna: Any, asked: Search) -> Any:
    lower = asked.scoring.measure is not None and asked.scoring.measure.lower_is_better
    return optuna.create_study(
        storage=f"sqlite:///{(asked.folder / STUDY).absolute()}",
        study_name="ludus",
        direction="minimize" if lower else "maximize",
        pruner=optuna.pruners.MedianPruner(n_startup_trials=UNPRUNED),
        load_if_exists=True,
    )


def _finished(optuna: Any, study: Any) -> list[Any]:
    states = (optuna.trial.TrialState.COMPLETE, optuna.trial.TrialState.PRUNED)
    return list(study.get_trials(deepcopy=False, states=states))


def _result(optuna: Any, study: Any, asked: Search) -> Tuned:
    finished = _finished(optuna, study)
    trials = [
        Trial(number, each.params, tuple(each.user_attrs.get("scores", ())), each.user_attrs.get("problem", ""))
        for number, each in enumerate(finished)
    ]
    whole = study.get_trials(deepcopy=False, states=(optuna.trial.TrialState.COMPLETE,))
    if not whole:
        problem = next((each.problem for each in trials if each.problem), "all were given up")
        raise InvalidSetting(f"none of {len(trials)} trials could be finished ({problem}); vary other settings")
    best, importance = study.best_trial, dict[str, float]()
    if len(whole) > 1 and len({each.value for each in whole}) > 1:
        evaluator = optuna.importance.FanovaImportanceEvaluator(seed=asked.seed % SEEDS)
        found = optuna.importance.get_param_importances(study, evaluator=evaluator)
        importance = {name: float(part) for name, part in found.items()}
    chosen = next(trial for trial, each in zip(trials, finished, strict=True) if each.number == best.number)
    return Tuned(tuple(trials), chosen, importance)


def _run(asked: Search, settings: Mapping[str, Any], seed: int) -> Run:
    """A run of a trial, in a folder by its settings: a trial that was interrupted finds what it has done."""
    spec = RunSpec.create(asked.learner, asked.game, {**asked.settings, **settings}, seed)
    name = hashlib.blake2b(json.dumps(settings, sort_keys=True).encode(), digest_size=6).hexdigest()
    return Run(spec, asked.folder / "trials" / name / f"seed-{seed}")


def _problem(asked: Search, settings: Mapping[str, Any]) -> str:
    """Why these settings can't be tried, if they can't."""
    try:
        learner, game, parsed = RunSpec.create(asked.learner, asked.game, {**asked.settings, **settings}).parsed()
        learner.start(parsed, game, asked.seeds[0])
    except LudusError as problem:
        return str(problem)
    return ""


def _request(asked: Search) -> dict[str, Any]:
    scoring = asked.scoring
    return {
        "learner": asked.learner,
        "game": asked.game,
        "settings": dict(asked.settings),
        "vary": [str(each) for each in asked.dimensions],
        "measure": [scoring.name, scoring.played, scoring.seed],
        "seeds": list(asked.seeds),
        "seed": asked.seed,
    }


@contextmanager
def _optuna(folder: Path) -> Iterator[Any]:
    """Optuna without its messages, for the study in that folder."""
    try:
        import optuna
        from sqlalchemy.exc import SQLAlchemyError  # which Optuna needs
    except ImportError as problem:
        raise MissingDependency.extra("a search for settings needs the package optuna", "tune") from problem
    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield optuna
    except (optuna.exceptions.StorageInternalError, SQLAlchemyError) as problem:
        cause = problem.__cause__ if isinstance(problem, optuna.exceptions.StorageInternalError) else problem
        raise StorageError(
            f"{folder / STUDY} can't be used ({str(cause or problem).partition(chr(10))[0]}); name another folder, "
            "or repeat the command once the disk has room"
        ) from problem
    finally:
        optuna.logging.set_verbosity(before)


def check_search(learner: str, game: str, settings: Mapping[str, Any], vary: Sequence[str]) -> tuple[Dimension, ...]:
    """The settings to vary; raises LudusError if they, or the others, can't be used."""
    spec = RunSpec.create(learner, game, settings)
    found = dimensions(find_learner(spec.learner), vary)
    if both := [each.name for each in found if each.name in settings]:
        raise InvalidSetting(f"{both[0]} is both set and varied; say one of them")
    return found


def write_found(asked: Search, found: Tuned) -> Path:
    """Write the best settings, all trials and the importance of settings into the folder; returns the first file."""
    best = asked.folder / "best.toml"
    settings = {**asked.settings, **found.best.settings}
    write_settings(best, RunSpec.create(asked.learner, asked.game, settings, asked.seed))
    trials = json.dumps([vars(each) for each in found.trials], indent=1) + "\n"
    write_whole(asked.folder / "trials.json", trials.encode())
    if found.importance:
        bars(asked.folder / "importance.svg", found.importance, x="part in how scores differ")
    return best
