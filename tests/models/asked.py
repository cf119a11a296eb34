"""Texts and requests that every architecture is asked."""

import numpy as np

from tiltmeter.core.model.requests import Blanked, Continuation

TEXTS = [
    "He is a nurse.",
    "The old driver was slow and the young clerk was rude.",
    "She was late again",
    "My grandmother fixed the car well at night, nobody knows why.",
    "He is a nurse.",
]


CLOSE = {"atol": 1e-5, "rtol": 1e-5}


def plain(model):
    """The transformers model inside; its hooks do nothing unless the back-end sets rows."""
    return model._loaded.model


def blanks(model):
    tokens = model.encode(TEXTS)
    one = [Blanked(t.ids, (i,), (i,)) for t in tokens for i in range(1, len(t.ids) - 1, 2)]
    many = [Blanked(t.ids, (1, 2), (1, 2, 3)) for t in tokens]
    none = [Blanked(t.ids, (), tuple(range(len(t.ids)))) for t in tokens]
    return [*one, *many, *none]


def same(answers, expected):
    assert len(answers) == len(expected)
    for answer, right in zip(answers, expected, strict=True):
        np.testing.assert_allclose(answer, right, **CLOSE)


def continuations(model):
    tokens = model.encode(TEXTS)
    return [
        *(Continuation((), t.ids) for t in tokens),
        *(Continuation(t.ids[:3], t.ids[3:]) for t in tokens),
    ]
