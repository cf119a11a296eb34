"""bbq on stored answers: Figure 3 of Parrish et al. 2022 and the numbers that other programs give."""

import pytest

import tiltmeter as tm
from support import published
from tiltmeter.api.results import RunResult
from tiltmeter.run.measuring.imported_scores import import_scores
from tiltmeter.run.monitor import Logged
from tiltmeter.run.run_options import RunOptions
from tiltmeter.studies.bbq.study import STUDY

FOLDER = "bbq/results/UnifiedQA"


def of(category, convention="helm"):
    options = RunOptions(columns={"answer": "unifiedqa-t5-11b_pred_arc"}, convention=convention)
    path = published.need(f"{FOLDER}/preds_{category}.jsonl")
    made = import_scores(STUDY, path, options, Logged(), name="unifiedqa", command="")
    return RunResult(made, STUDY)


@pytest.mark.parametrize(
    ("category", "ambiguous", "clear", "kobbq", "helm"),
    [
        ("Age", 48.9, 3.3, 5.5, 28.3),
        ("Nationality", 14.5, -0.2, 0.3, 8.1),
        ("Religion", 24.5, 3.5, 4.3, 15.5),
    ],
)  # fmt: skip
def test_figure_3_and_others_numbers(category, ambiguous, clear, kobbq, helm):
    run = of(category)
    assert round(run.estimate("bbq_score_ambiguous").value, 1) == ambiguous
    assert round(run.estimate("bbq_score_disambiguated").value, 1) == clear
    assert round(run.estimate("bias_difference").value, 1) == kobbq
    assert round(run.estimate("helm_score").value, 1) == helm
    assert run.estimate("nonalignment_cost").value == -run.estimate("bias_difference").value


def test_the_interval_is_over_templates_and_answers_are_tabulated():
    run = of("Age", "lm_eval")
    score = run.estimate("bbq_score_ambiguous")
    assert score.n == 1_839 and score.high - score.low > 30  # 25 templates; of items it would be 6
    counts = {
        f"{e.groups['right']} {e.groups['answer']}": e.value
        for e in run.estimates
        if e.name == "answer_count" and "category" not in e.groups
    }
    assert counts["unknown target"] == 1_058 and counts["unknown none"] == 1
    assert sum(counts.values()) == 3_680
    assert "48.9\u00a0points more often than the other in 1,839 ambiguous questions" in repr(run)
    assert run.estimate("harness_score").value == pytest.approx(score.value, abs=0.05)


def test_a_model_that_writes_answers_and_one_that_chooses():
    for model, rule in (("fake:causal", "word"), ("fake:causal", "choice")):
        run = tm.run("bbq", model, rule=rule, data=STUDY.sample(), settings={})
        assert run.card.rule == rule and run.card.counts["scored"] == 6
