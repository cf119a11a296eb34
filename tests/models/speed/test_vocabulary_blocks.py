"""The projection to the vocabulary in blocks: equal numbers, and when it falls back."""

from models.asked import blanks, same
from support.architectures import build
from tiltmeter.models.opening.open_model import open_model, resolve


def test_projection_falls_back_where_the_head_needs_more(monkeypatch, get, tmp_path):
    """If cutting the hidden states gave other numbers, the plain pass would be used."""
    from tiltmeter.models.speed import vocabulary_projector

    monkeypatch.setattr(vocabulary_projector.Projector, "check", lambda *_: False)
    folder = build("bert", tmp_path / "bert")
    model = open_model(resolve(str(folder)))
    assert model.about["projection"] == "all positions"
    same(model.blank_logprobs(blanks(model)), get("bert").blank_logprobs(blanks(model)))


def test_large_projections_are_done_in_parts(monkeypatch, get):
    from tiltmeter.models.reading import token_logprobs

    model = get("bert")
    whole = model.blank_logprobs(blanks(model))
    monkeypatch.setattr(token_logprobs, "LOGITS", 3 * int(model.about["vocabulary"]))
    same(model.blank_logprobs(blanks(model)), whole)
