"""Arguments and options that several commands share, besides those of models and of studies."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from tiltmeter.core.options import Option


def data_file(text: str) -> Path:
    """A file that a command reads; one of the hub (`hf:OWNER/NAME/FILE@REVISION`) is fetched."""
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.data.hub import hub_files

    with monitor.download(text) as progress:
        return Path(hub_files.local(text, progress))


Model = Annotated[
    str,
    Option(
        "A folder, a hub id, a name of `tiltmeter models list`, or KIND:NAME.",
        argument=True, complete="models",
    ),
]  # fmt: skip
Models = Annotated[
    list[str],
    Option(
        "A folder, a hub id, a name of `tiltmeter models list`, or KIND:NAME "
        "(masked, causal, seq2seq, permutation, gguf, chat, replay, encoder, vectors, fake). "
        "Several give one comparison.",
        argument=True, complete="models",
    ),
]  # fmt: skip
StudyOrFile = Annotated[
    str,
    Option(
        "A study (`tiltmeter ls` lists them), or a Python file of yours with --allow-code.",
        argument=True, complete="studies",
    ),
]  # fmt: skip
RunFolder = Annotated[Path, Option("A run folder.", argument=True)]
Out = Annotated[Path, Option("Folder for the results.", name="out")]
Json = Annotated[bool, Option("Print one JSON object instead of a table.", name="json")]
Jsonl = Annotated[bool, Option("Write records.jsonl as well.")]
NoText = Annotated[bool, Option("Leave the sentences out of the page.")]
PrintedAs = Annotated[
    Literal["text", "csv", "json", "markdown", "latex"],
    Option("Output format; csv, markdown and latex print the tables only.", name="format"),
]
Figures = Annotated[
    Literal["pdf", "png", "svg"] | None, Option("Also write the pictures as files, for papers.")
]
FailIf = Annotated[
    tuple[str, ...],
    Option(
        "Exit with 3 if this holds: 'MEASURE > 60', 'MEASURE.low > 50', 'MEASURE:AXIS=VALUE > 70'.",
        metavar="THRESHOLD",
    ),
]
ShowPlan = Annotated[bool, Option("Count requests, tokens, time and cost, and ask nothing.")]


@dataclass(frozen=True, slots=True)
class RunOutput:
    """Where results are kept, and how they are shown."""

    folder: Out = Path("runs")
    as_json: Json = False
    jsonl: Jsonl = False
    no_text: NoText = False
