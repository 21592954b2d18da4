"""A designed search: is there a reading that gives both the games won and the fitness of the paper?"""

from itertools import product

from ludus.papers.jain2018.setup import (
    FITNESS_FIRST,
    FITNESS_SECOND,
    FITNESS_TOLERANCE,
    WIN_RATE,
    WIN_TOLERANCE,
    Budget,
    Group,
    held_out,
    shown,
    train_groups,
)
from ludus.papers.jain2018.training import last_wins, metrics, over_phase
from ludus.papers.study import Study

P_ANY = (0.4, 0.6, 0.8, 0.95)
CELLS = [
    {"any_chance": chance, "covers": covers, "end_fitness": pooled, "beta_fitness": beta}
    for chance, covers, pooled, beta in product(P_ANY, ("legal", "all"), ("set", "game"), (0.2, 0.1))
]
"""Every combination of what the paper leaves open and what may change the fitness."""
PART = 3
"""Cells are compared by this part of the paper's games, with its schedule compressed; covering all squares is slow."""


def search(study: Study[Budget]) -> None:
    """Runs of every cell with held-out seeds; then the nearest cell again, with the seeds of the study."""
    if not study.budget.search_runs:
        return
    seeds, rows, distances = held_out(study, study.budget.search_runs), [], []
    games = study.budget.games // PART
    groups = train_groups(study, {_folder("search", cell): ({**cell, "games": games}, seeds) for cell in CELLS})
    cells = [cell for cell in CELLS if _folder("search", cell) in groups]
    for cell in cells:
        wins, first, second = _figures(groups[_folder("search", cell)])
        distances.append(
            max(
                abs(wins - WIN_RATE) / WIN_TOLERANCE,
                abs(first - FITNESS_FIRST) / FITNESS_TOLERANCE,
                abs(second - FITNESS_SECOND) / FITNESS_TOLERANCE,
            )
        )
        rows.append(f"| {_name(cell)} | {wins:.1f}% | {first:.4f} | {second:.4f} | {distances[-1]:.1f} |")
    if not cells:
        return
    nearest = cells[min(range(len(cells)), key=lambda i: distances[i])]
    fits = sum(each <= 1 for each in distances)
    study.section(
        "One setting for both figures?",
        f"The chance of # and the other open choices, {len(cells)} of {len(CELLS)} combinations, {len(seeds)} run each "
        f"of {games:,} games with a seed that is reported nowhere else. The last column is the largest distance from "
        f"the paper's three figures, in units of their tolerances ({WIN_TOLERANCE:g} points, {FITNESS_TOLERANCE:g}); "
        f"up to 1 all three fit. {'None fits' if not fits else f'{fits} fit'}. {_again(study, nearest)}\n\n"
        + "\n".join(["| settings | won, last sixth | fitness, first half | second half | distance |", *rows]),
    )


def _again(study: Study[Budget], nearest: dict[str, object]) -> str:
    """The nearest cell with the seeds of the report and all games."""
    folder = _folder("nearest", nearest)
    groups = train_groups(study, {folder: (nearest, study.seeds)})
    sentence = f"The nearest is {_name(nearest)}"
    if not groups:
        return f"{sentence}."
    table = metrics(groups[folder])
    return (
        f"{sentence}; with the {len(study.seeds)} seeds of the report and {study.budget.games:,} games it wins "
        f"{shown(last_wins(table))} of its last games and has a mean fitness of {over_phase(table, 0):.4f}, then "
        f"{over_phase(table, 1):.4f}."
    )


def _figures(group: Group) -> tuple[float, float, float]:
    table = metrics(group)
    sixth, half = table["wins"].shape[1] // 6, table["wins"].shape[1] // 2
    fitness = table["fitness"].mean(axis=0)
    return 100 * float(table["wins"][:, -sixth:].mean()), float(fitness[:half].mean()), float(fitness[half:].mean())


def _name(cell: dict[str, object]) -> str:
    return ", ".join(f"{name}={value}" for name, value in cell.items())


def _folder(kind: str, cell: dict[str, object]) -> str:
    return f"{kind}/" + "-".join(str(value) for value in cell.values())
