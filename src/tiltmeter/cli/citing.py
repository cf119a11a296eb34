"""--cite: how results are cited, in the place of what the command shows else."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import typer

from tiltmeter.core.results import Result
from tiltmeter.derived.run_tables.run_table import RunTable

LATEX, BIB = ".tex", ".bib"
ENDINGS = (LATEX, ".md", ".txt", BIB)
"""Files that --cite writes: all but the last get the paragraphs alone, and the references beside them."""
REFERENCES = "references.bib"
"""The file of BibTeX beside a file of paragraphs."""
FIRST_LINE = "References of results of Tiltmeter"
"""BibTeX skips this text before the first entry. A file that begins like it may be written anew."""


def show_citation(
    results: Sequence[Result],
    *,
    latex: bool,
    to: Path | None,
    idle: Mapping[str, object],
    tables: Sequence[RunTable] = (),
) -> None:
    """Print the methods paragraphs and the BibTeX of results, or write them into files.

    Args:
        results: What is cited.
        latex: Whether the paragraphs are LaTeX; those in a .tex file are in any case.
        to: A .bib file for both, or a file for the paragraphs, beside which the BibTeX is `REFERENCES`; None
            prints both.
        idle: Values of the options that have no effect beside --cite, by option.
        tables: The tables that show the results.

    Raises:
        BadInput: One of these is given, or the file is of another kind.
        StorageError: A file cannot be written.
    """
    from tiltmeter.cli.console import say_file
    from tiltmeter.core.errors import BadInput
    from tiltmeter.report.citation import citation
    from tiltmeter.run.files.output_files import write_text

    if given := [option for option, value in idle.items() if value]:
        raise BadInput(
            f"{given[0]} has no effect with --cite, which writes about the methods",
            "give one of the two, or the command twice",
        )
    ending = to.suffix.lower() if to else ""
    if to is not None and ending not in ENDINGS:
        raise BadInput(
            f"--cite writes text and BibTeX, and {to.name!r} is no file of these",
            f"--to methods.tex, .md or .txt, with the BibTeX beside it in {REFERENCES}; "
            "or --to references.bib for both in one file",
        )
    text = citation(results, latex=latex or ending == LATEX, tables=tables)
    if to is None:
        typer.echo(str(text), nl=False)
        return
    files = {to: str(text)}
    if ending != BIB:
        files = {to: text.paragraphs, to.with_name(REFERENCES): f"{FIRST_LINE}\n\n{text.entries}"}
    for path, content in files.items():
        write_text(path, content)
        say_file(path)
