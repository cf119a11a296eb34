"""What leak shows: the chosen scale, no picture without a flow, and names that stay text."""

from dataclasses import replace

import tiltmeter as tm
from analyses.leak.examples import rows_of
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.html import page


def test_one_language_has_flows_into_it_and_no_picture_where_none_is_significant(
    tilt, tmp_path, runs, people
):
    code, out, _ = tilt(
        "analyse", "leak", runs["en"], "--people", people, "--placebos", "0", "--figures", "svg"
    )
    assert code == 0
    assert "fake: none of 3 flows from other countries into English is solid." in out
    assert "between languages" not in out
    folder = tmp_path / out.rpartition("folder: ")[2].strip()
    assert not [*folder.glob("*.svg")] and tilt("figure", folder)[:2] == (2, "")


def test_the_scale_chooses_what_tables_show_and_changes_no_number(tilt, tmp_path, runs, people):
    given = (
        "analyse",
        "leak",
        runs["en"],
        runs["ru"],
        "--people",
        people,
        "--placebos",
        "0",
        "--coefficients",
    )
    tables = []
    for scale, measure in (("standardised", "coefficient"), ("paper", "coefficient_raw")):
        code, *_ = tilt(*given, scale, "--out", tmp_path / scale)
        (folder,) = (tmp_path / scale).iterdir()
        rows = rows_of(folder / "flows.csv")
        assert code == 0 and [*rows[0]][2] == f"{measure}_verdict"
        tables.append([(r["coefficient"], r["coefficient_raw"], r["coefficient_p"]) for r in rows])
    assert tables[0] == tables[1]


def test_hostile_names_stay_text(runs, people):
    name = "<b>x</b>\x1b[31m"
    run = tm.load(runs["en"]).result
    hostile = replace(run, card=replace(run.card, model={**run.card.model, "name": name}))
    result = tm.analyse.leak([hostile], people={"": people}, placebos=0).result
    text = page(run_document(result))
    assert "<b>x" not in text and "\x1b" not in text and "&lt;b&gt;x" in text
