"""Views of cards in files."""

import json

from tiltmeter.core.analysis_views import NumberColumn, NumberTable
from tiltmeter.core.results import Card, Result
from tiltmeter.run import folder

TABLE = NumberTable(
    "rates", "Rates", rows=("group",),
    columns=(NumberColumn("rate", at={"state": "before"}, drop=2), NumberColumn("rate", shows="n")),
)  # fmt: skip


def test_views_come_back_though_their_defaults_are_not_written(tmp_path):
    card = Card(
        study="rates", study_version="1", model={"name": "m", "fingerprint": "f"}, ties="half", seed=0,
        data={"name": "d", "sha256": "s"}, rule="", convention="", method="", counts={"scored": 0},
        views=(TABLE,),
    )  # fmt: skip
    folder.write(Result(card, [], []), tmp_path, page="<html></html>")
    (view,) = json.loads((tmp_path / "card.json").read_text())["views"]
    assert view["columns"] == [
        {"measure": "rate", "at": {"state": "before"}, "drop": 2}, {"measure": "rate", "shows": "n"},
    ]  # fmt: skip
    assert list(folder.read(tmp_path).card.views) == [TABLE]
