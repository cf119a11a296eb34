"""survey accept: which written pairs and triples are accepted, from the votes of those who validated them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tiltmeter.cli.arguments import Json
from tiltmeter.cli.console import err, out, print_json, say_file
from tiltmeter.cli.survey_database import FilesFolder, people_libraries
from tiltmeter.core.options import Encoding, Option

if TYPE_CHECKING:
    from tiltmeter.survey.acceptance import Acceptance


def accept(
    export: Annotated[
        Path, Option("Folder of `survey export`: form.toml, items.csv, answers.csv.", argument=True)
    ] = Path("export"),
    *,
    to: FilesFolder = Path("accepted"),
    encoding: Encoding = "",
    as_json: Json = False,
) -> None:
    """Accept written pairs or triples by the votes of those who validated them.

    Pairs: three of six people, the writer counted, find it valid in one order and minimally distant.
    Triples: three of five agree on each label. What is accepted is a file for `tiltmeter run`.
    """
    from tiltmeter.core.text import json_line
    from tiltmeter.run.output_files import write_files

    with people_libraries():
        from tiltmeter.survey.acceptance import acceptance, read_export
        from tiltmeter.survey.formats.cells import as_csv
    found = acceptance(*read_export(export, encoding=encoding))
    files = {}
    if found.accepted:  # no CSV: a model is to see each sentence exactly as it is
        files[f"{found.kind}.jsonl"] = "".join(json_line(row) for row in found.accepted)
    if found.rejected:
        files["rejected.csv"] = as_csv([*found.rejected[0]], found.rejected)
    write_files(to, files)
    if as_json:
        print_json(_as_object(found))
    else:
        _print(found)
    for name in files:
        say_file(to / name)
    if found.accepted and not as_json:
        command = f"tiltmeter run {found.study} MODEL --data {to / found.kind}.jsonl"
        err.print(f"Score them: {command}", style="dim")


def _as_object(found: "Acceptance") -> dict[str, object]:
    return {
        "kind": found.kind, "items": len(found.accepted) + len(found.rejected),
        "accepted": len(found.accepted), "accepted_at_random": found.chance,
        "average_majority": found.agreement, "why": found.why,
        "people": {str(n): items for n, items in found.people.items()},
        "rejected": [dict(row) for row in found.rejected], "reasons": dict(found.reasons),
    }  # fmt: skip


def _print(found: "Acceptance") -> None:
    every = len(found.accepted) + len(found.rejected)
    share = f"{100 * len(found.accepted) / every:.1f} %" if every else "none to judge"
    out.print(f"{len(found.accepted)} of {every} {found.kind} accepted ({share})")
    out.print(f"at random, {100 * found.chance:.1f} % would be accepted")
    if found.agreement is None:
        out.print(f"agreement: undefined ({found.why})")
    else:
        what = "on whether a pair is valid" if found.kind == "pairs" else "on each label"
        out.print(f"agreement {what}: {found.agreement:.1f} % (average majority)")
    people = ", ".join(f"{items} by {n}" for n, items in found.people.items())
    out.print(f"people who validated: {people}")
    for why, count in found.reasons.most_common():
        out.print(f"rejected, {count}: {why}")
