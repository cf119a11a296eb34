"""Tasks of lm-evaluation-harness, as far as they go without it."""

from pathlib import Path

import pytest

import tiltmeter as tm
from support.evaluation_logs import answered
from tiltmeter.bridges.answers import askable_rule, asked_rows
from tiltmeter.bridges.lm_eval_tasks import documents
from tiltmeter.core.finder import find, known
from tiltmeter.run.measuring.imported_scores import STORED


def test_numbers_of_the_harness_are_the_main_result_and_its_interval():
    task = asked_rows("starter_pairs", writes=False, chats=False)
    samples = []
    for row in task:
        results = [(value, False) for value in answered(row, 0).logprobs]
        doc = {"prompt": "", "options": list(row.request.options), **row.fields}
        kept = documents.answers(doc, results)
        assert {*kept} == {"headline", "headline_low", "headline_high"}
        samples.append(kept["headline"])
    whole = tm.run("starter_pairs", "fake", rule="log_likelihood").headline
    ends = (documents.headline, documents.headline_low, documents.headline_high)
    assert [end(samples) for end in ends] == [whole.value, whole.low, whole.high]
    assert documents.headline([]) != documents.headline([])  # NaN


def test_the_files_for_the_harness_name_studies_that_can_be_asked():
    yaml = pytest.importorskip("yaml", reason="the extra [hf] is not installed")
    wanted = {}
    for name in known("studies"):
        study = find("studies", name, "STUDY")
        item = study.sample().items[0]
        rules = {writes: askable_rule(study, item, writes=writes) for writes in (True, False)}
        for writes, rule in rules.items():
            if rule is not None and rule is not STORED:
                second = "_choice" if rules[True] and not writes else ""
                wanted[f"tiltmeter_{name}{second}"] = (name, "_replies" if writes else "_choices")
    there = {}
    for path in Path(documents.__file__).parent.glob("tiltmeter_*.yaml"):
        task = yaml.safe_load(path.read_text("utf-8"))
        assert path.stem == task["task"]
        there[path.stem] = (task["dataset_kwargs"]["study"], task["include"].removesuffix(".yaml"))
    assert there.items() <= wanted.items()
