"""run, import-scores, compare, report, ls: everything about results."""

import json
import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.padding import Padding

from tiltmeter.analysis.compare import compare_all
from tiltmeter.cli import thresholds
from tiltmeter.cli.console import asking, err, fetching, out
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.finder import find, known
from tiltmeter.core.items import Dataset
from tiltmeter.core.results import Estimate, Result
from tiltmeter.core.study import Study
from tiltmeter.core.types import Ties
from tiltmeter.data import places, weights
from tiltmeter.data.fetch import sha256
from tiltmeter.data.scores import read_scores
from tiltmeter.report.page import page
from tiltmeter.report.table import print_comparison, print_result
from tiltmeter.run import folder as folders
from tiltmeter.run.measure import Chosen, choose, measure, summarise
from tiltmeter.run.remember import Remembering
from tiltmeter.run.scores import STORED, records_of
from tiltmeter.run.store import Store

StudyName = Annotated[str, typer.Argument(help="A study: see `tiltmeter ls`.", show_default=False)]
Models = Annotated[
    list[str],
    typer.Argument(
        help="A folder, a hub id, a name of `tiltmeter models list`, or KIND:NAME "
        "(masked, causal, seq2seq, gguf, fake). Several give one comparison.",
        show_default=False,
    ),
]
RuleName = Annotated[str | None, typer.Option("--rule", help="How a sentence is scored.")]
ConventionName = Annotated[
    str | None,
    typer.Option("--convention", help="Depart from the paper as a published script does."),
]
TiesPolicy = Annotated[str | None, typer.Option("--ties", help="half, loss or neutral.")]
DataSource = Annotated[
    str | None,
    typer.Option("--data", help="A data set's name, or a CSV, TSV, JSONL or Parquet file."),
]
Encoding = Annotated[str, typer.Option(help="Of the file, where it is not UTF-8.")]
Out = Annotated[Path, typer.Option("--out", help="Where the run folder goes.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")]
Jsonl = Annotated[bool, typer.Option("--jsonl", help="Write records.jsonl as well.")]
Seed = Annotated[int, typer.Option(min=0, help="For bootstraps and random masks.")]
Skip = Annotated[
    bool, typer.Option("--skip-invalid", help="Leave out items that cannot be scored; list them.")
]
FailIf = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-if", help="Exit with 3 if this holds: 'stereotype_rate > 60'.", show_default=False
    ),
]
NoText = Annotated[
    bool, typer.Option("--no-text", help="Leave the sentences out of the page altogether.")
]


def add_to(app: typer.Typer) -> None:
    """Put the commands of this file on the command line."""
    app.command()(run)
    app.command("import-scores")(import_scores)
    app.command()(compare)
    app.command()(report)
    app.command("ls")(list_studies)


def run(  # noqa: PLR0913 the command line's own options
    study: StudyName,
    models: Models,
    *,
    rule: RuleName = None,
    convention: ConventionName = None,
    ties: TiesPolicy = None,
    data: DataSource = None,
    encoding: Encoding = "",
    out_folder: Out = Path("runs"),
    as_json: Json = False,
    jsonl: Jsonl = False,
    seed: Seed = 0,
    skip_invalid: Skip = False,
    fail_if: FailIf = None,
    no_text: NoText = False,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda, cuda:1, mps.")] = "auto",
    dtype: Annotated[str, typer.Option(help="float32, bfloat16 or float16.")] = "float32",
    batch_tokens: Annotated[
        int | None, typer.Option(min=1, help="Tokens in one forward pass; bounds the memory.")
    ] = None,
    revision: Annotated[str | None, typer.Option(help="Of a hub id.")] = None,
    start_token: Annotated[
        str | None, typer.Option(help="What a causal model reads before the text.")
    ] = None,
    trust_remote_code: Annotated[
        bool, typer.Option("--trust-remote-code", help="Run code that comes with the model.")
    ] = False,
    allow_pickle: Annotated[
        bool, typer.Option("--allow-pickle", help="Load weights that are not safetensors.")
    ] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ask again what is stored.")] = False,
) -> None:
    """Score models on a study: a table here, and a folder with records, estimates and a page."""
    from tiltmeter.models._open import Options, open_model, resolve

    found = _study(study)
    limits = thresholds.parse(fail_if or [], found)
    options = Options(
        device=device,
        dtype=dtype,
        batch_tokens=batch_tokens,
        revision=revision,
        trust_remote_code=trust_remote_code,
        allow_pickle=allow_pickle,
        start_token=start_token,
    )
    planned = []
    for reference in dict.fromkeys(models):
        with fetching(_sized(reference)) as progress:
            where = resolve(reference, options, progress=progress)
        planned.append(
            (
                where,
                choose(
                    found,
                    where.answers,
                    model=reference,
                    rule=rule,
                    convention=convention,
                    ties=_ties(ties),
                ),
            )
        )
    items = _load(found, data, skip_invalid, encoding)
    results = []
    with Store(places.cache() / "answers.sqlite") as store:
        for where, chosen in planned:
            begun = time.monotonic()
            first = (
                " (the first time it is converted: a minute or so)"
                if where.scheme == "gguf"
                else ""
            )
            err.print(f"loading {where.reference}{first}", markup=False, style="dim")
            alike = [other.name for other, _ in planned].count(where.name) > 1
            model = open_model(where, options, name=where.reference if alike else where.name)
            with asking(where.reference) as bar:
                remembering = Remembering(model, store, bar, fresh=fresh)
                result = measure(
                    found, remembering, items, chosen=chosen, seed=seed, skip_invalid=skip_invalid
                )
            results.append(_stamped(result, begun, remembering))
            del model, remembering
    _publish(
        found, results, out_folder, as_json=as_json, jsonl=jsonl, seed=seed, show_text=not no_text
    )
    thresholds.enforce(limits, results)


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

    A row holds a pair with its two scores (sent_more, sent_less, sent_more_score,
    sent_less_score), or an id with two scores, or one sentence with its score; the last two are
    matched to --data, or to the study's own data. --rule says by which rule the scores were made.
    """
    found = _study(study)
    limits = thresholds.parse(fail_if or [], found)
    if convention not in {None, "paper"} and rule is None:
        raise BadInput(
            f"the convention {convention!r} depends on how the scores were made",
            "say by which rule with --rule",
        )
    if name and len(name) != len(files):
        raise BadInput(f"{len(files)} files but {len(name)} names", "give one --name a file")
    results = []
    for at, file in enumerate(files):
        begun = time.monotonic()
        source = _load(found, data, skip_invalid, encoding) if data else None
        items, scores = read_scores(
            file, source, study=found, skip_invalid=skip_invalid, encoding=encoding
        )
        chosen = choose(
            found,
            [r.needs for r in found.rules],
            model=str(file),
            rule=rule,
            convention=convention,
            ties=_ties(ties),
        )
        result = summarise(
            found,
            records_of(items, scores),
            items,
            chosen=_stated(chosen, rule),
            seed=seed,
            model=_stored(file, name[at] if name else file.stem),
            invalid=items.invalid,
        )
        results.append(_stamped(result, begun, None))
    _publish(
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
    results = [folders.read(run) for run in runs]
    if len(results) < 2:  # noqa: PLR2004
        raise BadInput("one run folder is not a comparison", "give two or more")
    _compared(
        _study(results[0].card.study),
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
        typer.Option(help="Also write pictures: pdf, png or svg ([plots])."),
    ] = None,
    no_text: NoText = False,
    as_json: Json = False,
) -> None:
    """Show a finished run again, and write its page anew."""
    result = folders.read(run)
    found = _study(result.card.study)
    target = to or run / "report.html"
    folders.write_text(target, page([result], (), study=found, show_text=not no_text))
    if figures:
        from tiltmeter.report.figures import save_figures

        for file in save_figures([result], run, format=figures):
            err.print(f"[dim]{file}[/]")
    if as_json:
        _json(_object([result], ()))
    else:
        print_result(result, found, out, files={"page": target})


def list_studies(*, as_json: Json = False) -> None:
    """List studies with their rules, conventions and data."""
    studies: list[Study[Any]] = [find("studies", name, "STUDY") for name in known("studies")]
    if as_json:
        _json({"studies": [
            {
                "name": s.name, "title": s.title, "version": s.version, "source": s.source,
                "rules": [r.name for r in s.rules],
                "conventions": [c.name for c in s.conventions], "data": list(s.data),
            } for s in studies
        ]})  # fmt: skip
        return
    for s in studies:
        out.print(f"[bold]{s.name}[/]  {s.title}")
        if s.data:
            out.print(Padding(f"[dim]data[/] {', '.join(s.data)}", (0, 0, 0, 2)))
    _grouped("rules", {s.name: tuple(r.name for r in s.rules) for s in studies})
    _grouped("conventions", {s.name: tuple(c.name for c in s.conventions) for s in studies})
    out.print("\nRun one:  tiltmeter run STUDY MODEL   (models: `tiltmeter models list`)")


def _grouped(title: str, names: Mapping[str, tuple[str, ...]]) -> None:
    """What several studies share is printed once."""
    for some in dict.fromkeys(names.values()):
        whose = [study for study, own in names.items() if own == some]
        of = "all studies" if len(whose) == len(names) else ", ".join(whose)
        out.print(f"\n[bold]{title}[/] of {of}")
        out.print(Padding(", ".join(some), (0, 0, 0, 2)))


def _sized(reference: str) -> str:
    """With the size of what may have to be fetched."""
    known_size = weights.WEIGHTS[reference].size if reference in weights.WEIGHTS else None
    return f"{reference}, {known_size / 1e6:,.0f} MB" if known_size else reference


def _study(name: str) -> Study[Any]:
    study: Study[Any] = find("studies", name, "STUDY")
    return study


def _ties(given: str | None) -> Ties | None:
    if given is None:
        return None
    known_ties: dict[str, Ties] = {"half": "half", "loss": "loss", "neutral": "neutral"}
    if given not in known_ties:
        raise UnknownName("policy for ties", given, known_ties)
    return known_ties[given]


def _load(study: Study[Any], source: str | None, skip_invalid: bool, encoding: str) -> Dataset[Any]:  # noqa: FBT001
    items = study.load(source, skip_invalid=skip_invalid, encoding=encoding)
    if items.warning:
        err.print(f"[yellow]{items.name}:[/] ", end="")
        err.print(items.warning, markup=False)
    if items.invalid:
        rows = len({(p.file, p.line, p.item) for p in items.invalid})
        err.print(f"{rows} {'row' if rows == 1 else 'rows'} left out, without a defined score:")
        for problem in items.invalid[:5]:
            err.print(f"  {problem}", markup=False)
        if len(items.invalid) > 5:  # noqa: PLR2004
            err.print("  … all of them are listed in card.json and on the page")
    return items


def _stated(chosen: Chosen[Any], rule: str | None) -> Chosen[Any]:
    return chosen if rule else replace(chosen, rule=STORED)


def _stored(file: Path, name: str) -> dict[str, Any]:
    return {"name": name, "fingerprint": sha256(file), "kind": "stored scores", "file": file.name}


def _stamped(result: Result, begun: float, model: Remembering | None) -> Result:
    """With when, how long and by which command: what two equal runs may differ in."""
    from tiltmeter.cli import command_line

    run_facts: dict[str, Any] = {
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(time.monotonic() - begun, 2),
    }
    if model is not None:
        run_facts |= {"asked": model.asked, "recalled": model.recalled}
    return replace(
        result, card=replace(result.card, command=_without_paths(command_line()), run=run_facts)
    )


def _without_paths(command: str) -> str:
    """Of absolute paths only the last part: a result may be handed on."""
    words = [Path(w).name if w.startswith("/") else w for w in shlex.split(command)]
    return shlex.join(words)


def _publish(
    study: Study[Any],
    results: Sequence[Result],
    out_folder: Path,
    *,
    as_json: bool,
    jsonl: bool,
    seed: int,
    show_text: bool,
) -> None:
    """Write every run folder, then show: a table each and, for several, one comparison."""
    for result in results:
        folder = out_folder / folders.folder_name(result)
        folders.write(
            result, folder, page=page([result], (), study=study, show_text=show_text), jsonl=jsonl
        )
        if not as_json:
            print_result(result, study, out, files={"page": folder / "report.html", "all": folder})
    if len(results) > 1:
        _compared(study, results, out_folder, as_json=as_json, seed=seed, show_text=show_text)
    elif as_json:
        _json(_object(results, ()))


def _compared(
    study: Study[Any],
    results: Sequence[Result],
    out_folder: Path,
    *,
    as_json: bool,
    seed: int,
    show_text: bool,
) -> None:
    differences = compare_all(results, seed=seed)
    target = out_folder / folders.comparison_name(results) / "report.html"
    folders.write_text(
        target.with_name("comparison.json"), folders.to_json(_object(results, differences))
    )
    folders.write_text(target, page(results, differences, study=study, show_text=show_text))
    if as_json:
        _json(_object(results, differences))
        return
    print_comparison(differences, out)
    out.print(f"Comparison: {target}", markup=False, soft_wrap=True)


def _object(results: Sequence[Result], differences: Sequence[Estimate]) -> dict[str, Any]:
    """What --json prints: one card, or for several models what they share and a card each."""
    cards = [asdict(r.card) for r in results]
    card = cards[0] if len(cards) == 1 else {"study": cards[0]["study"], "cards": cards}
    numbers = [e for r in results for e in r.estimates]
    return {"card": card, "estimates": [asdict(e) for e in (*numbers, *differences)]}


def _json(value: object) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2))
