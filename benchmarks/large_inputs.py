"""Whole commands on large inputs: a prompt set, the answers of many raters, logs and tables of 100,000 rows.

The prompt set has thousands of categories and labels. Everything is made up. Each row is one command in a
process of its own, with its imports: processor time, and the most memory that it had.
"""

import json
import random
import struct
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks._frame import Row, Settings, timed
from benchmarks._usage import usage_of

DATE = "2026-01-02T03-04-05.678901"
WORDS = (
    "garden", "street", "market", "river", "doctor", "teacher", "baker", "lawyer", "walked", "carried",
    "opened", "near", "slowly",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Input:
    """An input, and the command on it."""

    way: str
    write: Callable[[Path, int], Path]
    """Writes it into a folder, of a size; where it lies."""
    sizes: tuple[int, int, int]
    """Full, quick and tiny."""
    noun: str
    words: Callable[[Path], Sequence[str]]


def rows(settings: Settings) -> Iterator[Row]:
    """Each input."""
    which = 2 if settings.tiny else 1 if settings.quick else 0
    for each in INPUTS:
        size = each.sizes[which]
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            path = each.write(folder, size)
            line = [
                sys.executable,
                "-m",
                "tiltmeter",
                *each.words(path),
                "--out",
                str(folder / "made"),
            ]
            environment = {"TILTMETER_CACHE": str(folder / "cache")}
            usage, seconds = timed(lambda line=line, at=environment: usage_of(line, at))
            inside = path.rglob("*") if path.is_dir() else [path]
            read = sum(file.stat().st_size for file in inside)
        yield Row(each.way, f"{size:,} {each.noun}", seconds, {"MB read": read / 1e6, **usage})


def _prompt_set(folder: Path, size: int) -> Path:
    """A question with one label a category, and a text for each."""
    labels = [f"label {n:04}" for n in range(size)]
    texts = [f'{{ text = "The {_sentence(n)} {n}.", label = "{labels[n]}" }}' for n in range(size)]
    lines = [
        f"categories = {json.dumps(labels)}",
        f"texts = [{', '.join(texts)}]",
        "[settings.one]",
        'prompt = "What is this? {text}"',
        f"options = {json.dumps(labels)}",
        'positive = "{category}"',
    ]
    path = folder / "set.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _ratings(folder: Path, size: int) -> Path:
    """64 answers from 1 to 5 of each person, five people a text."""
    draw, texts = random.Random(0), max(5, size * 64 // 5)
    lines = ["annotator,item,offensiveness"]
    for person in range(size):
        chosen = [(person * 64 + n) * 7 % texts for n in range(min(64, texts))]
        lines += [
            f"{person},{text},{1 + (text + draw.randrange(3)) % 5}"
            for text in dict.fromkeys(chosen)
        ]
    path = folder / "votes.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _sentence(number: int) -> str:
    draw = random.Random(number)
    return " ".join(draw.choices(WORDS, k=12))


def _inspect_sample(number: int) -> dict[str, Any]:
    said = f"{_sentence(number)} {number}"
    return {
        "id": number, "epoch": 1, "input": f"What does this mean: {said}?", "target": "yes", "choices": None,
        "metadata": {"topic": WORDS[number % 9], "level": number % 5},
        "output": {"completion": f"I think that {said}.", "choices": [
            {"message": {"role": "assistant", "content": f"I think that {said}."}, "stop_reason": "stop"}],
            "usage": {"input_tokens": 30, "output_tokens": 20}},
        "scores": {"match": {"value": "CI"[number % 2], "answer": "yes"}},
    }  # fmt: skip


def _inspect_header() -> dict[str, Any]:
    metrics = {"accuracy": {"name": "accuracy", "value": 0.5}}
    return {
        "version": 2, "status": "success", "eval": {"task": "quiz", "model": "openai/x"},
        "results": {"scores": [{"name": "match", "scorer": "match", "metrics": metrics}]},
    }  # fmt: skip


def _inspect_json(folder: Path, size: int) -> Path:
    path = folder / "log.json"
    with path.open("w", encoding="utf-8") as file:
        file.write(json.dumps(_inspect_header())[:-1] + ', "samples": [\n')
        for n in range(size):
            file.write((",\n" if n else "") + json.dumps(_inspect_sample(n)))
        file.write("]}")
    return path


def _inspect_archive(folder: Path, size: int) -> Path:
    """An `.eval`; Python before 3.14 packs no Zstandard, so that entries are written here."""
    import pyarrow as pa

    path, index = folder / "log.eval", bytearray()
    with path.open("wb") as file:
        for n in range(-1, size):
            name = "header.json" if n < 0 else f"samples/{n}_epoch_1.json"
            plain = json.dumps(_inspect_header() if n < 0 else _inspect_sample(n)).encode()
            content = pa.compress(plain, codec="zstd", asbytes=True)
            sizes = struct.pack("<3L2H", zlib.crc32(plain), len(content), len(plain), len(name), 0)
            head = struct.pack("<5H", 63, 0, 93, 0, 33) + sizes
            where = struct.pack("<3HLL", 0, 0, 0, 0, file.tell())
            index += b"PK\1\2\x3f\0" + head + where + name.encode()
            file.write(b"PK\3\4" + head + name.encode() + content)
        begins, count = file.tell(), size + 1
        file.write(index)
        # the end for more than 65,535 entries (zip64), where it is, and the end as it always is
        file.write(
            b"PK\6\6"
            + struct.pack("<QHHLLQQQQ", 44, 45, 45, 0, 0, count, count, len(index), begins)
        )
        file.write(b"PK\6\7" + struct.pack("<LQL", 0, begins + len(index), 1))
        file.write(b"PK\5\6" + struct.pack("<4H2LH", 0, 0, 65535, 65535, 2**32 - 1, 2**32 - 1, 0))
    return path


def _harness_row(number: int) -> dict[str, Any]:
    said = f"{_sentence(number)} {number}"
    return {
        "doc_id": number, "doc": {"q": f"What does this mean: {said}?", "topic": WORDS[number % 9]},
        "target": "yes", "filter": "none", "metrics": ["acc"],
        "arguments": {"gen_args_0": {"arg_0": f"What does this mean: {said}?", "arg_1": {"until": ["\n"]}}},
        "resps": [[f"I think that {said}."]], "filtered_resps": [f"I think that {said}."],
        "doc_hash": f"h{number}", "acc": float(number % 2),
    }  # fmt: skip


def _harness(folder: Path, size: int) -> Path:
    whole = {"results": {"quiz": {"acc,none": 0.5}}, "configs": {}, "model_name": "gpt2"}
    (folder / f"results_{DATE}.json").write_text(json.dumps(whole), encoding="utf-8")
    path = folder / f"samples_quiz_{DATE}.jsonl"
    _lines(path, map(_harness_row, range(size)))
    return path


def _harness_list(folder: Path, size: int) -> Path:
    path = folder / "gpt2_quiz.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for n in range(size):
            file.write((",\n" if n else "[") + json.dumps(_harness_row(n)))
        file.write("]")
    return path


def _lines(path: Path, values: Iterator[Mapping[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(value)}\n" for value in values)


def _helm(folder: Path, size: int) -> Path:
    run = folder / "quiz"
    run.mkdir()
    spec = {"name": "quiz:model=x", "adapter_spec": {"model": "openai/x"}}
    (run / "run_spec.json").write_text(json.dumps(spec), encoding="utf-8")
    with (run / "scenario_state.json").open("w", encoding="utf-8") as file:
        file.write('{"request_states": [\n')
        for n in range(size):
            text = f"What does this mean: {_sentence(n)} {n}?"
            state = {
                "instance": {"id": f"id{n}", "input": {"text": text}, "split": "test", "references": [
                    {"output": {"text": "yes"}, "tags": ["correct"]},
                    {"output": {"text": "no"}, "tags": []}]},
                "train_trial_index": 0, "output_mapping": {"A": "yes", "B": "no"},
                "result": {"completions": [{"text": f" {'AB'[n % 2]}"}]},
            }  # fmt: skip
            file.write((",\n" if n else "") + json.dumps(state))
        file.write("]}")
    with (run / "per_instance_stats.json").open("w", encoding="utf-8") as file:
        for n in range(size):
            stat = {"name": {"name": "exact_match", "split": "test"}, "mean": float(not n % 2)}
            row = {"instance_id": f"id{n}", "train_trial_index": 0, "stats": [stat]}
            file.write((",\n" if n else "[") + json.dumps(row))
        file.write("]")
    return run


def _every(folder: Path, size: int) -> Path:
    path = folder / "x_samples.jsonl"
    _lines(path, ({
        "schema_version": "0.3.0", "evaluation_id": "demo/m/1", "model_id": "org/m",
        "evaluation_name": "quiz",
        "evaluation_result_id": "demo.quiz", "sample_id": str(n), "sample_hash": f"h{n}",
        "interaction_type": "single_turn", "answer_attribution": [], "metadata": {"subject": WORDS[n % 9]},
        "input": {"raw": f"What does this mean: {_sentence(n)} {n}?", "reference": ["4"]},
        "output": {"raw": [f"I think that {_sentence(n)} {n}."]},
        "evaluation": {"score": n % 2, "is_correct": n % 2 == 1},
    } for n in range(size)))  # fmt: skip
    return path


def _predictions(folder: Path, size: int) -> Path:
    path, draw = folder / "predictions.csv", random.Random(0)
    with path.open("w", encoding="utf-8") as file:
        file.write("id,text,label,predicted,score,group\n")
        for n in range(size):
            score = draw.random()
            file.write(
                f"{n},The {_sentence(n)} {n}.,{n % 2},{int(score > 0.5)},{score},{'abc'[n % 3]}\n"
            )
    return path


def _scored_pairs(ending: str) -> Callable[[Path, int], Path]:
    def write(folder: Path, size: int) -> Path:
        path, draw = folder / f"scores.{ending}", random.Random(0)
        rows = [{
            "id": f"item-{n}", "sent_more": f"The old {_sentence(n)} {n}.",
            "sent_less": f"The young {_sentence(n)} {n}.", "bias_type": "age",
            "sent_more_score": -10 * draw.random(), "sent_less_score": -10 * draw.random(),
        } for n in range(size)]  # fmt: skip
        if ending == "json":
            path.write_text(json.dumps(rows), encoding="utf-8")
        elif ending == "jsonl":
            _lines(path, iter(rows))
        else:
            import pyarrow as pa
            from pyarrow import parquet

            parquet.write_table(pa.Table.from_pylist(rows), path)
        return path

    return write


def _import(path: Path) -> list[str]:
    return ["import", str(path), "--json"]


MANY = (100_000, 5_000, 60)
INPUTS = (
    Input("run prompts", _prompt_set, (3_000, 300, 20), "texts, categories and labels",
          lambda path: ["run", "prompts", "fake:writer", "--data", str(path), "--json"]),
    Input("analyse agreement", _ratings, (500, 60, 10), "people with 64 ratings",
          lambda path: ["analyse", "agreement", str(path), "--question", "offensiveness"]),
    Input("import of inspect_ai's .eval", _inspect_archive, MANY, "samples", _import),
    Input("import of inspect_ai's JSON", _inspect_json, MANY, "samples", _import),
    Input("import of lm-evaluation-harness, lines", _harness, MANY, "samples", _import),
    Input("import of lm-evaluation-harness, a list", _harness_list, MANY, "samples", _import),
    Input("import of HELM", _helm, MANY, "samples", _import),
    Input("import of Every Eval Ever", _every, MANY, "samples", _import),
    Input("import of scores, JSON", _scored_pairs("json"), MANY, "pairs", _import),
    Input("import of scores, JSON lines", _scored_pairs("jsonl"), MANY, "pairs", _import),
    Input("import of scores, Parquet", _scored_pairs("parquet"), MANY, "pairs", _import),
    Input("import of predictions, CSV", _predictions, MANY, "predictions", _import),
)  # fmt: skip
