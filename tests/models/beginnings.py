"""Texts that begin alike, and requests about them."""

from support.architectures import build
from tiltmeter.core.model.requests import Continuation
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve

TEXTS = [
    "The old driver was slow and the young clerk was rude.",
    "The old driver was slow and the young clerk was late again.",
    "The old driver was slow",
    "The old driver sang.",
    "He is a nurse.",
    "She is a pilot.",
    "The",
]


def opened(kind, folder, precision="float32"):
    return open_model(resolve(str(build(kind, folder))), Options(device="cpu", precision=precision))


def requests_of(model):
    tokens = [t.ids for t in model.encode(TEXTS)]
    whole = [Continuation((), ids) for ids in tokens]
    later = [Continuation(ids[:2], ids[2:]) for ids in tokens]
    bare = [Continuation(ids[:1], ids[1:], start=False) for ids in tokens]
    return [*whole, *later, *bare]
