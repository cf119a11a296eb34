"""Misspelt names in a study of one's own are found when it is read, with the name that is likely meant."""

import pytest

from plugins import bare_study
from tiltmeter.core.errors import BadItems
from tiltmeter.core.finder import find, known
from tiltmeter.run.planning.study_checks import study_problems
from tiltmeter.run.planning.study_files import read_study

pytestmark = pytest.mark.usefixtures("new_process")
SOURCE = bare_study.code_in("extend/add-a-study.md")


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        ('title="Left', 'categories="bias_typ", title="Left', "did you mean 'bias_type'?"),
        ('mean_margin, ("more", "less")', 'mean_margin, ("mor", "less")', "did you mean 'more'?"),
        ('over=((), ("bias_type",))', 'over=((), ("bais_type",))', "did you mean 'bias_type'?"),
        ("by $value on", "by $vlaue on", "unknown field $vlaue; did you mean $value?"),
        ("by $value on", "by $xyzzy on", "there are $value, $size, $n, $counts, $below, $above"),
        ("by $value on", "by $5 on", "write $$ for a $"),
        ('"mean_margin", mean', '"meanMargin 1", mean', "letters, digits and _: mean_margin_1"),
        ("Pair(str(i)", 'Pair("x"', "8 items have the same id 'x'; give each its own"),
        ("def load(source=None, *, skip_invalid=False,", "def load(source=None, *,", "load cannot"),
        ('mean_margin, ("more", "less")', 'mean_margin, ("more",)', "cannot be called with 1 column:"),
        ("return finished(Dataset(", "return (lambda _: [])((", "sample returns a list, not a Dataset"),
    ],
)  # fmt: skip
def test_a_mistake_is_named(tmp_path, right, wrong, says):
    assert right in SOURCE
    (tmp_path / "mine.py").write_text(SOURCE.replace(right, wrong))
    with pytest.raises(BadItems) as caught:
        read_study(tmp_path / "mine.py", allow_code=True)
    assert says in str(caught.value)
    assert "mine.py: " in str(caught.value)


def test_all_mistakes_are_listed(tmp_path):
    wrong = SOURCE.replace("by $value on", "by $vlaue on").replace("Pair(str(i)", 'Pair("x"')
    (tmp_path / "mine.py").write_text(wrong)
    with pytest.raises(BadItems) as caught:
        read_study(tmp_path / "mine.py", allow_code=True)
    assert len(caught.value.problems) == 2


def test_an_axis_of_other_data_is_no_mistake(tmp_path):
    (tmp_path / "mine.py").write_text(
        SOURCE.replace('("bias_type",)', '("bias_type",), ("country",)')
    )
    assert read_study(tmp_path / "mine.py", allow_code=True).name == "left_handed"


def test_a_sample_that_needs_a_file_is_not_checked(tmp_path):
    needs = 'def load(source=None, *, skip_invalid=False, encoding="") -> Dataset[Pair]:'
    stop = '    from tiltmeter.core.errors import BadInput\n    raise BadInput("give a file")\n'
    (tmp_path / "mine.py").write_text(SOURCE.replace(needs, f"{needs}\n{stop}"))
    assert read_study(tmp_path / "mine.py", allow_code=True).name == "left_handed"


@pytest.mark.parametrize("name", known("studies"))
def test_studies_that_are_installed_have_no_mistake(name):
    assert list(study_problems(find("studies", name, "STUDY"))) == []
