"""Have a rule score items: the one way by which a model is asked."""

from collections.abc import Sequence
from typing import Any, TypeVar

from tiltmeter.core.results import Record
from tiltmeter.core.study import Context, Rule

T = TypeVar("T")


def score_items(
    rule: Rule[T], model: Any, items: Sequence[T], context: Context
) -> Sequence[Record]:
    """One record for every item that has a score, in order; the others are in `context.problems`.

    Raises:
        BadItems: Some items have no defined score and they are not to be skipped.
    """
    return rule.score(model, items, context)
