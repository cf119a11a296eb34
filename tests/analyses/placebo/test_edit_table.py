"""Tables of scores of edits: what is left out and named, what is never mixed, what is refused."""

import pytest

import tiltmeter as tm
from support.edit_scores import rows, write


@pytest.fixture(autouse=True)
def _workspace(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_models_without_a_placebo_arm_are_named_and_left_out():
    table = [*rows(), *(row for row in rows(models=("other",)) if not row[2].startswith("placebo"))]
    result = tm.analyse.placebo(write(table))
    assert result.card.data["models"] == ["m"]
    assert any("other has no placebo edits" in note.text for note in result.card.notes)


def test_scores_made_in_two_ways_are_never_mixed(tilt):
    both = [
        *rows(),
        *((*row[:4], row[4] + 2, "at length") for row in rows() if row[2] == "baseline"),
    ]
    code, _, err = tilt("analyse", "placebo", write(both))
    assert code == 2 and "must not be mixed" in err and "--within asked" in err
    result = tm.analyse.placebo("scores.csv", within=["asked"])
    assert result.headline.value == pytest.approx(1)
    assert any(
        "asked at length has no placebo edits and group edits" in n.text for n in result.card.notes
    )


def test_other_columns_and_names(tilt):
    table = [
        (*row[:2], row[2].replace("_", ": ").replace("baseline", "as is"), *row[3:])
        for row in rows()
    ]
    write(table, columns=("llm", "job", "variant", "n", "points", "asked"))
    code, out, err = tilt(
        "analyse", "placebo", "scores.csv", "--map", "text=job", "--map", "edit=variant",
        "--map", "score=points", "--base", "as is", "--separator", ": ", "--out", "out",
    )  # fmt: skip
    assert code == 0, err
    assert "Group edits change the score 1.000 more than placebo edits do" in " ".join(out.split())


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        (lambda t: t, ["--map", "text=job"], "job"),
        (lambda t: t, ["--base", "original"], "no rows of original"),
        (lambda t: t, ["--placebo", "weather"], "placebo edits the axis 'weather'"),
        (lambda t: t, ["--model", "mm"], "Did you mean 'm'"),
        (lambda t: t, ["--map", "txt=text"], "Did you mean 'text'"),
        (lambda t: [(*row[:4], "high", row[5]) for row in t], [], "not a number"),
        (lambda t: [(*row[:4], "", row[5]) for row in t], [], "no row has a score"),
        (lambda t: [*t, t[0]], [], "lines 2 and 82"),
    ],
)
def test_what_is_refused(tilt, change, options, message):
    code, _, err = tilt("analyse", "placebo", write(change(rows())), *options)
    assert code == 2 and message in " ".join(err.split())
