"""before-after: one model before and after something was done to it.

What the command needs is imported when it runs: `--help` and shell completion answer at once.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tiltmeter.cli import completion
from tiltmeter.cli.arguments import AllowCode, FailIf, Figures, Json, Out, PrintedAs, StudyPath
from tiltmeter.cli.option_parameters import only, without
from tiltmeter.models.opening.model_options import Options
from tiltmeter.run.run_options import RunOptions

if TYPE_CHECKING:
    from tiltmeter.analysis.before_after import BeforeAfter
    from tiltmeter.cli.show_document import PrintedAs as Printed
    from tiltmeter.core.results import Result
    from tiltmeter.core.study import Study
    from tiltmeter.report.plots.export import Format as Drawn
    from tiltmeter.run.paired_runs import PairedRuns, StudyRequest


def before_after(  # noqa: PLR0913 the command line's own options
    what: Annotated[
        list[str],
        typer.Argument(
            help="Run folders of a model before and after, in any order; or with --studies, two models.",
            metavar="RUN…|BEFORE AFTER",
            show_default=False,
            autocompletion=completion.models,
        ),
    ],
    *,
    after: Annotated[
        list[Path] | None,
        typer.Option(
            "--after", help="A run of the model after; all others count as before.", metavar="RUN",
            show_default=False,
        ),
    ] = None,
    studies: Annotated[
        str | None,
        typer.Option(
            "--studies", help="Run both models on these studies first, separated by commas.",
            metavar="STUDY,…", show_default=False,
        ),
    ] = None,
    data: Annotated[
        list[str] | None,
        typer.Option(
            help="With --studies: the data for a study.", metavar="STUDY=SOURCE",
            show_default=False,
        ),
    ] = None,
    rule: Annotated[
        list[str] | None,
        typer.Option(
            help="With --studies: the rule for a study.", metavar="STUDY=RULE", show_default=False
        ),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set", help="With --studies: a setting of a study.", metavar="STUDY.NAME=VALUE",
            show_default=False,
        ),
    ] = None,
    t_test: Annotated[
        bool,
        typer.Option(
            "--t-test", help="Also run the t-test of Elsafoury 2023, which treats groups as samples."
        ),
    ] = False,
    out_folder: Out = Path("runs"),
    as_json: Json = False,
    printed_as: PrintedAs = "text",
    figures: Figures = None,
    options: Annotated[RunOptions, only("seed", "skip_invalid", "fresh")],
    fail_if: FailIf = None,
    opening: Annotated[Options, without("revision", "start_token")],
    study_file: StudyPath = None,
    allow_code: AllowCode = False,
) -> None:  # fmt: skip
    """Compare a model before and after: what moved closer to neutral or farther away, and the cost."""
    from tiltmeter.analysis.before_after import before_after as compared
    from tiltmeter.analysis.threshold_checks import check_declared
    from tiltmeter.analysis.thresholds import parse
    from tiltmeter.cli.thresholds import enforce
    from tiltmeter.core.errors import BadInput
    from tiltmeter.run.folder import prepare
    from tiltmeter.run.study_files import read_study

    if study_file is not None:
        read_study(study_file, allow_code=allow_code)
    prepare(out_folder)
    limits = parse(fail_if)
    missing: Sequence[tuple[str, str]] = ()
    if studies is None:
        if data or rule or set_:
            raise BadInput(
                "--data, --rule and --set only apply with --studies, and run folders were given",
                "add --studies, or leave these options out",
            )
        first, last = _read(what, after or [])
        named = [*what, *map(str, after or [])]
    else:
        if len(what) != 2 or after:  # noqa: PLR2004
            raise BadInput(
                f"--studies needs two models, BEFORE AFTER; {len(what)} and {len(after or [])} after given",
                "name the model before and the model after",
            )
        if what[0] == what[1]:
            raise BadInput(f"{what[0]} is given twice", "name the model before and the one after")
        requests = _requests(studies, options, data=data, rules=rule, settings=set_)
        check_declared(limits, {one.study.name: one.study.measures for one in requests})
        runs = _run(what, requests, opening, out_folder)
        first, last, missing = runs.before, runs.after, runs.missing
        named = [folder.name for folder in runs.folders]
    _publish(
        compared(first, last, missing=missing, scores=t_test, seed=options.seed),
        [Path(name).name for name in named],
        out_folder,
        "json" if as_json else printed_as,
        figures=figures,
        models=what,
    )
    enforce(limits, last)


def _requests(
    studies: str,
    options: RunOptions,
    *,
    data: list[str] | None,
    rules: list[str] | None,
    settings: list[str] | None,
) -> "list[StudyRequest]":
    """What --studies, --data, --rule and --set say."""
    from tiltmeter.core.named_values import by_study, settings_by_study, study_names
    from tiltmeter.run.paired_runs import requests_of
    from tiltmeter.run.run_plan import study_named

    names = study_names(studies)
    return requests_of(
        {name: study_named(name) for name in names},
        options,
        data=by_study("--data", data, names),
        rules=by_study("--rule", rules, names),
        settings=settings_by_study(settings, names),
    )


def _run(
    models: list[str], requests: "list[StudyRequest]", opening: Options, out_folder: Path
) -> "PairedRuns":
    """Run both models on the studies; each run gets its folder."""
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.cli.typed_command import command_line
    from tiltmeter.report.saved_runs import save_run
    from tiltmeter.run.folder_names import folder_name
    from tiltmeter.run.jobs import session
    from tiltmeter.run.paired_runs import plan_paired, run_paired
    from tiltmeter.run.repeatable_command import repeatable

    before, after = models
    plan = plan_paired(before, after, requests, opening, monitor)

    def save(study: "Study[Any]", result: "Result") -> Path:
        return save_run(result, study, out_folder / folder_name(result)).folder

    with session(monitor, command=repeatable(command_line(), models)) as shared:
        return run_paired(plan, shared, save)


def _read(what: list[str], after: list[Path]) -> "tuple[Sequence[Result], Sequence[Result]]":
    from tiltmeter.analysis.matched_runs import sides
    from tiltmeter.core.errors import BadInput
    from tiltmeter.run import folder as folders

    paths = [*map(Path, what), *after]
    places = [path.resolve() for path in paths]
    for number, place in enumerate(places):
        if place in places[:number]:
            raise BadInput(
                "it is listed twice", "give each run folder once", file=str(paths[number])
            )
    results = [folders.read(path) for path in paths]
    if after:
        return results[: len(what)], results[len(what) :]
    return sides(results)


def _publish(
    made: "BeforeAfter",
    sources: list[str],
    out_folder: Path,
    printed_as: "Printed",
    *,
    figures: "Drawn | None",
    models: list[str],
) -> None:
    from hashlib import sha256

    from tiltmeter.cli.show_document import Saved, save_document, show_document
    from tiltmeter.cli.typed_command import command_line
    from tiltmeter.report.documents.before_after.document import before_after_document
    from tiltmeter.report.documents.before_after.files import before_after_json, one_table
    from tiltmeter.run.repeatable_command import repeatable

    command = repeatable(command_line(), models)
    document = before_after_document(made, sources=sources, command=command)
    digest = sha256("\n".join([*sources, str(made.seed)]).encode("utf-8", "surrogatepass"))
    saved = Saved(
        document,
        out_folder / f"before-after-{digest.hexdigest()[:8]}",
        before_after_json(made, sources=sources, command=command),
        {"before-after": one_table(document)},
    )
    show_document(saved, printed_as, save_document(saved, "before-after", figures))
