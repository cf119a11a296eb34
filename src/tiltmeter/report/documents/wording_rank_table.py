"""The ranks of models by wording: a table of models and wordings, and a sentence on the first one."""

from collections.abc import Sequence

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.text import counted, visible
from tiltmeter.core.wordings import AXIS
from tiltmeter.report.columns import TableRows
from tiltmeter.report.document import Section, Table, Text

READ = (
    "The rank of each model in each wording and over all. The range has the ranks that the model may have in "
    "wordings like these, from the differences of each two models over items and wordings."
)


def rank_sentences(ranks: Sequence[Estimate]) -> list[str]:
    """How often the model that is first over all is first in single wordings; [] where none or several are.

    >>> made = [Estimate("model_rank", rank, None, None, None, 9, None, "", model=m, groups=groups)
    ...         for m, rank, groups in (("a", 1, {}), ("a", 1, {"wording": "x"}), ("a", 2, {"wording": "y"}))]
    >>> rank_sentences(made)
    ['a, first over all, is first in 1 of 2 wordings.']
    """
    leading = [e for e in ranks if not e.groups and e.value == 1]
    if len(leading) != 1:
        return []
    (first,) = leading
    places = [e.value for e in ranks if e.groups and e.model == first.model]
    times = sum(place == 1 for place in places)
    of = f"{times} of {counted(len(places), 'wordings')}"
    may_be = (
        f" Its rank in wordings like these is {_range(first)}." if first.low is not None else ""
    )
    return [f"{visible(first.model)}, first over all, is first in {of}.{may_be}"]


def rank_sections(ranks: Sequence[Estimate]) -> list[Section]:
    """The table of ranks, the first model first; [] without ranks."""
    whole = sorted((e for e in ranks if not e.groups), key=lambda e: e.value or 0.0)
    if not whole:
        return []
    wordings = list(dict.fromkeys(e.groups[AXIS] for e in ranks if e.groups))
    at = {(e.model, e.groups.get(AXIS, "")): e for e in ranks}
    rows = TableRows(whole)
    columns = [
        rows.words("Model", lambda e: e.model),
        rows.counts("All", lambda e: int(e.value or 0)),
        *([rows.words("Range", _range)] if any(e.low is not None for e in whole) else []),
        *(
            TableRows([at.get((e.model, wording)) for e in whole]).counts(
                wording, lambda e: int(e.value or 0)
            )
            for wording in wordings
        ),
    ]
    notes = list(dict.fromkeys(e.why for e in whole if e.why))
    title = whole[0].meaning.title or "Rank"
    table = Table(
        f"{title}, in each wording", columns, notes=[*notes, whole[0].meaning.caution], name="ranks"
    )
    return [Section("ranks", "Ranks by wording", [Text(READ), table])]


def _range(e: Estimate) -> str:
    """The ranks that a model may have."""
    if e.low is None or e.high is None:
        return ""
    low, high = int(e.low), int(e.high)
    return f"{low}" if low == high else f"{low} to {high}"
