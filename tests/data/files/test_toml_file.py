"""TOML that must not end in a traceback or take minutes."""

import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.data.files.toml_file import toml_table


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a = " + "[" * 100_000 + "]" * 100_000, "nested too deeply"),
        ("a = " + "1" * 5_000, "too many digits"),
        (".".join("a" * 50_000) + " = 1", r":1: .*a key has more than 100 parts"),
        ("[" + ".".join("a" * 50_000) + "]", "a key has more than 100 parts"),
        (".".join(['"a"'] * 50_000) + " = 1", "a key has more than 100 parts"),
        ("x = {" + ".".join("a" * 2_000) + " = 1}", "nested too deeply"),
        ("[" * 100_000, "is not TOML"),
        (" " * 100_000 + "x", "is not TOML"),
    ],
    ids=["deep", "long", "dotted", "dotted table", "quoted", "in braces", "brackets", "spaces"],
)
def test_hostile_files_are_refused_with_a_reason(tmp_path, text, says):
    (tmp_path / "f.toml").write_text(text)
    with pytest.raises(BadInput, match=says):
        toml_table(tmp_path / "f.toml", "correct it")


def test_a_byte_order_mark_and_a_long_text_are_read(tmp_path):
    (tmp_path / "f.toml").write_text('\ufeffa.b = "' + "x." * 500 + '"\n', "utf-8")
    assert toml_table(tmp_path / "f.toml", "")["a"]["b"] == "x." * 500
