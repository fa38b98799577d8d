"""Forces: one file each. What they ask of a model while it is resolved is in `resolve.force_reader`."""

from .registry import FORCES

__all__ = ["FORCES"]
