"""What is accepted of a small study, by hand."""

from dataclasses import replace

import pytest

from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.survey.acceptance.acceptance import acceptance
from tiltmeter.survey.form import SurveyItem
from tiltmeter.survey.form_file import read_form
from tiltmeter.survey.formats.item_answers import ItemAnswer


def an_item(key, **texts):
    return SurveyItem(key, {name: {"en": text} for name, text in texts.items()})


def a_pair(key, first="They nap.", second="We nap.", direction="antistereo"):
    return an_item(
        key, sentence_1=first, sentence_2=second, direction=direction, bias_type="age"
    )  # fmt: skip


def validated(item, *people, kind="age"):
    """Answers of people, each the two sentences' directions."""
    for number, (first, second) in enumerate(people):
        answers = {"sentence_1": first, "sentence_2": second, "minimal": "yes", "bias_type": kind}
        for question, value in answers.items():
            yield ItemAnswer(f"p{number}", item, question, value)


def pairs(*items):
    return replace(read_form("validate_pairs"), items=items)


AGAINST, NOTHING = ("antistereo", "neither"), ("neither", "neither")


def test_pairs_are_written_in_the_order_that_people_found():
    form = pairs(a_pair("a"), a_pair("b"), a_pair("c", "We nap.", "We nap"))
    votes = [AGAINST, AGAINST, NOTHING, NOTHING, NOTHING]
    answers = [
        one for key in "abc" for one in validated(key, *(votes if key != "b" else [NOTHING] * 5))
    ]
    found = acceptance(
        form, [*answers, ItemAnswer("p9", "a", "minimal", "yes")]
    )  # one is incomplete
    (row,) = found.accepted
    assert row == {"id": "a", "sent_more": "We nap.", "sent_less": "They nap.",
                   "stereo_antistereo": "antistereo", "bias_type": "age"}  # fmt: skip
    assert found.reasons == {
        "1 of 6 find it valid and minimally distant": 1, "one sentence contains the other": 1
    }  # fmt: skip
    assert found.people == {5: 3}
    assert found.agreement == pytest.approx(100 * (3 + 5 + 3) / 18)  # 3 of 6, 5 of 6, 3 of 6
    assert round(found.chance, 4) == 0.2305


def test_a_study_without_answers_accepts_nothing():
    found = acceptance(pairs(a_pair("a")), [])
    assert (found.accepted, len(found.rejected), found.agreement) == ((), 1, None)
    assert found.why


def test_items_without_a_needed_text_are_all_named():
    bare = an_item("b", sentence_1="x", sentence_2="y")
    with pytest.raises(BadItems, match=r"item 'b' has no direction; add a column direction"):
        acceptance(pairs(a_pair("a"), bare), [])
    with pytest.raises(BadInput, match="the direction is 'yes'"):
        acceptance(pairs(a_pair("a", direction="yes")), [])


def test_a_threshold_of_ones_own():
    form = pairs(a_pair("a"), a_pair("b"))
    votes = {"a": [AGAINST] * 3 + [NOTHING] * 2, "b": [AGAINST] * 2 + [NOTHING] * 3}
    answers = [one for key, people in votes.items() for one in validated(key, *people)]
    judged = acceptance(form, answers, 4)
    assert [row["id"] for row in judged.accepted] == ["a"]
    assert (judged.needed, acceptance(form, answers).needed) == (4, 3)
    assert round(judged.chance, 4) == 0.0388
    with pytest.raises(BadInput, match="7 votes are needed, and no item has more than 6"):
        acceptance(form, answers, 7)


def test_pairs_of_stereosets_form_are_accepted_too():
    form = replace(read_form("validate_stereoset_pairs"), items=(a_pair("a"),))
    answers = [*validated("a", *[AGAINST] * 5, kind="profession")]
    (row,) = acceptance(form, answers).accepted
    assert row["bias_type"] == "profession"
