"""Settings of learners for tests."""

SMALL = {
    "tdl": {"games": 3000, "step_games": 100},
    "cel": {"games": 4000, "population": 4, "sample": 5},
    "ctdl": {"games": 4000, "population": 4, "sample": 5, "lesson_games": 10},
}
"""Settings with which a run is over in about a second; a learner that is new must be given some."""
