"""Settings shared by all tests."""

import os

from hypothesis import settings

os.environ["MPLBACKEND"] = "Agg"  # no windows

# "ci" gives the same examples every time; "dev" searches on (HYPOTHESIS_PROFILE=dev pytest).
settings.register_profile("ci", derandomize=True, deadline=None, max_examples=40)
settings.register_profile("dev", deadline=None, max_examples=400)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
