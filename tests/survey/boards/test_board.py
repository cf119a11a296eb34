"""The leaderboard: published scores, faults before labels, the Ladder, quotas, and attackers."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

import published
from survey_boards import FILES, REBUILT, InMemoryState, learned, made_up, predictions, scores_like
from tiltmeter.core.errors import BadInput, BadItems, Undefined
from tiltmeter.data.memory.samples import split
from tiltmeter.data.triples.triples import finished, read_triples
from tiltmeter.survey.boards.board import Board, checked_scores, error_over_terms, standings
from tiltmeter.survey.boards.contexts import without_labels
from tiltmeter.survey.boards.receipts import verify

KEY = bytes(range(32))


class Clock:
    def __init__(self):
        self.at = datetime(2026, 5, 1, 12, tzinfo=UTC)

    def __call__(self):
        return self.at


def board_of(data, **options):
    settings = {"read": checked_scores, "per_day": 10**6, "now": Clock()} | options
    return Board("b", without_labels(data), lambda: data, InMemoryState(), KEY, **settings)


@pytest.fixture
def write(tmp_path):
    def write(scores, name="p.json"):
        path = tmp_path / name
        path.write_text(predictions(scores))
        return path

    return write


@pytest.fixture(scope="module")
def rebuilt():
    """StereoSet's development set, read once."""
    return read_triples(published.need(REBUILT))


@published.needs("stereoset_predictions")
def test_the_published_files_have_the_published_scores(rebuilt):
    board = board_of(rebuilt)
    for name, printed in FILES.items():
        receipt = board.submit(name, published.need(f"stereoset_predictions/{name}"))
        exact = board.state.shown(name).values
        assert tuple(round(exact[m], 2) for m in ("lms", "ss", "icat")) == printed
        assert receipt.scores == {m: round(exact[m], 1) for m in exact}
        assert receipt.moved and verify(receipt, KEY)
    assert [round(row.scores["icat"], 1) for row in standings(board.state)] == [71.9, 69.4, 49.6]


@published.needs("stereoset_predictions")
def test_the_hidden_part_may_be_the_test_terms_only(rebuilt, tmp_path):
    hidden = split(rebuilt, "test")
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
    assert read == [] and standings(board.state) == []
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
    assert [(s.submitter, s.scores) for s in standings(board.state)] == [("ann", clearly.scores)]


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
    monkeypatch.setattr("tiltmeter.survey.boards.board.LARGEST", 10)
    with pytest.raises(BadInput, match="larger than"):
        board_of(made_up()).submit("ann", write({"s00000": 1.0}))


def test_only_rounded_numbers_leave_the_board(write):
    data = made_up(7, 3)
    board = board_of(data)
    receipt = board.submit("ann", write(scores_like(data, 0.8, 0.6)))
    for value in (*receipt.scores.values(), *standings(board.state)[0].scores.values()):
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


def unchecked(file, contexts):
    """Scores of a file that has no faults: attackers submit hundreds of them."""
    scores = {row["id"]: row["score"] for row in json.loads(file.read_text())["intrasentence"]}
    return [tuple(scores[name] for name in item.names) for item in contexts.items]


def test_an_attacker_who_flips_single_items_learns_no_label(write):
    data = made_up(12, 4)
    board = board_of(data, read=unchecked)

    def answer(scores):
        shown = board.submit("eve", write(scores)).scores["lms"]
        return {"shown": shown, "exact": board.state.entries[-1].values["lms"]}

    right, n = learned(data, answer), len(data.items)
    sd = (n * 1 / 3 * 2 / 3) ** 0.5
    assert abs(right["shown"] - n / 3) < 3 * sd
    assert right["exact"] > n / 3 + 6 * sd  # the attack works where scores are shown as they are
    assert sum(entry.moved for entry in board.state.entries) == 1


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

    board = board_of(data, read=unchecked)
    found = attack(lambda scores: board.submit("eve", write(scores)).scores["lms"])
    n = len(data.items)
    assert found < n / 3 + 4 * (n * 2 / 9) ** 0.5
    assert sum(entry.moved for entry in board.state.entries) <= 5


def test_the_jackknife_of_a_mean_is_its_standard_error():
    def mean(stereotype, *_):
        return float(stereotype.mean())

    values = np.array([1.0, 4.0, 2.0, 7.0])
    scores = np.stack([values, values, values], axis=1)
    error = error_over_terms(mean, scores, np.arange(4))
    assert error == pytest.approx(values.std(ddof=1) / 2)
    with pytest.raises(Undefined, match="two target terms"):
        error_over_terms(mean, scores, np.zeros(4))
