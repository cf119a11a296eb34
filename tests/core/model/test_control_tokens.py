"""Control tokens in texts: which, in which items, and how a note says it."""

from tiltmeter.core.data.items import Pair
from tiltmeter.core.model.control_tokens import (
    KNOWN,
    pattern_of,
    private,
    spelling_items,
    spelling_sentence,
)


def test_the_longest_token_counts():
    assert pattern_of(["<|im", "<|im_end|>"]).findall("a<|im_end|><|im") == ["<|im_end|>", "<|im"]
    assert pattern_of([]) is None and pattern_of([""]) is None
    assert spelling_items([Pair("1", "<s>", "b", {})], []) == ([], [])


def test_stand_ins_differ_and_have_no_letter_of_a_token():
    stand_ins = {private(token) for token in KNOWN}
    assert len(stand_ins) == len(KNOWN)
    for token in KNOWN:
        assert len(private(token)) == len(token) and not {*private(token)} & {*token}


def test_many_ids_are_cut_short():
    items = [Pair(str(n), f"a {KNOWN[n % 2]}", "b", {}) for n in range(12)]
    spelled, ids = spelling_items(items)
    assert (spelled, len(ids)) == ([*KNOWN[:2]], 12)
    sentence = spelling_sentence(spelled, ids, "of the model, read as plain text")
    assert sentence == (
        "12 items spell control tokens of the model (<s>, </s>), read as plain text: "
        "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, …"
    )
