"""Correlations of measures, as a document."""

from collections.abc import Sequence

from tiltmeter.analysis.correlate import Relations
from tiltmeter.core.results import Estimate
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
from tiltmeter.report.documents.correlations.finding import finding
from tiltmeter.report.documents.correlations.pairs import (
    TITLE,
    heat_pictures,
    noise_blocks,
    pairs_table,
)
from tiltmeter.report.documents.correlations.points import POINTS, point_blocks
from tiltmeter.report.text import correlation, sentence_end

HOLM = (
    "Holm’s adjustment makes p larger, so that the chance of any false finding among all pairs stays below "
    "5 %; each of the three correlations is adjusted by itself. correlations.csv has both."
)
FISHER = (
    "Intervals are by Fisher’s z, from four points on. They take the two measures as jointly normal over the "
    "points, are rough with few points, and ignore how uncertain each point is."
)
RELIABILITY = (
    "Reliability: the items of each run, in whole clusters where the data have them, are split in two at "
    "random, again and again, the same way for all points. The halves’ numbers are correlated over the "
    "points, and the mean is stepped up to all items by the Spearman–Brown formula. It is undefined where "
    "that is not above 0 or there are fewer than three points."
)


def correlations_document(
    made: Relations, *, sources: Sequence[str] = (), command: str = ""
) -> Document:
    """The finding, the measures by number, all pairs, the points, and how it was computed.

    Args:
        made: What was found.
        sources: Run folders, tables and published tables, as they were named.
        command: The command that makes it again.
    """
    points = made.points
    power = [sentence_end(note) for note in made.notes]
    tests = "; ".join(dict.fromkeys(e.test for e in made.of(made.method) if e.test))
    holm = f"{tests}; Holm’s adjustment over all pairs" if tests else ""
    return Document(
        "How measures relate",
        f"{len(points.measures)} measures · {len(points.labels)} {points.over}",
        finding(made),
        [
            Section("power", "What so many points can show", [Lines(power)], on=PAGE),
            Section(
                "measures", f"Measures, of {len(points.labels)} {points.over}", _measures(made)
            ),
            Section("pairs", TITLE, [pairs_table(made), *noise_blocks(made)]),
            Section("points", "Point by point", point_blocks(made), on=PAGE),
            Section("marks", "", [Facts({"Power": " ".join(power), "p": holm})], on=TERMINAL),
            Section("method", "How it was computed", _method(made), on=PAGE),
            Section("repeat", "How to repeat it", [Code(command), Lines(sources)], on=PAGE),
        ],
        meaning=f"A correlation says how closely two measures agree on which {points.over} are high and "
        "low: 1 is perfect agreement, 0 no relation, −1 perfect disagreement.",
        limits="That one measure causes the other, or that both measure the same thing. It describes "
        f"{points.over} like these; with few of them nearly any number can come about by chance.",
        leading=heat_pictures(made, POINTS[points.over]),
        files=("correlations.csv", "correlations.json", "points.csv"),
    )


def _measures(made: Relations) -> list[Block]:
    """The measures by number, under the source of each."""
    known = {e.groups["measure"]: e for e in made.reliabilities}
    measures = list(enumerate(made.points.measures, 1))
    blocks: list[Block] = []
    for source in dict.fromkeys(measure.source for _, measure in measures):
        facts = {
            f"{i:>3}": f"{m.name}{_reliable(known.get(m.name))}"
            for i, m in measures
            if m.source == source
        }
        blocks += [Text(f"{source}:", "note"), Facts(facts)]
    return blocks


def _reliable(e: Estimate | None) -> str:
    if e is None:
        return ""
    if e.value is None:
        return f"; reliability undefined: {e.why}"
    return f"; reliability {correlation(e.value)}{f', {e.why}' if e.why else ''}"


def _method(made: Relations) -> list[Block]:
    tests = "; ".join(dict.fromkeys(e.test for e in made.estimates if e.test)) or "none"
    paired = f"Each pair of measures is correlated over the points that have both. p: {tests}; two-sided."
    known = [Text(RELIABILITY)] if made.reliabilities else []
    return [Text(f"{paired} {HOLM}"), Text(FISHER), *known]
