"""Float32's decisions at a lower price: a quick precision first, float32 where it might say otherwise.

All items are scored in the quick precision. A random sample of them is scored in float32 as well, and
shows how far the two are apart; so is then every item whose margin lies inside the band that this
gives. Each of these shows its own error too, and where one is larger than any before, the band widens
and the items that are now inside follow. docs/precision.md says what that guarantees.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, TypeAlias, TypeVar

import numpy as np

from tiltmeter.core.errors import CannotAnswer, Unavailable
from tiltmeter.core.items import Dataset
from tiltmeter.core.results import Note, Record, Result
from tiltmeter.core.study import Context, Rule, Study
from tiltmeter.core.types import Array, Integers
from tiltmeter.data.memory.lazy_sequence import Selection
from tiltmeter.data.memory.spool import Spool
from tiltmeter.models.speed.instructions import let_go
from tiltmeter.run.choosing import Chosen
from tiltmeter.run.error_bands import FACTOR, LEAST, Bands, error, sample
from tiltmeter.run.measure import facts_of, measure, of_rule, summarise
from tiltmeter.run.portions import score_items

T = TypeVar("T")
Opening: TypeAlias = Callable[[str], AbstractContextManager[Any]]
"""Opens the model in a precision, and lets it go."""
EXACT = "float32"


@dataclass(frozen=True, slots=True)
class Round:
    """Items that were scored again together."""

    at: Integers
    """Positions of the items, in order."""
    records: Sequence[Record]
    largest: Array
    """The largest error of each kind of item, up to and with this round."""


def measure_screened(
    study: Study[T],
    opening: Opening,
    data: Dataset[T],
    *,
    chosen: Chosen[T],
    quick: str,
    seed: int = 0,
    skip_invalid: bool = False,
) -> Result:
    """Measure with a model that is opened twice: in the quick precision, then in float32.

    Where the model cannot be asked in the quick precision, and where there are so few items that all
    would be scored in both, float32 does it alone, and a note says so.

    Raises:
        BadItems: Some items have no defined score and `skip_invalid` is false.
    """
    context = Context(chosen.convention, seed, skip_invalid, settings=chosen.settings)
    mine = of_rule(data, chosen.rule)
    rough: Sequence[Record] = ()
    why = _unfit(chosen, mine)
    if not why:
        try:
            rough, facts = _quickly(opening, quick, chosen, mine.items, context)
        except (CannotAnswer, Unavailable, RuntimeError) as error:  # float32 may well do
            why = _failure(quick, error)
        let_go()
    if why:
        with opening(EXACT) as model:
            return measure(
                study, model, only_float32(data, why),
                chosen=chosen, seed=seed, skip_invalid=skip_invalid,
            )  # fmt: skip
    items = _scored(mine.items, rough)
    kinds, tasks = _kinds(items)
    bands = Bands(rough, kinds, _edge(chosen))
    with opening(EXACT) as model:
        if model.fingerprint == facts["fingerprint"] or not rough:
            records, facts = (
                rough,
                facts_of(model),
            )  # precision is nothing to it, or there is no item
        else:
            again = Context(chosen.convention, seed, settings=chosen.settings)
            rounds = list(_rounds(chosen.rule, model, items, rough, bands, again, seed))
            records = Spool(Record, _merged(rough, rounds, quick))
            facts = _both(facts, facts_of(model), bands, rounds, tasks, quick)
    return summarise(
        study, records, mine, chosen=chosen, seed=seed, model=facts,
        invalid=(*mine.invalid, *context.problems),
    )  # fmt: skip


def _quickly(
    opening: Opening, quick: str, chosen: Chosen[T], items: Sequence[T], context: Context
) -> tuple[Sequence[Record], dict[str, Any]]:
    """All records in the quick precision, and facts about the model, which nothing holds any more."""
    with opening(quick) as model:
        records = score_items(chosen.rule, model, items, context)
        return records, facts_of(model)


def only_float32(data: Dataset[T], why: str) -> Dataset[T]:
    """The data with a note that --precision auto had nothing to choose from."""
    note = f"float32 for all items: {why.rstrip('.')}."
    return replace(data, notes=(*data.notes, Note("precision", note)))


def _unfit(chosen: Chosen[T], data: Dataset[T]) -> str:
    """Why there is nothing to screen, if so."""
    if chosen.rule.at_once:
        return "the rule scores them together"
    if not chosen.rule.ordinal:
        return "more matters than which of an item's scores is higher"
    return f"there are no more than {LEAST}" if len(data.items) <= LEAST else ""


def _failure(quick: str, error: Exception) -> str:
    """Why the quick precision will not do; other errors' words may hold paths of this machine."""
    reason = (
        str(error).partition(";")[0] if isinstance(error, CannotAnswer) else "it cannot be asked"
    )
    return f"the model fails in {quick} ({reason})"


def _scored(items: Sequence[T], records: Sequence[Record]) -> Sequence[T]:
    """The items that have a record, one for each and in the same order."""
    if len(items) == len(records):
        return items
    at, left = [], iter(records)
    wanted = next(left, None)
    for i, item in enumerate(items):
        if wanted is not None and item.id == wanted.item:  # type: ignore[attr-defined]
            at.append(i)
            wanted = next(left, None)
    return Selection(items, np.array(at, dtype=np.int64))


def _kinds(items: Sequence[Any]) -> tuple[Integers, list[str]]:
    """Of each item its task by number, and the tasks: two rules score them, and do not err alike."""
    tasks: dict[str, int] = {}
    numbers = (tasks.setdefault(getattr(item, "task", ""), len(tasks)) for item in items)
    return np.fromiter(numbers, np.int64, len(items)), list(tasks)


def _edge(chosen: Chosen[Any]) -> float:
    """Where scores are rounded, those of one step may be equal or not: all are doubtful."""
    decimals = chosen.convention.decimals.get(chosen.rule.name)
    return 0.0 if decimals is None else 10.0**-decimals


def _rounds(
    rule: Rule[T],
    model: Any,
    items: Sequence[T],
    rough: Sequence[Record],
    bands: Bands,
    context: Context,
    seed: int,
) -> Iterator[Round]:
    """The sample, then what lies inside the band, until nothing more does."""
    at = sample(bands.kinds, seed)
    while len(at):
        made = score_items(rule, model, Selection(items, at), context)
        before = Selection(rough, at)
        if [r.item for r in made] != [r.item for r in before]:
            raise CannotAnswer(
                f"{model.name} cannot score some items in float32 that it scores in another precision; "
                "use --precision float32"
            )
        bands.add(at, [error(a, b) for a, b in zip(before, made, strict=True)])
        yield Round(at, made, bands.largest.copy())
        at = bands.doubtful()


def _merged(rough: Sequence[Record], rounds: Sequence[Round], quick: str) -> Iterator[Record]:
    """All records in the order of the items, each with its precision."""
    which = np.full(len(rough), -1)
    for number, round_ in enumerate(rounds):
        which[round_.at] = number
    better = [iter(round_.records) for round_ in rounds]
    for record, number in zip(rough, which.tolist(), strict=True):
        if number < 0:
            yield replace(record, precision=quick)
        else:
            yield replace(next(better[number]), precision=EXACT)


def _both(
    rough: Mapping[str, Any],
    exact: Mapping[str, Any],
    bands: Bands,
    rounds: Sequence[Round],
    tasks: Sequence[str],
    quick: str,
) -> dict[str, Any]:
    """What the card says of the model, and of how it was screened."""

    def of_each(values: Array) -> Any:
        """One number or, where there are several tasks, one for each."""
        numbers = [float(f"{value:.6g}") for value in values.tolist()]
        return dict(zip(tasks, numbers, strict=True)) if len(numbers) > 1 else numbers[0]

    fingerprints = {quick: rough["fingerprint"], EXACT: exact["fingerprint"]}
    return {
        **exact,
        "fingerprint": sha256(f"screened {fingerprints}".encode()).hexdigest(),
        "precision": "auto",
        "screening": {
            "quick precision": quick,
            "items": len(bands.kinds),
            "scored again in float32": sum(len(round_.at) for round_ in rounds),
            "sample": len(rounds[0].at),
            "largest error in the sample": of_each(rounds[0].largest),
            "largest error measured": of_each(bands.largest),
            "safety factor": FACTOR,
            "band": of_each(bands.widths),
            "expected differences at most": float(f"{bands.risk():.2g}"),
            "fingerprints": fingerprints,
        },
    }
