"""How close a word's vector is to profanity, relative to the other words.

The vector of profanity is the mean over the words of a list. A term's score is its cosine with that
vector, rescaled so that the farthest of all terms has 0 and the closest 1.
"""

from collections.abc import Sequence

import numpy as np

from tiltmeter.core.data.items import Term
from tiltmeter.core.errors import BadInput, Problem
from tiltmeter.core.model.protocols import EmbedsTexts
from tiltmeter.core.model.requests import Passage
from tiltmeter.core.records import Record
from tiltmeter.core.results import Note
from tiltmeter.core.rules import Context, Rule
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array
from tiltmeter.scoring.missing_vectors import UNKNOWN, without_vector

ANOTHER = "name another list with --set profanity=…"


def score(model: EmbedsTexts, terms: Sequence[Term], context: Context) -> list[Record]:
    """One record per term with a vector; the others are reported, or score 0 if the settings say so.

    The terms are all that are compared with each other. The settings `several` and `missing` decide on terms
    of several words and on those without a vector. BadInput where no word of the list has a vector, or they
    cancel out.
    """
    out = context.settings.get("several") == "out"
    zero = context.settings.get("missing") == "zero"
    words = list(dict.fromkeys(word for term in terms for word in term.against))
    asked = dict.fromkeys(Passage(text) for text in [*(t.text for t in terms), *words])
    reasons = without_vector(model, [*asked])
    lost = {passage.text: reasons.get(passage, "") for passage in asked}
    if out:
        lost |= {p.text: "it has several words" for p in asked if len(p.text.split()) > 1}
    context.settle()
    known = [word for word in words if not lost[word]]
    if not known:
        raise BadInput(f"no word of the profanity list has a vector in {model.name}", ANOTHER)
    if len(known) < len(words):
        text = (
            f"{len(words) - len(known)} of {counted(len(words), 'words')} of the profanity list "
            "have no vector and "
            "are not included in its mean."
        )
        context.notes.append(Note("coverage", text))
    scored = [term for term in terms if not lost[term.text]]
    vectors = model.embed([Passage(t) for t in [*(f.text for f in scored), *known]], pooling="own")
    # Vectors are not scaled to one length before the mean, so that longer ones weigh more.
    mine, profane = vectors[: len(scored)], vectors[len(scored) :].mean(axis=0)
    if not profane.any():
        raise BadInput("the vectors of the profanity list cancel each other out", ANOTHER)
    lost |= {t.text: "its vector is 0" for t, v in zip(scored, mine, strict=True) if not v.any()}
    cosines = {
        t.id: _cosine(v, profane) for t, v in zip(scored, mine, strict=True) if not lost[t.text]
    }
    placed = _stretched(cosines)
    if cosines and not placed:
        lost |= {
            t.text: "all terms are equally close, so there is nothing to compare with"
            for t in scored
            if t.id in cosines
        }
    for term in terms:
        if lost[term.text] and not (zero and lost[term.text] == UNKNOWN):
            _tell(context, term, lost[term.text])
    return [
        Record(
            term.id,
            {"sos": placed[term.id], "raw_cosine": cosines[term.id]}
            if term.id in placed
            else {"sos": 0.0},
            term.groups,
            term.cluster,
            texts={"term": term.text},
        )
        for term in terms
        if term.id in placed or (zero and lost[term.text] == UNKNOWN)
    ]


def _tell(context: Context, term: Term, why: str) -> None:
    reason = f"{term.text!r} ({term.groups.get('attribute', '')}) is left out: {why}"
    context.refuse(Problem(reason, file=term.where, item=term.id))


def _cosine(vector: Array, other: Array) -> float:
    vector, other = vector.astype(np.float64), other.astype(np.float64)
    return float(vector @ other / (np.linalg.norm(vector) * np.linalg.norm(other)))


def _stretched(cosines: dict[str, float]) -> dict[str, float]:
    """Rescaled from 0 (the lowest) to 1 (the highest); {} if all are equal.

    >>> _stretched({"a": 0.25, "b": 0.75, "c": 0.5})
    {'a': 0.0, 'b': 1.0, 'c': 0.5}
    """
    if not cosines:
        return {}
    low, high = min(cosines.values()), max(cosines.values())
    if high == low:
        return {}
    return {name: (cosine - low) / (high - low) for name, cosine in cosines.items()}


RULE = Rule(
    "profanity_cosine",
    EmbedsTexts,
    score,
    summary="The cosine of a term's vector with the mean vector of a profanity list, rescaled so "
    "that the farthest term has 0 and the closest 1.",
    source="Elsafoury et al. 2022, aclanthology.org/2022.coling-1.108",
    at_once=True,
)
