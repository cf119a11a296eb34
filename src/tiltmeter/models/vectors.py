"""Static word vectors: word2vec, GloVe, fastText.

`vectors:FILE` may be in word2vec's text or binary format, GloVe's text, fastText's `.vec` or `.bin`, or an
`.npz` with the arrays `words` and `vectors`; text may be compressed as `.gz`. A text's vector is the mean of
the vectors of its words. A word is what is between white space; it is looked up as it is, then without the
punctuation around it and, if no word of the table has a capital letter, in lower case. Words that are not in
the table are left out, except with fastText's `.bin`, which makes vectors from pieces of words. A text
without any known word has no vector.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from unicodedata import category

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.model.back_ends import Traits
from tiltmeter.core.model.protocols import EmbedsTexts, Fact
from tiltmeter.core.model.requests import Passage
from tiltmeter.core.types import Array
from tiltmeter.data.downloads.fetch import file_digest
from tiltmeter.models.embedding.vector_files import form_of
from tiltmeter.models.embedding.word_vectors import VectorTable, read
from tiltmeter.models.opening.model_options import Options

VERSION = 1
"""A version, raised when texts are read in another way, so that stored answers are not reused."""
WORDS = 8192
"""How many words a batch has; the number matters little."""
SHOWN = 10
"""How many numbers of lines a card names."""
AROUND = "PS"
"""The first letters of Unicode's categories of what is stripped from words: punctuation and symbols."""

TRAITS = Traits(
    takes_skip_invalid=True,
    usual_answers=(EmbedsTexts,),
    form=("vectors:FILE", "word vectors: word2vec, GloVe, fastText"),
    hub_task=("feature-extraction", "Feature Extraction"),
)


def answers(location: str) -> tuple[type, ...]:
    """The protocols that word vectors satisfy.

    Raises:
        BadInput: The file does not exist, or has no word vectors.
    """
    form_of(_path(location))
    return (EmbedsTexts,)


class Vectors:
    """Word vectors as a model of texts (`EmbedsTexts`); a text's vector is the mean over its words."""

    limit = None

    def __init__(
        self,
        name: str,
        table: VectorTable,
        fingerprint: str,
        about: dict[str, Fact],
        words: int = WORDS,
    ) -> None:
        self.name = name
        self.fingerprint = fingerprint
        self.batch_tokens = words
        self.about: Mapping[str, Fact] = about
        self._table = table
        self._cased = any(word != word.lower() for word in table.index)

    def passage_lengths(self, passages: Sequence[Passage]) -> list[int]:
        """The number of words of each passage that have a vector."""
        return [len(self._found(passage.text)) for passage in passages]

    def embed(self, passages: Sequence[Passage], *, pooling: str) -> Array:
        """A vector for each passage, the mean over its words, shape (passages, d).

        Raises:
            CannotAnswer: A text has no word with a vector, or the pooling is not "own".
        """
        if pooling != "own":
            raise CannotAnswer(
                f"{self.name} has no pooling {pooling!r}: words have one vector each, in whatever text "
                "they stand (own)"
            )
        means = [self._mean(passage.text) for passage in passages]
        return np.stack(means) if means else np.zeros((0, self._table.vectors.shape[1]))

    def _mean(self, text: str) -> Array:
        """The mean over the words of a text, in single precision as the vectors are."""
        vectors = self._found(text)
        if not vectors:
            raise CannotAnswer(f"{self.name} has no vector for {text!r}; leave it out")
        return np.asarray(np.mean(vectors, axis=0, dtype=np.float64).astype(np.float32))

    def _found(self, text: str) -> list[npt.NDArray[np.float32]]:
        vectors = (self._vector(word) for word in text.split())
        return [vector for vector in vectors if vector is not None]

    def _vector(self, word: str) -> npt.NDArray[np.float32] | None:
        bare = _bare(word)
        forms = [word, bare] if self._cased else [word, bare, word.lower(), bare.lower()]
        for form in forms:
            if (at := self._table.index.get(form)) is not None:
                return np.asarray(self._table.vectors[at])
        if self._table.subwords is None or not bare:
            return None
        return self._table.subwords(forms[-1])


def _bare(word: str) -> str:
    """The word without the punctuation and symbols around it.

    >>> _bare('"nurse,"'), _bare("don't"), _bare("...")
    ('nurse', "don't", '')
    """
    start, end = 0, len(word)
    while start < end and category(word[start])[0] in AROUND:
        start += 1
    while start < end and category(word[end - 1])[0] in AROUND:
        end -= 1
    return word[start:end]


def load(location: str, options: Options, *, name: str, note: str = "") -> Vectors:
    """Open word vectors from a file, or from the folder of registered ones."""
    path = _path(location)
    table = read(path, skip_invalid=options.skip_invalid)
    words, width = table.vectors.shape
    about: dict[str, Fact] = {
        "kind": "vectors",
        "architecture": "static word vectors",
        "format": table.form,
        "vocabulary": int(words),
        "dimensions": int(width),
        "file": path.name,
    }
    about |= {"words with spaces in them": table.spaced} if table.spaced else {}
    if table.broken:
        shown = ", ".join(map(str, table.broken[:SHOWN])) + ", …" * (len(table.broken) > SHOWN)
        about["lines left out"] = f"{len(table.broken):,} ({shown})"
    about |= {"note": note} if note else {}
    made = Vectors(name, table, _fingerprint(path), about, options.batch_tokens or WORDS)
    about["letters"] = "as they are" if made._cased else "in lower case"  # noqa: SLF001
    if table.subwords is not None:
        about["words that are not in the table"] = "from their pieces"
    return made


def _path(location: str) -> Path:
    if not location:
        raise BadInput("no file is named", "give one: vectors:FILE")
    return Path(location).expanduser()


def _fingerprint(path: Path) -> str:
    files = sorted(file for file in path.iterdir() if file.is_file()) if path.is_dir() else [path]
    digests = "".join(file_digest(file) for file in files)
    return sha256(f"vectors-{VERSION}-{digests}".encode()).hexdigest()
