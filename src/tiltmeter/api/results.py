"""What the public functions return: results that can be looked at, tabulated, drawn and saved."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiltmeter.core.errors import UnknownName
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result
from tiltmeter.core.study import Study
from tiltmeter.core.text import counted, visible
from tiltmeter.report import saved_runs
from tiltmeter.report.card_file import read_card, updated_card
from tiltmeter.report.citation import citation
from tiltmeter.report.document import Document
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.fragment import fragment
from tiltmeter.report.model_card import ModelCardSection, model_card_section
from tiltmeter.report.rows import Rows, estimate_rows, record_rows
from tiltmeter.run.files.folder import folders_of_runs
from tiltmeter.run.files.output_files import write_text
from tiltmeter.run.planning.study_files import study_if_known

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

__all__ = ["Plot", "Rows", "RunResult"]


@dataclass(frozen=True, slots=True, repr=False)
class RunResult:
    """The result of a study or an analysis, with what notebooks and programs do with it.

    Results are equal where card, numbers and records are, whenever and wherever they were made or saved.

    >>> import tiltmeter as tm
    >>> result = tm.run("starter_pairs", "fake:masked")
    >>> result.headline
    <stereotype_rate: 45.19 % (39.36 to 51.15), p 0.128, n 270>
    >>> result.card
    <...: model fake:masked, rule pll_shared, convention paper, data starter_pairs, seed 0>
    >>> len(result.records)
    270
    """

    result: Result
    """The result as plain data, without the methods for notebooks."""
    study: Study[Any] | None = field(compare=False)
    """None where a loaded result is of a study that is not installed, and of an analysis."""
    folder: Path | None = field(default=None, compare=False)
    """Where it was saved or loaded from."""

    def __reduce__(self) -> tuple[object, ...]:
        # A study has functions, which pickle refuses: it is looked up again by its name.
        return _restored, (self.result, self.folder)

    @property
    def card(self) -> Card:
        """What was measured, how, on what, with which versions."""
        return self.result.card

    @property
    def headline(self) -> Estimate | None:
        """The study's main number over all items; None where it has none."""
        return self.result.headline

    @property
    def runs(self) -> "Sequence[RunResult]":
        """The results behind this one: an audit's studies, strongest evidence first; all compared runs."""
        folders = {} if self.folder is None else folders_of_runs(self.folder, self.card)
        return [
            RunResult(run, study_if_known(run.card), folders.get(name))
            for name, run in self.result.runs.items()
        ]

    @property
    def estimates(self) -> Rows[Estimate]:
        """All numbers, over all items and over subsets."""
        return estimate_rows(self.result.estimates)

    @property
    def records(self) -> Rows[Record]:
        """One record an item, with the model's scores."""
        return record_rows(self.result.records)

    def to_polars(self) -> "pl.DataFrame":
        """All numbers as a polars table, a row each: the same as `estimates.to_polars()`.

        >>> import tiltmeter as tm
        >>> result = tm.run("starter_pairs", "fake:masked")
        >>> result.to_polars().filter(name="stereotype_rate").height
        13
        """
        return self.estimates.to_polars()

    def to_pandas(self) -> "pd.DataFrame":
        """All numbers as a pandas table, a row each.

        Raises:
            Unavailable: pandas is not installed.
        """
        return self.estimates.to_pandas()

    def estimate(self, name: str, **groups: str) -> Estimate:
        """The number of this name over all items, or over a subset: `estimate("rate", gender="f")`.

        >>> import tiltmeter as tm
        >>> tm.run("starter_pairs", "fake:masked").estimate("stereotype_rate", bias_type="age")
        <stereotype_rate of bias_type age: 40 % (24.59 to 57.68), p (Holm) 1, n 30>

        Raises:
            UnknownName: There is none.
        """
        for estimate in self.result.estimates:
            if estimate.name == name and dict(estimate.groups) == groups:
                return estimate
        subsets = [f"{e.name} {dict(e.groups) or ''}".strip() for e in self.result.estimates]
        raise UnknownName("estimate", f"{name} {groups or ''}".strip(), subsets)

    def save(
        self, folder: str | Path, *, jsonl: bool = False, show_text: bool = True
    ) -> "RunResult":
        """Write the run folder: records, estimates, page and card.

        Args:
            folder: Made where it is not there.
            jsonl: Whether the records are written as lines of JSON as well.
            show_text: False leaves the items' texts out of the page.

        Returns:
            The result with its `folder`.

        Raises:
            StorageError, BadInput: It could not be written.
        """
        saved = saved_runs.save_run(
            self.result, self.study, Path(folder), jsonl=jsonl, show_text=show_text
        )
        return RunResult(self.result, self.study, saved.folder)

    def page(self, path: str | Path | None = None, *, show_text: bool = True) -> str:
        """The page as HTML, also written to a file where one is named."""
        page = saved_runs.run_page(self.result, self.study, show_text=show_text)
        return _written(page, path)

    def citation(self, *, latex: bool = False) -> str:
        r"""How to cite the result: a methods paragraph, and BibTeX of all that was used.

        The study, its rule and convention, the data, the models and the software. The text is a .bib file
        too, since BibTeX skips what stands between its entries.

        Args:
            latex: Whether the paragraph is LaTeX with \citep.
        """
        return str(citation([self.result], latex=latex))

    def to_model_card(self) -> ModelCardSection:
        """A section for a model card, and the metadata for the hub's model index.

        `print` shows the Markdown; `model_index` is what belongs under `model-index` in the metadata.
        """
        return model_card_section(self.result, self.study)

    def update_model_card(self, path: str | Path) -> Path:
        """Write the section and its metadata into a model card; what is there stays.

        A section of the same study, rule and convention is replaced. Where there is no file, one is made.

        Raises:
            BadInput: The file cannot be read, or its metadata are damaged.
            StorageError: It could not be written.
            MissingExtra: PyYAML is not installed.
        """
        file = Path(path)
        card = updated_card(read_card(file), self.to_model_card(), file=str(path))
        write_text(file, card, same_kind=False)
        return file

    @property
    def plots(self) -> Sequence[str]:
        """Names of the pictures, as `plot` takes them."""
        return [*saved_runs.run_pictures(self.result, self.study)]

    def plot(self, name: str = "", path: str | Path | None = None) -> "Plot":
        """A picture, the first without a name; also written to a file where one is named.

        >>> import tiltmeter as tm
        >>> result = tm.run("starter_pairs", "fake:masked")
        >>> result.plots
        ['bias_type', 'subsets', 'confidence']
        >>> result.plot("bias_type").svg[:4]
        '<svg'

        Raises:
            UnknownName: There is no such picture.
        """
        pictures = saved_runs.run_pictures(self.result, self.study)
        if name not in pictures and (name or not pictures):
            raise UnknownName("picture", name, pictures)
        svg = pictures[name or next(iter(pictures))]
        return Plot(_written(svg, path))

    def document(self) -> Document:
        """What the page, the terminal and a notebook show, without the items' texts."""
        return run_document(self.result, self.study, show_text=False)

    def __repr__(self) -> str:
        headline = next((text.text for text in self.document().paragraphs()), "no numbers")
        return visible(f"<{self.card.study}: {headline}>")

    def _repr_html_(self) -> str:
        return fragment(self.document())


@dataclass(frozen=True, slots=True, repr=False)
class Plot:
    """A picture as SVG, which a notebook shows.

    >>> Plot("<svg></svg>")
    <picture, 11 characters of SVG>
    """

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<picture, {counted(len(self.svg), 'characters')} of SVG>"


def _restored(result: Result, folder: Path | None) -> RunResult:
    return RunResult(result, study_if_known(result.card), folder)


def _written(text: str, path: str | Path | None) -> str:
    if path is not None:
        write_text(Path(path), text)
    return text
