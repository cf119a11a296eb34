"""System prompts, thinking and limits, as they reach a model."""

from pathlib import Path

import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.core.model.conversations import (
    ALLOWANCES,
    BeamWriting,
    Choosing,
    Message,
    Prompt,
    Writing,
)
from tiltmeter.core.model.requests import Continuation
from tiltmeter.core.reply_counts import ReplyCounts
from tiltmeter.run.asking.manner import Manner, check_replies, manner_of, thinking_note, with_shared
from tiltmeter.run.run_options import ReplyOptions, RunOptions
from tiltmeter.studies.bbq.study import STUDY
from tiltmeter.studies.pairs import STUDY as PAIRS

PROMPT = Prompt((Message("user", "Ann or Bob?"),))


def test_the_default_changes_nothing() -> None:
    """Requests stay the same objects, also those that are for no reply."""
    requests = [Writing(PROMPT, 8), Writing(PROMPT, 9)]
    assert Manner().applied(requests) is requests
    continuations = [Continuation((), (1,))]
    assert Manner(system="Be brief.").applied(continuations) == continuations


def test_a_system_prompt_begins_each_conversation() -> None:
    """Of whatever kind the request is."""
    for request in (
        Writing(PROMPT, 8),
        BeamWriting(PROMPT, 8, 2),
        Choosing(PROMPT, ("Ann", "Bob")),
    ):
        (changed,) = Manner(system="Be brief.").applied([request])
        assert changed.prompt.messages == (Message("system", "Be brief."), *PROMPT.messages)


def test_limits() -> None:
    """An answer keeps its own limit, and a thought has one beside it where it is foreseen."""
    request = Writing(PROMPT, 8)

    def asked(manner: Manner, *, thinks: bool = False) -> Writing:
        return manner.applied([request], thinks=thinks)[0]

    assert asked(Manner(thinking="high")).most_tokens == 8 + ALLOWANCES["high"]
    assert asked(Manner(thinking="off"), thinks=True).most_tokens == 8
    assert asked(Manner(), thinks=True).most_tokens == 8 + ALLOWANCES[""]
    assert asked(Manner(answer_tokens=50)).most_tokens == 50
    assert asked(Manner(thinking="on", thinking_tokens=30, answer_tokens=5)).most_tokens == 35
    plain = Writing(Prompt(PROMPT.messages, chat=False), 8)
    assert Manner(thinking="on").applied([plain])[0].thinking_tokens == 0


def test_options_for_several_studies_go_to_those_on_which_they_have_an_effect() -> None:
    """A study's own options go before, and options are scored without a thought."""
    rules = {rule.name: rule for rule in STUDY.rules}
    shared = ReplyOptions(thinking="on", answer_tokens=50, system="system.txt")

    def made(options: RunOptions, *names: str) -> tuple[RunOptions, tuple[str, ...]]:
        return with_shared(options, shared, [rules[name] for name in names])

    written = RunOptions(thinking="on", answer_tokens=50, system="system.txt")
    assert made(RunOptions(), "word") == (written, ())
    assert made(RunOptions(answer_tokens=9), "word")[0].answer_tokens == 9
    scored = RunOptions(thinking="off", system="system.txt")
    assert made(RunOptions(), "choice") == (scored, ("thinking", "answer-tokens"))
    assert made(RunOptions(), "word", "choice") == (scored, ("thinking", "answer-tokens"))
    (pairs,) = (rule for rule in PAIRS.rules if rule.name == "pll_all")
    assert with_shared(RunOptions(seed=3), shared, [pairs])[0] == RunOptions(seed=3)


def test_the_file_with_the_system_prompt(tmp_path: Path) -> None:
    """It is read as text, and must not be empty."""
    file = tmp_path / "system.txt"
    file.write_text("You are a clerk.\nBe brief.\n")
    manner = manner_of(RunOptions(system=file, thinking="off"))
    assert manner.system == "You are a clerk.\nBe brief."
    assert manner.facts == {"system prompt": manner.system, "thinking asked for": "off"}
    file.write_text(" \n")
    with pytest.raises(BadInput, match="no text"):
        manner_of(RunOptions(system=file))
    with pytest.raises(BadInput, match="no such file"):
        manner_of(RunOptions(system=tmp_path / "none.txt"))


def test_options_without_an_effect_are_refused() -> None:
    """By a rule that writes nothing, limits mean nothing, and thinking contradicts it."""
    rules = {rule.name: rule for rule in STUDY.rules}
    check_replies(rules["word"], RunOptions(thinking="high", answer_tokens=9))
    check_replies(rules["choice"], RunOptions(thinking="off"))
    with pytest.raises(BadInput, match="contradicts choice"):
        check_replies(rules["choice"], RunOptions(thinking="on"))
    with pytest.raises(BadInput, match="--answer-tokens has no effect"):
        check_replies(rules["choice"], RunOptions(answer_tokens=9))


def test_thinking_is_verified_from_the_replies() -> None:
    """A note says where the model did not do as it was asked."""
    counts = ReplyCounts(10, 10, 0, 0, 0, 0, 0, thoughts=4)
    assert thinking_note("", counts) is None
    assert "4 of 10 replies (40.0 %)" in thinking_note("off", counts).text
    assert "6 of 10 replies" in thinking_note("high", counts).text
    assert thinking_note("off", ReplyCounts(10, 10, 0, 0, 0, 0, 0)) is None
    assert "all replies" in thinking_note("on", ReplyCounts(10, 10, 0, 0, 0, 0, 0)).text
