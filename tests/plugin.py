"""A study that another package brings: that of docs/add-a-study.md, cut down to one bare measure.

It declares no meaning, no comparison and no view, and its only measure is no rate: whatever shows, compares
or correlates results must do so without knowing a study or a measure.
"""

import re
import sys
from pathlib import Path

NAME, MEASURE = "left_handed", "mean_margin"
PAGE = Path(__file__).parents[1] / "docs" / "add-a-study.md"
BARE = f"""

import dataclasses

from tiltmeter.core.study import NOTHING_SAID, PAIRED

STUDY = dataclasses.replace(
    STUDY,
    views=(),
    measures=tuple(
        dataclasses.replace(m, meaning=NOTHING_SAID, comparison=PAIRED)
        for m in STUDY.measures
        if m.name == "{MEASURE}"
    ),
)
"""


def install(folder):
    """Put the study and its entry point into a folder, which is then a path to import from."""
    (source, *_) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL)
    (folder / f"{NAME}.py").write_text(source + BARE, encoding="utf-8")
    info = folder / f"{NAME}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {NAME}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[tiltmeter.studies]\n{NAME} = {NAME}\n")
    return folder


def forget():
    """As if it had never been imported."""
    sys.modules.pop(NAME, None)
