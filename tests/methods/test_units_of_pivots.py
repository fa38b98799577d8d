"""The independent coordinates of a mechanism do not depend on the unit of length it is given in."""

import pytest

import biela
from biela.model.file import load_text
from spatial.states import COORDINATES


def four_bar(unit: float) -> biela.Model:
    """A four-bar linkage of `unit` metres with an angle among its coordinates that turns back on the way:
    there it must not be the independent one."""
    g = -9.81 * unit
    return load_text(f"""
gravity = [0, {g}]
ground = {{ O = [0, 0], C = [{3 * unit}, 0] }}
points = {{ A = [0, {unit}], B = [{3.1 * unit}, {2.2 * unit}] }}
[bodies]
crank = {{ type = "bar", points = ["O", "A"], mass = 1 }}
coupler = {{ type = "bar", points = ["A", "B"], mass = 1 }}
rocker = {{ type = "bar", points = ["C", "B"], mass = 1 }}
[coordinates]
swing = {{ type = "angle", of = "rocker" }}
[initial]
velocity = {{ "crank.angle" = -6 }}
""")


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("unit", [1e-4, 1e3])
def test_projection_chooses_alike_in_all_units(coordinates: str, unit: float) -> None:
    plain, odd = (biela.simulate(four_bar(u), 2.0, coordinates=coordinates, formulation="projection", integrator="rk4",
                                 step=2e-3) for u in (1.0, unit))  # fmt: skip
    assert plain.ok and odd.ok
    for name, scale in (("A.x", unit), ("B.y", unit), ("swing", 1.0)):
        assert abs(odd[name] / scale - plain[name]).max() < 1e-7, name
