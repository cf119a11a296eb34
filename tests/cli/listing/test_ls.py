"""A name is a study's or a model's, or the message has the nearest names."""

import pytest


@pytest.mark.parametrize(
    ("slip", "meant"), [("group_trait", "group_traits"), ("gpt-2", "gpt2"), ("BBQ", "bbq")]
)
def test_a_slip_is_answered_with_the_nearest_name_and_without_the_hub(tilt, slip, meant):
    code, out, err = tilt("ls", slip)
    assert (code, out) == (2, "")
    assert f"No study or model named '{slip}'" in err
    assert f"'{meant}'" in err


def test_a_name_that_is_neither_says_what_was_tried(tilt):
    code, _, err = tilt("ls", "grup")
    assert code == 2
    assert "no study and no known model is called 'grup', and the hub's model" in err
    assert "`tiltmeter ls` and `tiltmeter models list`" in err


def test_a_study_wins_over_a_folder_of_its_name_and_says_so(tilt, tmp_path):
    (tmp_path / "bbq").mkdir()
    code, out, err = tilt("ls", "bbq")
    assert code == 0
    assert out.startswith("bbq  BBQ")
    assert "that is ./bbq" in err
    code, _, err = tilt("ls", "./bbq")
    assert (code, err) == (0, "There are no runs in bbq.\n")
    (tmp_path / "bbq/tokenizer_config.json").write_text("{}")
    code, _, err = tilt("ls", "./bbq")
    assert code == 2 and "config.json" in err  # a folder with a model's files is a model


def test_code_is_allowed_only_for_a_file(tilt):
    assert tilt("ls", "bbq", "--allow-code")[0] == 2
    assert tilt("ls", "--allow-code")[0] == 2
