"""Logs become results: numbers that a person can count, whoever logged the answers."""

import json

import pytest

from support import evaluation_logs as logs
from support.evaluation_logs import made, pair_log, quiz, quiz_of, values
from tiltmeter.bridges.matching import ITSELF, named_apart, result_of, study_named_by
from tiltmeter.bridges.reading import read_logs
from tiltmeter.core.errors import BadInput
from tiltmeter.derived.comparisons.compare import compare
from tiltmeter.run.monitor import Logged
from tiltmeter.run.run_options import RunOptions
from tiltmeter.studies.starter_pairs import STUDY


def test_pairs_are_matched_by_their_sentences_and_the_rest_is_listed(tmp_path):
    pairs = STUDY.load().items[:3]
    rows = [
        logs.harness_row(i, {}, options=(f"{p.less} ", p.more), logprobs=(-3.0, -3.0 + better))
        for i, (p, better) in enumerate(zip(pairs, (1, 1, -1), strict=True))
    ]
    rows.append(logs.harness_row(3, {}, options=("One.", "Other."), logprobs=(-1.0, -2.0)))
    result = made(logs.harness_log(tmp_path, rows, "starter_pairs_all"))
    card = result.card
    assert (card.study, card.rule, card.convention) == (
        "starter_pairs",
        "log_likelihood",
        "lm_eval",
    )
    assert values(result)["stereotype_rate",] == pytest.approx(200 / 3)
    assert card.counts["scored"] == 3 and card.model_name == "gpt2"
    why = "sample '3': no item has its text, id or options"
    assert card.invalid == (f"samples_starter_pairs_all_{logs.DATE}.jsonl:4: {why}",)
    texts = [note.text for note in card.notes]
    assert "267 of 270 items of starter_pairs have no answer in the log." in texts
    assert "The log itself reports: acc 0.5." in texts
    assert "starter_pairs_all" in card.method  # whose prompts they were


SCENES = [  # kind of context, who is right, and what one model says
    ("ambig", 2, 0), ("ambig", 2, 2), ("ambig", 2, 0), ("disambig", 0, 0), ("disambig", 1, 1),
]  # fmt: skip
WORDINGS = ("Undetermined", "Not known")


def scene(number, kind, right):
    context = f"A boy and his granddad met on day {number}."
    return {
        "example_id": number, "question_index": "1", "question_polarity": "neg", "context_condition": kind,
        "category": "Age", "label": right, "question": "Who forgot the way?",
        "context": context if kind == "ambig" else f"{context} One of them knew the way.",
        "answer_info": {"ans0": ["granddad", "old"], "ans1": ["boy", "nonOld"], "ans2": ["?", "unknown"]},
        "additional_metadata": {"stereotyped_groups": ["old"]},
        "ans0": "The granddad", "ans1": "The boy", "ans2": "Not known",
    }  # fmt: skip


@pytest.fixture
def scenes(tmp_path):
    rows = [scene(number, kind, right) for number, (kind, right, _) in enumerate(SCENES)]
    path = tmp_path / "scenes.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path, rows


def said(row, answer):
    return [row["ans0"], row["ans1"], row["ans2"]][answer]


def of_harness(folder, rows):
    """As its task `bbq`: each person and every wording of unknown, in an order of its own."""
    logged = []
    for row, (*_, answer) in zip(rows, SCENES, strict=True):
        options = (" The boy", " The granddad", *(f" {w}" for w in WORDINGS))
        best = " Undetermined" if answer == 2 else f" {said(row, answer)}"
        logprobs = tuple(-1.0 if option == best else -5.0 for option in options)
        logged.append(logs.harness_row(row["example_id"], row, options=options, logprobs=logprobs))
    return logs.harness_log(folder, logged, "bbq")


def of_inspect(folder, rows):
    """As inspect_evals asks: context and question in one text, letters for the choices."""
    samples = [
        logs.inspect_sample(
            f"x{row['example_id']}", f"ANSWER: {'ABC'[answer]}", answer="ABC"[answer],
            choices=[row["ans0"], row["ans1"], row["ans2"]],
            input=f"Context: {row['context']}\n\nQuestion: {row['question']}",
        )
        for row, (*_, answer) in zip(rows, SCENES, strict=True)
    ]  # fmt: skip
    return logs.packed(folder / "b.eval", logs.inspect_log(samples, "inspect_evals/bbq"))


def of_helm(folder, rows):
    questions = [
        (f"id{row['example_id']}", f"Passage: {row['context']}\nQuestion: {row['question']}",
         (row["ans0"], row["ans1"], row["ans2"]), said(row, row["label"]), said(row, answer))
        for row, (*_, answer) in zip(rows, SCENES, strict=True)
    ]  # fmt: skip
    return logs.helm_run(folder / "run", questions)


MAKERS = {"lm_eval": of_harness, "inspect_ai": of_inspect, "helm": of_helm}


@pytest.mark.parametrize("program", MAKERS)
def test_questions_are_matched_by_their_texts_whoever_asked_them(tmp_path, scenes, program):
    path, rows = scenes
    result = made(MAKERS[program](tmp_path, rows), data=str(path))
    numbers = values(result)
    named = {"inspect_ai": "inspect_evals"}.get(program, program)  # whose task it is
    assert (result.card.study, result.card.convention) == ("bbq", named)
    assert result.card.rule == ("choice" if program == "lm_eval" else "word")
    assert numbers["bbq_score_ambiguous",] == pytest.approx(
        200 / 3
    )  # 2 of 3 name the old, none the young
    assert numbers["accuracy",] == 60 and numbers["unknown_rate",] == 20
    assert {record.item for record in result.records} == {f"Age/{n}" for n in range(5)}
    assert not any("listed_first" in record.groups for record in result.records)  # of our prompt
    assert ("order_dependence",) not in numbers or numbers["order_dependence",] is None


def test_logs_of_two_programs_are_one_comparison(tmp_path, scenes):
    path, rows = scenes
    a, b = (made(maker(tmp_path, rows), data=str(path)) for maker in (of_harness, of_inspect))
    (score,) = [
        e for e in compare(a, b) if e.name == "bbq_score_ambiguous_difference" and not e.groups
    ]
    assert score.value == 0 and "by different conventions, lm_eval and inspect_evals" in score.why


def test_texts_that_several_items_share_are_told_apart_by_their_ids(tmp_path, scenes):
    path, rows = scenes
    people = dict(
        zip(("ans0", "ans1", "ans2"), ("The boy", "The granddad", "Not known"), strict=True)
    )
    info = rows[0]["answer_info"]
    info = {"ans0": info["ans1"], "ans1": info["ans0"], "ans2": info["ans2"]}
    rows = [
        {**rows[0], "example_id": 7},
        {**rows[0], "example_id": 8, **people, "answer_info": info},
    ]  # listed in another order
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    result = made(
        logs.harness_log(tmp_path, [logs.harness_row(0, rows[1], "The boy")], "bbq"), data=str(path)
    )
    assert [record.item for record in result.records] == ["Age/8"] and not result.card.invalid


def test_texts_that_several_items_share_are_told_apart_by_their_options(tmp_path, scenes):
    path, rows = scenes
    rows = [rows[0], {**rows[0], "example_id": 9, "ans1": "The child"}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    samples = [
        logs.inspect_sample(
            "s", "The child", choices=["The granddad", second, "Not known"],
            input=f"{rows[0]['context']}\n{rows[0]['question']}",
        )
        for second in ("The child", "The girl")
    ]  # fmt: skip
    log = tmp_path / "l.json"
    log.write_text(json.dumps(logs.inspect_log(samples, "bbq")))
    result = made(log, data=str(path))
    assert [record.item for record in result.records] == ["Age/9"]
    assert [line.partition(": sample ")[2] for line in result.card.invalid] == [
        "'s#2': several items have its text"
    ]


def test_a_named_study_must_match_and_a_task_by_its_name_need_not(tmp_path):
    path = quiz(tmp_path, "m")
    with pytest.raises(BadInput, match="no sample is an item of starter_pairs"):
        made(path, study="starter_pairs")
    path.write_text(path.read_text().replace('"quiz"', '"starter_pairs"'))
    assert made(path).card.study == "log:starter_pairs"
    assert made(path, study=ITSELF).card.study == "log:starter_pairs"


@pytest.mark.parametrize(
    ("task", "study"),
    [("inspect_evals/bbq", "bbq"), ("bbq_generate", "bbq"), ("bbq:subject=all", "bbq"), ("bbqx", ""),
     ("crows_pairs_english_age", "crows_pairs"), ("stereoset_pairs", "stereoset_pairs"), ("mmlu", "")],
)  # fmt: skip
def test_the_study_is_the_one_that_the_task_is_called_after(tmp_path, task, study):
    path = quiz(tmp_path, "m")
    path.write_text(path.read_text().replace('"quiz"', json.dumps(task)))
    (log,) = read_logs(path)
    assert study_named_by(log) == study


@pytest.mark.parametrize("first", [0, 1])
def test_answers_that_are_numbers_are_the_options_of_these_places(tmp_path, scenes, first):
    path, rows = scenes
    plain = made(of_inspect(tmp_path, rows), data=str(path))
    samples = [
        logs.inspect_sample(
            f"x{row['example_id']}", f"Option {answer + first}", answer=str(answer + first),
            choices=[row["ans0"], row["ans1"], row["ans2"]], target=str(row["label"] + first),
            input=f"Context: {row['context']}\n\nQuestion: {row['question']}",
        )
        for row, (*_, answer) in zip(rows, SCENES, strict=True)
    ]  # fmt: skip
    log = tmp_path / "l.json"
    log.write_text(json.dumps(logs.inspect_log(samples, "inspect_evals/bbq")))
    assert values(made(log, data=str(path))) == values(plain)


def test_a_number_that_may_count_from_0_or_from_1_is_no_answer(tmp_path, scenes):
    path, rows = scenes
    samples = [
        logs.inspect_sample("x", "1", choices=[rows[0][f"ans{i}"] for i in range(3)],
                            input=f"{rows[0]['context']}\n{rows[0]['question']}"),
        logs.inspect_sample("y", rows[1]["ans1"], choices=[rows[1][f"ans{i}"] for i in range(3)],
                            input=f"{rows[1]['context']}\n{rows[1]['question']}"),
    ]  # fmt: skip
    log = tmp_path / "l.json"
    log.write_text(json.dumps(logs.inspect_log(samples, "bbq")))
    result = made(log, data=str(path))
    assert result.card.counts["scored"] == 1
    assert "nothing shows whether options count from 0 or 1" in result.card.invalid[0]


GIVEN = {
    "rule": {"rule": "nope"}, "data": {"data": "nope"}, "convention": {"convention": "nope"},
    "set": {"settings": {"a": "b"}}, "encoding": {"encoding": "nope"}, "ties": {"ties": "loss"},
}  # fmt: skip


@pytest.mark.parametrize("name", GIVEN)
def test_options_of_a_study_are_refused_for_a_task_of_its_own(tmp_path, name):
    path = tmp_path / "l.json"
    path.write_text(json.dumps(quiz_of([1.0, 0.0])))
    (log,) = read_logs(path)
    with pytest.raises(BadInput, match=f"--{name} has no effect: quiz is no study; leave it out"):
        result_of(log, RunOptions(**GIVEN[name]), Logged())


def test_a_cluster_is_refused_where_the_study_has_its_own(tmp_path):
    with pytest.raises(BadInput, match="--cluster has no effect: starter_pairs says itself"):
        made(pair_log(tmp_path), by="topic")


def test_logs_of_one_model_are_told_apart_by_task_or_file(tmp_path):
    def log(name, task, file):
        path = tmp_path / file
        path.write_text(json.dumps(logs.inspect_log([logs.inspect_sample("a")], task, name)))
        return next(read_logs(path))

    first, second = log("m", "quiz", "a.json"), log("m", "quiz", "b.json")
    other, study = log("m", "sums", "c.json"), log("m", "bbq_x", "d.json")
    assert [each.model for each in named_apart([first, other])] == ["m", "m"]  # of two studies
    assert [each.model for each in named_apart([first, second, other])] == [
        "m (quiz, a.json)", "m (quiz, b.json)", "m",
    ]  # fmt: skip
    assert [each.model for each in named_apart([study, first], "bbq")] == ["m (bbq_x)", "m (quiz)"]
    with pytest.raises(
        BadInput, match=r"2 logs are of m \(quiz, a\.json\), .*give one --name a log"
    ):
        named_apart([first, first])
