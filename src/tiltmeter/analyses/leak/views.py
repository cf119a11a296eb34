"""How leakage is shown: the flows, leaked traits, the people and the regressions."""

from tiltmeter.analyses.leak.conventions import LeakConvention
from tiltmeter.analyses.leak.flows import (
    ALONE,
    COEFFICIENT,
    CORRECTED,
    DEGREES,
    EXPLAINED,
    GROUP_SD,
    GROUPS,
    INFLATION,
    MONOLINGUAL,
    NOT_SOLID,
    PLACEBO_SIGNIFICANT,
    RAW,
    RESIDUAL_SD,
    SCALED,
    SOLID,
    SOURCE,
    TARGET,
    TRAIT_SD,
    TRAITS,
)
from tiltmeter.analyses.leak.leaked_traits import (
    LEAKED_TRAIT,
    NO_JUDGMENT,
    RANK,
    TARGET_MEAN,
    TRAIT_COUNT,
    source_mean,
)
from tiltmeter.analyses.leak.leaks import (
    ENOUGH,
    GROUPS_RATED,
    LANGUAGE,
    MEDIAN,
    PEOPLE,
    RATERS,
    Leaks,
)
from tiltmeter.core.views import FlowCurves, NumberTable, RecordTable, TextLines, View
from tiltmeter.data.people.people import language_name


def views_of(
    made: Leaks, convention: LeakConvention, *, strongest: int, held: float
) -> tuple[View, ...]:
    """Coefficients in the scale of the convention, of which files have the other one too."""
    standard, raw = SCALED, tuple(RAW.values())
    shown, other = (raw, standard) if convention.scaling == "paper" else (standard, raw)
    coefficient, corrected, placebo, without, change = shown
    other_coefficient, other_corrected, other_placebo, other_without, other_change = other
    ps = (
        coefficient.columns(p_adjusted=0, p_unadjusted=4)
        if convention.flows.adjust
        else coefficient.columns(p_unadjusted=0)
    )
    countries = {source_mean(code): language_name(code) for code in made.languages}
    return (
        FlowCurves(
            "flows", "",
            caption="Curves run from the country whose people rated (left) to the language of the "
            "model’s scores (right); their width is the standardised coefficient, which stands at the "
            "right end. Only coefficients above 0 with p < .05 are drawn. A solid curve stays above 0 "
            "when the raters’ noise is taken out; a dashed one does not.",
            measure=COEFFICIENT.name, source=SOURCE, target=TARGET, drawn=(SOLID, NOT_SOLID, ALONE),
            solid=SOLID, sides=("people’s ratings", "model’s scores"),
        ),
        NumberTable(
            "flows", "All flows",
            explained="Coefficients are standardised unless the convention says otherwise: by how many "
            "standard deviations the scores rise with one standard deviation of the ratings, other "
            "countries’ ratings being equal. Under “placebo” is the mean of the same coefficient where "
            "the target’s own raters play the model and nothing leaked, with the range of 95 % of "
            "draws and the share that is significant. “Corrected” is the coefficient without the "
            "raters’ noise. A flow is solid if it is significant and the corrected interval lies above "
            "0.",
            rows=(SOURCE, TARGET),
            columns=(
                *coefficient.columns(verdict=0, value=0, interval=3),
                *corrected.columns(value=0, interval=1), *ps, *placebo.columns(value=2),
                *placebo.columns("placebo, 95 %", interval=6), *PLACEBO_SIGNIFICANT.columns(value=5),
                *other_coefficient.columns(on="files"), *other_placebo.columns(on="files"),
                *other_corrected.columns(on="files"), *DEGREES.columns(on="files"),
                *INFLATION.columns(on="files"),
            ),
            strong=(SOLID,),
        ),
        NumberTable(
            "monolingual", "With monolingual models", rows=(TARGET, MONOLINGUAL),
            columns=(
                *coefficient.columns(value=0, interval=0, p=0), *other_coefficient.columns(on="files"),
                *CORRECTED.columns(on="files"), *RAW[CORRECTED.name].columns(on="files"),
                *DEGREES.columns(on="files"), *INFLATION.columns(on="files"),
            ),
        ),
        NumberTable(
            "covariate", "With monolingual models",
            explained="The scores of a model of one language are a predictor beside people’s ratings. "
            "The second table shows people’s coefficients without and with it, and the difference with "
            "its interval (a jackknife over groups). This is no mediation analysis: nothing here "
            "identifies a cause.",
            rows=(SOURCE, TARGET),
            columns=(
                *without.columns(), *coefficient.columns("with"), *change.columns(value=0, interval=0),
                *other_without.columns(on="files"), *other_coefficient.columns(on="files"),
                *other_change.columns(on="files"),
            ),
        ),
        NumberTable(
            "trait_counts", "Leaked traits",
            explained=f"A trait is listed if it is among the model’s {strongest} strongest of the "
            "group in the target language, the source’s people hold it of the group, and the target’s "
            "people do not. People hold a trait if the interval of their mean lies above 0 and the "
            f"mean is not below the {100 * held:g} % quantile of the group’s traits. Traits are "
            "positive, negative or, among the beliefs, non-polar. “No judgment” means that the "
            "target’s people were not asked about the group, or too few were. The paper gives no "
            "threshold. The tables give the rank of the trait in the model, the mean of the target’s "
            "people and those of the countries that hold it, from 0 to 50.",
            rows=(SOURCE, TARGET),
            columns=(
                *TRAIT_COUNT.columns(),
                *TRAIT_COUNT.columns("positive", at={"polarity": "positive"}, value=1),
                *TRAIT_COUNT.columns("negative", at={"polarity": "negative"}, value=1),
                *TRAIT_COUNT.columns("non-polar", at={"polarity": "non-polar"}, value=1),
                *NO_JUDGMENT.columns(),
            ),
        ),
        RecordTable(
            "leaked_traits", "Leaked traits", caption="Into", by="target", folded=True, of=LEAKED_TRAIT,
            axes=("group", "trait", "polarity"), scores=(RANK, TARGET_MEAN, *countries),
            headings={TARGET_MEAN: "target", **countries},
            decimals={RANK: 0, **dict.fromkeys((TARGET_MEAN, *countries), 1)},
            missing={TARGET_MEAN: "no judgment"}, most=1000,
        ),
        NumberTable(
            "people", "The people",
            explained="Ratings run from −50 to 50. The unit “poles” splits them into their two sides, "
            "each from 0 to 50; “pairs” keeps the sign. Means over raters are the predictors. "
            "people_means.csv has every mean of a pole with its interval and number of raters.",
            rows=(LANGUAGE,),
            columns=(
                *RATERS.columns(), *GROUPS_RATED.columns(),
                *ENOUGH.columns(f"by {convention.min_raters} or more"), *MEDIAN.columns(),
            ),
        ),
        RecordTable(
            "people_means", "The people", of=PEOPLE, axes=(LANGUAGE, "group", "trait"),
            scores=("mean", "low", "high", "raters"), on="files",
        ),
        NumberTable(
            "targets", "The regressions",
            explained=f"Standard deviations are of the scores times {made.factor:g}, the paper’s "
            "scale.",
            rows=(TARGET,),
            columns=(
                *GROUPS.columns(), *TRAITS.columns(), *EXPLAINED.columns(), *TRAIT_SD.columns(value=2),
                *GROUP_SD.columns(value=2), *RESIDUAL_SD.columns(value=2),
            ),
            on="page",
        ),
        TextLines(title="The regressions", lines=_remarks(made), on="page"),
    )  # fmt: skip


def _remarks(made: Leaks) -> tuple[str, ...]:
    """What to know of the regressions, a line for each remark, with the languages that it is about."""
    languages: dict[str, list[str]] = {}
    for code, remarks in made.regressions.items():
        for remark in remarks:
            languages.setdefault(remark, []).append(language_name(code))
    return tuple(f"{', '.join(names)}: {remark}" for remark, names in languages.items())
