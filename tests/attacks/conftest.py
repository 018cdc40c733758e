"""What the tests of attacks share."""

import pytest

from tests.attacks.speed import slowness_now


@pytest.fixture(scope="module")
def slowness() -> float:
    """How much slower this machine is than the one that the ceilings were set on."""
    return slowness_now()
