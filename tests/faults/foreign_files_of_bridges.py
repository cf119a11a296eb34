"""Readers of logs of other programs."""

from pathlib import Path
from typing import Any

from faults.foreign_files import Reader, json_of
from support import evaluation_logs as logs
from tiltmeter.bridges.matching import ITSELF, result_of
from tiltmeter.bridges.reading import read_logs
from tiltmeter.run.monitor import Logged
from tiltmeter.run.run_options import RunOptions


def _read_log(path: Path) -> Any:
    return [result_of(log, RunOptions(), Logged(), study=ITSELF) for log in read_logs(path)]


def _helm(folder: Path) -> None:
    logs.helm_run(
        folder, [("i", "Who?", ("a", "b"), "a", "b"), ("j", "Who?", ("a", "b"), "a", "a")]
    )


READERS = (
    Reader("a log of inspect_ai", "l.json", json_of(logs.inspect_log(
        [logs.inspect_sample("a", metadata={"x": {"y": 1}}), logs.inspect_sample("b", value={"f1": 0.5})])),
        _read_log),
    Reader("a packed log of inspect_ai", "l.eval", "", _read_log, lambda folder: logs.packed(
        folder / "l.eval", logs.inspect_log([logs.inspect_sample(name) for name in "ab"]))),
    Reader("samples of lm-evaluation-harness", "samples_q.jsonl", "".join(
        json_of(logs.harness_row(i, {"q": "Who?"}, options=("a", "b"), logprobs=(-1.0, -2.5))) + "\n"
        for i in range(2)), _read_log),
    *(Reader(f"{name} of HELM", name, "", lambda path: _read_log(path.parent), _helm)
      for name in ("run_spec.json", "scenario_state.json", "per_instance_stats.json")),
    Reader("samples of Every Eval Ever", "e.jsonl", json_of(logs.ever_row("a", 0.5)) + "\n", _read_log),
    Reader("results of Every Eval Ever", "x.json", "", _read_log,
           lambda folder: logs.ever_log(folder, [logs.ever_row("a", 1.0)])),
)  # fmt: skip
