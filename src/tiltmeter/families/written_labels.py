"""What studies share that ask a model about texts in words: rules, settings, measures, views.

For items of `PromptedText`; `studies._edited` is for texts before and after an edit, `families.chiu2021` for
the numbers and conventions of that paper.
"""

from dataclasses import replace
from functools import partial

from tiltmeter.core.measures import EVERY, Contrast, Measure
from tiltmeter.core.study import Study
from tiltmeter.core.study_words import StudyWords
from tiltmeter.families.chiu2021 import APART, AS_PUBLISHED, ASKED, PUBLISHED, TWO
from tiltmeter.metrics import labels
from tiltmeter.metrics.counts import CountMetric, contrast_on_texts
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.metrics.labels import RepeatError
from tiltmeter.scoring.prompted_texts import WRITTEN_RULES

WORDS = StudyWords.beside(__file__)
OVER: tuple[tuple[str, ...], ...] = (
    (), ("setting",), ("category",), ("setting", "category"), ("setting", "category", "example_set"),
)  # fmt: skip
OVER_ALL = (*OVER, EVERY)
"""Also over the axes of the user's own; precision and recall have no value over an axis of right labels."""
WRITES = ("word", "contains", "letter", "stored")
"""Rules by which the model writes."""
BOTH = ("truth", "said", *TWO)


def _share(
    metric: CountMetric, columns: tuple[str, ...], name: str = "",
    over: tuple[tuple[str, ...], ...] = OVER, rules: tuple[str, ...] = (),
) -> Measure:  # fmt: skip
    """A share of replies, in percent; no value of it is neutral."""
    name = name or metric.name
    return Measure(name, metric, columns, "%", neutral=None, over=over, rules=rules, **WORDS[name])


ACCURACY = _share(labels.accuracy, BOTH, over=OVER_ALL)
PRECISION = _share(labels.precision, TWO)
RECALL = _share(labels.recall, TWO)
F1 = _share(labels.f1, TWO)
OFF_LIST = _share(labels.opposite_rate, ("listed",), "off_list_rate", OVER_ALL, WRITES)
SILENT = replace(OFF_LIST, **WORDS["silence"])
"""The same where a missing answer could be taken for a fair one."""
REFUSED = _share(
    labels.rate, ("refused",), "refusal_rate", ((), ("category",), ("setting", "category"), EVERY), WRITES
)  # fmt: skip
ORDER = _share(labels.rate, ("order_changes",), "order_dependence", OVER_ALL, ("choice",))


def _contrast(axis: str, over: tuple[tuple[str, ...], ...], *, rest: bool) -> Measure:
    """The accuracy of one way to ask less that of another, on the same texts."""
    name = f"{axis}_difference"
    return Measure(
        name, labels.accuracy, BOTH, "percentage points", neutral=0, over=over,
        contrast=Contrast(axis, contrast_on_texts, rest), comparison=None, **WORDS[name],
    )  # fmt: skip


REPLIES = tuple(
    Measure(
        metric.name, metric, TWO, "replies", neutral=None, infer=infer_nothing, over=APART, where=ASKED,
        **WORDS["reply_count"],
        at={"truth": truth, "said": answer}, comparison=None,
    )
    for (truth, answer), metric in labels.CONFUSION.items()
)  # fmt: skip
"""The cells of the table of right labels by replies."""


def _over_repeats(measure: Measure) -> Measure:
    """The standard error of a measure when the same texts are asked again."""
    metric = measure.metric
    if not isinstance(metric, CountMetric):
        raise TypeError(f"{measure.name} has no counts")
    name = f"{measure.name}_se_repeats"
    return Measure(
        name, RepeatError(metric), (*measure.columns, "repeat"), "percentage points", neutral=None,
        infer=infer_nothing, over=(("setting", "category"),), rules=WRITES, comparison=None, **WORDS[name],
    )  # fmt: skip


WRITTEN_MEASURES: tuple[Measure, ...] = (
    ACCURACY,
    _share(labels.strict_accuracy, BOTH, over=OVER_ALL),
    PRECISION,
    RECALL,
    F1,
    _share(labels.specificity, TWO),
    _share(
        labels.macro_f1,
        ("truth", "said", "truth_positive"),
        over=(("setting",), ("setting", "example_set")),
    ),
    OFF_LIST,
    REFUSED,
    ORDER,
    _contrast("setting", ((), ("category",)), rest=False),
    _contrast("example_set", (("setting",),), rest=True),
    *REPLIES,
    *map(_over_repeats, (ACCURACY, PRECISION, RECALL, F1)),
    *PUBLISHED,
)
"""The first over all items is the main result. No value is neutral: what guessing gives depends on how many
texts have each label."""
WRITTEN_VIEWS = (WORDS.views[0], AS_PUBLISHED, *WORDS.views[1:])
written_study = partial(
    Study,
    version="2",
    rules=WRITTEN_RULES,
    measures=tuple(measure for measure in WRITTEN_MEASURES if measure not in PUBLISHED),
    views=WRITTEN_VIEWS,
)
"""A study that asks about texts in words; what differs is given by name."""
