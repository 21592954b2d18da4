"""Abramson and Wechsler (2001): Sarsa with learning vector quantization in Go on small boards."""

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Game
from ludus.lab.many import Task
from ludus.lab.shelf import read_rows
from ludus.learners.sarsa import territory_lost
from ludus.learners.seeds import read_seeds, seed_file
from ludus.measures import figures
from ludus.measures.figures import Curve
from ludus.measures.matches import match
from ludus.measures.performance import Performance, compiled, over_runs
from ludus.papers.abramson2001_notes import NOTES
from ludus.papers.paper import Claim, Figure, Paper, Report, Section, Workplace, judged, judged_above
from ludus.players.codebook import UNIT, Codebook, codebook
from ludus.players.fields import field_of as influence_of
from ludus.players.player import CompiledPlayer
from ludus.players.strings import player
from ludus.records.files import read_games, write_games
from ludus.registry import game

LEARNERS = {"sarsa-lvq": "SLVQ", "sarsa-linear": "SLinear"}
RULES = "rules=abramson2001,komi=0"

FIGURE_3 = "...O./..OX./..OX./.OXX./..... X"
FIGURE_3_FIELD = (
    (-0.72, -0.73, -0.49, -1.00, 0.13),
    (-0.70, -0.74, -1.00, 1.00, 0.40),
    (-0.73, -0.60, -1.00, 1.00, 0.87),
    (-0.62, -1.00, 1.00, 1.00, 0.93),
    (-0.59, -0.17, 0.34, 0.84, 0.92),
)

OUR_PROBLEM = "......./....OO./...OXX./...OX../...OXX./...OOX./....O.. X"
"""A life-and-death problem of our own on 7x7, in place of the paper's Figure 10, which is lost.

By GNU Go's play at level 10, Black lives with G4 and keeps 12 points; if White moves first, it takes the whole board.
"""

GNUGO = (
    "gtp:gnugo --mode gtp --level {} --chinese-rules --positional-superko --capture-all-dead --never-resign --seed {}"
)


@dataclass(frozen=True)
class Setting:
    """A board, an opponent and where games begin: one of the paper's figures."""

    key: str
    number: int
    size: int
    opponent: str
    start: str
    title: str

    @property
    def game(self) -> str:
        return f"go{self.size}:{RULES}"


SETTINGS = (
    Setting("fig5", 5, 5, "influence", "", "5x5 games against Heuristic"),
    Setting("fig6", 6, 5, "wally", "", "5x5 games against Wally"),
    Setting("fig7", 7, 5, "wally", FIGURE_3, "the 5x5 problem of the paper's Figure 3 against Wally"),
    Setting("fig8", 8, 7, "wally", "", "7x7 games against Wally"),
    Setting("fig9", 9, 7, "influence", "", "7x7 games against Heuristic"),
    Setting("fig11", 11, 7, "wally", OUR_PROBLEM, "a 7x7 problem of our own against Wally"),
)

LIFTED = {"gamma": 1.0, "alpha": 0.3, "cooling": 0.5}
"""Settings under which it goes on learning."""

STUDY: Mapping[str, Mapping[str, Any]] = {
    "as in the paper": {},
    "no seeds": {"seeds": "none"},
    "seeds from 9 of the 27 games": {"seeds": "9"},
    "seeds from 108 games": {"seeds": "108", "capacity": 8000},
    "growth at half of a perfect match": {"growth": 0.5, "capacity": 8000},
    "local patterns, focus 0.5": {"focus": 0.5},
    "local patterns, focus 1": {"focus": 1.0},
    "also learning from the opponent": {"from_opponent": True},
    "three times the games": {"games": 3},
    "no discount": {"gamma": 1.0},
    "rate 0.3, falling with the root of uses": {"alpha": 0.3, "cooling": 0.5},
    "both of these": LIFTED,
    "both, three times the games": {**LIFTED, "games": 3},
    "both, six times the games": {**LIFTED, "games": 6},
    "both, seeds from 108 games": {**LIFTED, "seeds": "108", "capacity": 8000},
    "lambda 0.5": {"decay": 0.5},
    "lambda 0.95": {"decay": 0.95},
}
"""Changes to the paper's settings, against Wally on 5x5. `games` is a factor, `seeds` a number of games."""

BEST = "both, six times the games"
QUICK_STUDY = ("as in the paper", "no seeds", "both of these")


@dataclass(frozen=True)
class Budget:
    """How much is done at a scale."""

    runs: int
    games: int
    step_games: int
    test_games: int
    measured_games: int
    study_runs: int
    engine_games: int


BUDGETS = {
    "quick": Budget(2, 300, 50, 5, 50, 2, 4),
    "full": Budget(10, 2000, 50, 20, 200, 4, 20),
}


class Abramson2001(Paper):
    key = "abramson2001"
    title = "Competitive Reinforcement Learning for Combinatorial Problems"
    authors = "Myriam Abramson, Harry Wechsler"
    year = 2001
    summary = (
        "SLVQ learns to play Go on 5x5 and 7x7: a codebook of positions, seen as fields of influence, each with a move "
        "whose utility Sarsa learns, while the positions themselves are drawn towards what has served well. It is "
        "compared with SLinear, a weight for each point, in games and in two life-and-death problems against two "
        "opponents: Heuristic, which plays for influence, and Wally, which captures and knows a few patterns."
    )
    scales = {
        "quick": "2 runs of 300 games for each learner and figure; some minutes on two cores.",
        "full": "10 runs of 2,000 games for each learner and figure (the paper's length is not readable), a test of "
        "20 games after every 50; about an hour on one core.",
    }

    def run(self, scale: str, place: Workplace) -> Report:
        study = _Study(scale, BUDGETS[scale], place)
        parts = [
            study.influence(), study.curves(), study.codebook(), study.opponents(), study.baselines(), study.lifts(),
            study.engines(),
        ]  # fmt: skip
        return Report(
            claims=[claim for claims, _, _ in parts for claim in claims],
            figures=[figure for _, drawn, _ in parts for figure in drawn],
            sections=[*(section for _, _, told in parts for section in told), *NOTES],
            settings=asdict(study.budget),
            seeds=study.seeds,
        )


Part = tuple[list[Claim], list[Figure], list[Section]]


@dataclass(frozen=True)
class _Study:
    """The experiments at one scale."""

    scale: str
    budget: Budget
    place: Workplace

    @property
    def seeds(self) -> list[int]:
        return self.place.seeds(self.budget.runs)

    def influence(self) -> Part:
        """The field of Figure 3."""
        position = game("go5").position(FIGURE_3)
        field = influence_of(position)
        apart = float(np.abs(field.reshape(5, 5)[::-1] - FIGURE_3_FIELD).max())
        claim = Claim(
            "fig3-influence", "The field of influence of the position in Figure 3, as printed.",
            "25 figures", f"at most {apart:.3f} apart", None, 0, self.scale, judged(0.0, 0.02, apart),
            note="The equations solved exactly; the authors stopped rippling before the second digit was right.",
        )  # fmt: skip
        return [claim], [], []

    def curves(self) -> Part:
        """Figures 5 to 9 and 11: territory lost over training."""
        budget, claims, drawn = self.budget, list[Claim](), list[Figure]()
        self.place.train(
            [self._task(learner, each, seed) for each in SETTINGS for learner in LEARNERS for seed in self.seeds]
        )
        for each in SETTINGS:
            tables = {learner: self._table(learner, each, "lost") for learner in LEARNERS}
            games = np.arange(1, tables["sarsa-lvq"].shape[1] + 1) * budget.step_games
            stem = f"{each.key}-lost"
            figures.curves(
                self.place.report / f"{stem}.svg",
                {LEARNERS[learner]: banded(games, smoothed(table)) for learner, table in tables.items()},
                x="games of training", y="part of the board lost", y_range=(-1.05, 1.05),
            )  # fmt: skip
            drawn.append(
                Figure(
                    stem, f"Territory lost in {each.title} (the paper's Figure {each.number})",
                    f"Below 0 the learner leads. Means over {budget.runs} runs of tests of {budget.test_games} games "
                    f"smoothed over 10%, with 95% intervals. Scale {self.scale}, seed {self.place.seed}.",
                    alt="Two curves over the games of training",
                )
            )  # fmt: skip
            claims += self._judged(each, tables, stem)
        return claims, drawn, []

    def _judged(self, each: Setting, tables: Mapping[str, NDArray[np.float64]], stem: str) -> list[Claim]:
        """What the paper says of one of its figures, by the last quarter of training."""
        last = {learner: late(table) for learner, table in tables.items()}
        lvq, linear = last["sarsa-lvq"], last["sarsa-linear"]
        ahead = mean(linear - lvq)
        note = f"In the last quarter of training SLVQ loses {shown(mean(lvq))}, SLinear {shown(mean(linear))}."
        claims = [
            self._claim(
                f"{each.key}-better", f"In {each.title}, SLVQ loses less territory than SLinear.",
                "less", ahead, judged_above(0.0, ahead.percent, ahead.interval), stem, note,
            )
        ]  # fmt: skip
        if each.key in ("fig5", "fig9"):
            lead = mean(-lvq)
            says = f"In {each.title}, SLVQ wins: its territory lost is below 0."
            claims.append(
                self._claim(
                    f"{each.key}-wins", says, "wins", lead, judged_above(0.0, lead.percent, lead.interval), stem,
                    "Our figure is its lead.",
                )
            )  # fmt: skip
        if each.key in ("fig6", "fig8", "fig11"):
            claims.append(self._won(each, stem))
        if each.key == "fig7":
            whole, level = mean(linear), mean(lvq)
            claims += [
                self._claim(
                    "fig7-linear", "In the problem of Figure 3 SLinear comes to lose the whole board.", "1.0", whole,
                    judged(1.0, 0.1, whole.percent, whole.interval), stem,
                ),
                self._claim(
                    "fig7-level", "There SLVQ comes to be level with Wally.", "about 0.0", level,
                    judged(0.0, 0.15, level.percent, level.interval), stem,
                ),
            ]  # fmt: skip
        if each.key == "fig8":
            table = tables["sarsa-lvq"]
            gain = mean(early(table) - late(table))
            claims.append(
                self._claim(
                    "fig8-improves", "In 7x7 games against Wally, SLVQ improves as training goes on.", "improves", gain,
                    judged_above(0.0, gain.percent, gain.interval), stem,
                    "Our figure is what it loses in the first quarter of training, less that in the last.",
                )
            )  # fmt: skip
        return claims

    def _won(self, each: Setting, stem: str) -> Claim:
        """How many games the trained players win."""
        lost = np.array(self._lost("sarsa-lvq", each, each.opponent, each.start))
        found = mean(100 * np.mean(lost < 0, axis=1))
        mostly = each.key == "fig6"
        return Claim(
            f"{each.key}-wins", f"In {each.title}, SLVQ wins {'most' if mostly else 'some'} of its games.",
            "most" if mostly else "a few", f"{found.percent:.0f}% of games", found.interval,
            self.budget.runs, self.scale,
            judged_above(50.0 if mostly else 0.0, found.percent, found.interval),
            note=f"{self.budget.measured_games} games of each trained player.", figure=stem,
        )  # fmt: skip

    def codebook(self) -> Part:
        """Figure 4, growth, and what vectors look like."""
        each, report, drawn, rows = SETTINGS[1], self.place.report, list[Figure](), list[str]()
        similar = self._table("sarsa-lvq", each, "similarity")
        games = np.arange(1, similar.shape[1] + 1) * self.budget.step_games
        figures.curves(
            report / "similarity.svg",
            {
                setting.title: banded(games, smoothed(self._table("sarsa-lvq", setting, "similarity")))
                for setting in SETTINGS
            },
            x="games of training", y="similarity of the best match",
        )  # fmt: skip
        rise = mean(late(similar) - early(similar))
        claim = self._claim(
            "fig4-similarity", "The codebook comes to resemble the positions that are met: similarity rises.", "rises",
            rise, judged_above(0.0, rise.percent, rise.interval), "similarity",
            "Last quarter less first, 5x5 against Wally, as a share of the board.",
        )  # fmt: skip
        for setting in SETTINGS:
            sizes = self._table("sarsa-lvq", setting, "vectors")
            uses = [np.mean(self._book(setting, seed).wins > 0) for seed in self.seeds]
            values = [np.ptp(self._book(setting, seed).values) for seed in self.seeds]
            rows.append(
                f"| {setting.title} | {self._seed_vectors(setting)} | {sizes[:, -1].mean():.0f} | "
                f"{np.mean(uses):.0%} | {np.mean(values):.2f} |"
            )
        book, variant = self._book(each, self.seeds[0]), game(each.game)
        figures.boards(report / "vectors.svg", variant, dict(drawn_vectors(book, variant)))
        drawn += [
            Figure(
                "similarity", "Similarity of the best match over training (the paper's Figure 4)",
                f"As a share of the board, mean over {self.budget.runs} runs with 95% intervals. "
                f"Scale {self.scale}, seed {self.place.seed}.", alt="Curves over the games of training",
            ),
            Figure(
                "vectors", "Codebook vectors after training",
                "The four that moved most often in 5x5 games against Wally (first run): blue is the mover's, "
                "orange the opponent's. Each title tells the vector's move, its utility and how often it was gone by.",
                alt="Boards of numbers",
            ),
        ]  # fmt: skip
        text = (
            "Vectors before and after training, the part of them that was ever gone by, and the range of their "
            "utilities at the end, means over runs. The paper began with 331 vectors from 27 games on 5x5 and 659 "
            "from 42 on 7x7.\n\n"
            "| games | seeds | vectors | used | range of utilities |\n" + "\n".join(rows)
        )
        return [claim], drawn, [Section("The codebook", text)]

    def opponents(self) -> Part:
        """Who was trained against whom, and plays against whom."""
        claims, sections = [self._ranking()], list[Section]()
        for size, opponents in ((5, ("fig5", "fig6")), (7, ("fig9", "fig8"))):
            settings = [next(each for each in SETTINGS if each.key == key) for key in opponents]
            names = ["influence", "wally", "random"]
            rows = []
            for learner in LEARNERS:
                for each in settings:
                    cells = [shown(mean(np.mean(self._lost(learner, each, name, ""), axis=1))) for name in names]
                    rows.append(f"| {LEARNERS[learner]}, trained against {each.opponent} | {' | '.join(cells)} |")
            text = (
                f"Part of the board lost on {size}x{size}, the learner moving first, {self.budget.measured_games} "
                f"games of each of {self.budget.runs} players, with 95% intervals over players. `influence` is the "
                "paper's Heuristic and never varies its play.\n\n| | against "
                + " | against ".join(names)
                + " |\n"
                + "\n".join(rows)
            )
            sections.append(Section(f"Trained against one, playing another, {size}x{size}", text))
        return claims, [], sections

    def _ranking(self) -> Claim:
        """The paper's order of its two opponents."""
        rows = []
        for size in (5, 7):
            variant = game(f"go{size}:{RULES}")
            wally, heuristic = (compiled(player(name, variant)) for name in ("wally", "influence"))
            for side in ("first", "second"):
                lost = self.place.kept(
                    f"opponents/go{size}-{side}", {"games": 400},
                    partial(territory_lost, wally, heuristic, 400, side=side),
                )  # fmt: skip
                rows.append((size, side, float(np.mean(np.array(lost) < 0))))
        won = float(np.mean([share for _, _, share in rows]))
        told = ", ".join(f"{share:.0%} moving {side} on {size}x{size}" for size, side, share in rows)
        return Claim(
            "section1-wally-stronger", "Wally is a stronger opponent than Heuristic.", "stronger",
            f"{won:.0%} of games won", None, 0, self.scale, judged_above(0.5, won), figure="",
            note=f"Wally won {told}; 400 games each. See the notes on opponents below.",
        )  # fmt: skip

    def baselines(self) -> Part:
        """The linear learner by its other reading, as a rival that is less easily beaten."""
        keys, seeds = ("fig5", "fig6", "fig7", "fig8"), self.seeds
        settings = [each for each in SETTINGS if each.key in keys]
        tasks = {
            each.key: [
                self._task("sarsa-linear", each, seed, {"reading": "board"}, f"board/{each.key}") for seed in seeds
            ]
            for each in settings
        }
        self.place.train([task for each in tasks.values() for task in each])
        rows = []
        for each in settings:
            found = [mean(late(self._table(learner, each, "lost"))) for learner in LEARNERS]
            board = mean(self._late_loss(task) for task in tasks[each.key])
            rows.append(f"| {each.title} | {' | '.join(map(shown, [*found, board]))} |")
        text = (
            "The paper's words about SLinear can also mean a linear function of the whole board after a move, which "
            "can tell what a capture is worth (`reading=board`). Part of the board lost in the last quarter, "
            f"{len(seeds)} runs each, with 95% intervals:\n\n"
            "| games | SLVQ | SLinear | SLinear by the whole board |\n" + "\n".join(rows)
        )  # fmt: skip
        return [], [], [Section("A fairer baseline", text)]

    def _late_loss(self, task: Task) -> float:
        """What a run loses in the last quarter of its training."""
        return float(late(np.array([[row["lost"] for row in read_rows(Path(task.folder))]]))[0])

    def lifts(self) -> Part:
        """What makes the 5x5 player better against Wally."""
        names = list(STUDY) if self.scale == "full" else list(QUICK_STUDY)
        seeds, tasks = self.place.seeds(self.budget.study_runs), dict[str, list[Task]]()
        for name in names:
            chosen = self._changed(STUDY[name])
            if chosen is not None:
                tasks[name] = [
                    self._task("sarsa-lvq", SETTINGS[1], seed, chosen, f"study/{slug(name)}") for seed in seeds
                ]
        self.place.train([task for each in tasks.values() for task in each])
        found = {name: mean(map(self._late_loss, each)) for name, each in tasks.items()}
        base = found["as in the paper"].percent
        rows = [
            f"| {name} | {shown(found[name])} | {base - found[name].percent:+.2f} |"
            for name in sorted(found, key=lambda each: found[each].percent)
        ]
        left = [name for name in names if name not in found]
        text = (
            f"Part of the board lost to Wally on 5x5 in the last quarter of training, {len(seeds)} runs each, with 95% "
            "intervals over runs; the best first. The last column is what the change gains.\n\n"
            "| change | lost | gain |\n" + "\n".join(rows)
            + (f"\n\nNot run, for want of GNU Go: {', '.join(left)}." if left else "")
        )  # fmt: skip
        return [], [], [Section("What lifts the player most", text)]

    def engines(self) -> Part:
        """Trained 5x5 players against GNU Go."""
        heading = "Against GNU Go"
        if not engine_there():
            return [], [], [Section(heading, "Not run: GNU Go is not installed.")]
        chosen = {**(self._changed(STUDY[BEST if self.scale == "full" else "both of these"]) or {}), "side": "both"}
        task = self._task("sarsa-lvq", SETTINGS[1], self.seeds[0], chosen, "both-sides")
        self.place.train([task])
        usual, rows = game("go5:komi=0"), list[str]()
        folders = {
            "as in the paper (trained as Black against Wally)": self._task(
                "sarsa-lvq", SETTINGS[1], self.seeds[0]
            ).folder,
            "lifted (see above; both colours against Wally)": task.folder,
        }
        rivals = {name: f"restrained:{folder}" for name, folder in folders.items()}
        for name, text in rivals.items():
            for level in (1, 10):
                won, points = self.place.kept(
                    f"engines/{slug(name)}-{level}",
                    {"games": self.budget.engine_games},
                    partial(self._met, usual, text, level),
                )
                rows.append(f"| {name} | {level} | {won} of {self.budget.engine_games} | {points:+.1f} |")
        text = (
            f"{self.budget.engine_games} games on 5x5 with colours alternating, no komi, each pair after one random "
            "move of each side; area rules, under which our players keep to the paper's moves and pass when there are "
            "none (`restrained`). Points are the mean lead at the end.\n\n| player | level | won | points |\n"
            + "\n".join(rows)
        )
        return [], [], [Section(heading, text)]

    def _met(self, usual: Game, text: str, level: int) -> tuple[int, float]:
        played = match(
            player(text, usual), player(GNUGO.format(level, 1), usual), self.budget.engine_games,
            seed=self.place.seed, opening="random:2", record=True,
        )  # fmt: skip
        leads = [
            record.positions()[-1].margin * (1 if index % 2 == 0 else -1)
            for index, record in enumerate(played.records())
        ]
        return played.wins, float(np.mean(leads))

    def _changed(self, change: Mapping[str, Any]) -> dict[str, Any] | None:
        """The settings of a change; None where it can't be made here."""
        chosen = dict(change)
        if "games" in chosen:
            chosen["games"] *= self.budget.games
        if chosen.get("seeds", "none") != "none":
            file = self._seed_games(int(chosen["seeds"]))
            if file is None:
                return None
            chosen["seeds"] = str(file)
        return chosen

    def _seed_games(self, count: int) -> Path | None:
        """A file of that many games to seed from: some of those that are shipped, or these and more."""
        file, shipped = self.place.runs / f"seeds-{count}.sgf", seed_file("shipped", game("go5"))
        assert shipped is not None
        if not file.exists():
            records = read_games(shipped)
            if count > len(records):
                if not engine_there():
                    return None
                self.place.tell(f"{count - len(records)} more games to seed from")
                usual = game("go5:komi=0")
                wally, engine = player("wally", usual), player(GNUGO.format(10, 2), usual)
                more = match(wally, engine, count - len(records), seed=2, opening="none", record=True)
                records += more.records()
            self.place.runs.mkdir(parents=True, exist_ok=True)
            write_games(file, records[:count])
        return file

    def _task(
        self, learner: str, each: Setting, seed: int, change: Mapping[str, Any] | None = None, name: str = ""
    ) -> Task:
        budget = self.budget
        chosen = {
            "games": budget.games, "step_games": budget.step_games, "test_games": budget.test_games,
            "opponent": each.opponent, "start": each.start, **(change or {}),
        }  # fmt: skip
        return self.place.task(f"{name or f'{each.key}/{learner}'}/seed-{seed}", learner, each.game, seed, chosen)

    def _table(self, learner: str, each: Setting, figure: str) -> NDArray[np.float64]:
        """A figure of every test of every run: [runs, tests]."""
        folders = [Path(self._task(learner, each, seed).folder) for seed in self.seeds]
        return np.array([[row[figure] for row in read_rows(folder)] for folder in folders])

    def _player(self, learner: str, each: Setting, seed: int) -> CompiledPlayer:
        return compiled(player(self._task(learner, each, seed).folder, game(each.game)))

    def _book(self, each: Setting, seed: int) -> Codebook:
        book = self._player("sarsa-lvq", each, seed).parts
        assert isinstance(book, Codebook)
        return book

    def _seed_vectors(self, each: Setting) -> int:
        """How many vectors a codebook began with: those that have not grown, whatever became of them."""
        variant = game(each.game)
        return len(read_seeds("shipped", variant, codebook(variant, 1, 1.0, 0.0)).starts)

    def _lost(self, learner: str, each: Setting, opponent: str, start: str) -> list[list[float]]:
        """What each trained player loses to an opponent, game by game."""
        games = self.budget.measured_games

        def measure() -> list[list[float]]:
            theirs = compiled(player(opponent, game(each.game)))
            players = [self._player(learner, each, seed) for seed in self.seeds]
            return [territory_lost(ours, theirs, games, start=start).tolist() for ours in players]

        asked = {"games": games, "seeds": self.seeds}
        found: list[list[float]] = self.place.kept(f"lost/{each.key}-{learner}-{opponent}", asked, measure)
        return found

    def _claim(
        self, name: str, says: str, paper: str, found: Performance, verdict: Any, figure: str = "", note: str = ""
    ) -> Claim:
        runs, scale = self.budget.runs, self.scale
        return Claim(name, says, paper, found.percent, found.interval, runs, scale, verdict, note=note, figure=figure)


def mean(values: Iterable[float]) -> Performance:
    """The mean over runs, with its interval."""
    return over_runs([float(each) for each in values])


def smoothed(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each row averaged over a tenth of its length around every place."""
    reach = max(1, table.shape[1] // 10)
    kernel = np.ones(reach)
    seen = np.convolve(np.ones(table.shape[1]), kernel, "same")
    return np.array([np.convolve(row, kernel, "same") / seen for row in table])


def banded(x: NDArray[np.int64], table: NDArray[np.float64]) -> Curve:
    """The mean over the rows, with 95% intervals."""
    found = [mean(column) for column in table.T]
    return Curve(
        x, [each.percent for each in found], [each.interval[0] for each in found], [each.interval[1] for each in found]
    )


def early(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of each row over its first quarter."""
    found: NDArray[np.float64] = table[:, : max(1, table.shape[1] // 4)].mean(axis=1)
    return found


def late(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of each row over its last quarter."""
    found: NDArray[np.float64] = table[:, -max(1, table.shape[1] // 4) :].mean(axis=1)
    return found


def shown(found: Performance) -> str:
    """A mean with its interval, as text."""
    return f"{found.percent:.2f} ({found.interval[0]:.2f} to {found.interval[1]:.2f})"


def drawn_vectors(book: Codebook, variant: Game) -> list[tuple[str, NDArray[np.float64]]]:
    """The four vectors that were gone by most often, with titles."""
    ours, theirs = np.split(book.vectors / UNIT, 2, axis=1)
    titles = []
    for i in np.argsort(-book.wins, kind="stable")[:4].tolist():
        move = variant.family.move_text(variant.rules, None, int(book.ends[i]))
        titles.append((f"{move}, {book.values[i]:+.2f}, {book.wins[i]}x", ours[i] - theirs[i]))
    return titles


def slug(name: str) -> str:
    """A name for files."""
    return "".join(each if each.isalnum() or each == "." else "-" for each in name.lower())


def engine_there() -> bool:
    """Whether GNU Go is installed."""
    return bool(shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games"))


PAPER = Abramson2001()
