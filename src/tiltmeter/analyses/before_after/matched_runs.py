"""Which runs before and after belong together, and why others cannot be compared."""

from collections.abc import Sequence
from typing import Any

from tiltmeter.core.errors import BadInput
from tiltmeter.core.results import Card, Result
from tiltmeter.core.text import counted
from tiltmeter.derived.model_origin import APPLIED
from tiltmeter.run.asking.manner import FACTS, manners_apart

DIGEST = 64
"""Length of a checksum in hexadecimal; only its last digits are shown."""


def sides(results: Sequence[Result]) -> tuple[list[Result], list[Result]]:
    """Sort the results of two models into those before and those after.

    Before is the model that nothing was done to, by the cards; where they do not tell, the model that is
    named first.

    Raises:
        BadInput: They are not of two models.
    """
    by_name: dict[str, list[Result]] = {}
    for result in results:
        by_name.setdefault(_name(result), []).append(result)
    if len(by_name) == 1:  # as of two checkpoints in folders of one name, or of two system prompts
        by_name = {}
        for result in results:
            model = result.card.model
            asked = str([model.get(name) for name in FACTS])
            by_name.setdefault(f"{model.get('fingerprint')} {asked}", []).append(result)
    if len(by_name) != 2:  # noqa: PLR2004
        shown = ", ".join(dict.fromkeys(map(_name, results)))
        raise BadInput(
            f"these are runs of {counted(len(by_name), 'models')} instead of two: {shown}",
            "give runs of the model before and after, or name those after with --after",
        )
    first, last = by_name.values()
    is_applied = [any(APPLIED in r.card.model for r in side) for side in (first, last)]
    return (last, first) if is_applied == [True, False] else (first, last)


def matched(
    before: Sequence[Result], after: Sequence[Result]
) -> tuple[list[tuple[Result, Result]], list[tuple[str, str]]]:
    """Pairs of results of the same study run in the same way, and the studies that only one side has.

    Raises:
        BadInput: Both sides have a study, but not run in the same way on the same data; or no study is
            common.
    """
    _once(before, "before")
    _once(after, "after")
    theirs = {_way(result.card): result for result in after}
    pairs: list[tuple[Result, Result]] = []
    alone: list[Result] = []
    for was in before:
        now = theirs.pop(_way(was.card), None)
        if now is None:
            alone.append(was)
        else:
            pairs.append((was, now))
    rest = list(theirs.values())
    for was in alone:
        now = next((result for result in rest if result.card.study == was.card.study), None)
        if now is not None:
            raise _other_way(was, now)
    missing = [
        (result.card.study, f"there is no run of it {when} ({_how(result)})")
        for when, results in (("after", alone), ("before", rest))
        for result in results
    ]
    if not pairs:
        raise BadInput(
            "no study was run before and after",
            "run the same studies of both models, with the same rules on the same data",
        )
    return pairs, missing


def _once(results: Sequence[Result], when: str) -> None:
    """Refuse two results of the same study run in the same way."""
    seen: set[tuple[Any, ...]] = set()
    for result in results:
        if _way(result.card) in seen:
            raise BadInput(
                f"there are two runs of {result.card.study} {when} with the same data, rule and settings",
                "give one of them",
            )
        seen.add(_way(result.card))


_WAYS = ("study", "study version", "data", "rule", "convention", "way to count ties", "settings")


def _way(card: Card) -> tuple[Any, ...]:
    """How a result was made: only results that agree in all of this are compared."""
    settings = tuple(sorted(card.settings.items()))
    data = str(card.data.get("sha256") or card.data.get("name") or "")
    return card.study, card.study_version, data, card.rule, card.convention, card.ties, settings


def _other_way(was: Result, now: Result) -> BadInput:
    ways = zip(_WAYS, _way(was.card), _way(now.card), strict=True)
    apart = "; ".join(
        f"{name} {_shown(a)} before, {_shown(b)} after" for name, a, b in ways if a != b
    )
    return BadInput(
        f"runs of {was.card.study} before and after were not produced in the same way: {apart}",
        "run both models with the same data, rule and settings",
    )


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(f"{name}={text}" for name, text in value) or "none"
    text = str(value)
    return f"…{text[-8:]}" if len(text) == DIGEST else text or "none"


def _how(result: Result) -> str:
    return f"{result.card.rule} on {result.card.data.get('name') or 'its data'}"


def names(before: Sequence[Result], after: Sequence[Result]) -> tuple[str, str]:
    """The names of both models, and where they are the same what tells them apart: how they were asked."""
    first, last = (", ".join(dict.fromkeys(map(_name, side))) for side in (before, after))
    apart = manners_apart(before[0].card.model, after[0].card.model)
    if first == last and apart:
        was, now = (", ".join(side) for side in zip(*apart, strict=True))
        return f"{first} ({was})", f"{last} ({now})"
    return (f"{first} (before)", f"{last} (after)") if first == last else (first, last)


def _name(result: Result) -> str:
    return str(result.card.model.get("name", ""))
