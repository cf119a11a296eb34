"""What several commands take, and --ray: where models are opened."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.options import Option, check_options

if TYPE_CHECKING:
    from tiltmeter.run.asking.model_openers import ModelOpener


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
    tuple[str, ...],
    Option(
        "A folder, a hub id, a name of `tiltmeter models list`, or KIND:NAME "
        "(masked, causal, seq2seq, permutation, gguf, served, chat, replay, encoder, vectors, fake). "
        "Several are compared; give none if the data contain the answers.",
        argument=True, complete="models",
    ),
]  # fmt: skip
ModelNames = Annotated[
    tuple[str, ...],
    Option(
        "What titles, tables and pictures call the model (default: the end of its path, or its name at its "
        "server); of several models REFERENCE=NAME, repeatable.",
        name="name", metavar="[REFERENCE=]NAME",
    ),
]  # fmt: skip
StudyOrFile = Annotated[
    str,
    Option(
        "A study (`tiltmeter ls` lists them), or a Python file of yours with --allow-code.",
        argument=True, complete="studies",
    ),
]  # fmt: skip
StudyOrFiles = Annotated[
    str,
    Option(
        "A study (`tiltmeter ls` lists them), a TOML file that lists studies and models, or a Python file of "
        "yours with --allow-code.",
        argument=True, complete="studies",
    ),
]  # fmt: skip
RunFolder = Annotated[Path, Option("A run folder.", argument=True)]
Out = Annotated[Path, Option("Folder for the results.", name="out")]
Json = Annotated[bool, Option("Print one JSON object instead of a table.", name="json")]
Jsonl = Annotated[bool, Option("Write records.jsonl as well.")]
FreshRuns = Annotated[bool, Option("Repeat finished runs and ignore stored answers.")]
Cite = Annotated[
    bool,
    Option(
        "Print how to cite: a methods paragraph, and BibTeX of study, rule, convention, data, models and "
        "software."
    ),
]
NoText = Annotated[bool, Option("Leave the sentences out of the page.")]
Thoughts = Annotated[bool, Option("Also what the model thought before it answered.")]
Everything = Annotated[
    bool,
    Option(
        "Print all tables and rows, also those of few items, instead of a screenful.", name="all"
    ),
]
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
        "Exit with 3 if this holds: 'MEASURE > 60', 'MEASURE.low > 50', 'MEASURE:AXIS=VALUE > 70'. Any "
        'printed number can be named; put double quotes around what contains one of ",=:/<> in it.',
        metavar="THRESHOLD",
    ),
]
FailUnless = Annotated[
    tuple[str, ...],
    Option(
        "Exit with 3 unless the comparison shows this: 'MEASURE equivalent 2', 'MEASURE not_worse 2%'. "
        "Without a margin, that of --margin.",
        metavar="CLAIM",
    ),
]
ShowPlan = Annotated[
    bool, Option("Count requests, tokens, time, memory and cost, and ask nothing.")
]


@dataclass(frozen=True, slots=True)
class RunOutput:
    """Where results are kept, and how they are shown."""

    folder: Out = Path("runs")
    as_json: Json = False
    jsonl: Jsonl = False
    no_text: NoText = False
    everything: Everything = False


@dataclass(frozen=True, slots=True)
class RayOptions:
    """Whether a cluster's workers open the models, and which."""

    ray: Annotated[bool, Option("Distribute the work over Ray workers, here or on a cluster.")] = (
        False
    )
    ray_address: Annotated[str | None, Option("HOST:PORT of a Ray cluster; implies --ray.")] = None
    workers: Annotated[
        int | None,
        Option("Number of Ray workers (default: one per GPU, or one per machine).", min=1),
    ] = None

    def __post_init__(self) -> None:
        """Raises BadInput for --workers without --ray, which would have no effect."""
        check_options(self)
        if self.workers is not None and not self.is_used:
            raise BadInput("--workers only applies with --ray", "add --ray, or leave it out")

    @property
    def is_used(self) -> bool:
        """Whether workers open the models, instead of this process."""
        return self.ray or self.ray_address is not None


@contextmanager
def model_opener(options: RayOptions, *, gpus: bool) -> Iterator["ModelOpener"]:
    """This process or, with --ray, a cluster's workers, for as long as the block lasts."""
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.run.asking.model_openers import LocalOpener

    if not options.is_used:
        yield LocalOpener(monitor)
        return
    from tiltmeter.run.asking.ray_cluster import cluster

    with cluster(options.ray_address, options.workers, gpus=gpus, say=monitor.step) as opener:
        yield opener
