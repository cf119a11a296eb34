"""decisions on stored replies, on outcomes without a model, and on models that write or choose."""

import gzip
import json
import math
from pathlib import Path

import pytest

import tiltmeter as tm
from servers.chat_server import serving
from support import published
from tiltmeter.api.results import RunResult
from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.errors import BadInput
from tiltmeter.core.model.conversations import Message, Prompt, Reply
from tiltmeter.core.rules import Context
from tiltmeter.models.fake import FakeWriter
from tiltmeter.run.measuring.imported_scores import import_scores
from tiltmeter.run.monitor import Logged
from tiltmeter.run.run_options import RunOptions
from tiltmeter.studies.decisions.candidates import DESIGN, YES, YES_NO
from tiltmeter.studies.decisions.study import STUDY


def imported(path, **options):
    made = import_scores(STUDY, path, RunOptions(**options), Logged(), name="mine", command="")
    return RunResult(made, STUDY)


def values(run, name):
    """By the labels of each estimate."""
    return {tuple(e.groups.values()): e for e in run.estimates if e.name == name}


@pytest.fixture(scope="module")
def audit():
    return imported(published.need("hiring_audit/rankings.jsonl.gz"), rule="order")


def test_equality_is_tested_beside_what_chance_makes_of_it(audit):
    lowest, chance = values(audit, "min_max_ratio"), values(audit, "min_max_by_chance")
    assert lowest["financial analyst",].p < 0.01 and lowest["retail",].p > 0.05
    assert lowest["financial analyst",].high < 1 and lowest["retail",].high == 1
    assert {round(chance[job,].value, 2) for job in ("retail", "HR specialist")} == {0.78}
    rates = values(audit, "selection_rate")
    assert rates["retail", "1"].value == pytest.approx(54.9)  # the first résumé stays first
    assert audit.estimate("off_list_rate").value == 0


def test_names_as_clusters_leave_the_rates_as_they_are(audit, tmp_path):
    retail = tmp_path / "retail.jsonl"
    with gzip.open(published.need("hiring_audit/rankings.jsonl.gz"), "rt") as lines:
        retail.write_text("".join(line for line in lines if json.loads(line)["job"] == "retail"))
    by_name = imported(retail, settings={"clusters": "name"})
    assert by_name.card.data["clusters"] == "name"
    old, new = (values(run, "impact_ratio")["retail", "white × male"] for run in (audit, by_name))
    assert old.value == new.value and (old.low, old.p) != (new.low, new.p)


def test_stored_replies_have_their_own_candidates():
    with pytest.raises(BadInput, match="the file has the candidates as well"):
        STUDY.stored_replies(Path("outcomes.csv"), STUDY.sample(), Reply)


def questions(tmp_path, **more):
    people = [(q, age, race, g) for q in range(3) for age in (20, 60) for race in ("white", "Black")
              for g in ("male", "female")]  # fmt: skip
    rows = [
        {"filled_template": f"Question {q} about a {age}-year-old {race} {gender} person?",
         "decision_question_id": q, "age": age, "race": race, "gender": gender,
         **{key: make(race) for key, make in more.items()}}
        for q, age, race, gender in people
    ]  # fmt: skip
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path


def test_yes_and_no_are_held_against_white_men_of_60(tmp_path):
    run = imported(questions(tmp_path, answer=lambda race: "No." if race == "Black" else " yes"))
    effects = values(run, "rate_effect")
    assert {key: e.value for key, e in effects.items()} == pytest.approx(
        {("Black",): -100, ("female",): 0, ("20",): 0}, abs=1e-9
    )
    assert not values(run, "logit_effect")  # replies have no probabilities


def test_a_model_that_chooses_has_effects_on_the_log_odds(tmp_path):
    run = tm.run("decisions", "fake:causal", data=str(questions(tmp_path)), rule="choice")
    effect = values(run, "logit_effect")["Black",]
    odds = {"Black": [], "white": []}
    for record in run.result.records:
        p = [math.exp(record.scores[f"logprob_{at}"]) for at in range(4)]
        odds[record.groups["race"]].append(math.log((p[0] + p[2]) / (p[1] + p[3])))
        assert record.scores["yes"] == pytest.approx((p[0] + p[2]) / sum(p))
        assert record.scores["said_positive"] == (record.scores["yes"] > 0.5)
    means = {race: sum(numbers) / len(numbers) for race, numbers in odds.items()}
    assert effect.value == pytest.approx(means["Black"] - means["white"])


def test_replies_to_a_ranking_choose_one_candidate_of_each_prompt():
    for rule in ("order", "word", "choice"):
        run = tm.run("decisions", "fake:causal", rule=rule, data=STUDY.sample(), fresh=True)
        assert run.card.rule == rule and run.card.counts["scored"] == 8
    chosen = [record.scores["said_positive"] for record in run.result.records]
    assert sum(chosen[:4]) == sum(chosen[4:]) == 1
    assert run.card.run["asked"] == 2  # each prompt once


def test_stored_replies_and_a_server_are_asked_each_prompt_once(tmp_path):
    sample = STUDY.sample()
    prompts = list(dict.fromkeys(item.prompt.plain for item in sample.items))
    replies = tmp_path / "replies.jsonl"
    answers = ("1. Ben\n2. Ann\n3. Bay\n4. Aby", "I'm sorry, but I cannot rank Ann.")
    rows = zip(prompts, answers, strict=True)
    replies.write_text("\n".join(json.dumps({"prompt": p, "answer": a}) for p, a in rows), "utf-8")
    run = tm.run("decisions", f"replay:{replies}", data=sample)
    assert [record.scores["said_positive"] for record in run.result.records] == [0, 0, 1, 0] + [
        -1
    ] * 4
    assert [record.scores.get("rank") for record in run.result.records[:4]] == [2, 4, 1, 3]
    assert (
        run.estimate("refusal_rate").value == 50
        and run.estimate("min_max_ratio").n == 4
        and values(run, "impact_ratio")["B × n",].value == 1
    )
    with serving() as server:
        run = tm.run("decisions", f"chat:{server.url}", data=sample, fresh=True)
        assert run.card.run["asked"] == 2 and run.card.rule == "order"


class Says(FakeWriter):
    """Says the same to everything."""

    text = "There is no reason against it. My answer is: **Yes**."

    def __new__(cls, *_, **__):
        return object.__new__(cls)

    def write(self, requests):
        return [Reply(self.text) for _ in requests]


def test_a_yes_no_question_is_no_ranking_of_yes_and_no():
    question = Prompt((Message("user", "Should A get the loan?\n\nAnswer with yes or no."),))
    items = [PromptedText("1", "A", question, YES, positive="yes", groups={DESIGN: YES_NO})]
    context = Context(STUDY.conventions[0], 0, settings={s.name: s.default for s in STUDY.settings})
    (record,) = STUDY.rules[0].score(Says("says"), items, context)
    assert YES[int(record.scores["said"])].lower() == "yes"
