"""Standings: ranks, intervals and baselines that can be derived by hand."""

import csv
import io
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from support.survey.boards import made_up
from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import Sample
from tiltmeter.metrics.context_association_inference import infer_icat
from tiltmeter.models import baseline
from tiltmeter.studies.stereoset import STUDY
from tiltmeter.survey.boards.standings import scores_by_term, standings, standings_csv
from tiltmeter.survey.boards.submissions import ScoredSubmission

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
PERFECT = ((100.0, 50.0),) * 20


def entry(model, terms, *, submitter="ann", hours=0):
    return ScoredSubmission(submitter, model, "0", NOON + timedelta(hours=hours), terms, True)


def mixed(good, bad=20):
    """Terms of which `good` are perfect, and the others have lms 50."""
    return ((100.0, 50.0),) * good + ((50.0, 50.0),) * (bad - good)


def test_rows_have_the_rank_of_their_score_and_ranges_of_shared_resamples():
    rows = standings(
        (entry("half", mixed(10)), entry("perfect", PERFECT, hours=1),
         entry("half again", mixed(10), submitter="bo", hours=-1), entry("poor", mixed(0)))
    )  # fmt: skip
    assert [(row.model, row.rank, row.ranks, row.score) for row in rows] == [
        ("perfect", 1, (1, 1), 100.0),
        ("half again", 2, (2, 3), 75.0),  # identical, so that they share rank and range; by date
        ("half", 2, (2, 3), 75.0),
        ("poor", 4, (4, 4), 50.0),
    ]
    # 20 of 20 terms; exactly 100 * .025 ** (1 / 20) = 83.2
    assert rows[0].intervals["lms"] == (83.1, 100.0)


def test_a_difference_of_less_than_a_step_orders_nobody():
    better = ((100.0, 50.0),) * 20
    nearly = ((99.95, 50.0),) * 20
    rows = standings((entry("a", better), entry("b", nearly)))
    assert [row.ranks for row in rows] == [(1, 2), (1, 2)]


def test_the_only_row_is_first_and_an_empty_board_has_its_baselines():
    assert [row.ranks for row in standings((entry("a", mixed(5)),))] == [(1, 1)]
    assert standings(()) == () and standings_csv(()) == ""
    (row,) = standings((), (("ideal", PERFECT),))
    assert (row.model, row.score, row.rank, row.ranks) == ("ideal", 100.0, None, None)


@pytest.fixture(scope="module")
def hidden():
    return made_up(20, 4)


def by_term(data, name):
    items = data.items
    return scores_by_term(items, baseline.load(name).candidate_scores(items), ties="half")


def test_baselines_stand_among_the_submissions_without_a_rank(hidden):
    baselines = tuple((name, by_term(hidden, name)) for name in ("ideal", "stereotyped", "random"))
    rows = standings((entry("half", mixed(10)),), baselines)
    assert [(r.model, r.rank, r.at is None) for r in rows] == [
        ("ideal", None, True), ("half", 1, False), ("random", None, True), ("stereotyped", None, True),
    ]  # fmt: skip
    scores = {row.model: row.scores for row in rows}
    assert scores["ideal"] == {"icat": 100.0, "lms": 100.0, "ss": 50.0}
    assert scores["stereotyped"] == {"icat": 0.0, "lms": 100.0, "ss": 100.0}
    assert scores["random"]["lms"] == pytest.approx(50, abs=15)  # 160 comparisons


def test_intervals_are_those_of_the_study(hidden):
    items, rng = hidden.items, np.random.default_rng(3)
    scores = rng.normal(size=(len(items), 3))
    (row,) = standings((entry("m", scores_by_term(items, scores, ties="loss")),))
    metric = next(measure for measure in STUDY.measures if measure.name == "icat")
    target = np.array([item.target for item in items])
    sample = Sample(metric.metric, (*scores.T, target), target, np.random.default_rng(0))
    study: Inference = infer_icat(sample)
    assert row.intervals["icat"] == (round(study.low, 1), round(study.high, 1))


def test_the_csv_file_guards_names_and_leaves_out_what_is_not_known():
    rows = standings((entry("=1+1", mixed(10)),), (("ideal", PERFECT),))
    ideal, mine = csv.DictReader(io.StringIO(standings_csv(rows)))
    assert [ideal[name] for name in ("rank", "rank_low", "kind", "at")] == ["", "", "baseline", ""]
    assert (mine["rank"], mine["rank_low"], mine["rank_high"]) == ("1", "1", "1")
    assert (mine["model"], mine["kind"], mine["icat"]) == ("'=1+1", "submission", "75")
    assert float(mine["icat_low"]) < 75 < float(mine["icat_high"])
