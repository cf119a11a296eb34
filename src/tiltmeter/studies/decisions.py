"""Who gets chosen: rankings of résumés, yes/no decisions about people, or outcomes that somebody recorded."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any, Unpack

from tiltmeter.core.errors import BadInput
from tiltmeter.core.items import Dataset
from tiltmeter.core.labelled_items import ATTRIBUTE, GROUP
from tiltmeter.core.measures import CLUSTER, EVERY, Contrast, Contrasts, Measure
from tiltmeter.core.prompted_items import WRAP, PromptedText
from tiltmeter.core.results import Record
from tiltmeter.core.study import Reading, Study
from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.prompts import decisions as data
from tiltmeter.families.written_labels import OFF_LIST, REFUSED
from tiltmeter.metrics import decisions, labels
from tiltmeter.metrics.decisions import BASELINE, Effect
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.scoring.prompted_texts import AS_LISTED, ORDER, REFUSES, WRITTEN_RULES
from tiltmeter.scoring.reply_scores import reply_record, scores_of
from tiltmeter.scoring.written_answers import first_word, ranked

WORDS = StudyWords.beside(__file__)
EACH = EVERY[0]
CHOSEN = "said_positive"
OVER: tuple[tuple[str, ...], ...] = ((), ("job",))
BY = (
    (GROUP,), EVERY, ("job",), ("job", GROUP), ("job", EACH), ("job", "position"), ("job", "resume"),
)  # fmt: skip
ONE: dict[str, Any] = {"unit": "", "neutral": 1, "over": OVER, "comparison": None}


def _of_groups(name: str, by: Contrasts) -> list[Measure]:
    """A ratio of each group: of all attributes crossed, and of each of them."""
    return [
        Measure(
            name, decisions.min_max_ratio, (CHOSEN, axis), **ONE, **WORDS[name],
            contrast=Contrast(axis, by, against_rest=True, named_by_first=True),
        )
        for axis in (GROUP, EACH)
    ]  # fmt: skip


def _of_all(metric: Callable[..., float], *columns: str, **further: Any) -> list[Measure]:
    """A number of all groups together: of all attributes crossed, and of each of them."""
    name = metric.__name__
    return [
        Measure(
            name, metric, (CHOSEN, axis, *columns), at={ATTRIBUTE: axis} if axis == EACH else {},
            rests_on=decisions.count_compared, **WORDS[name], **ONE | further,
        )
        for axis in (GROUP, EACH)
    ]  # fmt: skip


BY_CHANCE: Mapping[str, Any] = {"neutral": None, "infer": infer_nothing}


def _effects(
    effects: Sequence[Effect], columns: tuple[str, ...], unit: str, rules: tuple[str, ...] = ()
) -> list[Measure]:
    """How much each kind of person differs from the baseline, one attribute at a time."""
    return [
        Measure(
            effect.name, effect, (*columns, *BASELINE), unit, neutral=0, where={data.DESIGN: data.YES_NO},
            contrast=Contrast(effect.attribute, decisions.infer_effect, against_rest=True,
                              background=BASELINE[effect.attribute], named_by_first=True),
            comparison=None, rules=rules, **WORDS[effect.name],
        )
        for effect in effects
    ]  # fmt: skip


def stored_answers(
    path: Path,
    items: Dataset[PromptedText] | None,
    *,
    settings: Mapping[str, str] | None = None,
    **reading: Unpack[Reading],
) -> tuple[Dataset[PromptedText], Sequence[Record]]:
    """Replies or outcomes in a file that has the candidates as well."""
    if items is not None:
        way_out = "leave out --data, or give replies with replay:FILE"
        raise BadInput("the file has the candidates as well", way_out, file=path.name)
    made, replies = data.read_answers(path, settings=settings, **reading)
    both = zip(made.items, replies, strict=True)
    # Cached: each candidate of a ranking comes with the whole reply.
    read = cache(ranked if made.clusters in data.RANKED else first_word)
    return made, [reply_record(i, said, scores_of(i, read(said, i.options))) for i, said in both]


STUDY = Study(
    **WORDS.study,
    load=data.load_decisions,
    sample=data.sample_decisions,
    rules=(ORDER, WRITTEN_RULES[0], AS_LISTED),
    measures=(
        *_of_all(decisions.min_max_ratio, infer=decisions.infer_min_max),
        *_of_groups("impact_ratio", decisions.infer_impact_ratio),
        Measure(
            "selection_rate", labels.rate, (CHOSEN,), "%", neutral=None, over=BY, **WORDS["selection_rate"],
        ),
        *_of_groups("impact_ratio_by_chance", decisions.ratio_by_chance),
        *_of_groups("lowest_impact_ratio", partial(decisions.bound_of_ratio, own=0)),
        *_of_groups("highest_impact_ratio", partial(decisions.bound_of_ratio, own=1)),
        *_of_all(decisions.min_max_by_chance, CLUSTER, **BY_CHANCE),
        *_of_all(decisions.below_four_fifths_by_chance, CLUSTER, unit="%", **BY_CHANCE),
        *_effects(decisions.LOGIT_EFFECTS, tuple(f"logprob_{at}" for at in range(len(data.YES))), "",
                  ("choice",)),
        *_effects(decisions.RATE_EFFECTS, (CHOSEN,), "percentage points"),
        *(replace(missing, over=((), *BY), rules=(), **WORDS[missing.name])
          for missing in (REFUSED, OFF_LIST)),
    ),
    settings=(*data.SETTINGS, WRAP, REFUSES),
    views=WORDS.views,
    data=data.SETS,
    reads=data.has_questions,
    stored=stored_answers,
    holds_answers=True,
)  # fmt: skip
