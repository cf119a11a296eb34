"""How items shows its numbers: reliability, pairs of models, and the items to look at."""

from tiltmeter.analyses.items.benchmark_numbers import (
    DETECTABLE,
    ITEMS_NEEDED,
    PAIR,
    PAIRS,
    RELIABILITY,
    SPLIT_HALF,
    SPREAD,
)
from tiltmeter.analyses.items.single_items import AGAINST, ITEM, MEDIAN, NEGATIVE, SAME
from tiltmeter.core.study_views import RecordItems
from tiltmeter.core.views import NumberTable, RecordTable, View, number_columns

LOOK_AT = "Items to look at"
ON_ITEMS = (
    "r is the correlation over models of an item with the mean of all items outside its cluster. Negative "
    "r come about by chance with few models; “against the rest” are those that remain after adjustment over "
    "all items. items.csv has all items, leave_out.csv the ids of those against the rest and of those on "
    "which all models agree. They were chosen on these models: check on others what leaving them out does."
)


def views_of(measure: str, axis: str, texts: tuple[str, ...]) -> tuple[View, ...]:
    """Tables for a measure.

    Args:
        measure: The measure that is looked behind.
        axis: That of the items’ categories, or "".
        texts: The names of the items’ texts, which pages hide and files have.
    """
    about = tuple(filter(None, (axis, "cluster")))
    return (
        NumberTable(
            "benchmark", "How well these items distinguish the models", ("measure",),
            number_columns("", "", value=0, interval=0, p=1, n=2),
            measures=(
                PAIRS.name, RELIABILITY.name, SPLIT_HALF.name, ITEMS_NEEDED.name, SPREAD.format(measure),
                DETECTABLE.format(measure), MEDIAN.name, NEGATIVE.name, AGAINST.name, SAME.name,
            ),
            where={"model": ""},
        ),
        *([NumberTable(
            "categories", "By category", (axis,),
            RELIABILITY.columns(value=0, interval=0, p=2, n=1), order="high",
        )] if axis else []),
        NumberTable("models", "Models, on the items that all answer", ("model",),
                    number_columns(measure, value=0, n=1), order="high"),
        RecordTable(
            "pairs", "Pairs of models", PAIR, ("first", "second", "apart"),
            ("difference", "low", "high", "p", "error", "items"),
            headings={"apart": "differs", "error": "standard error", "items": "items to show it",
                      "p": "p (Holm)"},
            decimals={"items": 0}, ps=("p",), most=40, folded=True,
            explained="“Items to show it”: how many items like these would find this difference 80 times in "
            "100, if it is as large as it seems.",
        ),
        RecordItems(LOOK_AT, ITEM, "item_rest", "r", (*about, "verdict"), where={"varies": "yes"}),
        RecordTable(
            "", LOOK_AT, ITEM, ("item", *about, "verdict"), ("item_rest", "p", "mean", "sd"),
            headings={"item_rest": "r", "p": "p (adjusted)", "sd": "sd over models"},
            decimals={"item_rest": 2}, drops={"sd": 4, "mean": 3, "cluster": 5, "p": 2}, most=10, on="both",
            explained=ON_ITEMS, ps=("p",), folded=True, where={"varies": "yes"},
        ),
        RecordTable("items", "", ITEM, ("item", *about, "verdict"), ("item_rest", "p", "mean", "sd"), texts,
                    on="files"),
        RecordTable("leave_out", "", ITEM, ("item", "verdict"), where={"leave_out": "yes"}, on="files"),
    )  # fmt: skip
