"""Numbers as the published code prints them, in a made-up study and from the published replies."""

from dataclasses import replace

import pytest

from study_families.made_up_replies import DATA, estimate
from support import gpt3_hate
from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.model.conversations import Message, Prompt, Reply
from tiltmeter.models import fake
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose
from tiltmeter.studies.hate_prompts.study import STUDY


def run(model=None, data=DATA, **named):
    chosen = choose(STUDY, fake.answers("writer"), model="fake:writer", **named)
    return measure(STUDY, model or fake.load("writer"), data, chosen=chosen)


def test_published_numbers_need_their_convention():
    assert not any(e.name.startswith("chiu2021") for e in run().estimates)
    published = run(convention="chiu2021")
    assert published.card.rule == "contains"
    assert any("as plain text" in note.text for note in published.card.notes)
    of = {"setting": "zero-shot", "category": "sexist"}
    made = estimate(published, "chiu2021_accuracy", **of).value
    assert made == pytest.approx(estimate(published, "accuracy", category="sexist").value, abs=8)
    assert estimate(published, "chiu2021_f1", setting="zero-shot").value is not None


def test_published_replies_give_table_1():
    """All 12,000, through the rule and the convention."""
    rows = gpt3_hate.rows_of("zero_shot_results_multiple")
    replies = {(row["prompt"], i // 120): row["answer"] for i, row in enumerate(rows)}
    items = [
        PromptedText(
            str(i), gpt3_hate.text_of(row), Prompt((Message("user", row["prompt"]),)), ("yes", "no"),
            "yes" if row["label"] == row["category"] else "no", "yes", temperature=0.3, repeats=100,
            groups={"setting": "zero-shot", "category": row["category"]}, cluster=gpt3_hate.text_of(row),
        )
        for i, row in enumerate(rows[:120])
    ]  # fmt: skip

    class Replays(fake.FakeWriter):
        def write(self, requests):
            return [Reply(replies[r.prompt.plain, r.repeat]) for r in requests]

    found = run(Replays("davinci"), replace(DATA, items=items), convention="chiu2021")
    printed = {
        "accuracy": 56.30, "accuracy_sd": 4.27, "precision": 54.84, "precision_sd": 3.50,
        "recall": 69.07, "recall_sd": 5.87, "f1": 69.77, "f1_sd": 5.69,
    }  # fmt: skip
    for name, value in printed.items():
        made = estimate(found, f"chiu2021_{name}", setting="zero-shot")
        assert made.value == pytest.approx(value, abs=0.006)
    assert estimate(found, "accuracy", category="racist").value == pytest.approx(58.04, abs=0.005)
