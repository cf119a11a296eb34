"""Which columns of a table its fields may be, so that an error can suggest them.

No table is read by such a guess.
"""

import re
import shlex
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher

ALIASES: Mapping[str, tuple[str, ...]] = {
    "sent_more": ("stereotype", "stereo", "stereotypical", "more", "biased"),
    "sent_less": ("antistereotype", "anti", "antistereotypical", "less", "unbiased"),
    "text": ("sentence", "comment", "tweet", "post", "body", "content", "message"),
    "label": ("class", "gold", "category", "target", "annotation"),
    "annotator": ("worker", "rater", "user", "coder", "participant", "person", "judge"),
    "item": ("id", "text", "question", "example"),
    "answer": ("reply", "response", "output", "prediction", "completion"),
    "selected": ("hired", "chosen", "decision", "outcome", "accepted"),
    "score": ("value", "rating", "probability", "logprob"),
    "id": ("number", "item", "index", "key", "uid"),
}
"""What people call fields, by the name that Tiltmeter has for them."""
SIMILAR, INSIDE = 0.75, 0.9
"""The least similarity of two names, and that of names of which one begins with the other."""
LONGEST, MOST = 50, 100
"""The longest names, in characters, and the most columns that are compared: more would take long."""
_PLACE = re.compile(r"--map (\w+)=COLUMN|--(\w+)-column COLUMN")


def likely_columns(fields: Iterable[str], columns: Iterable[str]) -> dict[str, str]:
    """The column that each field is likely to be; fields without a likely one are left out.

    >>> likely_columns(["sent_more", "sent_less", "id"], ["nr", "Stereo", "anti-stereo"])
    {'sent_more': 'Stereo', 'sent_less': 'anti-stereo'}
    """
    there = [column for column in columns if 0 < len(column) <= LONGEST][:MOST]
    pairs = sorted(
        ((_similarity(field, column), field, column) for field in fields for column in there),
        key=lambda pair: -pair[0],
    )
    likely: dict[str, str] = {}
    for similarity, field, column in pairs:
        if similarity >= SIMILAR and field not in likely and column not in likely.values():
            likely[field] = column
    return likely


def with_likely_columns(way_out: str, columns: Iterable[str]) -> str:
    """Advice with --map FIELD=COLUMN in which COLUMN is replaced by the likely column, where there is one.

    Fields that have a column already are left out of it.

    >>> with_likely_columns("name it with --map text=COLUMN --map label=COLUMN", ["tweet", "x"])
    'name it with --map text=tweet --map label=COLUMN'
    """
    there = [*columns]
    fields = [match[1] or match[2] for match in _PLACE.finditer(way_out)]
    lacking = [field for field in fields if field not in there]
    likely = likely_columns(lacking, (column for column in there if column not in fields))

    def filled(match: re.Match[str]) -> str:
        field = match[1] or match[2]
        if lacking and field not in lacking:
            return ""
        column = likely.get(field, "COLUMN")
        if match[1]:
            return f"--map {shlex.quote(f'{field}={column}')}"
        return f"--{field}-column {shlex.quote(column)}"

    return " ".join(_PLACE.sub(filled, way_out).split())


def _similarity(field: str, column: str) -> float:
    return max(_alike(_plain(name), _plain(column)) for name in (field, *ALIASES.get(field, ())))


def _alike(name: str, column: str) -> float:
    if name == column:
        return 1.0
    shorter, longer = sorted((name, column), key=len)
    inside = INSIDE if len(shorter) > 2 and longer.startswith(shorter) else 0.0  # noqa: PLR2004
    return max(inside, SequenceMatcher(None, name, column).ratio())


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.lower())
