"""Settings of learners for tests."""

SMALL = {
    "tdl": {"games": 3000, "step_games": 100},
    "cel": {"games": 4000, "population": 4, "sample": 5},
    "ctdl": {"games": 4000, "population": 4, "sample": 5, "lesson_games": 10},
    "cma-es": {"games": 4000, "population": 6, "step_games": 500},
    "blondie24": {"generations": 4, "population": 4, "opponents": 2, "depth": 2, "hidden": "4"},
    "blondie24-rr": {"generations": 4, "population": 4, "depth": 2, "hidden": "4"},
    "social": {
        "generations": 8,
        "population": 4,
        "opponents": 2,
        "depth": 1,
        "hidden": "4",
        "individual": 1,
        "social": 2,
    },
    "fit": {"records": "random:300", "epochs": 12, "step_positions": 400},
    "sarsa-linear": {"games": 3000, "step_games": 100},
    "sarsa-lvq": {"games": 1000, "step_games": 50, "capacity": 200, "from_opponent": True},
    "xcs": {"games": 2000, "step_games": 100, "rules": 500},
    "marker": {
        "opponents": "random; population", "generations": "4; 3", "trial_games": 8, "games": 4, "population": 8,
        "parents": 3, "hall": 2, "genes": 1000,
    },
    "fixed-network": {
        "opponents": "random; alphabeta:depth=1", "generations": "4; 3", "trial_games": 8, "games": 4, "population": 8,
        "parents": 3, "hall": 2, "hidden": 5, "inputs": "two",
    },
}  # fmt: skip
"""Settings with which a run is over in about a second; a learner that is new must be given some."""
