"""Active learning on one or several pools of votes, as a document."""

from collections.abc import Iterator, Sequence
from math import isnan

from tiltmeter.active.pool_result import PoolResult
from tiltmeter.report.document import (
    BOTH,
    PAGE,
    Block,
    Code,
    Document,
    Facts,
    Section,
    Text,
)
from tiltmeter.report.documents.active.curves import learning_pictures
from tiltmeter.report.documents.active.finding import finding
from tiltmeter.report.documents.active.queries import asked_blocks, query_table, skill_blocks
from tiltmeter.report.documents.active.verdicts import verdict_blocks
from tiltmeter.report.documents.active.votes import difference_blocks, votes_blocks
from tiltmeter.report.documents.active.words import pool_name, share_text, titled
from tiltmeter.report.text import anchor

LIMITS = (
    "How strategies would do with another model, other items or other people. Simulations buy votes that "
    "were given before: nobody was asked twice, and the people who gave them did not know which items "
    "come next."
)
METHOD = (
    "Every strategy buys votes one round after the other, and the model is trained again after each. "
    "Within a seed all strategies share the split into training and test items, the first votes and the "
    "order of each item's votes, so differences are paired. Log loss of single held-out votes is the "
    "headline, as the excess over the entropy of these votes: log loss is a proper score, so its "
    "expectation is lowest for the true distribution. Neither the excess nor the divergence can be "
    "expected to reach 0, since the few votes of a test item are a rough picture of a distribution."
)


def active_document(results: Sequence[PoolResult], *, command: str = "") -> Document:
    """Everything about active learning on some pools.

    Args:
        results: One for each folder of runs.
        command: The command that makes the document again.
    """
    named = len(results) > 1
    judged = verdict_blocks(results)
    return Document(
        "Active learning",
        " · ".join(pool_name(result) for result in results),
        finding(results),
        [
            *(section for i, r in enumerate(results, 1) for section in _sections(r, i, named=named)),
            *([Section("claims", "Claims and verdicts", judged)] if judged else []),
            Section("method", "How it was computed", [Text(METHOD)], on=PAGE),
            Section("repeat", "How to repeat it", [Code(command)], on=PAGE),
        ],
        meaning="A ratio of 1.25 means that the other strategy needs 25 % more votes, or this one 20 % "
        "fewer.",
        limits=LIMITS,
        files=("active.json", "votes.csv", "verdicts.csv"),
    )  # fmt: skip


def _sections(result: PoolResult, number: int, *, named: bool) -> Iterator[Section]:
    start = f"{pool_name(result)}: " if named else ""
    prefix = f"{anchor(pool_name(result))}-{number}-" if named else ""

    def section(id_: str, title: str, blocks: Sequence[Block]) -> Iterator[Section]:
        if blocks:
            yield Section(f"{prefix}{id_}", f"{start}{title}", blocks)

    if result.measures:
        yield from section("votes", "Votes to the target", votes_blocks(result, on=BOTH))
        yield from section("curves", "Learning curves", learning_pictures(result, prefix))
        yield from section("differences", "Mean loss", difference_blocks(result))
    asked = [*asked_blocks(result, prefix), *skill_blocks(result)]
    yield from section("asked", "What was asked", [*asked, query_table(result)])
    yield Section(f"{prefix}runs", f"{start}Runs", [_facts(result)], on=PAGE)


def _facts(result: PoolResult) -> Facts:
    manifest, disagreement = result.manifest, result.disagreement
    differ = None if isnan(disagreement) else share_text(disagreement)
    return Facts({
        "pool": {k: v for k, v in manifest.pool.items() if k != "disagreement"},
        "two votes on an item differ": differ,
        "labels": list(manifest.labels),
        "strategies": [titled(name) for name in manifest.strategies],
        "seeds": len(result.seeds),
        "settings": {k: v for k, v in manifest.settings.items() if v not in {None, ""}},
        "measured at": f"{len(result.votes)} points, {result.votes[0]:,} to {result.votes[-1]:,} votes",
        "versions": dict(manifest.versions),
        "notes": list(manifest.notes) or None,
    })  # fmt: skip
