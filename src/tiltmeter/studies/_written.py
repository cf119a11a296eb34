"""What studies share that ask a model about texts in words: rules, settings, measures, views.

For items of `PromptedText`; `studies._edited` is for texts before and after an edit, `studies._chiu2021` for
the numbers and conventions of that paper.
"""

from dataclasses import replace
from functools import partial

from tiltmeter.core.analysis_views import (
    ESTIMATES,
    REST,
    NumberColumn,
    NumberTable,
    RecordCurves,
    RecordTable,
)
from tiltmeter.core.results import Meaning
from tiltmeter.core.study import EVERY, Contrast, Measure, Study
from tiltmeter.core.views import SideBySide, Tally
from tiltmeter.data.prompts.prompt_set import ALL
from tiltmeter.metrics import labels
from tiltmeter.metrics.counts import CountMetric, contrast_on_texts
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.metrics.labels import RepeatError
from tiltmeter.scoring.prompted_texts import KINDS, WRITTEN_RULES
from tiltmeter.studies._chiu2021 import APART, AS_PUBLISHED, ASKED, PUBLISHED, TWO

OVER: tuple[tuple[str, ...], ...] = (
    (), ("setting",), ("category",), ("setting", "category"), ("setting", "category", "example_set"),
)  # fmt: skip
OVER_ALL = (*OVER, EVERY)
"""Also over the axes of the user's own; precision and recall have no value over an axis of right labels."""
WRITES = ("word", "contains", "letter", "stored")
"""Rules by which the model writes."""
EXAMPLES = 6
"""Examples of a set that are shown."""
BOTH = ("truth", "said", *TWO)
QUALITY = Meaning(role="cost", counts="replies", better="higher")
ANSWERED = "Replies without an answer are left out."


def _quality(
    metric: CountMetric,
    columns: tuple[str, ...],
    summary: str,
    title: str,
    *,
    sentence: str = "",
    over: tuple[tuple[str, ...], ...] = OVER,
) -> Measure:
    """A measure of how often answers are right, in percent; no value of it is neutral."""
    return Measure(
        metric.name,
        metric,
        columns,
        "%",
        neutral=None,
        summary=summary,
        over=over,
        meaning=replace(QUALITY, title=title, sentence=sentence),
    )


ACCURACY = _quality(
    labels.accuracy,
    BOTH,
    f"The share of answers that are right. {ANSWERED} The interval is for other texts of the same kind.",
    "Accuracy",
    sentence="gives the right label in $value of $n replies with an answer",
    over=OVER_ALL,
)
STRICT = _quality(
    labels.strict_accuracy,
    BOTH,
    "The share of replies that are right, where a reply without an answer counts as wrong.",
    "Accuracy, missing answers counted as wrong",
    sentence="gives the right label in $value of $n $counts",
    over=OVER_ALL,
)
PRECISION = _quality(
    labels.precision,
    TWO,
    "Of the texts said to be of the category, the share that is.",
    "Precision",
)
RECALL = _quality(
    labels.recall,
    TWO,
    f"Of the texts of the category, the share that was said to be. {ANSWERED}",
    "Recall",
)
SPECIFICITY = _quality(
    labels.specificity,
    TWO,
    f"Of the texts that are not of the category, the share that was said not to be. {ANSWERED}",
    "Specificity",
)
F1 = _quality(labels.f1, TWO, f"The harmonic mean of precision and recall. {ANSWERED}", "F1")
MACRO_F1 = _quality(
    labels.macro_f1,
    ("truth", "said", "truth_positive"),
    f"The mean of the F1 of all labels. {ANSWERED}",
    "Macro-F1",
    over=(("setting",), ("setting", "example_set")),
)


def _rate(
    name: str,
    metric: CountMetric,
    column: str,
    summary: str,
    meaning: Meaning,
    *,
    rules: tuple[str, ...] = WRITES,
    over: tuple[tuple[str, ...], ...] = OVER_ALL,
) -> Measure:
    """A share of replies, in percent."""
    return Measure(
        name,
        metric,
        (column,),
        "%",
        neutral=None,
        summary=summary,
        over=over,
        meaning=replace(meaning, counts="replies"),
        rules=rules,
    )


OFF_LIST = _rate(
    "off_list_rate",
    labels.opposite_rate,
    "listed",
    "The share of replies that do not name exactly one option: other words, several options, nothing, and "
    "refusals.",
    Meaning("Replies without an answer", "no answer", role="cost", better="lower"),
)
SILENT = replace(
    OFF_LIST,
    meaning=replace(
        OFF_LIST.meaning,
        sentence="leaves $value of $n $counts without an answer, which is silence and not fairness",
    ),
)
"""The same where a missing answer could be taken for a fair one."""
REFUSED = _rate(
    "refusal_rate",
    labels.rate,
    "refused",
    "The share of replies that refuse, by how they begin or because a filter cut them off.",
    Meaning("Refusal rate", "refused", role="description"),
    over=((), ("category",), ("setting", "category"), EVERY),
)
ORDER = _rate(
    "order_dependence",
    labels.rate,
    "order_changes",
    "The share of answers that change when the prompt lists its options in reverse order.",
    Meaning("Answers that depend on the order of the options", role="cost", better="lower"),
    rules=("choice",),
)


def _contrast(name: str, axis: str, over: tuple[tuple[str, ...], ...], *, rest: bool) -> Measure:
    """The accuracy of one way to ask less that of another, on the same texts."""
    title = f"Accuracy, difference between {axis.replace('_', ' ')}s"
    return Measure(
        name,
        labels.accuracy,
        BOTH,
        "percentage points",
        neutral=0,
        summary="The difference in accuracy on the texts that both were asked about.",
        over=over,
        contrast=Contrast(axis, contrast_on_texts, rest),
        meaning=Meaning(
            title,
            role="description",
            counts="replies",
            sides=("the second", "the first"),
            neutral_is="no difference",
        ),
        comparison=None,
    )


REPLIES = tuple(
    Measure(
        metric.name, metric, TWO, "replies", neutral=None, infer=infer_nothing, over=APART, where=ASKED,
        summary="How many replies say (said) that a text is of the category, of those that are (truth).",
        meaning=Meaning("Replies", role="description", counts="replies", decimals=0),
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
    return Measure(
        f"{measure.name}_se_repeats",
        RepeatError(metric),
        (*measure.columns, "repeat"),
        "percentage points",
        neutral=None,
        infer=infer_nothing,
        summary=f"{measure.meaning.title}: standard deviation over repeats / √repeats. It is about asking "
        "the same texts again, not about other texts.",
        over=(("setting", "category"),),
        meaning=Meaning(
            f"{measure.meaning.title}, standard error over repeats",
            role="description",
            counts="replies",
            magnitude=True,
        ),
        rules=WRITES,
        comparison=None,
    )


WRITTEN_MEASURES: tuple[Measure, ...] = (
    ACCURACY,
    STRICT,
    PRECISION,
    RECALL,
    F1,
    SPECIFICITY,
    MACRO_F1,
    OFF_LIST,
    REFUSED,
    ORDER,
    _contrast("setting_difference", "setting", ((), ("category",)), rest=False),
    _contrast("example_set_difference", "example_set", (("setting",),), rest=True),
    *REPLIES,
    *map(_over_repeats, (ACCURACY, PRECISION, RECALL, F1)),
    *PUBLISHED,
)
"""The first over all items is the main result. No value is neutral: what guessing gives depends on how many
texts have each label."""
WRITTEN_VIEWS = (
    SideBySide(("accuracy", "precision", "recall", "f1", "off_list_rate")),
    AS_PUBLISHED,
    Tally(
        "truth",
        "said",
        "options",
        ("right label", "reply"),
        KINDS,
        ("off the list", "ambiguous", "empty", "refused"),
        ("setting", "category"),
    ),
    NumberTable(
        "replies", "Replies to questions about one category", (REST, "truth"),
        (NumberColumn("reply_count"),), spread="said", order="grouped", folded=True, on="page",
        explained="Truth: whether the text is of the category. Columns: whether the reply says so.",
    ),
    RecordCurves(
        "example-sets", "Right answers by set of examples", of=ESTIMATES, score="strict_accuracy",
        x="example_set", lines="setting", across="set of examples", up="right answers, %",
        where={"category": ALL},
        caption="Of all replies; one without an answer counts as wrong. Bands are 95 % intervals.",
    ),
    RecordTable(
        "examples", "Sets of examples", of="", axes=("example_set",), distinct=True, folded=True,
        texts=tuple(f"example_{n}" for n in range(1, EXAMPLES + 1)),
    ),
)  # fmt: skip
written_study = partial(
    Study,
    version="2",
    rules=WRITTEN_RULES,
    measures=tuple(measure for measure in WRITTEN_MEASURES if measure not in PUBLISHED),
    views=WRITTEN_VIEWS,
)
"""A study that asks about texts in words; what differs is given by name."""
