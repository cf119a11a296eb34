"""Items with several replies, from the requests to the numbers, on models whose replies are known."""

from dataclasses import replace

import pytest

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.finder import find
from tiltmeter.core.model.conversations import Message, Prompt, Reply
from tiltmeter.core.rules import Context
from tiltmeter.derived.comparisons.compare import compare
from tiltmeter.models import fake
from tiltmeter.run.measuring import portions
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.measuring.repeated_replies import IGNORED
from tiltmeter.run.planning.choosing import choose
from tiltmeter.study_families.repeats import CHANGED

STUDY = find("studies", "prompts", "STUDY")
WRITTEN = (
    "bbq", "completions", "decisions", "difference_awareness", "first_person", "hate_prompts", "hatecheck",
    "inferences", "misspellings", "prompts", "story_choice", "word_association",
)  # fmt: skip


class Says(fake.FakeWriter):
    """Gives the replies listed for a text, one for each repeat and then anew."""

    __slots__ = ("asked", "deterministic", "replies")

    def __init__(self, *, deterministic=False, name="says", **replies):
        super().__init__(name)
        object.__setattr__(self, "replies", replies)
        object.__setattr__(self, "deterministic", deterministic)
        object.__setattr__(self, "asked", [])

    def write(self, requests):
        self.asked.extend(requests)
        return [Reply(self._one(request)) for request in requests]

    def _one(self, request):
        replies = self.replies[request.prompt.plain].split()
        return replies[request.repeat % len(replies)]


def item(name, temperature=0.0, **more):
    prompt = Prompt((Message("user", name),))
    return PromptedText(name, name, prompt, ("yes", "no"), "yes", temperature=temperature, **more)


def run(model, *names, repeats=None, rule="word", items=(), **of):
    data = Dataset("made up", "1", items or [item(name, **of) for name in names], "made up", "none")
    chosen = choose(STUDY, fake.answers("writer"), model="says", rule=rule)
    return measure(STUDY, model, data, chosen=chosen, repeats=repeats)


def value(result, name="accuracy"):
    (found,) = [e for e in result.estimates if e.name == name and not e.groups]
    return found


def notes(result):
    return " ".join(note.text for note in result.card.notes)


def test_two_items_and_three_repeats_by_hand():
    """Right are 3 of 3 and 1 of 3: 4 of 6. One of two items changes; a refusal is another answer too."""
    result = run(Says(a="yes yes yes", b="no yes no"), "a", "b", repeats=3)
    assert [record.item for record in result.records] == ["a", "a|2", "a|3", "b", "b|2", "b|3"]
    assert [record.scores["repeat"] for record in result.records] == [0, 1, 2] * 2
    assert [record.repeat for record in result.records] == [0, 1, 2] * 2
    assert {record.first for record in result.records[:3]} == {"a"}
    assert (value(result).value, value(result).n) == (pytest.approx(100 * 4 / 6), 6)
    assert (value(result, CHANGED).value, value(result, CHANGED).n) == (50, 2)
    assert result.card.counts["repeats"] == 3 and result.card.data["items"] == 2
    assert "the answers to 1 of 2 items (50.0 %) changed between 3 repeats" in notes(result)


def test_at_temperature_0_each_repeat_is_a_request_of_its_own():
    model = Says(a="yes")
    run(model, "a", repeats=3)
    assert [(r.temperature, r.repeat) for r in model.asked] == [(0, 0), (0, 1), (0, 2)]


def test_a_deterministic_model_is_asked_once_at_temperature_0_and_says_so():
    model = Says(a="yes", b="no", deterministic=True)
    result = run(model, "a", "b", repeats=3)
    assert len(model.asked) == len(result.records) == 2
    assert "asked about once and not 3 times" in notes(result)
    assert not [e for e in result.estimates if e.name == CHANGED]
    warm = run(model, "a", "b", repeats=3, temperature=0.5)
    assert len(warm.records) == 6


def test_the_order_of_repeats_changes_nothing():
    names = [f"t{i}" for i in range(12)]
    replies = {name: ("yes no no", "no no yes", "yes yes yes", "no no no")[i % 4]
               for i, name in enumerate(names)}  # fmt: skip
    turned = {name: " ".join(text.split()[1:] + text.split()[:1]) for name, text in replies.items()}
    one, other = (run(Says(**of), *names, repeats=3) for of in (replies, turned))
    assert one.estimates == other.estimates


@pytest.mark.parametrize("clusters", [0, 3])
def test_equal_replies_say_no_more_than_one(clusters):
    names = [f"t{i}" for i in range(12)]
    items = [
        item(name, cluster=f"{i % clusters}" if clusters else "") for i, name in enumerate(names)
    ]
    model = Says(**{name: ("yes", "no", "no")[i % 5 % 3] for i, name in enumerate(names)})
    one, three = (run(model, items=items, repeats=repeats) for repeats in (1, 3))
    for name in ("accuracy", "strict_accuracy", "off_list_rate", "refusal_rate"):
        a, b = value(one, name), value(three, name)
        assert (b.value, b.low, b.high) == pytest.approx((a.value, a.low, a.high)), name
    assert value(three, CHANGED).value == 0


def test_the_answer_is_the_option_and_not_the_words():
    result = run(Says(a="Yes! yes **yes**", b="no maybe no"), "a", "b", repeats=3)
    changed = {r.item: r.scores[CHANGED] for r in result.records if CHANGED in r.scores}
    assert changed == {"a": 0, "b": 1}  # "maybe" is no answer


def test_the_data_say_how_often_unless_the_run_does():
    items = [item("a", 0.5, repeats=2), item("b", 0.5)]
    model = Says(a="yes", b="yes")
    assert [r.item for r in run(model, items=items).records] == ["a", "a|2", "b"]
    assert len(run(model, items=items, repeats=4).records) == 8
    assert len(run(model, items=items, rule="choice").records) == 2


@pytest.mark.parametrize("size", [1, 2, 7])
def test_in_portions_as_all_at_once(size, monkeypatch):
    model = Says(a="yes no yes", b="no", c="no no yes")
    whole = run(model, *"abc", repeats=3)
    monkeypatch.setattr(portions, "ITEMS", size)
    parts = run(model, *"abc", repeats=3)
    assert list(parts.records) == list(whole.records)
    assert parts.estimates == whole.estimates and notes(parts) == notes(whole)


def test_repeats_that_never_differ_above_temperature_0_are_noted():
    alike, differing = Says(a="yes", b="no"), Says(a="yes", b="no yes")
    assert IGNORED in run(alike, "a", "b", repeats=2, temperature=0.3).card.notes
    assert IGNORED not in run(differing, "a", "b", repeats=2, temperature=0.3).card.notes
    assert IGNORED not in run(alike, "a", "b", repeats=1, temperature=0.3).card.notes
    cold = run(alike, "a", "b", repeats=2)
    assert IGNORED not in cold.card.notes and "No answer changed between 2 repeats" in notes(cold)


def test_a_portion_whose_repeats_differ_rules_the_note_out(monkeypatch):
    monkeypatch.setattr(portions, "ITEMS", 1)
    for of in ({"a": "yes no", "b": "no"}, {"a": "yes", "b": "yes no"}):
        assert IGNORED not in run(Says(**of), "a", "b", repeats=2, temperature=0.3).card.notes


@pytest.mark.parametrize("name", WRITTEN)
def test_every_study_in_words_takes_repeats(name):
    study = find("studies", name, "STUDY")
    rules = [rule.name for rule in study.rules if rule.needs.__name__ == "Writes"]
    chosen = choose(study, fake.answers("causal"), model="fake:causal", rule=rules[0])
    data = study.sample()
    result = measure(study, fake.load("causal"), data, chosen=chosen, repeats=3)
    (changed,) = [e for e in result.estimates if e.name == CHANGED]
    assert len(result.records) == 3 * len(data.items)
    assert (changed.n, result.card.counts["repeats"]) == (len(data.items), 3)
    assert len({record.item for record in result.records}) == len(result.records)


def test_results_with_different_numbers_of_repeats_are_compared_item_by_item(monkeypatch):
    """A is right in 2 of 2 items; B in 1 of 3 repeats of a and in none of b: 100 − 100 / 6."""
    monkeypatch.setattr("tiltmeter.derived.installed_study.study_of", lambda _: STUDY)
    a = run(Says(name="A", a="yes", b="yes"), "a", "b", repeats=1)
    b = run(Says(name="B", a="no yes no", b="no"), "a", "b", repeats=3)
    (apart,) = [e for e in compare(a, b) if e.name == "accuracy_difference" and not e.groups]
    assert (apart.value, apart.n) == (pytest.approx(100 - 100 / 6), 6)
    assert "from 1 and 3 replies to an item" in apart.why
    same = run(Says(name="C", a="no yes yes", b="yes"), "a", "b", repeats=3)
    (apart,) = [e for e in compare(b, same) if e.name == f"{CHANGED}_difference"]
    assert (apart.value, apart.n) == (0, 2)


def test_context_keeps_what_a_rule_makes_once():
    context, made = Context(), []
    for again in (context, replace(context, problems=[])):
        assert again.once("judge", lambda: made.append(1) or len(made)) == 1
