"""--cite: how results are cited, in the place of what the command shows else."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import typer

from tiltmeter.core.results import Result

ENDING = ".bib"


def show_citation(
    results: Sequence[Result], *, latex: bool, to: Path | None, idle: Mapping[str, object]
) -> None:
    """Print the methods paragraphs and the BibTeX of results, or write them into a file.

    Args:
        results: What is cited.
        latex: Whether the paragraphs are LaTeX.
        to: The file; None prints.
        idle: Values of the options that have no effect beside --cite, by option.

    Raises:
        BadInput: One of these is given, or the file is no .bib file.
        StorageError: The file cannot be written.
    """
    from tiltmeter.cli.console import say_file
    from tiltmeter.core.errors import BadInput
    from tiltmeter.report.citation import citation
    from tiltmeter.run.files.output_files import write_text

    if given := [option for option, value in idle.items() if value]:
        raise BadInput(
            f"{given[0]} has no effect with --cite, which prints references only",
            "give one of the two, or the command twice",
        )
    if to is not None and to.suffix.lower() != ENDING:
        raise BadInput(
            f"--cite writes BibTeX, and {to.name!r} is no .bib file", "--to references.bib"
        )
    text = citation(results, latex=latex)
    if to is None:
        typer.echo(text, nl=False)
    else:
        write_text(to, text)
        say_file(to)
