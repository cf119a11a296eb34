"""Rules for cells that ask a language model how strongly a group is associated with a trait.

Each compares a sentence about the group with the same sentence without it: the group hidden behind one
mask (the paper's prior), or replaced by a neutral noun (the published code's; person, people), as with all
models that have no mask. Natural logarithms.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from tiltmeter.core.conventions import Quirk, Setting
from tiltmeter.core.data.items import BLANK, LAST, POLES, Cell
from tiltmeter.core.errors import Undefined
from tiltmeter.core.model import protocols
from tiltmeter.core.model.requests import Blanked, Continuation, Tokens
from tiltmeter.core.records import Record
from tiltmeter.core.results import Note
from tiltmeter.core.rules import Context, Rule
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array
from tiltmeter.scoring.contexts import inside
from tiltmeter.studies.group_traits.cell_scoring import (
    BareFrame,
    Plan,
    TraitScoring,
    change_of,
    drawn_apart,
    margin_of,
    score_cells,
    with_noun,
)

PIECE = Setting(
    "ilps_piece",
    default="only",
    choices=("only", "first", "last"),
    summary="ILPS, for a trait of several pieces: it has no score (only), or that of its first or "
    "last piece, with all of them hidden.",
)
BY_KIND_OF_PIECE = Quirk(
    "by_kind_of_piece",
    "A trait's first piece is normalised over all pieces that begin a word, later pieces over all "
    "that do not.",
)
SHOWN = 8
"""How many traits without a score a note names; the others are counted."""


def without_group(cell: Cell, context: Context, mask: str) -> BareFrame:
    """The frame with the group hidden behind one mask or replaced by a neutral noun, as `prior` says."""
    if context.settings.get("prior", "mask") == "noun":
        return with_noun(cell)
    start, end = cell.place
    gap = cell.frame.index(BLANK)
    frame = cell.frame[:start] + mask + cell.frame[end:]
    return BareFrame(frame, gap + (len(mask) - (end - start) if start < gap else 0), cell.poles)


def _one_by_one(tokens: Tokens, place: tuple[int, int], _: Context) -> list[Blanked]:
    """A request for each piece: earlier pieces are visible, later ones hidden like the piece itself."""
    pieces = inside(tokens, place)
    return [Blanked(tokens.ids, tuple(pieces[i:]), (at,)) for i, at in enumerate(pieces)]


def _single(tokens: Tokens, place: tuple[int, int], context: Context) -> list[Blanked]:
    """The only piece; of several the one that the setting names, all of them hidden, or none."""
    pieces, which = inside(tokens, place), context.settings.get(PIECE.name, PIECE.default)
    if len(pieces) > 1 and which == "only":
        return []
    return [Blanked(tokens.ids, tuple(pieces), (pieces[-1 if which == "last" else 0],))]


def _without(model: protocols.FillsBlanks, context: Context) -> Callable[[Cell], BareFrame]:
    return partial(without_group, context=context, mask=model.mask)


def _ilps(
    plan: Plan[Blanked], model: protocols.FillsBlanks, cells: Sequence[Cell], context: Context
) -> list[Record]:
    way = TraitScoring(plan, model.blank_logprobs, _without(model, context))
    return score_cells(way, model, cells, context)


def _ilps_of_one(
    model: protocols.FillsBlanks, cells: Sequence[Cell], context: Context
) -> list[Record]:
    records = _ilps(_single, model, cells, context)
    of = {cell.id: cell for cell in cells}
    lost = dict.fromkeys(
        words[0]
        for record in records
        for pole, words in zip(POLES, of[record.item].poles, strict=True)
        if pole not in record.scores
    )
    if lost:
        shown = ", ".join(list(lost)[:SHOWN]) + (", …" if len(lost) > SHOWN else "")
        text = (
            f"{counted(len(lost), 'traits', 'have')} no score under ilps, which "
            f"only scores traits of one token: {shown}. Use --rule ilps_star to score them, or "
            "--set ilps_piece=first to score one piece of each."
        )
        context.notes.append(Note("coverage", text))
    return records


def _ilps_star(model: Any, cells: Sequence[Cell], context: Context) -> list[Record]:
    if BY_KIND_OF_PIECE not in context.convention.quirks:
        return _ilps(_one_by_one, model, cells, context)
    way = TraitScoring(_kinds_of_pieces, partial(_by_kind, model), _without(model, context))
    return score_cells(way, model, cells, context)


def _kinds_of_pieces(
    tokens: Tokens, place: tuple[int, int], context: Context
) -> list[tuple[Blanked, bool]]:
    """Each piece, and whether it is the first of its word."""
    return [(r, i == 0) for i, r in enumerate(_one_by_one(tokens, place, context))]


def _by_kind(model: protocols.TellsPieces, requests: Sequence[tuple[Blanked, bool]]) -> list[Array]:
    """The answers in order: pieces that begin a word are normalised among these alone, others likewise."""
    answers = {
        begins: iter(model.piece_logprobs([r for r, b in requests if b == begins], begins=begins))
        for begins in (True, False)
    }
    return [next(answers[begins]) for _, begins in requests]


def _set(model: protocols.ReadsOut, cells: Sequence[Cell], context: Context) -> list[Record]:
    ask = partial(model.readout, margin=margin_of(context.settings))
    way = TraitScoring(_one_by_one, ask, _without(model, context), change_of, drawn_apart(context))
    return score_cells(way, model, cells, context)


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
            "nothing follows the trait, but the model needs the text after the gap; end the "
            "template with a full stop"
        )
    return [Continuation(tokens.ids[:first], tokens.ids[first:end], after=tokens.ids[end:])]


def _largest(answers: list[Array], context: Context) -> float:
    """`change_of` where one answer is about all pieces of the trait, rather than one answer about each."""
    pieces = [row[:, i : i + 1] for row in answers for i in range(row.shape[1])]
    return change_of(pieces, context)


def _ilps_continued(
    plan: Plan[Continuation], model: protocols.Continues, cells: Sequence[Cell], context: Context
) -> list[Record]:
    way = TraitScoring(plan, model.continuation_logprobs, with_noun)
    return score_cells(way, model, cells, context)


def _set_next(model: protocols.ReadsNext, cells: Sequence[Cell], context: Context) -> list[Record]:
    ask = partial(model.next_readout, margin=margin_of(context.settings))
    way = TraitScoring(_behind, ask, with_noun, _largest, drawn_apart(context))
    return score_cells(way, model, cells, context)


RULES: tuple[Rule[Cell], ...] = (
    Rule(
        "set",
        protocols.ReadsOut,
        _set,
        summary="The sensitivity test: how much the model's last layer must change for the trait "
        "to rank first. The score is ln of that change without a group over that with the group; "
        "for a trait of several pieces, the piece that needs the largest change counts.",
        source="Cao et al. 2022, doi:10.18653/v1/2022.naacl-main.92, section 3 (SeT)",
    ),
    Rule(
        "ilps_star",
        protocols.FillsBlanks,
        _ilps_star,
        summary="How much likelier the group makes the trait: its log-probability in the blank "
        "with the group minus that without one, piece by piece from left to right, with one blank "
        "for each piece.",
        source="Cao et al. 2022, doi:10.18653/v1/2022.naacl-main.92, section 3 (ILPS*)",
    ),
    Rule(
        "ilps",
        protocols.FillsBlanks,
        _ilps_of_one,
        summary="How much likelier the group makes the trait: its log-probability in the blank "
        "with the group minus that without one. Traits of several tokens have no score (ilps_star "
        "gives them one), or that of one of their pieces, as a setting says.",
        source="Kurita et al. 2019, doi:10.18653/v1/W19-3823, as Cao et al. 2022, "
        "doi:10.18653/v1/2022.naacl-main.92 give it (ILPS)",
        settings=(PIECE,),
    ),
    Rule(
        "set_next",
        protocols.ReadsNext,
        _set_next,
        summary="The sensitivity test on the next token: how much the model's last layer must "
        "change for the trait to rank first. The score is ln of that change without a group over "
        "that with the group; for a trait of several pieces, the piece that needs the largest "
        "change counts. Only templates that end with the trait are scored, since the model sees "
        "nothing that follows it; the sentence without a group has a neutral noun in its place "
        "(person, people).",
        source="Cao et al. 2022, doi:10.18653/v1/2022.naacl-main.92, section 3 (SeT), asked of "
        "what comes next",
        task=LAST,
    ),
    Rule(
        "ilps_gap",
        protocols.FillsGaps,
        partial(_ilps_continued, _between),
        summary="How much likelier the group makes the trait: the log-probability of its pieces in "
        "the gap, one after the other, with the group minus that without one. The encoder reads the "
        "sentence with the model's own blank in place of the trait; the sentence without a group "
        "has a neutral noun in its place (person, people).",
        source="Cao et al. 2022, doi:10.18653/v1/2022.naacl-main.92, section 3 (ILPS*), asked "
        "through the model's own blank",
    ),
    Rule(
        "ilps_next",
        protocols.Continues,
        partial(_ilps_continued, _behind),
        summary="How much likelier the group makes the trait: the log-probability of its pieces, "
        "one after the other, given the sentence up to it, with the group minus that without one. "
        "Only templates that end with the trait are scored, since the model sees nothing that "
        "follows it; the sentence without a group has a neutral noun in its place (person, "
        "people).",
        source="Cao et al. 2022, doi:10.18653/v1/2022.naacl-main.92, section 3 (ILPS*), asked of "
        "what comes next",
        task=LAST,
    ),
)
"""Three for masked language models, then three for causal and sequence-to-sequence ones."""
