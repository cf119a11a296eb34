"""What the YAML files beside this module name: a study's documents, and its main result with its interval."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from tiltmeter.bridges.answers import asked_rows
from tiltmeter.bridges.lm_eval import read_sample
from tiltmeter.bridges.matching import result_of
from tiltmeter.bridges.samples import EvaluationLog, LoggedSample
from tiltmeter.core.errors import TiltmeterError
from tiltmeter.run.run_options import RunOptions


def choices(**given: Any) -> dict[str, Any]:
    """The documents of a task in which the likeliest of several texts is the answer."""
    return _documents(given, writes=False)


def replies(**given: Any) -> dict[str, Any]:
    """The documents of a task in which the model writes."""
    return _documents(given, writes=True)


def _documents(given: Mapping[str, Any], *, writes: bool) -> dict[str, Any]:
    """The test split; of --metadata, rule, data and settings are read."""
    import datasets  # noqa: PLC0415  (of the extra [bridges])

    own = {name: given[name] for name in ("study", "rule", "data", "settings") if name in given}
    rows = [
        {
            "prompt": row.request.prompt.plain,
            "options": list(getattr(row.request, "options", ())),
            **row.fields,
        }
        for row in asked_rows(**own, writes=writes, chats=False)
    ]
    return {"test": datasets.Dataset.from_list(rows)}


def answers(doc: Mapping[str, Any], results: Sequence[Any]) -> dict[str, LoggedSample]:
    """The answer to a document, for each of the numbers below."""
    responses = [[list(each) if isinstance(each, tuple) else each] for each in results]
    asked = {str(place): {"arg_1": option} for place, option in enumerate(doc["options"])}
    sample = read_sample({"doc": dict(doc), "resps": responses, "arguments": asked})
    return dict.fromkeys(("headline", "headline_low", "headline_high"), sample)


def headline(samples: Sequence[LoggedSample], end: str = "value") -> float:
    """The study's main result over all items, in its own unit; NaN where it has no value."""
    log = EvaluationLog("lm_eval", "", "model", "the task", "", samples)
    value = None
    with suppress(TiltmeterError):
        value = getattr(result_of(log, RunOptions(), None)[1].headline, end, None)
    return float("nan") if value is None else float(value)


headline_low, headline_high = partial(headline, end="low"), partial(headline, end="high")
"""The ends of its interval."""
