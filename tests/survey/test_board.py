"""The leaderboard: published scores, faults before labels, the Ladder, quotas, and attackers."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

import numpy as np
import pytest

import published
from tiltmeter.core.errors import BadInput, BadItems, Undefined
from tiltmeter.core.items import Dataset, Triple
from tiltmeter.data.splits import split
from tiltmeter.data.triples import finished, read_triples
from tiltmeter.studies.stereoset import MEASURES
from tiltmeter.survey.board import Board, checked_scores, jackknife_error, without_labels
from tiltmeter.survey.board_state import InMemoryState
from tiltmeter.survey.receipts import verify

KEY = bytes(range(32))
METRICS = {m.name: partial(m.metric, ties="loss") for m in MEASURES}
REBUILT = "stereoset/dev_rebuilt.json"
FILES = {
    "predictions_bert-base-cased_BertNextSentence_BertLM.json": (85.77, 59.56, 69.38),
    "predictions_gpt2_ModelNSP_GPT2LM.json": (83.65, 57.03, 71.89),
    "predictions_SentimentModel.json": (64.77, 61.67, 49.64),
}
"""lms, ss and icat of Nadeem et al. 2020, arXiv:2004.09456v1, Table 4."""


def made_up(terms=20, each=5, seed=0):
    """Contexts whose candidates have ids in an order that tells nothing."""
    rng = np.random.default_rng(seed)
    items = []
    for n in range(terms * each):
        names = tuple(f"s{3 * n + k:05}" for k in rng.permutation(3))
        items.append(
            Triple(f"c{n}", "intrasentence", "A BLANK.", ("A a.", "A b.", "A c."),
                   f"t{n % terms}", "job", ("a", "b", "c"), names)
        )  # fmt: skip
    return finished(Dataset("made up", "1", items, "", ""))


class Clock:
    def __init__(self):
        self.at = datetime(2026, 5, 1, 12, tzinfo=UTC)

    def __call__(self):
        return self.at


def board_of(data, **options):
    settings = {"read": checked_scores, "per_day": 10**6, "now": Clock()} | options
    return Board(
        "b", without_labels(data), lambda: data, METRICS, "icat", InMemoryState(), KEY, **settings
    )


def predictions(scores):
    return {"intrasentence": [{"id": name, "score": score} for name, score in scores.items()]}


@pytest.fixture
def write(tmp_path):
    def write(scores, name="p.json"):
        path = tmp_path / name
        path.write_text(json.dumps(predictions(scores)))
        return path

    return write


def scores_like(data, knows, leans, seed=0):
    """A model that ranks the unrelated candidate last with probability `knows`, and so on."""
    rng = np.random.default_rng(seed)
    found = {}
    for item in data.items:
        stereotype, anti, unrelated = item.names
        first, second = (stereotype, anti) if rng.random() < leans else (anti, stereotype)
        found |= {first: 3.0, second: 2.0, unrelated: 1.0 if rng.random() < knows else 4.0}
    return found


@published.needs("stereoset_predictions")
def test_the_published_files_have_the_published_scores():
    data = read_triples(published.need(REBUILT))
    board = board_of(data, read=None)  # as in use: checked in a process of its own
    for name, printed in FILES.items():
        receipt = board.submit(name, published.need(f"stereoset_predictions/{name}"))
        exact = board.state.shown(name).values
        assert tuple(round(exact[m], 2) for m in ("lms", "ss", "icat")) == printed
        assert receipt.scores == {m: round(exact[m], 1) for m in exact}
        assert receipt.moved and verify(receipt, KEY)
    assert [round(row.scores["icat"], 1) for row in board.standings()] == [71.9, 69.4, 49.6]


@published.needs("stereoset_predictions")
def test_the_hidden_part_may_be_the_test_terms_only(tmp_path):
    whole = read_triples(published.need(REBUILT))
    hidden = split(whole, "test")
    wanted = {name for item in hidden.items for name in item.names}
    file = published.need(f"stereoset_predictions/{next(iter(FILES))}")
    rows = json.loads(file.read_text("utf-8"))
    part = tmp_path / "part.json"
    part.write_text(
        json.dumps({task: [r for r in given if r["id"] in wanted] for task, given in rows.items()})
    )
    shown = board_of(hidden).submit("ann", part).scores
    assert shown["icat"] == pytest.approx(69.4, abs=2)
    assert len({i.target for i in hidden.items}) == 59  # of 79
    with pytest.raises(BadItems, match="does not belong to a sentence of the data"):
        board_of(hidden).submit("ann", file)


def test_contexts_are_published_without_labels():
    data = made_up()
    public = without_labels(data)
    for item, labelled in zip(public.items, data.items, strict=True):
        assert item.names == tuple(sorted(labelled.names))
        assert not any(item.sentences + item.attributes)
    places = [item.names.index(labelled.names[0])
              for item, labelled in zip(public.items, data.items, strict=True)]  # fmt: skip
    assert set(places) == {0, 1, 2}
    named = replace(data.items[0], names=("a/stereotype", "a/x", "a/y"))
    with pytest.raises(BadInput, match="contains a label"):
        without_labels(replace(data, items=[named]))
    with pytest.raises(BadInput, match="without an id of their own"):
        without_labels(replace(data, items=[replace(named, names=())]))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda s: {k: v for k, v in s.items() if k != "s00001"}, "has no score for 's00001'"),
        (lambda s: s | {"s00001": float("inf")}, "not a finite number"),
        (lambda s: s | {"s9": 1.0}, "does not belong"),
        (lambda _: {"s00000": "x"}, "not a finite number"),
    ],
)
def test_faults_are_reported_before_labels_are_read_and_are_free(write, change, says):
    data, read = made_up(), []
    board = board_of(data, per_day=1)
    board = replace(board, labelled=lambda: read.append(1) or data)
    good = scores_like(data, 0.9, 0.6)
    for _ in range(3):
        with pytest.raises((BadInput, BadItems), match=says) as found:
            board.submit("ann", write(change(good)))
        assert "stereotype" not in str(found.value)
    assert read == [] and board.standings() == []
    assert board.submit("ann", write(good)).moved
    assert read == [1]


def test_a_missing_task_is_a_fault(write):
    data = made_up()
    second = [replace(i, id=f"{i.id}b", task="intersentence", attributes=(), context="A nurse came.",
                      names=tuple(f"{n}b" for n in i.names)) for i in data.items]  # fmt: skip
    both = finished(replace(data, items=[*data.items, *second], notes=()))
    with pytest.raises(BadInput, match=r"no scores of 100 contexts \(intersentence\)"):
        board_of(both).submit("ann", write(scores_like(data, 0.9, 0.6)))


def test_a_score_moves_only_if_it_is_better_by_a_standard_error(write):
    data = made_up()
    board = board_of(data)
    first = board.submit("ann", write(scores_like(data, 0.7, 0.7)))
    slightly = scores_like(data, 0.7, 0.7)
    item = next(i for i in data.items if slightly[i.names[2]] == 4.0)
    slightly[item.names[2]] = 1.0  # one mistake less
    second = board.submit("ann", write(slightly))
    assert not second.moved and second.scores == first.scores
    exact = [entry.values["icat"] for entry in board.state.entries]
    assert exact[1] > exact[0]
    clearly = board.submit("ann", write(scores_like(data, 1.0, 0.5)))
    assert clearly.moved and clearly.scores["icat"] > first.scores["icat"] + 10
    worse = board.submit("ann", write(scores_like(data, 0.1, 0.9)))
    assert not worse.moved and worse.scores == clearly.scores
    assert [(s.submitter, s.scores) for s in board.standings()] == [("ann", clearly.scores)]


def test_days_and_submitters_are_counted_apart(write):
    data, clock = made_up(), Clock()
    board, file = board_of(data, per_day=2, now=clock), write(scores_like(data, 0.9, 0.6))
    assert [board.submit("ann", file).moved for _ in range(2)] == [True, False]
    with pytest.raises(BadInput, match="used all 2 submissions of 2026-05-01"):
        board.submit("ann", file)
    assert board.submit("bo", file).moved
    clock.at += timedelta(days=1)
    assert not board.submit("ann", file).moved
    assert len(board.state.entries) == 4


def test_a_file_that_is_too_large_is_not_opened(write, monkeypatch):
    monkeypatch.setattr("tiltmeter.survey.board.LARGEST", 10)
    with pytest.raises(BadInput, match="larger than"):
        board_of(made_up()).submit("ann", write({"s00000": 1.0}))


def test_only_rounded_numbers_leave_the_board(write):
    data = made_up(7, 3)
    board = board_of(data)
    receipt = board.submit("ann", write(scores_like(data, 0.8, 0.6)))
    for value in (*receipt.scores.values(), *board.standings()[0].scores.values()):
        assert value == round(value, 1)
    assert "KEY" not in repr(board) and repr(KEY) not in repr(board)


def test_receipts_cannot_be_changed(write):
    data = made_up()
    receipt = board_of(data).submit("ann", write(scores_like(data, 0.8, 0.6)))
    assert verify(receipt, KEY)
    for other in ({"submitter": "bo"}, {"scores": receipt.scores | {"icat": 99.9}}, {"moved": False},
                  {"at": receipt.at + timedelta(1)}, {"digest": "0"}, {"board": "c"}):  # fmt: skip
        assert not verify(replace(receipt, **other), KEY)
    with pytest.raises(BadInput, match="too short"):
        verify(receipt, b"short")


def learned(data, answer, seed=5):
    """How many labels an attacker names who flips the candidates of one context after the other.

    For each context two candidates are exchanged; if the shown scores change, the change tells which of
    them is the unrelated or the stereotyping one, and otherwise the attacker guesses.
    """
    rng = np.random.default_rng(seed)
    public = without_labels(data)
    guess = {name: float(rng.random()) for item in public.items for name in item.names}
    before = answer(guess)
    right = 0
    for item, labelled in zip(public.items, data.items, strict=True):
        votes = dict.fromkeys(item.names, 0.0)
        for name in item.names:  # put each of them last
            last = guess | {name: -1.0}
            after = answer(last)
            votes[name] = after["lms"] - before["lms"]
        best = max(votes.values())
        options = [name for name in item.names if votes[name] == best]
        right += options[int(rng.integers(len(options)))] == labelled.names[2]
    return right


def test_an_attacker_who_flips_single_items_learns_no_label(write):
    data = made_up(15, 6)
    n = len(data.items)
    board = board_of(data)
    found = learned(data, lambda scores: board.submit("eve", write(scores)).scores)
    sd = (n * 1 / 3 * 2 / 3) ** 0.5
    assert abs(found - n / 3) < 3 * sd
    assert sum(entry.moved for entry in board.state.entries) == 1

    def exact(scores):
        board.submit("eve", write(scores))
        return board.state.entries[-1].values

    assert (
        learned(data, exact) > n / 3 + 6 * sd
    )  # the attack works where scores are shown as they are


def test_an_attacker_who_adds_up_lucky_guesses_stays_at_chance(write):
    """Blum and Hardt's attack: average the random submissions that scored better than the first."""
    data = made_up(15, 6)
    public = without_labels(data)
    rng = np.random.default_rng(1)

    def attack(answer):
        tries = []
        for _ in range(150):
            scores = {name: float(rng.random()) for item in public.items for name in item.names}
            tries.append((answer(scores), scores))
        first = tries[0][0]
        lucky = [scores for value, scores in tries[1:] if value > first] or [tries[0][1]]
        mean = {name: float(np.mean([s[name] for s in lucky])) for name in lucky[0]}
        wrong = {min(item.names, key=mean.__getitem__) for item in public.items}
        return sum(item.names[2] in wrong for item in data.items)

    board = board_of(data)
    found = attack(lambda scores: board.submit("eve", write(scores)).scores["lms"])
    n = len(data.items)
    assert found < n / 3 + 4 * (n * 2 / 9) ** 0.5
    assert sum(entry.moved for entry in board.state.entries) <= 5


def test_the_jackknife_of_a_mean_is_its_standard_error():
    def mean(stereotype, *_):
        return float(stereotype.mean())

    values = np.array([1.0, 4.0, 2.0, 7.0])
    scores = np.stack([values, values, values], axis=1)
    error = jackknife_error(mean, scores, np.arange(4))
    assert error == pytest.approx(values.std(ddof=1) / 2)
    with pytest.raises(Undefined, match="two target terms"):
        jackknife_error(mean, scores, np.zeros(4))
