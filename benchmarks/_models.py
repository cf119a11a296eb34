"""Models with random weights, of the sizes that are used, with a tokenizer that fits.

Time does not depend on the weights, so that benchmarks need no download. What is random is seeded.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks._frame import Settings
from tiltmeter.models.opening.hf import quiet


@dataclass(frozen=True, slots=True)
class Size:
    """How large a transformer is."""

    name: str
    layers: int
    width: int
    inner: int
    heads: int
    vocabulary: int


BERT_BASE = Size("BERT-base size", 12, 768, 3072, 12, 30_522)
ROBERTA_LARGE = Size("RoBERTa-large size", 24, 1024, 4096, 16, 50_265)
GPT2 = Size("GPT-2 size", 12, 768, 3072, 12, 50_257)
TINY = Size("tiny", 2, 32, 64, 2, 0)
"""Its vocabulary is its tokenizer's."""


def random_masked(folder: Path, size: Size, texts: list[str], settings: Settings) -> Path:
    """Save a BERT of this size; its tokenizer is the trained model's, or made from `texts`."""
    import torch
    import transformers

    tokenizer = wordpieces(texts, settings.masked)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=max(size.vocabulary, len(tokenizer)),
        hidden_size=size.width,
        num_hidden_layers=size.layers,
        num_attention_heads=size.heads,
        intermediate_size=size.inner,
        pad_token_id=tokenizer.pad_token_id,
    )
    return _saved(folder, transformers.BertForMaskedLM(config), tokenizer)


def random_causal(folder: Path, size: Size, texts: list[str]) -> Path:
    """Save a GPT-2 of this size, with a byte-level tokenizer made from `texts`."""
    import torch
    import transformers

    tokenizer = _bytes(texts)
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        vocab_size=max(size.vocabulary, len(tokenizer)),
        n_embd=size.width,
        n_layer=size.layers,
        n_head=size.heads,
        n_inner=size.inner,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
    )
    return _saved(folder, transformers.GPT2LMHeadModel(config), tokenizer)


def plain(folder: str | Path) -> tuple[Any, Any]:
    """A masked model as the library gives it, in float32, and its tokenizer."""
    import torch
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    with quiet():
        model = AutoModelForMaskedLM.from_pretrained(folder, dtype=torch.float32)
        return model.eval(), AutoTokenizer.from_pretrained(folder)


def config(folder: str | Path) -> Any:
    """A model's configuration."""
    import transformers

    return transformers.AutoConfig.from_pretrained(folder)


def wordpieces(texts: list[str], like: str | None) -> Any:
    """The tokenizer of the model `like`; without one, whole words of `texts` and letters."""
    import transformers
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers
    from tokenizers.processors import TemplateProcessing

    if like is not None:
        return transformers.AutoTokenizer.from_pretrained(like)
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    split = pre_tokenizers.BertPreTokenizer()
    lower = normalizers.BertNormalizer(lowercase=True)
    said = [word for text in texts for word, _ in split.pre_tokenize_str(lower.normalize_str(text))]
    letters = sorted(set("".join(said)))
    pieces = dict.fromkeys([*special, *letters, *(f"##{x}" for x in letters), *sorted(set(said))])
    raw = Tokenizer(models.WordPiece({p: i for i, p in enumerate(pieces)}, unk_token="[UNK]"))
    raw.normalizer, raw.pre_tokenizer, raw.decoder = lower, split, decoders.WordPiece()
    raw.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=raw, model_max_length=512, pad_token="[PAD]", unk_token="[UNK]",
        cls_token="[CLS]", sep_token="[SEP]", mask_token="[MASK]",
    )  # fmt: skip


def _bytes(texts: list[str]) -> Any:
    import transformers
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=8000, special_tokens=["<|endoftext|>"], initial_alphabet=alphabet,
        show_progress=False,
    )  # fmt: skip
    raw.train_from_iterator(texts, trainer)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=raw, model_max_length=1024,
        bos_token="<|endoftext|>", eos_token="<|endoftext|>",
    )  # fmt: skip


def _saved(folder: Path, model: Any, tokenizer: Any) -> Path:
    with quiet():
        model.eval().save_pretrained(folder)
        tokenizer.save_pretrained(folder)
    return folder
