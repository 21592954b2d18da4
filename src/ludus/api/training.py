"""Training: runs that make players, players that go on learning, and both as files for others."""

import os
from collections.abc import Generator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from ludus.api._given import CORES, GameLike, PlayerLike, as_players, game_of
from ludus.checked import checked
from ludus.errors import InvalidSetting
from ludus.learners.names import learner as learner_named
from ludus.players.base import Player
from ludus.players.names import player_file
from ludus.players.shipped import shipped_in
from ludus.progress import Pace, number, progress_bar
from ludus.runs.run import Progress, Run
from ludus.runs.spec import RunSpec

if TYPE_CHECKING:
    from ludus.measures.adaptation import Played, PlayedByRules
    from ludus.runs.dask import Cluster


@overload
def train(
    learner: str, game: GameLike | None = ..., *, seed: int = ..., folder: str | Path | None = ..., workers: int = ...,
    cluster: "Cluster | None" = ..., snapshots: int = ..., log: Sequence[str] = ..., progress: bool | str = ...,
    settings: Mapping[str, Any] | None = ..., **more: Any,
) -> Run: ...  # fmt: skip
@overload
def train(
    learner: str, game: GameLike | None = ..., *, seeds: Iterable[int], folder: str | Path | None = ...,
    workers: int = ..., cluster: "Cluster | None" = ..., snapshots: int = ..., log: Sequence[str] = ...,
    progress: bool | str = ..., settings: Mapping[str, Any] | None = ..., **more: Any,
) -> list[Run]: ...  # fmt: skip
@checked
def train(
    learner: str,
    game: GameLike | None = None,
    *,
    seed: int = 1,
    seeds: Iterable[int] | None = None,
    folder: str | Path | None = None,
    workers: int = CORES,
    cluster: "Cluster | None" = None,
    snapshots: int = 0,
    log: Sequence[str] = (),
    progress: bool | str = True,
    settings: Mapping[str, Any] | None = None,
    **more: Any,
) -> Run | list[Run]:
    """Train a player, or several with `seeds`, and return the finished run or runs.

    Without a game it is the learner's usual one, that of its paper. The settings of the learner are keywords, or
    `settings`, where one has the name of an argument here. A run is kept in `folder` (by default below `runs/`); one
    that was interrupted resumes from there, one that is finished is returned at once. `workers` runs go on at the same
    time, in processes of this machine or on a Dask `cluster`. `snapshots` intermediate players are kept, too; `log`
    tells each step to trackers, `tensorboard` or `mlflow`.
    """
    chosen = {**(settings or {}), **more}
    several = [seed] if seeds is None else list(seeds)
    runs = plan_runs(learner, game, chosen, several, folder, seeds is not None, snapshots, log)
    if seeds is None and cluster is None:
        follow(runs[0], progress)
        return runs[0]
    for _ in follow_all(runs, workers, cluster, progress):
        pass
    return runs if seeds is not None else runs[0]


@checked
def plan_runs(
    learner: str,
    game: GameLike | None,
    settings: Mapping[str, Any],
    seeds: Sequence[int],
    folder: str | Path | None = None,
    several: bool = True,
    snapshots: int = 0,
    log: Sequence[str] = (),
) -> list[Run]:
    """The runs that `train` would do, in their folders; raises LudusError if anything is wrong with them."""
    from ludus.runs.trackers import check_trackers

    check_trackers(log)
    if not seeds:
        raise InvalidSetting("there are no seeds, so there is nothing to train; give one or more")
    chosen = learner_named(learner).usual_game if game is None else game
    specs = [RunSpec.create(learner, chosen, settings, seed) for seed in seeds]
    if len({spec.seed for spec in specs}) < len(specs):
        raise InvalidSetting("a seed is given twice, which would be the same run again; give each once")
    place = Path(folder or f"runs/{learner}-{specs[0].game.replace(':', '-')}-{seeds[0]}")
    folders = [place / f"seed-{spec.seed}" if several else place for spec in specs]
    return [Run(spec, each, snapshots, tuple(log)) for spec, each in zip(specs, folders, strict=True)]


def follow(run: Run, progress: bool | str = True) -> None:
    """Do a run to its end and show how far it is."""
    paces = list[Pace]()

    def words(at: Progress) -> str:
        if not paces:
            paces.append(Pace(at.done))  # the first step has told how far the run was before
        games = at.row.get("games", 0.0)
        speed = f", {number(round(games / max(at.seconds, 1e-9)))} games/s" if games else ""
        figures = ", ".join(f"{name.replace('_', ' ')} {number(value)}" for name, value in at.row.items())
        return f"{at.done:.0%}{speed}{paces[0].left(at.done)} ({figures})"

    with progress_bar(f"{run.spec.learner} on {run.spec.game}", progress) as update:
        for at in run.steps(curve=True):
            update(at.done, words(at))


def follow_all(
    runs: Sequence[Run], workers: int = CORES, cluster: "Cluster | None" = None, progress: bool | str = True
) -> Generator[Run, None, None]:
    """Do many runs, yield each as it is finished, and show how far they are."""
    from ludus.runs.pool import follow_all as followed

    title = f"{runs[0].spec.learner} on {runs[0].spec.game}"
    yield from followed(runs, workers, cluster, title=title, progress=progress, curve=True)


@checked
def find_runs(folder: str | Path = "runs") -> list[Run]:
    """Every run in a folder or below it that can be read, by name."""
    from ludus.runs.store import find_runs as find

    return find(Path(folder))[0]


@checked
def adapt(
    player: str | Path | Run,
    opponent: PlayerLike,
    game: GameLike | None = None,
    *,
    games: int = 20,
    seed: int = 1,
    save: str | Path | None = None,
) -> "Generator[Played | PlayedByRules, None, None]":
    """Let a player go on learning from its games: rules (`xcs`), or several strategies (`social`).

    Rules are updated and bred as in their training. A player with several strategies changes its strategy when it
    loses. Its file remembers; with `save` a copy learns and is kept there. Yields each game.
    """
    from ludus.measures.adaptation import adapted, learning_file

    given = player.folder if isinstance(player, Run) else player
    variant = game_of([learning_file(str(given))], game)
    rival = as_players([opponent], variant)[0]
    return adapted(str(given), rival, variant, games, seed, Path(save) if save else None)


@checked
def export_run(
    run: str | Path | Run,
    folder: str | Path,
    *,
    games: int = 2000,
    authors: Sequence[str] = (),
    license: str = "",
    seed: int = 1,
    workers: int = CORES,
) -> list[Path]:
    """Write a finished run as a folder for others, with a model card that has both measures by so many games."""
    from ludus.measures.performance import measure as measured
    from ludus.players.base import CompiledPlayer
    from ludus.runs.exchange import check_export
    from ludus.runs.exchange import export_run as export
    from ludus.runs.store import read_run

    one = run if isinstance(run, Run) else read_run(Path(run))
    check_export(one, Path(folder))  # now, not when it is measured
    scores = None
    if games and isinstance(one.player, CompiledPlayer):
        scores = measured(one.player, games, seed, workers)
    return export(one, Path(folder), measures=scores, games=games, authors=authors, license=license)


@checked
def import_run(folder: str | Path, to: str | Path | None = None) -> Run:
    """Take a run that was exported, once its files are checked; by default it is kept as `runs/FOLDER`."""
    from ludus.runs.exchange import import_run as take

    source = Path(folder)
    return take(source, Path(to) if to else Path("runs") / (Path(os.path.abspath(source)).name or "imported"))


@checked
def convert(player: PlayerLike, file: str | Path) -> None:
    """Write an n-tuple player as a file of another form, which its ending tells.

    FILE.txt is the text file that the Othello League takes, of players of 8x8 Othello. FILE.safetensors is a compact
    player file: weights in half precision, those that are 0 left out.
    """
    if (form := Path(file).suffix) not in (".txt", ".safetensors"):
        raise InvalidSetting(f"invalid file {file}: its name must end in .txt or .safetensors")
    if form == ".safetensors":
        from ludus.players.ntuples import write_compact

        if isinstance(player, Player):
            raise InvalidSetting(f"a compact file is made from a file: give the file or the run of {player.label}")
        name = str(player.folder) if isinstance(player, Run) else str(player)
        write_compact(next(iter(shipped_in(name)), player_file(name)), Path(file))
        return
    from ludus.players.othello_league import write_league_file

    write_league_file(as_players([player], None)[0], Path(file))
