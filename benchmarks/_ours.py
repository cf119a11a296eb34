"""Tiltmeter's own way, as a run goes it: rule, store, model."""

import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks._frame import DIFFERENCE, SAME, Settings, Value, timed
from tiltmeter.core.data.items import Pair
from tiltmeter.core.records import Record
from tiltmeter.core.rules import Context, Rule
from tiltmeter.data.downloads.registry import status
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.models.speed.instructions import bfloat16
from tiltmeter.run.measuring.portions import score_items
from tiltmeter.run.stored_answers.cached_model import CachedModel
from tiltmeter.run.stored_answers.store_thread import StoreThread
from tiltmeter.studies import crows_pairs, starter_pairs


def pairs(settings: Settings) -> list[Pair]:
    """CrowS-Pairs where it is on this machine, else the pairs that come with the package."""
    study = crows_pairs if status("crows_pairs") != "absent" else starter_pairs
    items = list(study.load().items)
    if settings.count is None or settings.count >= len(items):
        return items
    return stratified(items, settings.count)


def data_name() -> str:
    """What `pairs` gives, in words."""
    return "CrowS-Pairs" if status("crows_pairs") != "absent" else "starter pairs"


def stratified(items: Sequence[Pair], count: int) -> list[Pair]:
    """So many of them with the same distribution of lengths: every so many-th, sorted by length.

    >>> from tiltmeter.core.data.items import Dataset, Pair
    >>> made = [Pair(str(n), "a" * n, "b" * n) for n in (9, 1, 5, 3, 7, 2)]
    >>> [pair.id for pair in stratified(made, 3)]
    ['9', '5', '2']
    """
    rank = sorted(range(len(items)), key=lambda i: (len(items[i].more + items[i].less), i))
    step = len(items) / count
    picked = {rank[int((k + 0.5) * step)] for k in range(min(count, len(items)))}
    return [item for i, item in enumerate(items) if i in picked]


def opened(model: str | Path, precision: str = "float32", device: str = "cpu") -> Any:
    """The model, loaded."""
    options = Options(precision=precision, device=device)
    return open_model(resolve(str(model), options), options)


def too_slow(precision: str, device: str = "cpu") -> str:
    """Why a precision is not measured: the processor has no instructions for it; else nothing.

    It would take many times as long as float32, and nobody would use it there.
    """
    return bfloat16().why if device == "cpu" and precision != "float32" else ""


@dataclass(frozen=True, slots=True)
class Scored:
    """What scoring gave, and what it took."""

    records: Sequence[Record]
    seconds: float
    """From texts to records, the model loaded and the store of answers empty."""
    requests: Sequence[Any]
    """All that the model was asked."""


def scored(model: Any, rule: Rule[Pair], items: Sequence[Pair]) -> Scored:
    """Score the items as a run does."""
    with (
        tempfile.TemporaryDirectory() as folder,
        StoreThread(Path(folder) / "answers.sqlite") as store,
    ):
        asked = Listening(CachedModel(model, store))
        records, seconds = timed(lambda: list(score_items(rule, asked, items, Context())))
    return Scored(records, seconds, asked.requests)


def requests(model: Any, rule: Rule[Pair], items: Sequence[Pair]) -> Sequence[Any]:
    """What the model would be asked, without asking it."""
    listening = Listening(model, answering=False)
    with suppress(_Heard):
        rule.score(listening, items, Context())
    return listening.requests


class _Heard(Exception):
    """The requests are known, and no answer was wanted."""


class Listening:
    """A model, and the list of what it was asked."""

    def __init__(self, model: Any, *, answering: bool = True) -> None:
        self._model = model
        self._answering = answering
        self.requests: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._model, name)
        if not name.endswith("_logprobs"):
            return found

        def asked(requests: Sequence[Any]) -> Any:
            self.requests += requests
            if not self._answering:
                raise _Heard
            return found(requests)

        return asked


def decisions(records: Sequence[Record]) -> dict[str, int]:
    """By item: 1 where the more stereotyping sentence scores higher, -1 where lower, 0 at a tie."""
    return {
        r.item: (r.scores["more"] > r.scores["less"]) - (r.scores["more"] < r.scores["less"])
        for r in records
    }


def agreement(reference: Sequence[Record], found: Sequence[Record]) -> dict[str, Value]:
    """How far scores lie apart, and how many preferences are the same; over the items of `found`."""
    known = {record.item: record for record in reference}
    apart = max(
        abs(record.scores[side] - known[record.item].scores[side])
        for record in found
        for side in ("more", "less")
    )
    ours, theirs = decisions(reference), decisions(found)
    equal = sum(ours[item] == decided for item, decided in theirs.items())
    return {DIFFERENCE: apart, SAME: f"{equal:,} of {len(found):,}"}


def recorded(items: Sequence[Pair], scores: Sequence[tuple[float, float]]) -> list[Record]:
    """Scores (more, less) from elsewhere, as records."""
    return [
        Record(item.id, {"more": more, "less": less}, item.groups)
        for item, (more, less) in zip(items, scores, strict=True)
    ]
