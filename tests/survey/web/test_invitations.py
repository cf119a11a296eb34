"""Links cannot be altered or made up."""

import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.survey.web.invitations import Invitation, Invitations, read_token, signed_token

INVITED = Invitation("warmth", "prolific", {"PROLIFIC_PID": "5f1"}, "women", "ru")


def test_an_invitation_comes_back_whole():
    assert read_token(b"key", signed_token(b"key", INVITED), hours=1) == INVITED


def test_every_altered_letter_and_every_other_key_is_noticed():
    token = signed_token(b"key", INVITED)
    for at in range(len(token) - 1):  # the last letter has bits that stand for nothing
        other = "A" if token[at] != "A" else "B"
        with pytest.raises(BadInput, match="not valid"):
            read_token(b"key", token[:at] + other + token[at + 1 :])
    with pytest.raises(BadInput, match="not valid"):
        read_token(b"other", token)


def test_an_old_link_expires(monkeypatch):
    token = signed_token(b"key", INVITED)
    import itsdangerous.timed

    later = itsdangerous.timed.time.time() + 7200
    monkeypatch.setattr(itsdangerous.timed.time, "time", lambda: later)
    with pytest.raises(BadInput, match="expired"):
        read_token(b"key", token, hours=1)


def test_a_token_of_an_open_entry_is_none_at_a_signed_one():
    """An open server of the same study and database makes tokens for any id."""
    open_entry, signed = (Invitations("warmth", b"salt", signed=s) for s in (False, True))
    token = open_entry.passed(open_entry.from_address({"pid": "mallory"}))
    assert open_entry.from_form(token).ids == {"pid": "mallory"}
    with pytest.raises(BadInput, match="not valid"):
        signed.from_form(token)
    invited = Invitation("warmth", "link", {"pid": "ann"})
    assert signed.from_form(signed.passed(invited)) == invited


@pytest.mark.parametrize(
    "value", ["{{%PROLIFIC_PID%}}", "%SURVEY_CODE%", "${workerId}", " {{ID}} "]
)
def test_a_placeholder_that_the_panel_did_not_fill_in_is_nobody(value):
    """Everybody would be the same person, and see the answers of the first."""
    with pytest.raises(BadInput, match="has put no id in place of"):
        Invitations("warmth", b"salt").from_address({"PROLIFIC_PID": value})


def test_spaces_around_an_id_are_not_part_of_it():
    entry = Invitations("warmth", b"salt")
    assert entry.from_address({"PROLIFIC_PID": " 5f1 "}).ids == {"PROLIFIC_PID": "5f1"}
    assert not entry.from_address({"PROLIFIC_PID": "  "}).ids
