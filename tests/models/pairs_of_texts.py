"""Pairs of texts, and the weights of a next-sentence head."""

from safetensors.torch import load_file

HEAD = "next_sentence_head.safetensors"


def _load(folder):
    return load_file(folder / HEAD)


PAIRS = [
    ("He is a nurse.", "She was late."),
    ("The old driver was slow and the young clerk was rude.", "Men sang."),
    ("She sang", "My grandmother fixed the car well at night, nobody knows why."),
    ("He is a nurse.", "She was late."),
]
