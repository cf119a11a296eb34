"""Files of thresholds."""

import pytest

from tiltmeter.analysis.threshold_files import read_thresholds
from tiltmeter.core.errors import BadItems

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
    ("text", "message"),
    [
        ("", r"has no threshold; write \[\[threshold\]\]"),
        ("[[threshold]]\nstudy = 'a'", r"threshold\[1\] has no fail_if"),
        ("[[threshold]]\nfail_if = 'x'", r"threshold\[1\] .*NAME SIGN NUMBER"),
        ("[[threshold]]\nfail_if = 'a/x > 1'\nstudy = 'b'", "another study"),
        (
            "[[threshold]]\nfail_if = 'x > 1'\nlevel = 'bad'",
            r"threshold\[1\].level is 'bad'; write",
        ),
        ("[[threshold]]\nfail_iff = 'x > 1'", "did you mean 'fail_if'"),
        ("threshold = [1]", r"threshold\[1\] is not a table"),
        ("limit = 1\n[[threshold]]\nfail_if = 'x > 1'", "unknown key 'limit'"),
    ],
)
def test_what_it_may_not_say(tmp_path, text, message):
    with pytest.raises(BadItems, match=message):
        read_thresholds(written(tmp_path, text))
