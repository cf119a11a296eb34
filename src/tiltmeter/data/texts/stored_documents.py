"""Documents of sentences in a temporary file, so that memory does not grow with the text.

In memory are only the positions of sentences and documents, 8 bytes each. The file is unnamed, in the cache
folder, and disappears with the process, however that ends. It is read through a memory map, whose pages the
operating system may drop at any time.
"""

import mmap
import tempfile
import weakref
from array import array
from collections.abc import Iterable
from typing import IO, TypeAlias

import numpy as np

from tiltmeter.core.errors import StorageError, reason_of
from tiltmeter.core.text import counted
from tiltmeter.core.types import Integers
from tiltmeter.data.downloads import places
from tiltmeter.data.memory.lazy_sequence import LazySequence

Document: TypeAlias = tuple[str, ...]


class StoredDocuments(LazySequence[Document]):
    """Documents that are read from a file when they are accessed.

    >>> documents = StoredDocuments([("He ran.", "She sang."), ("It rained.",)])
    >>> len(documents), documents[0], documents.sentence(2), documents.starts.tolist()
    (2, ('He ran.', 'She sang.'), 'It rained.', [0, 2, 3])
    """

    def __init__(self, documents: Iterable[Document] = ()) -> None:
        """Write the documents, in their order.

        Raises:
            StorageError: The file cannot be written.
        """
        ends, starts = array("q", [0]), array("q", [0])
        try:
            file = tempfile.TemporaryFile(dir=places.cache())  # noqa: SIM115 (closed below)
            weakref.finalize(self, file.close)  # with the documents, or the process
            for document in documents:
                for sentence in document:
                    ends.append(ends[-1] + file.write(sentence.encode("utf-8", "surrogatepass")))
                starts.append(len(ends) - 1)
            file.flush()
            self._text = _mapped(file)
        except OSError as error:
            raise StorageError(
                f"the text cannot be kept in {places.cache()} ({reason_of(error)}); free some space, or "
                f"set {places.CACHE} to a folder with room"
            ) from error
        self._ends = np.frombuffer(ends, dtype=np.int64)
        self.starts: Integers = np.frombuffer(starts, dtype=np.int64)
        """Number of the first sentence of each document, and last the number of all sentences."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    def item(self, place: int) -> Document:
        """The sentences of a document."""
        return tuple(map(self.sentence, range(self.starts[place], self.starts[place + 1])))

    def sentence(self, number: int) -> str:
        """A sentence by its number among those of all documents."""
        return self._text[self._ends[number] : self._ends[number + 1]].decode(
            "utf-8", "surrogatepass"
        )

    def __repr__(self) -> str:
        return f"<{counted(len(self), 'documents')} of {counted(self.starts[-1], 'sentences')}>"


def _mapped(file: IO[bytes]) -> bytes | mmap.mmap:
    if not file.tell():
        return b""
    return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
