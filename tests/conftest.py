"""Made-up examples are the same on every run; HYPOTHESIS_PROFILE=explore tries new ones."""

import os

from hypothesis import settings

settings.register_profile("same", derandomize=True)
settings.register_profile("explore", settings.get_profile("default"), max_examples=500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))
