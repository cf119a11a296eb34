"""Which run after belongs to which run before; and refusals of what cannot be compared."""

from collections.abc import Sequence
from typing import Any

from tiltmeter.core.errors import BadInput
from tiltmeter.core.results import Card, Result

APPLIED = "mitigation"
"""What a card says of a model that something was done to."""
DIGEST = 64
"""Letters of a checksum, of which the last few are shown."""


def sides(results: Sequence[Result]) -> tuple[list[Result], list[Result]]:
    """Results of two models, told apart: before are those of the model that nothing was done to.

    Where the cards do not say that of one of them, before is the model that comes first.

    Raises:
        BadInput: They are not of two models.
    """
    by_name: dict[str, list[Result]] = {}
    for result in results:
        by_name.setdefault(_name(result), []).append(result)
    if len(by_name) == 1:  # one name, as of two checkpoints in folders of the same name
        by_name = {}
        for result in results:
            by_name.setdefault(str(result.card.model.get("fingerprint")), []).append(result)
    if len(by_name) != 2:  # noqa: PLR2004
        shown = ", ".join(dict.fromkeys(map(_name, results)))
        raise BadInput(
            f"these are runs of {len(by_name)} models instead of two: {shown}",
            "give runs of the model before and after, or name those after with --after",
        )
    one, other = by_name.values()
    if any(APPLIED in r.card.model for r in one) and not any(
        APPLIED in r.card.model for r in other
    ):
        return other, one
    return one, other


def matched(
    before: Sequence[Result], after: Sequence[Result]
) -> tuple[list[tuple[Result, Result]], list[tuple[str, str]]]:
    """Results of the same study made in the same way, and studies of which only one side has any.

    Raises:
        BadInput: Both sides have a study, but not on the same items in the same way; or nothing is common.
    """
    _once(before, "before")
    _once(after, "after")
    theirs = {_way(result.card): result for result in after}
    pairs: list[tuple[Result, Result]] = []
    alone: list[Result] = []
    for one in before:
        other = theirs.pop(_way(one.card), None)
        if other is None:
            alone.append(one)
        else:
            _same_items(one, other)
            pairs.append((one, other))
    rest = list(theirs.values())
    for one in alone:
        other = next((other for other in rest if other.card.study == one.card.study), None)
        if other is not None:
            raise _other_way(one, other)
    missing = [(one.card.study, f"there is no run of it after ({_told(one)})") for one in alone]
    missing += [(one.card.study, f"there is no run of it before ({_told(one)})") for one in rest]
    if not pairs:
        raise BadInput(
            "no study was run before and after",
            "run the same studies of both models, with the same rules on the same data",
        )
    return pairs, missing


def _once(results: Sequence[Result], when: str) -> None:
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
    """All in which two results must agree."""
    settings = tuple(sorted(card.settings.items()))
    data = str(card.data.get("sha256") or card.data.get("name") or "")
    return card.study, card.study_version, data, card.rule, card.convention, card.ties, settings


def _other_way(one: Result, other: Result) -> BadInput:
    ways = zip(_WAYS, _way(one.card), _way(other.card), strict=True)
    apart = [(name, a, b) for name, a, b in ways if a != b]
    told = "; ".join(f"{name} {_shown(a)} before, {_shown(b)} after" for name, a, b in apart)
    return BadInput(
        f"runs of {one.card.study} before and after were not produced in the same way: {told}",
        "run both models with the same data, rule and settings",
    )


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(f"{name}={text}" for name, text in value) or "none"
    text = str(value)
    return f"…{text[-8:]}" if len(text) == DIGEST else text or "none"


def _same_items(one: Result, other: Result) -> None:
    """Raise unless both scored the same items."""
    mine, yours = ({record.item for record in result.records} for result in (one, other))
    if mine != yours:
        only = len(mine - yours), len(yours - mine)
        raise BadInput(
            f"runs of {one.card.study} before and after scored different items: {only[0]:,} only before, "
            f"{only[1]:,} only after (such as {min(mine ^ yours)!r})",
            "use items that both can score, without --skip-invalid",
        )


def _told(result: Result) -> str:
    return f"{result.card.rule} on {result.card.data.get('name') or 'its data'}"


def done(result: Result) -> str:
    """What was done to its model, where its card says so; else ""."""
    model = result.card.model
    if APPLIED not in model:
        return ""
    of = model.get(f"{APPLIED} of")
    return f"{model[APPLIED]}{f' of {of}' if of else ''}"


def names(before: Sequence[Result], after: Sequence[Result]) -> tuple[str, str]:
    """Of the models; told apart where both have one name."""
    one, other = (", ".join(dict.fromkeys(map(_name, side))) for side in (before, after))
    return (f"{one} (before)", f"{other} (after)") if one == other else (one, other)


def _name(result: Result) -> str:
    return str(result.card.model.get("name", ""))
