"""Records of predictions are made when they are read."""

import pytest

from tiltmeter.core.data.labelled_items import LabelledText, Prediction
from tiltmeter.core.errors import BadInput
from tiltmeter.study_families.stored_predictions import stored_predictions

ITEMS = [
    LabelledText(str(i), f"text {i}", truth, ("0", "1"), "1", {"group": "a"}, label=truth)
    for i, truth in enumerate("0110")
]


def test_labels_count_as_they_are_and_scores_against_the_threshold():
    given = {
        "0": Prediction(0.7),
        "1": Prediction(0.7, "0"),
        "2": Prediction(0.2, "1"),
        "3": Prediction(0.5, "1"),
    }
    records, _ = stored_predictions(ITEMS, given, 0.5)
    assert [record.scores["said_positive"] for record in records] == [1, 0, 1, 1]
    assert [record.scores["truth_positive"] for record in records] == [0, 1, 1, 0]
    assert [record.scores["probability"] for record in records] == [0.7, 0.7, 0.2, 0.5]
    assert records[-1].texts == {"text": "text 3", "options": "0\n1"}
    assert [record.item for record in records[1:3]] == ["1", "2"]


def test_labels_alone_have_no_probability_and_a_note():
    records, notes = stored_predictions(
        ITEMS, {str(i): Prediction(None, "1") for i in range(4)}, 0.5
    )
    assert all("probability" not in record.scores for record in records)
    assert "no scores" in notes[0]
    with pytest.raises(BadInput, match="'2' is predicted, but the right label of no text"):
        stored_predictions(ITEMS, {str(i): Prediction(None, "2") for i in range(4)}, 0.5)
    assert stored_predictions([], {}, 0.5) == ([], [])
