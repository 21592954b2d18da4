"""What evolution adds: evolved players against untrained networks, piece counts, and themselves shuffled."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product

import numpy as np

from ludus.measures import figures
from ludus.measures.performance import share_over_runs
from ludus.measures.ratings import rate
from ludus.papers.alkhateeb2012.evolved import (
    game_scores,
    interval,
    league_players,
    league_runs,
    match_score,
    method_run,
    players_of,
    result,
    score_over_games,
    table,
    waits_for,
)
from ludus.papers.alkhateeb2012.networks import KING, layer_spans, network_of, pieces_only, shuffled, untrained
from ludus.papers.alkhateeb2012.setup import ALIKE, Budget
from ludus.papers.study import Study
from ludus.papers.verdicts import verdict_above, verdict_superior
from ludus.play.intervals import Estimate
from ludus.players.base import Player
from ludus.players.names import player

KINGS = (1.5, 2.0)
"""What a king is worth to networks of zeros: what evolution comes to, and where it begins."""


def mean_score(study: Study[Budget], one: Player, others: Iterable[Player], games: int) -> Estimate | None:
    """The mean score against these in percent, with the interval over them; nothing if there are no two."""
    scores = [match_score(study, one, other, games) for other in others]
    return share_over_runs(scores) if len(scores) > 1 else None


def controls(study: Study[Budget]) -> None:
    """What the evolved players score against networks that did not evolve, with the same search."""
    budget, evolved = study.budget, league_players(study)
    chance = untrained(study, budget.untrained)
    against: dict[str, dict[str, Estimate]] = {}
    for one in evolved.values():
        found = against.setdefault("untrained networks, king 1.5", {})
        if score := mean_score(study, one, chance, budget.control_games):
            found[one.label] = score
        found = against.setdefault("itself with shuffled inner weights", {})
        if score := mean_score(study, one, shuffled(study, one, budget.untrained), budget.control_games):
            found[one.label] = score
        for king in KINGS:
            found = against.setdefault(f"pieces only, king {king:g}", {})
            scores = game_scores(study, one, pieces_only(study, king), budget.control_games)
            found[one.label] = score_over_games(scores)
    names = {"untrained": "untrained networks, king 1.5", "shuffled": "itself with shuffled inner weights"}
    _claims(study, {key: against.get(name, {}) for key, name in names.items()})
    if evolved:
        _table(study, evolved, against)
        _weights(study, [*evolved.values(), chance[0]])


def _claims(study: Study[Budget], found: Mapping[str, Mapping[str, Estimate]]) -> None:
    count, games = study.budget.untrained, study.budget.control_games
    words = {
        "untrained": f"{{}} beats untrained networks with a king of {KING:g} and the same search.",
        "shuffled": "{} beats itself with its inner weights shuffled.",
    }
    for key, description in words.items():
        for method in ALIKE:
            ours = found[key].get(method)
            study.claim(
                f"beyond-{key}-{method.lower()}",
                f"Beyond the paper: {description.format(method)}",
                paper="not told",
                ours=None if ours is None else f"scores {ours.value:.1f}%",
                interval=ours.interval if ours else None,
                runs=int(ours is not None),
                verdict=verdict_above(ours, 50.0),
                reading=f"The one player of the league, in {games} games from the ballot against each of {count} "
                "networks; the interval is over these networks.",
                note=waits_for(study, {method: league_runs(study)[method]}),
                figure="controls" if ours else "",
            )  # fmt: skip


def _table(study: Study[Budget], evolved: Mapping[str, Player], against: Mapping[str, Mapping[str, Estimate]]) -> None:
    file = study.figure(
        "controls",
        "Evolved players against networks that did not evolve",
        "Score with the same search; at 50% evolution has added nothing.",
        alt="Scores with intervals",
    )
    figures.whiskers(
        file,
        {name: {who: (each.value, *each.interval) for who, each in found.items()} for name, found in against.items()},
        x="score (%)",
    )
    rows = [[name, *(f"{found[name]:.1f}" if name in found else "" for found in against.values())] for name in evolved]
    study.section(
        "What evolution adds",
        f"Scores in percent with 95% intervals, {study.budget.control_games} games from the ballot against each. All "
        f"have the same search. Untrained networks ({study.budget.untrained}, the same for all) are drawn as in the "
        "first generation, with a king that counts as it does after evolution. Pieces only are networks of zeros. "
        f"Shuffled networks ({study.budget.untrained} of each) have the inner weights of each layer in another order; "
        "output weights and king stay. Intervals are over networks, for pieces only over games.\n\n"
        + table("| player | " + " | ".join(against) + " |", rows),
    )


def _weights(study: Study[Budget], players: Sequence[Player]) -> None:
    """How far weights have spread."""
    spread: dict[str, dict[str, tuple[float, float, float]]] = {"inner weights": {}, "output weights": {}}
    rows = []
    for one in players:
        numbers, king = network_of(one)
        spans = layer_spans(one)
        layers = {name: np.concatenate([numbers[each] for each in parts]) for name, parts in spans.items()}
        inner = np.concatenate([each for name, each in layers.items() if name != "output"])
        label = "untrained" if one is players[-1] else one.label
        for group, values in zip(spread, (inner, layers["output"]), strict=True):
            low, middle, high = np.log10(np.percentile(abs(values), [5, 50, 95]))
            spread[group][label] = (float(middle), float(low), float(high))
        cells = [f"{each.std():.3g}" for each in layers.values()]
        rows.append([label, *cells, f"{inner.std():.3g}", f"{abs(inner).max():.3g}", f"{king:.1f}"])
    file = study.figure(
        "weights",
        "How far weights spread",
        "Sizes of the weights of one network of each method, without signs: the median, and where 90% of them lie.",
        alt="Medians with ranges",
    )
    figures.whiskers(file, spread, x="size of a weight, as power of ten")
    head = ["player", *layer_spans(players[0]), "all inner", "largest inner", "king"]
    study.section(
        "How far weights spread",
        "Standard deviation of the weights and biases of each layer. They begin uniformly between -0.2 and 0.2, with a "
        "standard deviation of 0.115, and the king with 2.\n\n" + table("| " + " | ".join(head) + " |", rows),
    )


def outside_strength(study: Study[Budget]) -> None:
    """The evolved players among each other, searchers that count pieces, and a network that has not evolved."""
    evolved = league_players(study)
    first = {"not evolved": method_run(study, "C0", study.seeds[0], 1)}
    others = players_of(study, first)
    compared = "C0" in evolved and bool(others)
    for depth in study.budget.searchers:
        name = f"pieces, {depth} ahead"
        others[name] = replace(player(f"alphabeta:depth={depth},extend=captures", study.game), label=name)
    meetings = [*combinations(reversed(evolved.values()), 2), *product(evolved.values(), others.values())]
    found = rate(result(study, a, b) for a, b in meetings) if evolved else None
    better = found.los["C0"]["not evolved"] if found and compared else None
    study.claim(
        "beyond-evolved",
        f"Beyond the paper: {study.budget.generations} generations of C0 play better than the best of the first.",
        paper="not told",
        ours=None if better is None else f"likelihood {100 * better:.0f}%",
        runs=int(better is not None),
        verdict=verdict_superior(better, who="C0"),
        reading="The best of a first generation has a king of 2, with which networks of zeros are weaker, too.",
        note=waits_for(study, {"C0": league_runs(study)["C0"]} | first),
        figure="strength" if found else "",
    )
    if not found:
        return
    file = study.figure(
        "strength",
        "Strength outside the family",
        "Evolved players among searchers that count pieces.",
        alt="Ratings with intervals",
    )
    ratings = {"rating": {each.name: (each.elo, *interval(each)) for each in found.ratings}}
    figures.whiskers(file, ratings, x="Elo (95% interval over games, not over runs)")
    rows = [
        [each.name, f"{each.elo:+.0f}", f"{-each.minus:.0f} to +{each.plus:.0f}", f"{each.score:.0%}"]
        for each in found.ratings
    ]
    study.section(
        "How strong the players are",
        "The evolved players met each other, searchers that count men and kings (a king as one and a half) and the "
        "best of a first generation, which has random networks: 86 games each. All, the searchers included, look on "
        f"while captures are forced. The evolved players look {study.budget.depth} moves ahead.\n\n"
        + table("| player | Elo | 95% | score |", rows),
    )
