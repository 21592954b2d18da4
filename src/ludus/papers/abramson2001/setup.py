"""The experiments of abramson2001: boards, opponents and starts, readings, and how much is done at each scale."""

from collections.abc import Mapping
from dataclasses import dataclass, field

LVQ, LINEAR = "sarsa-lvq", "sarsa-linear"
LEARNERS = {LVQ: "SLVQ", LINEAR: "SLinear"}
RULES = "rules=abramson2001,komi=0"

HEURISTIC, WALLY = "influence", "wally"

FIGURE_3 = "...O./..OX./..OX./.OXX./..... X"
OUR_PROBLEM = ".OOOO../.OOO.../.OOOX../OOOXXX./.OXXXX./.OXXXXX/.OXXXXX X"
"""A life-and-death problem of our own on 7x7, in place of the paper's Figure 10, which is lost.

Black, to move, has half of the board and needs a second eye: F6 alone saves the group. The game then ends 24 to 25; if
White moves first, the group dies. Both by exhaustive search, with positions told apart without their history; GNU Go
at level 10 plays the same.
"""
OUR_MOVE = "F6"

INFLUENCE_TOLERANCE = 0.02
"""For the printed fields of influence, whose second digit is not right yet."""
WHOLE_BOARD_TOLERANCE, LEVEL_TOLERANCE = 0.1, 0.15
"""For parts of the board lost that we read off curves: less than 3 and 4 of 25 points."""


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
    Setting("fig5", 5, 5, HEURISTIC, "", "5x5 games against Heuristic"),
    Setting("fig6", 6, 5, WALLY, "", "5x5 games against Wally"),
    Setting("fig7", 7, 5, WALLY, FIGURE_3, "the 5x5 problem of the paper's Figure 3 against Wally"),
    Setting("fig8", 8, 7, WALLY, "", "7x7 games against Wally"),
    Setting("fig9", 9, 7, HEURISTIC, "", "7x7 games against Heuristic"),
    Setting("fig11", 11, 7, WALLY, OUR_PROBLEM, "a 7x7 problem of our own against Wally"),
)
BY_KEY = {each.key: each for each in SETTINGS}


@dataclass(frozen=True)
class Variant:
    """A reading: what it changes in the settings of either learner, or which Wally it takes for the paper's."""

    key: str
    name: str
    lvq: Mapping[str, object] = field(default_factory=dict, hash=False)
    linear: Mapping[str, object] = field(default_factory=dict, hash=False)
    wally: str = ""

    def changes(self, learner: str, setting: Setting) -> dict[str, object]:
        """What it changes for a learner there; nothing if its runs are those of the main reading."""
        changed = dict(self.lvq if learner == LVQ else self.linear)
        return changed | ({"opponent": self.wally} if self.wally and setting.opponent == WALLY else {})

    def opponent(self, setting: Setting) -> str:
        """Who is played there."""
        return self.wally if self.wally and setting.opponent == WALLY else setting.opponent


def _both(key: str, name: str, settings: Mapping[str, object]) -> Variant:
    return Variant(key, name, settings, settings)


MAIN = Variant("paper", "as we read the paper")
VARIANTS = (
    MAIN,
    _both("forced", "forced passes are learned from", {"from_forced": True}),
    Variant("uses", "rates fall with the wins themselves", {"cooling": 1.0}),
    Variant("olvq1", "rates fall as in Kohonen's OLVQ1", {"cooling": 1.0, "cooling_step": 0.09}),
    Variant("constant", "constant rates", {"cooling": 0.0}),
    Variant("vectors", "noise on the similarity of all vectors", {"noise": "vectors"}),
    _both("lambda-0.5", "lambda 0.5", {"decay": 0.5}),
    _both("lambda-0.95", "lambda 0.95", {"decay": 0.95}),
    Variant("board", "SLinear judges the whole board", linear={"reading": "board"}),
    Variant(
        "board-forced",
        "SLinear judges the whole board and learns from forced passes",
        linear={"reading": "board", "from_forced": True},
    ),
    Variant("wally-list", "Wally by the paper's list", wally="wally:source=abramson2001"),
    Variant("wally-atari", "Wally saves stones in atari only, also on the edge", wally="wally:defends=yes,edge=yes"),
    Variant("wally-attack", "Wally saves no stones", wally="wally:defends=no"),
)
"""The first is the main reading, argued from the text before the runs; see the notes of the report."""


@dataclass(frozen=True)
class Budget:
    """How much is done at a scale."""

    runs: int
    """For each learner and figure as we read the paper."""
    reading_runs: int
    """The same under each other reading, with the first of these seeds."""
    games: int
    step_games: int
    test_games: int
    measured_games: int
    """Of each trained player."""
    ranking_games: int
    """Of Wally against Heuristic, with each colour; twice as many from random openings."""
    met_games: int
    """Of each trained player, whose positions are compared with its codebook."""
    study_runs: int
    """For each change that might lift the player, on seeds that are reported nowhere else; 0 leaves the study out."""
    study_games: int
    """Of each of these players against GNU Go that errs; a quarter as many against one that does not."""
    confirmed_runs: int
    """For the change that did best, and for none, on new seeds."""
    confirmed_games: int
    """Of each of these players against GNU Go, and GNU Go that errs; a quarter as many at level 10."""
    seed_games: int
    """Of GNU Go with itself, to initialise codebooks with."""


BUDGETS = {
    "quick": Budget(
        runs=2,
        reading_runs=2,
        games=300,
        step_games=50,
        test_games=5,
        measured_games=50,
        ranking_games=100,
        met_games=5,
        study_runs=0,
        study_games=0,
        confirmed_runs=0,
        confirmed_games=0,
        seed_games=0,
    ),
    "full": Budget(
        runs=10,
        reading_runs=5,
        games=2000,
        step_games=50,
        test_games=20,
        measured_games=200,
        ranking_games=400,
        met_games=20,
        study_runs=4,
        study_games=30,
        confirmed_runs=5,
        confirmed_games=40,
        seed_games=216,
    ),
}
