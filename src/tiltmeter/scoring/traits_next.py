"""Rules for cells that ask causal and sequence-to-sequence models what comes next or fills the gap.

Such models have no mask for a group, so the sentence without one uses a neutral noun (person, people).
Natural logarithms.
"""

from collections.abc import Callable, Sequence
from functools import partial

from tiltmeter.core.errors import Undefined
from tiltmeter.core.items import LAST, Cell
from tiltmeter.core.protocols import Continues, FillsGaps, ReadsNext
from tiltmeter.core.requests import Continuation, Tokens
from tiltmeter.core.results import Record
from tiltmeter.core.study import Context, Rule
from tiltmeter.core.types import Array
from tiltmeter.scoring.cells import (
    Plan,
    TraitScoring,
    change_of,
    drawn_apart,
    increase,
    margin_of,
    score_cells,
    summed,
    with_noun,
)
from tiltmeter.scoring.contexts import inside
from tiltmeter.scoring.traits import CAO


def _behind(tokens: Tokens, place: tuple[int, int], _: Context) -> list[Continuation]:
    """All pieces of the trait, given the text before it."""
    pieces = inside(tokens, place)
    first, end = pieces[0], pieces[-1] + 1
    return [Continuation(tokens.ids[:first], tokens.ids[first:end])]


def _between(tokens: Tokens, place: tuple[int, int], _: Context) -> list[Continuation]:
    """All pieces of the trait in the gap, given the text before and after it."""
    pieces = inside(tokens, place)
    first, end = pieces[0], pieces[-1] + 1
    if end == len(tokens.ids):
        raise Undefined(
            "nothing follows the trait, but the model needs the text after the gap; end the template "
            "with a full stop"
        )
    return [Continuation(tokens.ids[:first], tokens.ids[first:end], after=tokens.ids[end:])]


def _largest(answers: list[Array], context: Context) -> float:
    """As `change_of`, from one answer about all pieces."""
    return change_of([one[:, i : i + 1] for one in answers for i in range(one.shape[1])], context)


def _ilps(
    plan: Plan[Continuation], model: Continues, cells: Sequence[Cell], context: Context
) -> list[Record]:
    way = TraitScoring(plan, summed, increase)
    return score_cells(way, model.continuation_logprobs, with_noun, model, cells, context)


def _set(model: ReadsNext, cells: Sequence[Cell], context: Context) -> list[Record]:
    way = TraitScoring(_behind, _largest, drawn_apart(context))
    ask: Callable[[Sequence[Continuation]], list[Array]]
    ask = partial(model.next_readout, margin=margin_of(context))
    return score_cells(way, ask, with_noun, model, cells, context)


_ENDS = (
    "Only templates that end with the trait are scored, since the model sees nothing that follows it; the "
    "sentence without a group has a neutral noun in its place (person, people)."
)
RULES: tuple[Rule[Cell], ...] = (
    Rule(
        "set_next",
        ReadsNext,
        _set,
        "The sensitivity test on the next token: how much the model's last layer must change for the "
        "trait to rank first. The score is ln of that change without a group over that with the group; "
        f"for a trait of several pieces, the piece that needs the largest change counts. {_ENDS}",
        f"{CAO}, section 3 (SeT), asked of what comes next",
        task=LAST,
        by_size=True,
    ),
    Rule(
        "ilps_gap",
        FillsGaps,
        partial(_ilps, _between),
        "How much likelier the group makes the trait: the log-probability of its pieces in the gap, one "
        "after the other, with the group less that without one. The encoder reads the sentence with the "
        "model's own blank in place of the trait; the sentence without a group has a neutral noun in its "
        "place (person, people).",
        f"{CAO}, section 3 (ILPS*), asked through the model's own blank",
        by_size=True,
    ),
    Rule(
        "ilps_next",
        Continues,
        partial(_ilps, _behind),
        "How much likelier the group makes the trait: the log-probability of its pieces, one after the "
        f"other, given the sentence up to it, with the group less that without one. {_ENDS}",
        f"{CAO}, section 3 (ILPS*), asked of what comes next",
        task=LAST,
        by_size=True,
    ),
)
"""For causal and sequence-to-sequence language models."""
