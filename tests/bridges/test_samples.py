"""Thoughts in logs, however a program or its model marks them: they are no part of an answer."""

import json

import pytest

from support import evaluation_logs as logs
from support.evaluation_logs import made, values
from tiltmeter.bridges.answers import asked_rows
from tiltmeter.bridges.samples import LoggedSample
from tiltmeter.core.model.conversations import Reply

THOUGHT = "No, or yes? (b). The answer is: yes"
TAGGED = {
    "tags": "<think>{thought}</think>\n\n{reply}",
    "an end alone": "{thought}</think>{reply}",
    "brackets": "[THINK]{thought}[/THINK]{reply}",
    "channels": "<|channel|>analysis<|message|>{thought}<|end|><|start|>assistant<|channel|>final<|message|>"
    "{reply}<|return|>",
}
SAID = ("yes", "No.", "maybe", "I'm sorry, but I cannot say.", " NO!")
ROWS = asked_rows("prompts", writes=True, chats=True)
REPLIES = [SAID[n % len(SAID)] for n in range(len(ROWS))]
QUESTIONS = [row.request.prompt.plain for row in ROWS]


def inspect(folder, replies, *, thought="", field=False, stop="stop", answers=None):
    """A log of inspect_ai; `field` has thoughts as older versions do, in a field of the message."""
    samples = []
    for n, (question, reply) in enumerate(zip(QUESTIONS, replies, strict=True)):
        sample = logs.inspect_sample(f"q{n}", reply, answer=answers[n] if answers else "")
        message = {"role": "assistant", "content": reply}
        if thought and field:
            message["reasoning"] = thought
        elif thought:
            message["content"] = [
                {"type": "reasoning", "reasoning": thought, "redacted": False},
                {"type": "text", "text": reply},
            ]  # fmt: skip
        choice = {"message": message, "stop_reason": stop if n == 0 else "stop"}
        usage = {"input_tokens": 9, "output_tokens": 40, "reasoning_tokens": 30} if thought else {}
        output = {"choices": [choice], "completion": reply, "usage": usage}
        samples.append({**sample, "input": question, "output": output})
    path = folder / "log.json"
    path.write_text(json.dumps(logs.inspect_log(samples, task="prompts")))
    return path


def harness(folder, replies, *, answers=None):
    rows = [
        logs.harness_row(n, {"q": question}, reply)
        for n, (question, reply) in enumerate(zip(QUESTIONS, replies, strict=True))
    ]
    for row, answer in zip(rows, answers or (), strict=bool(answers)):
        row["filtered_resps"] = [answer]
    return logs.harness_log(folder, rows, task="prompts")


def helm(folder, replies, *, thought="", stop="stop"):
    questions = [
        (f"id{n}", question, ["yes"], "yes", "yes") for n, question in enumerate(QUESTIONS)
    ]
    run = logs.helm_run(folder / "helm", questions, task="prompts")
    file = run / "scenario_state.json"
    state = json.loads(file.read_text())
    for each, reply in zip(state["request_states"], replies, strict=True):
        first = each is state["request_states"][0]
        written = {"text": reply, "finish_reason": {"reason": stop if first else "stop"}}
        each["result"]["completions"] = [
            {**written, **({"thinking": {"text": thought}} if thought else {})}
        ]
    file.write_text(json.dumps(state))
    return run


def ever(folder, replies, *, thought="", answers=None):
    rows = []
    for n, (question, reply) in enumerate(zip(QUESTIONS, replies, strict=True)):
        row = logs.ever_row(f"q{n}", 1.0, reply=reply)
        row["input"]["raw"], row["evaluation_name"] = question, "prompts"
        if thought:
            row["output"]["reasoning_trace"] = [thought]
        if answers:
            row["answer_attribution"] = [{"extracted_value": answers[n], "is_terminal": True}]
        rows.append(row)
    path = folder / "x_samples.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


PROGRAMS = {"inspect": inspect, "lm_eval": harness, "helm": helm, "every_eval_ever": ever}
APART = {
    "inspect": {"thought": THOUGHT}, "inspect, older": {"thought": THOUGHT, "field": True},
    "helm": {"thought": THOUGHT}, "every_eval_ever": {"thought": THOUGHT},
}  # fmt: skip


def result(path):
    return made(path, study="prompts")


def check(thought, plain):
    assert values(thought) == values(plain)
    assert [(r.item, r.said.strip()) for r in thought.records] == [
        (r.item, r.said.strip()) for r in plain.records
    ]
    assert all(record.thoughts["reply"] == THOUGHT for record in thought.records)
    assert thought.card.counts["thoughts"] == len(REPLIES) and "thoughts" not in plain.card.counts


@pytest.mark.parametrize("program", PROGRAMS)
def test_thoughts_within_replies_change_no_number(tmp_path, program):
    plain = result(PROGRAMS[program](tmp_path, REPLIES))
    assert plain.card.counts["answered"] > 10 and plain.card.counts["refused"] > 3
    for form in TAGGED.values():
        marked = [form.format(thought=THOUGHT, reply=reply) for reply in REPLIES]
        check(result(PROGRAMS[program](tmp_path, marked)), plain)


@pytest.mark.parametrize("how", APART)
def test_thoughts_beside_replies_change_no_number(tmp_path, how):
    write = PROGRAMS[how.partition(",")[0]]
    check(result(write(tmp_path, REPLIES, **APART[how])), result(write(tmp_path, REPLIES)))


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_thought_without_an_end_has_no_answer(tmp_path, program):
    cut = [f"<think>{THOUGHT}", *REPLIES[1:]]
    more = {} if program == "helm" else {"answers": ["yes", *map(str.strip, REPLIES[1:])]}
    lost = result(PROGRAMS[program](tmp_path, cut, **more))
    assert lost.card.counts["thinking"] == 1
    (record,) = [r for r in lost.records if r.finish == "thinking"]
    assert (record.said, record.scores["thinking"], record.scores["listed"]) == ("", 1, 0)


@pytest.mark.parametrize(("program", "stop"), [("inspect", "max_tokens"), ("helm", "length")])
def test_a_reply_that_ends_with_its_thought_at_the_allowed_length_has_no_answer(
    tmp_path, program, stop
):
    log = PROGRAMS[program](tmp_path, ["", *REPLIES[1:]], thought=THOUGHT, stop=stop)
    assert result(log).card.counts["thinking"] == 1


def test_what_a_program_took_from_a_thought_is_no_answer(tmp_path):
    marked = [f"<think>{THOUGHT}</think>{reply}" for reply in REPLIES]
    plain = result(harness(tmp_path, REPLIES))
    check(result(harness(tmp_path, marked, answers=["(b)"] * len(marked))), plain)


def test_an_answer_counts_where_it_stands_in_the_reply():
    sample = LoggedSample("a", "Who?", answer="B")
    reply = Reply("<think>A?</think>ANSWER: B")
    assert sample.replied(reply).answer == "B"
    assert sample.replied(Reply("<think>B?</think>ANSWER: A")).answer == ""
    assert (
        sample.replied(Reply("ANSWER: A")).answer == "B"
    )  # the program knows better without a thought
    tagged = sample.replied(Reply("<plan>B?</plan>Ann"), ("<plan>", "</plan>"))
    assert (tagged.reply, tagged.thought, tagged.answer) == ("Ann", "B?", "")


def test_tokens_of_thoughts_are_those_that_inspect_counts(tmp_path):
    thought = result(inspect(tmp_path, REPLIES, thought=THOUGHT))
    assert thought.card.counts["thought_tokens"] == 30 * len(REPLIES)
    assert thought.records[0].scores["tokens_out"] == 40


def test_a_thought_of_which_only_a_summary_is_known_is_one(tmp_path):
    path = inspect(tmp_path, REPLIES, thought="secret")
    log = json.loads(path.read_text())
    for sample in log["samples"]:
        part = sample["output"]["choices"][0]["message"]["content"][0]
        part |= {"redacted": True, "summary": "It thinks."}
    path.write_text(json.dumps(log))
    assert {r.thoughts["reply"] for r in result(path).records} == {"It thinks."}


def test_a_thought_that_a_server_keeps_to_itself_is_one_that_was_cut_off():
    hidden = LoggedSample("a", "Who?").replied(Reply("", "length", 9, 64, "", 64))
    assert hidden.finish == "thinking" and hidden.written.thought_tokens == 64
