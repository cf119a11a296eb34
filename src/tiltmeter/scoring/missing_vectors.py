"""Texts of association tests that have no vector: what is left to score, and what is reported."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from tiltmeter.core.data.items import Target, WordSets
from tiltmeter.core.errors import Problem
from tiltmeter.core.model.protocols import Embeds
from tiltmeter.core.model.requests import Passage
from tiltmeter.core.results import Note
from tiltmeter.core.rules import Context
from tiltmeter.core.text import counted

MOST_LOST = 0.2
"""A test that loses more than this share of one of its sets is no longer the same: it has no result."""
UNKNOWN = "it has no vector in this model"
Lost: TypeAlias = dict[str, str]
"""By text, why it has no vector."""
Asked: TypeAlias = Mapping[str, Passage | None]
"""By text of a test, the passage to embed; None if the word that it is about is unknown."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What is left to score, with notes and problems about the rest."""

    targets: list[Target] = field(default_factory=list)
    attributes: dict[str, tuple[list[str], list[str]]] = field(default_factory=dict)
    """By test, the texts of A and of B that have a vector."""
    problems: list[Problem] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)


def without_vector(model: Embeds, passages: Sequence[Passage]) -> dict[Passage, str]:
    """The passages that the model has no vector for, and why."""
    reasons = {}
    for passage, length in zip(passages, model.passage_lengths(passages), strict=True):
        if length == 0:
            reasons[passage] = UNKNOWN
        elif model.limit is not None and length > model.limit:
            reasons[passage] = (
                f"it has {counted(length, 'tokens')}, and the model reads at most {model.limit:,}"
            )
    return reasons


def settled(
    tests: Mapping[str, WordSets],
    chosen: Mapping[str, Sequence[Target]],
    asked: Mapping[str, Asked],
    lost: Mapping[Passage, str],
    context: Context,
    before: Sequence[Problem],
) -> Kept:
    """What is left to score; everything lost is reported, and BadItems unless it may be left out.

    `chosen` and `asked` have the targets of each test, and what its texts are embedded as; `lost` says why a
    passage has no vector. The context gets the problems besides those that it had `before`.
    """
    kept = Kept()
    for name, test in tests.items():
        gone = {
            text: "the word that it is about cannot be determined"
            if passage is None
            else lost[passage]
            for text, passage in asked[name].items()
            if passage is None or passage in lost
        }
        _keep(kept, test, chosen[name], gone, skip=context.skip_invalid)
    context.problems[:] = [*before, *kept.problems]
    context.settle()
    return kept


def _keep(kept: Kept, test: WordSets, targets: Sequence[Target], gone: Lost, *, skip: bool) -> None:
    sides = {side: [t for t in targets if t.side == side] for side in ("X", "Y")}
    sets = {side: [t.text for t in targets_there] for side, targets_there in sides.items()}
    sets |= {"A": list(test.a), "B": list(test.b)}
    void = [
        side
        for side, texts in sets.items()
        if sum(text in gone for text in texts) > MOST_LOST * len(texts)
    ]
    if void and skip:
        reason = _void(test, sets, void, gone)
        way_out = "choose other texts"
        kept.problems.extend(Problem(reason, way_out, item=target.id) for target in targets)
        return
    for target in targets:
        if target.text in gone:
            reason = f"{target.text!r} of {target.side} in {test.name}: {gone[target.text]}"
            kept.problems.append(Problem(reason, "leave it out of the test", item=target.id))
    for side in ("A", "B"):
        some = [text for text in sets[side] if text in gone]
        if some and skip:
            of = f"{len(some)} of {counted(len(sets[side]), 'texts')} of {side}"
            kept.notes.append(Note("coverage", f"{test.name} leaves out {of}: {_listed(some)}."))
        elif some:
            reason = f"{test.name}: {_listed(some)} of {side}: {gone[some[0]]}"
            item = f"{test.name}/{side}"
            kept.problems.append(Problem(reason, "leave it out of the test", item=item))
    kept.targets.extend(target for target in targets if target.text not in gone)
    a, b = ([text for text in sets[side] if text not in gone] for side in ("A", "B"))
    kept.attributes[test.name] = (a, b)


def _void(
    test: WordSets, sets: Mapping[str, Sequence[str]], void: Sequence[str], gone: Lost
) -> str:
    side = void[0]
    some = [text for text in sets[side] if text in gone]
    return (
        f"{test.name} has no result: {len(some)} of {counted(len(sets[side]), 'texts')} of {side} "
        "are missing, "
        f"{_listed(some)} ({gone[some[0]]})"
    )


def _listed(texts: Sequence[str]) -> str:
    shown = ", ".join(repr(text) for text in texts[:5])
    return shown + (f" and {len(texts) - 5} more" if len(texts) > 5 else "")  # noqa: PLR2004
