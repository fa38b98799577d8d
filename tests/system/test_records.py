"""Records: the same names for the same numbers in Python, in compiled code and in what machine code is kept by."""

import numpy as np
import pytest
from numba.core.errors import TypingError

from biela.machine import array_table, code_closure
from biela.machine.array_table import Arrays, as_arrays, pack, unpack
from biela.machine.compiled import HEADER, compiled
from biela.machine.records import CLASSES, RECORDS, new_record
from biela.methods.checkpoint import FROM_SETTINGS


def arrays() -> Arrays:
    return as_arrays({"k": np.zeros((3, 4))})


def test_compiled_code_and_python_see_the_same_numbers():
    @compiled()
    def change(header):
        s = unpack(header)
        s.par.alpha, s.run.projection = 2.5, -1
        s.run.evaluations += 7
        s.mon.steps = s.run.evaluations
        s.switching.resting_steps += 0.5
        s.k[2, 1] = s.par.xi
        return s.opt.rank

    s = arrays()
    s.par.xi, s.opt.rank = 0.7, 11
    table = pack(s)
    assert change(table.ctypes.data) == 11
    assert (s.par.alpha, s.run.projection, s.run.evaluations, s.mon.steps) == (2.5, -1, 7, 7.0)
    assert s.switching.resting_steps == 0.5 and s.k[2, 1] == 0.7 and np.count_nonzero(s.k) == 1
    assert np.count_nonzero(s.run) == 2 and np.count_nonzero(s.mon) == 1


@pytest.mark.parametrize("name", RECORDS)
def test_every_field_has_a_place_of_its_own(name):
    """The same in both; a name of NumPy's own would hide what arrays need."""
    record, made, layout = RECORDS[name], new_record(name), array_table._RECORD[name]
    assert made.itemsize == 8 and layout.size == made.nbytes
    for place, (field, meaning) in enumerate(record.fields.items()):
        assert layout.offset(field) == 8 * place and not hasattr(np.ndarray, field) and meaning
        setattr(made, field, place + 1)
    assert made.tolist() == list(range(1, len(record.fields) + 1))
    assert isinstance(made.copy(), CLASSES[name]) and made.copy().tolist() == made.tolist()


def test_a_wrong_name_is_an_error():
    @compiled()
    def wrong(header):
        unpack(header).par.alfa = 1.0

    with pytest.raises(AttributeError):
        new_record("par").alfa = 1.0  # type: ignore[attr-defined]
    with pytest.raises((TypingError, KeyError)):  # (when it is read, and when it is written)
        wrong.compile((HEADER,))


def test_another_layout_is_other_machine_code(monkeypatch):
    """Of the kernels that name a field which has moved, and of no others."""

    def reads(header):
        return unpack(header).run.evaluations

    def others(header):
        return unpack(header).par.alpha

    def digests() -> list[str]:
        code_closure._known.clear()
        return [code_closure.closure_digest(f) for f in (reads, others)]

    before, run = digests(), RECORDS["run"]
    assert digests() == before
    monkeypatch.setitem(RECORDS, "run", run._replace(fields=dict(reversed(run.fields.items()))))
    after = digests()
    monkeypatch.undo()
    code_closure._known.clear()
    assert after[0] != before[0] and after[1] == before[1]


def test_a_checkpoint_leaves_out_what_the_settings_say():
    assert {"par", "opt"} <= FROM_SETTINGS and not {"run", "ctl", "mon", "margin", "switching"} & FROM_SETTINGS
