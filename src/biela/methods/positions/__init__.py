"""Closing a mechanism, following a prescribed motion, impulses."""
