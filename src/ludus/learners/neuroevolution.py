"""What the learners of moriarty1995 share: a population of chromosomes that evolves against one opponent after another.

Moriarty and Miikkulainen (1995), "Discovering Complex Othello Strategies Through Evolutionary Neural Networks",
section 3.3. In each generation every network plays ten games; each of the twelve fittest mates with a network at least
as fit, and the two children of each pair, made by two-point crossover and mutation, replace the least fit.

Where we decided, since the paper is silent or does not say it all. Percentages are games won by marker-based networks
in 4000 new games, mean of 2 seeds: against the random mover after 100 generations, with weights in 64ths unless it says
otherwise, which alone gave 90; and against the searcher after 250 generations more.

- Units are logistic (threshold 84, linear 80, tanh 79 against the random mover). Weights are in 1024ths (91 and 56; in
  256ths 90 and, one seed, 52; in 64ths 90 and 47; in 16ths 88).
- Everybody is judged anew in every generation. Who keeps the fitness of its first ten games may just have been lucky
  (78 against the random mover); the mean over all games of a survivor favours the old (86; in 1024ths one seed 52
  against the searcher, where judging anew gave that seed 65).
- Colours: five openings, each with both colours, the same for all networks of a generation (playing first only 88,
  second only 86 against the random mover).
- Ties in rank go by lot (the older first 89, the younger first 88). A draw counts nothing, as the paper counts wins
  (half a win: 89). Mutation adds anything from -128 to 127 (up to 16: 89). Thirty games instead of ten: 87.
- The best network of a phase is found by a trial: everybody in its last generation plays 200 more games.
- A new phase begins with the population as it is. Networks may mate with themselves.

In these trials seeds differed by up to 20 points, so differences of a few points tell nothing.

Networks that play each other, which the paper proposes for the future, are judged fairly by facing the same opponents:
in each generation some of the population, and as many of a hall of fame that keeps the fittest of former generations.
"""

from abc import abstractmethod
from functools import lru_cache
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ludus.dice import Dice, below, key, stream, uniform
from ludus.errors import LudusError
from ludus.games.game import Game
from ludus.games.openings import openings
from ludus.kernels import kernel
from ludus.learners.learner import Learner, Row, Settings
from ludus.learners.parallel import in_parallel
from ludus.players.marker import Chromosome
from ludus.players.networks import WEIGHT_SCALE
from ludus.players.player import CompiledPlayer
from ludus.players.playouts import UNRECORDED, play_games
from ludus.players.strings import player

EACH_OTHER = "population"
"""Named as an opponent: networks play each other and the hall of fame."""


class EvolutionSettings(Settings):
    opponents: str = Field(
        "random; alphabeta:depth=3", max_length=1000,
        description="player strings, one for each phase, with ; between (section 4); `population` is for networks "
        "that play each other and a hall of fame",
    )  # fmt: skip
    generations: str = Field(
        "100; 2000", pattern=r"^\s*\d{1,9}\s*(;\s*\d{1,9}\s*)*$", description="of each phase (section 4)"
    )
    population: int = Field(50, ge=2, le=10_000, description="networks (section 3.3)")
    parents: int = Field(12, ge=1, le=5000, description="the fittest, each of whom has two children (section 3.3)")
    games: int = Field(10, ge=2, le=10_000, multiple_of=2, description="of each network in a generation (section 3.3)")
    mutation: float = Field(0.004, ge=0, le=1, description="the chance that an integer changes (section 3.3)")
    mutation_size: int = Field(128, ge=1, le=128, description="by how much at the most (silent)")
    activation: Literal["logistic", "tanh", "threshold", "linear"] = Field(
        "logistic", description="what a hidden unit makes of the sum of its inputs (silent)"
    )
    weight_scale: float = Field(WEIGHT_SCALE, ge=0.01, le=1e6, description="what an integer is divided by (silent)")
    colours: Literal["both", "first", "second"] = Field(
        "both", description="whom networks play as; both means every opening twice (silent)"
    )
    draws: float = Field(0.0, ge=0, le=1, description="what a draw counts; a win counts 1 (section 3.3: wins)")
    judged: Literal["anew", "once", "mean"] = Field(
        "anew",
        description="the fitness of who survives: from new games, as it was, or from all games in this phase (silent)",
    )
    ties: Literal["lot", "old", "new"] = Field("lot", description="who of the equally fit ranks first (silent)")
    trial_games: int = Field(
        200, ge=0, le=100_000,
        description="of each network when a phase is over, to find the best of the last generation (silent)",
    )  # fmt: skip
    hall: int = Field(50, ge=1, le=1000, description="how many former champions `population` remembers")


class Evolving(NamedTuple):
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


Chosen = TypeVar("Chosen", bound=EvolutionSettings)


class Evolution(Learner[Chosen, Evolving], Generic[Chosen]):
    """A learner says what is on a chromosome; the rest is the same for all."""

    @abstractmethod
    def genes(self, settings: Chosen, game: Game) -> int:
        """How long a chromosome is."""

    @abstractmethod
    def network(self, settings: Chosen, game: Game, chromosome: Chromosome) -> Any:
        """The parts of the player on a chromosome."""

    def figures(self, networks: list[Any]) -> Row:
        """More figures about a population for the run's rows."""
        return {}

    def start(self, settings: Chosen, game: Game, seed: int) -> Evolving:
        if 2 * settings.parents > settings.population:
            raise LudusError(
                f"{settings.parents} parents have {2 * settings.parents} children, too many for a population of "
                f"{settings.population}; ask for half as many parents as networks, or fewer"
            )
        phases(settings)
        for text in texts(settings):
            opponent(text, game)
        size, genes = settings.population, self.genes(settings, game)
        population = np.empty((size, genes), np.int8)
        scatter(population.reshape(-1), stream(seed, f"{self.name} start"))
        nothing = np.zeros(size, np.int64)
        hall = np.zeros((settings.hall, genes), np.int8)
        return Evolving(
            population, nothing, np.zeros(size), np.zeros(size), nothing, hall, 0, population[0].copy(), 0, 0, 0, 0
        )

    def step(self, settings: Chosen, game: Game, seed: int, state: Evolving) -> tuple[Evolving, Row]:
        """One round of games: a generation, or a part of the trial after the last generation of a phase."""
        text, generations = phases(settings)[state.phase]
        on_trial = state.generation == generations
        population, born = state.population, state.born
        points, played = state.points, state.played
        if on_trial and state.trials == 0:
            points, played = np.zeros_like(points), np.zeros_like(played)
        elif not on_trial and state.generation > 0:
            population, born = bred(settings, state, stream(seed, f"{self.name} children", state.rounds))
            points, played = (np.where(born == state.rounds, 0, each) for each in (points, played))
        networks = [self.network(settings, game, each) for each in population]
        new = played == 0
        won = self._met(settings, game, seed, state, text, networks, new | (settings.judged != "once") | on_trial)
        met = won >= 0
        points, played = points + np.where(met, won, 0), played + settings.games * met
        latest = np.where(met, won / settings.games, state.fitness)
        fitness = points / np.maximum(played, 1) if on_trial or settings.judged == "mean" else latest
        state = state._replace(
            population=population, born=born, fitness=fitness, points=points, played=played, rounds=state.rounds + 1,
            generation=state.generation + (not on_trial), trials=state.trials + on_trial,
        )  # fmt: skip
        if text == EACH_OTHER and not on_trial:
            hall = state.hall.copy()
            hall[state.famous % len(hall)] = population[np.argmax(fitness)]
            state = state._replace(hall=hall, famous=state.famous + 1)
        row = {
            "phase": state.phase + 1,
            "generation": state.generation,
            "trials": state.trials,
            "games": state.rounds * settings.games * settings.population,
            "best_fitness": float(np.max(fitness)),
            "mean_fitness": float(np.mean(fitness)),
            **self.figures(networks),
        }
        if state.generation == generations and state.trials == trial_rounds(settings):
            state = state._replace(
                champion=population[np.argmax(fitness)].copy(), phase=state.phase + 1, generation=0, trials=0,
                points=np.zeros_like(points), played=np.zeros_like(played),
            )  # fmt: skip
        return state, row

    def done(self, settings: Chosen, state: Evolving) -> float:
        return state.rounds / sum(generations + trial_rounds(settings) for _, generations in phases(settings))

    def best(self, state: Evolving) -> Chromosome:
        """The chromosome that has done best so far."""
        fresh = state.phase > 0 and state.generation == 0
        return state.champion if fresh else state.population[np.argmax(state.fitness)]

    def _met(
        self, settings: Chosen, game: Game, seed: int, state: Evolving, text: str, networks: list[Any], who: Any
    ) -> NDArray[np.float64]:
        """The points of those networks in a round against the opponent of that name; -1 for who does not play.

        All play from the same openings, and against the same networks of the population and the hall.
        """
        dice = stream(seed, f"{self.name} openings", state.rounds)
        chosen = openings(game)
        pairs = settings.games // 2 if settings.colours == "both" else settings.games
        drawn = [below(dice, len(chosen.table)) for _ in range(pairs)] if len(chosen.table) else []
        rows = chosen.table[drawn]
        if text == EACH_OTHER:
            halls = min(state.famous, len(state.hall))
            others = [
                self.network(settings, game, state.hall[below(dice, halls)])
                if halls and i % 2
                else networks[below(dice, len(networks))]
                for i in range(pairs)
            ]
        else:
            others = [opponent(text, game)]
        keys = np.array([key(seed, f"{self.name} random openings"), key(seed, f"{self.name} games")], np.uint64)

        found = np.full(len(networks), -1.0)

        def judge(number: int, _: int) -> None:
            if not who[number]:
                return
            scores, lengths = np.empty(settings.games), np.empty(settings.games, np.int64)
            first = (state.rounds * settings.population + number) * settings.games
            both, second = settings.colours == "both", settings.colours == "second"
            # games of an even number are played as the first player, those of an odd one as the second
            together = settings.games if both and len(others) == 1 else 2 if both else 1
            for game_number in range(0, settings.games, together):
                begin = first + game_number if both else 2 * (first + game_number) + second
                opening = game_number // 2 if both else game_number
                here = slice(game_number, game_number + together)
                play_games(
                    game.rules, networks[number], others[opening % len(others)], True,
                    rows[opening : opening + max(1, together // 2)], chosen.plies, keys, begin,
                    scores[here], lengths[here], UNRECORDED,
                )  # fmt: skip
            found[number] = np.sum(scores == 1) + settings.draws * np.sum(scores == 0.5)

        in_parallel(judge, len(networks), block=1)
        return found


def texts(settings: EvolutionSettings) -> list[str]:
    """The names of the opponents, `population` left away."""
    return [text for text, _ in phases(settings) if text != EACH_OTHER]


def phases(settings: EvolutionSettings) -> list[tuple[str, int]]:
    """The name of each opponent, and for how many generations it is played."""
    opponents = [text.strip() for text in settings.opponents.split(";")]
    generations = [int(text) for text in settings.generations.split(";")]
    if len(opponents) != len(generations):
        raise LudusError(
            f"there are {len(opponents)} opponents ({settings.opponents}) but {len(generations)} numbers of generations"
            f" ({settings.generations}); give one number for each"
        )
    return list(zip(opponents, generations, strict=True))


def trial_rounds(settings: EvolutionSettings) -> int:
    return -(-settings.trial_games // settings.games)


@lru_cache(maxsize=16)
def opponent(text: str, game: Game) -> Any:
    """The parts of the player that a string names."""
    found = player(text, game)
    if not isinstance(found, CompiledPlayer):
        raise LudusError(f"{text} is too slow to evolve against; name a player such as random or alphabeta:depth=3")
    return found.parts


def bred(settings: EvolutionSettings, state: Evolving, dice: Dice) -> tuple[Chromosome, NDArray[np.int64]]:
    """The next generation, and in which round each of it was born."""
    size = settings.population
    lots = np.array([uniform(dice) for _ in range(size)])
    order = {"lot": lots, "old": state.born + lots, "new": lots - state.born}[settings.ties]
    ranked = np.lexsort((order, -state.fitness))
    population, born = state.population.copy(), state.born.copy()
    for i in range(settings.parents):
        one = ranked[i]
        at_least_as_fit = int(np.sum(state.fitness >= state.fitness[one]))
        other = ranked[below(dice, at_least_as_fit)]
        places = ranked[size - 1 - 2 * i], ranked[size - 2 - 2 * i]
        mate(
            state.population[one], state.population[other], population[places[0]], population[places[1]],
            settings.mutation, settings.mutation_size, dice,
        )  # fmt: skip
        born[list(places)] = state.rounds
    return population, born


@kernel
def scatter(genes, dice):
    """Draw all integers uniformly."""
    for i in range(len(genes)):
        genes[i] = below(dice, 256) - 128


@kernel
def mate(one, other, child, sibling, mutation, size, dice):
    """Write two children: what lies between two points is exchanged, and now and then an integer changes."""
    first, second = below(dice, len(one)), below(dice, len(one))
    low, high = min(first, second), max(first, second)
    for i in range(len(one)):
        inside = low <= i < high
        child[i], sibling[i] = (other[i], one[i]) if inside else (one[i], other[i])
    for each in (child, sibling):
        for i in range(len(each)):
            if uniform(dice) < mutation:
                change = below(dice, 2 * size) - size
                each[i] = (np.int64(each[i]) + change + 128) % 256 - 128
