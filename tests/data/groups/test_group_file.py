"""What must fit together in a file of groups: each misfit, and words that stand for two traits."""

from dataclasses import replace

from tiltmeter.data.groups.group_file import GroupFile, shared_words
from tiltmeter.data.groups.group_lists import ChoicePrompt


def test_the_packaged_lists_fit_together():
    assert [
        misfit for name in GroupFile.packaged for misfit in GroupFile.named(name).faults()
    ] == []


def test_choices_need_their_forms_and_words():
    file = GroupFile.named("leakage_zh")
    asked = replace(file, choices=(ChoicePrompt("mine", "{group}: {left}, {right}?", "bare"),))
    assert list(asked.faults()) == []
    without = {form: noun for form, noun in file.groups[0].forms.items() if form != "story"}
    groups = (replace(file.groups[0], forms=without), *file.groups[1:])
    (fault,) = replace(file, groups=groups).faults()
    assert fault.reason == "group 'woman' has no story, which choices ask for ('paper')"
    assert fault.way_out.startswith('write story = "…"')


def test_sentences_without_a_group_need_words_for_their_nouns_gender():
    reasons = [
        fault.reason
        for fault in replace(GroupFile.named("leakage_hi"), noun_gender="neuter").faults()
    ]
    assert "has no words for gender 'neuter', form 'plural'" in reasons[0]


def test_one_word_may_stand_for_two_traits():
    notes = [
        note.text
        for name in GroupFile.packaged
        for note in shared_words(GroupFile.named(name), "beware")
    ]
    assert notes == ["untrustworthy and dishonest are one word in these lists (बेईमान): beware."]
