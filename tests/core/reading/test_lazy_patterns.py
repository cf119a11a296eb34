"""Patterns that are compiled at their first use find what compiled ones find."""

import re
import subprocess
import sys

from tiltmeter.core.reading.lazy_patterns import lazy_pattern


def test_it_is_used_like_a_pattern():
    pattern = lazy_pattern("(?P<letter>[a-c])", re.IGNORECASE)
    assert pattern.pattern == "(?P<letter>[a-c])"
    assert [match["letter"] for match in pattern.finditer("xBc")] == ["B", "c"]
    assert pattern.sub("-", "xBc") == "x--"


def test_it_is_compiled_once_and_late(monkeypatch):
    compiled = []
    compile_ = re.compile
    monkeypatch.setattr(re, "compile", lambda *given: compiled.append(given) or compile_(*given))
    pattern = lazy_pattern("late")
    assert not hasattr(pattern, "__wrapped__") and not hasattr(pattern, "_mock_name")
    assert not compiled
    assert pattern.search("too late")
    assert pattern.search("later")
    assert len(compiled) == 1


def test_importing_the_words_around_answers_compiles_no_long_pattern():
    """Every command about a study with replies imports them, also those that read no reply."""
    code = (
        "import re; kept = re.compile; longest = [0]\n"
        "def noting(text, *more, **how): longest.append(len(str(text))); return kept(text, *more, **how)\n"
        "re.compile = noting; import tiltmeter.scoring.stated_answers.vocabulary; print(max(longest))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 10_000
