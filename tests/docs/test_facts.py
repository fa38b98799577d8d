"""The reference pages say what the code does: keys and defaults, options, statuses, and what `auto` chooses."""

import re
from pathlib import Path
from typing import get_args

import pytest
from pydantic_core import PydanticUndefined

from biela.cli.app import app
from biela.methods.registry import FORMULATIONS, INTEGRATORS
from biela.methods.settings import ERROR_TOLERANCE, FIXED_POINT_TOLERANCE, LOOSE, choose
from biela.methods.status import Status
from biela.model import bodies, items
from biela.model.forces import FORCES
from biela.model.joints import PLANE, SPACE
from biela.model.joints.joint import SpaceJoint
from biela.model.model import Model
from biela.system.system import COORDINATES

DOCS = Path(__file__).parents[2] / "docs"


def sections(page: str) -> dict[str, str]:
    """Heading -> text below it, up to the next heading."""
    parts = re.split(r"^#+ (.+)$", (DOCS / page).read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def rows(text: str) -> list[list[str]]:
    """Cells of the rows of the tables in a text, headers and rules left out."""
    found, before = [], ""
    for line in text.splitlines():
        if line.startswith("|") and before.startswith("|") and not set(line) <= set("|- "):
            found.append([cell.strip() for cell in line.strip("|").split("|")])
        before = line
    return found


# ------------------------------------------------------------------------------------------------- model-file.md
def kinds() -> list[tuple[str, type]]:
    """(heading, item) of every table that a model file can hold."""
    found: list[tuple[str, type]] = [("The file itself", Model), ("Lines", items.Axis), ("Drivers", items.Driver)]
    found += [("Stops", items.Stop), ("Locks", items.Lock)]
    found += [("Tables", items.Table)]
    found += list(PLANE.items())
    found += list(FORCES.items())
    unions = {"": (bodies.AnyBody,), " coordinate": (items.AnyCoordinate,)}
    for suffix, some in unions.items():
        for union in some:
            for item in get_args(get_args(union)[0]):
                found.append((get_args(item.model_fields["type"].annotation)[0] + suffix, item))
    return found


@pytest.mark.parametrize("heading, item", kinds(), ids=lambda x: x if isinstance(x, str) else "")
def test_every_key_of_a_model_file_is_described(heading, item):
    table = {row[0].strip("`"): row for row in rows(sections("model-file.md")[heading]) if len(row) == 4}
    assert list(table) == list(item.model_fields)
    for key, field in item.model_fields.items():
        required = field.is_required() or (key == "type" and field.default is PydanticUndefined)
        assert (table[key][-1] == "—") == required, f"{heading}: default of {key}"


def test_start_and_run_are_described():
    keys = [row[0].strip("`") for row in rows(sections("model-file.md")["Start and run"])]
    assert keys == [key for item in (items.Initial, items.Run, items.Reference) for key in item.model_fields]


def test_every_key_of_an_item_in_space_is_described():
    unions = {
        "Bodies in space": (get_args(get_args(bodies.AnySpaceBody)[0]), bodies.Placed),
        "Joints in space": (SPACE.values(), SpaceJoint),
    }
    for heading, (kinds, base) in unions.items():
        table: dict[str, list[str]] = {}
        for row in rows(sections("model-file.md")[heading]):
            table.setdefault(row[0], row)
        told = {key for row in table for key in re.findall(r"`([\w-]+)`", row)}
        assert set(base.model_fields) <= told
        for item in kinds:
            name = get_args(item.model_fields["type"].annotation)[0]
            common = {"type"} | (set(base.model_fields) if issubclass(item, base) else set())
            fields = {key: field for key, field in item.model_fields.items() if key not in common}
            needs, may = (re.findall(r"`(\w+)`", cell) for cell in table[f"`{name}`"][2:])
            assert needs == [key for key, field in fields.items() if field.is_required()], name
            assert may == [key for key, field in fields.items() if not field.is_required()], name
            assert set(fields) <= told or not issubclass(item, base), name


def test_coordinates_in_space_are_described():
    section = sections("model-file.md")["Coordinates in space"]
    told = set(re.findall(r"`(\w+)`", section))
    for union in (items.AnySpaceCoordinate,):
        for item in get_args(get_args(union)[0]):
            assert set(item.model_fields) - {"type"} <= told
    assert set(items.SpaceLine.model_fields) <= told
    names = {joint: tuple(re.findall(r"`J\.(\w+)`", row[1])) for row in rows(section) for joint in row[0].split(", ")}
    free = {type: item.freedom_names() for type, item in SPACE.items() if item.freedom_names()}
    assert free == {joint: names[joint] for joint in free}


def test_what_joints_share_is_described():
    table = {row[0]: row for row in rows(sections("theory/natural-space.md")["What joints share"])}
    kinds = {type: item for type, item in SPACE.items() if issubclass(item, SpaceJoint)}
    sharing = {type: item for type, item in kinds.items() if item.shares_point or item.shared_axes}
    assert set(table) == {*sharing, "all others"}
    for joint, item in sharing.items():
        axes = ", ".join(f"e_{axis[1]}" for axis in item.shared_axes)
        assert table[joint][1] == ("yes" if item.shares_point else "")
        assert table[joint][2] == (f"${axes}$" if axes else "")


def test_rows_of_joints_are_described():
    table = rows(sections("theory/joints.md")["In space"])
    told = {joint: int(row[2]) for row in table for joint in row[0].split(", ")}
    assert set(told) == {type for type, item in SPACE.items() if issubclass(item, SpaceJoint)}
    assert all(int(row[2]) + int(row[3]) == 6 for row in table)


def test_every_set_of_coordinates_is_described():
    assert [row[0].strip("`") for row in rows(sections("coordinates.md")["Four sets"])] == list(COORDINATES)


# ---------------------------------------------------------------------------------------------------- choose.md
def test_auto_follows_the_page():
    table = rows(sections("choose.md")["With no choice given"])[:5]
    assert [row[1:3] for row in table] == [
        ["`augmented`", "`dopri8`"],
        ["`augmented`", "`dopri5`"],
        ["`augmented`", "`radau5`"],
        ["`augmented`", "yours"],
        ["yours", "`dopri8`, `dopri5` or `radau5`, as above; `gauss` for `projection` and stiff forces"],
    ]
    situations = (
        ({}, "dopri8"), ({"tolerance": 0.9e-6}, "dopri8"), ({"tolerance": 1e-6}, "dopri5"),
        ({"eventful": True}, "dopri5"), ({"redundant": True}, "dopri8"), ({"stiff": True}, "radau5"),
    )  # fmt: skip
    for situation, integrator in situations:
        chosen = choose(**situation)
        assert (chosen.formulation.name, chosen.integrator.name) == ("augmented", integrator)
    assert f"{LOOSE:g}".replace("e-0", "e-") in table[1][0]
    for name, i in INTEGRATORS.items():
        assert choose(integrator_name=name).formulation.name == ("index-3" if i.direct else "augmented")
    for name in FORMULATIONS:
        assert choose(formulation_name=name).integrator.name == "dopri8"
    page = (DOCS / "choose.md").read_text(encoding="utf-8")
    assert f"{ERROR_TOLERANCE:g}".replace("e-0", "e-") in page
    assert f"{FIXED_POINT_TOLERANCE:g}".replace("e-0", "e-") in page


def test_defaults_follow_the_page():
    for f in ("baumgarte", "penalty", "augmented"):
        for i in ("dopri5", "dopri8"):
            plain = choose(f, i)
            assert (plain.xi, plain.omega, plain.project_every) == (1.0, 0.0 if f == "augmented" else 10.0, 1)
        assert choose(f, "rk4").omega == choose(f, "dop853").omega == choose(f, "dopri5", project_every=0).omega == 10.0
    assert all(choose(None, i).project_every == 0 for i in INTEGRATORS if i not in ("dopri5", "dopri8", "radau5"))


def test_every_method_is_on_the_page():
    parts = sections("choose.md")
    methods = {row[0].strip("`"): row for row in rows(parts["The integrators"])}
    assert list(methods) == list(INTEGRATORS)
    for name, i in INTEGRATORS.items():
        assert methods[name][1:3] == [str(i.order), "error-controlled" if i.adaptive else "fixed"]
    formulations = {row[0].strip("`"): row for row in rows(parts["The formulations"])}
    assert list(formulations) == list(FORMULATIONS)
    for name, f in FORMULATIONS.items():
        assert formulations[name][3] == ("passes" if f.passes_singular else "stops")


# --------------------------------------------------------------------------------------- cli.md, troubleshooting.md
def test_every_command_and_option_is_on_the_page():
    from typer.main import get_command

    page = (DOCS / "cli.md").read_text(encoding="utf-8")
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        assert f"biela {name}" in page
        for parameter in command.params:
            for option in parameter.opts if parameter.param_type_name == "option" else ():
                assert option in ("-h", "--help") or option in page, f"biela {name} {option}"


def test_every_status_is_on_the_page():
    table = rows(sections("troubleshooting.md")["How a run may stop"])
    assert [row[0].strip("`") for row in table] == [status.name for status in Status]
    assert [row[1] for row in table] == [status.sentence for status in Status]


def test_the_list_of_mechanisms_is_as_long_as_the_pages_say():
    from biela import library

    for page in (DOCS.parent / "README.md", DOCS.parent / "CHANGELOG.md"):
        assert re.search(rf"\b{len(library.names())} mechanisms\b", page.read_text(encoding="utf-8")), page.name
