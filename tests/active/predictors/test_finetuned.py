"""An encoder that is fine-tuned on votes."""

from support.active_runs import opinions, votes_of
from tiltmeter.active.predictor import TrainingVotes
from tiltmeter.active.predictors.finetuned import inner_split


def test_only_bought_votes_decide_when_training_stops():
    pool, _ = opinions()
    votes = votes_of(pool, pool.item < 40)
    front, back = inner_split(votes, 0)
    assert sorted([*front.texts, *back.texts]) == list(range(40)) and 0 < len(back.texts) < 20
    more = inner_split(votes_of(pool, pool.item < 80), 0)
    assert set(back.texts) <= set(more[1].texts)  # an item keeps its part
    aside = votes.counts * 0
    aside[50] = 1, 2
    chosen = TrainingVotes(votes.counts, aside, votes.item, votes.label, votes.annotator)
    assert inner_split(chosen, 0)[1].texts.tolist() == [50]
