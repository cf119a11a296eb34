"""Records of texts from predictions that a classifier made elsewhere."""

from array import array
from collections.abc import Mapping, Sequence
from math import isnan, nan

from tiltmeter.core.data.labelled_items import LabelledText, Prediction
from tiltmeter.core.errors import BadInput
from tiltmeter.core.records import Record
from tiltmeter.data.memory.lazy_sequence import LazySequence
from tiltmeter.scoring.classified_texts import label_at, record_of


class _StoredRecords(LazySequence[Record]):
    """The records of texts with predictions, made when they are read: a million take too much memory."""

    def __init__(self, items: Sequence[LabelledText]) -> None:
        self._items = items
        self._given, self._chances = array("l"), array("d")

    def append(self, given: int, chance: float | None) -> None:
        """Add the label and the probability that the next text is given."""
        self._given.append(given)
        self._chances.append(nan if chance is None else chance)

    def __len__(self) -> int:
        return len(self._given)

    def item(self, place: int) -> Record:
        """The record of a text."""
        chance = self._chances[place]
        return record_of(self._items[place], self._given[place], None if isnan(chance) else chance)


def stored_predictions(
    items: Sequence[LabelledText], predictions: Mapping[str, Prediction], threshold: float
) -> tuple[Sequence[Record], list[str]]:
    """One record a text from predictions that were made elsewhere, by the id of the text; and notes on them.

    A label that was predicted counts as it is; where there is none, the score is held against the threshold.

    Raises:
        BadInput: There are scores alone, and no label is positive.
    """
    if not items:
        return [], []
    options = {item.label: item.truth for item in items}
    first = predictions[items[0].text_id]
    has_positive = bool(items[0].positive)
    if not (has_positive or first.label):
        raise BadInput(
            "the labels are on a par, and a score is the probability of a positive one",
            "name it with --set positive=LABEL, or give the label chosen as predicted",
        )
    records, apart = _StoredRecords(items), 0
    for item in items:
        chance, label = predictions[item.text_id]
        chance = chance if has_positive else None
        by_score = -1 if chance is None else label_at(item, chance, threshold)
        if label and label not in options:
            raise BadInput(f"{label!r} is predicted, but the right label of no text", "correct it")
        given = item.options.index(options[label]) if label else by_score
        apart += chance is not None and given != by_score
        records.append(given, chance)
    notes = []
    if first.score is None:
        notes.append(
            "There are labels and no scores, so that what needs probabilities is undefined: areas, average "
            "precision, Brier score and calibration."
        )
    elif not has_positive:
        notes.append("The scores are not used: no label is positive.")
    elif first.label:
        notes.append(
            f"Labels given are those predicted; {apart:,} of {len(items):,} differ from what the score gives "
            f"at the threshold {threshold:g}."
        )
    return records, notes
