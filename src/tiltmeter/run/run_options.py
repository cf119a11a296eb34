"""The options of runs and audits: how a study is measured, and how a model is audited."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

from tiltmeter.core.reading.named_values import columns_given, settings_given
from tiltmeter.core.reading.options import (
    CheckedOptions,
    Encoding,
    Missing,
    Option,
    Seed,
    SkipInvalid,
    check_options,
)

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from tiltmeter.core.data.items import Dataset
    from tiltmeter.core.types import Ties

TIES = ("half", "loss", "neutral")
Columns = Annotated[
    Mapping[str, str],
    Option(
        "The column of your file for a field of the study; COLUMN:OLD=NEW,… maps its values.",
        name="map", metavar="FIELD=COLUMN", parse=columns_given,
    ),
]  # fmt: skip

MarginOptions = Annotated[
    tuple[str, ...],
    Option(
        "Largest difference that counts as equivalent: 2 (points), 2% (of the reference), "
        "MEASURE=2 or MEASURE=2%; "
        "repeatable.",
        metavar="[MEASURE=]NUMBER[%]",
    ),
]

StudyPath = Annotated[
    str | None,
    Option(
        "The Python file that the study of the runs was read from; needs --allow-code.",
        name="study", metavar="FILE",
    ),
]  # fmt: skip
AllowCode = Annotated[bool, Option("Run the code of the Python file that has the study.")]
Fresh = Annotated[bool, Option("Ignore stored answers and ask the model again.")]


# Without slots: Python cannot join several classes that have them into one.
@dataclass(frozen=True)
class ScoringOptions:
    """Options for how items are scored and how scores are interpreted."""

    rule: Annotated[str | None, Option("How a sentence is scored.", complete="rules")] = None
    """The name of the rule; None means the first that the model can answer."""
    convention: Annotated[
        str | None,
        Option(
            "Follow a published program where it departs from the paper.", complete="conventions"
        ),
    ] = None
    ties: Annotated[
        "Ties | None",
        Option(
            "What a tie counts as: half, loss or neutral.",
            typed=str, choices=TIES, noun="policy for ties",
        ),
    ] = None  # fmt: skip
    """The policy for ties; None means that of the convention."""
    settings: Annotated[
        Mapping[str, str],
        Option(
            "A setting of the study; `tiltmeter ls STUDY` lists them.",
            name="set", metavar="NAME=VALUE", complete="settings", parse=settings_given,
        ),
    ] = field(default_factory=dict)  # fmt: skip


@dataclass(frozen=True)
class ReadingOptions:
    """Options for where items come from and how their file is read."""

    data: Annotated[
        "str | Path | Dataset[Any] | None",
        Option(
            "Data set, file or hf:OWNER/NAME/FILE@REVISION: CSV, TSV, JSONL or Parquet; "
            "JSON for association tests, TOML for groups.",
            typed=str, complete="data",
        ),
    ] = None  # fmt: skip
    """The data set, file or loaded items; None means the study's own data."""
    columns: Columns = field(default_factory=dict)
    encoding: Encoding = ""
    missing: Missing = None
    skip_invalid: SkipInvalid = False
    valid: Annotated[
        "str | Path | None",
        Option(
            "Table of people's verdicts on items (id, valid: yes or no): results are also given by `valid`.",
            typed=str, metavar="FILE",
        ),
    ] = None  # fmt: skip


@dataclass(frozen=True)
class SelectingOptions:
    """Options for which items are used, and the seed of all random draws."""

    split: Annotated[
        str | None,
        Option(
            "Use only the development or the test part of the target terms.",
            choices=("development", "test"), noun="part",
        ),
    ] = None  # fmt: skip
    split_seed: Annotated[int, Option("Seed for choosing the development terms.", min=0)] = 0
    limit: Annotated[int | None, Option("Use a random sample of this many items.", min=1)] = None
    wordings: Annotated[
        str | None,
        Option(
            "Ask each question in several wordings: all of the study's, the first N, or those of a TOML "
            "file.",
            metavar="all|N|FILE",
        ),
    ] = None  # fmt: skip
    placebo: Annotated[
        str | None,
        Option(
            "Subtract the effect of irrelevant changes: edits, names, or a file of your own paraphrases, "
            "edits or control questions.",
            metavar="edits|names|FILE",
        ),
    ] = None  # fmt: skip
    seed: Seed = 0


@dataclass(frozen=True)
class AskingOptions:
    """Options for what a model is asked besides scores, and whether its stored answers are used."""

    tokens: Annotated[bool, Option("Also keep the score of each token, if the rule has one.")] = (
        False
    )
    fresh: Fresh = False


@dataclass(frozen=True)
class ReplyOptions:
    """Options for how a model is asked to reply, whatever the study."""

    system: Annotated[
        "str | Path | None",
        Option("Text file with a system prompt for every conversation.", typed=str, metavar="FILE"),
    ] = None  # fmt: skip
    thinking: Annotated[
        str | None,
        Option(
            "How much the model thinks before it answers: on, off, low, medium or high (default: as it does "
            "by itself).",
            choices=("on", "off", "low", "medium", "high"),
        ),
    ] = None  # fmt: skip
    answer_tokens: Annotated[
        int | None, Option("Longest answer in tokens, in place of the study's own limit.", min=1)
    ] = None
    thinking_tokens: Annotated[
        int | None,
        Option("Longest thought in tokens, besides the answer (default 1,024 to 16,384).", min=1),
    ] = None
    thinking_tags: Annotated[
        str, Option("How thoughts begin and end, if in an unusual way.", metavar="OPEN,CLOSE")
    ] = ""
    repeats: Annotated[
        int | None,
        Option("Replies to each item, where the model writes (default: as the study says).", min=1),
    ] = None
    """None means as many as the data ask for."""


@dataclass(frozen=True)
class RunOptions(ScoringOptions, ReadingOptions, SelectingOptions, ReplyOptions, AskingOptions):
    """The options of `tiltmeter run` that concern the study; other commands use some of the groups above."""

    def __post_init__(self) -> None:
        """Refuse values that are invalid for every study."""
        check_options(self)


# Without slots, as above.
@dataclass(frozen=True)
class AuditOptions(ReplyOptions, CheckedOptions):
    """The options of `tiltmeter audit`, except for those that concern its output."""

    profile: Annotated[
        "str | Path",
        Option(
            "quick, chat, full, release, or a TOML file.",
            typed=str,
            metavar="NAME|FILE",
            complete="profiles",
        ),
    ] = "quick"
    against: Annotated[
        "str | Path | None",
        Option(
            "Compare with another model, or with the folder of an earlier audit.",
            typed=str, metavar="MODEL|FOLDER",
        ),
    ] = None  # fmt: skip
    margin: MarginOptions = ()
    max_time: Annotated[
        str | None,
        Option("Time after which no more questions are asked: 30m, 2h, 90s.", metavar="TIME"),
    ] = None
    require_complete: Annotated[
        bool,
        Option(
            "Exit with 3 unless every study that applies to the model has a result with enough "
            "answers; default in the profile release."
        ),
    ] = False
    fresh: Annotated[bool, Option("Repeat finished studies and ignore stored answers.")] = False
    overwrite: Annotated[bool, Option("Replace the report of another model in the folder.")] = False
