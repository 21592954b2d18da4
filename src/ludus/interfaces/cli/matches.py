"""`ludus players`, `ludus match` and `ludus league`."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from ludus.errors import LudusError
from ludus.interfaces.cli.app import AsJson, app, console, print_json

if TYPE_CHECKING:
    from ludus.measures.matches import Match

CORES = os.cpu_count() or 1

PlayerName = Annotated[str, typer.Argument(metavar="PLAYER", help="a player string (`ludus players`) or a player file")]
GameOption = Annotated[str, typer.Option("--game", help="the game, such as othello8, checkers or go9:komi=5.5")]
Games = Annotated[int, typer.Option(min=1, max=10_000_000, help="how many games; two share each opening")]
Seed = Annotated[int, typer.Option(min=0, help="the same seed gives the same games")]
Workers = Annotated[
    int,
    typer.Option(
        min=1, max=1024, help="games under way at once; results don't depend on it", show_default="the number of cores"
    ),
]
RunsAtOnce = Annotated[
    int, typer.Option(min=1, max=1024, help="how many runs at once", show_default="the number of cores")
]
Opening = Annotated[str, typer.Option(help="usual, four-ply (Othello), ballots (checkers), none, or random:K")]


@app.command()
def players(as_json: AsJson = False) -> None:
    """List the kinds of player and how their player strings look, and what those that judge positions look through.

    Example: ludus players
    """
    from ludus.players.evaluators import evaluators
    from ludus.players.strings import kinds

    if as_json:
        judges = [{"name": j.name, "says": j.says, "games": list(j.makes)} for j in evaluators().values()]
        told = [{"name": k.name, "says": k.says, "example": k.example} for k in kinds().values()]
        print_json({"players": told, "evaluators": judges})
        return
    table = Table("player", "what it does", "example", box=None, pad_edge=False)
    for kind in kinds().values():
        table.add_row(kind.name, kind.says, kind.example)
    console().print(table)
    table = Table("value=", "what it looks for", "game", box=None, pad_edge=False)
    for judge in evaluators().values():
        table.add_row(judge.name, judge.says, ", ".join(judge.makes))
    console().print("", table)


@app.command()
def match(
    a: PlayerName,
    b: PlayerName,
    game: GameOption = "othello8",
    games: Games = 1000,
    seed: Seed = 1,
    workers: Workers = CORES,
    opening: Opening = "usual",
    sprt: Annotated[
        str, typer.Option(metavar="LOW:HIGH", help="stop when the Elo difference is decided, as 0:20")
    ] = "",
    save: Annotated[str, typer.Option(metavar="FILE", help="keep the games: .sgf, .pdn, .ggf or .wtb")] = "",
    as_json: AsJson = False,
) -> None:
    """Play many games between two players, colours swapped over the same openings.

    Example: ludus match heuristic alphabeta:depth=2 --game othello8 --games 500
    """
    from ludus.measures.matches import match as play
    from ludus.players.strings import player
    from ludus.registry import game as find

    variant = find(game)
    test = _sequential_test(sprt)
    one, other = player(a, variant), player(b, variant)
    if save:
        from ludus.records.files import check_format

        check_format(Path(save), variant)
    begin = time.perf_counter()
    with _progress(games, quiet=as_json) as tell:
        played = play(
            one, other, games, seed=seed, workers=workers, opening=opening, record=bool(save), test=test, progress=tell
        )
    told = _told(played, time.perf_counter() - begin)
    if as_json:
        print_json(told)
    else:
        print(_in_words(told))
    if save:
        from ludus.records.files import write_games

        write_games(Path(save), list(played.records()))


@app.command()
def league(
    names: Annotated[list[str], typer.Argument(metavar="PLAYER...", help="two or more player strings or files")],
    game: GameOption = "othello8",
    games: Games = 100,
    seed: Seed = 1,
    workers: Workers = CORES,
    opening: Opening = "usual",
    out: Annotated[
        str, typer.Option(metavar="FOLDER", help="where the results go; the same command resumes")
    ] = "league",
    as_json: AsJson = False,
) -> None:
    """Let everybody play everybody, and rate them. Interrupted, the same command goes on.

    Example: ludus league random discs heuristic positional --games 200 --out leagues/first
    """
    from ludus.interfaces.cli.rating import show_ratings
    from ludus.measures.leagues import league as play
    from ludus.measures.ratings import rate
    from ludus.players.strings import player
    from ludus.registry import game as find

    variant = find(game)
    everybody = [player(name, variant) for name in names]
    results = []
    for result in play(everybody, games, Path(out), seed=seed, workers=workers, opening=opening):
        results.append(result)
        if not as_json:
            print(
                f"{result.a} - {result.b}: {result.wins} wins, {result.draws} draws, {result.losses} losses", flush=True
            )
    show_ratings(rate(results), as_json)


def _sequential_test(text: str) -> Any:
    if not text:
        return None
    from ludus.measures.intervals import SequentialTest

    try:
        low, high = (float(part) for part in text.split(":"))
    except ValueError as problem:
        raise LudusError(f"--sprt {text} is not a test; write LOW:HIGH in Elo points, as 0:20") from problem
    return SequentialTest(low, high)


@contextmanager
def _progress(games: int, quiet: bool) -> Iterator[Callable[[Any], None]]:
    """Shows how far a match is: a bar on a terminal, a line every ten seconds elsewhere."""
    if quiet:
        yield lambda scores: None
        return
    if (terminal := console()).is_terminal:
        from rich.progress import Progress

        with Progress(console=terminal, transient=True) as bar:
            task = bar.add_task("games", total=games)
            yield lambda scores: bar.update(task, completed=len(scores), description=f"score {scores.mean():.1%}")
        return
    last = [time.monotonic()]

    def line(scores: Any) -> None:
        if time.monotonic() - last[0] > 10:
            last[0] = time.monotonic()
            print(f"{len(scores)} of {games} games, score {scores.mean():.1%}", flush=True)

    yield line


def _told(played: "Match", seconds: float) -> dict[str, Any]:
    found = played.summary
    reasons = list(played.reasons.values())
    return {
        "game": played.a.game.name,
        "a": played.a.name,
        "b": played.b.name,
        "opening": played.openings.name,
        "seed": played.seed,
        "games": len(played.scores),
        "wins": played.wins,
        "draws": played.draws,
        "losses": played.losses,
        "score": found.score,
        "score_interval": found.interval,
        "elo": _finite(found.elo),
        "elo_interval": [_finite(bound) for bound in found.elo_interval],
        "los": found.los,
        "verdict": played.verdict or None,
        "forfeits": {reason: reasons.count(reason) for reason in sorted(set(reasons))},
        "seconds": round(seconds, 3),
        "games_per_second": round(len(played.scores) / max(seconds, 1e-9), 1),
    }


def _finite(value: float) -> float | None:
    """JSON has no infinity: the Elo difference of a perfect score is null."""
    return value if abs(value) < float("inf") else None


def _in_words(told: dict[str, Any]) -> str:
    def signed(value: float | None, otherwise: str) -> str:
        return otherwise if value is None else f"{value:+.0f}"

    low, high = told["score_interval"]
    best = told["score"] > 0.5
    lines = [
        f"{told['game']}, {told['games']} games, openings {told['opening']}, seed {told['seed']}, "
        f"{told['seconds']:.1f} s ({told['games_per_second']:,.0f} games/s)",
        f"A {told['a']}",
        f"B {told['b']}",
        f"A: {told['wins']} wins, {told['draws']} draws, {told['losses']} losses",
        f"score {told['score']:.1%} (95% from {low:.1%} to {high:.1%})",
        f"Elo {signed(told['elo'], '+inf' if best else '-inf')} (95% from {signed(told['elo_interval'][0], '-inf')} to "
        f"{signed(told['elo_interval'][1], '+inf')}), likelihood that A is better {told['los']:.1%}",
    ]
    if told["verdict"]:
        lines.append(f"sequential test: A is {told['verdict']}")
    if told["forfeits"]:
        lines.append("lost otherwise: " + ", ".join(f"{count} {reason}" for reason, count in told["forfeits"].items()))
    return "\n".join(lines)
