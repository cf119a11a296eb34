"""Word vectors in every kind of file."""

import bz2
import gzip

import numpy as np

from tiltmeter.core.model.requests import Passage
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve

WORDS = ["the", "nurse", "sings", ".", "naïve"]


ROWS = np.array(
    [[0.5, -1.0, 2.0], [1.0, 0.0, 0.25], [-3.0, 4.0, 0.0], [0.125, 0.125, 0.125], [9.0, 8.0, 7.0]],
    dtype=np.float32,
)


def text_of(words=WORDS, rows=ROWS, *, header=False):
    lines = [f"{word} {' '.join(map(str, row))}" for word, row in zip(words, rows, strict=True)]
    return "\n".join([*([f"{len(words)} {len(rows[0])}"] if header else []), *lines, ""])


def binary_of(words=WORDS, rows=ROWS, *, feed=b"\n", promised=None):
    said = [
        word.encode() + b" " + row.astype("<f4").tobytes() + feed
        for word, row in zip(words, rows, strict=True)
    ]
    count = len(words) if promised is None else promised
    return f"{count} {rows.shape[1]}\n".encode() + b"".join(said)


def written(path, content):
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def npz(path, **arrays):
    np.savez(path, **arrays)
    return path


def model_of(path, **options):
    options = Options(**options)
    return open_model(resolve(f"vectors:{path}", options), options)


def vectors(model, *texts):
    return model.embed([Passage(text) for text in texts], pooling="own")


FILES = {
    "GloVe text": lambda p: written(p / "v.txt", text_of()),
    "word2vec text": lambda p: written(p / "v.vec", text_of(header=True)),
    "word2vec text, a space at each end": lambda p: written(
        p / "v.vec", text_of(header=True).replace("\n", " \n")
    ),
    "GloVe text, a byte order mark": lambda p: written(p / "v.txt", "\ufeff" + text_of()),
    "word2vec text, a byte order mark": lambda p: written(
        p / "v.vec", "\ufeff" + text_of(header=True)
    ),
    "GloVe text, a byte order mark, packed": lambda p: written(
        p / "v.txt.gz", gzip.compress(("\ufeff" + text_of()).encode(), mtime=0)
    ),
    "GloVe text, packed": lambda p: written(
        p / "v.txt.gz", gzip.compress(text_of().encode(), mtime=0)
    ),
    "word2vec text, packed": lambda p: written(
        p / "v.vec.bz2", bz2.compress(text_of(header=True).encode())
    ),
    "word2vec binary": lambda p: written(p / "v.bin", binary_of()),
    "word2vec binary, without feeds": lambda p: written(p / "v.bin", binary_of(feed=b"")),
    "word2vec binary, packed": lambda p: written(
        p / "v.bin.gz", gzip.compress(binary_of(), mtime=0)
    ),
    "npz": lambda p: npz(p / "v.npz", words=np.array(WORDS), vectors=ROWS),
    "npz, bytes and doubles": lambda p: npz(
        p / "v.npz", words=np.char.encode(WORDS, "utf-8"), vectors=ROWS.astype(np.float64)
    ),
}
