"""The real programs of others run our tasks, and their logs come back: nothing lost, the same numbers.

They are in the extra [bridges], which docs/how-to/bridges.md says how to install: inspect_ai does not go
together with the versions in constraints.txt.
"""

import csv
import json
import math
import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import tiltmeter as tm
from support import architectures
from tiltmeter.bridges import lm_eval_tasks

for program in ("inspect_ai", "lm_eval"):
    pytest.importorskip(
        program, reason="the extra [bridges] is not installed", exc_type=ImportError
    )
if not entry_points(group="inspect_ai", name="tiltmeter"):
    pytest.skip("tiltmeter is installed without its entry point", allow_module_level=True)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
SOURCE = Path(tm.__file__).parents[1]
TASKS = str(Path(lm_eval_tasks.__file__).parent)
MODEL = """
from zlib import crc32
from inspect_ai import eval
from inspect_ai.model import ModelAPI, ModelOutput, ModelUsage, modelapi

@modelapi(name="fixed")
class Fixed(ModelAPI):
    async def generate(self, input, tools, tool_choice, config):
        words = ("yes", "No.", "maybe", "I'm sorry, but I cannot say.", "yes and no")
        reply = words[crc32((self.model_name + input[-1].text).encode()) % len(words)]
        out = ModelOutput.from_content(self.model_name, reply)
        out.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return out

for name in ("a", "b"):
    (log,) = eval("tiltmeter/prompts", model=f"fixed/{name}", log_dir="logs", display="none")
    assert log.status == "success", log.error
"""


def done(folder, *words):
    there = {
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_OFFLINE": "1",
        "HOME": str(folder),
        "OMP_NUM_THREADS": "1",
    }
    made = subprocess.run(
        [sys.executable, *words], cwd=folder, env={**os.environ, **there, "PYTHONPATH": str(SOURCE)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr[-3_000:]
    return made.stdout


def harness(folder, model, tasks):
    done(folder, "-m", "lm_eval", *model, "--tasks", tasks, "--include_path", TASKS, "--log_samples",
         "--output_path", "out")  # fmt: skip
    return sorted((folder / "out").rglob("samples_*.jsonl"))


def imported(folder, *logs):
    """The runs that become of logs, by study."""
    done(folder, "-m", "tiltmeter", "import", *map(str, logs), "--out", "runs")
    cards = (folder / "runs").glob("*/card.json")
    runs = [tm.load(card.parent) for card in cards]
    return {(run.card.study, run.card.rule, run.card.model_name): run for run in runs}


def close(run, other):
    numbers = [
        {(e.name, *sorted(e.groups.items())): [
            math.nan if x is None else x for x in (e.value, e.low, e.high)] for e in each.estimates}
        for each in (run, other)
    ]  # fmt: skip
    assert numbers[0].keys() == numbers[1].keys()
    for key, values in numbers[0].items():
        assert values == pytest.approx(numbers[1][key], rel=1e-4, abs=1e-4, nan_ok=True), key


def test_the_harness_asks_a_local_model_what_we_ask_it(tmp_path):
    folder = architectures.build("gpt2", tmp_path / "tiny")
    tasks = "tiltmeter_starter_pairs,tiltmeter_prompts_choice"
    logs = harness(
        tmp_path,
        ("--model", "hf", "--model_args", f"pretrained={folder}", "--device", "cpu"),
        tasks,
    )
    runs = imported(tmp_path, *logs)
    for study, rule, settings in (
        ("starter_pairs", "log_likelihood", {}), ("prompts", "choice", {"wrap": "text"}),
    ):  # fmt: skip
        run = runs[study, rule, "tiny"]
        assert run.card.invalid == ()
        close(run, tm.run(study, str(folder), rule=rule, settings=settings))
    results = json.loads(next((tmp_path / "out").rglob("results_*.json")).read_text())["results"]
    shown = results["tiltmeter_starter_pairs"]
    head = runs["starter_pairs", "log_likelihood", "tiny"].headline
    ends = [shown[f"headline{end},none"] for end in ("", "_low", "_high")]
    assert ends == [head.value, head.low, head.high]


def test_no_item_is_lost_and_both_programs_become_one_comparison(tmp_path):
    logs = harness(tmp_path, ("--model", "dummy"), "tiltmeter_prompts")
    (tmp_path / "fixed.py").write_text(MODEL)
    done(tmp_path, "fixed.py")
    evals = sorted((tmp_path / "logs").glob("*.eval"))
    runs = imported(tmp_path, *logs, *evals)
    of_inspect = [run for (_, _, model), run in runs.items() if model.startswith("fixed/")]
    compared = [run for (study, *_), run in runs.items() if study == "compare"]
    assert len(runs) == 4 and len(of_inspect) == 2 and len(compared) == 1
    names = {e.model for e in compared[0].estimates if e.name == "strict_accuracy_difference"}
    assert len(names) == 3 and "fixed/a − fixed/b" in names
    assert all(e.adjustment == "Holm" for e in compared[0].estimates if e.p_adjusted is not None)
    for run in (run for (study, *_), run in runs.items() if study == "prompts"):
        assert (run.card.counts["scored"], run.card.invalid) == (32, ())
    run = runs["prompts", "word", "fixed/a"]
    with (tmp_path / "replies.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("prompt", "answer"))
        asked = {record.item: record.said for record in run.records}
        from tiltmeter.bridges.answers import asked_rows

        for row in asked_rows("prompts", writes=True, chats=True):
            rows.writerow((row.request.prompt.plain, asked[row.item.id]))
    close(run, tm.run("prompts", f"replay:{tmp_path / 'replies.csv'}", rule="word"))
