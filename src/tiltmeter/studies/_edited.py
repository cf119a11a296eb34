"""What studies share that ask a model about texts before and after an edit: measures and views.

For items of `EditedText`; the rules are `scoring.prompted_texts.EDIT_RULES`.
"""

from tiltmeter.core.measures import CLUSTER, Measure
from tiltmeter.core.study_words import StudyWords
from tiltmeter.metrics import flips
from tiltmeter.metrics.default_inference import infer_nothing

WORDS = StudyWords.beside(__file__)

_CHANGED = ("before_said", "after_said", "before_said_positive", "after_said_positive")
_EDITS: tuple[tuple[str, ...], ...] = ((), ("edit",), ("category",), ("category", "edit"))
EDIT_MEASURES: tuple[Measure, ...] = (
    Measure(
        "edit_effect", flips.edit_effect, _CHANGED, "percentage points", neutral=0, infer=flips.infer_effect,
        over=_EDITS, **WORDS["edit_effect"],
    ),
    Measure(
        "flip_rate", flips.flip_rate, _CHANGED, "%", neutral=None, over=_EDITS, **WORDS["flip_rate"]
    ),
    *(
        Measure(
            metric.name, metric, _CHANGED, "edits", neutral=None, infer=infer_nothing, over=_EDITS,
            comparison=None, **WORDS[metric.name],
        )
        for metric in (flips.flips_to, flips.flips_away)
    ),
    Measure(
        "flipped_texts", flips.flipped_texts, (*_CHANGED, CLUSTER), "texts", neutral=None,
        infer=infer_nothing, over=((), ("category",)), rests_on=flips.texts_asked, comparison=None,
        **WORDS["flipped_texts"],
    ),
)  # fmt: skip
EDIT_VIEWS = WORDS.views
