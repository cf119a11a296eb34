"""The description of a set of triples, for a terminal."""

from collections.abc import Iterator, Sequence

from tiltmeter.analysis.quality.annotations import Value
from tiltmeter.analysis.quality.keywords import Keywords
from tiltmeter.analysis.quality.labels import NEEDED, SAID, Judged
from tiltmeter.analysis.quality.sentiment import CLASSES, Difference, Mood, Sentiment, Share
from tiltmeter.analysis.quality.triples import OFFENSIVE, Described
from tiltmeter.core.items import Triple
from tiltmeter.core.types import Groups
from tiltmeter.data.cloze import ODDITIES
from tiltmeter.data.polarity import NEUTRAL

IDS = 5
"""Ids listed of a kind of oddity."""
FAILING = 50
WORDS = 12
"""Keywords listed a domain."""
ENDS = 10
"""Target terms listed at either end of people's agreement."""


def lines(found: Described, *, show_text: bool = False) -> Iterator[str]:
    """The description, line by line; triples appear as ids unless `show_text`."""
    about = f"{_number(found.triples, 'triple')} about {_number(found.terms, 'target term')}"
    yield f"{found.name or 'triples'}: {about}"
    yield from ("", f"{'make-up':<28}{'terms':>8}{'triples':>10}{'mean words':>13}")
    for part in found.parts:
        where = f"{part.task}, {part.domain or 'no domain'}"
        yield f"  {where:<26}{part.terms:>8,}{part.triples:>10,}{part.words:>13.2f}"
    yield from _odd(found, show_text=show_text)
    yield from ("", "sentiment of the candidates")
    if found.sentiment is None:
        yield f"  not told: {found.why_no_sentiment}"
    else:
        yield from _sentiment(found.sentiment)
    yield from ("", "keywords")
    if found.keywords is None:
        yield f"  not told: {found.why_no_keywords}"
    else:
        yield from _keywords(found.keywords)
    yield from ("", "people's labels")
    if found.judged is None:
        yield f"  not told: {found.why_no_labels}"
    else:
        yield from _judged(found.judged, found.failing, show_text=show_text)
    yield from (f"  left out: {problem}" for problem in found.problems)
    yield from (f"note: {note}" for note in found.notes)


def _number(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def _odd(found: Described, *, show_text: bool) -> Iterator[str]:
    yield from ("", "odd contexts")
    if not found.odd:
        yield "  none"
    for kind, members in found.odd.items():
        yield f"  {kind}: {len(members):,} of {found.triples:,}"
        yield f"    {ODDITIES[kind]}"
        yield f"    {_ids(members, IDS)}"
        if show_text:
            yield from (f"      {t.id}: {t.context}" for t in members[:IDS])


def _ids(members: Sequence[Triple], most: int) -> str:
    rest = len(members) - most
    listed = ", ".join(t.id for t in members[:most])
    return f"{listed} and {rest:,} more" if rest > 0 else listed


# ── Sentiment ────────────────────────────────────────────────────────────────────────────────────


def _sentiment(found: Sentiment) -> Iterator[str]:
    yield f"  by {found.instrument}: words, not meaning; neutral is nearer to 0 than {NEUTRAL:g}"
    yield "  % of sentences with 95 % intervals (Wilson, target terms as clusters)"
    yield f"  {'':<34}" + "".join(f"{name:>20}" for name in CLASSES)
    for mood in found.moods:
        if len(mood.groups) <= 1:
            yield f"  {_group(mood.groups):<16}{mood.side:<18}" + "".join(
                f"{_share(share):>20}" for share in (mood.positive, mood.neutral, mood.negative)
            )
    yield "  in two classes, neutral as positive (as Nadeem et al. 2021 count)"
    yield from (_two(mood) for mood in found.moods if not mood.groups)
    yield "  stereotypes less anti-stereotypes, percentage points (paired, bootstrap of target terms)"
    yield f"  {'':<16}" + "".join(f"{name:>22}" for name in CLASSES)
    by_group: dict[str, list[Difference]] = {}
    for difference in found.differences:
        if len(difference.groups) <= 1:
            by_group.setdefault(_group(difference.groups), []).append(difference)
    for group, row in by_group.items():
        cells = "".join(f"{_difference(d):>22}" for d in row)
        whys = "; ".join(dict.fromkeys(d.why for d in row if d.why))
        yield f"  {group:<16}{cells}{f'  ({whys})' if whys else ''}"
    if found.terms:
        rated = ", ".join(f"{term} {value:+.2f}" for term, value in found.terms.items())
        yield f"  target terms that are rated themselves, and tint their sentences: {rated}"


def _group(groups: Groups) -> str:
    return ", ".join(groups.values()) or "all"


def _share(share: Share) -> str:
    return f"{share.value:.1f} [{share.low:.1f}, {share.high:.1f}]"


def _two(mood: Mood) -> str:
    negative = mood.negative.value
    return f"    {mood.side:<18}positive {mood.unnegative:.1f}, negative {negative:.1f}"


def _difference(one: Difference) -> str:
    if one.low is None or one.high is None:
        return f"{one.value:+.1f}"
    return f"{one.value:+.1f} [{one.low:+.1f}, {one.high:+.1f}]"


# ── Keywords ─────────────────────────────────────────────────────────────────────────────────────


def _keywords(found: Keywords) -> Iterator[str]:
    yield f"  {OFFENSIVE}"
    yield f"  against {found.reference}; Kilgarriff's keyness with k = {found.k:g}, 1 is as often as there"
    yield f"  stereotypes and anti-stereotypes, words that stand there {found.least} times or more"
    for domain, words in found.domains.items():
        yield f"  {domain or 'no domain'} ({found.words[domain]:,} words)"
        if not words:
            yield "    none"
            continue
        heads = "".join(f"{head:>18}" for head in ("stereotypes", "anti-stereotypes", "terms"))
        yield f"    {'':<20}{'keyness':>9}{heads}"
        for word in words[:WORDS]:
            counts = (word.stereotypes, word.anti_stereotypes, word.terms)
            cells = "".join(f"{n:>18,}" for n in counts)
            yield f"    {word.word:<20}{word.keyness:>9,.0f}{cells}"


# ── People's labels ──────────────────────────────────────────────────────────────────────────────


def _judged(found: Judged, failing: Sequence[Triple], *, show_text: bool) -> Iterator[str]:
    numbers = ", ".join(f"{n:,} with {k}" for k, n in found.by_number.items())
    people = f" by {found.people:,} people" if found.people else ""
    labels = f"{_number(found.triples, 'triple')} with {_number(found.labels, 'label')}{people}"
    yield f"  {labels}; sentences: {numbers}"
    if found.unlabelled:
        verb = "is" if found.unlabelled == 1 else "are"
        rest = _number(found.unlabelled, "triple")
        yield f"  {rest} {verb} not labelled in full and not counted"
    yield "  agreement with the published label, % (mean over sentences of the share who say the same)"
    rows = {"all": found.agreement, **found.by_task, **found.by_domain}
    yield from (f"    {name or 'no domain':<16}{_value(value)}" for name, value in rows.items())
    yield f"  Krippendorff's alpha  {_value(found.alpha, 3)}"
    yield f"  Fleiss' kappa         {_value(found.kappa, 3)}"
    yield f"  {'published as':<20}" + "".join(f"{label:>18}" for label in SAID)
    for gold, counts in found.said.items():
        yield f"    {gold:<18}" + "".join(f"{counts[label]:>18,}" for label in SAID)
    yield "  triples of which every sentence has so many labels like the published one"
    for least, n in found.passing.items():
        rule = "  (the rule of Nadeem et al. 2021)" if least == NEEDED else ""
        yield f"    {least} or more: {n:,} of {found.triples:,} ({100 * n / found.triples:.1f} %){rule}"
    if failing:
        yield f"    with fewer than {NEEDED}: {_ids(failing, FAILING)}"
        for t in failing[: FAILING if show_text else 0]:
            yield f"      {t.id}: {t.context}"
            yield from (f"        {sentence}" for sentence in t.sentences)
    yield from _terms(found)


def _terms(found: Judged) -> Iterator[str]:
    shown = found.terms if len(found.terms) <= 2 * ENDS else found.terms[:ENDS]
    last = found.terms[-ENDS:] if len(found.terms) > 2 * ENDS else ()
    yield "  target terms by agreement, highest first, and how many triples each has"
    for term in shown:
        yield f"    {term.name:<24}{term.triples:>5,}  {_value(term.agreement)}"
    if last:
        yield f"    … {len(found.terms) - 2 * ENDS:,} more; all with --json …"
    for term in last:
        yield f"    {term.name:<24}{term.triples:>5,}  {_value(term.agreement)}"


def _value(value: Value, digits: int = 1) -> str:
    if value.value is None:
        return f"undefined ({value.why})"
    text = f"{value.value:.{digits}f}"
    if value.low is not None and value.high is not None:
        text += f" [{value.low:.{digits}f}, {value.high:.{digits}f}]"
    return f"{text} ({value.why})" if value.why else text
