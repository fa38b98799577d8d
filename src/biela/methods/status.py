"""How a run ends: codes that compiled code returns, and the sentences they stand for."""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """The end of a run.

    >>> Status.singular.sentence
    'singular position: the constraints lose rank'
    """

    finished = 0
    not_finite = 1
    singular = 2
    position = 3
    iteration = 4
    step_too_small = 5
    user_function = 6
    no_inertia = 7
    interrupted = 8
    oracle = 9

    @property
    def sentence(self) -> str:
        """What happened, in words."""
        return _SENTENCES[self]

    @property
    def cure(self) -> str:
        """What to try."""
        return _CURES[self]


_SENTENCES = {
    Status.finished: "finished",
    Status.not_finite: "the motion is no longer finite",
    Status.singular: "singular position: the constraints lose rank",
    Status.position: "the position problem has no solution near the last one",
    Status.iteration: "the corrector does not converge",
    Status.step_too_small: "the step needed for the tolerance is too small",
    Status.user_function: "a user function failed",
    Status.no_inertia: "something moves without inertia",
    Status.interrupted: "interrupted",
    Status.oracle: "the reference integrator gave up",
}
_CURES = {
    Status.finished: "",
    Status.not_finite: "use a smaller step, or an implicit or error-controlled integrator",
    Status.singular: "formulation='augmented' or 'penalty' passes singular positions",
    Status.position: "use a smaller step, or formulation='augmented'",
    Status.iteration: "use a smaller step, or an explicit integrator",
    Status.step_too_small: "loosen the tolerance, or use integrator='radau5' for a stiff model",
    Status.user_function: "look at the message of the function",
    Status.no_inertia: "give mass to the part that is named, or constrain it",
    Status.interrupted: "",
    Status.oracle: "loosen the tolerance",
}

# plain integers for compiled code
OK, NOT_FINITE, SINGULAR, POSITION, ITERATION, TOO_SMALL = (int(Status(k)) for k in range(6))
USER_FUNCTION, NO_INERTIA = int(Status.user_function), int(Status.no_inertia)
