"""Neuroevolution, the loop that both learners of moriarty1995 share: chromosomes evolve against one opponent at a time.

Moriarty and Miikkulainen (1995), "Discovering Complex Othello Strategies Through Evolutionary Neural Networks",
section 3.3. In each generation every network plays ten games; each of the twelve fittest mates with a network at least
as fit, and the two children of each pair, made by two-point crossover and mutation, replace the least fit (steady-state
selection). The opponents of one phase after another are a curriculum.

Where we decided, since the paper is silent or does not say it all. Percentages are games won by marker-based networks
in 4000 new games, mean of 2 seeds: against the random mover after 100 generations, with weights in 64ths unless it says
otherwise, which alone gave 90; and against the searcher after 250 generations more.

- Units are logistic (threshold 84, linear 80, tanh 79 against the random mover). Weights are in 1024ths (91 and 56; in
  256ths 90 and, one seed, 52; in 64ths 90 and 47; in 16ths 88).
- Everybody is evaluated anew in every generation. Who keeps the fitness of its first ten games may just have been lucky
  (78 against the random mover); the mean over all games of a survivor favours the old (86; in 1024ths one seed 52
  against the searcher, where evaluating anew gave that seed 65).
- Colours: five openings, each with both colours, the same for all networks of a generation (playing first only 88,
  second only 86 against the random mover). In games without a list of openings, such as Go, each network has random
  openings of its own.
- Ties in rank go by lot (the older first 89, the younger first 88). A draw counts nothing, as the paper counts wins
  (half a win: 89). Mutation adds anything from -128 to 127 (up to 16: 89). Thirty games instead of ten: 87.
- The best network of a phase is found by a trial: everybody in its last generation plays 200 more games.
- A new phase begins with the population as it is. Networks may mate with themselves.

In these trials seeds differed by up to 20 points, so differences of a few points tell nothing. The report on the paper
takes weights as they are on the chromosome (`weight_scale=1`), since the text names no scale; our default is what wins
more. Whatever the scale, what evolves plays about as well as a constant ranking of squares (`ludus dependence`).

Networks that play each other, which the paper proposes for the future, all face the same opponents to be fair: in each
generation some of the population, and as many, or one fewer, of a hall of fame that keeps the fittest of former
generations.
"""

from abc import abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, field_validator

from ludus.compile.rng import Rng, key, randint, stream, uniform
from ludus.errors import InvalidSetting
from ludus.games.game import Game
from ludus.games.openings import openings
from ludus.learners.base import Learner, Row, Settings
from ludus.learners.evolution.operators import init_genes, mutate_genes, two_point_crossover
from ludus.learners.representations import MOST_BYTES
from ludus.play.games import GameResults, Schedule, play_games
from ludus.play.parallel import in_parallel
from ludus.players.base import CompiledPlayer
from ludus.players.marker import Chromosome
from ludus.players.names import player
from ludus.players.policy_networks import WEIGHT_SCALE

EACH_OTHER = "population"
"""Named as an opponent: networks play each other and the hall of fame."""


class NeuroEvolutionSettings(Settings):
    opponents: str = Field(
        "random; alphabeta:depth=3", max_length=1000,
        description="a player string for each phase, separated by ; (section 4); `population` means that networks play "
        "each other and a hall of fame",
    )  # fmt: skip
    generations: str = Field("100; 2000", description="generations of each phase, separated by ; (section 4)")
    population: int = Field(50, ge=2, le=10_000, description="networks of a generation (section 3.3)")
    parents: int = Field(
        12, ge=1, le=5000, description="how many of the fittest mate, each for two children (section 3.3)"
    )
    games: int = Field(
        10, ge=2, le=10_000, multiple_of=2, description="games of each network in a generation (section 3.3)"
    )
    mutation: float = Field(
        0.004,
        ge=0,
        le=1,
        description="mutation rate: the chance that an integer changes (section 3.3)",
        json_schema_extra={"scale": "log"},
    )
    mutation_size: int = Field(128, ge=1, le=128, description="the most that a mutation adds (silent)")
    activation: Literal["logistic", "tanh", "threshold", "linear"] = Field(
        "logistic", description="activation function of hidden units (silent)"
    )
    weight_scale: float = Field(
        WEIGHT_SCALE, ge=0.01, le=1e6, description="the divisor that makes an integer a weight (silent)"
    )
    colours: Literal["both", "first", "second"] = Field(
        "both", description="the colours that networks play; both means every opening twice (silent)"
    )
    draws: float = Field(0.0, ge=0, le=1, description="fitness of a draw; a win counts 1 (section 3.3: wins)")
    judged: Literal["anew", "once", "mean"] = Field(
        "anew",
        description="the fitness of survivors: from new games, as it was, or from all games in this phase (silent)",
    )
    ties: Literal["lot", "old", "new"] = Field(
        "lot", description="which of the equally fit ranks first: by lot, the older, the younger (silent)"
    )
    trial_games: int = Field(
        200, ge=0, le=100_000,
        description="games of each network after the last generation of a phase, to find the best (silent)",
    )  # fmt: skip
    hall: int = Field(50, ge=1, le=1000, description="size of the hall of fame that `population` plays against")

    @field_validator("generations")
    @classmethod
    def _numbers(cls, generations: str) -> str:
        if not all(part.strip().isdecimal() and len(part.strip()) < 10 for part in generations.split(";")):
            raise ValueError("must be a whole number for each phase, such as 100; 2000")
        return generations


class NeuroEvolutionState(NamedTuple):
    population: Chromosome  # [population, genes]
    born: NDArray[np.int64]  # in which round
    fitness: NDArray[np.float64]
    points: NDArray[np.float64]  # in this phase, or in its trial
    played: NDArray[np.int64]  # games of which they are
    hall: Chromosome  # [hall, genes] the fittest of former generations
    famous: int  # how many have ever entered the hall
    champion: Chromosome  # the best of the last phase that is over
    phase: int
    generation: int  # of this phase
    trials: int  # rounds of the trial that ends it
    rounds: int  # of games, in all
    games: int  # in all


SettingsT = TypeVar("SettingsT", bound=NeuroEvolutionSettings)


@dataclass(frozen=True)
class Round:
    """What the games of all networks in a round have in common, so that comparing them is fair."""

    number: int
    keys: NDArray[np.uint64]
    """[2]: those of the random streams for openings and for games."""
    openings: NDArray[np.int64]
    """[openings, moves], one for each pair of games; or none."""
    plies: int
    """If there are no openings, how many random moves open a game."""
    opponents: list[Any]
    """One for each pair of games, or one for all."""


class NeuroEvolution(Learner[SettingsT, NeuroEvolutionState], Generic[SettingsT]):
    """Learners differ in how a chromosome encodes a network; the rest is the same."""

    @abstractmethod
    def genes(self, settings: SettingsT, game: Game) -> int:
        """How long a chromosome is."""

    @abstractmethod
    def network(self, settings: SettingsT, game: Game, chromosome: Chromosome) -> Any:
        """The network that a chromosome encodes: the parts of a player."""

    def metrics(self, networks: list[Any]) -> Row:
        """More metrics of a population."""
        return {}

    def start(self, settings: SettingsT, game: Game, seed: int) -> NeuroEvolutionState:
        if 2 * settings.parents > settings.population:
            raise InvalidSetting(
                f"invalid parents={settings.parents} for {self.name}: they have {2 * settings.parents} children, too "
                f"many for a population of {settings.population}"
            )
        for name, _ in phases(settings):
            if name != EACH_OTHER:
                opponent(name, game)
        size, genes = settings.population, self.genes(settings, game)
        if 8 * (size + settings.hall) * genes > MOST_BYTES:  # a decoded network takes about eight bytes for an integer
            raise InvalidSetting(
                f"invalid population={size} with hall={settings.hall} for {self.name}: chromosomes of {genes:,} "
                f"integers allow at most {MOST_BYTES // (8 * genes)} in both together; ask for fewer or shorter ones"
            )
        population = np.empty((size, genes), np.int8)
        init_genes(population.reshape(-1), stream(seed, f"{self.name} start"))
        nothing = np.zeros(size, np.int64)
        hall = np.zeros((settings.hall, genes), np.int8)
        return NeuroEvolutionState(
            population, nothing, np.zeros(size), np.zeros(size), nothing, hall, 0, population[0].copy(), 0, 0, 0, 0, 0
        )

    def step(
        self, settings: SettingsT, game: Game, seed: int, state: NeuroEvolutionState
    ) -> tuple[NeuroEvolutionState, Row]:
        """One round of games: a generation, or a part of the trial after the last generation of a phase."""
        name, generations = phases(settings)[state.phase]
        on_trial = state.generation == generations
        population, born = state.population, state.born
        points, played = state.points, state.played
        if on_trial and state.trials == 0:
            points, played = np.zeros_like(points), np.zeros_like(played)
        elif not on_trial and state.generation > 0:
            population, born = next_generation(settings, state, stream(seed, f"{self.name} children", state.rounds))
            points, played = (np.where(born == state.rounds, 0, each) for each in (points, played))
        networks = [self.network(settings, game, each) for each in population]
        playing = (played == 0) | (settings.judged != "once") | on_trial
        won = play_round(settings, game, self._round(settings, game, seed, state, networks), networks, playing)
        points, played = points + np.where(playing, won, 0), played + settings.games * playing
        latest = np.where(playing, won / settings.games, state.fitness)
        fitness = points / np.maximum(played, 1) if on_trial or settings.judged == "mean" else latest
        state = state._replace(
            population=population, born=born, fitness=fitness, points=points, played=played, rounds=state.rounds + 1,
            generation=state.generation + (not on_trial), trials=state.trials + on_trial,
            games=state.games + settings.games * int(np.sum(playing)),
        )  # fmt: skip
        if name == EACH_OTHER and not on_trial:
            hall = state.hall.copy()
            hall[state.famous % len(hall)] = population[np.argmax(fitness)]
            state = state._replace(hall=hall, famous=state.famous + 1)
        row = {
            "phase": state.phase + 1,
            "generation": state.generation,
            "trials": state.trials,
            "games": state.games,
            "best_fitness": float(np.max(fitness)),
            "mean_fitness": float(np.mean(fitness)),
            **self.metrics(networks),
        }
        if state.generation == generations and state.trials == trial_rounds(settings):
            state = state._replace(
                champion=population[np.argmax(fitness)].copy(), phase=state.phase + 1, generation=0, trials=0,
                points=np.zeros_like(points), played=np.zeros_like(played),
            )  # fmt: skip
        return state, row

    def done(self, settings: SettingsT, state: NeuroEvolutionState) -> float:
        return state.rounds / sum(generations + trial_rounds(settings) for _, generations in phases(settings))

    def best(self, state: NeuroEvolutionState) -> Chromosome:
        """The chromosome that has done best so far."""
        fresh = state.phase > 0 and state.generation == 0
        return state.champion if fresh else state.population[np.argmax(state.fitness)]

    def _round(
        self, settings: SettingsT, game: Game, seed: int, state: NeuroEvolutionState, networks: list[Any]
    ) -> Round:
        """The next round of games, against the opponent of the phase."""
        rng, chosen = stream(seed, f"{self.name} openings", state.rounds), openings(game)
        pairs = settings.games // 2 if settings.colours == "both" else settings.games
        drawn = [randint(rng, len(chosen.table)) for _ in range(pairs)] if len(chosen.table) else []
        name, _ = phases(settings)[state.phase]
        if name == EACH_OTHER:
            famous = min(state.famous, len(state.hall))
            opponents = [
                self.network(settings, game, state.hall[randint(rng, famous)])
                if famous and i % 2
                else networks[randint(rng, len(networks))]
                for i in range(pairs)
            ]
        else:
            opponents = [opponent(name, game)]
        keys = np.array([key(seed, f"{self.name} random openings"), key(seed, f"{self.name} games")], np.uint64)
        return Round(state.rounds, keys, chosen.table[drawn], chosen.plies, opponents)


def play_round(
    settings: NeuroEvolutionSettings, game: Game, games: Round, networks: list[Any], playing: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """The points of each network in a round: [networks], -1 for those that are not `playing`."""
    points = np.full(len(networks), -1.0)
    both, second = settings.colours == "both", settings.colours == "second"
    # games of an even number are played as the first player, those of an odd one as the second
    together = settings.games if both and len(games.opponents) == 1 else 2 if both else 1

    def play(number: int, _: int) -> None:
        if not playing[number]:
            return
        scores, lengths = np.empty(settings.games), np.empty(settings.games, np.int64)
        first = (games.number * settings.population + number) * settings.games
        for i in range(0, settings.games, together):
            begin = first + i if both else 2 * (first + i) + second
            pair = i // 2 if both else i
            rows = games.openings[pair : pair + max(1, together // 2)]
            schedule = Schedule(begin, games.keys, rows, games.plies)
            results = GameResults(scores[i : i + together], lengths[i : i + together])
            play_games(game.rules, networks[number], games.opponents[pair % len(games.opponents)], schedule, results)
        points[number] = np.sum(scores == 1) + settings.draws * np.sum(scores == 0.5)

    in_parallel(play, len(networks), block=1)
    return points


def phases(settings: NeuroEvolutionSettings) -> list[tuple[str, int]]:
    """The curriculum: the name of each opponent, and for how many generations it is played."""
    opponents = [name.strip() for name in settings.opponents.split(";")]
    generations = [int(number) for number in settings.generations.split(";")]
    if len(opponents) != len(generations):
        raise InvalidSetting(
            f"invalid generations={settings.generations}: there are {len(opponents)} opponents "
            f"({settings.opponents}), and each needs a number of generations"
        )
    if 0 in generations and not settings.trial_games:
        raise InvalidSetting(
            f"invalid generations={settings.generations}: a phase without any has nothing but its trial, so "
            "trial_games must be more than 0"
        )
    return list(zip(opponents, generations, strict=True))


def trial_rounds(settings: NeuroEvolutionSettings) -> int:
    """How many rounds the trial at the end of a phase takes."""
    return -(-settings.trial_games // settings.games)


@lru_cache(maxsize=16)
def opponent(name: str, game: Game) -> Any:
    """The parts of the player of that name."""
    named = player(name, game)
    if not isinstance(named, CompiledPlayer):
        raise InvalidSetting(
            f"invalid opponent {name}: it is too slow to evolve against; use a compiled player such as random or "
            "alphabeta:depth=3"
        )
    return named.parts


def next_generation(
    settings: NeuroEvolutionSettings, state: NeuroEvolutionState, rng: Rng
) -> tuple[Chromosome, NDArray[np.int64]]:
    """The next generation, and in which round each of its members was born."""
    size = settings.population
    lots = np.array([uniform(rng) for _ in range(size)])
    order = {"lot": lots, "old": state.born + lots, "new": lots - state.born}[settings.ties]
    ranked = np.lexsort((order, -state.fitness))
    population, born = state.population.copy(), state.born.copy()
    for i in range(settings.parents):
        parent = ranked[i]
        at_least_as_fit = int(np.sum(state.fitness >= state.fitness[parent]))
        mate = ranked[randint(rng, at_least_as_fit)]
        replaced = [ranked[size - 1 - 2 * i], ranked[size - 2 - 2 * i]]
        child, sibling = (population[each] for each in replaced)
        two_point_crossover(state.population[parent], state.population[mate], child, sibling, rng)
        mutate_genes(child, settings.mutation, settings.mutation_size, rng)
        mutate_genes(sibling, settings.mutation, settings.mutation_size, rng)
        born[replaced] = state.rounds
    return population, born
