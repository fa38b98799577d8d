"""Joints as equations on points and directions."""
