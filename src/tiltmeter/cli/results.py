"""import-scores, compare, report: results that are there already.

What a command needs is imported when it runs: `--help` and shell completion answer at once.
"""

import time
from pathlib import Path
from typing import Annotated, Literal

import typer

from tiltmeter.cli.arguments import (
    ConventionName,
    DataSource,
    Encoding,
    FailIf,
    Json,
    Jsonl,
    NoText,
    Out,
    RuleName,
    Seed,
    Skip,
    Split,
    SplitSeed,
    StudyName,
    TiesPolicy,
)
from tiltmeter.cli.console import err, out


def import_scores(  # noqa: PLR0913 the command line's own options
    study: StudyName,
    files: Annotated[
        list[Path], typer.Argument(help="CSV, TSV, JSONL or Parquet of scores.", metavar="FILE…")
    ],
    *,
    rule: RuleName = None,
    convention: ConventionName = None,
    ties: TiesPolicy = None,
    data: DataSource = None,
    part: Split = None,
    split_seed: SplitSeed = 0,
    encoding: Encoding = "",
    name: Annotated[
        list[str] | None, typer.Option("--name", help="The model's name; the file's without it.")
    ] = None,
    out_folder: Out = Path("runs"),
    as_json: Json = False,
    jsonl: Jsonl = False,
    seed: Seed = 0,
    skip_invalid: Skip = False,
    fail_if: FailIf = None,
    no_text: NoText = False,
) -> None:
    """Evaluate per-sentence scores that were made elsewhere, without a model.

    Of pairs, a row holds a pair with its two scores (sent_more, sent_less, sent_more_score,
    sent_less_score), or an id with two scores, or one sentence with its score; the last two are
    matched to --data, or to the study's own data. Of stereoset, a file is a prediction file in the
    authors' layout, or a table of id and score. --rule says by which rule the scores were made.
    """
    from tiltmeter.cli import imported, thresholds
    from tiltmeter.cli.publish import load, publish, stamped, study_of, ties_of
    from tiltmeter.core.errors import BadInput, CannotAnswer
    from tiltmeter.data.splits import split
    from tiltmeter.run.choosing import choose
    from tiltmeter.run.measure import of_rule, summarise

    found = study_of(study)
    limits = thresholds.parse(fail_if or [], found)
    if convention not in {None, "paper"} and rule is None:
        raise BadInput(
            f"the convention {convention!r} depends on how the scores were made",
            "say by which rule with --rule",
        )
    if name and len(name) != len(files):
        raise BadInput(f"{len(files)} files but {len(name)} names", "give one --name a file")
    if found.stored is None:
        raise CannotAnswer(f"the study {found.name} cannot read scores that were made elsewhere")
    results = []
    for at, file in enumerate(files):
        begun = time.monotonic()
        source = None
        if data is not None:
            source = load(found, data, skip_invalid=skip_invalid, encoding=encoding)
        items, records = found.stored(file, source, skip_invalid=skip_invalid, encoding=encoding)
        chosen = choose(
            found,
            [
                *(r.needs for r in found.rules),
                *(n for c in found.conventions for n in c.needs.values()),
            ],
            model=str(file),
            rule=rule,
            convention=convention,
            ties=ties_of(ties),
        )
        if part is not None:
            items = split(items, part, seed=split_seed)
        if rule is not None:
            items = of_rule(items, chosen.rule)
        if part is not None or rule is not None:
            kept = {item.id for item in items.items}
            records = [record for record in records if record.item in kept]
        result = summarise(
            found,
            records,
            items,
            chosen=imported.stated(chosen, rule),
            seed=seed,
            model=imported.facts(file, name[at] if name else file.stem),
            invalid=items.invalid,
        )
        results.append(stamped(result, begun))
    publish(
        found, results, out_folder, as_json=as_json, jsonl=jsonl, seed=seed, show_text=not no_text
    )
    thresholds.enforce(limits, results)


def compare(
    runs: Annotated[list[Path], typer.Argument(help="Two or more run folders.", metavar="RUN…")],
    *,
    out_folder: Out = Path("runs"),
    as_json: Json = False,
    seed: Seed = 0,
    no_text: NoText = False,
) -> None:
    """Compare results on the same items: paired tests, paired intervals."""
    from tiltmeter.cli.publish import compared, study_of
    from tiltmeter.core.errors import BadInput
    from tiltmeter.run import folder as folders

    results = [folders.read(run) for run in runs]
    if len(results) < 2:  # noqa: PLR2004
        raise BadInput("one run folder is not a comparison", "give two or more")
    places = [run.resolve() for run in runs]
    for number, place in enumerate(places):
        if place in places[:number]:
            raise BadInput("it is given twice", "give each run folder once", file=str(runs[number]))
    compared(
        study_of(results[0].card.study),
        results,
        out_folder,
        as_json=as_json,
        seed=seed,
        show_text=not no_text,
    )


def report(
    run: Annotated[Path, typer.Argument(help="A run folder.")],
    *,
    to: Annotated[Path | None, typer.Option("--to", help="Write the page there.")] = None,
    figures: Annotated[
        Literal["pdf", "png", "svg"] | None,
        typer.Option(help="Also write pictures: pdf, png or svg (extra `plots`)."),
    ] = None,
    group: Annotated[
        list[str] | None,
        typer.Option(help="With --figures, of groups and traits: also this group's chart."),
    ] = None,
    predictions: Annotated[
        Path | None,
        typer.Option(help="Also write the scores as a StereoSet prediction file.", metavar="FILE"),
    ] = None,
    no_text: NoText = False,
    as_json: Json = False,
) -> None:
    """Show a finished run again, and write its page anew."""
    from tiltmeter.cli.publish import as_object, print_json, study_of
    from tiltmeter.core.errors import BadInput
    from tiltmeter.data.predictions import write_predictions
    from tiltmeter.report.documents.run import run_document
    from tiltmeter.report.html import page
    from tiltmeter.report.terminal import print_document
    from tiltmeter.run import folder as folders

    result = folders.read(run)
    found = study_of(result.card.study)
    target = to or run / "report.html"
    shown = run_document(result, found, show_text=not no_text)
    folders.write_text(target, page(shown))
    if group and not figures:
        raise BadInput("--group names what to draw", "say in which format with --figures")
    if figures:
        from tiltmeter.report.plots.export import save_pictures

        for file in save_pictures(shown, run, figures):
            err.print(f"[dim]{file}[/]")
    if predictions is not None:
        folders.write_text(predictions, write_predictions(result.records))
        err.print(f"[dim]{predictions}[/]")
    if as_json:
        print_json(as_object([result], ()))
    else:
        print_document(shown, out, files={"page": target})
