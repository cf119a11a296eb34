"""Studies are listed and explained."""

import json


def test_ls_explains_one_study(tilt):
    code, said, _ = tilt("ls", "group_traits")
    assert code == 0
    for word in ("prior=mask", "ilps_star", "cao2022_code", "One of: mask, noun"):
        assert word in " ".join(said.split())
    code, said, _ = tilt("ls", "group_traits", "--json")
    assert {"name": "margin", "default": "1"}.items() <= json.loads(said)["settings"][5].items()
    assert tilt("ls", "group_trait")[0] == 2
    code, said, _ = tilt("ls", "winobias")
    assert "by table --published nangia2020_bias Share of pairs" in " ".join(said.split())
