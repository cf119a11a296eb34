"""Items that Python hands over as tables."""

import polars as pl

import tiltmeter as tm


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
