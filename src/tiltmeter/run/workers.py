"""What a worker does: opens the model that is asked for, and answers shards. Knows nothing of Ray."""

import gc
import os
import socket
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from tiltmeter import __version__
from tiltmeter.core.errors import CannotAnswer, TiltmeterError, Unavailable
from tiltmeter.core.finder import known
from tiltmeter.data.weights import WEIGHTS
from tiltmeter.models._open import Options, Resolved, open_model, resolve
from tiltmeter.models._quick import Quick, quick
from tiltmeter.run.executors import answer

FACTS = (
    "name", "fingerprint", "about", "limit", "cased", "unknown", "batch_tokens", "mask", "pair_limit",
    "shared_row",
)  # fmt: skip
"""What of a model is plain data, where it has it."""
OWN = {
    "encode": "encode",
    "lengths": "pair_lengths",
    "passages": "passage_lengths",
    "ranks": "candidate_scores",
}
"""Methods of a model by the kind of work that is theirs alone."""
MADE_UP = frozenset({"fake", "baseline"})
"""Kinds whose location is a word and never a path."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which model, and how it is opened: what `open_model` takes."""

    where: Resolved
    options: Options
    name: str


@dataclass(frozen=True, slots=True)
class Shard:
    """Work for one worker: one or several parts of one kind, such as batches of questions."""

    id: str
    """A digest of what it is made of: equal work has an equal id, whoever does it."""
    model: Wanted
    fingerprint: str
    """What the worker's model must have; "" where it is not known yet."""
    kind: str
    """Of question, as `askers.answer` knows it; or facts, encode, lengths, passages, ranks."""
    parts: tuple[Sequence[Any], ...]
    version: str = __version__


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a worker did not do a shard, as an error of ours says it."""

    text: str
    mendable: bool
    """Whether the user can mend it, or something outside failed."""


def shard_id(fingerprint: str, kind: str, keys: Sequence[bytes]) -> str:
    """A digest of the model, the kind of question and the questions, in order.

    >>> shard_id("m", "blank", [b"1", b"23"]) == shard_id("m", "blank", [b"12", b"3"])
    False
    """
    digest = blake2b(digest_size=12)
    for part in (fingerprint.encode(), kind.encode(), *keys):
        digest.update(len(part).to_bytes(8) + part)
    return digest.hexdigest()


def anchored(where: Resolved) -> Resolved:
    """With whole paths, since a worker has another folder to work in."""
    if where.scheme in MADE_UP:
        return where
    return replace(where, location=",".join(map(_anchored, where.location.split(","))))


def _anchored(part: str) -> str:
    scheme, rest = _cut(part.strip())
    path = Path(rest).expanduser()
    return f"{scheme}{path.resolve()}" if rest and path.exists() else part


def paths_of(where: Resolved) -> list[Path]:
    """Where its files are said to be, as whole paths; none of a hub model or a made-up one."""
    if where.scheme in MADE_UP:
        return []
    places = (Path(_cut(part)[1]) for part in anchored(where).location.split(","))
    return [place for place in places if place.is_absolute()]


def _cut(part: str) -> tuple[str, str]:
    """KIND: and the rest; a path may hold a colon too."""
    kind, colon, rest = part.partition(":")
    return (f"{kind}:", rest) if colon and kind in known("models") else ("", part)


class Worker:
    """Holds models, by what was wanted; each is opened when first asked for."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._models: dict[Wanted, Any] = {}
        os.environ["OMP_NUM_THREADS"] = str(threads)  # read when torch is first imported

    def ready(self) -> str:
        """The machine's name."""
        return socket.gethostname()

    def work(self, shard: Shard) -> list[Any] | Refused:
        """What each part gives, in order."""
        try:
            model = self._model(shard)
            return [_done(model, shard.kind, part) for part in shard.parts]
        except TiltmeterError as error:  # as text: errors do not all survive the way back
            return Refused(str(error), error.exit_code != Unavailable.exit_code)
        except (RuntimeError, MemoryError) as error:
            if not isinstance(error, MemoryError) and "memory" not in str(error):
                raise
            return Refused(
                f"the worker on {self.ready()} ran out of memory; try a smaller --batch-tokens, or "
                "fewer --workers. Answers so far are stored",
                mendable=False,
            )

    def quick(self, device: str) -> Quick:
        """Which precision is quick here."""
        return quick(device)

    def drop(self, wanted: Wanted) -> None:
        """Close a model, and give its memory back."""
        self._models.pop(wanted, None)
        gc.collect()
        if "torch" in sys.modules:
            sys.modules["torch"].cuda.empty_cache()

    def _model(self, shard: Shard) -> Any:
        """The shard's model.

        Raises:
            CannotAnswer: It is not the one that the shard is meant for.
        """
        if shard.version != __version__:
            raise CannotAnswer(
                f"the worker on {self.ready()} has Tiltmeter {__version__}, and {shard.version} asks; "
                "install the same on all machines"
            )
        if shard.model not in self._models:
            self._models[shard.model] = self._opened(shard.model)
        model = self._models[shard.model]
        if shard.fingerprint not in {"", model.fingerprint}:
            raise CannotAnswer(
                f"{model.name} on {self.ready()} is not the model that the other workers have (fingerprint "
                f"{model.fingerprint[:12]}… instead of {shard.fingerprint[:12]}…): its files, the "
                "precision, the kind of device or the version of a library differ. Put the same files "
                "and libraries on all machines"
            )
        return model

    def _opened(self, wanted: Wanted) -> Any:
        where = self._here(wanted)
        model = open_model(where, wanted.options, name=wanted.name)
        if "torch" in sys.modules:
            sys.modules["torch"].set_num_threads(self._threads)
        return model

    def _here(self, wanted: Wanted) -> Resolved:
        """Where the model is on this machine: a registered one lies in each machine's own cache.

        Raises:
            Unavailable: It should lie at a path that is not here.
        """
        where = wanted.where
        absent = [path for path in paths_of(where) if not path.exists()]
        if not absent:
            return where
        if where.reference.rpartition(":")[2] in WEIGHTS:
            return resolve(where.reference, wanted.options)
        raise Unavailable(
            f"{wanted.name}: {absent[0]} is not on the machine {self.ready()}; a model in a folder must lie "
            "at the same path on every machine: put it into a folder they share, or name a hub id"
        )


def _done(model: Any, kind: str, part: Sequence[Any]) -> Any:
    if kind == "facts":
        return facts(model)
    own = OWN.get(kind)
    return getattr(model, own)(part) if own else answer(model, kind, part)


def facts(model: Any) -> Mapping[str, Any]:
    """Those of FACTS that the model has; one that lacks a head says so when it is asked for its limit."""
    found = {"about": dict(model.about)}
    for name in FACTS:
        with suppress(AttributeError, CannotAnswer):
            found.setdefault(name, getattr(model, name))
    return found
