"""fairness_gaps as a study: what it reports by attribute, and its page with many groups."""

import pytest

from tiltmeter.derived.comparisons.compare import compare
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.report.documents import families
from tiltmeter.report.saved_runs import run_page
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose
from tiltmeter.studies.fairness_gaps.study import STUDY


def run_of(data):
    where = resolve("fake:classifier")
    chosen = choose(STUDY, where.answers, model="fake")
    return measure(STUDY, open_model(where), data, chosen=chosen)


@pytest.mark.parametrize(("attributes", "rows"), [(("trade", "trade"), 1), (("trade", "town"), 3)])
def test_one_attribute_does_not_repeat_all_groups(tmp_path, attributes, rows):
    lines = [
        f"I {verb} the {name} {i}.,{int(verb == 'hate')},{name},{of}"
        for of, names in zip(attributes, (("bakers", "sailors"), ("Romans", "Greeks")), strict=True)
        for name in names for verb in ("hate", "like") for i in range(3)
    ]  # fmt: skip
    table = tmp_path / "t.csv"
    table.write_text("\n".join(["text,label,group,attribute", *lines, "I hate rain.,1,,"]))
    result = run_of(STUDY.load(table, settings={}))
    found = [e for e in result.estimates if e.name == "equalized_odds_difference"]
    assert [e.n for e in found] == [24, 12, 12][:rows]  # the text about no group does not count
    differences = compare(result, result)
    names = [e.name for e in differences]
    assert names.count("equalized_odds_difference_difference") == rows


def test_many_groups_have_a_page(tmp_path, monkeypatch):
    """Measures that exist by group alone then have no line side by side."""
    monkeypatch.setattr(families, "MANY", 4)
    lines = [f"I {verb} the G{g} {i}.,{int(verb == 'hate')},G{g}"
             for g in range(families.MANY + 1) for verb in ("hate", "like") for i in range(2)]  # fmt: skip
    table = tmp_path / "t.csv"
    table.write_text("\n".join(["text,label,group", *lines]))
    result = run_of(STUDY.load(table, settings={}))
    assert "BPSN" in run_page(result, STUDY)
