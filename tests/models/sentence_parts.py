"""Sentence encoders of small random models, and what the library makes of them."""

import numpy as np

from support.architectures import build
from tiltmeter.core.model.requests import Passage

TEXTS = [
    "He is a nurse.",
    "The old driver was slow and the young clerk was rude.",
    "She was late again",
    "My grandmother fixed the car well at night, nobody knows why.",
    "He is a nurse.",
]


PASSAGES = list(map(Passage, TEXTS))


CLOSE = {"atol": 1e-5, "rtol": 1e-5}


def headless(kind, folder):
    """The trunk of a model, as `AutoModel` saves it."""
    from transformers import AutoModel, AutoModelForTextEncoding

    build(kind, folder)
    auto = AutoModelForTextEncoding if kind == "t5" else AutoModel
    trunk = auto.from_pretrained(folder)
    (folder / "model.safetensors").unlink()
    trunk.save_pretrained(folder)
    return folder


def sentence_encoder(folder, *parts, kind="bert"):
    """A folder as the sentence-transformers library saves it."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules

    plain = headless(kind, folder.parent / f"{folder.name}-plain")
    first = modules.Transformer(str(plain))
    made = [part(modules, first.get_embedding_dimension()) for part in parts]
    SentenceTransformer(modules=[first, *made], device="cpu").save(str(folder))
    return folder


def library(folder):
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(folder), device="cpu", local_files_only=True)


def one_by_one(folder, texts, **more):
    made = library(folder)
    return np.array([made.encode(text, show_progress_bar=False, **more) for text in texts])


POOLED = {
    "mean": (lambda m, d: m.Pooling(d, "mean"),),
    "cls, normalised": (lambda m, d: m.Pooling(d, "cls"), lambda m, _: m.Normalize()),
    "last": (lambda m, d: m.Pooling(d, "lasttoken"),),
    "max, dense": (lambda m, d: m.Pooling(d, "max"), lambda m, d: m.Dense(d, 5)),
}
