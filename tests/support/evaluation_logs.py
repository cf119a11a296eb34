"""Logs as other programs write them, small and made by hand; and answers of a fake model to exported rows."""

import json
import struct
import zipfile
import zlib

import pyarrow as pa

from tiltmeter.bridges.matching import result_of
from tiltmeter.bridges.reading import read_logs
from tiltmeter.bridges.samples import LoggedSample
from tiltmeter.core.model.conversations import Choosing
from tiltmeter.core.model.requests import Continuation
from tiltmeter.models import fake
from tiltmeter.run.monitor import Logged
from tiltmeter.run.run_options import RunOptions
from tiltmeter.scoring.text_scoring import total
from tiltmeter.studies.starter_pairs import STUDY

DATE = "2026-01-02T03-04-05.678901"


def inspect_sample(name, said="no", *, value="C", answer="", choices=None, **further):
    return {
        "id": name, "epoch": 1, "input": f"Question {name}?", "target": "no", "choices": choices,
        "output": {"choices": [{"message": {"content": said}}], "completion": said},
        "scores": {"match": {"value": value, "answer": answer or said}}, **further,
    }  # fmt: skip


def inspect_log(samples, task="quiz", model="openai/x"):
    about = {"task": task, "model": model, "packages": {"inspect_ai": "0.3"}}
    metrics = {"accuracy": {"name": "accuracy", "value": 0.5}}
    results = {"scores": [{"name": "match", "scorer": "match", "metrics": metrics}]}
    return {
        "version": 2,
        "status": "success",
        "eval": about,
        "results": results,
        "samples": samples,
    }


def packed(path, log, *, zstd=True):
    """The log as an `.eval` archive; Python before 3.14 writes no Zstandard, so the entries are made here.

    Samples of one id and epoch are members of one name.
    """
    members = [("header.json", {k: v for k, v in log.items() if k != "samples"})]
    members += [(f"samples/{s['id']}_epoch_{s.get('epoch', 1)}.json", s) for s in log["samples"]]
    if not zstd:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, value in members:
                archive.writestr(name, json.dumps(value))
        return path
    body, index = b"", b""
    for name, value in members:
        plain = json.dumps(value).encode()
        content = pa.compress(plain, codec="zstd", asbytes=True)
        sizes = struct.pack("<3L2H", zlib.crc32(plain), len(content), len(plain), len(name), 0)
        head = struct.pack("<5H", 63, 0, 93, 0, 33) + sizes
        index += (
            b"PK\1\2\x3f\0" + head + struct.pack("<3HLL", 0, 0, 0, 0, len(body)) + name.encode()
        )
        body += b"PK\3\4" + head + name.encode() + content
    end = struct.pack("<4H2LH", 0, 0, len(members), len(members), len(index), len(body), 0)
    path.write_bytes(body + index + b"PK\5\6" + end)
    return path


def harness_row(number, doc, said="", *, options=(), logprobs=(), scores=None, **further):
    """A line of lm-evaluation-harness, as version 0.4.13 writes it."""
    asked = [{"arg_0": "", "arg_1": option} for option in options] or [
        {"arg_0": doc.get("q", ""), "arg_1": {}}
    ]
    replies = [[[str(value), "False"]] for value in logprobs] or [[said]]
    scores = {"acc": 1.0} if scores is None else scores
    return {
        "doc_id": number, "doc": doc, "target": "0", "filter": "none", "metrics": [*scores],
        "arguments": {f"gen_args_{i}": each for i, each in enumerate(asked)}, "resps": replies,
        "filtered_resps": replies, "doc_hash": f"h{number}", **scores, **further,
    }  # fmt: skip


def harness_log(folder, rows, task="quiz", model="gpt2"):
    folder.mkdir(parents=True, exist_ok=True)
    results = {task: {"alias": task, "acc,none": 0.5, "acc_stderr,none": 0.1}}
    whole = {"results": results, "configs": {}, "model_name": model, "lm_eval_version": "0.4.13"}
    (folder / f"results_{DATE}.json").write_text(json.dumps(whole))
    path = folder / f"samples_{task}_{DATE}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def helm_run(folder, questions, task="bbq:subject=all", model="openai/gpt2"):
    """A run; questions are (id, text, references, right, what the model chose)."""
    folder.mkdir(parents=True, exist_ok=True)
    states, stats = [], []
    for name, text, references, right, chosen in questions:
        letters = dict(zip("ABCDEF", references, strict=False))
        of = [
            {"output": {"text": r}, "tags": ["correct"] if r == right else []} for r in references
        ]
        states.append({
            "instance": {"id": name, "input": {"text": text}, "references": of, "split": "test"},
            "train_trial_index": 0, "output_mapping": letters,
            "result": {"completions": [{"text": " " + {v: k for k, v in letters.items()}[chosen]}]},
        })  # fmt: skip
        means = {"exact_match": float(chosen == right), "num_output_tokens": 1}
        stats.append({
            "instance_id": name, "train_trial_index": 0,
            "stats": [{"name": {"name": k, "split": "test"}, "mean": v} for k, v in means.items()],
        })  # fmt: skip
    spec = {"name": f"{task},method=x,model={model}", "adapter_spec": {"model": model}}
    for file, value in (("run_spec", spec), ("scenario_state", {"request_states": states}),
                        ("per_instance_stats", stats)):  # fmt: skip
        (folder / f"{file}.json").write_text(json.dumps(value))
    return folder


def ever_row(name, score, *, result="demo.quiz", reply="4"):
    return {
        "schema_version": "0.3.0", "evaluation_id": "demo/m/1", "model_id": "org/m",
        "evaluation_name": "quiz",
        "evaluation_result_id": result, "sample_id": name, "sample_hash": f"h{name}",
        "interaction_type": "single_turn", "input": {"raw": f"What is {name}?", "reference": ["4"]},
        "output": {"raw": [reply]}, "answer_attribution": [], "metadata": {"subject": "sums"},
        "evaluation": {"score": score, "is_correct": score == 1},
    }  # fmt: skip


def ever_log(folder, rows):
    whole = {
        "schema_version": "0.3.0",
        "evaluation_results": [{"evaluation_name": "demo.quiz", "score_details": {"score": 0.75}}],
        "detailed_evaluation_results": {"file_path": "../elsewhere/x_samples.jsonl"},
    }
    (folder / "x.json").write_text(json.dumps(whole))
    path = folder / "x_samples.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


MODEL = fake.load("")


def answered(row, number):
    """A row's sample with the fake model's answer, as a log has it."""
    request, fields = row.request, dict(row.fields)
    if not isinstance(request, Choosing):
        return LoggedSample(str(number), "", MODEL.write([request])[0].text, fields=fields)
    if request.prompt.plain:
        (logprobs,) = MODEL.choice_logprobs([request])
    else:
        asked = [Continuation((), tokens.ids) for tokens in MODEL.encode(request.options)]
        logprobs = [total([each]) for each in MODEL.continuation_logprobs(asked)]
    return LoggedSample(
        str(number), "", options=request.options, logprobs=tuple(map(float, logprobs)), fields=fields
    )  # fmt: skip


def made(path, *, data=None, **further):
    """The result of the one log at a path."""
    (log,) = read_logs(path)
    return result_of(log, RunOptions(data=data), Logged(), **further)[1]


def values(result):
    """By the name of a number and its labels."""
    return {(e.name, *e.groups.values()): e.value for e in result.estimates}


QUIZ = [("a", 1.0, "x"), ("b", 0.0, "x"), ("c", 1.0, "y"), ("d", 1.0, "y")]


def quiz(folder, name, right=QUIZ):
    folder.mkdir(parents=True, exist_ok=True)
    samples = [
        inspect_sample(q, value="C" if value else "I", metadata={"topic": topic, "passage": topic})
        for q, value, topic in right
    ]  # fmt: skip
    path = folder / "q.json"
    path.write_text(json.dumps(inspect_log(samples, "quiz", name)))
    return path


def quiz_of(values):
    samples = [
        inspect_sample(f"q{n}", value=value, metadata={"topic": "xy"[n % 2]})
        for n, value in enumerate(values)
    ]
    return inspect_log(samples)


def pair_log(folder, change=None):
    pairs = STUDY.load().items[:6]
    rows = [
        harness_row(i, {}, options=(p.more, p.less), logprobs=(-3.0, -3.0 - (-1) ** i))
        for i, p in enumerate(pairs)
    ]
    if change is not None:
        change(rows)
    return harness_log(folder, rows, "starter_pairs")
