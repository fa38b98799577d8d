"""What a run gave stays as it was, whatever is done with what it is asked for."""

import numpy as np
import pytest

import biela


@pytest.fixture(scope="module")
def r() -> biela.Result:
    return biela.simulate("double-pendulum", 0.2, samples=20)


@pytest.mark.parametrize("name", ["t", "energy.kinetic", "energy.total", "P2.x", "P2", "P2.velocity"])
def test_channels_are_copies(r: biela.Result, name: str):
    before = np.array(r[name])
    channel = r[name]
    channel *= 0
    r[name][:] = 7.0
    assert (np.asarray(channel) == 0).all() and np.array_equal(r[name], before) and np.ptp(before) > 0


@pytest.mark.parametrize("name", ["t", "q", "v", "a", "lam", "work"])
def test_samples_cannot_be_written_to(r: biela.Result, name: str):
    with pytest.raises(ValueError, match="read-only"):
        getattr(r, name)[:] = 0.0
    with pytest.raises(ValueError, match="read-only"):
        getattr(r, name).__imul__(2.0)
    own = getattr(r, name).copy()
    own[:] = 0.0
    assert np.asarray(getattr(r, name)).any() or name == "work"
