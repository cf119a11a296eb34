"""Texts as vectors: a frozen encoder asked once for each text, its answers kept in the cache; or tf-idf."""

import re
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np

from tiltmeter.active.encoders.encoder_training import TF_IDF
from tiltmeter.active.predictor_settings import needs_features
from tiltmeter.active.settings import LoopSettings
from tiltmeter.core.errors import BadInput
from tiltmeter.core.model.requests import Passage
from tiltmeter.core.types import Array
from tiltmeter.data.downloads import places
from tiltmeter.data.downloads.archives import digest
from tiltmeter.data.downloads.fetch import writing

DIMENSIONS: Final = 256
"""The number of dimensions of tf-idf vectors, after a singular value decomposition of all texts."""
WORD: Final = re.compile(r"\w+")
LONGEST: Final = 2_000
"""Characters of a text that are read; the encoder cuts further at its own limit."""


def run_features(texts: Sequence[str], settings: LoopSettings) -> Array:
    """The vectors of texts that a run reads, shape (texts, d); d is 0 if it reads none.

    Errors are those of `text_features`.
    """
    if not needs_features(settings):
        return np.zeros((len(texts), 0))
    return text_features(texts, settings.encoder, settings.pooling)


def text_features(texts: Sequence[str], encoder: str = "minilm", pooling: str = "mean") -> Array:
    """One vector per text, shape (texts, d).

    Args:
        texts: In any order; equal texts get equal vectors.
        encoder: A name, folder or hub id of a sentence encoder or language model; or "tf-idf", which is
            computed from the texts themselves and downloads nothing.
        pooling: "mean" averages the states of an encoder's tokens, special ones included; "start" is the
            state of the special token before the text.

    Raises:
        MissingExtra: The libraries for encoders are not installed.
        UnknownName: No such model.
    """
    if encoder == TF_IDF:
        return _tf_idf(texts)
    file = _stored(texts, encoder, pooling)
    if file.is_file():
        return np.asarray(np.load(file, allow_pickle=False), dtype=np.float64)
    vectors = _encoded(texts, encoder, pooling)
    with writing(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary = file.with_suffix(".part.npy")
        np.save(temporary, vectors.astype(np.float32), allow_pickle=False)
        temporary.replace(file)
    # Rounded as they are kept, so that the first run computes with what later ones read.
    return np.asarray(vectors.astype(np.float32), dtype=np.float64)


def _stored(texts: Sequence[str], encoder: str, pooling: str) -> Path:
    """Where the vectors of these texts are kept: named after the encoder's files and the texts."""
    from tiltmeter.models.opening.model_files import folder_of  # noqa: PLC0415
    from tiltmeter.models.opening.model_options import DEFAULTS  # noqa: PLC0415
    from tiltmeter.models.opening.open_model import resolve  # noqa: PLC0415

    location = resolve(encoder).location
    model = digest(folder_of(location, DEFAULTS)) if Path(location).is_dir() else location
    parts = [model, *([] if pooling == "mean" else [pooling]), *map(repr, texts)]
    digest_of_texts = sha256("\n".join(parts).encode()).hexdigest()
    return places.cache() / "features" / f"{digest_of_texts}.npy"


def _encoded(texts: Sequence[str], encoder: str, pooling: str) -> Array:
    from tiltmeter.models.opening.open_model import open_model, resolve  # noqa: PLC0415

    model = open_model(resolve(encoder))
    if not hasattr(model, "embed"):
        raise BadInput(f"{encoder} gives no vectors of texts", "name an encoder, such as minilm")
    vectors = model.embed(_passages(texts, model), pooling=pooling)
    return np.asarray(vectors, dtype=np.float32)


def _passages(texts: Sequence[str], model: Any) -> list[Passage]:
    """The texts, each cut at a space until it fits into the model."""
    passages = [Passage(text[:LONGEST] or "-") for text in texts]
    limit = model.limit
    long = list(range(len(passages))) if limit else []
    while long:
        lengths = model.passage_lengths([passages[i] for i in long])
        long = [i for i, length in zip(long, lengths, strict=True) if length > limit]
        for i in long:
            text = passages[i].text
            passages[i] = Passage(text[: max(1, int(len(text) * 0.9))].rsplit(" ", 1)[0])
    return passages


def _tf_idf(texts: Sequence[str]) -> Array:
    """Words in at least two texts; 1 + ln of their count × ln of the inverse share of texts; unit length."""
    from scipy.sparse import csr_array  # noqa: PLC0415

    bags = [Counter(WORD.findall(text.lower())) for text in texts]
    spread = Counter(word for bag in bags for word in bag)
    column = {word: i for i, word in enumerate(sorted(w for w, n in spread.items() if n > 1))}
    if len(column) < 2:  # noqa: PLR2004
        raise BadInput("the texts share no words", "use an encoder, such as minilm")
    entries = [
        (row, column[word], (1 + np.log(n)) * np.log(len(texts) / spread[word]))
        for row, bag in enumerate(bags)
        for word, n in sorted(bag.items())
        if word in column
    ]
    rows, columns, values = (np.array(part) for part in zip(*entries, strict=True))
    table = csr_array((values, (rows, columns)), shape=(len(texts), len(column)))
    lengths = np.sqrt(np.bincount(rows, values**2, minlength=len(texts)))
    return _reduced(table, np.maximum(lengths, 1e-12))


def _reduced(table: Any, lengths: Array) -> Array:
    """The strongest directions of the table whose rows are divided by their lengths."""
    from scipy.sparse import diags_array  # noqa: PLC0415
    from scipy.sparse.linalg import svds  # noqa: PLC0415

    unit = diags_array(1 / lengths) @ table
    if min(unit.shape) <= 2 * DIMENSIONS:
        left, values, _ = np.linalg.svd(unit.toarray(), full_matrices=False)
        return np.asarray((left * values)[:, :DIMENSIONS], dtype=np.float64)
    left, values, _ = svds(unit, k=DIMENSIONS, v0=np.ones(min(unit.shape)))
    return np.asarray((left * values)[:, ::-1], dtype=np.float64)
