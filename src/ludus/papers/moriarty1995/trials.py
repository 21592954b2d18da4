"""Choices that the paper leaves open, tried one at a time: what lifts play against the random mover, and what makes
networks look at the board."""

from collections.abc import Mapping
from dataclasses import replace

from ludus.papers.moriarty1995.seeing import seeing
from ludus.papers.moriarty1995.setup import GAME, RANDOM, SEARCHER, Budget, won
from ludus.papers.study import Study, slug
from ludus.players.base import Player

RAW: Mapping[str, object] = {"weight_scale": 1}

AGAINST_RANDOM: Mapping[str, Mapping[str, object]] = {
    "raw weights (main reading)": RAW,
    "weights in 64ths": {"weight_scale": 64},
    "weights in 1024ths": {"weight_scale": 1024},
    "raw, 30 games": {**RAW, "games": 30},
    "raw, 100 games": {**RAW, "games": 100},
    "1024ths, 100 games": {"weight_scale": 1024, "games": 100},
    "raw, always first": {**RAW, "colours": "first"},
    "raw, always second": {**RAW, "colours": "second"},
    "raw, threshold units": {**RAW, "activation": "threshold"},
    "64ths, tanh units": {"weight_scale": 64, "activation": "tanh"},
    "1024ths, tanh units": {"weight_scale": 1024, "activation": "tanh"},
}
"""By name, in which settings they differ from the learner's defaults."""

CURRICULUM = "; ".join(["random", "alphabeta:depth=1,value=positional", "alphabeta:depth=2,value=positional", SEARCHER])
NOISY = f"random; noisy:0.2,{SEARCHER}"

AGAINST_SEARCHER: Mapping[str, Mapping[str, object]] = {
    "raw weights (main reading)": RAW,
    "weights in 16ths": {"weight_scale": 16},
    "weights in 64ths": {"weight_scale": 64},
    "weights in 1024ths": {"weight_scale": 1024},
    "raw, tanh units, which are 0 without input": {**RAW, "activation": "tanh"},
    "64ths, tanh units": {"weight_scale": 64, "activation": "tanh"},
    "64ths, units linear from -1 to 1": {"weight_scale": 64, "activation": "linear"},
    "raw, threshold units": {**RAW, "activation": "threshold"},
    "raw, 30 games": {**RAW, "games": 30},
    "raw, a searcher that errs in every fifth move": {**RAW, "opponents": NOISY},
    "raw, searchers of depth 1, 2 and 3 in turn": {**RAW, "opponents": CURRICULUM},
    "raw, the random mover and then each other": {**RAW, "opponents": "random; population"},
}


def trials(study: Study[Budget]) -> None:
    """Every choice with a few populations of seeds that are reported nowhere else."""
    budget = study.budget
    if not budget.trial_populations:
        return
    first = budget.marker_generations[0]
    networks = _evolve(study)
    rows = ["| choice | against the random mover | same move as a ranking |"]
    for name in AGAINST_RANDOM:
        found = networks["random", name]
        rows.append(f"| {name} | {_share(study, found, RANDOM)} | {_same(study, found)} |")
    study.section(
        "What lifts play against the random mover",
        f"Percent of {budget.games:,} new games won by the best network after {first} generations, by population; "
        f"{budget.trial_populations} populations of marker-based networks for each choice. The paper has 97%.\n\n"
        + "\n".join(rows),
    )
    rows = ["| choice | against the searcher | against the random mover | same move as a ranking |"]
    for name in AGAINST_SEARCHER:
        found = networks["searcher", name]
        shares = [_share(study, found, opponent) for opponent in (SEARCHER, RANDOM)]
        rows.append(f"| {name} | {' | '.join(shares)} | {_same(study, found)} |")
    study.section(
        "What makes networks look at the board",
        f"The same after {first} generations against the random mover and {budget.trial_generations} more. The last "
        "column is how often the network's choice is that of a constant ranking of squares, in percent: the less, the "
        "more it depends on the position.\n\n" + "\n".join(rows),
    )


def _evolve(study: Study[Budget]) -> dict[tuple[str, str], list[Player]]:
    """The best networks of the populations, by last opponent and choice; all populations share the cores."""
    budget, first = study.budget, study.budget.marker_generations[0]
    asked = {("random", name): {"opponents": RANDOM, **settings} for name, settings in AGAINST_RANDOM.items()}
    for name, settings in AGAINST_SEARCHER.items():
        asked["searcher", name] = {"opponents": f"{RANDOM}; {SEARCHER}", **settings}
    seeds = [seed + 500 for seed in study.workspace.seeds(budget.trial_populations)]
    runs = {}
    for (phase, name), settings in asked.items():
        rest = str(settings["opponents"]).count(";")
        generations = [first, *[budget.trial_generations // max(1, rest)] * rest]
        chosen = {**settings, "generations": "; ".join(map(str, generations)), "trial_games": budget.trial_games}
        group = f"{phase}-{slug(name)}"
        for seed in seeds:
            run = study.workspace.run(f"trials/{group}/seed-{seed}", "marker", GAME, seed, chosen)
            runs[f"trial-{group}-seed-{seed}"] = run, (phase, name)
    finished = study.workspace.train_available({label: run for label, (run, _) in runs.items()})
    networks: dict[tuple[str, str], list[Player]] = {key: [] for key in asked}
    for label, run in finished.items():
        networks[runs[label][1]].append(replace(run.player, label=label))
    return networks


def _share(study: Study[Budget], networks: list[Player], opponent: str) -> str:
    shares = [won(study, each, opponent).value for each in networks]
    return ", ".join(f"{share:.1f}" for share in shares) or "not run"


def _same(study: Study[Budget], networks: list[Player]) -> str:
    same = [seeing(study, each).same for each in networks]
    return ", ".join(f"{each:.0f}" for each in same) or "not run"
