"""Margins of pairs, said with their unit."""

import re


def test_margins_are_said_with_their_unit_and_without_sign(triples):
    sure = re.findall(r'class="sure">([^<]+)<', triples)
    assert sure[0] == "29.0 nats"  # -1 against -30
    assert len(sure) == 20
    assert all(re.fullmatch(r"\d+\.\d+ nats", text) for text in sure)
