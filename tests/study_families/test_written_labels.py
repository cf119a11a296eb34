"""A made-up study of written answers, from the items to the page, on a model whose replies are known."""

from dataclasses import replace

import numpy as np
import pytest

from study_families.made_up_replies import DATA, ITEMS, estimate
from tiltmeter.core.model.conversations import Reply
from tiltmeter.core.study import Study
from tiltmeter.derived.comparisons.compare import compare
from tiltmeter.metrics.labels import accuracy, f1
from tiltmeter.models import fake
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.html import page
from tiltmeter.run.files import folder
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose
from tiltmeter.scoring.prompted_texts import WRITTEN_RULES, WRITTEN_SETTINGS
from tiltmeter.study_families.written_labels import WRITTEN_MEASURES, WRITTEN_VIEWS

STUDY = Study(
    "made_up", "Made up", "1", "nobody", "How often answers are right.", "Anything.",
    lambda *_, **__: DATA, lambda: DATA, WRITTEN_RULES, WRITTEN_MEASURES,
    settings=WRITTEN_SETTINGS, views=WRITTEN_VIEWS,
)  # fmt: skip


def run(model=None, data=DATA, **named):
    chosen = choose(STUDY, fake.answers("writer"), model="fake:writer", **named)
    return measure(STUDY, model or fake.load("writer"), data, chosen=chosen)


@pytest.fixture(scope="module")
def result():
    return run()


def column(result, name, **groups):
    kept = [r for r in result.records if groups.items() <= r.groups.items()]
    return np.array([r.scores[name] for r in kept])


def test_a_model_made_for_conversations_is_read_by_what_it_states(result):
    assert result.card.rule == "stated"
    assert len(result.records) == 300
    assert result.headline.name == "accuracy"
    assert any("as conversations" in note.text for note in result.card.notes)
    assert not any("temperature" in note.text for note in result.card.notes)


def test_numbers_are_those_of_the_records(result):
    of = {"category": "racist"}
    t, s = column(result, "truth_positive", **of), column(result, "said_positive", **of)
    assert (s < 0).any()
    kept = s >= 0
    found = estimate(result, "accuracy", **of)
    assert (found.value, found.n) == (pytest.approx(100 * np.mean((t == s)[kept])), kept.sum())
    assert estimate(result, "strict_accuracy", **of).value == pytest.approx(100 * np.mean(t == s))
    tp, said = ((t == 1) & (s == 1)).sum(), (s == 1).sum()
    found = estimate(result, "precision", **of)
    assert (found.value, found.n) == (pytest.approx(100 * tp / said), said)
    found = estimate(result, "recall", **of)
    assert (found.value, found.n) == (
        pytest.approx(100 * tp / (t[kept] == 1).sum()),
        (t[kept] == 1).sum(),
    )
    assert estimate(result, "f1", **of).value == pytest.approx(f1(t, s))
    assert estimate(result, "off_list_rate", **of).value == pytest.approx(100 * np.mean(s < 0))
    refused = column(result, "refused", **of)  # "I cannot say"
    assert estimate(result, "refusal_rate", **of).value == pytest.approx(100 * refused.mean())
    assert refused.any()


def test_labels_on_a_par(result):
    t, s = column(result, "truth", setting="mixed"), column(result, "said", setting="mixed")
    assert estimate(result, "accuracy", setting="mixed").value == pytest.approx(
        accuracy(t, s, np.full(60, -1.0), np.full(60, -1.0))
    )
    assert estimate(result, "macro_f1", setting="mixed").value is not None
    found = estimate(result, "precision", setting="mixed")
    assert (found.value, found.why) == (None, "no text has a known label")


def test_intervals_are_over_texts(result):
    found = estimate(result, "accuracy")
    assert found.interval == "Wilson, by texts"
    assert found.low < found.value < found.high
    assert found.significant is None and found.p is None


def test_repeats_have_an_error_of_their_own(result):
    found = estimate(result, "accuracy_se_repeats", setting="zero-shot", category="sexist")
    values = []
    for repeat in range(4):
        rows = column(result, "repeat", setting="zero-shot", category="sexist") == repeat
        t = column(result, "truth_positive", setting="zero-shot", category="sexist")[rows]
        s = column(result, "said_positive", setting="zero-shot", category="sexist")[rows]
        values.append(100 * np.mean((t == s)[s >= 0]))
    assert found.value == pytest.approx(np.std(values, ddof=1) / 2)


def test_ways_to_ask_are_compared_on_the_same_texts(result):
    found = estimate(result, "setting_difference", setting="mixed − zero-shot")
    apart = [estimate(result, "accuracy", setting=s).value for s in ("mixed", "zero-shot")]
    assert found.value == pytest.approx(apart[0] - apart[1])  # both were asked about all texts
    assert found.interval == "stretched paired bootstrap of texts, 2,000 draws"
    assert found.low < found.value < found.high and 0 < found.p <= 1


def test_each_example_set_is_compared_with_the_others(result):
    sets = [estimate(result, "example_set_difference", setting="mixed", example_set=f"{k} − the others")
            for k in (1, 2)]  # fmt: skip
    t, s = (column(result, name, example_set="1") for name in ("truth", "said"))
    u, v = (column(result, name, example_set="2") for name in ("truth", "said"))
    right = [100 * np.mean((a == b)[b >= 0]) for a, b in ((t, s), (u, v))]
    assert sets[0].value == pytest.approx(right[0] - right[1]) == -sets[1].value
    assert {e.adjustment for e in sets} == {"Holm"}


def test_one_choice_replaces_repeats():
    found = run(rule="choice")
    assert len(found.records) == 120
    names = {e.name for e in found.estimates}
    assert "order_dependence" in names
    assert not names & {"off_list_rate", "refusal_rate", "accuracy_se_repeats"}
    of = {"category": "sexist"}
    changes = column(found, "order_changes", **of)
    assert estimate(found, "order_dependence", **of).value == pytest.approx(100 * changes.mean())
    assert (column(found, "order_changes", setting="mixed") == -1).all()


def test_two_models_are_compared_on_the_same_texts(result, monkeypatch):
    monkeypatch.setattr("tiltmeter.core.finder.find", lambda *_: STUDY)

    class Right(fake.FakeWriter):
        def write(self, requests):
            truth = {item.prompt.plain: item.truth for item in ITEMS}
            return [Reply(truth[r.prompt.plain]) for r in requests]

    other = run(Right("right"))
    assert other.headline.value == 100
    found = compare(other, result)
    (apart,) = [e for e in found if e.name == "accuracy_difference" and not e.groups]
    assert apart.value == pytest.approx(100 - result.headline.value)
    assert apart.interval == "score intervals of paired texts"
    assert apart.p < 0.01


def test_the_page_has_tables_of_labels_and_odd_replies(result):
    html = page(run_document(result, STUDY))
    for words in ("Reply by right label", "Replies without a label", "I cannot say", "refused"):
        assert words in html
    assert "I cannot say" not in page(run_document(result, STUDY, show_text=False))


def test_a_saved_run_keeps_replies_and_views(result, tmp_path):
    folder.write(result, tmp_path / "run", page="")
    again = folder.read(tmp_path / "run")
    assert list(again.card.views) == list(result.card.views) == list(WRITTEN_VIEWS)
    assert [r.said for r in again.records] == [r.said for r in result.records]
    assert again.records[0].texts == {"text": "text 0", "options": "yes\nno"}


def test_replies_are_counted_by_the_axes_of_the_texts():
    """As HateCheck's functionality and target: 15 texts of each, so 150 replies."""
    items = [
        replace(i, groups={**i.groups, "target": "ab"[int(i.text.split()[1]) % 2]}) for i in ITEMS
    ]
    model = fake.load("")
    chosen = choose(STUDY, fake.answers(""), model="fake")
    estimates = measure(STUDY, model, replace(DATA, items=items), chosen=chosen).estimates
    for name in ("accuracy", "strict_accuracy", "off_list_rate", "refusal_rate"):
        by = {
            e.groups["target"]: e.n
            for e in estimates
            if e.name == name and [*e.groups] == ["target"]
        }
        assert by.keys() == {"a", "b"}, name
    assert by == {"a": 150, "b": 150}
