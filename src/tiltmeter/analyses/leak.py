"""leak: how far the stereotypes of other countries explain what a model says in one language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

from tiltmeter.analyses._leak_sentences import words
from tiltmeter.analysis.leakage import flows, leaks
from tiltmeter.analysis.leakage import leaked_traits as traits
from tiltmeter.analysis.leakage.leak_runs import LanguageRun, read_language_runs
from tiltmeter.analysis.leakage.leaked_traits import read_polarities
from tiltmeter.analysis.leakage.leaks import CONVENTIONS, OURS, LeakConvention
from tiltmeter.core.analysis import Circumstances, Input, digest, finish
from tiltmeter.core.analysis_file import AnalysisFile
from tiltmeter.core.errors import BadInput
from tiltmeter.core.options import CheckedOptions, Encoding, Seed
from tiltmeter.core.results import Result, notes_of
from tiltmeter.core.text import counted
from tiltmeter.core.views import View
from tiltmeter.data.hub import hub_files
from tiltmeter.data.people.people import language_name, leakage_ratings, ratings_by_language
from tiltmeter.data.people.ratings import Ratings, scale_named
from tiltmeter.run.folder_names import folder_name
from tiltmeter.run.monitor import Monitor

FILE = AnalysisFile.beside(__file__)


def _files_given(given: Sequence[str]) -> dict[str, str]:
    """What --people says: a file for each language, or under "" one that has a column of languages.

    >>> _files_given(["en=a.csv", "ru = b.csv"])
    {'en': 'a.csv', 'ru': 'b.csv'}
    """
    files: dict[str, str] = {}
    for text in given:
        before, sign, after = text.partition("=")
        language, file = (before.strip(), after.strip()) if sign else ("", text)
        if language in files:
            of = f"of {language}" if language else "without a language"
            way_out = "give one file for each language, as LANGUAGE=FILE"
            raise BadInput(f"--people {text!r} is a second file {of}", way_out)
        files[language] = file
    if "" in files and len(files) > 1:
        raise BadInput(f"--people {files['']!r} does not say its language", "write LANGUAGE=FILE")
    return files


@dataclass(frozen=True, slots=True)
class LeakOptions(CheckedOptions):
    """The options of `tiltmeter leak`."""

    monolingual: Annotated[
        tuple[Input, ...], FILE.option("monolingual", typed=tuple[Path, ...])
    ] = ()
    people: Annotated[
        Mapping[str, str | Path] | None,
        FILE.option("people", parse=_files_given, typed=Mapping[str, str]),
    ] = None
    rating_scale: Annotated[str, FILE.option("rating_scale")] = "-50:50"
    convention: Annotated[str, FILE.option("convention", choices=tuple(CONVENTIONS))] = OURS
    unit: Annotated[Literal["poles", "pairs"] | None, FILE.option("unit")] = None
    missing: Annotated[Literal["complete", "available", "zero"] | None, FILE.option("missing")] = (
        None
    )
    min_raters: Annotated[int | None, FILE.option("min_raters")] = None
    scale: Annotated[Literal["standardised", "paper"] | None, FILE.option("scale")] = None
    k: Annotated[int, FILE.option("k")] = traits.STRONGEST
    held: Annotated[float, FILE.option("held")] = traits.UPPER
    polarity: Annotated[Path | None, FILE.option("polarity")] = None
    placebos: Annotated[int, FILE.option("placebos")] = flows.PLACEBOS
    encoding: Encoding = ""
    seed: Seed = 0

    @property
    def computed(self) -> LeakConvention:
        """The named convention with the user's choices in it."""
        known = CONVENTIONS[self.convention]
        regression = replace(
            known.flows, missing=self.missing or known.flows.missing, placebos=self.placebos,
            seed=self.seed,
        )  # fmt: skip
        return replace(
            known, flows=regression, unit=self.unit or known.unit,
            min_raters=self.min_raters or known.min_raters, scaling=self.scale or known.scaling,
        )  # fmt: skip


def compute(inputs: Sequence[Input], options: LeakOptions, monitor: Monitor) -> Result:
    """Flows between languages, leaked traits, and the people they are compared with."""
    convention = options.computed
    polarity = (
        read_polarities(options.polarity, encoding=options.encoding) if options.polarity else {}
    )
    runs, alone = read_language_runs(inputs), read_language_runs(options.monolingual)
    ratings = _ratings(options, monitor)
    monitor.step(f"fitting {counted(len(runs), 'languages')}")
    made = leaks.find_leaks(
        runs, ratings, monolingual=alone, polarity=polarity, convention=convention,
        strongest=options.k, held=options.held,
    )  # fmt: skip
    card = runs[0].card
    names = {code: language_name(code) for code in (*made.languages, *(r.language for r in runs))}
    return finish(
        ANALYSIS,
        made.estimates,
        Circumstances(
            model={"name": card.model_name, "fingerprint": card.model.get("fingerprint", "")},
            data={
                "name": ", ".join(dict.fromkeys(run.card.data_name for run in runs)),
                "sha256": digest(
                    convention, options.k, options.held,
                    *((run.language, folder_name(run.result)) for run in (*runs, *alone)),
                    *((name, r.groups, r.values.tobytes()) for name, r in ratings.items()),
                    sorted(made.polarity.items()),
                ),
                "warning": card.data.get("warning", ""),
            },
            rule=card.rule,
            convention=convention.name,
            subtitle=" · ".join([card.model_name, *(names[run.language] for run in runs)]),
            seed=options.seed,
            method=FILE.text("method", name=convention.name, summary=convention.summary),
            settings={
                "unit": convention.unit, "missing": convention.flows.missing,
                "fewest raters": str(convention.min_raters), "scale": convention.scaling,
                "paper's scale": f"scores times {made.factor:g}", "k": str(options.k),
                "held": f"{options.held:g}", "placebos": str(options.placebos),
            },
            notes=notes_of("caution", made.notes),
            sources=[_source(run) for run in (*runs, *alone)],
            labels={
                "axis": {
                    flows.SOURCE: "from", flows.TARGET: "into", flows.MONOLINGUAL: "monolingual model",
                },
                flows.SOURCE: names, flows.TARGET: names, leaks.LANGUAGE: names,
            },
            views=_views(made, convention, options),
        ),
        made.records,
    )  # fmt: skip


def _views(made: leaks.Leaks, convention: LeakConvention, options: LeakOptions) -> tuple[View, ...]:
    """Coefficients in the scale of the convention, of which files have the other one too."""
    standard = {q.name: q.name for q in flows.SCALED}
    raw = {name: q.name for name, q in flows.RAW.items()}
    shown, other = (raw, standard) if convention.scaling == "paper" else (standard, raw)
    is_adjusted = convention.flows.adjust
    ps = {"p_adjusted": 0, "p_unadjusted": 4} if is_adjusted else {"p_unadjusted": 0}
    countries = {traits.source_mean(code): language_name(code) for code in made.languages}
    one_decimal = dict.fromkeys((traits.TARGET_MEAN, *countries), 1)
    notes: dict[str, list[str]] = {}
    for code, texts in made.regressions.items():
        for text in texts:
            notes.setdefault(text, []).append(language_name(code))
    return FILE.shown(
        "leak", **shown, **{f"other_{name}": hidden for name, hidden in other.items()},
        ps=({"measure": shown[flows.COEFFICIENT.name], **ps},), min_raters=convention.min_raters,
        k=options.k, held=f"{100 * options.held:g}", factor=f"{made.factor:g}", countries=tuple(countries),
        headings={traits.TARGET_MEAN: "target", **countries}, decimals={traits.RANK: 0, **one_decimal},
        regressions=tuple(f"{', '.join(names)}: {text}" for text, names in notes.items()),
    )  # fmt: skip


def _ratings(options: LeakOptions, monitor: Monitor) -> dict[str, Ratings]:
    """Ratings by language: the published ones, or the user's."""
    if not options.people:
        return leakage_ratings()
    files: dict[str, Path] = {}
    for language, name in options.people.items():
        with monitor.download(str(name)) as progress:
            files[language] = Path(hub_files.local(str(name), progress))
    scale = scale_named(options.rating_scale)
    return ratings_by_language(files, scale=scale, encoding=options.encoding)


def _source(run: LanguageRun) -> dict[str, str]:
    card = run.card
    return {
        "language": language_name(run.language), "model": run.model, "run": run.path,
        "study": card.study, "rule": card.rule, "convention": card.convention, "data": card.data_name,
    }  # fmt: skip


ANALYSIS = FILE.analysis(
    (*flows.OF_FLOWS, traits.TRAIT_COUNT, traits.NO_JUDGMENT, *leaks.OF_PEOPLE),
    compute,
    LeakOptions,
    words,
)
