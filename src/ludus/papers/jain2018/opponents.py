"""The trained rules against minimax (Figure 8) and against people (Table I)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ludus.learners.xcs.playing import play_on, read_rules, repeated
from ludus.measures.leagues import league
from ludus.measures.performance import compiled, percent, share_over_runs
from ludus.measures.ratings import rate
from ludus.papers.jain2018.setup import DEPTHS, GAME, GENERAL, MAIN, Budget, Group, Variant, shown
from ludus.papers.study import Study, slug
from ludus.papers.verdicts import verdict_above, verdict_near
from ludus.play.games import play_out
from ludus.play.intervals import Estimate
from ludus.players.names import player
from ludus.records.arena import Tally, results_by_skill

TABLE_1 = {"high": (40, 11, 9), "average": (46, 5, 9), "low": (55, 2, 3)}
"""Wins, losses and ties of the paper's program against people of that skill."""
STATED = {"high": "strong", "average": "average", "low": "new"}
"""What people of that skill would call themselves in the arena."""
ARENA_PLAYER = "xcs:othello6"
STAND_INS = {"high": "alphabeta:depth=4", "average": "noisy:0.1,jain2018", "low": "noisy:0.3,discs"}
"""Programs in the place of people, chosen before any of them was played: who looks four moves ahead, who knows which
squares are worth having and sometimes errs, and who takes as many discs as it can and often errs."""
TABLE_1_GAMES, TABLE_1_TOLERANCE = 60, 10.0

NOISE = 0.1


@dataclass(frozen=True)
class Setting:
    """One way to play the games of Figure 8."""

    learns: bool
    discs: bool = False
    first: bool = False
    noise: bool = False

    @property
    def name(self) -> str:
        parts = [
            "learning goes on" if self.learns else "frozen",
            "disc counts" if self.discs else "square values",
            "first of equal moves" if self.first else "equal moves by lot",
        ]
        return ", ".join([*parts, *["minimax errs in every tenth move"] * self.noise])

    def opponent(self, depth: int) -> str:
        """The player string of the minimax."""
        ties = "first" if self.first else "random"
        searcher = f"minimax:depth={depth},value={'discs' if self.discs else 'jain2018'},ties={ties}"
        return f"noisy:{NOISE},{searcher}" if self.noise else searcher


FROZEN = Setting(learns=False)
SETTINGS = (
    FROZEN,
    *(
        Setting(learns, discs, first)
        for learns in (False, True)
        for discs in (False, True)
        for first in (False, True)
        if learns or discs or first
    ),
    Setting(learns=False, noise=True),
    Setting(learns=True, noise=True),
)
"""The first is the main reading: the paper says that the rules evolved in training were used, not that they evolved
further; without lots both players would repeat one game a hundred times."""


@dataclass(frozen=True)
class Games:
    """The games of some runs against one opponent."""

    shares: list[float]
    """Won in percent, by run."""
    repeats: list[float]
    """Games that are move for move an earlier one of the same series, in percent, by run."""

    @property
    def won(self) -> Estimate:
        """The mean over runs."""
        return share_over_runs(self.shares)


def played(
    study: Study[Budget], group: Group, opponent: str, games: int, *, learns: bool = False, side: int = 0
) -> Games:
    """The players of a group play on from the end of their training, each alone; none of these games is training's."""

    def play() -> dict[str, list[float]]:
        rival, shares, repeats = compiled(player(opponent, study.game)), [], []
        for run in group.runs:
            rules = read_rules(run.folder / "player.safetensors", study.game)
            found = play_on(rules, rival, games, side=side, seed=study.workspace.seed, learns=learns)
            shares.append(100 * float((found.scores == 1).mean()))
            repeats.append(100 * repeated(found.moves))
        return {"won": shares, "repeats": repeats}

    name = f"won/{group.name}-{slug(opponent)}-{('black', 'white')[side]}-{'learning' if learns else 'frozen'}-{games}"
    asked = {"folders": [run.folder.name for run in group.runs], "games": games}
    found = study.workspace.cached(name, asked, play)
    return Games(found["won"], found["repeats"])


def minimax(study: Study[Budget], groups: Mapping[Variant, Group]) -> None:
    """Figure 8."""
    games = study.budget.minimax_games
    found = {
        (variant, setting): [
            played(study, groups[variant], setting.opponent(depth), games, learns=setting.learns) for depth in DEPTHS
        ]
        for variant in (MAIN, GENERAL)
        for setting in SETTINGS
    }
    for i, depth in enumerate(DEPTHS):
        readings = [
            study.reading(
                setting.name if variant is MAIN else f"{variant.name}: {setting.name}",
                ours=each[i].won,
                verdict=verdict_above(each[i].won, 50),
            )
            for (variant, setting), each in found.items()
            if (variant, setting) != (MAIN, FROZEN)
        ]
        ours = found[MAIN, FROZEN][i].won
        study.claim(
            f"fig8-depth-{depth}",
            f"It outperforms minimax of depth {depth} in {games} games as Black.",
            paper="more than 50%",
            ours=ours,
            verdict=verdict_above(ours, 50),
            reading="The rules that training has made, frozen, against a minimax that looks for the paper's values of "
            "squares and draws lots among equal moves. The paper names neither its depths nor its judgement, and its "
            "figure has no numbers that can be read; to outperform is to win more than half of the games.",
            readings=readings,
        )
    _repetition(study, found)
    _finished(study, groups[MAIN])


CONTROLS = {
    "random": "a random mover",
    "jain2018": "one move ahead by the values of squares that the rules are rewarded by",
}


def _finished(study: Study[Budget], group: Group) -> None:
    """The frozen rules against the random player, beside players that have learned nothing."""
    games, opponents = study.budget.measured_games, ["random", *(FROZEN.opponent(depth) for depth in DEPTHS)]
    rows = [
        "| player | random, as Black | as White | " + " | ".join(f"minimax:depth={depth}" for depth in DEPTHS) + " |"
    ]
    ours = [played(study, group, "random", games, side=side).won for side in (0, 1)]
    ours += [played(study, group, each, study.budget.minimax_games).won for each in opponents[1:]]
    rows.append("| the rules | " + " | ".join(map(shown, ours)) + " |")

    def control(name: str) -> list[float]:
        one = compiled(player(name, study.game)).parts
        rivals = [compiled(player(each, study.game)).parts for each in opponents]
        tallies = [play_out(study.game, one, each, games, study.workspace.seed) for each in rivals]
        white = play_out(study.game, rivals[0], one, games, study.workspace.seed)
        return [100 * each / games for each in (tallies[0].wins, white.losses, *(tally.wins for tally in tallies[1:]))]

    for name, words in CONTROLS.items():

        def play(name: str = name) -> list[float]:
            return control(name)

        shares = study.workspace.cached(f"won/control-{name}", {"games": games}, play)
        rows.append(f"| {words} | " + " | ".join(f"{each:.1f}%" for each in shares) + " |")
    study.section(
        "The finished players",
        f"Games won by the rules when learning has stopped, means over {len(study.seeds)} runs, and by two players "
        f"that have learned nothing, in {games:,} games (the rules against minimax in {study.budget.minimax_games}), "
        "as Black where nothing else is said; as White the rules were not trained. Where no rule matches, they draw "
        "lots among the moves.\n\n" + "\n".join(rows),
    )


def _repetition(study: Study[Budget], found: Mapping[tuple[Variant, Setting], list[Games]]) -> None:
    """How much of the success against minimax is one line learned by heart."""
    head = "| rules | how they play | " + " | ".join(f"depth {depth}: won, repeated" for depth in DEPTHS) + " |"
    rows = [
        f"| {variant.name} | {setting.name} | "
        + " | ".join(f"{shown(each.won)}, {np.mean(each.repeats):.0f}%" for each in games)
        + " |"
        for (variant, setting), games in found.items()
    ]
    study.section(
        "Wins learned by heart",
        f"Percent of {study.budget.minimax_games} games won as Black, over {len(study.seeds)} runs, and how many of "
        "them are move for move a repetition of an earlier game of the same hundred. The authors' program has no test "
        "mode: it goes on learning and breeding while it plays. Then it soon finds a line that wins against an "
        "opponent that always answers alike, and plays it again and again. What is left of this against an opponent "
        "that errs now and then, so that games differ, is in the last rows of each kind.\n\n"
        + "\n".join([head, *rows]),
    )


def people(study: Study[Budget], file: Path, group: Group | None = None) -> None:
    """Table I: games that people have played in the arena, by the skill that they state; and programs for people."""
    recorded = results_by_skill(file, ARENA_PLAYER, GAME) if file.exists() else {}
    for skill, (wins, losses, ties) in TABLE_1.items():
        ours = recorded.get(STATED[skill], Tally())
        games, value = ours.wins + ours.losses + ours.ties, round(100 * wins / TABLE_1_GAMES, 1)
        won = percent(np.repeat([1.0, 0.0], [ours.wins, games - ours.wins])) if games else None
        readings = []
        for learns in (False, True):
            if not group:
                break
            found = played(study, group, STAND_INS[skill], TABLE_1_GAMES, learns=learns).won
            name = f"{STAND_INS[skill]} in their place, {'learning goes on' if learns else 'frozen'} (% won)"
            verdict = verdict_near(found, value, TABLE_1_TOLERANCE)
            readings.append(study.reading(name, ours=found, verdict=verdict))
        study.claim(
            f"table1-{skill}",
            f"Against three people of {skill} skill, 20 games each, it wins {wins} of 60 games.",
            paper=f"{wins} won, {losses} lost, {ties} tied",
            ours=f"{ours.wins} won, {ours.losses} lost, {ours.ties} tied" if games else None,
            runs=1 if games else 0,
            verdict=verdict_near(won, value, TABLE_1_TOLERANCE),
            reading=f"Games with people who call themselves {STATED[skill]} against {ARENA_PLAYER} in the arena "
            f"(`ludus serve`){'' if games else '; none have been recorded'}. That player has the strong preset, not "
            "the paper's settings.",
            readings=readings,
            note=f"It wins {shown(won)}, with the interval over games." if won else "",
        )
    if group:
        _calibrated(study)


def _calibrated(study: Study[Budget]) -> None:
    """How strong the programs in the place of people are."""
    names, games = ["random", *reversed(STAND_INS.values())], study.budget.measured_games
    results = league(
        [player(name, study.game) for name in names],
        games,
        study.workspace.runs / "stand-ins",
        seed=study.workspace.seed,
        workers=study.workspace.workers,
    )
    found = {each.name: each.elo for each in rate(results).ratings}
    rows = [f"| {skill} | `{name}` | {found[name] - found['random']:+.0f} |" for skill, name in STAND_INS.items()]
    study.section(
        "Programs in the place of people",
        "Table I needs people; the arena counts their games. Beside it stand programs at three levels, which are not "
        "people: they were chosen by what beginners, casual players and experienced players are said to do, and "
        f"calibrated in a league of {games:,} games for each pair. How strong the paper's people were is not known.\n\n"
        + "\n".join(["| in the place of people of this skill | program | Elo above the random player |", *rows]),
    )
