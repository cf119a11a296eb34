"""What studies share that ask a model about texts in words: rules, settings, measures, conventions, views.

`WRITTEN_…` are for items of `PromptedText`, `EDIT_…` for items of `EditedText`.
"""

from dataclasses import replace

from tiltmeter.core.results import Meaning
from tiltmeter.core.study import EVERY, PAPER, Comparison, Convention, Measure
from tiltmeter.core.views import SideBySide, Tally
from tiltmeter.metrics import labels
from tiltmeter.metrics.chiu2021 import (
    OverallF1,
    PublishedNumber,
    rounded_accuracy,
    rounded_f1,
    rounded_precision,
    rounded_recall,
)
from tiltmeter.metrics.counts import CountMetric, compare_by_texts, infer_by_texts, rows_in
from tiltmeter.metrics.flips import edit_effect, flip_rate, flips_away, flips_to, infer_effect
from tiltmeter.metrics.labels import (
    FN,
    FP,
    NO_ANSWER,
    RIGHT,
    TN,
    TP,
    WRONG,
    RepeatError,
    infer_nothing,
    infer_rate,
)
from tiltmeter.scoring.prompted_texts import EDIT_RULES, KINDS, SETTINGS, WRITTEN_RULES

WRITTEN_SETTINGS = SETTINGS
__all__ = [
    "EDIT_MEASURES", "EDIT_RULES", "EDIT_VIEWS", "WRITTEN_CONVENTIONS", "WRITTEN_MEASURES",
    "WRITTEN_RULES", "WRITTEN_SETTINGS", "WRITTEN_VIEWS",
]  # fmt: skip
OVER: tuple[tuple[str, ...], ...] = (
    (), ("setting",), ("category",), ("setting", "category"), ("setting", "category", "example_set"), EVERY,
)  # fmt: skip
WRITES = ("word", "contains")
"""Rules by which the model writes."""
TWO = ("truth_positive", "said_positive")
BOTH = ("truth", "said", *TWO)
CHIU = "chiu2021"
QUALITY = Meaning(role="cost", counts="replies", better="higher")
COMPARED = Comparison(compare_by_texts)
ANSWERED = "Replies without an answer are left out."


def _quality(  # noqa: PLR0913
    metric: CountMetric,
    columns: tuple[str, ...],
    summary: str,
    title: str,
    *,
    cells: tuple[int, ...] = (),
    sentence: str = "",
    over: tuple[tuple[str, ...], ...] = OVER,
) -> Measure:
    """A measure of how often answers are right, in percent; no value of it is neutral."""
    return Measure(
        metric.name,
        metric,
        columns,
        infer_by_texts,
        "%",
        neutral=None,
        summary=summary,
        over=over,
        meaning=replace(QUALITY, title=title, sentence=sentence),
        comparison=COMPARED,
        rests_on=rows_in(metric, *cells),
    )


ACCURACY = _quality(
    labels.accuracy,
    BOTH,
    f"The share of answers that are right. {ANSWERED} The interval is for other texts of the same kind.",
    "Accuracy",
    cells=(RIGHT, WRONG),
    sentence="gives the right label in $value of $n replies with an answer",
)
STRICT = _quality(
    labels.strict_accuracy,
    BOTH,
    "The share of replies that are right, where a reply without an answer counts as wrong.",
    "Accuracy, no answer is wrong",
    sentence="gives the right label in $value of $n $counts",
)
PRECISION = _quality(
    labels.precision,
    TWO,
    "Of the texts said to be of the category, the share that is.",
    "Precision",
    cells=(TP, FP),
)
RECALL = _quality(
    labels.recall,
    TWO,
    f"Of the texts of the category, the share that was said to be. {ANSWERED}",
    "Recall",
    cells=(TP, FN),
)
SPECIFICITY = _quality(
    labels.specificity,
    TWO,
    f"Of the texts that are not of the category, the share that was said not to be. {ANSWERED}",
    "Specificity",
    cells=(TN, FP),
)
F1 = _quality(
    labels.f1,
    TWO,
    f"The harmonic mean of precision and recall. {ANSWERED}",
    "F1",
    cells=tuple(range(NO_ANSWER)),
)
MACRO_F1 = _quality(
    labels.macro_f1,
    ("truth", "said", "truth_positive"),
    f"The mean of the F1 of all labels. {ANSWERED}",
    "Macro-F1",
    over=(("setting",), ("setting", "example_set")),
)


def _rate(  # noqa: PLR0913
    name: str,
    metric: CountMetric,
    column: str,
    summary: str,
    meaning: Meaning,
    *,
    rules: tuple[str, ...] = WRITES,
) -> Measure:
    """A share of replies, in percent."""
    return Measure(
        name,
        metric,
        (column,),
        infer_rate,
        "%",
        neutral=None,
        summary=summary,
        over=OVER,
        meaning=replace(meaning, counts="replies"),
        rules=rules,
        comparison=COMPARED,
        rests_on=rows_in(metric),
    )


OFF_LIST = _rate(
    "off_list_rate",
    labels.opposite_rate,
    "listed",
    "The share of replies that do not name exactly one option: other words, several options, nothing, and "
    "refusals.",
    Meaning("Replies without an answer", "no answer", role="cost", better="lower"),
)
REFUSED = _rate(
    "refusal_rate",
    labels.rate,
    "refused",
    "The share of replies that refuse, by how they begin or because a filter cut them off.",
    Meaning("Refusal rate", "refused", role="description"),
)
ORDER = _rate(
    "order_dependence",
    labels.rate,
    "order_changes",
    "The share of answers that change when the prompt lists its options in reverse order.",
    Meaning("Answers that depend on the order of the options", role="cost", better="lower"),
    rules=("choice",),
)


def _over_repeats(measure: Measure) -> Measure:
    """The standard error of a measure when the same texts are asked again."""
    return Measure(
        f"{measure.name}_se_repeats",
        RepeatError(_counted(measure)),
        (*measure.columns, "repeat"),
        infer_nothing,
        "percentage points",
        neutral=None,
        summary=f"{measure.meaning.title}: standard deviation over repeats / √repeats. It is about asking the "
        "same texts again, not about other texts.",
        over=(("setting",), ("setting", "category")),
        meaning=Meaning(
            f"{measure.meaning.title}, standard error over repeats",
            role="description",
            counts="replies",
            magnitude=True,
        ),
        rules=WRITES,
        comparison=None,
    )


def _counted(measure: Measure) -> CountMetric:
    metric = measure.metric
    if not isinstance(metric, CountMetric):
        raise TypeError(f"{measure.name} has no counts")
    return metric


_FORMULAS = {
    "accuracy": rounded_accuracy,
    "precision": rounded_precision,
    "recall": rounded_recall,
    "f1": rounded_f1,
}


def _published() -> list[Measure]:
    """What the published code prints: means over repeats, and their deviations as "standard errors"."""
    apart = (("setting", "category"), ("setting", "category", "example_set"))
    found = []
    for name, formula in _FORMULAS.items():
        for statistic in ("mean", "sd"):
            number = PublishedNumber(formula, statistic)  # type: ignore[arg-type]
            if name != "f1":
                found.append(_as_published(name, statistic, number, over=(("setting",), *apart)))
                continue
            found.append(_as_published(name, statistic, number, over=apart))
            overall = OverallF1(statistic)  # type: ignore[arg-type]
            found.append(_as_published(name, statistic, overall, over=(("setting",),)))
    return found


def _as_published(
    name: str,
    statistic: str,
    number: PublishedNumber | OverallF1,
    *,
    over: tuple[tuple[str, ...], ...],
) -> Measure:
    title = ACCURACY.meaning.title if name == "accuracy" else name.capitalize()
    deviation = statistic == "sd"
    extra = ("category",) if isinstance(number, OverallF1) else ()
    return Measure(
        f"{CHIU}_{name}{'_sd' if deviation else ''}",
        number,
        (*TWO, "repeat", *extra),
        infer_nothing,
        "percentage points" if deviation else "%",
        neutral=None,
        summary="The standard deviation over repeats, which the paper calls the standard error."
        if deviation
        else "The mean over repeats of rounded percentages, as the published code computes it.",
        over=over,
        conventions=(CHIU,),
        meaning=Meaning(
            f"{title} as published, {'deviation over repeats' if deviation else 'mean over repeats'}",
            role="description",
            counts="replies",
            magnitude=deviation,
        ),
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
    *map(_over_repeats, (ACCURACY, PRECISION, RECALL, F1)),
    *_published(),
)
"""The first over all items is the main result. No value is neutral: what guessing gives depends on how many
texts have each label."""
WRITTEN_CONVENTIONS: tuple[Convention, ...] = (
    PAPER,
    Convention(
        CHIU,
        "As the published code: letters anywhere in a reply are the answer; percentages of each repeat are "
        "rounded to two decimals, F1 is computed from rounded ones, and standard deviations over repeats are "
        "called standard errors. F1 over both categories has the recall of sexist texts in the numerator.",
        "Chiu, Collins and Alexander 2022, github.com/kelichiu/GPT3-hate-speech-detection",
        rules=("contains",),
        settings={"wrap": "text"},
    ),
)
WRITTEN_VIEWS = (
    SideBySide(("accuracy", "precision", "recall", "f1", "off_list_rate")),
    Tally(
        "truth",
        "said",
        "options",
        ("right label", "reply"),
        KINDS,
        ("off the list", "ambiguous", "empty", "refused"),
        ("setting", "category"),
    ),
)

_CHANGED = ("before_said", "after_said", "before_said_positive", "after_said_positive")
_EDITS: tuple[tuple[str, ...], ...] = ((), ("edit",), ("category",), ("category", "edit"))
EDIT_MEASURES: tuple[Measure, ...] = (
    Measure(
        "edit_effect",
        edit_effect,
        _CHANGED,
        infer_effect,
        "percentage points",
        neutral=0,
        summary="By how much an edit makes the model say more often that a text is of the category: flips "
        "towards it less flips away from it, per edit.",
        over=_EDITS,
        meaning=Meaning(
            "Effect of edits",
            counts="edits",
            sides=("not of the category", "of the category"),
            neutral_is="no effect",
            sentence="says $size more often that a text is of the category after an edit",
            sentence_below="says $size less often that a text is of the category after an edit",
        ),
        comparison=COMPARED,
        rests_on=rows_in(edit_effect),
    ),
    Measure(
        "flip_rate",
        flip_rate,
        _CHANGED,
        infer_by_texts,
        "%",
        neutral=None,
        summary="The share of edits that change the answer, either way.",
        over=_EDITS,
        meaning=Meaning(
            "Edits that change the answer", counts="edits", role="cost", better="lower"
        ),
        comparison=COMPARED,
        rests_on=rows_in(flip_rate),
    ),
    *(
        Measure(
            metric.name,
            metric,
            _CHANGED,
            infer_nothing,
            "edits",
            neutral=None,
            summary=summary,
            over=_EDITS,
            meaning=Meaning(title, counts="edits", role="description"),
            comparison=None,
            rests_on=rows_in(metric),
        )
        for metric, title, summary in (
            (
                flips_to,
                "Flips to the category",
                "Edits after which a text is said to be of the category.",
            ),
            (
                flips_away,
                "Flips away from it",
                "Edits after which a text is no longer said to be of it.",
            ),
        )
    ),
)
EDIT_VIEWS = (
    Tally(
        "before_said",
        "after_said",
        "options",
        ("reply to the text as it was", "reply to the edited text"),
        tuple(f"after_{kind}" for kind in KINDS),
        ("off the list", "ambiguous", "empty", "refused"),
        ("category",),
        "edits",
    ),
)
