"""Machine code of a tape by LLVM, behind the signature that formulations have: integrators do not notice.

    status = evaluate(header, t)

It reads what it needs of the system's arrays, computes, and decides as the kernel did wherever a path was recorded.
Where none was, nothing has been written yet, and the generic evaluation is called in its place.
"""

from __future__ import annotations

import hashlib
import os
import struct
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from ...errors import reason_of
from ..addresses import address
from ..array_table import word_of
from ..compiled import cache_folder
from ..kept_code import Damaged, read_whole, tell, tell_damaged, with_digest
from .memory import KINDS, Cell
from .tape import Path as Way
from .tape import Tape

_BINARY = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
_COMPARE = {"lt": "olt", "le": "ole", "eq": "oeq", "ne": "une"}
_INTRINSIC = {"sqrt", "sin", "cos", "exp", "log", "floor", "abs", "pow", "min", "max"}
_NAMES = {"abs": "fabs", "min": "minnum", "max": "maxnum"}
_ITEM = {"f": ("double", 8), "i": ("i32", 4), "j": ("i64", 8)}


def text(tape: Tape, name: str = "evaluate") -> str:
    """The program in LLVM's language."""
    return _Writer(tape).function(name)


class _Writer:
    def __init__(self, tape: Tape):
        self.tape, self.lines, self.count = tape, list[str](), 0
        self.names, self.bits = dict[int, str](), dict[int, str]()
        self.pointers: dict[str, str] = {}
        self.declared: set[str] = set()

    def value(self, instruction: str) -> str:
        """A new value."""
        self.count += 1
        self.lines.append(f"  %v{self.count} = {instruction}")
        return f"%v{self.count}"

    def pointer(self, cell: Cell) -> str:
        if cell.array not in self.pointers:
            word = self.value(f"getelementptr i64, ptr %table, i64 {word_of(cell.array)}")
            self.pointers[cell.array] = self.value(f"load ptr, ptr {word}, !invariant.load !0")
        item = _ITEM[KINDS[cell.array]][0]
        return self.value(f"getelementptr {item}, ptr {self.pointers[cell.array]}, i64 {cell.index}")

    def read(self, key: Any) -> str:
        if key == "t":
            return "%t"
        item, align = _ITEM[KINDS[key.array]]
        out = self.value(f"load {item}, ptr {self.pointer(key)}, align {align}")
        return out if item == "double" else self.value(f"sitofp {item} {out} to double")

    def store(self, cell: Cell, value: str) -> None:
        item, align = _ITEM[KINDS[cell.array]]
        if item != "double":
            value = self.value(f"fptosi double {value} to {item}")
        self.lines.append(f"  store {item} {value}, ptr {self.pointer(cell)}, align {align}")

    def operation(self, number: int) -> str:
        o = self.tape.operations[number]
        if o.name == "constant":
            return _constant(o.key)
        if o.name == "input":
            return self.read(o.key)
        x = [self.names[i] for i in o.operands]
        if o.name in _BINARY:
            return self.value(f"{_BINARY[o.name]} contract double {x[0]}, {x[1]}")
        if o.name == "neg":
            return self.value(f"fneg double {x[0]}")
        if o.name in _COMPARE:
            self.bits[number] = self.value(f"fcmp {_COMPARE[o.name]} double {x[0]}, {x[1]}")
            return self.value(f"uitofp i1 {self.bits[number]} to double")
        function = f"llvm.{_NAMES.get(o.name, o.name)}.f64" if o.name in _INTRINSIC else o.name
        self.declared.add(f"declare double @{function}({', '.join(['double'] * len(x))})")
        return self.value(f"call double @{function}({', '.join(f'double {a}' for a in x)})")

    def compute(self, wanted: Iterable[int]) -> None:
        """Values that are not there yet."""
        for number in self.tape.needed(wanted, self.names):
            self.names[number] = self.operation(number)

    def follow(self, paths: list[Way], decided: int) -> None:
        """The block of paths that have taken so many decisions alike: to where they part, or to their end."""
        asked = [list(path.guards.items()) for path in paths]
        together = decided
        while all(len(a) > together and a[together] == asked[0][together] for a in asked):
            together += 1
        shared = asked[0][decided:together]
        if shared:
            self.compute(number for number, _ in shared)
            good = [self.bits[n] if expected else self.value(f"xor i1 {self.bits[n]}, true") for n, expected in shared]
            every = good[0]
            for one in good[1:]:
                every = self.value(f"and i1 {every}, {one}")
            self.branch(every, self.label(), "other")
        if len(paths) == 1:
            self.compute(paths[0].outputs.values())
            for cell, number in paths[0].outputs.items():
                self.store(cell, self.names[number])
            self.lines += ["  store i64 0, ptr %answer, align 8", "  ret i32 0"]
            return
        number = asked[0][together][0]
        self.compute([number])
        sides = [[p for p, a in zip(paths, asked, strict=True) if a[together][1] == side] for side in (True, False)]
        yes, no = self.label(), self.label()
        self.branch(self.bits[number], yes, no, begin=False)
        there = self.names.copy(), self.bits.copy(), self.pointers.copy()
        for side, label in zip(sides, (yes, no), strict=True):
            self.names, self.bits, self.pointers = there[0].copy(), there[1].copy(), there[2].copy()
            self.lines.append(f"{label}:")
            self.follow(side, together)

    def label(self) -> str:
        self.count += 1
        return f"b{self.count}"

    def branch(self, bit: str, yes: str, no: str, begin: bool = True) -> None:
        self.lines.append(f"  br i1 {bit}, label %{yes}, label %{no}")
        if begin:
            self.lines.append(f"{yes}:")

    def function(self, name: str) -> str:
        self.follow(self.tape.paths, 0)
        # Numba's own way of calling: the answer through a pointer, and no exception
        arguments = "ptr %answer, ptr %exception, i64 %header, double %t"
        return "\n".join([
            f"define i32 @{name}({arguments}) {{",
            "entry:",
            "  %table = inttoptr i64 %header to ptr",
            *self.lines,
            "other:",
            f"  %status = tail call i32 @generic({arguments})",
            "  ret i32 %status",
            "}",
            "declare i32 @generic(ptr, ptr, i64, double)",
            *sorted(self.declared),
            "!0 = !{}",
        ])  # fmt: skip


def _constant(x: float) -> str:
    return f"0x{struct.unpack('>Q', struct.pack('>d', x))[0]:016X}"


class Compiled:
    """Machine code of one tape, kept on disk under a digest of its text."""

    def __init__(self, tape: Tape, generic: Any):
        """`generic`: the compiled evaluation that takes over where a guard fails."""
        program = text(tape)
        target = _target()
        self.generic = generic
        self.digest = hashlib.sha256(f"{target.triple} {_processor()}\n{program}".encode()).hexdigest()
        name = f"biela_{self.digest}_generic"
        llvm.add_symbol(name, address(generic))
        module = llvm.parse_assembly(program.replace("@generic", f"@{name}"))
        file = cache_folder() / "tapes" / f"{self.digest}.o"
        kept = _read(file)
        if kept is None:
            builder = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(speed_level=2))
            builder.getModulePassManager().run(module, builder)
        self._engine = llvm.create_mcjit_compiler(module, target)
        self._engine.set_object_cache(lambda _, code: _keep(file, code), lambda _: kept)
        self._engine.finalize_object()
        self.address = self._engine.get_function_address("evaluate")

    def __call__(self, header: int, t: float) -> int:
        """For Python: the generic evaluation."""
        return self.generic(header, t)


@cache
def _processor() -> str:
    return f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


def _target() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features().flatten()
    make = llvm.Target.from_default_triple().create_target_machine
    return make(cpu=llvm.get_host_cpu_name(), features=features, opt=2)


def _read(file: Path) -> bytes | None:
    """Machine code that was kept, if there is any and it is whole."""
    try:
        return read_whole(file)
    except OSError:
        return None
    except Damaged:
        tell_damaged(str(file.parent))
        return None


def _keep(file: Path, code: bytes) -> None:
    """A full disk, a folder that cannot be written to: the code is there, it is not kept."""
    try:
        file.parent.mkdir(mode=0o700, exist_ok=True)
        own = file.with_suffix(f".{os.getpid()}")
        own.write_bytes(with_digest(code))
        own.replace(file)
    except OSError as error:
        tell("unkept", f"machine code could not be kept in {file.parent}: {reason_of(error)}")
