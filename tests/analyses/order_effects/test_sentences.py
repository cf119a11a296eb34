"""What order-effects says."""

import tiltmeter as tm
from support.shown_orders import simulated


def said(tmp_path, **named):
    made = tm.analyse.order_effects(simulated(tmp_path / "answers.csv", **named))
    return [paragraph.text.replace("\u00a0", " ") for paragraph in made.card.finding]


def test_a_significant_order_is_named_with_its_size(tmp_path):
    ends, row, item, first, questions = said(tmp_path, people=80, side=12, lazy=0.4)
    assert ends.startswith("Answers with swapped ends, compared with the others: +1")
    assert "a significant difference (adjusted p = " in ends
    for place in (row, item):
        assert "no significant difference; differences of " in place and "were detectable" in place
    assert first.startswith("The option in the first place, compared with chance: +")
    assert " points (95 % interval " in first and "significant" in first
    assert questions.startswith("Significant in ") and "type, first option (+" in questions


def test_too_few_people_are_named_with_the_number_that_is_needed(tmp_path):
    texts = said(tmp_path, people=5)
    assert len(texts) == 4
    assert all("undefined, too few to say: answers of at least 10 people" in text for text in texts)
