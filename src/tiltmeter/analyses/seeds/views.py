"""How seeds shows its numbers: a table a measure with both intervals, and differences of sets."""

from collections.abc import Sequence

from tiltmeter.analyses.seeds.seed_means import AXIS, OVER_SEEDS, SD
from tiltmeter.analyses.seeds.set_differences import DIFFERENCE
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.views import NumberTable, View, number_columns
from tiltmeter.report.text import title

TWO_INTERVALS = (
    "“These seeds” is for other items and the seeds as they are. “Seeds like these” is for other "
    "trainings of this kind as well, and takes five seeds."
)


def views_of(
    means: Sequence[Estimate], shown: Sequence[str], *, of_classifiers: bool
) -> list[View]:
    """The tables of some measures, then those of their differences."""
    rows = (AXIS, "model") if of_classifiers else ("model",)
    titles = {name: title(next(e for e in means if e.name == name)) for name in shown}
    views: list[View] = [_table(name, titles[name], rows, SD.format(name)) for name in shown]
    for name in shown:
        difference = DIFFERENCE.format(name)
        found = next((e for e in means if e.name == difference), None)
        if found is not None:
            views.append(_table(difference, title(found), rows))
    return views


def _table(name: str, heading: str, rows: tuple[str, ...], sd: str = "") -> NumberTable:
    over = OVER_SEEDS.format(name)
    columns = (
        *number_columns(name, "" if sd else "difference"),
        *(number_columns(sd, "sd") if sd else ()),
        *number_columns(name, "these seeds", interval=1),
        *number_columns(over, "seeds like these", interval=0),
        *number_columns(over, "seeds", clusters=2),
        *number_columns(name, "n", n=3),
    )
    return NumberTable(name, heading, rows, columns, explained=TWO_INTERVALS)
