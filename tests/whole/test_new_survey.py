"""A form of one's own, as the pages of the manual print it, ends beside a model."""

import re
from pathlib import Path

import httpx2
import pytest

from support.survey.replaying import served
from tiltmeter.survey.web.bots import fill_in, random_answers

DOCS = Path(__file__).parents[2] / "docs"
PEOPLE = 6


def printed(page, key):
    """The TOML block of a page that has this line."""
    blocks = re.findall(
        r"^```toml\n(.*?)^```$", (DOCS / page).read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    (found,) = [block for block in blocks if key in block]
    return found


@pytest.mark.slow
def test_a_form_of_ones_own_ends_in_a_comparison_with_a_model(tilt, tmp_path):
    form = printed("surveys/forms.md", 'name = "warmth"')
    (tmp_path / "cyclists.toml").write_text(
        printed("studies/group_traits.md", 'name = "cyclist"'), "utf-8"
    )
    (tmp_path / "warmth.toml").write_text(form, "utf-8")
    code, out, err = tilt("survey", "check", "warmth.toml")
    assert code == 0 and "No text is missing.\n" in out, err
    with served(tmp_path, form) as address:
        for seed in range(PEOPLE):
            with httpx2.Client(timeout=60) as client:
                assert fill_in(client, address, random_answers(seed)).code
    assert tilt("survey", "export", "--out", "warmth")[0] == 0
    code, _, err = tilt("run", "group_traits", "fake:masked", "--data", "cyclists.toml")
    assert code == 0, err
    (run,) = (tmp_path / "runs").iterdir()
    people = ("--people", "warmth/ratings.csv", "--pilot", "none")
    code, out, err = tilt("analyse", "compare-people", run, *people)
    assert code == 0, err
    assert re.search(
        r"fake:masked and the people agree with τ = .* on 2 groups", " ".join(out.split())
    )
