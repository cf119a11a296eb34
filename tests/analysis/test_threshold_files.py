"""Files of thresholds."""

import pytest

from tiltmeter.analysis.threshold_files import read_thresholds
from tiltmeter.core.errors import BadInput, UnknownName

FILE = """
[[threshold]]
study = "mine"
fail_if = "rate.low > 55"
title = "Rate"
reason = "agreed in review"
level = "warning"

[[threshold]]
fail_if = "rate > 70"
"""


def written(tmp_path, text):
    file = tmp_path / "gates.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_what_a_file_says(tmp_path):
    first, second = read_thresholds(written(tmp_path, FILE))
    assert (first.study, first.name, first.field, first.bound) == ("mine", "rate", "low", 55)
    assert (first.level, first.title, first.reason) == ("warning", "Rate", "agreed in review")
    assert first.condition == "mine/rate.low > 55"
    assert (second.study, second.level) == ("", "error")


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("", BadInput, r"holds \[\[threshold\]\]"),
        ("[[threshold]]\nstudy = 'a'", BadInput, "no condition"),
        ("[[threshold]]\nfail_if = 'x'", BadInput, "NAME SIGN NUMBER"),
        ("[[threshold]]\nfail_if = 'a/x > 1'\nstudy = 'b'", BadInput, "another study"),
        (
            "[[threshold]]\nfail_if = 'x > 1'\nlevel = 'bad'",
            UnknownName,
            "threshold 1: No level named",
        ),
        ("[[threshold]]\nfail_iff = 'x > 1'", BadInput, "did you mean 'fail-if'"),
        ("threshold = [1]", BadInput, "not a table"),
    ],
)
def test_what_it_may_not_say(tmp_path, text, error, message):
    with pytest.raises(error, match=message):
        read_thresholds(written(tmp_path, text))
