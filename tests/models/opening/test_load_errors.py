"""Checkpoints that do not fit their configuration are refused with what is wrong."""

import numpy as np
import pytest

from models.opening.spoilt import edit
from tiltmeter.core.errors import CannotAnswer, TiltmeterError
from tiltmeter.core.model.requests import Continuation
from tiltmeter.models.opening.open_model import open_model, resolve


@pytest.mark.parametrize(
    ("kind", "count"), [("bert", "num_hidden_layers"), ("gpt2", "n_layer"), ("t5", "num_layers")]
)
def test_fewer_layers_than_the_weights_have_are_refused(built, kind, count):
    folder = built(kind)
    open_model(resolve(str(folder)))
    with pytest.raises(CannotAnswer, match="more layers than config"):
        open_model(resolve(edit(folder, **{count: 1})))


def test_other_names_for_the_same_weights(built):
    """BART is published as BartModel: its head is its table of words. So are BERT's with two heads."""
    plain, named = (open_model(resolve(f)) for f in (
        str(built("bart")), edit(built("bart"), architectures=["BartModel"])))  # fmt: skip
    request = Continuation((), (5, 6, 7))
    np.testing.assert_array_equal(
        plain.continuation_logprobs([request])[0], named.continuation_logprobs([request])[0]
    )
    where = resolve(edit(built("bert"), architectures=["BertForPreTraining"]))
    assert where.scheme == "masked"
    assert open_model(where).about["architecture"] == "BertForMaskedLM"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"hidden_size": "wide"}, "hidden_size"),
        (
            {"hidden_size": 48},
            r"disagree: .* is \d+ × 32 in the file and \d+ × 48 in the configuration",
        ),
        ({"hidden_act": "nonesuch"}, "does not know 'nonesuch', which it names; correct config"),
        ({"num_attention_heads": 0}, r"numbers in config\.json do not fit together \(.*zero"),
        ({"num_hidden_layers": 0}, "config.json names 0 layers"),
        ({"num_hidden_layers": 10**6}, "names 1,000,000 layers, and the weights are"),
        ({"num_hidden_layers": 3}, r"weights are not in its files \(bert\.encoder\.layer\.2"),
        ({"model_type": "no_such_type"}, "no_such_type"),
        ({"architectures": "BertForMaskedLM"}, "names no architecture"),
    ],
)
def test_configurations_that_do_not_fit(built, changes, says):
    with pytest.raises(TiltmeterError, match=says):
        open_model(resolve(edit(built("bert"), **changes)))
