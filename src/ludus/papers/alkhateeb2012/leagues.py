"""The social players: their league, and their matches with those that don't learn from others (Tables IX to XX)."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ludus.measures import figures
from ludus.measures.performance import share_over_runs
from ludus.measures.ratings import Ratings, rate, whole_percent
from ludus.papers.alkhateeb2012.evolved import (
    Players,
    alike_runs,
    game_scores,
    interval,
    league_players,
    league_runs,
    match_score,
    players_of,
    result,
    round_robin,
    score_over_games,
    short_runs,
    waits_for,
)
from ludus.papers.alkhateeb2012.published import BALLOT_GAMES, PUBLISHED
from ludus.papers.alkhateeb2012.setup import (
    ELO_TOLERANCE,
    HUBS,
    MAIN,
    PLANS,
    SCORE_TOLERANCE,
    VARIANTS,
    Budget,
)
from ludus.papers.base import Reading
from ludus.papers.study import Study
from ludus.papers.verdicts import (
    SUPERIOR,
    Ruling,
    verdict_above,
    verdict_all,
    verdict_below,
    verdict_near,
    verdict_pattern,
    verdict_superior,
)
from ludus.play.intervals import Estimate
from ludus.players.base import Player
from ludus.runs.run import Run

IN_ORDER = 0.8
"""The share of pairs in the paper's order from which on the order is partly ours; by chance it would be half."""

ONE_RUN = "One run of each method, as in the paper."
CHOSEN = (
    "{} is the one with the most wins of {} that were evolved in the same way, as in the paper (of ten); the social "
    "player is one run."
)


def league(study: Study[Budget]) -> None:
    """Which M and N are best."""
    players = league_players(study)
    found = _rated(study, players)
    if found:
        _draw_league(study, found)
    _league_claims(study, players, found)
    _draw_history(study)


def _rated(study: Study[Budget], players: Players) -> Ratings | None:
    """Ratings are among those who played, so without one of them they can't be compared with the paper's."""
    if not players.keys() >= set(PLANS):
        return None
    return rate(round_robin(study, {name: players[name] for name in PLANS}))


def _league_claims(study: Study[Budget], players: Players, found: Ratings | None) -> None:
    figure, runs = "league" if found else "", int(bool(found))
    missing = waits_for(study, {name: run for name, run in league_runs(study).items() if name in PLANS})
    others = {} if found is None else _other_leagues(study, players)
    for name, elo, plus, *_ in PUBLISHED["IX, XIII, XIV"]["ratings"]:
        ours = _rating(found, name) if found else None
        study.claim(
            f"table13-{name.lower()}",
            f"In the league of social players {name} is rated {elo:+d}.",
            paper=f"{elo} ± {plus}",
            ours=ours,
            runs=runs,
            verdict=verdict_near(ours, elo, ELO_TOLERANCE),
            reading=ONE_RUN,
            readings=[
                study.reading(words, ours=(value := _rating(each, name)), runs=1,
                              verdict=verdict_near(value, elo, ELO_TOLERANCE))
                for words, each in others.items()
            ],
            note=missing,
            figure=figure,
        )  # fmt: skip
    worst = _worst(found) if found else None
    study.claim(
        "table14-c10",
        "C10 is better than every other social player, with a likelihood of 99% or more.",
        paper="99 or more",
        ours=None if worst is None else 100 * worst,
        runs=runs,
        verdict=verdict_superior(worst, who="C10"),
        reading=ONE_RUN,
        readings=[
            study.reading(words, ours=100 * _worst(each), runs=1, verdict=verdict_superior(_worst(each)))
            for words, each in others.items()
        ],
        note=missing,
        figure=figure,
    )
    _order_claim(study, found, others, missing)


def _order_claim(study: Study[Budget], found: Ratings | None, others: Mapping[str, Ratings], missing: str) -> None:
    pairs = len(PLANS) * (len(PLANS) - 1) // 2
    most = round(IN_ORDER * pairs)

    def judged(ratings: Ratings | None) -> tuple[str | None, Ruling]:
        order = [each.name for each in ratings.ratings] if ratings else []
        agree = sum(order.index(a) > order.index(b) for i, b in enumerate(PLANS) for a in PLANS[:i]) if order else 0
        rule = f"all {pairs} pairs are in order (partly: {most})"
        return (
            f"{agree} of {pairs} pairs" if order else None,
            verdict_pattern(pairs - agree if order else None, 0, pairs - most, rule),
        )

    ours, verdict = judged(found)
    best = f"Best first: {', '.join(each.name for each in found.ratings)}. " if found else ""
    study.claim(
        "table13-order",
        "The more often players learn from others, the better: C1, C200, C100, C50, C20, C10.",
        paper=f"all {pairs} pairs",
        ours=ours,
        runs=int(bool(found)),
        verdict=verdict,
        reading=ONE_RUN,
        readings=[
            study.reading(words, ours=(each_judged := judged(each))[0], verdict=each_judged[1], runs=1)
            for words, each in others.items()
        ],
        note=missing or f"{best}By chance alone half of the pairs would be in order.",
    )


def _other_leagues(study: Study[Budget], players: Players) -> dict[str, Ratings]:
    """The league with another C10 in the place of the first."""
    others = list(players_of(study, alike_runs(study, "C10")).items())[1:]
    plans = {name: players[name] for name in PLANS if name != "C10"}
    found = {}
    for label, other in others:
        results = [result(study, other, each) for each in plans.values()] + round_robin(study, plans)
        found[f"with another run of C10 ({label.split()[-1]})"] = rate(
            [replace(each, a="C10" if each.a == label else each.a) for each in results]
        )
    return found


def _rating(found: Ratings, name: str) -> Estimate:
    rating = next(each for each in found.ratings if each.name == name)
    return Estimate(rating.elo, interval(rating))


def _worst(found: Ratings) -> float:
    """The least likelihood that C10 is better than another."""
    return min(found.los["C10"].values())


def _draw_league(study: Study[Budget], found: Ratings) -> None:
    file = study.figure(
        "league",
        "The league of social players (Table XIII)",
        "Ratings of one evolved player each, by 86 games against every other.",
        alt="Ratings with intervals",
    )
    printed = PUBLISHED["IX, XIII, XIV"]["ratings"]
    figures.whiskers(
        file,
        {
            "paper": {name: (elo, elo - minus, elo + plus) for name, elo, plus, minus, *_ in printed},
            "ours": {each.name: (each.elo, *interval(each)) for each in found.ratings},
        },
        x="Elo (95% interval over games, not over runs)",
    )


def _draw_history(study: Study[Budget]) -> None:
    """How evolution went."""
    drawn = {}
    for name, run in league_runs(study).items():
        if run.finished:
            games, draws = (np.array([row[column] for row in run.metrics]) for column in ("games", "draws"))
            width = max(1, len(games) // 20)
            smooth = np.convolve(draws, np.ones(width) / width, "valid")
            drawn[name] = figures.Curve(games[width - 1 :], 100 * smooth)
    if drawn:
        file = study.figure(
            "draws",
            "Drawn games during evolution",
            "Share of games within the population that were drawn, smoothed over a twentieth of the run.",
            alt="Curves of the share of drawn games",
        )
        figures.curves(file, drawn, x="games", y="drawn games (%)", y_range=(0, 100))


def against(study: Study[Budget], hub: str, tables: str) -> None:
    """Social players against one that is not."""
    players, title = league_players(study), HUBS[hub]
    first = next(iter(players_of(study, alike_runs(study, hub)).values()), None)
    results = {name: result(study, players[name], players[hub]) for name in PLANS if {name, hub} <= players.keys()}
    found = rate(results.values()) if results else None
    printed = {name: counts for name, *counts in PUBLISHED[tables]["against_hub"]}
    names = [rating[0] for rating in PUBLISHED[tables]["ratings"]]
    asked = {hub: league_runs(study)[hub]}
    for name in PLANS:
        wins, draws, losses = printed[name]
        published = 100 * (wins + draws / 2) / BALLOT_GAMES
        los = PUBLISHED[tables]["los"][names.index(name)][names.index(hub)]
        ours, likely, note, readings = None, None, "", list[Reading]()
        if found and name in results:
            ours = score_over_games(game_scores(study, players[name], players[hub]))
            counts, likely = results[name], found.los[name][hub]
            note = (
                f"Ours: {counts.wins} wins, {counts.draws} draws, {counts.losses} losses; better with a "
                f"likelihood of {whole_percent(likely)}%."
            )
            readings = _against_first(study, players[name], first, published, los, title)
            if name == "C10":
                readings += _against_short(study, hub, published, los)
        study.claim(
            f"table{'15' if hub == 'C0' else '18'}-{name.lower()}",
            f"{name} scores {published:.0f}% against {title} ({wins} wins, {draws} draws, {losses} "
            f"losses), and is better with a likelihood of {los}%.",
            paper=f"{published:.0f}%",
            ours=ours,
            runs=int(ours is not None),
            verdict=verdict_all(
                verdict_near(ours, round(published, 1), SCORE_TOLERANCE), *same_better(los / 100, likely, name, title)
            ),
            reading=CHOSEN.format(title, study.budget.alike),
            readings=readings,
            note=note or waits_for(study, {name: league_runs(study)[name]} | asked),
        )


def _against_first(
    study: Study[Budget], one: Player, first: Player | None, published: float, los: int, title: str
) -> list[Reading]:
    """The same against the first that was evolved."""
    if first is None:
        return []
    ours = score_over_games(game_scores(study, one, first))
    likely = rate([result(study, one, first)]).los[one.label][first.label]
    verdict = verdict_all(
        verdict_near(ours, round(published, 1), SCORE_TOLERANCE), *same_better(los / 100, likely, one.label, title)
    )
    return [study.reading(f"against the first {title} that was evolved", ours=ours, verdict=verdict, runs=1)]


def _against_short(study: Study[Budget], hub: str, published: float, los: int) -> list[Reading]:
    """C10 with fewer generations against C0, or RR, of the same seed: over runs, under all readings."""
    readings, generations = [], study.budget.short_generations
    for variant in (MAIN, *(VARIANTS if hub == "C0" else ())):
        runs, theirs = (short_runs(study, method, variant) for method in ("C10", hub))
        scores = [match_score(study, *pair) for pair in pairs_of(study, runs, theirs)]
        if len(scores) > 1:
            ours = share_over_runs(scores)
            better = verdict_above(ours, 50.0) if los >= 50 else verdict_below(ours, 50.0)
            words = f"{generations} generations" + ("" if variant is MAIN else f", {variant.name}")
            verdict = verdict_all(verdict_near(ours, round(published, 1), SCORE_TOLERANCE), better)
            readings.append(study.reading(words, ours=ours, verdict=verdict, runs=len(scores)))
    return readings


def pairs_of(study: Study[Budget], runs: Mapping[str, Run], others: Mapping[str, Run]) -> list[tuple[Player, Player]]:
    """The players of the same seed of two methods, where both are finished."""
    players, theirs = players_of(study, runs), players_of(study, others)
    return [(players[a], theirs[b]) for a, b in zip(runs, others, strict=False) if a in players and b in theirs]


def same_better(paper: float, ours: float | None, name: str, other: str) -> list[Ruling]:
    """The verdict on who is the better of two players, if the paper's likelihood of superiority tells."""
    if paper >= SUPERIOR:
        return [verdict_superior(ours, who=name)]
    if paper <= 1 - SUPERIOR:
        return [verdict_superior(None if ours is None else 1 - ours, who=other)]
    return []
