"""Which column a field is likely to be, for suggestions."""

import pytest

from support.command_line import own_cache, tilt
from tiltmeter.data.files.likely_columns import likely_columns, with_likely_columns

__all__ = ["own_cache", "tilt"]


@pytest.mark.parametrize(
    ("fields", "columns", "likely"),
    [
        (("sent_more", "sent_less"), ("stereo", "anti"), {"sent_more": "stereo", "sent_less": "anti"}),
        (("sent_more", "sent_less"), ("Stereotype ", "Anti-Stereotype"),
         {"sent_more": "Stereotype ", "sent_less": "Anti-Stereotype"}),
        (("text", "label"), ("Tweet", "gold_label"), {"text": "Tweet", "label": "gold_label"}),
        (("text", "label"), ("a", "b"), {}),
        (("text",), (), {}),
        (("id", "item"), ("id",), {"id": "id"}),  # one column is one field
    ],
)  # fmt: skip
def test_columns_are_found_by_their_names(fields, columns, likely):
    assert likely_columns(fields, columns) == likely


def test_advice_has_the_columns_of_the_table():
    advice = "name yours with --map text=COLUMN --map label=COLUMN"
    assert with_likely_columns(advice, ["of mine", "x"]) == advice
    assert with_likely_columns(advice, ["text", "x"]) == "name yours with --map label=COLUMN"
    assert with_likely_columns(advice, ["Tweet text", "class"]) == (
        "name yours with --map 'text=Tweet text' --map label=class"
    )
    assert with_likely_columns("--text-column COLUMN", ["post"]) == "--text-column post"


def test_what_is_suggested_can_be_typed(tilt, tmp_path):
    rows = "".join(f"{i},Women {w}.,Men {w}.\n" for i, w in enumerate(("cook", "sing", "walk")))
    (tmp_path / "mine.csv").write_text(f"number,stereo,anti\n{rows}")
    code, _, err = tilt("data", "check", "mine.csv")
    suggested = " ".join(err.split()).partition("name yours with ")[2]
    assert code == 2 and suggested == "--map sent_more=stereo --map sent_less=anti"
    assert tilt("data", "check", "mine.csv", *suggested.split())[0] == 0
