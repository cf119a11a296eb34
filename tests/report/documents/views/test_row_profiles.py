"""Profiles whose panels have a score of their own: what people of several languages say of a group."""

from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result
from tiltmeter.core.views import RowProfiles
from tiltmeter.report.documents.views.row_profiles import profile_blocks
from tiltmeter.report.plots.export import title_of

VIEW = RowProfiles(
    "profile", "Said", "said", ("man",), "group", "pair", "language", "mean", asked=("man",)
)
LABELS = {"language": {"en": "English", "ru": "Russian"}}


def said(language, pair, mean, n=2.0):
    ends = {"low": mean - 5, "high": mean + 5} if n > 1 else {}
    groups = {"language": language, "group": "man", "pair": pair}
    return Record("x", {"mean": mean, "n": n, **ends}, groups, kind="said")


RECORDS = [
    said("en", "cold - warm", 40.0), said("en", "poor - wealthy", 62.0, n=1),
    said("ru", "poor - wealthy", 75.0), said("ru", "dull - bright", 50.0),
]  # fmt: skip
CARD = Card("leak", "1", {}, {"name": "", "sha256": ""}, labels=LABELS)


def test_each_panel_has_its_own_mean_of_every_line_that_any_of_them_has():
    picture, table = profile_blocks(Result(CARD, RECORDS, []), VIEW)
    assert picture.name == "profile-man"
    assert title_of(picture.wide) == "man: English, Russian"
    assert "poor - wealthy: English 62 of 100, Russian 75 of 100" in picture.wide
    assert "cold - warm: English 40 of 100; " in picture.wide
    assert picture.wide.count('class="said"') == 4  # a bar for each record
    columns = {column.heading: column.cells for column in table.columns}
    assert columns["pair"] == ["cold - warm", "poor - wealthy", "dull - bright"]
    assert columns["English, mean"] == ["40.0", "62.0", ""]
    assert columns["Russian, mean"] == ["", "75.0", "50.0"]
    assert columns["Russian, interval"] == ["", "70 to 80", "45 to 55"]
    assert columns["English, interval"] == ["35 to 45", "", ""]
    assert columns["English, n"] == ["2", "1", ""]
