from importlib import import_module

import pytest

from tiltmeter.core.rules import Rule
from tiltmeter.scoring.rule_words import RULE_WORDS


@pytest.mark.parametrize("module", RULE_WORDS)
def test_every_text_belongs_to_a_rule_of_its_module(module):
    values = vars(import_module(f"tiltmeter.scoring.{module}")).values()
    tables = [value if isinstance(value, tuple) else (value,) for value in values]
    rules = [rule for table in tables for rule in table if isinstance(rule, Rule)]
    said = [{"summary": rule.summary, "source": rule.source} for rule in rules]
    assert all(texts in said for texts in RULE_WORDS[module].values())
    assert len(RULE_WORDS[module]) == len(said)
