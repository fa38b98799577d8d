"""Events: impacts on stops, rest, release, locks. The run is cut where they happen."""
