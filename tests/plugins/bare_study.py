"""What another package brings: the study of docs/extend/add-a-study.md, cut down to one bare measure, and the
analysis of docs/extend/add-an-analysis.md as it is.

It declares no meaning, no comparison and no view, and its only measure is no rate: whatever shows, compares
or correlates results must do so without knowing a study or a measure.
"""

import re
import sys
from pathlib import Path

NAME, MEASURE = "left_handed", "mean_margin"
DOCS = Path(__file__).parents[2] / "docs"
ANALYSIS = "widest_gap"
BARE = f"""

import dataclasses

from tiltmeter.core.measures import NOTHING_SAID, PAIRED

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
    """Put both and their entry points into a folder, which is then a path to import from."""
    (folder / f"{NAME}.py").write_text(code_in("extend/add-a-study.md") + BARE, encoding="utf-8")
    (folder / f"{ANALYSIS}.py").write_text(code_in("extend/add-an-analysis.md"), encoding="utf-8")
    info = folder / f"{NAME}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {NAME}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        f"[tiltmeter.studies]\n{NAME} = {NAME}\n[tiltmeter.analyses]\n{ANALYSIS} = {ANALYSIS}\n"
    )
    return folder


def code_in(page):
    """The first Python file that a page of the documents shows."""
    text = (DOCS / page).read_text("utf-8")
    return re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)[0]


def forget():
    """As if they had never been imported."""
    sys.modules.pop(NAME, None)
    sys.modules.pop(ANALYSIS, None)
