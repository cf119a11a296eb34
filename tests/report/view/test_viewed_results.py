"""What the page over a folder knows of its results; copies and damaged ones are left out."""

import pytest

from support.view_pages import compare, content, hostile
from tiltmeter.core.errors import BadInput
from tiltmeter.report.view.view_files import ViewFiles
from tiltmeter.run.files import folder as folders


def test_results_and_their_numbers_are_in_the_index(page):
    index = content(page, "index")
    results = {r["key"]: place for place, r in enumerate(index["results"])}
    assert (
        len(results) == 2 + 1 + 2 + 3 + 1
    )  # pairs, traits, audits and their runs, hostile; no copy
    place = results["pairs-fake"]
    facts = index["results"][place]
    assert (facts["study"], facts["model"], facts["items"]) == ("starter_pairs", "fake:masked", 270)
    assert facts["counts"]["stereotype_rate"] == {"reads": ["more", "less"], "where": {}}
    assert facts["views"][0]["titles"][0] == "more stereotyping sentence"
    assert facts["page"] == "../../view0/%3Cb%3Eruns/pairs-fake/report.html"
    (main,) = [row for row in index["numbers"] if row[0] == place and row[8]]
    assert index["measures"][main[1]] == ["stereotype_rate", "Stereotype rate"]
    assert main[3:] == ["45.2\xa0%", "39.4 to 51.1", "0.128", 270, 0, 1]


def test_a_damaged_result_is_left_out_with_a_note(tmp_path):
    folders.write(hostile(), tmp_path / "a", page="")
    folders.write(hostile(), tmp_path / "b", page="")
    (tmp_path / "b" / "estimates.json").write_text("[]")
    files = ViewFiles([tmp_path], compare)
    assert [v.key for v in files.found[0]] == ["a"]
    assert "estimates.json was changed" in files.found[1][0]
    with pytest.raises(BadInput, match="no such folder"):
        ViewFiles([tmp_path / "nowhere"], compare).names  # noqa: B018
