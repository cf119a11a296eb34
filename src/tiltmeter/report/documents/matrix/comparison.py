"""The sections that compare matrices in the document of a comparison."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Result
from tiltmeter.core.study_views import Matrix
from tiltmeter.core.text import counted, verb_for, visible
from tiltmeter.derived.matrices import matrix_comparison
from tiltmeter.derived.matrices.matrix import axes_of, cells_of
from tiltmeter.report import columns, text
from tiltmeter.report.document import PAGE, Block, Section, Table, Text
from tiltmeter.report.documents.matrix.cells import (
    CELL_ROWS,
    cell_table,
    heat_map,
    matrix_shown,
    surest,
)
from tiltmeter.report.plots.matrix_grid import MatrixGrid, grid_of
from tiltmeter.report.sentences import after_adjustment, value_with_interval
from tiltmeter.report.value_marks import apart_mark, apart_note

LEAST = 5
"""How many rows the terminal lists, the least similar first."""


@dataclass(frozen=True, slots=True)
class TwoMatrices:
    """The comparison of two models' matrices."""

    models: str
    """Both names with a minus sign between them, as differences are the first less the second."""
    estimates: Sequence[Estimate]
    grid: MatrixGrid | None
    """The differences of cells; None where the two matrices are not on one scale."""
    view: Matrix

    @property
    def whole(self) -> Mapping[str, Estimate]:
        """The estimates about the whole matrices, by name."""
        return {
            e.name: e
            for e in self.estimates
            if e.name in matrix_comparison.QUANTITIES and not e.groups
        }

    @property
    def by_row(self) -> list[Estimate]:
        """Kendall's tau of each row, lowest first, undefined ones last."""
        taus = [e for e in self.estimates if e.name == matrix_comparison.TAU and e.groups]
        return sorted(taus, key=lambda e: (e.value is None, e.value or 0.0))

    def finding(self) -> list[Text]:
        """How similar the two matrices are, in sentences, the headline first."""
        tau = self.whole[matrix_comparison.TAU]
        note = (
            f"Note: {text.sentence_end(visible(tau.why))}"
            if tau.value is not None and tau.why
            else ""
        )
        same = self._known(matrix_comparison.SAME_LEAN)
        inside = text.in_brackets(same) if same else ""
        share = text.with_unit(same.value or 0.0, same.unit) if same else ""
        lean = f"Both lean the same way in {share} of cells{inside}." if same else ""
        rest = [lean, self._cells_that_differ(), note]
        headline = _order(tau, self.whole.get(matrix_comparison.TAU_WITHIN), self.view)
        return [Text(headline, "headline"), *(Text(line) for line in rest if line)]

    def _known(self, name: str) -> Estimate | None:
        e = self.whole.get(name)
        return None if e is None or e.value is None else e

    def _cells_that_differ(self) -> str:
        if self.grid is None:
            return "Their numbers are not on one scale: only the order of cells is compared."
        after = after_adjustment(self.grid.known)
        many, apart = self.grid.significant, self._known(matrix_comparison.STRENGTH)
        strengths = (
            f"Their root mean square strengths differ by {value_with_interval(apart)}. "
            if apart
            else ""
        )
        differ = f"{many:,} {verb_for(many, 'differ')}"
        return (
            f"{strengths}Of {counted(len(self.grid.known), 'cells')} {differ} "
            f"significantly (p < .05{after}). Differences between models with different vocabularies are not "
            "on one scale: read the order of cells first."
        )


def two_matrices(
    comparisons: Sequence[Estimate], view: Matrix, results: Sequence[Result] = ()
) -> list[TwoMatrices]:
    """The comparison of each two models, in the order of the estimates that `compare_cells` made.

    The domains of rows and columns are read from the records of the first result.
    """
    axes = axes_of(results[0]) if results else None
    name = matrix_comparison.difference_name(view)
    pairs = []
    for models in dict.fromkeys(e.model for e in comparisons):
        members = [e for e in comparisons if e.model == models]
        apart = cells_of(members, view, name)
        grid = grid_of(members, view, axes, measure=name) if apart else None
        pairs.append(TwoMatrices(models, members, grid, view))
    return pairs


def _order(tau: Estimate, within: Estimate | None, view: Matrix) -> str:
    if tau.value is None:
        return f"{visible(tau.model)}: the rank correlation of cells is undefined: {text.why_undefined(tau)}."
    words = (
        f"{visible(tau.model)}: the orders of their {counted(tau.n, 'common cells')} agree at Kendall’s "
        f"τ-b = {value_with_interval(tau)}; 0 would be no relation, 1 the same order."
    )
    if within and within.value is not None:
        words += (
            f" Without what all {view.row_names} share in a {text.axis_title(view.columns)}, τ-b is "
            f"{value_with_interval(within)}, which is how similarly they place single {view.row_names}."
        )
    return words


def comparison_sections(
    comparisons: Sequence[Estimate], view: Matrix, results: Sequence[Result] = ()
) -> list[Section]:
    """How similar each two matrices are and where they differ; with `results`, also the matrices."""
    pairs = two_matrices(comparisons, view, results)
    sections = [Section("comparison", "The models compared", (), on=PAGE)]
    for i, two in enumerate(pairs, 1):
        sections.append(_pair(two, view, i, alone=len(pairs) == 1))
    return [*sections, *([_side_by_side(results, view)] if len(results) > 1 else [])]


def _pair(two: TwoMatrices, view: Matrix, place: int, *, alone: bool) -> Section:
    """The section about two models; `alone` leaves out the finding, which is the document's own."""
    key = f"apart-{place}"
    blocks: list[Block] = [] if alone else [Text(line.text, on=PAGE) for line in two.finding()]
    blocks.append(_whole_table(two, key, alone=alone))
    if two.grid:
        cells = [cell for cell in surest(two.grid) if cell.value][:CELL_ROWS]
        blocks += [
            heat_map(
                two.grid, name=key, title=f"Differences, {two.models}", caption=_caption(two.grid)
            ),
            cell_table(
                two.grid, cells, "Strongest evidence of a difference", name=f"{key}-cells",
                first="first model nearer to",
            ),
        ]  # fmt: skip
    if any(e.value is not None for e in two.by_row):
        blocks.append(_row_table(two, view, key))
    return Section(key, two.models, blocks, level=3)


def _caption(grid: MatrixGrid) -> str:
    return (
        "The first model’s value minus the second’s: orange where the first is nearer to the right trait, "
        f"blue where it is nearer to the left one ({visible(grid.unit)}). Both were asked with the same "
        f"{grid.view.layer_names}, and the test is of their differences. A full square is a significant "
        "difference, a small one is not, and a cross has no value in one of them."
    )


def _whole_table(two: TwoMatrices, key: str, *, alone: bool) -> Table:
    rows = list(two.whole.values())
    whys = (
        f"{text.title(e)}: {text.why_undefined(e)}"
        for e in rows
        if e.value is None and e.name != matrix_comparison.TAU
    )
    shown = [
        columns.TableRows(rows).words("", text.title, name="measure"),
        columns.value_column(rows, show=lambda e: text.value_with_unit(e) + apart_mark(e)),
        *columns.interval_columns(rows, drop=2),
        columns.p_column(rows, "p", drop=2),
        columns.TableRows(rows).counts("cells", lambda e: e.n, drop=3),
    ]
    title = "The matrices as wholes" + ("" if alone else f", {two.models}")
    notes, strong = [*apart_note(rows), *dict.fromkeys(whys)], columns.significant(rows)
    return Table(title, shown, strong, notes=notes, name=f"{key}-wholes")


def _row_table(two: TwoMatrices, view: Matrix, key: str) -> Table:
    of = columns.TableRows(two.by_row)
    shown = [
        of.words("", lambda e: text.subset(e.groups, with_axis=False), name=view.rows),
        columns.value_column(two.by_row, "τ-b"),
        of.counts(view.column_names, lambda e: e.n, drop=1),
    ]
    title = f"Kendall’s τ-b by {text.axis_title(view.rows)}, least alike first"
    return Table(title, shown, most=LEAST, folded=True, name=f"{key}-rows")


def _side_by_side(results: Sequence[Result], view: Matrix) -> Section:
    """The heat map of each model, with one colour scale if all were scored in the same way."""
    matrices = [matrix_shown(result, view) for result in results]
    alike = all(matrix_comparison.same_scale(results[0], other) for other in results[1:])
    reach = max(shown.grid.reach for shown in matrices) if alike else None
    blocks: list[Block] = []
    for i, (shown, way) in enumerate(zip(matrices, _ways(results), strict=True), 1):
        scored = f" ({way})" if way and way not in shown.model else ""
        title = f"{shown.model}{scored}"
        blocks.append(heat_map(shown.grid, name=f"side-{i}", title=title, caption="", reach=reach))
    note = (
        "Colours reach to the same value wherever models were scored in one way; each picture’s legend "
        "says how far."
    )
    return Section("side", "The matrices, side by side", [*blocks, Text(note, "note")], on=PAGE)


def _ways(results: Sequence[Result]) -> list[str]:
    """For each result, the rule and the settings in which the results differ; "" where they do not."""
    rules = len({r.card.rule for r in results}) > 1
    settings = sorted({name for r in results for name in r.card.settings})
    differ = [
        name for name in settings if len({r.card.settings.get(name, "") for r in results}) > 1
    ]
    return [
        ", ".join([
            *([f"rule {r.card.rule}"] if rules else []),
            *(f"{name} {r.card.settings.get(name) or 'not set'}" for name in differ),
        ])
        for r in results
    ]  # fmt: skip
