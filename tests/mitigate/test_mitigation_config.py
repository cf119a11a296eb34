"""Configurations of mitigations: options that belong to another method, and sets of one's own."""

import pytest

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.mitigate.retrain import RetrainConfig, counterparts
from tiltmeter.mitigate.versions import Sets
from tiltmeter.train import continued

TRAINING = continued.ContinuedConfig("m", "o")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"method": "cad"}, "No method named 'cad'"),
        ({"method": "cda"}, "give an --attribute"),
        ({"method": "dropout", "attribute": "gender"}, "dropout is of no attribute"),
        ({"method": "dropout", "keep_neutral": True}, "exchanges no words"),
        ({"method": "cda", "attribute": "gender", "held_out": 1.0}, "held_out is 1.0"),
    ],
)
def test_options_of_the_other_method_are_refused(given, says):
    with pytest.raises((BadInput, UnknownName), match=says):
        RetrainConfig(corpus="c", training=TRAINING, **given)
    with pytest.raises(BadInput, match="cda does not change dropout"):
        RetrainConfig(
            "cda", "c", continued.ContinuedConfig("m", "o", hidden_dropout=0.2), attribute="gender"
        )


def test_sets_of_ones_own():
    sets = Sets(("a", "b"), (("cat", "dog"), ("cats", "dogs")))
    assert counterparts([("Cats ran.", "A dog ran.")], sets, keep=False).documents == [
        ("Cats ran.", "A dog ran."),
        ("Dogs ran.", "A cat ran."),
    ]
