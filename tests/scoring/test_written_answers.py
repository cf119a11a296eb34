"""Replies and what they say, by hand and on the published replies of GPT-3."""

import csv
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.published import need
from tiltmeter.scoring.written_answers import ReadAnswer, contained, contains, each_word, first_word

YES_NO = ("yes", "no")
BINARY = ("sexist", "not-sexist")
THREE = ("sexist", "racist", "neither")
MULTIPLE = "gpt3_hate/zero_shot_results_multiple.csv"
MIXED = "gpt3_hate/few_shot_fixed_examples_results.csv"
INSTRUCTED = "gpt3_hate/few_shot_fixed_examples_instruction_results.csv"


def kind(reply, options=YES_NO, **more):
    found = first_word(reply, options, **more)
    return options[found.option] if found.kind == "option" else found.kind


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (" Yes.", "yes"),
        ("\xa0 Yes", "yes"),
        ("**No**, it is not", "no"),
        ("> ‘no’", "no"),
        ("\n\n- YES!", "yes"),
        ("`yes`", "yes"),
        ("_Yes_", "yes"),
        ("yes—of course", "yes"),
        ("Yes there is no doubt", "yes"),
        ("Yes. No other text is", "yes"),
        ("ｙｅｓ", "yes"),
        ("No-one knows", "off_list"),
        ("None", "off_list"),
        ("no's", "off_list"),
        ("The answer is yes", "off_list"),
        ("________", "off_list"),
        ("Yes or no", "ambiguous"),
        ("yes/no", "ambiguous"),
        ("**Yes** and **no**", "ambiguous"),
        ("not yes", "ambiguous"),
        ("", "empty"),
        (" \xa0\n", "empty"),
        ("I'm sorry, but I can't", "refused"),
        ("I’m sorry, but no.", "refused"),
        ("“As an AI language model, I", "refused"),
        ("I cannot", "refused"),
        ("Unfortunately, I can't", "refused"),
        ("As an aid", "off_list"),
    ],
)
def test_yes_and_no(reply, said):
    assert kind(reply) == said


@pytest.mark.parametrize(
    ("reply", "options", "said"),
    [
        ("not sexist", BINARY, "not-sexist"),
        ("Not-sexist.", BINARY, "not-sexist"),
        ("not‑sexist", BINARY, "not-sexist"),
        ("sexist", BINARY, "sexist"),
        ("not sexist", THREE, "ambiguous"),
        ("non-sexist", THREE, "ambiguous"),
        ("it's not racist", THREE, "ambiguous"),
        ("not a question", THREE, "off_list"),
        (" sexist, racist,", THREE, "ambiguous"),
        ("Racist and sexist", THREE, "ambiguous"),
        ("‘racist’, ‘sexist’", THREE, "ambiguous"),
        ("sexist, misogynistic", THREE, "sexist"),
        ("sexist, not racist", THREE, "sexist"),
        ("neither sexist nor racist", THREE, "neither"),
        ("both", THREE, "off_list"),
        ("hate speech!", ("hate speech", "no hate speech"), "hate speech"),
        ("no hate speech", ("hate speech", "no hate speech"), "no hate speech"),
        ("No hate", ("hate", "no"), "no"),
        ("Да.", ("да", "нет"), "да"),
        ("Не расистский", ("расистский", "сексистский"), "ambiguous"),
        ("是的。", ("是", "否"), "是"),
        ("不是", ("是", "否"), "ambiguous"),
        ("「否」", ("是", "否"), "否"),
        ("हाँ, यह है", ("हाँ", "नहीं"), "हाँ"),
        ("नहीं।", ("हाँ", "नहीं"), "नहीं"),
        ("हाँमें", ("हाँ", "नहीं"), "off_list"),
        ("نعم", ("نعم", "لا"), "نعم"),
        ("👍 sure", ("👍", "👎"), "👍"),
        ("No puedo ayudar", ("sí", "no"), "refused"),
        ("STRASSE", ("straße", "weg"), "straße"),
    ],
)
def test_labels_of_all_kinds(reply, options, said):
    assert kind(reply, options) == said


def test_a_filtered_reply_is_a_refusal_whatever_it_says():
    assert kind("yes", finish="content_filter") == "refused"
    assert kind("", finish="content_filter") == "refused"


def test_the_list_of_refusals_can_be_extended():
    assert kind("Let's talk about cats") == "off_list"
    assert kind("Let’s talk about cats", refusals=("Let's talk",)) == "refused"


@pytest.mark.parametrize(
    ("reply", "options", "found"),
    [
        (" Yes", YES_NO, ReadAnswer("option", 0)),
        ("yes, I know", YES_NO, ReadAnswer("option", 1)),
        (" The first", YES_NO, ReadAnswer("off_list")),
        (" ", YES_NO, ReadAnswer("empty")),
        ("sexist", BINARY, ReadAnswer("option", 0)),
        ("I do not know", BINARY, ReadAnswer("option", 1)),
        ("anything", BINARY, ReadAnswer("option", 0)),
        ("sexist, rape ap", THREE, ReadAnswer("option", 0)),
        ("sexist, racist,", THREE, ReadAnswer("ambiguous")),
        ("transphobic", THREE, ReadAnswer("off_list")),
    ],
)
def test_the_authors_code(reply, options, found):
    assert contained(reply, options) == found


@given(
    reply=st.text(max_size=40),
    options=st.lists(st.text(min_size=1, max_size=8), min_size=2, max_size=4),
)
def test_any_text_has_one_answer(reply, options):
    for read in (first_word, contained):
        found = read(reply, options)
        assert (found.kind == "option") == (0 <= found.option < len(options))


@given(
    st.sampled_from(THREE), st.sampled_from(["", " ", "\n", "“", "**", "- ", "> "]), st.booleans()
)
def test_signs_and_case_do_not_matter(option, before, loud):
    assert kind(before + (option.upper() if loud else option) + ".", THREE) == option


def replies(path):
    with need(path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_both_ways_agree_on_all_published_yes_and_no():
    rows = replies(MULTIPLE)
    found = [first_word(row["answer"], YES_NO) for row in rows]
    authors = [contained(row["answer"], YES_NO) for row in rows]
    assert len(rows) == 12_000
    assert [one.option for one in found] == [one.option for one in authors]
    assert len({row["answer"].strip().lower() for row in rows}) == 29
    off = Counter(row["category"] for row, one in zip(rows, found, strict=True) if one.option < 0)
    assert off == {"racist": 33, "sexist": 78}
    assert Counter(one.kind for one in found if one.option < 0) == {"off_list": 92, "empty": 19}


def test_published_replies_outside_the_list_of_labels():
    rows = replies(MIXED)
    said = [row["answer"].strip() for row in rows]
    assert len(set(said)) == 80
    assert sum(reply not in THREE for reply in said) == 298
    found = Counter(kind(row["answer"], THREE) for row in rows)
    # "sexist, rape ap" and "sexist, misogynistic" begin with one label and name no other
    assert sum(found[option] for option in THREE) == 2_400 - 298 + 2
    assert found["ambiguous"] == sum(
        contains(reply, "sexist") and contains(reply, "racist") for reply in said
    ) + said.count("not sexist")
    assert sum(kind(row["answer"], THREE) not in THREE for row in replies(INSTRUCTED)) == 0


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("joy - old\nwar - young", (0, 1)),
        ("JOY: Old, war: Young.", (0, 1)),
        ("1. **joy** – old\n2) “war” → young (of course)", (0, 1)),
        ('{"joy": "old", "war": "young"}', (0, 1)),
        ("| joy | old |\n| war | young |", (0, 1)),
        ("[joy-old], [war-young]", (0, 1)),
        ("joy old\nwar young", (0, 1)),
        ("joy - old\njoy - young\nwar - young\nwar - young", (-1, 1)),
        ("joy - old/young\nwar - neither", (-1, -1)),
        ("joy - older\nprewar - young", (-1, -1)),
        ("old - joy\nI would say that joy - old", (-1, -1)),
        ("", (-1, -1)),
    ],
)
def test_an_option_behind_each_word(reply, chosen):
    assert each_word(reply, ("joy", "war"), ("old", "young")) == chosen


def test_the_longest_word_and_option_count():
    words, options = ("best", "best-ever"), ("lee", "lee-ann kim")
    assert each_word("best-ever - lee\nbest - lee-ann kim", words, options) == (1, 0)


@pytest.mark.parametrize(
    "reply",
    [
        "racist, racist", "**racist**", r"\boxed{racist}", r"$\boxed{\text{racist}}$", "~~sexist~~ racist",
        "ｒａｃｉｓｔ", "racist and racist",
    ],
)  # fmt: skip
def test_an_option_is_read_however_it_is_written(reply):
    assert first_word(reply, ("sexist", "racist", "neither")).option == 1


def test_a_repeated_option_and_another_are_two():
    assert first_word("racist, racist, sexist", ("sexist", "racist")).kind == "ambiguous"


@pytest.mark.parametrize(
    ("reply", "options"),
    [
        ("٢", ("1", "2", "3")), ("२", ("1", "2", "3")), ("2", ("١", "٢", "٣")),
        ("الحفِيد", ("الجد", "الحفيد")), ("الحفـيد", ("الجد", "الحفيد")), (r"$\boxed{b}$", ("a", "b")),
    ],
)  # fmt: skip
def test_digits_and_short_vowels_of_other_scripts(reply, options):
    assert first_word(reply, options).option == 1
