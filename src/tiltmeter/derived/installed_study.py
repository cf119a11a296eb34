"""What a result's card does not hold and its study does: metrics, comparisons, how scores are rounded."""

from tiltmeter.core.measures import Measure, reported_measures
from tiltmeter.core.results import Card
from tiltmeter.run.planning.study_files import study_of
from tiltmeter.study_families.repeats import CHANGED, CHANGED_BETWEEN_REPEATS


def measures_of(card: Card) -> list[Measure]:
    """The measures that its study reports under the result's rule and convention.

    Raises:
        BadInput: The study is not installed here.
    """
    measures = reported_measures(
        study_of(card).measures, rule=card.rule, convention=card.convention
    )
    return [*measures, *([CHANGED_BETWEEN_REPEATS] if CHANGED in card.measures else [])]


def decimals_of(card: Card) -> int | None:
    """To how many decimals the run rounded scores before it compared them; None where it did not.

    Raises:
        BadInput: The study is not installed here.
    """
    known = {c.name: c for c in study_of(card).conventions}
    how = known.get(card.convention)
    return None if how is None else how.decimals.get(card.rule)
