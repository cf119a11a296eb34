"""Items of a data set as items of the forms that validate them, in the columns that these show."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tiltmeter.core.data.items import SIDES, Pair, Triple
from tiltmeter.core.errors import BadInput
from tiltmeter.core.text import counted
from tiltmeter.survey.form_file import read_form
from tiltmeter.survey.formats.cells import Cell
from tiltmeter.survey.questions.choice import ChoiceQuestion
from tiltmeter.survey.questions.triple import CONTINUATIONS

FORMS = {Pair: ("validate_pairs", "validate_stereoset_pairs"), Triple: ("validate_triples",)}
"""The forms that validate items of a kind. Those of pairs differ in the types of bias that they offer."""
TYPE = "bias_type"


def items_of_data(
    items: Sequence[Any], sample: int = 0, seed: int = 0
) -> tuple[str, list[Mapping[str, Cell]]]:
    """The built-in form that validates the items, by their types of bias, and a row for each of them.

    Of pairs, sentence_1 is about the group that the direction is said of; the candidates of triples are in
    random order.

    Args:
        items: Pairs or triples.
        sample: How many are drawn at random, in the order of the data; 0 takes all.
        seed: Of the draw and of the order of candidates.

    Raises:
        BadInput: They are neither, or there are fewer.
    """
    kind = type(items[0]) if items else None
    if kind not in FORMS:
        reason = "the data hold no items that a form validates"
        raise BadInput(reason, "name a set or file of pairs or triples, or the study with --study")
    if sample > len(items):
        raise BadInput(f"the data have {counted(len(items), 'items')}", "draw fewer with --limit")
    rng = np.random.default_rng(seed)
    if sample:
        items = [items[i] for i in np.sort(rng.choice(len(items), sample, replace=False))]
    rows = [_pair(item) if isinstance(item, Pair) else _triple(item, rng) for item in items]
    types = {str(row[TYPE]) for row in rows if row.get(TYPE)}
    fitting = (name for name in FORMS[kind] if types <= _types_offered(name))
    return next(fitting, FORMS[kind][0]), rows


def _types_offered(form: str) -> set[str]:
    """The types of bias that a form of pairs offers."""
    questions = (q for page in read_form(form).pages for q in page.questions)
    return {
        option.value for q in questions if isinstance(q, ChoiceQuestion) and q.name == TYPE
        for option in q.options
    }  # fmt: skip


def _pair(pair: Pair) -> Mapping[str, Cell]:
    return {
        "id": pair.id, "sentence_1": pair.first, "sentence_2": pair.second,
        "direction": pair.groups.get("direction", "stereo"),
        TYPE: pair.groups.get(TYPE, ""),
    }  # fmt: skip


def _triple(triple: Triple, rng: np.random.Generator) -> Mapping[str, Cell]:
    order = rng.permutation(len(SIDES))
    return {
        "id": triple.id, "context": triple.context,
        **{name: triple.sentences[at] for name, at in zip(CONTINUATIONS, order, strict=True)},
        "target": triple.target, "domain": triple.domain,
    }  # fmt: skip
