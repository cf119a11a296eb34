"""A live round asks what is wanted, never too much of it, and goes on after a stop as if there were none."""

import html
import re
from collections import Counter

import numpy as np
import pytest

import tiltmeter as tm
from tiltmeter.active.live import FIRST, TESTED, LiveRound
from tiltmeter.active.live_plan import ASKED, LivePlan, LiveVote
from tiltmeter.active.pool_runs import read_pool
from tiltmeter.active.run_files import load_queries
from tiltmeter.active.settings import LoopSettings
from tiltmeter.core.errors import BadInput
from tiltmeter.studies.first_person.requests import AT_RANDOM

N, ITEMS = 2, 60


def plan(**changed):
    rng = np.random.default_rng(1)
    settings = LoopSettings(budget=40, every=5, entropy_items=8, votes_each=N)
    known = {
        "name": "round", "items": tuple(f"i{n}" for n in range(ITEMS)), "labels": ("no", "yes"),
        "texts": tuple(f"text {n}" for n in range(ITEMS)),
        "features": rng.normal(size=(ITEMS, 4)), "ordered": False, "strategy": "daal",
        "settings": settings, "test_items": 10,
    }  # fmt: skip
    return LivePlan(**known | changed)


class People:
    """Two people who take items and answer them later, by the first feature and chance."""

    def __init__(self):
        self.given, self.votes, self.people = [], [], ["ann", "ben", "cy"]
        self.rng = np.random.default_rng(2)

    def take(self, live):
        """Somebody takes the first item that they have not had; gives whether there was one."""
        self.people = self.people[1:] + self.people[:1]
        for person in self.people:
            had = {item for _, item, who in self.given if who == person}
            item = next((key for key in live.keys() if key not in had), None)  # noqa: SIM118
            if item is not None:
                self.given.append((len(self.given), item, person))
                live.gave(len(self.given) - 1, item)
                return True
        return False

    def answer(self, live, but=0):
        """Everything that is given but the last `but` is answered."""
        open_ = self.given[len(self.votes) : len(self.given) - but]
        for assignment, item, person in open_:
            x = live.plan.features
            at = x[int(item[1:]), 0] if x.shape[1] else int(item[1:]) % 2
            label = "yes" if self.rng.random() < 1 / (1 + np.exp(-2 * at)) else "no"
            self.votes.append(LiveVote(assignment, item, person, label))
        live.update(self.votes, Counter(item for _, item, _ in self.given[len(self.votes) :]))


def asked_to_the_end(folder, *, stop_after=None):
    people, live = People(), LiveRound(plan(), folder)
    for turn in range(400):
        if live.end:
            break
        if turn == stop_after:  # as after a kill: all but the folder and the answers is gone
            with (folder / ASKED).open("a") as file:
                file.write('{"assignment": 9')
            live = LiveRound(plan(), folder)
        people.take(live)
        people.answer(live, but=2 if turn % 3 else 0)
    people.answer(live)
    live.finish()
    return people, live


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    return asked_to_the_end(tmp_path_factory.mktemp("live"))


def test_a_round_ends_in_the_same_result_as_a_simulation(done):
    _, live = done
    pool = read_pool(live.folder)
    assert pool.table.seeds == (0,) and list(pool.losses) == ["excess_log_loss", "js_nats"]
    assert live.end == "the budget is spent" and pool.table.votes[-1] == 40
    assert pool.losses["excess_log_loss"].targets[0].exact["daal"] <= 40
    queries = load_queries(live.folder, "daal", 0)
    assert [q.votes for q in queries] == list(range(1, 41))
    first = [q.reason for q in queries if q.h is None]
    assert first.count(FIRST) == 8 * N and len(first) < 40
    assert all(q.f_ent is not None for q in queries if q.h is not None)


def test_its_report_says_what_was_done_and_nothing_of_simulations(done):
    _, live = done
    report = tm.analyse.active_report(live.folder)
    page = re.sub(r"<(style|script)\b.*?</\1>", "", report.page(), flags=re.DOTALL)
    text = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())
    assert "In a live round people were asked while the model learned" in text
    assert "share the split" not in text
    assert "people are asked in turn" in report.card.method
    for claim in ("simulat", "given before", "asked anew", "asked twice"):
        assert claim not in text.lower()
    votes = next(e for e in report.estimates if e.name == "votes")
    assert (votes.low, votes.high) == (None, None) and "one seed" in votes.why


def test_test_items_and_first_items_have_n_votes_and_nobody_votes_twice(done):
    people, live = done
    pairs = [(item, person) for _, item, person in people.given]
    assert len(set(pairs)) == len(pairs)
    votes = Counter(vote.item for vote in people.votes)
    test = [live.plan.items[i] for i in live.test]
    assert [votes[item] for item in test] == [N] * 10
    assert all(votes[live.plan.items[i]] >= N for i in live.start)
    assert not set(test) & {vote.item for vote in live.bought}


def test_others_are_asked_while_answers_are_pending(tmp_path):
    people, live = People(), LiveRound(plan(), tmp_path)
    taken = sum(people.take(live) for _ in range(200))
    assert taken == 10 * N + 40  # the whole budget, though nobody has answered
    assert live.keys() == []
    assert {live._reasons.found[i].reason for i in range(10 * N)} == {TESTED}


def test_a_round_with_fewer_votes_than_its_budget_ends_too(tmp_path):
    """Every item has the votes it may have; the report stops where the votes do."""
    settings = LoopSettings(budget=200, every=5, entropy_items=8, votes_each=N)
    live, people = LiveRound(plan(settings=settings, most_votes=N), tmp_path), People()
    with pytest.raises(BadInput, match="16 of the first votes are missing"):
        live.finish()
    while people.take(live):
        people.answer(live)
    assert live.end == "every item has all its votes"
    live.finish()
    votes = read_pool(tmp_path).table.votes
    assert len(live.bought) == 100 and votes[0] == 16 and 90 < votes[-1] <= 100


def test_a_round_that_was_stopped_goes_on(tmp_path):
    """At any moment; reasons of what was asked before are kept."""
    _, live = asked_to_the_end(tmp_path, stop_after=45)
    queries = load_queries(tmp_path, "daal", 0)
    assert len(queries) == 40
    assert {q.reason for q in queries if q.h is not None} == {live.strategy.reason}
    with pytest.raises(BadInput, match="with another"):
        LiveRound(plan(settings=LoopSettings(budget=60, entropy_items=8, votes_each=N)), tmp_path)


def test_a_round_with_a_finetuned_encoder_ends_as_a_simulation_does(encoder, tmp_path):
    """It goes on after a stop, reads no frozen features, and f_ent is the encoder as well."""
    pytest.importorskip("tiltmeter.active.predictors.finetuned")
    settings = LoopSettings(
        budget=26, every=6, entropy_items=8, votes_each=N, predictor="finetuned", encoder=str(encoder),
        epochs=1, pool_sample=20,
    )  # fmt: skip
    texts = tuple(("the old car was slow", "he is a nurse")[n % 2] for n in range(ITEMS))
    given = plan(settings=settings, texts=texts, features=np.zeros((ITEMS, 0)), strategy="badge")
    people, live = People(), LiveRound(given, tmp_path)
    for turn in range(200):
        if live.end:
            break
        if turn == 40:
            live = LiveRound(given, tmp_path)
            live.update(people.votes, {})
        assert people.take(live)
        people.answer(live)
    live.finish()
    (run,) = [read_pool(tmp_path)]
    assert run.table.votes[-1] == 26 and live.end == "the budget is spent"
    asked = [q for q in load_queries(tmp_path, "badge", 0) if q.h is not None]
    assert asked and all(0 <= q.f_ent <= np.log(2) and q.score > 0 for q in asked)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"test_items": 55}, "needed to begin with"),
        ({"test_items": 3}, "too few"),
        ({"strategy": "daal_exact"}, "nobody has given"),
        (
            {
                "settings": LoopSettings(
                    budget=40, entropy_items=8, votes_each=N, predictor="annotators"
                )
            },
            "has to know all annotators before the first vote",
        ),
        ({"settings": LoopSettings(budget=10, entropy_items=8, votes_each=N)}, "raise the budget"),
    ],
)
def test_what_cannot_work_is_refused(changed, why):
    with pytest.raises(BadInput, match=why):
        plan(**changed)


def test_a_study_of_replies_counts_what_was_not_chosen_by_a_strategy():
    assert AT_RANDOM == (FIRST, TESTED)
