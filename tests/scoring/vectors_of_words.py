"""Tests of association of made-up words."""

from tiltmeter.core.data.items import WordSets
from tiltmeter.core.rules import Context
from tiltmeter.scoring.embedding import RULES
from tiltmeter.study_families.association_tests import CONVENTIONS, targets_of

BY_NAME = {rule.name: rule for rule in RULES}


WORDS = WordSets(
    "flora", ("rose", "lily", "tulip"), ("ant", "moth", "flea"), ("joy", "peace"), ("pain", "dust"),
    family="nature",
)  # fmt: skip


def scored(rule, model, *tests, convention="paper", skip=False):
    how = next(c for c in CONVENTIONS if c.name == convention)
    context = Context(how, skip_invalid=skip)
    targets = [target for test in tests for target in targets_of(test)]
    return BY_NAME[rule].score(model, targets, context), context
