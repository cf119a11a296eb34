"""Rules for cells that ask a masked model how strongly a group is associated with a trait.

Each compares a sentence about the group with the same sentence without it: the group hidden behind one
mask (the paper's prior), or replaced by a neutral noun (the published code's). Natural logarithms.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from tiltmeter.core.items import BLANK, POLES, Cell
from tiltmeter.core.protocols import FillsBlanks, ReadsOut, TellsPieces
from tiltmeter.core.requests import Blanked, Tokens
from tiltmeter.core.results import Note, Record
from tiltmeter.core.study import Context, Quirk, Rule
from tiltmeter.core.types import Array
from tiltmeter.scoring.cells import (
    BareFrame,
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

CAO = "Cao et al. 2022, doi:10.18653/v1/2022.naacl-main.92"
KURITA = "Kurita et al. 2019, doi:10.18653/v1/W19-3823"
FIRST_PIECE_ONLY = Quirk("first_piece_only", "Only the first word piece of a trait is scored.")
BY_KIND_OF_PIECE = Quirk(
    "by_kind_of_piece",
    "A trait's first piece is normalised over all pieces that begin a word, later pieces over all that "
    "do not.",
)
SHOWN = 8
"""The number of traits without a score that a note names."""


def without_group(cell: Cell, context: Context, mask: str) -> BareFrame:
    """The frame with the group hidden behind one mask or replaced by a neutral noun, as `prior` says."""
    if context.settings.get("prior", "mask") == "noun":
        return with_noun(cell)
    start, end = cell.place
    gap = cell.frame.index(BLANK)
    frame = cell.frame[:start] + mask + cell.frame[end:]
    return BareFrame(frame, gap + (len(mask) - (end - start) if start < gap else 0), cell.poles)


def _one_by_one(tokens: Tokens, place: tuple[int, int], _: Context) -> list[Blanked]:
    """Each piece with the earlier ones visible and the later ones hidden as well."""
    pieces = inside(tokens, place)
    return [Blanked(tokens.ids, tuple(pieces[i:]), (at,)) for i, at in enumerate(pieces)]


def _single(tokens: Tokens, place: tuple[int, int], context: Context) -> list[Blanked]:
    """The only piece; under the published code's convention the first of several, all of them hidden.

    Without that convention a trait of several pieces has no score.
    """
    pieces = inside(tokens, place)
    if len(pieces) > 1 and FIRST_PIECE_ONLY not in context.convention.quirks:
        return []
    return [Blanked(tokens.ids, tuple(pieces), (pieces[0],))]


def _ilps(
    plan: Plan[Blanked], model: FillsBlanks, cells: Sequence[Cell], context: Context
) -> list[Record]:
    way = TraitScoring(plan, summed, increase)
    bare = partial(without_group, context=context, mask=model.mask)
    return score_cells(way, model.blank_logprobs, bare, model, cells, context)


def _ilps_of_one(model: FillsBlanks, cells: Sequence[Cell], context: Context) -> list[Record]:
    found = _ilps(_single, model, cells, context)
    of = {cell.id: cell for cell in cells}
    lost = dict.fromkeys(
        words[0]
        for record in found
        for pole, words in zip(POLES, of[record.item].poles, strict=True)
        if pole not in record.scores
    )
    if lost:
        shown = ", ".join(list(lost)[:SHOWN]) + (", …" if len(lost) > SHOWN else "")
        text = (
            f"{len(lost)} {'trait has' if len(lost) == 1 else 'traits have'} no score under ilps, which "
            f"only scores traits of one token: {shown}. Use --rule ilps_star to score them."
        )
        context.notes.append(Note("coverage", text))
    return found


def _ilps_star(model: Any, cells: Sequence[Cell], context: Context) -> list[Record]:
    if BY_KIND_OF_PIECE not in context.convention.quirks:
        return _ilps(_one_by_one, model, cells, context)
    way = TraitScoring(_kinds_of_pieces, summed, increase)
    bare = partial(without_group, context=context, mask=model.mask)
    return score_cells(way, partial(_by_kind, model), bare, model, cells, context)


def _kinds_of_pieces(
    tokens: Tokens, place: tuple[int, int], context: Context
) -> list[tuple[Blanked, bool]]:
    """Each piece, and whether it is the first of its word."""
    return [(r, i == 0) for i, r in enumerate(_one_by_one(tokens, place, context))]


def _by_kind(model: TellsPieces, requests: Sequence[tuple[Blanked, bool]]) -> list[Array]:
    """Two questions: about pieces that begin a word, and about those that do not."""
    answers = {
        begins: iter(model.piece_logprobs([r for r, b in requests if b == begins], begins=begins))
        for begins in (True, False)
    }
    return [next(answers[begins]) for _, begins in requests]


def _set(model: ReadsOut, cells: Sequence[Cell], context: Context) -> list[Record]:
    way = TraitScoring(_one_by_one, change_of, drawn_apart(context))
    bare = partial(without_group, context=context, mask=model.mask)
    ask = partial(model.readout, margin=margin_of(context))
    return score_cells(way, ask, bare, model, cells, context)


RULES: tuple[Rule[Cell], ...] = (
    Rule(
        "set",
        ReadsOut,
        _set,
        "The sensitivity test: how much the model's last layer must change for the trait to rank "
        "first. The score is ln of that change without a group over that with the group; for a trait "
        "of several pieces, the piece that needs the largest change counts.",
        f"{CAO}, section 3 (SeT)",
        by_size=True,
    ),
    Rule(
        "ilps_star",
        FillsBlanks,
        _ilps_star,
        "How much likelier the group makes the trait: its log-probability in the blank with the group "
        "less that without one, piece by piece from left to right, with one blank for each piece.",
        f"{CAO}, section 3 (ILPS*)",
        by_size=True,
    ),
    Rule(
        "ilps",
        FillsBlanks,
        _ilps_of_one,
        "How much likelier the group makes the trait: its log-probability in the blank with the group "
        "less that without one. Traits of several tokens have no score (ilps_star gives them one).",
        f"{KURITA}, as {CAO} give it (ILPS)",
        by_size=True,
    ),
)
"""For masked language models."""
