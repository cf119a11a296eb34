"""Runs of HELM: a folder with `scenario_state.json` (questions, answers) and `per_instance_stats.json`."""

from pathlib import Path
from typing import Any

from tiltmeter.bridges import samples as log
from tiltmeter.bridges.samples import at, listed, number, text
from tiltmeter.core.json_text import read_json
from tiltmeter.data.downloads.fetch import sha256

SPEC, STATE, STATS = "run_spec.json", "scenario_state.json", "per_instance_stats.json"
RIGHT = ("exact_match", "quasi_exact_match", "prefix_exact_match")
TECHNICAL = ("num_", "training_", "finish_reason_", "inference_", "batch_size", "prompt_truncated")
"""How statistics begin that say nothing about answers."""


def read_log(folder: Path) -> log.EvaluationLog:
    """The run in a folder; where each option was asked about alone, only the scores count.

    Raises:
        BadInput: A file is missing or cannot be read.
    """
    spec, samples = _file(folder, SPEC), dict[tuple[str, ...], log.LoggedSample]()
    stats = listed(_file(folder, STATS))
    scores = {_key(row, at(row, "instance_id"), row): _means(row) for row in stats}
    for state in listed(_file(folder, STATE), "request_states"):
        instance = at(state, "instance")
        key = _key(instance, at(instance, "id"), state)
        if key not in scores or key in samples:
            continue
        references = listed(instance, "references")
        reply = text(at(state, "result", "completions", 0, "text")).strip()
        right = [text(at(r, "output")) for r in references if "correct" in listed(r, "tags")]
        of = {"split": at(instance, "split"), "perturbation": key[1], "target": right}
        samples[key] = log.LoggedSample(
            "/".join(filter(None, key[:2])), text(at(instance, "input")),
            text(at(state, "output_mapping", reply)) or reply,
            tuple(text(at(r, "output")) for r in references),
            correct=next((scores[key][s] for s in RIGHT if s in scores[key]), None), scores=scores[key],
            fields=log.fields(of), document=key[0], repeat=int(number(key[2]) or 0),
        )  # fmt: skip
    adapter = at(spec, "adapter_spec")
    model = text(at(adapter, "model_deployment")) or text(at(adapter, "model"))
    name = text(at(spec, "name")).partition(",method=")[0].partition(",model=")[0]
    digest = sha256(folder / STATE)
    return log.EvaluationLog("helm", name, model, folder.name, digest, [*samples.values()])


def _file(folder: Path, name: str) -> Any:
    return read_json(log.sized(folder / name), "give the folder of a whole run", twice=True)


def _key(instance: object, name: object, asked: object) -> tuple[str, ...]:
    changed = text(at(instance, "perturbation", "name"))
    return text(name), changed, text(at(asked, "train_trial_index"))


def _means(row: object) -> dict[str, float]:
    means = {text(at(s, "name", "name")): at(s, "mean") for s in reversed(listed(row, "stats"))}
    return log.numbers({n: mean for n, mean in means.items() if not n.startswith(TECHNICAL)})
