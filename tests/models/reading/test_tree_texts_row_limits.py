"""Where layers see only a window and do not say so, texts in a tree are no longer."""

from transformers import PreTrainedConfig

from tiltmeter.models.reading.tree_texts import SHARED, longest_in_tree


def test_a_window_bounds_the_text():
    said = {"sliding_window": 48, "use_sliding_window": True, "max_window_layers": 28}
    config = PreTrainedConfig(**said, sliding_window_pattern=6)
    assert longest_in_tree(config, "cpu", ()) == 48
    assert longest_in_tree(config, "cpu", {48}) is None
    assert longest_in_tree(config, "cuda", {48}) == SHARED
