"""The geometry of a motion: points of bodies, instantaneous centres, links and transmission angles."""
