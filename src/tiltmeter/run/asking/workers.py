"""Workers, which open a model and answer shards of requests, and how many there is room for.

Nothing here needs Ray, so that it can be tested without.
"""

import gc
import os
import socket
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from tiltmeter import __version__
from tiltmeter.core.errors import BadInput, CannotAnswer, TiltmeterError, Unavailable
from tiltmeter.core.finder import known
from tiltmeter.core.model.query import OptionValue, Query
from tiltmeter.core.model.questions import facts_and_lookups, find_question
from tiltmeter.core.model.study_turns import StudyTurn
from tiltmeter.core.text import counted
from tiltmeter.data.downloads.weights import WEIGHTS
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import Resolved, open_model, resolve


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which model to open, and how: the arguments of `open_model`."""

    where: Resolved
    options: Options
    name: str


@dataclass(frozen=True, slots=True)
class ShardTask:
    """What a worker does with each part of a shard; given by names, so that no functions are pickled."""

    question: str = ""
    """The name of the question to answer; "" for none."""
    options: tuple[tuple[str, OptionValue], ...] = ()
    """The options of the question."""
    method: str = ""
    """The method of the model to call if there is no question; if there is neither, its facts are wanted."""

    @property
    def label(self) -> str:
        """The name of the task in messages and in shard ids; "" for a task that asks for facts."""
        asked = self.question and Query(find_question(self.question), self.options).label
        return asked or self.method

    def done(self, model: Any, part: Sequence[Any]) -> Any:
        """The model's answers to one part of the shard, or its facts if nothing is asked."""
        if self.question:
            return Query(find_question(self.question), self.options).ask(model, part)
        return getattr(model, self.method)(part) if self.method else facts(model)


@dataclass(frozen=True, slots=True)
class Shard:
    """Work for one worker: one or more parts, such as batches of requests, with the same task."""

    id: str
    """A digest of the content: equal work has equal ids, whichever worker does it."""
    model: Wanted
    fingerprint: str
    """The fingerprint that the worker's model must have; "" if it is not known yet."""
    task: ShardTask
    parts: tuple[Sequence[Any], ...]
    longest: int = 0
    """The number of tokens of the longest request; 0 if it is not known."""
    version: str = __version__


class WorkerPool(Protocol):
    """A pool of workers that process shards, on this machine or on others."""

    @property
    def workers(self) -> int:
        """The number of workers."""

    def done(
        self, shards: Sequence[Shard], turn: StudyTurn | None = None
    ) -> Generator[tuple[int, list[Any]], None, None]:
        """Yields (index of the shard, one result per part) for each shard as soon as it is done.

        Shards of several callers are worked on in the order of their turns; those without a turn come first.
        """


@dataclass(frozen=True, slots=True)
class Refused:
    """The reason why a worker did not process a shard, with the text of the error that it caught."""

    text: str
    mendable: bool
    """Whether it is an error that the user can fix, rather than a failure of the machine or the network."""


def shard_id(fingerprint: str, label: str, keys: Sequence[bytes]) -> str:
    """A digest of the model, the task and the requests, in order.

    >>> shard_id("m", "blank", [b"1", b"23"]) == shard_id("m", "blank", [b"12", b"3"])
    False
    """
    digest = blake2b(digest_size=12)
    for part in (fingerprint.encode(), label.encode(), *keys):
        digest.update(len(part).to_bytes(8) + part)
    return digest.hexdigest()


def anchored(where: Resolved) -> Resolved:
    """The model with absolute paths, since a worker runs in another folder."""
    if not where.traits.is_path:
        return where
    return replace(where, location=",".join(map(_anchored, where.location.split(","))))


def _anchored(part: str) -> str:
    scheme, rest = _cut(part.strip())
    path = Path(rest).expanduser()
    return f"{scheme}{path.resolve()}" if rest and path.exists() else part


def paths_of(where: Resolved) -> list[Path]:
    """The absolute paths in a model's location; none for a hub model or a built-in one."""
    if not where.traits.is_path:
        return []
    places = (Path(_cut(part)[1]) for part in anchored(where).location.split(","))
    return [place for place in places if place.is_absolute()]


def _cut(part: str) -> tuple[str, str]:
    """Split "KIND:rest" into ("KIND:", "rest"); ("", part) if it starts with no kind of model that exists.

    A colon alone decides nothing, since a path may contain one.
    """
    kind, colon, rest = part.partition(":")
    return (f"{kind}:", rest) if colon and kind in known("models") else ("", part)


class Worker:
    """A worker process, which opens each model when it is first needed and keeps it open."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._models: dict[Wanted, Any] = {}
        os.environ["OMP_NUM_THREADS"] = str(threads)  # read when torch is first imported

    def ready(self) -> str:
        """The host name of the worker's machine; returns once the worker runs and its work is done."""
        return socket.gethostname()

    def work(self, shard: Shard) -> list[Any] | Refused:
        """The result for each part of the shard, in order, or the reason why there is none."""
        try:
            model = self._model(shard)
            return [shard.task.done(model, part) for part in shard.parts]
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

    def drop(self, wanted: Wanted) -> None:
        """Close a model and free its memory."""
        self._models.pop(wanted, None)
        gc.collect()
        if "torch" in sys.modules:
            sys.modules["torch"].cuda.empty_cache()

    def _model(self, shard: Shard) -> Any:
        """The shard's model, opened if it is not open yet.

        Raises:
            CannotAnswer: This worker's version of Tiltmeter or its model differs from what the shard asks
                for.
        """
        if shard.version != __version__:
            raise CannotAnswer(
                f"the worker on {self.ready()} has Tiltmeter {__version__}, but the run uses "
                f"{shard.version}; install the same version on all machines"
            )
        if shard.model not in self._models:
            wanted = shard.model
            model = open_model(self._here(wanted), wanted.options, name=wanted.name)
            if "torch" in sys.modules:
                sys.modules["torch"].set_num_threads(self._threads)
            self._models[wanted] = model
        model = self._models[shard.model]
        if shard.fingerprint not in {"", model.fingerprint}:
            raise CannotAnswer(
                f"{model.name} on {self.ready()} is not the model that the other workers have (fingerprint "
                f"{model.fingerprint[:12]}… instead of {shard.fingerprint[:12]}…): its files, the "
                "precision, the kind of device or the version of a library differ. Put the same files "
                "and libraries on all machines"
            )
        return model

    def _here(self, wanted: Wanted) -> Resolved:
        """Where the model is on this machine: registered weights are in each machine's own cache.

        Raises:
            Unavailable: The model's path does not exist on this machine.
        """
        where = wanted.where
        absent = [path for path in paths_of(where) if not path.exists()]
        if not absent:
            return where
        if where.reference.rpartition(":")[2] in WEIGHTS:
            return resolve(where.reference, wanted.options)
        raise Unavailable(
            f"{wanted.name}: {absent[0]} is not on the machine {self.ready()}; a model in a folder must have "
            "the same path on every machine: put it into a shared folder, or use a hub id"
        )


def facts(model: Any) -> Mapping[str, Any]:
    """The facts listed in `core.model.questions` that the model has, by name."""
    facts_by_name = {"about": dict(model.about)}
    names, _ = facts_and_lookups()
    for name in sorted(names):  # a model that lacks a head says so when asked for its limit
        with suppress(AttributeError, CannotAnswer):
            facts_by_name.setdefault(name, getattr(model, name))
    return facts_by_name


class Size(NamedTuple):
    """The number of workers, and the number of CPUs and GPUs that each gets."""

    workers: int
    cpus: int
    gpus: int


def size(machines: Sequence[Mapping[str, float]], workers: int | None, *, gpus: bool) -> Size:
    """How to divide the machines: one worker per GPU, or per machine without GPUs, or the number asked for.

    All workers get the same number of CPUs, so that they compute equal numbers: the largest for which there
    is room for all of them.

    >>> size([{"CPU": 16}, {"CPU": 16}], None, gpus=True)
    Size(workers=2, cpus=16, gpus=0)
    >>> size([{"CPU": 16}, {"CPU": 16}], 6, gpus=True)
    Size(workers=6, cpus=5, gpus=0)
    >>> size([{"CPU": 16, "GPU": 4}, {"CPU": 64}], None, gpus=True)
    Size(workers=4, cpus=4, gpus=1)

    Raises:
        BadInput: The machines have too few CPUs or GPUs for that many workers.
    """
    each = "GPU" if gpus and any(m.get("GPU", 0) >= 1 for m in machines) else "CPU"
    using = [m for m in machines if m.get(each, 0) >= 1]
    places = int(sum(m[each] // 1 for m in using))
    if not places or (workers or 0) > places:
        raise BadInput(
            f"the cluster has {places:,} {each}s, too few for {counted(workers or 1, 'workers')}",
            f"use --workers {places}" if places else "start Ray on a machine that has some",
        )
    if each == "GPU":
        cpus = min(int(m.get("CPU", 0) // (m["GPU"] // 1)) for m in using)
        return Size(workers or places, cpus, 1)
    most = int(min(m["CPU"] for m in using) if workers is None else max(m["CPU"] for m in using))
    # The largest number of CPUs per worker for which all the workers fit.
    while sum(m["CPU"] // most for m in using) < (workers or 1):
        most -= 1
    return Size(workers or int(sum(m["CPU"] // most for m in using)), most, 0)
