"""leak: how far the stereotypes of other countries explain what a model says in one language.

What the command needs is imported when it runs: `--help` and shell completion answer at once.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tiltmeter.cli import completion
from tiltmeter.cli.arguments import Figures, Json, Out, PrintedAs, data_file
from tiltmeter.cli.console import err
from tiltmeter.core.options import Encoding, Seed

if TYPE_CHECKING:
    from tiltmeter.analysis.leakage.leak_conventions import LeakConvention
    from tiltmeter.analysis.leakage.leaks import Leaks
    from tiltmeter.data.people.ratings import Ratings


def leak(  # noqa: PLR0913 the command line's own options
    runs: Annotated[
        list[Path],
        typer.Argument(
            help="Run folders of one model, each in another language.",
            metavar="RUN…",
            show_default=False,
        ),
    ],
    *,
    monolingual: Annotated[
        list[Path] | None,
        typer.Option(
            help="A run of a model of one of these languages only, as a covariate; repeatable.",
            metavar="RUN",
            show_default=False,
        ),
    ] = None,
    people: Annotated[
        list[str] | None,
        typer.Option(
            help="Single ratings in one language, LANGUAGE=FILE; repeatable. Or one FILE with a column "
            "language. Default: the published ratings, stereotype_leakage.",
            metavar="[LANGUAGE=]FILE",
            show_default=False,
        ),
    ] = None,
    rating_scale: Annotated[
        str, typer.Option(help="Rating scale of --people.", metavar="LOW:HIGH")
    ] = "-50:50",
    convention: Annotated[
        str,
        typer.Option(
            help="How it is computed: tiltmeter, sotnikova2023 (the paper) or cao2023_code (its script).",
            autocompletion=completion.words("tiltmeter", "sotnikova2023", "cao2023_code"),
        ),
    ] = "tiltmeter",
    unit: Annotated[
        Literal["poles", "pairs"] | None,
        typer.Option(
            help="What the cells are: single traits, or signed pairs (default: as in the convention).",
            show_default=False,
        ),
    ] = None,
    missing: Annotated[
        Literal["complete", "available", "zero"] | None,
        typer.Option(
            help="Groups that too few people of a country rated: left out, each country alone on those "
            "that it has, or 0 (default: as in the convention).",
            show_default=False,
        ),
    ] = None,
    min_raters: Annotated[
        int | None,
        typer.Option(
            min=1, help="Fewest raters of a group in a language (default 4).", show_default=False
        ),
    ] = None,
    scale: Annotated[
        Literal["standardised", "paper"] | None,
        typer.Option(
            help="Coefficients shown: standardised, or of scores multiplied as in the paper (default: as in "
            "the convention).",
            show_default=False,
        ),
    ] = None,
    k: Annotated[
        int,
        typer.Option("--k", min=1, help="Leaked traits are among so many strongest of a group."),
    ] = 3,
    held: Annotated[
        float,
        typer.Option(
            min=0, max=1, help="Quantile of a group's traits from which people hold a trait."
        ),
    ] = 0.5,
    polarity: Annotated[
        Path | None,
        typer.Option(
            help="Table of traits: columns trait, polarity (positive, negative, non-polar).",
            parser=data_file,
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    placebos: Annotated[
        int, typer.Option(min=0, help="Draws of the placebo of each language; 0 for none.")
    ] = 100,
    encoding: Encoding = "",
    out_folder: Out = Path("runs"),
    as_json: Json = False,
    printed_as: PrintedAs = "text",
    figures: Figures = None,
    seed: Seed = 0,
) -> None:
    """Leakage between languages: flows from people of each country into a model, leaked traits."""
    from tiltmeter.analysis.leakage.leak_runs import read_language_runs
    from tiltmeter.analysis.leakage.leaks import LeakSettings, find_leaks
    from tiltmeter.analysis.leakage.polarity import read_polarities
    from tiltmeter.cli.show_document import Saved, save_document, show_document
    from tiltmeter.cli.typed_command import command_line
    from tiltmeter.report.documents.leaks.document import leaks_document
    from tiltmeter.report.documents.leaks.files import file_tables, leaks_json
    from tiltmeter.report.text import counted
    from tiltmeter.run.folder import prepare
    from tiltmeter.run.repeatable_command import repeatable

    prepare(out_folder)
    chosen = _convention(convention, unit=unit, missing=missing, min_raters=min_raters, scale=scale)
    chosen = replace(chosen, flows=replace(chosen.flows, placebos=placebos, seed=seed))
    said = {} if polarity is None else read_polarities(polarity, encoding=encoding)
    in_languages, alone = read_language_runs(runs), read_language_runs(monolingual or [])
    ratings = _ratings(people or [], rating_scale, encoding)
    err.print(f"fitting {counted(len(in_languages), 'languages')}", style="dim")
    found = find_leaks(
        in_languages, ratings, monolingual=alone, polarity=said,
        settings=LeakSettings(chosen, strongest=k, held=held),
    )  # fmt: skip
    command = repeatable(command_line())
    tables = file_tables(found)
    names = ["leak.json", *(f"{name}.csv" for name in tables)]
    saved = Saved(
        leaks_document(found, command=command, files=names),
        out_folder / _folder_name(found, ratings),
        leaks_json(found, command=command),
        tables,
    )
    pictures = save_document(saved, "leak", figures)
    if as_json or printed_as != "text":
        for note in found.notes:
            err.print(note)
    show_document(saved, "json" if as_json else printed_as, pictures)


def _convention(
    name: str,
    *,
    unit: Literal["poles", "pairs"] | None,
    missing: Literal["complete", "available", "zero"] | None,
    min_raters: int | None,
    scale: Literal["standardised", "paper"] | None,
) -> "LeakConvention":
    """The named convention with the user's choices in it."""
    from tiltmeter.analysis.leakage.leak_conventions import leak_convention

    known = leak_convention(name)
    return replace(
        known,
        flows=replace(known.flows, missing=missing or known.flows.missing),
        unit=unit or known.unit,
        min_raters=min_raters or known.min_raters,
        scaling=scale or known.scaling,
    )


def _ratings(given: Sequence[str], scale: str, encoding: str) -> "dict[str, Ratings]":
    """Ratings by language: the published ones, or what --people says."""
    from tiltmeter.core.errors import BadInput
    from tiltmeter.data.people.leakage_people import leakage_ratings, ratings_by_language
    from tiltmeter.data.people.ratings import scale_named

    if not given:
        return leakage_ratings()
    files: dict[str, Path] = {}
    for text in given:
        before, sign, after = text.partition("=")
        language, file = (before.strip(), after) if sign else ("", text)
        if language in files:
            way_out = "give one file for each language" if language else "write LANGUAGE=FILE"
            raise BadInput(f"--people {text!r} is a second file for it", way_out)
        files[language] = data_file(file)
    if "" in files and len(files) > 1:
        raise BadInput(
            f"--people {str(files[''])!r} does not say its language", "write LANGUAGE=FILE"
        )
    return ratings_by_language(files, scale=scale_named(scale), encoding=encoding)


def _folder_name(found: "Leaks", ratings: "dict[str, Ratings]") -> str:
    """The model, and a digest of all that went in."""
    from hashlib import sha256

    from tiltmeter.run.folder_names import folder_name, slug

    runs = [*found.runs, *found.monolingual]
    parts = [
        repr(found.settings),
        *(f"{run.language} {folder_name(run.result)}" for run in runs),
        *(f"{name} {one.groups} {one.values.tobytes().hex()}" for name, one in ratings.items()),
        repr(sorted(found.polarity.items())),
    ]
    digest = sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"leak-{slug(found.model)[:40]}-{digest}"
