"""Tests of the prompts about ETHOS and their wordings."""

import pytest

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.data.prompts.comment_prompts import WORDINGS, published_prompts, worded

PAPER = {setting.name: setting for setting in published_prompts("paper").settings}


def test_the_standard_wordings_are_the_prompts_as_printed():
    for name, setting in PAPER.items():
        (message,) = setting.messages
        assert WORDINGS.own[name]["standard"] == message.text.strip()


@pytest.mark.parametrize("wording", WORDINGS.names[1:])
def test_a_wording_changes_the_question_and_nothing_else(wording):
    for setting in PAPER.values():
        other = worded(setting, wording)
        assert other.messages != setting.messages
        assert other.by_category == setting.by_category
        assert other.options == setting.options


def test_a_setting_of_which_there_are_no_wordings_is_refused():
    with pytest.raises(BadInput, match="no wordings for the setting 'mine'"):
        worded(PAPER["zero"].__class__("mine", ()), "brief")
    with pytest.raises(UnknownName, match="brief"):
        worded(PAPER["zero"], "breif")
