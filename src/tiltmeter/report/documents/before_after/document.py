"""A model before and after something was done to it, as a document."""

from collections.abc import Sequence

from tiltmeter.analysis.before_after import BeforeAfter, Change, Part
from tiltmeter.report.document import (
    PAGE,
    TERMINAL,
    Block,
    Code,
    Document,
    Facts,
    Lines,
    Section,
    Text,
)
from tiltmeter.report.documents.before_after import finding as words
from tiltmeter.report.documents.before_after.tables import cost_table, leaning_blocks
from tiltmeter.report.documents.conditions import intervals_and_tests

LEGEND = (
    "Closer and farther describe the distance to the neutral value, whatever the sign of the change. A "
    "significant change means that the value moved; that it also moved closer is as certain only where both "
    "values are clearly on one side. Crossed: now on the other side of the neutral value."
)
MEANS = "Both models were asked about the same items, by the same rules."
LIMITS = (
    "That the model does less harm. A measure that is closer to neutral describes that measure only; others, "
    "and what people meet in use, may be unchanged or worse. No significant change does not mean no change."
)
METHOD = (
    "Each study’s runs are matched by data, rule, convention and settings, and must have scored the same "
    "items. A change is the value after minus the value before, on those items."
)
RATIOS = (
    "Changes of perplexities are ratios, shown as a percentage of the value before. A pseudo-perplexity is "
    "about the model’s own tokens, which are the same before and after."
)
ADJUSTED = "over all items one test; groups are adjusted within each study and kind of group"


def before_after_document(
    made: BeforeAfter, *, sources: Sequence[str] = (), command: str = ""
) -> Document:
    """The finding, a picture and a table for each measure, the cost, and how it was computed.

    Args:
        made: What was found.
        sources: Run folders, as they were named.
        command: The command that makes it again.
    """
    missing = [f"{study}: {why}" for study, why in made.missing]
    first = made.parts[0]
    return Document(
        "Before and after",
        f"{made.before} → {made.after}{f': {made.done}' if made.done else ''}",
        words.finding(made),
        [
            *(_study(part, f"s{i}") for i, part in enumerate(made.parts, 1) if part.leanings),
            Section("cost", "Cost", _cost(made)),
            *([Section("missing", "Not compared", [Lines(missing)], on=PAGE)] if missing else []),
            Section("marks", "", [_marks(made, missing)], on=TERMINAL),
            Section("method", "Method", [Text(METHOD), Facts(_methods(made))], on=PAGE),
            Section("model-before", f"Before: {made.before}", [Facts(first.before.model)], on=PAGE),
            Section("model-after", f"After: {made.after}", [Facts(first.after.model)], on=PAGE),
            Section("repeat", "How to repeat it", [Code(command), Lines(sources)], on=PAGE),
        ],
        meaning=f"{MEANS} {LEGEND}",
        limits=LIMITS,
        files=("before-after.csv", "before-after.json"),
    )


def _study(part: Part, name: str) -> Section:
    card = part.before
    blocks: list[Block] = []
    for number, rows in enumerate(_by_measure(part), 1):
        blocks += leaning_blocks(part, rows, f"{name}-{number}")
    blocks += [Text(text) for text in words.summaries(part)]
    if part.scores is not None:
        blocks.append(Text(words.t_test(part.scores), "note"))
    data = ", ".join(str(card.data[key]) for key in ("name", "source") if card.data.get(key))
    run = f"Rule {card.rule}, convention {card.convention}, data"
    blocks.append(Text(f"{run} {card.data.get('name') or ''}.", "note", TERMINAL))
    blocks.append(Text(f"{run} {data}.", "note", PAGE))
    return Section(name, part.study, blocks)


def _by_measure(part: Part) -> list[list[Change]]:
    found: dict[str, list[Change]] = {}
    for change in part.leanings:
        found.setdefault(change.before.name, []).append(change)
    return list(found.values())


def _cost(made: BeforeAfter) -> list[Block]:
    """The costs of all studies in one table, and the sentence about them on the page."""
    blocks: list[Block] = [Text(words.cost(made), on=PAGE)]
    if made.costs:
        blocks.append(cost_table(made.costs))
    if any(words.is_ratio(c.difference) for c in made.costs):
        blocks.append(Text(RATIOS, "note", PAGE))
    return blocks


def _marks(made: BeforeAfter, missing: Sequence[str]) -> Facts:
    """What there is to know beside the tables, for the terminal."""
    facts = {
        "Before": made.before,
        "After": f"{made.after}{f', {made.done}' if made.done else ''}",
        "Not compared": "; ".join(missing),
        "Marks": f"bold: significant change. {LEGEND}",
    }
    return Facts({**facts, **_methods(made)})


def _methods(made: BeforeAfter) -> dict[str, str]:
    """Intervals and tests, each once."""
    found = intervals_and_tests([
        c.difference for part in made.parts for c in (*part.leanings, *part.costs)
    ])  # fmt: skip
    return {**found, "p": f"{found['p']}; {ADJUSTED}"} if found["p"] else found
