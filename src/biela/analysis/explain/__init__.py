"""The equations of a small mechanism in symbols."""
