"""What a page is made of: one section a model, one comparison for every two, pictures with tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tiltmeter.analysis.matrix import is_matrix
from tiltmeter.core.results import Estimate, Result
from tiltmeter.report import terms as named
from tiltmeter.report import wording
from tiltmeter.report.conditions import precision_of
from tiltmeter.report.estimate_families import (
    MANY,
    Extremes,
    Family,
    by_value,
    extremes,
    families,
    headline_of,
    main_family,
)
from tiltmeter.report.margins import Lean, farthest, surest
from tiltmeter.report.matrices import Shown, shared_reach, shown, sizes, ways
from tiltmeter.report.measure_table import Table, beside
from tiltmeter.report.plots.confidence_plot import (
    NARROW_PANEL,
    WIDE_PANEL,
    bins_of,
    panel,
    said_side,
    spread_of,
)
from tiltmeter.report.plots.forest import Row
from tiltmeter.report.plots.icat_labels import NARROW_FRAME, WIDE_FRAME, spot_of
from tiltmeter.report.plots.icat_surface import surface
from tiltmeter.report.plots.picture import Picture, forests
from tiltmeter.report.plots.scale import Scale, scale_of

SUMS = ("weighted_sum", "ranked")
"""Rules whose scores are no log-probabilities, whatever their sign."""
FURTHER = {
    "effect_size_clustered": "The same values, with intervals and tests by words: sentences about one word "
    "are nearly alike and no independent observations, so this is the picture to read.",
    "effect_spread": "The standard deviation of a test's effect sizes over draws of contexts.",
}
"""What is to be known of measures of association tests that stand beside the first one."""
NEVER_BELOW = ("effect_spread",)
SUREST = 10
"""How many pairs or contexts are listed in either direction."""


@dataclass(frozen=True, slots=True)
class Towards:
    """The items whose one side is preferred most surely."""

    side: str
    """Its name among the texts."""
    words: str
    leans: Sequence[Lean]
    sides: Mapping[str, str]
    """All texts that are shown of an item: name to what it is called."""


@dataclass(frozen=True, slots=True)
class Section:
    """What the page says about one model."""

    id: str
    model: str
    result: Result
    precision: str
    """In which precision the model was run, unless that is float32."""
    head: Estimate | None
    caution: str
    by: str
    """What the categories are: "bias type"."""
    categories: Picture | None
    subsets: Picture | None
    """The headline's measure over the other axes: stereo and antistereo, …"""
    beside: Table | None
    """Measures that are read beside each other."""
    terms: Picture | None
    """The most and the least stereotyped target terms."""
    terms_caution: str
    confidence: Picture | None
    halves: Sequence[str]
    """Both halves of the confidence picture, in words."""
    one: str
    """What an item is: a pair or a context."""
    towards: Sequence[Towards]
    """Twice, or not at all."""
    ways: tuple[str, str] = named.WAYS[named.RATE]
    """What the two sentences of a pair are: less, more."""
    further: Sequence[tuple[Picture, str]] = ()
    """What else was measured over tests, with what to know of it."""
    gaps: Picture | None = None
    """How far marginalised identities lie from others, attribute by attribute."""
    is_effect: bool = False
    """Are these association tests, whose sets of words are called X, Y, A and B?"""
    matrix: Shown | None = None
    """Of a result of groups and traits, which has none of the pictures of pairs."""

    @property
    def is_bare(self) -> bool:
        """Is there nothing to show of it but numbers over all items?"""
        drawn = (self.categories, self.subsets, self.beside, self.terms, self.confidence, self.gaps)
        return not (any(drawn) or self.towards or self.matrix)


@dataclass(frozen=True, slots=True)
class Compared:
    """What the page says about two models, or about all of them."""

    models: str
    head: Estimate | None
    drawn: Picture | None
    """None where a sentence says it all."""
    beside: Table | None
    rest: Sequence[Estimate]
    """What else was compared: how often they agree, …"""


def sections(results: Sequence[Result]) -> list[Section]:
    """One a result, in their order, with plots on shared axes."""
    if all(map(is_matrix, results)):
        return _matrices(results)
    scale = _shared_scale(results)
    spreads = [spread_of(_name(r), r.records, wording.ways_of(r.estimates)) for r in results]
    bins = bins_of(spreads)
    found = []
    for i, (result, spread) in enumerate(zip(results, spreads, strict=True), 1):
        name, head = f"r{i}", headline_of(result.estimates)
        clusters = str(result.card.data.get("clusters") or "")
        terms = extremes(result.estimates)
        pictured = Picture(
            panel(spread, bins, name=f"{name}-sure", layout=WIDE_PANEL),
            panel(spread, bins, name=f"{name}-sure-narrow", layout=NARROW_PANEL),
            [e for e in result.estimates if "confidence" in e.name and not e.groups],
        )
        found.append(
            Section(
                id=name,
                model=_name(result),
                result=result,
                precision=precision_of(result.card),
                head=head,
                caution=wording.caution(head, result.estimates, clusters) if head else "",
                by=family.title if (family := main_family(result.estimates)) else "",
                categories=_categories(result, head, scale, name),
                subsets=_subsets(result, head, scale, name),
                beside=beside(result.estimates),
                terms=_terms(result, head, terms, name),
                terms_caution=terms.caution if terms else "",
                confidence=pictured if spread.pairs else None,
                halves=[
                    said_side(spread.more, spread.ways[1]),
                    said_side(spread.less, spread.ways[0]),
                ],
                ways=spread.ways,
                gaps=_gaps(result, name),
                further=_further(result, name),
                is_effect=any(e.name in named.EFFECTS for e in result.estimates),
                one="pair" if spread.pairs else "context",
                towards=_towards(result, spread.pairs),
            )
        )
    return found


def _matrices(results: Sequence[Result]) -> list[Section]:
    """Groups and traits: one matrix a result; of several, without the charts of each group."""
    names = [f"r{i}" for i in range(1, len(results) + 1)]
    alike = shared_reach(results)
    told = [_name(result) for result in results]
    by = ways(results)
    models = [
        f"{m} ({way})" if way and told.count(m) > 1 else m for m, way in zip(told, by, strict=True)
    ]
    matrices = [
        shown(r, m, name, alone=len(results) == 1, reach=alike, way=way)
        for r, m, name, way in zip(results, models, names, by, strict=True)
    ]
    return [
        Section(
            id=name, model=model, result=result, precision=precision_of(result.card),
            head=headline_of(result.estimates), caution="", by="", categories=None, subsets=None,
            beside=None, terms=None, terms_caution="", confidence=None, halves=(), one="cell",
            towards=(), matrix=matrix,
        )
        for name, model, result, matrix in zip(names, models, results, matrices, strict=True)
    ]  # fmt: skip


TRIPLE = {
    "stereotype": "stereotype",
    "anti_stereotype": "anti-stereotype",
    "unrelated": "unrelated",
}


def _towards(result: Result, pairs: int) -> list[Towards]:
    """The surest items either way, of a result of pairs or of contexts."""
    if pairs:
        less, more = wording.ways_of(result.estimates)
        words, sides = "{} sentence", {"more": more, "less": less}
        found = surest(result.records, SUREST)
    else:
        logarithms = result.card.rule not in SUMS
        found = farthest(result.records, SUREST, logarithms=logarithms)
        words, sides = "{}", TRIPLE
    if not pairs and not any(found):
        return []
    both = zip(sides, found, strict=False)
    return [Towards(side, words.format(sides[side]), leans, sides) for side, leans in both]


def _terms(
    result: Result, head: Estimate | None, terms: Extremes | None, name: str
) -> Picture | None:
    """The target terms at either end, highest first; all of them in the table under it."""
    if terms is None or head is None:
        return None
    ends = [*terms.most, *terms.least[::-1]]
    rows = [
        Row(wording.subset(e.groups, with_axis=False), e, apart=i == len(terms.most))
        for i, e in enumerate(ends)
    ]
    rows.append(Row("all", head, total=True))
    title = f"Most and least stereotyped target terms of {_name(result)}"
    return replace(forests(rows, f"{name}-terms", title), rows=[*terms.ranked, head])


def surface_of(results: Sequence[Result]) -> Picture | None:
    """All models on the surface of icat; None where none has ss and lms."""
    found = [spot_of(_name(r), r.estimates) for r in results]
    spots = [spot for spot in found if spot]
    if not spots:
        return None
    wide = surface(spots, name="icat", layout=WIDE_FRAME)
    narrow = surface(spots, name="icat-narrow", layout=NARROW_FRAME)
    return Picture(wide, narrow, [e for spot in spots for e in spot.estimates])


def _name(result: Result) -> str:
    return wording.visible(str(result.card.model.get("name", "")) or "the model")


def _shared_scale(results: Sequence[Result]) -> Scale | None:
    """One axis for the categories of all models, where they share a neutral value."""
    found = [main_family(r.estimates) for r in results]
    rows = [e for family in found if family for e in family.estimates]
    return scale_of(rows) if rows and len({(e.neutral, e.unit) for e in rows}) == 1 else None


def _categories(
    result: Result, head: Estimate | None, scale: Scale | None, name: str
) -> Picture | None:
    family = main_family(result.estimates)
    if family is None:
        return None
    ranked = by_value(family.estimates)
    rows = [Row(wording.subset(e.groups, with_axis=False), e) for e in ranked]
    if head is not None:
        rows.append(Row("all", head, total=True))
    title = f"{wording.title(family.name)} of {_name(result)} by {family.title}"
    return forests(rows, f"{name}-forest", title, scale)


def _subsets(
    result: Result, head: Estimate | None, scale: Scale | None, name: str
) -> Picture | None:
    main = main_family(result.estimates)
    others = [f for f in families(result.estimates) if head and f.name == head.name and f != main]
    rows = [Row(wording.subset(e.groups), e) for f in others if f.is_drawn for e in f.estimates]
    rows += [row for f in others if _is_crossed(f) for row in _crossed(f)]
    title = f"{wording.title(head.name)} of {_name(result)} by subset" if head else ""
    return forests(rows, f"{name}-subsets", title, scale) if rows else None


def _is_crossed(family: Family) -> bool:
    """Is it over two axes, and few enough to be looked at?"""
    return len(family.axes) == 2 and len(family.estimates) <= MANY  # noqa: PLR2004


def _crossed(family: Family) -> list[Row]:
    """The first axis' value stands at the first of its rows, and a rule between one value and the next."""
    rows: list[Row] = []
    before = None
    for estimate in family.estimates:
        first, second = map(wording.visible, estimate.groups.values())
        label = second if first == before else f"{first}, {second}"
        rows.append(Row(label, estimate, apart=bool(rows) and first != before))
        before = first
    return rows


def _further(result: Result, name: str) -> list[tuple[Picture, str]]:
    """Other measures of association tests: by words, between draws of contexts."""
    main = main_family(result.estimates)
    alike = scale_of(main.estimates) if main else None
    found = []
    for family in families(result.estimates):
        if (caption := FURTHER.get(family.name)) is None or not family.is_drawn:
            continue
        rows = [
            Row(wording.subset(e.groups, with_axis=False), e) for e in by_value(family.estimates)
        ]
        title = f"{wording.title(family.name)} by {family.title}"
        size = family.name in NEVER_BELOW
        scale = sizes(family.estimates) if size else alike
        drawn = forests(rows, f"{name}-{family.name}", f"{title}, {_name(result)}", scale)
        found.append((drawn, f"{title}. {caption}"))
    return found


def _gaps(result: Result, name: str) -> Picture | None:
    """Marginalised identities beside others, attribute by attribute; None where that was not measured."""
    found = [e for e in result.estimates if e.name in named.GAPS and e.value is not None]
    if not found:
        return None
    rows = [
        Row(wording.subset(e.groups, with_axis=False), e, total=not e.groups)
        for e in sorted(by_value(found), key=lambda e: not e.groups)
    ]
    return forests(rows, f"{name}-gaps", f"{wording.title(found[0].name)}, {_name(result)}")


def overall(sections: Sequence[Section]) -> Picture | None:
    """The models' headlines beside each other, highest first."""
    heads = {s.id: s.head for s in sections if s.head is not None}
    same = {(e.name, e.unit, e.neutral) for e in heads.values()}
    per_token = any(e.name == named.PERPLEXITY for e in heads.values())  # not on one scale
    if len(heads) < 2 or len(same) != 1 or per_token:  # noqa: PLR2004  # nothing to compare
        return None
    models = {id(s.head): s.model for s in sections}
    rows = [Row(models[id(e)], e) for e in by_value(heads.values())]
    scale = sizes(r.estimate for r in rows) if rows[0].estimate.name in named.SIZES else None
    return forests(rows, "models", f"{wording.title(rows[0].estimate.name)} by model", scale)


def compared(comparisons: Sequence[Estimate]) -> list[Compared]:
    """One for every two models, in the order of the comparisons."""
    found = []
    for i, models in enumerate(dict.fromkeys(e.model for e in comparisons), 1):
        members = [e for e in comparisons if e.model == models]
        first = [e for e in members if e.name == members[0].name]
        with_axis = len({axis for e in first for axis in e.groups}) > 1
        rows = [
            Row(wording.subset(e.groups, with_axis=with_axis), e, total=not e.groups)
            for e in sorted(by_value(first), key=lambda e: not e.groups)
        ]
        title = f"{wording.title(first[0].name)}, {models}"
        told = first[0].name == named.LMS_SS and len(first) == 1
        drawn = None if told else forests(rows, f"compared-{i}", title)
        together = beside(members)
        covered = together.estimates if together else []
        rest = [e for e in members if e not in first and e not in covered]
        found.append(Compared(models, headline_of(first), drawn, together, rest))
    return found
