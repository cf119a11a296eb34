"""The leaderboard: published scores, faults before labels, the Ladder, quotas, and attackers."""

import json
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from support import published
from support.survey.boards import (
    FILES,
    REBUILT,
    InMemoryState,
    learned,
    made_up,
    predictions,
    scores_like,
)
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.data.memory.samples import split
from tiltmeter.data.triples.triples import finished, read_triples
from tiltmeter.survey.boards.board import Board, checked_scores, standard_error
from tiltmeter.survey.boards.contexts import without_labels
from tiltmeter.survey.boards.receipts import verify
from tiltmeter.survey.boards.standings import exact_scores, standings

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
        receipt = board.submit("team", name, published.need(f"stereoset_predictions/{name}"))
        exact = exact_scores(board.state.shown_of("team")[name].terms)
        assert tuple(round(exact[m], 2) for m in ("lms", "ss", "icat")) == printed
        assert receipt.scores == {m: round(exact[m], 1) for m in exact}
        assert receipt.moved and verify(receipt, KEY)
    assert [round(row.scores["icat"], 1) for row in standings(board.state.all_shown())] == [
        71.9,
        69.4,
        49.6,
    ]


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
    shown = board_of(hidden).submit("ann", "m", part).scores
    assert shown["icat"] == pytest.approx(69.4, abs=2)
    assert len({i.target for i in hidden.items}) == 59  # of 79
    with pytest.raises(BadItems, match="does not belong to a sentence of the data"):
        board_of(hidden).submit("ann", "m", file)


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
            board.submit("ann", "m", write(change(good)))
        assert "stereotype" not in str(found.value)
    assert read == [] and board.state.all_shown() == ()
    assert board.submit("ann", "m", write(good)).moved
    assert read == [1]


def test_a_missing_task_is_a_fault(write):
    data = made_up()
    second = [replace(i, id=f"{i.id}b", task="intersentence", attributes=(), context="A nurse came.",
                      names=tuple(f"{n}b" for n in i.names)) for i in data.items]  # fmt: skip
    both = finished(replace(data, items=[*data.items, *second], notes=()))
    with pytest.raises(BadInput, match=r"no scores of 100 contexts \(intersentence\)"):
        board_of(both).submit("ann", "m", write(scores_like(data, 0.9, 0.6)))


def test_a_score_moves_only_if_it_is_better_by_a_standard_error(write):
    data = made_up()
    board = board_of(data)
    first = board.submit("ann", "m", write(scores_like(data, 0.7, 0.7)))
    slightly = scores_like(data, 0.7, 0.7)
    item = next(i for i in data.items if slightly[i.names[2]] == 4.0)
    slightly[item.names[2]] = 1.0  # one mistake less
    second = board.submit("ann", "m", write(slightly))
    assert not second.moved and second.scores == first.scores
    exact = [exact_scores(entry.terms)["icat"] for entry in board.state.entries]
    assert exact[1] > exact[0]
    clearly = board.submit("ann", "m", write(scores_like(data, 1.0, 0.5)))
    assert clearly.moved and clearly.scores["icat"] > first.scores["icat"] + 10
    worse = board.submit("ann", "m", write(scores_like(data, 0.1, 0.9)))
    assert not worse.moved and worse.scores == clearly.scores
    assert [(s.submitter, s.scores) for s in standings(board.state.all_shown())] == [
        ("ann", clearly.scores)
    ]


def test_days_and_submitters_are_counted_apart(write):
    data, clock = made_up(), Clock()
    board, file = board_of(data, per_day=2, now=clock), write(scores_like(data, 0.9, 0.6))
    assert [board.submit("ann", "m", file).moved for _ in range(2)] == [True, False]
    with pytest.raises(BadInput, match="used all 2 submissions of 2026-05-01"):
        board.submit("ann", "m", file)
    assert board.submit("bo", "m", file).moved
    clock.at += timedelta(days=1)
    assert not board.submit("ann", "m", file).moved
    assert len(board.state.entries) == 4


def test_a_file_that_is_too_large_is_not_opened(write, monkeypatch):
    monkeypatch.setattr("tiltmeter.survey.boards.board.LARGEST", 10)
    with pytest.raises(BadInput, match="larger than"):
        board_of(made_up()).submit("ann", "m", write({"s00000": 1.0}))


def test_only_rounded_numbers_leave_the_board(write):
    data = made_up(7, 3)
    board = board_of(data)
    receipt = board.submit("ann", "m", write(scores_like(data, 0.8, 0.6)))
    for value in (*receipt.scores.values(), *standings(board.state.all_shown())[0].scores.values()):
        assert value == round(value, 1)
    assert "KEY" not in repr(board) and repr(KEY) not in repr(board)


def test_receipts_cannot_be_changed(write):
    data = made_up()
    receipt = board_of(data).submit("ann", "m", write(scores_like(data, 0.8, 0.6)))
    assert verify(receipt, KEY)
    for other in ({"submitter": "bo"}, {"scores": receipt.scores | {"icat": 99.9}}, {"moved": False},
                  {"at": receipt.at + timedelta(1)}, {"digest": "0"}, {"board": "c"},
                  {"model": "n"}):  # fmt: skip
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
        shown = board.submit("eve", "m", write(scores)).scores["lms"]
        return {"shown": shown, "exact": exact_scores(board.state.entries[-1].terms)["lms"]}

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
    found = attack(lambda scores: board.submit("eve", "m", write(scores)).scores["lms"])
    n = len(data.items)
    assert found < n / 3 + 4 * (n * 2 / 9) ** 0.5
    assert sum(entry.moved for entry in board.state.entries) <= 5


def test_the_standard_error_of_a_score_that_is_a_mean_is_that_of_the_mean():
    lms = np.array([50.0, 80.0, 60.0, 90.0])  # with ss at 50 everywhere, icat is the mean of lms
    error = standard_error(tuple((known, 50.0) for known in lms))
    assert error == pytest.approx(lms.std(ddof=1) / 2)


def test_a_submitter_has_a_row_for_each_model_and_may_name_only_so_many(write):
    data = made_up()
    board = board_of(data, models=2)
    weak, strong = (write(scores_like(data, knows, 0.5), f"{knows}.json") for knows in (0.5, 1.0))
    first = board.submit("ann", "small", weak)
    board.submit("ann", "large", strong)
    board.submit("bo", "small", weak)  # another's model of the same name
    with pytest.raises(BadInput, match=r"ann has named all 2 models.*small, large"):
        board.submit("ann", "huge", strong)
    rows = standings(board.state.all_shown())
    assert [(r.rank, r.submitter, r.model) for r in rows] == [
        (1, "ann", "large"), (2, "ann", "small"), (2, "bo", "small")
    ]  # fmt: skip
    again = board.submit("ann", "small", strong)
    assert again.moved and again.scores["icat"] > first.scores["icat"]
    assert [r.rank for r in standings(board.state.all_shown())] == [1, 1, 3]
    assert len(board.state.entries) == 4  # all are kept


def test_days_are_counted_over_all_models_of_a_submitter(write):
    data = made_up()
    board, file = board_of(data, per_day=2), write(scores_like(data, 0.9, 0.6))
    for model in ("a", "b"):
        board.submit("ann", model, file)
    with pytest.raises(BadInput, match="used all 2 submissions"):
        board.submit("ann", "c", file)


@pytest.mark.parametrize("model", ["", " ", " m", "a\x1b[31m", "m" * 65])
def test_a_model_has_a_name(write, model):
    with pytest.raises(BadInput, match="is no name for a model"):
        board_of(made_up()).submit("ann", model, write({"s00000": 1.0}))


def test_an_attacker_who_flips_single_items_under_new_names_sees_only_first_scores(write):
    data = made_up(12, 4)
    board = board_of(data, read=unchecked, models=3)
    guess = scores_like(data, 0.3, 0.5)
    seen = 0
    for n, item in enumerate(data.items):
        with suppress(BadInput):
            board.submit("eve", f"try {n}", write(guess | {item.names[0]: -1.0}))
            seen += 1
    assert seen == 3
