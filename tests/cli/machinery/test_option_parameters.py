"""Commands made of dataclasses of options."""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import pytest
import typer
from typer.testing import CliRunner

from support.option_tries import commands
from tiltmeter.cli.machinery.option_parameters import GivenOptions, Subset, expanded, only
from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.named_values import columns_given
from tiltmeter.core.reading.options import Option, check_options
from tiltmeter.models.opening.model_options import Options
from tiltmeter.run.run_options import RunOptions


@dataclass(frozen=True)
class Source:
    model: Annotated[str, Option("A model.", argument=True)]
    corpus: Annotated[str, Option("Text.", file=True)]
    columns: Annotated[
        Mapping[str, str], Option("Columns.", name="map", parse=columns_given)
    ] = field(default_factory=dict)  # fmt: skip


@dataclass(frozen=True)
class Cut(Source):
    kind: Annotated[Literal["mean", "last"], Option("Pooling.")] = "mean"
    seeds: Annotated[tuple[int, ...], Option("Seeds.")] = (0, 1)
    limit: Annotated[int | None, Option("Limit.", min=1)] = None
    depth: Annotated[int, Option("Depth.", letter="k")] = 1
    out: Annotated[Path, Option("Folder.")] = Path("runs")
    skip_invalid: Annotated[bool, Option("Skip.")] = False

    def __post_init__(self):
        check_options(self)


@pytest.fixture
def called():
    """Run a command with some words, and give its exit code and output, and what it was called with."""

    def call(command, *words):
        app = typer.Typer(add_completion=False)
        app.command()(expanded(command))
        return CliRunner().invoke(app, words, catch_exceptions=False)

    return call


def test_each_option_becomes_one_on_the_command_line(called):
    seen = []

    def cut(how: Cut, *, note: Annotated[str, Option("A note.")] = "") -> None:
        seen.append((how, note))

    called(cut, "bert", "--corpus", "a.txt")
    called(
        cut, "bert", "--corpus", "a.txt", "--kind", "last", "--map", "text=t", "--seeds", "5",
        "--seeds", "6", "--limit", "3", "-k", "2", "--out", "there", "--skip-invalid", "--note", "n",
    )  # fmt: skip
    assert seen == [
        (Cut("bert", "a.txt"), ""),
        (Cut("bert", "a.txt", {"text": "t"}, "last", (5, 6), 3, 2, Path("there"), True), "n"),
    ]


def test_help_says_what_the_fields_say(called):
    def cut(how: Cut) -> None:
        """Cut."""

    page = called(cut, "--help").output
    for text in ("model", "A model.", "[required]", "--skip-invalid", "[default: runs]", "x>=1"):
        assert text in page
    assert "--no-skip-invalid" not in page


def test_numbers_out_of_range_are_refused_before_the_command_runs(called):
    def cut(how: Cut) -> None:
        raise AssertionError(how)

    done = called(cut, "bert", "--corpus", "a.txt", "--limit", "0")
    assert (done.exit_code, "--limit" in done.output) == (2, True)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["bert", "--corpus", "a.txt", "--out", ""], "--out is empty"),
        (["bert", "--corpus", ""], "--corpus is empty"),
        (["", "--corpus", "a.txt"], "the argument model is empty"),
    ],
)
def test_an_empty_value_is_never_the_current_folder(called, words, named):
    """As of `--out "$FOLDER"` where the variable is not set."""

    def cut(how: Cut) -> None:
        raise AssertionError(how)

    with pytest.raises(BadInput, match=named):
        called(cut, *words)


def test_an_empty_value_may_be_one(called):
    seen = []

    def cut(*, words: Annotated[str, Option("Words.", may_be_empty=True)] = "NA") -> None:
        seen.append(words)

    called(cut, "--words", "")
    assert seen == [""]


def test_every_path_of_every_command_is_checked_for_being_empty():
    """typer makes the current folder of an empty text where it makes the path itself."""
    unchecked = []
    for name, entry in commands():
        module, _, function = entry.where.partition(":")
        made = expanded(getattr(import_module(f"tiltmeter.cli.{module}"), function))
        for parameter in inspect.signature(made).parameters.values():
            kinds = {parameter.annotation, *get_args(parameter.annotation)}
            kinds |= {inner for kind in kinds for inner in get_args(kind)}
            marks = getattr(parameter.annotation, "__metadata__", ())
            if Path in kinds and not any(mark.parser or mark.path_type is str for mark in marks):
                unchecked.append(f"{name} {parameter.name}")
    assert not unchecked


@pytest.mark.parametrize(
    ("subset", "kept"),
    [
        (only("model", "corpus", "limit"), {"--corpus", "--limit"}),
        (only(Source, "limit", "kind"), {"--corpus", "--map", "--kind", "--limit"}),
    ],
)
def test_a_command_may_have_some_of_the_options(called, subset, kept):
    def cut(how: Annotated[Cut, subset]) -> None: ...

    page = called(cut, "--help").output
    options = ("--corpus", "--kind", "--map", "--seeds", "--limit", "-k", "--out", "--skip")
    assert {name for name in options if f" {name}" in page} == kept


def test_an_option_that_the_dataclass_lacks_cannot_be_named():
    def cut(how: Annotated[Cut, only("limit", "width")]) -> None: ...

    with pytest.raises(TypeError, match="Cut has no options width"):
        expanded(cut)


def test_only_what_was_typed(called):
    seen = []

    def cut(
        given: Annotated[dict[str, Any], GivenOptions(Cut, only("limit", "out", "skip_invalid"))],
    ) -> None:
        seen.append(given)

    called(cut)
    called(cut, "--limit", "1", "--out", "runs", "--skip-invalid")
    assert seen == [{}, {"limit": 1, "out": Path("runs"), "skip_invalid": True}]


def test_options_of_a_dataclass_within_a_dataclass_follow(called):
    @dataclass(frozen=True)
    class Training:
        cut: Cut
        rounds: Annotated[int, Option("Rounds.")] = 1

    seen = []

    def train(config: Training) -> None:
        seen.append(config)

    called(train, "bert", "--corpus", "a.txt", "--rounds", "2", "--limit", "3")
    assert seen == [Training(Cut("bert", "a.txt", limit=3), 2)]


def test_several_files(called):
    @dataclass(frozen=True)
    class Read:
        files: Annotated[tuple[str, ...], Option("Files.", argument=True, file=True)]

    seen = []

    def read(read: Read, *, more: Annotated[list[Path] | None, Option("More.", file=True)] = None):
        seen.append((read, more))

    called(read, "a.csv", "b.csv", "--more", "c.csv")
    assert seen == [(Read(("a.csv", "b.csv")), [Path("c.csv")])]


def test_only_run_takes_all_options_of_a_run():
    """Every other command names those that it honours, so that new ones do not reach it unasked."""
    takes_all = set()
    for name, entry in commands():
        module, _, function = entry.where.partition(":")
        command = getattr(import_module(f"tiltmeter.cli.{module}"), function)
        for hint in get_type_hints(command, include_extras=True).values():
            owner, *marks = get_args(hint) if get_origin(hint) is Annotated else (hint,)
            named = any(isinstance(mark, Subset) for mark in marks)
            if owner in {RunOptions, Options} and not named:
                takes_all.add(name)
    assert takes_all == {"run"}
