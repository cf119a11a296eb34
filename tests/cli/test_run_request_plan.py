"""--plan and the limits, as a user types them."""

import json


def test_the_command_line_shows_it(tilt, tmp_path):
    code, out, err = tilt("run", "starter_pairs", "fake:masked", "--plan", "--price", "1,2")
    assert code == 0, err
    assert "requests would be asked." in out
    assert "cost, at most" in out
    code, out, err = tilt("run", "starter_pairs", "fake:masked", "--plan", "--json")
    (row,) = json.loads(out)
    assert row["requests"] > row["stored"] == 0
    assert not (tmp_path / "runs").exists()


def test_the_command_line_stops_at_a_limit_and_goes_on(tilt, tmp_path):
    code, out, err = tilt("run", "starter_pairs", "fake:masked", "--max-requests", "40")
    assert code == 1
    assert "--max-requests 40 is reached" in err
    assert not (tmp_path / "runs").exists()
    code, out, err = tilt("run", "starter_pairs", "fake:masked", "--plan", "--json")
    stored = json.loads(out)[0]["stored"]
    assert 0 < stored <= 40
    code, out, err = tilt("run", "starter_pairs", "fake:masked")
    assert code == 0
    (card,) = (tmp_path / "runs").glob("*/card.json")
    assert json.loads(card.read_text())["run"]["recalled"] == stored
