"""A study of a plug-in that makes a matrix with axes of its own: trades by qualities, over phrasings."""

from pathlib import Path

import numpy as np

from tiltmeter.core.conventions import PAPER
from tiltmeter.core.data.items import Dataset, Pair
from tiltmeter.core.estimates import Meaning
from tiltmeter.core.measures import Measure
from tiltmeter.core.study import Study
from tiltmeter.core.study_views import CrossedRows, Matrix, MatrixDomains, MatrixSides
from tiltmeter.metrics.traits import infer_over_templates
from tiltmeter.studies import pairs

SINGLE = {"baker": "trade", "sailor": "trade", "old": "age", "young": "age"}
CROSSED = {
    "old baker": ("old", "baker"),
    "baker of old age": ("baker", "old"),
    "young sailor": ("young", "sailor"),
    "sailor of young age": ("sailor", "young"),
}
QUALITIES = {
    "slow - quick": "pace",
    "gloomy - cheerful": "mood",
    "shy - bold": "mood",
    "dull - keen": "wit",
}
PHRASINGS = ("The {} is {}.", "That {} is {}.", "One {} is {}.", "A {} seems {}.")


def items() -> list[Pair]:
    made = []
    for trade in (*SINGLE, *CROSSED):
        for quality, field in QUALITIES.items():
            left, right = quality.split(" - ")
            for phrasing in PHRASINGS:
                about = {"trade": trade, "quality": quality, "phrasing": phrasing, "field": field}
                about |= {"sector": SINGLE[trade]} if trade in SINGLE else {}
                about |= dict(zip(("base", "other"), CROSSED.get(trade, ()), strict=False))
                made.append(
                    Pair(
                        f"{trade}|{quality}|{phrasing}",
                        phrasing.format(trade, right),
                        phrasing.format(trade, left),
                        about,
                        cluster=phrasing,
                    )
                )
    return made


def load(source=None, *, skip_invalid=False, encoding=""):
    del source, skip_invalid, encoding
    return Dataset(
        "trades", "1", items(), "made up", "Apache-2.0", sha256="7" * 64, clusters="phrasing"
    )


def mean_lean(less, more):
    return float(np.mean(more - less))


STUDY = Study(
    name="trades",
    title="Trades and qualities",
    version="1",
    source="made up",
    measures_what="Which quality a trade is nearer to.",
    not_what="Anything else.",
    load=load,
    sample=load,
    rules=pairs.STUDY.rules,
    measures=(
        Measure(
            "lean", mean_lean, ("less", "more"), "nats", 0.0, infer=infer_over_templates,
            over=(("trade", "quality"),),
            meaning=Meaning("Lean", sides=("left quality", "right quality"), neutral_is="no lean"),
            adjustment="Benjamini–Hochberg",
        ),
    ),
    conventions=(PAPER,),
    views=(
        Matrix(
            "lean", rows="trade", columns="quality", layers="phrasing",
            domains=MatrixDomains("sector", "field"), sides=MatrixSides(("less", "more")),
            crossed=CrossedRows(("base", "other"), "it always is"),
            called=("trades", "qualities"),
        ),
    ),
)  # fmt: skip


def install(folder: Path) -> Path:
    """As another package would offer it; `folder` must then be on the path."""
    info = folder / "trades-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: trades\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[tiltmeter.studies]\ntrades = plugins.trades\n")
    return folder
