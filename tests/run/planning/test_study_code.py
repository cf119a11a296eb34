"""Errors in the code of a study's file: with line, function and error, without a traceback."""

import pytest

from plugins import bare_study
from support.command_line import own_cache, tilt
from tiltmeter.run.planning.study_code import MODULE, code_failure

__all__ = ["own_cache", "tilt"]
pytestmark = pytest.mark.usefixtures("new_process")
SOURCE = bare_study.code_in("extend/add-a-study.md")


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        ("return finished(", "return finishd(", "in load(): NameError: name 'finishd'"),
        ("np.mean(more - less)", "np.mean(more - loss)", "in mean_margin(): NameError"),
        ("np.mean(more - less)", "np.meen(more)", "in mean_margin(): AttributeError"),
        ("    pairs = [", "    open('nothing.csv')\n    pairs = [", "FileNotFoundError"),
    ],
)
def test_a_failure_names_line_and_function(tilt, tmp_path, right, wrong, says):
    assert right in SOURCE
    source = SOURCE.replace(right, wrong)
    (tmp_path / "mine.py").write_text(source)
    code, _, err = tilt("run", "mine.py", "fake:masked", "--allow-code")
    lines = source.splitlines()
    line = 1 + next(i for i, text in enumerate(lines) if wrong.split("\n", 1)[0].strip() in text)
    assert (code, "Traceback" in err) == (2, False)
    assert f"mine.py:{line}: its code fails" in err
    assert says in err


def test_errors_of_other_code_are_not_those_of_a_study():
    code = compile("def load():\n    return 1 / 0\n", "mine.py", "exec")
    for name, theirs in ((f"{MODULE}1", True), ("mine", False)):
        scope = {"__name__": name}
        exec(code, scope)
        with pytest.raises(ZeroDivisionError) as caught:
            scope["load"]()
        assert (code_failure(caught.value) is not None) == theirs
    assert code_failure(ValueError("raised nowhere")) is None
