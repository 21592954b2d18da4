"""Measuring: how strong a player is, and how it plays."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ludus.api._given import CORES, DEFAULT_GAME, GameLike, PlayerLike, as_players, game_of
from ludus.api.playing import match
from ludus.checked import checked
from ludus.errors import WrongGame
from ludus.progress import Pace, progress_bar
from ludus.runs.run import Run

if TYPE_CHECKING:
    from ludus.measures.behaviour import Behaviour
    from ludus.measures.dependence import Dependence
    from ludus.measures.ladder import Climb, Rung
    from ludus.measures.performance import Measures
    from ludus.measures.profiles import Profile
    from ludus.measures.regret import Regret
    from ludus.measures.strategies import Strategies


@checked
def measure(
    player: PlayerLike,
    game: GameLike | None = None,
    *,
    games: int = 50_000,
    seed: int = 1,
    workers: int = CORES,
    progress: bool | str = True,
) -> "Measures":
    """Measure a player in percent of all points: against random weights, and against the game's standard player."""
    from ludus.measures.performance import compiled
    from ludus.measures.performance import measure as measured

    one = compiled(as_players([player], game)[0])
    with progress_bar("games", progress) as update:
        pace = Pace()
        return measured(one, games, seed, workers, lambda done: update(done, f"{done:.0%}{pace.left(done)}"))


@checked
def rungs(game: GameLike = DEFAULT_GAME) -> "tuple[Rung, ...]":
    """The ladder of a game: named opponents on one Elo scale, on which `random` has 0, the highest first."""
    from ludus.measures.ladder import ladder as of

    return of(game_of([], game))


@checked
def ladder(
    player: PlayerLike,
    game: GameLike | None = None,
    *,
    games: int = 400,
    precision: float = 30.0,
    seed: int = 1,
    workers: int = CORES,
    progress: bool | str = True,
) -> "Climb":
    """Rate a player on its game's ladder: until its Elo is known to `precision` either way, or the games are played."""
    from ludus.measures.ladder import climb

    (one,) = as_players([player], game)
    with progress_bar("games", progress) as update:
        return climb(
            one,
            games=games,
            precision=precision,
            seed=seed,
            workers=workers,
            progress=lambda played, elo: update(played / games, f"{played} games, {elo:.0f} Elo"),
        )


@checked
def profile(
    *players: PlayerLike,
    game: GameLike | None = None,
    build: bool = False,
    per_bin: int = 10,
    bin_width: float = 5.0,
    games: int = 10,
    seed: int = 1,
    workers: int = CORES,
    progress: bool | str = True,
) -> "dict[str, Profile]":
    """How players fare against opponents of each strength, from the weakest to the strongest, by the player's label.

    The opponents are made once, with `build`: in a minute as they are by default, in a quarter of an hour with
    `per_bin=50, bin_width=1`.
    """
    from ludus.measures import profiles
    from ludus.measures.performance import check_even, compiled

    measured = [compiled(each) for each in as_players(players, game)]
    check_even(games)  # now, not when the opponents are made
    variant = measured[0].game
    path = profiles.usual_path(variant, per_bin, bin_width)
    if path.exists() or not build:
        opponents = profiles.load(path, variant)
    else:
        with progress_bar("opponents", progress) as update:
            opponents = profiles.build(
                variant, path, per_bin, width=bin_width, workers=workers, progress=lambda done, what: update(done, what)
            )
    found = {}
    with progress_bar("profile", progress) as update:
        for number_done, each in enumerate(measured):

            def show(done: float, before: int = number_done, label: str = each.label) -> None:
                update((before + done) / len(measured), f"{label} {done:.0%}")

            found[each.label] = profiles.profile(each, opponents, games, seed, workers, show)
    return found


@checked
def regret(
    player: PlayerLike,
    game: GameLike | None = None,
    *,
    games: int = 100,
    empty: int = 12,
    nodes: int = 1_000_000,
    seed: int = 1,
    workers: int = CORES,
) -> "Regret":
    """What a player of Othello, or of Go up to 5x5, loses to perfect play where `empty` squares are empty, or fewer.

    In discs, or in points on the board, a game. Positions that take more than so many `nodes` to solve are left out,
    and counted as `unsolved`.
    """
    from ludus.measures.regret import regret as measured

    return measured(as_players([player], game)[0], games, empty, nodes, seed, workers)


@checked
def behaviour(
    a: PlayerLike,
    b: PlayerLike,
    game: GameLike | None = None,
    *,
    games: int = 1000,
    seed: int = 1,
    workers: int = CORES,
    opening: str = "usual",
    won: bool = False,
) -> "Behaviour":
    """The pieces that two players have and the moves that they can choose from, move by move over many games."""
    from ludus.measures.behaviour import behaviour as observed

    played = match(a, b, game, games=games, seed=seed, workers=workers, opening=opening, record=True, progress=False)
    return observed(played, won)


@checked
def dependence(
    player: PlayerLike, game: GameLike | None = None, *, games: int = 1000, seed: int = 1, workers: int = CORES
) -> "Dependence":
    """How much a player's choice depends on the position: how many choices no fixed ranking of moves explains.

    The result has that ranking, and with `ranking_player()` a player that goes by it.
    """
    from ludus.measures.dependence import dependence as measured
    from ludus.measures.performance import compiled

    return measured(compiled(as_players([player], game)[0]), games, seed, workers)


@checked
def strategies(players: Sequence[PlayerLike], game: GameLike | None = None, *, quantile: float = 0.3) -> "Strategies":
    """Which of three or more players with weights have learned alike: clusters of their weights, on a map."""
    import numpy as np

    from ludus.evaluators.piece_counter import PieceCounter
    from ludus.measures.strategies import strategies as clustered

    weights = []
    for each in as_players(players, game):
        evaluator = getattr(getattr(each, "parts", None), "evaluator", None)
        if not isinstance(evaluator, PieceCounter):
            raise WrongGame(f"{each.label} has no weights of squares to compare; name runs or files of piece counters")
        weights.append(evaluator.weights)
    names = [str(each.folder) if isinstance(each, Run) else getattr(each, "label", str(each)) for each in players]
    return clustered(np.array(weights), quantile=quantile, players=names)
