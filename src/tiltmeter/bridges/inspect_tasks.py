"""Tiltmeter's studies as tasks of inspect_ai: `inspect eval tiltmeter/bbq --model …`.

inspect_ai finds this module by its entry point. Where it is not installed, no task is defined.
"""

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any, cast

from tiltmeter.bridges.answers import AskedRow, askable_rule, asked_rows
from tiltmeter.bridges.inspect import reply_in
from tiltmeter.bridges.matching import result_of
from tiltmeter.bridges.samples import EvaluationLog, LoggedSample, fields
from tiltmeter.core.errors import TiltmeterError
from tiltmeter.core.finder import find, known
from tiltmeter.core.model.conversations import Writing
from tiltmeter.core.model.thoughts import with_thought_apart
from tiltmeter.core.reading.named_values import settings_given
from tiltmeter.run.asking.manner import Manner
from tiltmeter.run.run_options import RunOptions

HOW = ("max_tokens", "temperature", "top_p")


def askable_studies() -> list[str]:
    """Studies with a rule by which a model writes."""
    studies = [find("studies", name, "STUDY") for name in known("studies")]
    return [s.name for s in studies if askable_rule(s, s.sample().items[0], writes=True)]


def numbers_of(scores: Sequence[Any]) -> dict[str, float]:
    """The study's numbers over all samples, and the ends of their intervals as NAME_low and NAME_high.

    {} while no sample is whole, and where the data are the user's own, which --data names at the import.
    """
    samples = [
        LoggedSample(
            str(s.sample_id), "", str(s.score.answer or ""), fields=fields(s.sample_metadata),
            finish=(s.score.metadata or {}).get("finish", "stop"),
        )
        for s in scores
    ]  # fmt: skip
    log = EvaluationLog("inspect_ai", "", "model", "the task", "", samples, chats=True)
    try:
        result = result_of(log, RunOptions(), None)[1]
    except TiltmeterError:
        return {}
    named = {
        f"{e.name}{end}": value for e in result.estimates if not e.groups
        for end, value in (("", e.value), ("_low", e.low), ("_high", e.high))
    }  # fmt: skip
    return {name: value for name, value in named.items() if value is not None}


def metadata_of(row: AskedRow, *, thinks: bool) -> dict[str, Any]:
    """What a sample says of itself: how its answer is read back, and how it is asked (`HOW` and stop texts).

    Stop texts would end a thought. Where the model thinks they are applied when the answer is read.
    """
    request = cast("Writing", row.request)
    how = {"temperature": request.temperature, "top_p": request.top_p}
    stop = [] if thinks else [*request.stop]
    return {**row.fields, **how, "max_tokens": request.most_tokens, "stop": stop}


def _define() -> None:
    """Define the tasks, with what inspect_ai makes them of."""
    from inspect_ai import Task, dataset, model, scorer, solver  # noqa: PLC0415  (of [bridges])
    from inspect_ai import task as named_task  # noqa: PLC0415
    from inspect_ai.util import registry_info  # noqa: PLC0415

    speakers = {
        "system": model.ChatMessageSystem, "user": model.ChatMessageUser,
        "assistant": model.ChatMessageAssistant,
    }  # fmt: skip

    def study() -> Callable[..., Any]:
        return numbers_of

    async def solve(state: Any, generate: Any) -> Any:
        how = {name: state.metadata[name] for name in HOW}
        return await generate(state, stop_seqs=state.metadata["stop"] or None, **how)

    def ask() -> Callable[..., Any]:
        return solve

    async def score(state: Any, _target: Any) -> Any:
        written = with_thought_apart(reply_in(state.output.model_dump()))
        return scorer.Score(
            value=written.text, answer=written.text, metadata={"finish": written.finish}
        )

    def reply() -> Callable[..., Any]:
        return score

    asks = solver.solver(name="ask")(ask)
    metric = scorer.metric(name="study")(study)
    replies = scorer.scorer(metrics=[metric()], name="reply")(reply)

    def define(name: str) -> None:
        def make(
            rule: str = "", data: str = "", settings: str = "", answer_tokens: int = 0,
            thinking_tokens: int = 0,
        ) -> Any:  # fmt: skip
            manner = Manner(
                answer_tokens=answer_tokens or None, thinking_tokens=thinking_tokens or None
            )
            given = settings_given(settings.split(",")) if settings else {}
            rows = asked_rows(
                name, writes=True, chats=True, rule=rule or None, data=data or None, settings=given,
                manner=manner,
            )  # fmt: skip
            samples = [
                dataset.Sample(
                    [speakers[m.speaker](content=m.text) for m in row.request.prompt.messages],
                    id=row.fields["id"], target=getattr(row.item, "truth", ""),
                    metadata=metadata_of(row, thinks=thinking_tokens > 0),
                )
                for row in rows
            ]  # fmt: skip
            return Task(dataset.MemoryDataset(samples, name=name), solver=asks(), scorer=replies())

        made = named_task(name=name)(make)
        # inspect_ai puts the package's name before it, but not where a clone is installed as editable:
        # it then looks for a distribution of this name, and ours has another
        if "/" not in registry_info(made).name:
            named_task(name=f"tiltmeter/{name}")(make)

    for name in askable_studies():
        define(name)


if find_spec("inspect_ai") is not None:
    _define()
