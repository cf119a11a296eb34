"""Made-up examples are the same on every run; HYPOTHESIS_PROFILE=explore tries new ones."""

import os

from hypothesis import settings

settings.register_profile("same", derandomize=True, deadline=None)  # how long one takes is no test
settings.register_profile(
    "explore", settings.get_profile("default"), max_examples=500, deadline=None
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))
