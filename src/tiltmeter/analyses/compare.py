"""compare: how far results of one study are apart on the same items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tiltmeter.core.analysis import Analysis, Circumstances, Input, digest, finish
from tiltmeter.core.comparison_views import ComparedRuns
from tiltmeter.core.equivalence_margins import read_margins
from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.quantity import quantity
from tiltmeter.core.reading.options import CheckedOptions, Seed
from tiltmeter.core.results import Paragraph, Result
from tiltmeter.core.text import counted, listed
from tiltmeter.derived.comparisons.compare import Comparisons, compare_all
from tiltmeter.derived.sources import read_results
from tiltmeter.report.document import Text
from tiltmeter.report.documents.comparison import comparison_finding
from tiltmeter.report.documents.result_sections import warning
from tiltmeter.report.text import name_of
from tiltmeter.run.files.folder_names import folder_name
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.planning.study_files import read_if_named, study_if_known
from tiltmeter.run.run_options import AllowCode, MarginOptions, StudyPath

SIGNIFICANT = quantity(
    "significant_differences", "Significant differences", counts="tests", decimals=0
)


@dataclass(frozen=True, slots=True)
class CompareOptions(CheckedOptions):
    """The options of `tiltmeter compare`."""

    study_file: StudyPath = None
    allow_code: AllowCode = False
    margin: MarginOptions = ()
    seed: Seed = 0


def compute(inputs: Sequence[Input], options: CompareOptions, monitor: Monitor) -> Result:
    """Compare each two of up to four runs; of more, each with the first."""
    read_if_named(options.study_file, allow_code=options.allow_code)
    margins = read_margins(options.margin)
    given, notes = read_results(inputs)
    for note in notes:
        monitor.warning(note)
    if len(given) < 2:  # noqa: PLR2004
        study = f" of {given[0][1].card.study}" if given else ""
        raise BadInput(
            f"{counted(len(given), 'runs', 'are')} given, and a comparison needs two or more",
            f"give another run{study}, or a folder with several (`tiltmeter ls FOLDER` lists its runs)",
        )
    if len(studies := dict.fromkeys(result.card.study for _, result in given)) > 1:
        raise BadInput(
            f"these runs are of {counted(len(studies), 'studies')}: {listed([*studies])}",
            "name the runs of one study, such as runs/sos-*",
        )
    runs: dict[str, Result] = {}
    for folder, result in given:
        name = folder.resolve().name
        runs[f"{name}-{len(runs) + 1}" if name in runs else name] = result
    compared = compare_all([*runs.values()], seed=options.seed, margins=margins)
    return comparison(runs, compared, seed=options.seed, margins=options.margin)


def comparison(
    runs: Mapping[str, Result], compared: Comparisons, *, seed: int = 0, margins: Sequence[str] = ()
) -> Result:
    """The differences as a result that has the runs; its records are the items that only one answers.

    Args:
        runs: At least two of one study, by the names of their folders.
        compared: What `compare_all` makes of them.
        seed: Of bootstraps.
        margins: As they were given.
    """
    results, differences = [*runs.values()], compared.estimates
    first = results[0].card
    study = study_if_known(first)
    tested = [e for e in differences if e.meaning.difference_of and e.significant is not None]
    count = SIGNIFICANT.at(sum(e.significant is True for e in tested), n=len(tested))
    about = ANALYSIS if study is None else replace(
        ANALYSIS, title=study.title, means=study.measures_what, not_what=study.not_what
    )  # fmt: skip
    made = finish(
        replace(about, words=lambda _: _finding(results, differences)),
        [*differences, count],
        Circumstances(
            data={
                "name": first.study, "sha256": digest(*map(folder_name, results)),
                "warning": warning(results),
            },
            subtitle=" · ".join(map(name_of, results)),
            seed=seed,
            method="\n\n".join(dict.fromkeys(r.card.method for r in results)),
            settings={"study": first.study} | ({"margin": ", ".join(margins)} if margins else {}),
            sources=[
                {"folder": name, "model": r.card.model_name, "rule": r.card.rule,
                 "convention": r.card.convention, "data": r.card.data_name}
                for name, r in runs.items()
            ],
            labels=first.labels,
            measures={e.name: e.meaning for e in reversed(differences)},
        ),
        compared.unpaired,
    )  # fmt: skip
    return replace(made, runs=runs)


def _finding(results: Sequence[Result], differences: Sequence[Estimate]) -> list[Paragraph]:
    texts = comparison_finding(results, differences)
    return [Paragraph(t.text, t.kind) if isinstance(t, Text) else Paragraph(t) for t in texts]


ANALYSIS = Analysis(
    name="compare", title="Comparison of runs", version="1",
    summary="Compare runs on the same items, with paired tests and intervals.",
    means="", not_what="", inputs="Two or more run folders of one study, or a folder of them.",
    reports_others=True,
    quantities=(SIGNIFICANT,), compute=compute, options=CompareOptions, words=lambda _: (),
    views=(ComparedRuns("differences"),),
)  # fmt: skip
