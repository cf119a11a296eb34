"""How passwords are kept."""

import pytest
from argon2 import extract_parameters
from argon2.low_level import Type

from tiltmeter.core.errors import BadInput
from tiltmeter.survey.accounts import hashed_password, is_password

LONG = "correct horse battery staple"


def test_a_hash_is_argon2id_with_the_cost_of_rfc_9106_and_a_salt_of_its_own():
    first, second = hashed_password(LONG), hashed_password(LONG)
    assert first != second and LONG not in first
    cost = extract_parameters(first)
    assert (cost.type, cost.time_cost, cost.memory_cost) == (Type.ID, 3, 64 * 1024)
    assert is_password(LONG, first)
    assert not is_password(LONG + "r", first)
    assert not is_password(LONG, None)
    assert not is_password(LONG, "no hash")


@pytest.mark.parametrize("wrong", ["eleven char", "x" * 1001])
def test_a_password_is_neither_short_nor_endless(wrong):
    with pytest.raises(BadInput, match="12 to 1,000 characters"):
        hashed_password(wrong)
