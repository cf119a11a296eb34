"""A file is tried in a process of its own, whose end is no end of ours."""

from pathlib import Path

import numpy as np
import pytest

from support.fake_llama import FakeContext, FakeWeights, logits_after
from tiltmeter.core.errors import CannotAnswer, Unavailable
from tiltmeter.models.llama_cpp import streams, trial


@pytest.fixture
def stands_in(monkeypatch, tmp_path):
    """A program in place of Python, in which the trial runs."""

    def put(*lines):
        program = tmp_path / "python"
        program.write_text("\n".join(("#!/bin/sh", *lines, "")))
        program.chmod(0o755)
        monkeypatch.setattr(trial.sys, "executable", str(program))

    return put


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("kill -ABRT $$", r"mine: llama.cpp ended its process \(signal 6\) when it tried a.gguf"),
        ("exit 3", r"code 3"),
        ("true", "ended its process"),
        ("""echo '{"error": "here/a.gguf: no model"}'""", "^a.gguf: no model$"),
    ],
)
def test_what_ends_the_process_is_an_error(stands_in, line, says):
    stands_in(line)
    with pytest.raises(Unavailable, match=says):
        trial.tried(Path("here/a.gguf"), "mine")


def test_what_it_found_is_the_last_line(stands_in):
    stands_in("echo loading", """echo '{"apart": 0.25}'""")
    assert trial.tried(Path("a.gguf"), "mine") == {"apart": 0.25}


def test_weights_that_give_no_finite_numbers_are_refused(monkeypatch):
    class Damaged(FakeContext):
        """One logit of each row is not a number."""

        def read(self, rows):
            answers = super().read(rows)
            answers[:, 3] = np.nan
            return answers

    monkeypatch.setattr(streams, "LlamaContext", Damaged)
    with pytest.raises(CannotAnswer, match="mine: its log-probabilities are not finite"):
        trial.apart(FakeWeights(), "mine")


def test_the_trial_finds_out_that_company_matters(monkeypatch):
    monkeypatch.setattr(streams, "LlamaContext", FakeContext)
    assert trial.apart(FakeWeights(), "m") == 0

    class Moved(FakeContext):
        """Texts beside others have other numbers."""

        def read(self, rows):
            answers = super().read(rows)
            if len({row.stream for row in rows}) > 1:
                answers[:, 0] += 1e-3
            return answers

    monkeypatch.setattr(streams, "LlamaContext", Moved)
    assert 1e-6 < trial.apart(FakeWeights(), "m") < 1e-2
    assert np.isfinite(logits_after((1,))).all()
