"""The section on whether the layers of a matrix, such as the templates it averages over, agree."""

from collections import Counter
from collections.abc import Sequence

from tiltmeter.core.errors import Undefined
from tiltmeter.derived.matrices.layer_agreement import LayerAgreement, agreements, correlations
from tiltmeter.report.columns import TableRows
from tiltmeter.report.document import PAGE, Block, Section, Table, Text
from tiltmeter.report.documents.matrix.cells import MatrixShown
from tiltmeter.report.text import axis_title, number, with_unit

MUCH = 1 / 3
"""A family of layers with more than this share of them is named in a caution."""


def layer_section(shown: MatrixShown) -> Section:
    """The agreement between layers in words and as a table, the least agreeing first."""
    names = shown.view.layer_names
    id_, title = f"{shown.key}-layers", f"Do the {names} agree?"
    if shown.layers is None:
        return Section(id_, title, ())
    try:
        agreement = agreements(shown.layers)
    except Undefined as why:
        return Section(id_, title, [Text(f"Agreement between {names} is undefined: {why}.")])
    ordered = sorted(agreement, key=lambda a: (a.correlation is None, a.correlation or 0.0))
    blocks: list[Block] = [Text(_agreement_words(shown, ordered)), _agreement_table(shown, ordered)]
    return Section(id_, title, blocks)


def _agreement_words(shown: MatrixShown, ordered: Sequence[LayerAgreement]) -> str:
    view, size = shown.view, len(ordered)
    ranked = correlations(ordered)
    if not ranked:
        return f"There are too few cells to correlate {view.layer_names}."
    middle = (ranked[(len(ranked) - 1) // 2] + ranked[len(ranked) // 2]) / 2
    words = (
        f"The cells of each {axis_title(view.layers)} correlate with the means of all others at a "
        f"median of {number(middle)} (Pearson’s r), from {number(ranked[0])} to {number(ranked[-1])}."
    )
    low = sum(a.correlation is not None and a.correlation <= 0 for a in ordered)
    if low == 1:
        words += f" One {axis_title(view.layers)} does not correlate positively with the others."
    elif low:
        words += f" {low} of {size} {view.layer_names} do not correlate positively with the others."
    (family, members), *_ = Counter(a.family for a in ordered).most_common(1)
    if family and MUCH * size < members < size:
        words += (
            f" {members} of {size} {view.layer_names} are of one family ({family}): so far as they repeat "
            f"each other, intervals over {view.layer_names} are narrower than they should be."
        )
    return words


def _agreement_table(shown: MatrixShown, ordered: Sequence[LayerAgreement]) -> Table:
    view, of = shown.view, TableRows(ordered)
    how_read = (
        f"r: Pearson’s correlation, over cells, of a {axis_title(view.layers)}’s scores with the means of "
        "all the others. Same side: in how many cells it leans the way that those means do. Mean size: of "
        "its own scores, before any averaging."
    )
    columns = [
        of.words(axis_title(view.layers).capitalize(), lambda a: a.layer),
        of.words("Family", lambda a: a.family),
        of.numbers("r with the others", lambda a: a.correlation, missing="undefined"),
        of.numbers("Same side", lambda a: a.same, lambda share: with_unit(share, "%")),
        of.numbers("Mean size", lambda a: a.strength),
    ]
    return Table("", columns, notes=[how_read], on=PAGE, name=f"{shown.key}-{view.layer_names}")
