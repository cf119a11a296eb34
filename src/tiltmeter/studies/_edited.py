"""What studies share that ask a model about texts before and after an edit: measures and views.

For items of `EditedText`; the rules are `scoring.prompted_texts.EDIT_RULES`.
"""

from tiltmeter.core.analysis_views import RecordTable
from tiltmeter.core.results import Meaning
from tiltmeter.core.study import CLUSTER, Measure
from tiltmeter.core.views import Tally
from tiltmeter.metrics import flips
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.scoring.prompted_texts import KINDS

_CHANGED = ("before_said", "after_said", "before_said_positive", "after_said_positive")
_EDITS: tuple[tuple[str, ...], ...] = ((), ("edit",), ("category",), ("category", "edit"))
EDIT_MEASURES: tuple[Measure, ...] = (
    Measure(
        "edit_effect",
        flips.edit_effect,
        _CHANGED,
        "percentage points",
        infer=flips.infer_effect,
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
    ),
    Measure(
        "flip_rate",
        flips.flip_rate,
        _CHANGED,
        "%",
        neutral=None,
        summary="The share of edits that change the answer, either way.",
        over=_EDITS,
        meaning=Meaning(
            "Edits that change the answer", counts="edits", role="cost", better="lower"
        ),
    ),
    *(
        Measure(
            metric.name, metric, _CHANGED, "edits", neutral=None, summary=summary, infer=infer_nothing,
            meaning=Meaning(title, counts="edits", role="description", decimals=0), over=_EDITS,
            comparison=None,
        )
        for metric, title, summary in (
            (flips.flips_to, "Flips to the category",
             "Edits after which a text is said to be of the category."),
            (flips.flips_away, "Flips away from it",
             "Edits after which a text is no longer said to be of it."),
        )
    ),
    Measure(
        "flipped_texts", flips.flipped_texts, (*_CHANGED, CLUSTER), "texts", neutral=None,
        infer=infer_nothing, summary="Texts of which some edit changes the answer; n counts all texts.",
        meaning=Meaning("Texts with flips", counts="texts", role="description", decimals=0),
        over=((), ("category",)), rests_on=flips.texts_asked, comparison=None,
    ),
)  # fmt: skip
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
    RecordTable(
        "flipped", "Edits that change the answer", of="", axes=("category", "edit", "flip"), distinct=True,
        texts=("text", "edited"), headings={"flip": "answer", "text": "text as it was"}, folded=True,
    ),
)  # fmt: skip
