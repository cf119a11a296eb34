"""Models that can carry a next-sentence head."""

from dataclasses import replace

import pytest

from support.architectures import build
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.train.next_sentence import train


def test_models_that_carry_no_head_are_refused(config, trained, tmp_path):
    t5 = build("t5", tmp_path / "t5")
    with pytest.raises(CannotAnswer, match=r"kind seq2seq\) carries no head here"):
        train(replace(config, model=str(t5)))
    with pytest.raises(
        CannotAnswer, match=r"kind next_sentence\) is a next-sentence model already"
    ):
        train(replace(config, model=str(trained)))


def test_an_encoder_that_puts_no_mark_between_two_texts_is_refused(config, tmp_path):
    from transformers import AutoTokenizer

    bare = build("bert", tmp_path / "bare")
    tokenizer = AutoTokenizer.from_pretrained(bare)
    from tokenizers.processors import TemplateProcessing

    marks = [(t, tokenizer.convert_tokens_to_ids(t)) for t in ("[CLS]", "[SEP]")]
    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", pair="$A:0 $B:1", special_tokens=marks
    )
    tokenizer.save_pretrained(bare)
    with pytest.raises(CannotAnswer, match="puts no special tokens around and between"):
        train(replace(config, model=str(bare)))
