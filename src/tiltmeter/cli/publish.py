"""What commands about results share: finding a study, loading its items, publishing results."""

import json
import re
import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import typer
from rich.markup import escape

from tiltmeter.analysis.compare import compare_all
from tiltmeter.analysis.matrix import as_csv, is_matrix, matrix_of
from tiltmeter.cli.console import err, out
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.finder import find
from tiltmeter.core.items import Dataset
from tiltmeter.core.results import Estimate, Result
from tiltmeter.core.study import Study
from tiltmeter.core.types import Ties
from tiltmeter.data.splits import split
from tiltmeter.report.documents.comparison import comparison_document
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.html import page
from tiltmeter.report.terminal import print_document
from tiltmeter.run import folder as folders
from tiltmeter.run.choosing import settings_of


def study_of(name: str) -> Study[Any]:
    """The study of this name."""
    study: Study[Any] = find("studies", name, "STUDY")
    return study


def ties_of(given: str | None) -> Ties | None:
    """The policy for ties that --ties names."""
    if given is None:
        return None
    known_ties: dict[str, Ties] = {"half": "half", "loss": "loss", "neutral": "neutral"}
    if given not in known_ties:
        raise UnknownName("policy for ties", given, known_ties)
    return known_ties[given]


def settings_given(given: Sequence[str] | None) -> dict[str, str]:
    """What --set says: NAME=VALUE, any number of times.

    >>> settings_given(["prior=noun", "margin=2"])
    {'prior': 'noun', 'margin': '2'}
    """
    found = {}
    for text in given or []:
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise BadInput(f"--set {text!r} is not NAME=VALUE", "write --set prior=noun")
        found[name.strip()] = value.strip()
    return found


def load(
    study: Study[Any],
    source: str | None,
    *,
    skip_invalid: bool,
    encoding: str,
    part: str | None = None,
    split_seed: int = 0,
    settings: Mapping[str, str] | None = None,
) -> Dataset[Any]:
    """The study's items, with what there is to say before they are used."""
    told = {"settings": settings_of(study, settings or {})} if study.settings else {}
    items = study.load(source, skip_invalid=skip_invalid, encoding=encoding, **told)
    if part is not None:
        items = split(items, part, seed=split_seed)
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


def stamped(result: Result, begun: float, *, asked: int | None = None, recalled: int = 0) -> Result:
    """With when, how long and by which command: what two equal runs may differ in."""
    from tiltmeter.cli import command_line

    run_facts: dict[str, Any] = {
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(time.monotonic() - begun, 2),
    }
    if asked is not None:
        run_facts |= {"asked": asked, "recalled": recalled}
    return replace(
        result, card=replace(result.card, command=without_paths(command_line()), run=run_facts)
    )


def without_paths(command: str) -> str:
    """Of absolute paths only the last part, also within a word: a result may be handed on.

    >>> without_paths("tiltmeter run pairs masked:/home/me/bert --data /home/me/mine.csv")
    'tiltmeter run pairs masked:bert --data mine.csv'
    """
    words = [re.sub(r"(^|[:,+=])(/[^:,+=]+)", _last_part, w) for w in shlex.split(command)]
    return shlex.join(words)


def _last_part(found: re.Match[str]) -> str:
    return found[1] + Path(found[2]).name


def written_beside(result: Result) -> dict[str, str]:
    """Files that a run folder gets beside the usual ones: of groups and traits the matrix."""
    return {"matrix.csv": as_csv(matrix_of(result))} if is_matrix(result) else {}


def keep(
    study: Study[Any], result: Result, out_folder: Path, *, jsonl: bool, show_text: bool
) -> tuple[Path, dict[str, str]]:
    """Write a run folder: where it is, and its further files of text."""
    folder = out_folder / folders.folder_name(result)
    more = written_beside(result)
    shown = page(run_document(result, study, show_text=show_text))
    folders.write(result, folder, page=shown, jsonl=jsonl, more=more)
    return folder, more


def publish(
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
        folder, more = keep(study, result, out_folder, jsonl=jsonl, show_text=show_text)
        if not as_json:
            files = {"page": folder / "report.html", **{Path(n).stem: folder / n for n in more}}
            print_document(run_document(result, study), out, files={**files, "all": folder})
    if len(results) > 1:
        compared(study, results, out_folder, as_json=as_json, seed=seed, show_text=show_text)
    elif as_json:
        print_json(as_object(results, ()))


def compared(
    study: Study[Any],
    results: Sequence[Result],
    out_folder: Path,
    *,
    as_json: bool,
    seed: int,
    show_text: bool,
) -> None:
    """Compare results: a page, a file and a table, or JSON."""
    differences = compare_all(results, seed=seed)
    target = out_folder / folders.comparison_name(results) / "report.html"
    folders.write_text(
        target.with_name("comparison.json"), folders.to_json(as_object(results, differences))
    )
    found = comparison_document(results, differences, study, show_text=show_text)
    folders.write_text(target, page(found))
    if as_json:
        print_json(as_object(results, differences))
        return
    print_document(found, out, files={"page": target})


def as_object(results: Sequence[Result], differences: Sequence[Estimate]) -> dict[str, Any]:
    """What --json prints: one card, or for several models what they share and a card each."""
    cards = [asdict(r.card) for r in results]
    for card in cards:
        del card["files"]  # of a folder
    card = cards[0] if len(cards) == 1 else {"study": cards[0]["study"], "cards": cards}
    numbers = [e for r in results for e in r.estimates]
    return {"card": card, "estimates": [asdict(e) for e in (*numbers, *differences)]}


def warn(text: str) -> None:
    """Say it on standard error, if there is something to say."""
    if text:
        err.print(f"[yellow]tiltmeter:[/] {escape(text)}")


def print_json(value: object) -> None:
    """One JSON value on standard output."""
    typer.echo(json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2))
