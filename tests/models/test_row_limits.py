"""Where layers see only a window, rows are no wider."""

from transformers import PreTrainedConfig

from tiltmeter.models._row_limits import longest_shared


def test_a_window_bounds_the_row():
    said = {"sliding_window": 48, "use_sliding_window": True, "max_window_layers": 28}
    config = PreTrainedConfig(**said, sliding_window_pattern=6)
    assert longest_shared(config, 100) == 48
    assert longest_shared(config, 20) == 20
