"""Labels that a model gives to texts in words: measures and views that studies share.

For items of `PromptedText`.
"""

from functools import partial

from tiltmeter.core.estimates import Meaning
from tiltmeter.core.measures import EVERY, Condition, Contrast, Measure
from tiltmeter.core.scope import Scope
from tiltmeter.core.study import Study
from tiltmeter.core.study_views import SideBySide, Tally
from tiltmeter.core.views import NumberTable, RecordCurves, RecordTable, number_columns
from tiltmeter.metrics import labels
from tiltmeter.metrics.counts import CountMetric, contrast_on_texts
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.metrics.labels import RepeatError
from tiltmeter.scoring.prompted_texts import WRITTEN_RULES
from tiltmeter.scoring.reply_scores import UNLISTED
from tiltmeter.scoring.thought_choices import AFTER_THOUGHT

TWO = ("truth_positive", "said_positive")
ASKED: dict[str, Condition] = {"truth_positive": (0.0, 1.0)}
"""Only replies to questions about one category."""
APART = (("setting",), ("setting", "category"), ("setting", "category", "example_set"))
OVER: tuple[tuple[str, ...], ...] = (
    (), ("setting",), ("category",), ("setting", "category"), ("setting", "category", "example_set"),
)  # fmt: skip
OVER_ALL = (*OVER, EVERY)
"""Also over the axes of the user's own; precision and recall have no value over an axis of right labels."""
WRITES = ("stated", "word", "contains", "letter", "stored")
"""Rules by which the model writes."""
BOTH = ("truth", "said", *TWO)


def _share(
    metric: CountMetric,
    columns: tuple[str, ...],
    summary: str,
    meaning: Meaning,
    *,
    name: str = "",
    over: tuple[tuple[str, ...], ...] = OVER,
    rules: tuple[str, ...] = (),
) -> Measure:
    """A share of replies, in percent; no value of it is neutral."""
    return Measure(
        name or metric.name, metric, columns, "%", neutral=None, over=over, rules=rules,
        summary=summary, meaning=meaning,
    )  # fmt: skip


ACCURACY = _share(
    labels.accuracy,
    BOTH,
    summary="The share of answers that are right. Replies without an answer are left out. The "
    "interval is for other texts of the same kind.",
    meaning=Meaning(
        "Accuracy",
        role="cost",
        counts="replies",
        better="higher",
        sentence="gives the right label in $value of $n replies with an answer",
    ),
    over=OVER_ALL,
)
STRICT_ACCURACY = _share(
    labels.strict_accuracy,
    BOTH,
    summary="The share of replies that are right, where a reply without an answer counts as wrong.",
    meaning=Meaning(
        "Accuracy, missing answers counted as wrong",
        role="cost",
        counts="replies",
        better="higher",
        sentence="gives the right label in $value of $n $counts",
    ),
    over=OVER_ALL,
)
PRECISION = _share(
    labels.precision,
    TWO,
    summary="Of the texts said to be of the category, the share that is.",
    meaning=Meaning("Precision", role="cost", counts="replies", better="higher"),
)
RECALL = _share(
    labels.recall,
    TWO,
    summary="Of the texts of the category, the share that was said to be. Replies without an "
    "answer are left out.",
    meaning=Meaning("Recall", role="cost", counts="replies", better="higher"),
)
F1 = _share(
    labels.f1,
    TWO,
    summary="The harmonic mean of precision and recall. Replies without an answer are left out.",
    meaning=Meaning("F1", role="cost", counts="replies", better="higher"),
)
SPECIFICITY = _share(
    labels.specificity,
    TWO,
    summary="Of the texts that are not of the category, the share that was said not to be. Replies "
    "without an answer are left out.",
    meaning=Meaning("Specificity", role="cost", counts="replies", better="higher"),
)
MACRO_F1 = _share(
    labels.macro_f1,
    ("truth", "said", "truth_positive"),
    summary="The mean of the F1 of all labels. Replies without an answer are left out.",
    meaning=Meaning("Macro-F1", role="cost", counts="replies", better="higher"),
    over=(("setting",), ("setting", "example_set")),
)
OFF_LIST = _share(
    labels.opposite_rate,
    ("listed",),
    summary="The share of replies that do not name exactly one option: other words, several "
    "options, nothing, and refusals.",
    meaning=Meaning(
        "Replies without an answer", "no answer", role="cost", counts="replies", better="lower"
    ),
    name="off_list_rate",
    over=OVER_ALL,
    rules=WRITES,
)
REFUSED = _share(
    labels.rate,
    ("refused",),
    summary="The share of replies that refuse, by how they begin or because a filter cut them off.",
    meaning=Meaning("Refusal rate", "refused", role="description", counts="replies"),
    name="refusal_rate",
    over=((), ("category",), ("setting", "category"), EVERY),
    rules=WRITES,
)
ORDER = _share(
    labels.rate,
    ("order_changes",),
    summary="The share of answers that change when the prompt lists its options in reverse order.",
    meaning=Meaning(
        "Answers that depend on the order of the options",
        role="cost",
        counts="replies",
        better="lower",
    ),
    name="order_dependence",
    over=OVER_ALL,
    rules=("choice",),
)


def _contrast(axis: str, title: str, over: tuple[tuple[str, ...], ...], *, rest: bool) -> Measure:
    """The accuracy of one way to ask minus that of another, on the same texts."""
    return Measure(
        f"{axis}_difference", labels.accuracy, BOTH, "percentage points", neutral=0, over=over,
        contrast=Contrast(axis, contrast_on_texts, rest), comparison=None,
        summary="The difference in accuracy on the texts that both were asked about.",
        meaning=Meaning(title, role="description", counts="replies", sides=("the second", "the first"),
                        neutral_is="no difference"),
    )  # fmt: skip


REPLIES = tuple(
    Measure(
        metric.name, metric, TWO, "replies", neutral=None, infer=infer_nothing, over=APART, where=ASKED,
        at={"truth": truth, "said": answer}, comparison=None,
        summary="How many replies say (said) that a text is of the category, of those that are "
        "(truth).",
        meaning=Meaning("Replies", role="description", counts="replies", decimals=0),
    )
    for (truth, answer), metric in labels.CONFUSION.items()
)  # fmt: skip
"""The cells of the table of right labels by replies."""


def _over_repeats(measure: Measure) -> Measure:
    """The standard error of a measure when the same texts are asked again."""
    metric, title = measure.metric, measure.meaning.title
    if not isinstance(metric, CountMetric):
        raise TypeError(f"{measure.name} has no counts")
    return Measure(
        f"{measure.name}_se_repeats", RepeatError(metric), (*measure.columns, "repeat"), "percentage points",
        neutral=None, infer=infer_nothing, over=(("setting", "category"),), rules=WRITES, comparison=None,
        needs=("repeat",),
        summary=f"{title}: standard deviation over repeats / √repeats. It is about asking the same texts "
        "again, not about other texts.",
        meaning=Meaning(f"{title}, standard error over repeats", role="description", counts="replies",
                        magnitude=True),
    )  # fmt: skip


WRITTEN_MEASURES: tuple[Measure, ...] = (
    ACCURACY,
    STRICT_ACCURACY,
    PRECISION,
    RECALL,
    F1,
    SPECIFICITY,
    MACRO_F1,
    OFF_LIST,
    REFUSED,
    ORDER,
    _contrast("setting", "Accuracy, difference between settings", ((), ("category",)), rest=False),
    _contrast(
        "example_set", "Accuracy, difference between example sets", (("setting",),), rest=True
    ),
    *REPLIES,
    *map(_over_repeats, (ACCURACY, PRECISION, RECALL, F1)),
)
"""The first over all items is the main result. No value is neutral: what guessing gives depends on how many
texts have each label."""
WRITTEN_VIEWS = (
    SideBySide(measures=("accuracy", "precision", "recall", "f1", "off_list_rate")),
    Tally(
        rows="truth",
        columns="said",
        options="options",
        titles=("right label", "reply"),
        otherwise=tuple(UNLISTED),
        otherwise_titles=tuple(UNLISTED.values()),
        by=("setting", "category"),
    ),
    NumberTable(
        "replies",
        "Replies to questions about one category",
        explained="Truth: whether the text is of the category. Columns: whether the reply says so.",
        folded=True,
        rows=("*", "truth"),
        columns=number_columns("reply_count"),
        spread="said",
        order="grouped",
        on="page",
    ),
    RecordCurves(
        "example-sets",
        "Right answers by set of examples",
        caption="Of all replies; one without an answer counts as wrong. Bands are 95 % intervals.",
        of="(estimates)",
        score="strict_accuracy",
        x="example_set",
        lines="setting",
        across="set of examples",
        up="right answers, %",
        where={"category": "all labels"},
    ),
    RecordTable(
        "examples",
        "Sets of examples",
        folded=True,
        of="",
        axes=("example_set",),
        texts=("example_1", "example_2", "example_3", "example_4", "example_5", "example_6"),
        distinct=True,
    ),
)
written_study = partial(
    Study,
    scope=Scope(fixed=("the labels", "the prompts")),
    version="2",
    rules=(*WRITTEN_RULES, AFTER_THOUGHT),
    measures=WRITTEN_MEASURES,
    views=WRITTEN_VIEWS,
)
"""A study that asks about texts in words; what differs is given by name."""
