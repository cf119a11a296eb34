"""Runs of HELM: a folder with `scenario_state.json` (questions, answers) and `per_instance_stats.json`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tiltmeter.bridges import samples as log
from tiltmeter.bridges.sample_rows import APART, SampleRows, some
from tiltmeter.bridges.samples import at, identity, listed, number, text
from tiltmeter.bridges.streamed_json import streamed
from tiltmeter.core.errors import BadInput, Problem
from tiltmeter.core.model.conversations import Reply
from tiltmeter.core.reading.json_text import read_json
from tiltmeter.data.downloads.fetch import joint_sha256, sha256

SPEC, STATE, STATS = "run_spec.json", "scenario_state.json", "per_instance_stats.json"
RIGHT = ("exact_match", "quasi_exact_match", "prefix_exact_match")
TECHNICAL = ("num_", "training_", "finish_reason_", "inference_", "batch_size", "prompt_truncated")
"""How statistics begin that say nothing about answers."""
LISTS = {STATE: "request_states", STATS: ""}
"""Where the rows of a file are: in a field, or the file itself."""
PERTURBATION = ("instance", "perturbation", "name")
WHOLE = "give the folder of a whole run"
ORIGINAL = "none"
"""The perturbation of an instance that is not changed, in a run in which others are."""
Key = tuple[str, str, str]
"""Which instance, changed how, after which choice of examples."""


def read_log(folder: Path, tags: Sequence[str] = ()) -> log.EvaluationLog:
    """The run in a folder; where each option was asked about alone, only the scores count.

    Several rows of statistics of one instance are joined.

    Args:
        folder: Of the run.
        tags: A further beginning and end of a thought; () for none.

    Raises:
        BadInput: A file is missing or cannot be read, or two rows of one instance contradict each other.
    """
    spec, rows = read_json(log.sized(folder / SPEC), WHOLE, twice=True), SampleRows(folder.name)
    stats = _stats(folder)
    waiting = {*stats}
    changes = {text(at(state, *PERTURBATION)) for state in _rows(folder, STATE)} - {""}
    for state in _rows(folder, STATE):
        instance = at(state, "instance")
        key = _key(instance, at(instance, "id"), state)
        if not key[0]:
            reason = "an instance has no id, so that its statistics cannot be told from others"
            raise BadInput(reason, log.WAY_OUT, file=f"{folder.name}/{STATE}")
        waiting.discard(key)
        option = at(state, "reference_index")
        sample = _sample(state, key, stats.get(key, {}), tags, alone=option is not None)
        if changes and not key[1]:
            sample = replace(sample, fields={**sample.fields, "perturbation": ORIGINAL})
        if not at(state, "result") and key not in stats:
            rows.leave_out(sample, "no answer and no statistics")
            continue
        # what the model was asked differs where each option was asked about alone
        question = [at(instance, "input"), at(instance, "references")]
        rows.add(
            sample, state, question=question, about=identity([option, at(state, "request_mode")])
        )
    if shared := rows.shared_ids():
        reason = f"several questions have the id {shared[0]!r}, so that their statistics cannot be told apart"
        raise BadInput(reason, APART, file=f"{folder.name}/{STATE}")
    samples, notes = rows.finished(RIGHT)
    problems = [
        Problem(f"{'/'.join(filter(None, key))}: statistics without an answer", file=f"{folder.name}/{STATS}",
                item="/".join(key))
        for key in sorted(waiting)
    ]  # fmt: skip
    if changes:
        notes.append(
            f"Texts changed by {some(sorted(changes))} are samples beside the original ones (perturbation "
            f"{ORIGINAL}): a number over all samples is over both."
        )
    adapter = at(spec, "adapter_spec")
    model = text(at(adapter, "model_deployment")) or text(at(adapter, "model"))
    name = text(at(spec, "name")).partition(",method=")[0].partition(",model=")[0]
    digest = joint_sha256(sha256(folder / file) for file in (STATE, STATS))
    return log.EvaluationLog(
        "helm", name, model, folder.name, digest, samples,
        problems=[*rows.problems, *problems], notes=notes,
    )  # fmt: skip


def _stats(folder: Path) -> dict[Key, dict[str, Any]]:
    """The statistics of each instance, from all its rows.

    Raises:
        BadInput: Two rows have different values of one.
    """
    joined: dict[Key, dict[str, Any]] = {}
    for row in _rows(folder, STATS):
        key = _key(row, at(row, "instance_id"), row)
        known = joined.setdefault(key, {})
        for name, mean in _means(row).items():
            if name in known and not _alike(known[name], mean):
                reason = f"instance {key[0]!r} has two values of {name}, {known[name]} and {mean}"
                raise BadInput(reason, APART, file=f"{folder.name}/{STATS}")
            known[name] = mean
    return joined


def _alike(a: object, b: object) -> bool:
    return number(a) == number(b)  # null and NaN are both no number


def _sample(
    state: Any, key: Key, means: Mapping[str, object], tags: Sequence[str], *, alone: bool
) -> log.LoggedSample:
    instance, written = at(state, "instance"), at(state, "result", "completions", 0)
    references = listed(instance, "references")
    right = [text(at(r, "output")) for r in references if "correct" in listed(r, "tags")]
    scores, unscored = log.scores_of(means)
    of = {"split": at(instance, "split"), "perturbation": key[1], "target": right}
    reply = Reply(
        text(at(written, "text")).strip(), log.finish(at(written, "finish_reason", "reason")),
        thought=text(at(written, "thinking", "text")),
    )  # fmt: skip
    logged = log.LoggedSample(
        "/".join(filter(None, key[:2])), text(at(instance, "input")), "", "",
        tuple(text(at(r, "output")) for r in references), scores=scores, unscored=unscored,
        fields=log.fields(of), document=key[0], repeat=int(number(key[2]) or 0),
    )  # fmt: skip
    if alone:  # the text is an option, which nobody wrote
        return logged
    logged = logged.replied(reply, tags)
    named = text(at(state, "output_mapping", logged.reply.strip()))
    return replace(logged, reply=named or logged.reply)


def _rows(folder: Path, name: str) -> Iterator[Any]:
    """The rows of a file, read one by one."""
    return streamed(folder / name, WHOLE, LISTS[name])


def _key(instance: object, name: object, asked: object) -> Key:
    changed = text(at(instance, "perturbation", "name"))
    return identity(name), changed, text(at(asked, "train_trial_index"))


def _means(row: object) -> dict[str, Any]:
    """The first mean of each name, as the row has it."""
    means = {text(at(s, "name", "name")): at(s, "mean") for s in reversed(listed(row, "stats"))}
    return {name: mean for name, mean in means.items() if name and not name.startswith(TECHNICAL)}
