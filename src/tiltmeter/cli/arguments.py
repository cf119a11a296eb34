"""Arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from tiltmeter.cli import completion


def data_file(text: str) -> Path:
    """A file that a command reads; one of the hub (`hf:OWNER/NAME/FILE@REVISION`) is fetched."""
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.data.hub import hub_files

    with monitor.download(text) as progress:
        return Path(hub_files.local(text, progress))


def plain_name(model: str) -> str:
    """A name for a folder, from the last part of what the user typed."""
    return Path(model.rpartition(":")[2]).expanduser().resolve().name or "model"


Corpus = Annotated[
    Path,
    typer.Option(
        help="Running text: .txt, .tokens or .jsonl, also .gz, a folder, or hf:OWNER/NAME/FILE@REVISION.",
        parser=data_file,
        metavar="FILE",
    ),
]
StudyName = Annotated[
    str,
    typer.Argument(
        help="A study; `tiltmeter ls` lists them.",
        show_default=False,
        autocompletion=completion.studies,
    ),
]
Models = Annotated[
    list[str],
    typer.Argument(
        help="A folder, a hub id, a name of `tiltmeter models list`, or KIND:NAME "
        "(masked, causal, seq2seq, permutation, gguf, chat, replay, encoder, vectors, fake). "
        "Several give one comparison.",
        show_default=False,
        autocompletion=completion.models,
    ),
]
StudyOrFile = Annotated[
    str,
    typer.Argument(
        help="A study (`tiltmeter ls` lists them), or a Python file of yours with --allow-code.",
        show_default=False,
        autocompletion=completion.studies,
    ),
]
StudyPath = Annotated[
    str | None,
    typer.Option(
        "--study",
        help="The Python file that the study of the runs was read from; needs --allow-code.",
        metavar="FILE",
        show_default=False,
    ),
]
AllowCode = Annotated[
    bool, typer.Option("--allow-code", help="Run the code of the Python file that has the study.")
]
RuleName = Annotated[
    str | None,
    typer.Option("--rule", help="How a sentence is scored.", autocompletion=completion.rules),
]
ConventionName = Annotated[
    str | None,
    typer.Option(
        "--convention",
        help="Follow a published program where it departs from the paper.",
        autocompletion=completion.conventions,
    ),
]
TiesPolicy = Annotated[
    str | None,
    typer.Option(
        "--ties",
        help="What a tie counts as: half, loss or neutral.",
        autocompletion=completion.words("half", "loss", "neutral"),
    ),
]
DataSource = Annotated[
    str | None,
    typer.Option(
        "--data",
        help="Data set, file or hf:OWNER/NAME/FILE@REVISION: CSV, TSV, JSONL or Parquet; "
        "JSON for association tests, TOML for groups.",
        autocompletion=completion.data,
    ),
]
MapColumns = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        metavar="FIELD=COLUMN",
        help="The column of your file for a field of the study (may be given several times).",
        show_default=False,
    ),
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A setting of the study; `tiltmeter ls STUDY` lists them.",
        autocompletion=completion.settings,
    ),
]
Encoding = Annotated[str, typer.Option(help="File encoding (default UTF-8).")]
Out = Annotated[Path, typer.Option("--out", help="Folder for the results.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]
PrintedAs = Annotated[
    Literal["text", "csv", "json", "markdown", "latex"],
    typer.Option("--format", help="Output format; csv, markdown and latex print the tables only."),
]
Figures = Annotated[
    Literal["pdf", "png", "svg"] | None,
    typer.Option(help="Also write the pictures as files, for papers.", show_default=False),
]
Jsonl = Annotated[bool, typer.Option("--jsonl", help="Write records.jsonl as well.")]
Seed = Annotated[int, typer.Option(min=0, help="Seed of bootstraps and random masks.")]
Skip = Annotated[
    bool,
    typer.Option("--skip-invalid", help="Leave out items that cannot be scored, and list them."),
]
FailIf = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-if",
        help="Exit with 3 if this holds: 'MEASURE > 60', 'MEASURE.low > 50', 'MEASURE:AXIS=VALUE > 70'.",
        show_default=False,
    ),
]
NoText = Annotated[bool, typer.Option("--no-text", help="Leave the sentences out of the page.")]
Split = Annotated[
    str | None,
    typer.Option(
        "--split",
        help="Use only the development or the test part of the target terms.",
        autocompletion=completion.words("development", "test"),
    ),
]
SplitSeed = Annotated[int, typer.Option(min=0, help="Seed for choosing the development terms.")]
Limit = Annotated[
    int | None,
    typer.Option(
        "--limit", min=1, help="Use a random sample of this many items.", show_default=False
    ),
]
Device = Annotated[str, typer.Option(help="Device: auto, cpu, cuda, cuda:1, mps.")]
Revision = Annotated[str | None, typer.Option(help="Hub branch, tag or commit.")]
BatchTokens = Annotated[
    int | None, typer.Option(min=1, help="Tokens in a forward pass; limits memory use.")
]
TrustRemoteCode = Annotated[
    bool, typer.Option("--trust-remote-code", help="Run Python code that comes with the model.")
]
AllowPickle = Annotated[
    bool, typer.Option("--allow-pickle", help="Load weights that are not safetensors.")
]
AtOnce = Annotated[
    int, typer.Option("--at-once", min=1, help="Requests to a server under way at the same time.")
]
Timeout = Annotated[
    float, typer.Option("--timeout", min=0.1, help="Seconds to wait for a server's answer.")
]
Tries = Annotated[int, typer.Option("--tries", min=1, help="Attempts for a request to a server.")]
ShowPlan = Annotated[
    bool,
    typer.Option(
        "--plan", help="Count requests, tokens, time and cost, and ask nothing.", show_default=False
    ),
]
MaxRequests = Annotated[
    int | None,
    typer.Option("--max-requests", help="Stop after so many requests; the same command goes on."),
]
MaxCost = Annotated[
    float | None,
    typer.Option("--max-cost", help="Stop before this is exceeded; needs --price."),
]
PriceOfTokens = Annotated[
    str | None,
    typer.Option(
        "--price",
        metavar="READ,WRITTEN",
        help="What a million tokens cost, in your currency: 0.15,0.60.",
        show_default=False,
    ),
]
