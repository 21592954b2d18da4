"""Beyond the paper: what the strong preset adds, and the 8x8 board that the paper's outlook asks for."""

from collections.abc import Mapping, Sequence

from ludus.measures.performance import compiled, over_runs, share_over_runs
from ludus.papers.jain2018.opponents import played
from ludus.papers.jain2018.setup import LARGER_GAME, Asked, Budget, Group, held_out, shown, train_groups
from ludus.papers.study import Study
from ludus.play.intervals import Estimate
from ludus.play.matches import match
from ludus.players.names import player

GOALS = {"random": 85.0, "minimax:depth=1": 50.0}
"""What the strong preset is for: percent of games won as Black, held out from training."""
NOISY = "noisy:0.1,minimax:depth=1"

WITHOUT: Mapping[str, Mapping[str, object]] = {
    "computing": {"prediction": "number", "rules": 50_000},
    "sharing": {"symmetric": False},
    "foresight": {"after": False},
    "minimax": {"opponents": "random"},
    "rewards": {"rewards": "none", "bootstrap": False},
}
"""What is taken back of the strong preset, or out of it, one at a time, to see what made the difference."""

CHOICE: Mapping[str, Mapping[str, object]] = {
    "choice-results": {"preset": "strong", "rewards": "none", "bootstrap": False},
    "choice-rewards": {"preset": "strong"},
}
"""Learning from results alone, as the preset first did, and from rewards within the game, too."""


def strong_preset(study: Study[Budget], paper: Group) -> None:
    """What the strong preset adds, and which of its settings matter. None of its seeds had a part in choosing it."""
    budget = study.budget
    asked: dict[str, Asked] = {"strong": ({"preset": "strong"}, study.seeds)}
    if budget.without_runs:
        fewer = study.seeds[: budget.without_runs]
        asked |= {f"without-{name}": ({"preset": "strong", **back}, fewer) for name, back in WITHOUT.items()}
    groups = train_groups(study, asked)
    if "strong" not in groups:
        return
    strong = groups.pop("strong")
    found = {"the paper's settings": _measured(study, paper), "preset=strong": _measured(study, strong)}
    for name, group in groups.items():
        back = WITHOUT[name.removeprefix("without-")]
        changed = ", ".join(f"{setting}={value}" for setting, value in back.items())
        found[f"preset=strong, {changed}"] = _measured(study, group)
    rows = [f"| {name} | " + " | ".join(map(shown, map(share_over_runs, each))) + " |" for name, each in found.items()]
    head = "| settings | random, as Black | random, as White | minimax:depth=1, as Black | as White |"
    noisy = {group.name: shown(played(study, group, NOISY, budget.measured_games).won) for group in (strong, paper)}
    study.section(
        "Beyond the paper",
        f"Percent of {budget.measured_games:,} games won by the finished player, mean over runs with 95% "
        "intervals, in games that were not part of training. The goal was 85% against random and more than half "
        f"against minimax of depth 1 after {budget.games:,} games of training; {_goals(found['preset=strong'])}. "
        f"{budget.runs} runs of each, of those that take back a part {budget.without_runs}, with seeds that had no "
        "part in choosing settings.\n\n"
        "Minimax of depth 1 is also one of those the strong preset learns against, and its games differ only where "
        "moves are equal. When it makes every tenth move at random, so that games are new, the strong preset wins "
        f"{noisy['strong']} as Black, the paper's settings {noisy['paper']}."
        "\n\n" + "\n".join([head, *rows]) + "\n\n" + _differences(found) + _choice(study),
    )


def _choice(study: Study[Budget]) -> str:
    """How the preset was chosen, with seeds that are reported nowhere else."""
    runs = study.budget.without_runs
    if not runs:
        return ""
    groups = train_groups(study, {name: (settings, held_out(study, runs)) for name, settings in CHOICE.items()})
    if len(groups) < len(CHOICE):
        return ""
    results, rewards = (_measured(study, group) for group in groups.values())
    changes = [over_runs([a - b for a, b in zip(rewards[i], results[i], strict=True)]) for i in (0, 2)]
    return (
        "\n\nThe preset first learned from results alone. Rewards within the game and the next prediction, as in the "
        f"paper, were added after {runs} runs of each with seeds that are reported nowhere else: "
        f"{_points(changes[0])} against random and {_points(changes[1])} against minimax as Black."
    )


def _measured(study: Study[Budget], group: Group) -> list[list[float]]:
    """Games won against each opponent of the goals, as Black and as White, by run."""
    games = study.budget.measured_games
    return [played(study, group, opponent, games, side=side).shares for opponent in GOALS for side in (0, 1)]


def _goals(found: Sequence[Sequence[float]]) -> str:
    """Whether the goals are reached, as Black."""
    sentences = []
    for (opponent, goal), ours in zip(GOALS.items(), map(share_over_runs, found[::2]), strict=True):
        reached = "is reached" if ours.value > goal else "is missed"
        sentences.append(f"that against {opponent} {reached} with {ours.value:.1f}%")
    return ", ".join(sentences)


def _differences(found: Mapping[str, Sequence[Sequence[float]]]) -> str:
    """What taking back each part of the strong preset changes as Black, run by run of the same seed."""
    whole, rows = found["preset=strong"], []
    for name, each in found.items():
        if name.startswith("preset=strong, "):
            changes = [over_runs([a - b for a, b in zip(each[i], whole[i], strict=False)]) for i in (0, 2)]
            rows.append(f"- `{name.removeprefix('preset=strong, ')}`: " + " and ".join(map(_points, changes)))
    head = "What it changes to take back a part, against random and against minimax as Black, by pairs of one seed:\n\n"
    return head + "\n".join(rows) if rows else ""


def _points(change: Estimate) -> str:
    return f"{change.value:+z.1f} points ({change.interval[0]:+z.1f} to {change.interval[1]:+z.1f})"


def larger_board(study: Study[Budget]) -> None:
    """The 8x8 board, with predictions that are numbers and with computed ones."""
    from ludus.games.names import game

    if not study.budget.larger_runs:
        return
    board, games = game(LARGER_GAME), study.budget.measured_games
    rows = ["| settings | random | heuristic | minimax:depth=1 |"]
    seeds = study.seeds[: study.budget.larger_runs]
    names = {"larger-paper": "the paper's settings", "larger-strong": "preset=strong"}
    groups = train_groups(
        study, {"larger-paper": ({}, seeds), "larger-strong": ({"preset": "strong"}, seeds)}, LARGER_GAME
    )
    if not groups:
        return
    for key, group in groups.items():
        cells = []
        for opponent in ("random", "heuristic", "minimax:depth=1"):

            def play(opponent: str = opponent, group: Group = group) -> list[float]:
                rival = compiled(player(opponent, board))
                return [
                    100
                    * match(run.player, rival, games, seed=study.workspace.seed, workers=study.workspace.workers).wins
                    / games
                    for run in group.runs
                ]

            name_of = f"won/{group.name}-{opponent.replace(':', '-').replace('=', '-')}"
            shares = study.workspace.cached(name_of, {"games": games, "runs": len(group.runs)}, play)
            cells.append(shown(share_over_runs(shares)))
        rows.append(f"| {names[key]} | " + " | ".join(cells) + " |")
    study.section(
        "The 8x8 board",
        f"The paper's outlook asks for the full board and for computed predictions. Percent of {games:,} games won, "
        f"colours swapped, after {study.budget.games:,} games of training; {study.budget.larger_runs} runs each. As in "
        "the paper, rules are trained as Black alone, and against random (the strong preset also against minimax of "
        "depth 1).\n\n" + "\n".join(rows),
    )
