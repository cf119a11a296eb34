"""Items that Python hands over as tables."""

import pandas as pd
import polars as pl
import pytest

import tiltmeter as tm
from tiltmeter.core.errors import BadInput


def test_groups_of_a_table_are_reported():
    table = pl.DataFrame(
        [{"sent_more": f"he {w}", "sent_less": f"she {w}", "group_verb": w[0]}
         for w in ("ran", "rode", "rose", "rang", "ruled", "sang", "sat", "saw", "sold", "sent")]
    )  # fmt: skip
    result = tm.run("pairs", "fake:masked", data=table)
    assert result.card.data["name"] == "items in memory"
    assert {e.groups["verb"] for e in result.estimates if "verb" in e.groups} == {"r", "s"}
    assert result.estimate("stereotype_rate", verb="r").n == 5
    other = tm.run("pairs", "fake:masked", data=table.reverse())
    assert other.card.data["sha256"] != result.card.data["sha256"]


def test_a_table_in_memory_is_what_its_file_is(tmp_path):
    decisions = {"selected": [1, 0, 0, 1, 1, 0, 1, 0], "sex": [*"mfmfmfmf"]}
    pl.DataFrame(decisions).write_csv(tmp_path / "hired.csv")
    made = [
        tm.run("decisions", data=data)
        for data in (tmp_path / "hired.csv", pl.DataFrame(decisions), pd.DataFrame(decisions))
    ]
    first, *others = ([(e.name, e.groups, e.value, e.low, e.p) for e in r.estimates] for r in made)
    assert others == [first, first]
    assert made[1].card.command == "tiltmeter.run('decisions', None, data=items)"
    with pytest.raises(BadInput, match=r"table in memory\.csv"):
        tm.run("decisions", data=pl.DataFrame({"sex": ["f"]}))


def test_columns_of_a_table_of_pairs_may_be_named():
    pairs = pl.DataFrame({"a": ["She is late.", "She lost."], "b": ["He is late.", "He lost."]})
    named = {"sent_more": "a", "sent_less": "b"}
    one = tm.run("pairs", "fake", data=pairs, columns=named)
    other = tm.run("pairs", "fake", data=pairs.rename({"a": "sent_more", "b": "sent_less"}))
    assert one.headline.value == other.headline.value
