"""Commands that are built when they are invoked, and the help pages of groups."""

import pytest

from tiltmeter.cli.machinery.command_tree import COMMANDS


@pytest.mark.parametrize(
    ("words", "meant"), [(["rnu"], "'run'"), (["data", "gett"], "'get'")], ids=str
)
def test_a_mistyped_name_is_answered_with_the_nearest(tilt, words, meant):
    code, _, err = tilt(*words)
    assert code == 2
    assert f"Did you mean {meant}" in err


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["agreement", "a.csv"], "'tiltmeter analyse agreement'?"),
        (["cache"], "'tiltmeter data cache'?"),
        (["analyse", "info"], "'tiltmeter data cache info'?"),
        (["get"], "'tiltmeter data get' or 'tiltmeter models get'?"),
    ],
    ids=str,
)
def test_a_name_of_another_group_is_answered_with_its_place(tilt, words, meant):
    code, _, err = tilt(*words)
    assert code == 2
    assert f"Did you mean {meant}" in " ".join(err.replace("│", "").split())


def test_the_first_page_fits_into_sixty_lines_of_eighty_columns(tilt):
    """What a person sees of a terminal; there are at most twenty names."""
    _, out, _ = tilt("--help")
    assert len(out.splitlines()) <= 60
    names = [entry.name for entries in COMMANDS.values() for entry in entries]
    assert len(names) <= 20


def test_the_page_of_analyses_has_them_by_what_they_are_about(tilt):
    code, out, _ = tilt("analyse", "--help")
    assert code == 0
    models, people = out.partition("─ People's answers ─")[::2]
    assert "before-after" in models and "agreement" in people
    code, _, err = tilt("analyse", "compare")
    assert code == 2 and "No such command 'compare'" in err


def test_a_choice_that_is_not_offered_is_refused_without_the_words_of_a_library(tilt):
    code, _, err = tilt("export", "runs", "out.csv", "--format", "foo")
    assert code == 2
    assert "Invalid value for '--format': 'foo' is not one of" in err


@pytest.mark.parametrize("words", [["--help"], ["-h"], []], ids=str)
def test_the_page_of_all_commands(tilt, words):
    code, out, _ = tilt(*words)
    assert code == (0 if words else 2)
    for line in ("tiltmeter [OPTIONS] COMMAND", "-h, --help ", "─ Measure ─", "run  ", "analyse "):
        assert line in out


def test_the_page_of_a_group_and_of_a_command_in_it(tilt):
    code, out, _ = tilt("data", "-h")
    assert code == 0
    assert "tiltmeter data [OPTIONS] COMMAND" in out
    assert "get       Download a data set into the cache" in out
    code, out, _ = tilt("data", "get", "-h")
    assert code == 0
    assert "tiltmeter data get [OPTIONS]" in out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--limit", "abc"), "'--limit': 'abc' is not a whole number"),
        (("--limit", "2.5"), "'--limit': '2.5' is not a whole number"),
        (("--limit", "0"), "'--limit': 0 is too small; give 1 or more"),
        (("--timeout", "soon"), "'--timeout': 'soon' is not a number"),
    ],
)
def test_a_number_that_cannot_be_used_is_refused_in_plain_words(tilt, words, says):
    code, _, err = tilt("run", "starter_pairs", "fake", *words)
    assert code == 2 and says in err and "Input" not in err
