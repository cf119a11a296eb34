"""Texts scored by a classifier: labels matched, warnings."""

from dataclasses import replace

import pytest

from tiltmeter.core.data.labelled_items import LabelledText
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.rules import Context
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.scoring.classified_texts import CLASSIFY


def test_labels_of_the_data_are_matched_with_those_of_the_model():
    model = open_model(resolve("fake:classifier"), Options())
    item = LabelledText("1", "It rained.", "other", ("other", "rude"), "rude")
    context = Context()
    (record,) = CLASSIFY.score(model, [item], context)
    assert "the second of two" in context.notes[0].text
    (other,) = CLASSIFY.score(model, [item], Context(settings={"predicts": "no"}))
    assert record.scores["probability"] + other.scores["probability"] == pytest.approx(1)
    with pytest.raises(CannotAnswer, match="no label 'x'"):
        CLASSIFY.score(model, [item], Context(settings={"predicts": "x"}))


def test_a_classifier_that_calls_nothing_positive_is_warned_about():
    model = open_model(resolve("fake:classifier"), Options())
    items = [
        LabelledText(
            str(i), f"It rained {i} times.", "rude" if i % 2 else "other", ("other", "rude"), "rude"
        )
        for i in range(20)
    ]
    context = Context(settings={"threshold": "0.999999"})
    CLASSIFY.score(model, items[:10], context)
    assert any("calls no text positive" in note.text for note in context.notes)
    called = replace(context, settings={"threshold": "0.000001"})
    CLASSIFY.score(model, items[10:], called)  # another portion, in which all texts are
    assert not any("calls no text positive" in note.text for note in called.notes)
