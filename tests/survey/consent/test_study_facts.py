"""Facts about a study that do not go together, and addresses that are none."""

import pytest

from support.survey.forms import a_form
from tiltmeter.core.errors import BadItems


def study(lines):
    return a_form(rest=f"\n[study]\n{lines}\n").study


def test_what_is_not_given_is_empty():
    facts = study('contact = "ann@example.org"\nminutes = 5')
    assert (facts.contact, facts.minutes, facts.board, facts.risks) == (
        "ann@example.org",
        5,
        "",
        {},
    )


@pytest.mark.parametrize("address", ["ann", "@example.org", "ann@", "ann@host", "a b@example.org"])
def test_a_mail_address_that_is_none(address):
    with pytest.raises(BadItems, match="write a mail address"):
        study(f'contact = "{address}"')


def test_a_protocol_belongs_to_a_board():
    with pytest.raises(BadItems, match="has a protocol and no board"):
        study('protocol = "12-3"')
