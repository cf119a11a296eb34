"""What the checks of all pairs together find, and the figures on real data."""

import csv
from collections import Counter
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from support import published
from tiltmeter.core.data.items import Pair
from tiltmeter.data.pairs.suspect_pairs import SUSPICIOUS, all_flags, checked_pairs, flags
from tiltmeter.data.pairs.word_diff import changes, separate, words

PUBLISHED = "crows_pairs/crows_pairs_anonymized.csv"
REVISED = "french_crows_pairs/crows_pairs_EN_revised+210.csv"


def named(more: str, less: str) -> set[str]:
    return {flag.name for flag in flags(Pair("1", more, less))}


def read(path: str, delimiter: str = ",") -> list[Pair]:
    with published.need(path).open(encoding="utf-8", newline="") as file:
        return [
            Pair(row[""], row["sent_more"], row["sent_less"], {"bias_type": row["bias_type"]})
            for row in csv.DictReader(file, delimiter=delimiter)
        ]


def test_a_duplicate_counts_once_and_says_of_what() -> None:
    pairs = [Pair("a", "X naps.", "Y naps."), Pair("b", "x  naps.", "Y naps.")]
    pairs += [Pair("c", "Y naps.", "X naps."), Pair("d", "Z naps.", "Y naps.")]
    reasons = [[f.reason for f in found if f.name == "duplicate"] for found in all_flags(pairs)]
    assert reasons == [[], ["the same pair as a"], ["a with its sides swapped"], []]


def test_notes_do_not_flag() -> None:
    note = Pair("1", "Black men robbed the white men.", "White men robbed the black men.")
    assert named(note.more, note.less) == {"swapped"}
    assert checked_pairs([note])[0].groups["check"] == "passed"


def test_reasons_carry_the_evidence() -> None:
    found = {f.name: f.reason for f in flags(Pair("1", "Women are not loud.", "Men are quiet"))}
    assert found["negation"] == "“not” in one sentence only"
    assert found["formatting"] == "“.” in one sentence more often than in the other"
    assert "“women” / “men”" in found["several_changes"]


sentences = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(["Women", "men", "not", "are", "a", "his", "Jamal", '"', "(", ".", "’s"]),
        max_size=12,
    ).map(" ".join),
)


@settings(deadline=None)
@given(sentences, sentences)
def test_any_text_is_judged_and_the_sides_do_not_matter(more: str, less: str) -> None:
    assert named(more, less) == named(less, more)


@settings(deadline=None)
@given(sentences, sentences)
def test_what_does_not_change_is_the_same_on_both_sides(first: str, second: str) -> None:
    there = changes(first, second)
    assert list(changes(second, first)) == [change.turned for change in there]
    assert set(separate(first, second)) <= set(there)
    ours, theirs = ([w.lower() for w in words(text)] for text in (first, second))
    assert (ours == theirs) == (not there)
    common = Counter(ours) - Counter(w for change in there for w in change.ours)
    assert common == Counter(theirs) - Counter(w for change in there for w in change.theirs)


@settings(deadline=None)
@given(st.lists(st.tuples(sentences, sentences), max_size=6))
def test_checked_pairs_keep_pairs_and_order_and_adds_one_group(
    texts: list[tuple[str, str]],
) -> None:
    pairs = [Pair(str(i), *both, {"bias_type": "age"}, "w") for i, both in enumerate(texts)]
    after = checked_pairs(pairs)
    assert [replace(pair, groups={"bias_type": "age"}) for pair in after] == pairs
    assert [after[i] for i in range(len(after))] == list(after) == after
    for pair, found in zip(after, all_flags(pairs), strict=True):
        suspicious = any(flag.name in SUSPICIOUS for flag in found)
        assert pair.groups["check"] == ("flagged" if suspicious else "passed")


def test_long_texts_are_judged() -> None:
    long = "Old men nap. " * 10_000
    assert named(long, long.replace("Old", "Young", 1)) == set()


def test_crows_pairs() -> None:
    pairs = read(PUBLISHED)
    found = all_flags(pairs)
    counts = Counter(name for one in found for name in {flag.name for flag in one})
    assert len(pairs) == 1508
    assert counts == {
        "negation": 65,
        "name_pair": 56,
        "several_changes": 54,
        "formatting": 45,
        "edit_distance": 40,
        "swapped": 11,
        "ungrammatical_marks": 5,
        "one_contains_other": 3,
        "duplicate": 1,
    }
    flagged = [pair for pair in checked_pairs(pairs) if pair.groups["check"] == "flagged"]
    assert len(flagged) == 146
    assert Counter(pair.groups["bias_type"] for pair in flagged)["race-color"] == 71
    # The paper's example 6 is there in the other order: men are, women are not.
    assert "negation" in {flag.name for flag in found[126]}
    # No pair differs in more than 6 words: the paper's 13 can only be characters.
    assert max(max(map(len, change)) for p in pairs for change in changes(p.more, p.less)) <= 6


def test_a_french_sentence_in_the_revised_english_set_is_seen() -> None:
    pairs = read(REVISED, "\t")
    odd = [
        pair.id
        for pair, found in zip(pairs, all_flags(pairs), strict=True)
        if "little_in_common" in {flag.name for flag in found}
    ]
    assert odd == ["1310"]
