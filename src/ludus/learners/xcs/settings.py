"""What is asked of XCS: its settings, with presets for the paper, for the literature and for strength."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, model_validator

from ludus.learners.base import Settings

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "jain2018": {},
    "general": {"any_chance": 0.95},
    "standard": {
        "alpha": 0.2, "beta_error": 0.2, "gamma": 0.71, "ga": "step", "ga_time": 25, "mutation": 0.04,
        "mutates": "each", "mutates_action": True, "delete_experience": 20, "any_chance": 0.33, "broadcast": False,
        "set_subsumption": True,
    },
    "strong": {
        "prediction": "linear", "symmetric": True, "after": True, "opponents": "random + minimax:depth=1",
        "rules": 1000, "any_chance": 0.95,
    },
}  # fmt: skip
"""By name, the settings in which a preset differs from the defaults.

`general` was the default once: its rules are fewer and more general, and win more games against a random player. It was
chosen after seeing results, for a mean fitness near the paper's, so it is a variant, and not how the paper is read.
"""


class XCSSettings(Settings):
    preset: Literal["jain2018", "general", "standard", "strong"] = Field(
        "jain2018",
        description="where settings that are not given come from: jain2018, general for the same with fewer and more "
        "general rules, standard for Butz and Wilson's XCS, or strong for the best we have found",
    )
    games: int = Field(60_000, ge=1, le=10**9, description="training games in all (section IV)")
    rules: int = Field(
        50_000, ge=10, le=10**6, description="N: the size of the population, counted by numerosity (section IV)"
    )
    opponents: str = Field(
        "random",
        description="opponents (section IV): a player string, self, or several joined by ' + ', who play equal parts "
        "of each step",
    )
    colours: Literal["first", "second", "both"] = Field(
        "first", description="side to play (authors' program); both takes turns"
    )
    alpha: float = Field(
        0.1, gt=0, le=1, description="learning rate of predictions (III-B)", json_schema_extra={"scale": "log"}
    )
    gamma: float = Field(1.0, ge=0, le=1, description="discount of the next prediction (III-B)")
    beta_error: float = Field(
        0.1, gt=0, le=1, description="learning rate of errors (authors' program)", json_schema_extra={"scale": "log"}
    )
    beta_fitness: float = Field(
        0.2, gt=0, le=1, description="learning rate of fitness (eq. 7)", json_schema_extra={"scale": "log"}
    )
    error_0: float = Field(
        0.01,
        gt=0,
        le=10,
        description="error below which a rule is accurate (authors' program)",
        json_schema_extra={"scale": "log"},
    )
    accuracy: float = Field(0.1, gt=0, le=1, description="accuracy just above that error (authors' program)")
    power: float = Field(5.0, ge=0, le=100, description="nu: how fast accuracy falls with the error (authors' program)")
    ga: Literal["game", "step"] = Field(
        "game",
        description="when the genetic algorithm runs: after a game in all its action sets, with time in games (III-B), "
        "or on each step in the last action set, with time in steps (Butz and Wilson)",
    )
    ga_time: float = Field(
        50,
        ge=0,
        le=10**9,
        description="theta_GA: the mean time since it last ran in an action set, before it runs again (IV)",
    )
    crossover: float = Field(0.8, ge=0, le=1, description="chance of two-point crossover (III-B)")
    mutation: float = Field(0.4, ge=0, le=1, description="chance of mutation (III-B)")
    mutates: Literal["one", "each"] = Field(
        "one", description="mutate one symbol of a child with that chance, or each (silent; see the learner's notes)"
    )
    mutates_action: bool = Field(False, description="mutate the action too (Butz and Wilson)")
    delete_experience: int = Field(
        25,
        ge=0,
        le=10**9,
        description="theta_del: experience above which low fitness raises the deletion vote (authors' program)",
    )
    delete_fitness: float = Field(
        0.1, ge=0, le=1, description="delta: the fraction of the mean fitness that counts as low (authors' program)"
    )
    subsume_experience: int = Field(
        20, ge=0, le=10**9, description="theta_sub: experience above which a rule may subsume (authors' program)"
    )
    ga_subsumption: bool = Field(True, description="parents may subsume their children (III-B)")
    set_subsumption: bool = Field(False, description="action-set subsumption by the most general rule (Alg. 1)")
    any_chance: float = Field(
        0.4,
        ge=0,
        le=1,
        description="P_#: chance of # in a new condition (authors' program; the paper is silent)",
        json_schema_extra={"scale": "linear"},
    )
    covers: Literal["legal", "all"] = Field(
        "legal",
        description="which actions get a new rule where none matches: the legal moves (III-B, step 4), or all that "
        "there are in the game, legal or not (authors' program)",
    )
    prediction_0: float = Field(1e-4, ge=-1000, le=1000, description="prediction of a new rule (authors' program)")
    error_start: float = Field(0.0, ge=0, le=1000, description="error of a new rule (authors' program)")
    fitness_0: float = Field(1e-4, gt=0, le=1, description="fitness of a new rule (authors' program)")
    child_error: float = Field(
        0.25, ge=0, le=1, description="factor of the parents' error for a child (authors' program)"
    )
    child_fitness: float = Field(
        0.1, gt=0, le=1, description="factor of the parents' fitness for a child (authors' program)"
    )
    rewards: Literal["phased", "none"] = Field(
        "phased",
        description="rewards during the game: values of squares until 80% are filled, then the lead (eqs. 2, 3)",
    )
    end_reward: Literal["result", "margin"] = Field(
        "result", description="reward at the end: 1, 0 or -1 (III-B), or the lead divided by the squares"
    )
    prediction: Literal["number", "linear"] = Field(
        "number",
        description="what a rule predicts: a number, or a sum of weights for what stands on the squares (section VI)",
    )
    broadcast: bool = Field(
        True, description="update all action sets of the game by the end reward, not only the last (III-B)"
    )
    end_fitness: Literal["set", "game"] = Field(
        "set",
        description="whose accuracies share the fitness at the end of a game: those of each action set by itself, or "
        "of all rules of the game (Alg. 1, line 18; authors' program)",
    )
    bootstrap: bool = Field(True, description="also update action sets by the next prediction (eq. 1)")
    schedule: Literal["sigmoid", "constant"] = Field(
        "sigmoid", description="the chance to exploit: a sigmoid from 0 to 1 over the games (section IV), or constant"
    )
    exploit: float = Field(0.5, ge=0, le=1, description="the chance to make the best move, where it is constant")
    symmetric: bool = Field(False, description="turn the board such that symmetric moves share their rules")
    after: bool = Field(False, description="match conditions against the afterstate, the board that the move leads to")
    step_games: int = Field(500, ge=1, le=10**6, description="games between two rows of metrics")

    @model_validator(mode="before")
    @classmethod
    def _completed(cls, given: Any) -> Any:
        """Settings that are not given come from the preset."""
        if isinstance(given, Mapping):
            return {**PRESETS.get(str(given.get("preset")), {}), **given}
        return given
