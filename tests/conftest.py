"""Every commit is tested with the same inputs; only the nightly effort looks for new ones."""

from hypothesis import settings

from tests.effort import EFFORT

settings.register_profile("ludus", derandomize=EFFORT == 1, deadline=None)
settings.load_profile("ludus")
