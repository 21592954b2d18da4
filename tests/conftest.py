"""Every commit is tested with the same inputs; only the nightly effort looks for new ones."""

import pytest
from hypothesis import settings

from tests.effort import EFFORT

settings.register_profile("ludus", derandomize=EFFORT == 1, deadline=None)
settings.load_profile("ludus")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the long ones, so that at the end no worker waits for another; end with those that need most kernels,
    which the others have compiled by then."""
    items.sort(key=lambda item: 2 if item.get_closest_marker("last") else item.get_closest_marker("long") is None)
