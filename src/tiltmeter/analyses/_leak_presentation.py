"""How leak is shown and what it says: flows, leaked traits, the people, and what the regressions are."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tiltmeter.analysis.leakage import flows, leaks
from tiltmeter.analysis.leakage import leaked_traits as traits
from tiltmeter.analysis.leakage.leaked_traits import POLARITIES
from tiltmeter.analysis.leakage.leaks import LeakConvention
from tiltmeter.core.analysis import Numbers
from tiltmeter.core.analysis_views import (
    FlowCurves,
    NumberColumn,
    NumberTable,
    RecordTable,
    TextLines,
)
from tiltmeter.core.quantity import Quantity, in_files
from tiltmeter.core.results import Estimate, Paragraph
from tiltmeter.core.text import counted
from tiltmeter.core.views import View
from tiltmeter.data.people.people import language_name
from tiltmeter.report.text import final_p, number_of, p_text, raised, value_text

FLOWS, TRAITS_OF_GROUPS, COVARIATE, PEOPLE_ASKED, REGRESSIONS = (
    "All flows", "Leaked traits", "With monolingual models", "The people", "The regressions",
)  # fmt: skip
"""Sections."""
PICTURE = (
    "Curves run from the country whose people rated (left) to the language of the model’s scores (right);"
    " their width is the standardised coefficient, which stands at the right end. Only coefficients above"
    " 0 with p < .05 are drawn. A solid curve stays above 0 when the raters’ noise is taken out; a dashed"
    " one does not."
)
OF_FLOW = (
    "Coefficients are standardised unless the convention says otherwise: by how many standard deviations "
    "the scores rise with one standard deviation of the ratings, other countries’ ratings being equal. "
    "Under “placebo” is the mean of the same coefficient where the target’s own raters play the model and"
    " nothing leaked, with the range of 95 % of draws and the share that is significant. “Corrected” is "
    "the coefficient without the raters’ noise. A flow is solid if it is significant and the corrected "
    "interval lies above 0."
)
OF_COVARIATE = (
    "The scores of a model of one language are a predictor beside people’s ratings. The second table "
    "shows people’s coefficients without and with it, and the difference with its interval (a jackknife "
    "over groups). This is no mediation analysis: nothing here identifies a cause."
)
OF_TRAITS = (
    "A trait is listed if it is among the model’s {k} strongest of the group in the target language, the "
    "source’s people hold it of the group, and the target’s people do not. People hold a trait if the "
    "interval of their mean lies above 0 and the mean is not below the {held} % quantile of the group’s "
    "traits. Traits are positive, negative or, among the beliefs, non-polar. “No judgment” means that the"
    " target’s people were not asked about the group, or too few were. The paper gives no threshold. The "
    "tables give the rank of the trait in the model, the mean of the target’s people and those of the "
    "countries that hold it, from 0 to 50."
)
OF_RATERS = (
    "Ratings run from −50 to 50. The unit “poles” splits them into their two sides, each from 0 to 50; "
    "“pairs” keeps the sign. Means over raters are the predictors. people_means.csv has every mean of a "
    "pole with its interval and number of raters."
)


def views(made: leaks.Leaks, convention: LeakConvention, *, k: int, held: float) -> Iterator[View]:
    """Tables and pictures; traits are the k strongest of a group that people hold above a quantile."""
    yield FlowCurves(
        "flows", "", flows.COEFFICIENT.name, flows.SOURCE, flows.TARGET,
        (flows.SOLID, flows.NOT_SOLID, flows.ALONE), flows.SOLID,
        sides=("people’s ratings", "model’s scores"), caption=PICTURE,
    )  # fmt: skip
    yield from _flow_tables(convention)
    yield from _trait_tables(made, k, held)
    yield NumberTable(
        "people", PEOPLE_ASKED, (leaks.LANGUAGE,),
        (
            *leaks.RATERS.columns(), *leaks.GROUPS_RATED.columns(),
            *leaks.ENOUGH.columns(f"by {convention.min_raters} or more"), *leaks.MEDIAN.columns(),
        ),
        explained=OF_RATERS,
    )  # fmt: skip
    yield RecordTable(
        "people_means", PEOPLE_ASKED, leaks.PEOPLE, (leaks.LANGUAGE, "group", "trait"),
        ("mean", "low", "high", "raters"), on="files",
    )  # fmt: skip
    yield NumberTable(
        "targets", REGRESSIONS, (flows.TARGET,),
        tuple(
            NumberColumn(of.name, drop=2 if of in flows.SPREADS else 0) for of in flows.OF_TARGET
        ),
        explained=f"Standard deviations are of the scores times {made.factor:g}, the paper’s scale.",
        on="page",
    )  # fmt: skip
    yield TextLines(REGRESSIONS, tuple(_by_text(made.regressions)), on="page")


def _flow_tables(convention: LeakConvention) -> Iterator[View]:
    """Coefficients in the scale of the convention; files have the other one too."""
    standard = {q.name: q for q in flows.SCALED}
    is_paper = convention.scaling == "paper"
    shown, hidden = (flows.RAW, standard) if is_paper else (standard, flows.RAW)
    coefficient, corrected, placebo, without, change = (shown[q.name] for q in flows.SCALED)
    other = {q: hidden[q.name] for q in flows.SCALED}
    both = coefficient.columns(p_adjusted=0, p_unadjusted=4)
    ps = both if convention.flows.adjust else coefficient.columns(p_unadjusted=0)
    yield NumberTable(
        "flows", FLOWS, (flows.SOURCE, flows.TARGET),
        (
            *coefficient.columns(verdict=0, value=0, interval=3), *corrected.columns(value=0, interval=1),
            *ps, *placebo.columns(value=2),
            NumberColumn(placebo.name, "interval", "placebo, 95 %", drop=6),
            *flows.PLACEBO_SIGNIFICANT.columns(value=5),
            *in_files(other[flows.COEFFICIENT], other[flows.PLACEBO], other[flows.CORRECTED]),
            *in_files(flows.DEGREES, flows.INFLATION),
        ),
        strong=(flows.SOLID,), explained=OF_FLOW,
    )  # fmt: skip
    yield NumberTable(
        "monolingual", COVARIATE, (flows.TARGET, flows.MONOLINGUAL),
        (
            *coefficient.columns(value=0, interval=0, p=0), *in_files(other[flows.COEFFICIENT]),
            *in_files(flows.CORRECTED, flows.RAW[flows.CORRECTED.name], flows.DEGREES, flows.INFLATION),
        ),
    )  # fmt: skip
    yield NumberTable(
        "covariate", COVARIATE, (flows.SOURCE, flows.TARGET),
        (
            *without.columns(), *coefficient.columns("with"), *change.columns(value=0, interval=0),
            *in_files(*(other[q] for q in (flows.WITHOUT, flows.COEFFICIENT, flows.CHANGE))),
        ),
        explained=OF_COVARIATE,
    )  # fmt: skip


def _trait_tables(made: leaks.Leaks, k: int, held: float) -> Iterator[View]:
    """How many traits leaked, and which."""
    countries = {traits.source_mean(code): language_name(code) for code in made.languages}
    yield NumberTable(
        "trait_counts", TRAITS_OF_GROUPS, (flows.SOURCE, flows.TARGET),
        (
            *traits.TRAIT_COUNT.columns(),
            *(column for kind in POLARITIES
              for column in traits.TRAIT_COUNT.columns(kind, at={"polarity": kind}, value=1)),
            *traits.NO_JUDGMENT.columns(),
        ),
        explained=OF_TRAITS.format(k=k, held=f"{100 * held:g}"),
    )  # fmt: skip
    yield RecordTable(
        "leaked_traits", TRAITS_OF_GROUPS, traits.LEAKED_TRAIT, ("group", "trait", "polarity"),
        (traits.RANK, traits.TARGET_MEAN, *countries), by=flows.TARGET, caption="Into",
        headings={traits.TARGET_MEAN: "target", **countries},
        decimals={traits.RANK: 0, traits.TARGET_MEAN: 1, **dict.fromkeys(countries, 1)},
        missing={traits.TARGET_MEAN: traits.NO_JUDGMENT.meaning.short}, most=1000, folded=True,
    )  # fmt: skip


def _by_text(notes: Mapping[str, Sequence[str]]) -> list[str]:
    """What is to be known of languages, once for all of which it is so."""
    languages: dict[str, list[str]] = {}
    for code, texts in notes.items():
        for text in texts:
            languages.setdefault(text, []).append(language_name(code))
    return [f"{', '.join(names)}: {text}" for text, names in languages.items()]


NAMED = 4
"""Flows that a sentence names."""


def words(numbers: Numbers) -> list[Paragraph]:
    """The main thing first: solid flows, other significant ones, what explains them, leaked traits."""
    others = [e for e in numbers.all(flows.COEFFICIENT) if flows.is_from_other(e)]
    model, notes = numbers.card.model_name, []
    if not others:
        summary = "there are no ratings of another country."
    elif numbers.card.settings["missing"] == "available":
        summary = _each_alone(others)
    else:
        summary = _headline(numbers, others)
        notes = [
            Paragraph("Solid: significant, and above 0 with the raters’ noise taken out.", "note"),
            Paragraph(_significant(numbers, others)),
        ]
    further = [_own_country(numbers), _placebos(numbers, others), _traits(numbers)]
    headline = Paragraph(f"{model}: {summary}", "headline")
    return [headline, *notes, *(Paragraph(text) for text in further if text)]


def _headline(numbers: Numbers, others: Sequence[Estimate]) -> str:
    targets = list(dict.fromkeys(e.groups[flows.TARGET] for e in numbers.all(flows.GROUPS)))
    where = "between languages"
    if len(targets) == 1:
        where = f"from other countries into {language_name(targets[0])}"
    solid = _strongest_first(e for e in others if e.verdict == flows.SOLID)
    every = f"{counted(len(others), 'flows')} {where}"
    if not solid:
        return f"none of {every} is solid."
    verb = "is" if len(solid) == 1 else "are"
    return f"{len(solid)} of {every} {verb} solid: {_listed(numbers, solid)}."


def _each_alone(others: Sequence[Estimate]) -> str:
    sure = sum(e.verdict == flows.ALONE for e in others)
    return (
        f"{sure} of {counted(len(others), 'coefficients')} of other countries are significant, each country "
        "taken by itself. What countries share counts for each of them, so these are no leaks."
    )


def _significant(numbers: Numbers, others: Sequence[Estimate]) -> str:
    """Flows that are significant and not solid, and why they are not."""
    unsure = _strongest_first(e for e in others if e.verdict == flows.NOT_SOLID)
    is_adjusted = any(e.p_adjusted is not None for e in others)
    tested = "p < .05 after Holm’s adjustment" if is_adjusted else "p < .05, not adjusted"
    if not unsure:
        no = "No other" if any(e.verdict == flows.SOLID for e in others) else "No"
        return f"{no} coefficient of another country is significant ({tested})."
    verb = "is" if len(unsure) == 1 else "are"
    reason = (
        "but may be the raters’ noise: the interval of the corrected coefficient includes 0"
        if any(_at(numbers, flows.CORRECTED, e) for e in unsure)
        else "without correction for the raters’ noise, which was not possible"
    )
    listed = _listed(numbers, unsure)
    return raised(
        f"{counted(len(unsure), 'flows')} {verb} significant ({tested}), {reason}: {listed}."
    )


def _strongest_first(estimates: Iterable[Estimate]) -> list[Estimate]:
    return sorted(estimates, key=lambda e: -(e.value or 0.0))


def _at(numbers: Numbers, of: Quantity, flow: Estimate) -> Estimate | None:
    """Another number of the same flow; None where it has no value."""
    e = numbers.get(of, **flow.groups)
    return None if e is None or e.value is None else e


def _listed(numbers: Numbers, estimates: Sequence[Estimate]) -> str:
    shown = [_named(numbers, flow) for flow in estimates[:NAMED]]
    more = len(estimates) - len(shown)
    return "; ".join(shown) + (f"; and {more} more" if more else "")


def _named(numbers: Numbers, flow: Estimate) -> str:
    corrected = _at(numbers, flows.CORRECTED, flow)
    noise = f", corrected {value_text(corrected)}" if corrected else ""
    source, target = (language_name(flow.groups[axis]) for axis in (flows.SOURCE, flows.TARGET))
    return (
        f"{source} to {target} (standardised coefficient {value_text(flow)}{noise}, "
        f"p = {p_text(final_p(flow) or 0.0)})"
    )


def _own_country(numbers: Numbers) -> str:
    """Where the ratings of a language's own country explain its scores."""
    every = numbers.all(flows.COEFFICIENT)
    of_own = [e for e in every if e.groups.get(flows.SOURCE) == e.groups[flows.TARGET]]
    sure = [f"{language_name(e.groups['target'])} ({value_text(e)})" for e in of_own if e.verdict]
    if not of_own:
        return ""
    if not sure:
        return "In no language do the ratings of its own country explain the scores significantly."
    return (
        "The ratings of a language’s own country explain the scores significantly (standardised "
        f"coefficient) in {', '.join(sure)}."
    )


def _placebos(numbers: Numbers, others: Sequence[Estimate]) -> str:
    """What the coefficients of other countries are where nothing leaked."""
    means, shares = (
        sorted(
            (e for flow in others if (e := _at(numbers, of, flow))), key=lambda e: e.value or 0.0
        )
        for of in (flows.PLACEBO, flows.PLACEBO_SIGNIFICANT)
    )
    if not means:
        return ""
    low, high = (number_of(e, e.value or 0.0) for e in (means[0], means[-1]))
    least, most = (number_of(e, e.value or 0.0) for e in (shares[0], shares[-1]))
    return (
        "In the placebo, raters of the target’s own country take the place of the model, so nothing leaked. "
        f"Coefficients of other countries are {low} to {high} there on average, and significant in {least} "
        f"to {most}\u00a0% of draws."
    )


def _traits(numbers: Numbers) -> str:
    """How many traits leaked, of which polarity."""
    leaked = numbers.of_kind(traits.LEAKED_TRAIT)
    if not leaked:
        return ""
    judged = [record for record in leaked if traits.TARGET_MEAN in record.scores]
    kinds = [record.groups["polarity"] for record in judged]
    listed = ", ".join(f"{kinds.count(kind)} {kind}" for kind in POLARITIES)
    silent = len(leaked) - len(judged)
    more = f" Of {silent} more, the target’s people were not asked." if silent else ""
    return (
        f"Traits that people of another country hold of a group, those of the target’s do not, and the "
        f"model has among its strongest: {len(judged)} ({listed}).{more}"
    )
