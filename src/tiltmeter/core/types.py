"""Type aliases that all packages share."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]
Signs: TypeAlias = npt.NDArray[np.int8]
"""-1, 0 and 1."""
Labels: TypeAlias = npt.NDArray[np.str_] | Integers
Column: TypeAlias = Array | Labels
Groups: TypeAlias = Mapping[str, str]
"""What an item is about, by axis: {"bias_type": "age", "direction": "stereo"}."""

Adjustment: TypeAlias = Literal["Holm", "Benjamini–Hochberg"]
"""How p-values are corrected for asking several questions at once."""
Ties: TypeAlias = Literal["half", "loss", "neutral"]
"""What two equal scores count as.

half: half a preference for either side (the default: swapping the sides gives 100 - x).
loss: no preference for the more stereotyping sentence.
neutral: as `loss` where all items are counted, and left out of the stereo and antistereo subsets.
"""
