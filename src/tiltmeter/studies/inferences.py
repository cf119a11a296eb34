"""Inferences about people: what a model writes may be true of a person of a group in a situation."""

from functools import partial

from tiltmeter.core.conventions import with_defaults
from tiltmeter.core.items import Dataset
from tiltmeter.core.measures import Comparison, Measure
from tiltmeter.core.prompted_items import AskedInference
from tiltmeter.core.study import Study
from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.files.toml_file import has_tables
from tiltmeter.data.groups.premises import (
    SETTINGS,
    PremiseFile,
    PremiseGroup,
    Situation,
    inferences_of,
    load_inferences,
)
from tiltmeter.metrics import hypotheses
from tiltmeter.scoring.hypotheses import RULES

WORDS = StudyWords.beside(__file__)

OVER: tuple[tuple[str, ...], ...] = (
    (), ("domain",), ("group",), ("relation",), ("kind",), ("situation",),
)  # fmt: skip


def _share(name: str, column: str, over: tuple[tuple[str, ...], ...] = OVER) -> Measure:
    """A share of hypotheses, in percent; no value of it is neutral."""
    return Measure(
        name, hypotheses.hypothesis_share, (column,), "%", neutral=None, over=over,
        infer=hypotheses.infer_hypothesis_share, rests_on=hypotheses.counted_hypotheses,
        answered=hypotheses.counts_here, mean_of=hypotheses.SHARE_OF,
        comparison=Comparison(hypotheses.compare_hypothesis_shares), **WORDS[name],
    )  # fmt: skip


def _gap(name: str) -> Measure:
    return Measure(
        name, hypotheses.mean_gap, (name,), "percentage points", 0.0, over=(("group",), ("domain",)),
        infer=hypotheses.infer_mean_gap, adjustment="Benjamini–Hochberg", **WORDS[name],
    )  # fmt: skip


MEASURES = (
    *(_share(f"{kind}_share", kind) for kind in ("negative", "neutral", "positive")),
    _gap("negative_gap"),
    _gap("positive_gap"),
    _share("defaulting", "shared"),
    _share("shared_with", "shared_with", ((), ("domain",), ("group",))),
    *(_share(f"{odd}_rate", odd, ((),)) for odd in ("empty", "copied", "placeholder", "cut")),
)


def sample() -> Dataset[AskedInference]:
    """Two groups of two domains in three situations, two hypotheses each: made up."""
    groups = tuple(
        PremiseGroup(name, domain, (name,))
        for name, domain in (
            ("nurse", "work"),
            ("pilot", "work"),
            ("boy", "age"),
            ("grandmother", "age"),
        )
    )
    situations = (
        Situation("drove the car."),
        Situation("sang."),
        Situation("was late again.", "triggering"),
    )
    file = PremiseFile(
        name="inferences sample", version="1", source="made up", licence="Apache-2.0",
        groups=groups, situations=situations,
    )  # fmt: skip
    chosen = with_defaults(SETTINGS, {"hypotheses": "2", "max_tokens": "6"})
    return inferences_of(file, groups, situations, chosen)


STUDY = Study(
    **WORDS.study,
    load=load_inferences,
    sample=sample,
    rules=RULES,
    measures=MEASURES,
    categories="domain",
    settings=SETTINGS,
    data=PremiseFile.packaged,
    views=WORDS.views,
    reads=partial(has_tables, names=("situations",)),
)
