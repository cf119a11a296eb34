"""Commands of analyses, each made of what its file in `analyses` declares, and the one end of all of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from tiltmeter.cli.arguments import Everything, FailIf, FailUnless, Figures, Json, NoText, Out
from tiltmeter.core.reading.options import CheckedOptions, Option

if TYPE_CHECKING:
    from tiltmeter.core.analysis import Analysis
    from tiltmeter.core.results import Result
    from tiltmeter.derived.audits.thresholds import Threshold


@dataclass(frozen=True, slots=True)
class Ending(CheckedOptions):
    """What becomes of a result: where it is kept, how it is printed, and what must hold."""

    out: Out = Path("runs")
    as_json: Json = False
    printed_as: Annotated[
        Literal["text", "csv", "json", "markdown", "latex"],
        Option(
            "Output format; csv, markdown and latex print the tables only, csv the first.",
            name="format",
        ),
    ] = "text"
    figures: Figures = None
    fail_if: FailIf = ()
    no_text: NoText = False
    everything: Everything = False

    @property
    def is_json(self) -> bool:
        """Whether JSON is printed, however that was said."""
        return self.as_json or self.printed_as == "json"


@dataclass(frozen=True, slots=True)
class ComparisonEnding(Ending):
    """The last steps of a command for analyses that compare results within margins."""

    fail_unless: FailUnless = ()


def command_of(analysis: "Analysis") -> Callable[..., None]:
    """The command of an analysis: its inputs by their place, its options, and how it ends."""

    def command(inputs: list[str], options: object, ending: Ending) -> None:
        run_analysis(analysis, inputs, options, ending)

    compares = any(field.name == "margin" for field in fields(analysis.options))
    how = ComparisonEnding if compares else Ending
    places = Option(analysis.inputs, argument=True, metavar=analysis.metavar)
    several = list[str] if analysis.fewest else list[str] | None
    command.__annotations__ = {
        "inputs": Annotated[several, places], "options": analysis.options, "ending": how, "return": None,
    }  # fmt: skip
    if not analysis.fewest:
        command.__defaults__ = (None, analysis.options(), how())
    command.__doc__ = analysis.summary
    return command


def __getattr__(name: str) -> Callable[..., None]:
    """The command of an analysis by its name, so that the table of commands can name it like any other."""
    from tiltmeter.core.finder import find, known

    if name not in known("analyses"):
        raise AttributeError(name)
    return command_of(find("analyses", name, "ANALYSIS"))


def run_analysis(
    analysis: "Analysis", inputs: Sequence[str] | None, options: object, ending: Ending
) -> None:
    """Compute, keep, show and judge.

    Raises:
        BadInput: Too few inputs, or whatever the analysis refuses.
        UnknownName: A threshold is about a measure that the analysis does not report.
    """
    import time

    from tiltmeter.cli.machinery.typed_command import command_line
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.core.analysis import Place, check_count, placed
    from tiltmeter.core.errors import UnknownName
    from tiltmeter.derived.audits.thresholds import parse
    from tiltmeter.run.files.folder import prepare
    from tiltmeter.run.files.repeatable_command import repeatable
    from tiltmeter.run.jobs import stamped

    begun, given = time.monotonic(), list(inputs or ())
    check_count(analysis, len(given))
    prepare(ending.out)
    claims = ending.fail_unless if isinstance(ending, ComparisonEnding) else ()
    limits = parse(ending.fail_if, claims)
    options = with_margins_of(limits, options) if claims else options
    for limit in limits if not analysis.reports_others else ():
        if not any(limit.is_about_measure(q.name, q.meaning) for q in analysis.quantities):
            raise UnknownName("measure", limit.name, {q.name for q in analysis.quantities})
    command = repeatable(command_line(), filter(_may_be_a_model, given))
    result = analysis.compute(given, placed(options, Place(ending.out, command)), monitor)
    conclude(stamped(result, begun, command), ending, limits)


def with_margins_of(limits: "Sequence[Threshold]", options: Any) -> object:
    """The options, which have margins, with those of claims.

    Raises:
        BadInput: A claim has no margin, or a measure has two.
    """
    from dataclasses import replace

    from tiltmeter.core.equivalence_margins import read_margins
    from tiltmeter.derived.audits.claim_margins import margins_with

    margins_with(read_margins(options.margin), limits)
    named = [f"{limit.name}={limit.says.margin}" for limit in limits if limit.says.margin]
    new = [text for text in dict.fromkeys(named) if text not in options.margin]
    return replace(options, margin=(*options.margin, *new))


def _may_be_a_model(given: str) -> bool:
    """Whether an input is neither a file nor a folder of results, whose places the command may tell."""
    from tiltmeter.derived.sources import results_at
    from tiltmeter.run.files.folder import why_no_run

    return not Path(given).is_file() and all(map(why_no_run, results_at(Path(given))))


def conclude(result: "Result", ending: Ending, limits: "Sequence[Threshold]" = ()) -> None:
    """Write the folder of a result with its page, tables and pictures; print it; judge it by thresholds.

    Raises:
        UnknownName: The result has no estimate of a threshold; nothing is written then.
        StorageError: The folder cannot be written.
        MissingExtra: Pictures are PDF or PNG, and the library that draws them is not installed.
    """
    from tiltmeter.cli.show import leave_if_crossed, say
    from tiltmeter.derived.audits.thresholds import judge, printed_estimates
    from tiltmeter.run.files.folder_names import folder_name

    runs = [*result.runs.values()] if result.card.compares_runs else []
    # before anything is written: a misspelt threshold leaves no page that says how to repeat the mistake
    outcomes = judge(limits, printed_estimates([*runs, result]))
    show_result(result, ending.out / folder_name(result), ending)
    say(outcomes)
    leave_if_crossed(outcomes)


def show_result(result: "Result", folder: Path, ending: Ending) -> None:
    """Write a result into its folder, with tables and pictures, and print it.

    Raises:
        StorageError: The folder cannot be written.
        MissingExtra: Pictures are PDF or PNG, and the library that draws them is not installed.
    """
    from tiltmeter.cli.console import err, out, print_json
    from tiltmeter.report import tables
    from tiltmeter.report.documents.run import run_document
    from tiltmeter.report.documents.views.view_files import analysis_files
    from tiltmeter.report.plots.export import drawings_of, save_pictures
    from tiltmeter.report.saved_runs import as_object, save_run
    from tiltmeter.report.terminal_excerpt import print_result

    saved = save_run(result, None, folder, show_text=not ending.no_text)
    document = run_document(result) if ending.no_text else saved.document
    pictures: list[Path] = []
    if ending.figures:
        pictures = save_pictures(drawings_of(document), folder, ending.figures)
        if not pictures:
            err.print("No pictures are written with --figures: this result has none.")
    kind = "json" if ending.is_json else ending.printed_as
    if kind == "json":
        print_json(as_object([result]))
    elif kind == "csv":
        typer.echo(tables.as_csv(next(iter(analysis_files(result).values()))), nl=False)
    elif kind != "text":
        (text,) = tables.files(document, kind).values()
        typer.echo(text, nl=False)
    else:
        drawn = {"pictures": folder / f"*{pictures[0].suffix}"} if pictures else {}
        files = {"page": saved.files["page"], **drawn, "folder": folder}
        print_result(document, out, files=files, everything=ending.everything)
    if kind != "text":
        for note in result.card.notes:
            err.print(note.text)
