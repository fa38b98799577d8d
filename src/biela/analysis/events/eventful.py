"""A run with events, from a system to its result."""

from __future__ import annotations

import numpy as np

from ...methods.run import Progress
from ...methods.settings import Settings
from ...results.eventful import EventResult
from ...results.events import Events
from ...system.system import System
from .course import Course
from .modes import row_names

EFFORTS = {"m": "N", "rad": "N*m", "1": "1"}


def run_with_events(system: System, settings: Settings, duration: float, samples: int,
                    progress: Progress | None = None) -> EventResult:  # fmt: skip
    """Simulate a mechanism with stops and locks."""
    course = Course(system, settings, duration, samples, progress)
    trajectory = course.run()
    units = {s.name: EFFORTS[s.unit] for s in system.resolved.stops}
    for lock in system.resolved.locks:
        units |= {name: EFFORTS[unit] for name, unit in zip(row_names(lock), lock.units, strict=True)}
    forces = {name: (np.array([f.get(name, 0.0) for f in course.forces]), unit) for name, unit in units.items()}
    spans = [(p.first, p.last, p.closed) for p in course.pieces if p.last > p.first]
    events = Events(course.events)
    result = EventResult(system, settings, trajectory, duration, events, forces, spans, course.modes.fresh)
    if course.message:
        result.message = course.message
    return result
