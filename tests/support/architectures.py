"""Small random models of the true architectures, with real tokenizers made from a few sentences.

`build(kind, folder)` saves one, `opened(kind)` is one ready to be asked; what is tested on them is
arithmetic, not language.
"""

import atexit
import io
import re
import shutil
import tempfile
from contextlib import redirect_stderr
from functools import cache
from pathlib import Path

import numpy as np

from tiltmeter.core.data.items import Triple
from tiltmeter.core.model.requests import Blanked, Continuation

MASKED = ("bert", "distilbert", "electra", "mpnet", "roberta", "xlmr", "albert", "modernbert")
CAUSAL = ("gpt2", "gptneox", "opt", "llama", "qwen2")
SEQ2SEQ = ("t5", "mt5", "bart")
PERMUTATION = ("xlnet",)

TEXTS = [
    "The old driver was slow and the young clerk was rude.",
    "He is a nurse and she is a pilot; they were late again.",
    "My grandmother sang while my granddaughter fixed the car.",
    "Men and women hate cold soup. She drove the car well here.",
    "Nobody knows why the tall boy played the violin at night.",
]
SIZE = 32
SPREAD = {"t5": 2, "mt5": 1}
"""How far the usual random weights are spread; T5's are wide from the start."""


@cache
def texts():
    """The sentences above and those of the studies' samples, so that each of their words is a token."""
    from tiltmeter.core.finder import find, known

    samples = [find("studies", name, "STUDY").sample().items for name in known("studies")]
    return [*TEXTS, *(text for items in samples for item in items for text in _of(item))]


def _of(item):
    if isinstance(item, Triple):
        return (*item.sentences, *item.filled)
    return item.texts


def build(kind: str, folder: Path) -> Path:
    """Save a model of this architecture and its tokenizer; the same every time.

    Made once a process; every caller gets a copy, which it may change.
    """
    import torch

    shutil.copytree(_saved(kind), folder, dirs_exist_ok=True)
    torch.manual_seed(7)  # so that what a test draws next is the same every time
    return folder


@cache
def opened(kind: str, **options):
    """The model, opened once a process for each set of options: to be asked, not to be changed."""
    from tiltmeter.models.opening.model_options import Options
    from tiltmeter.models.opening.open_model import open_model, resolve

    made = Options(**options)
    return open_model(resolve(str(_saved(kind)), made), made)


@cache
def _saved(kind):
    import torch

    made = tempfile.mkdtemp(prefix="architectures-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    folder = Path(made) / kind
    torch.manual_seed(7)
    tokenizer = _tokenizer(kind)
    model = _model(kind, len(tokenizer))
    # The usual initialisation makes all tokens nearly equally likely, and biases zero.
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name.endswith("bias"):
                parameter.normal_(0, 0.02)
            elif parameter.dim() > 1:
                parameter.mul_(SPREAD.get(kind, 6))
    model.eval()
    with redirect_stderr(io.StringIO()):  # its progress bar
        model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _tokenizer(kind):
    from transformers import PreTrainedTokenizerFast

    if kind in {"bert", "distilbert", "electra"}:
        raw, named = _wordpiece(), _NAMED["bert"]
    elif kind == "mpnet":
        raw, named = (
            _wordpiece(start="<s>", end="</s>", mask="<mask>", pad="<pad>"),
            _NAMED["roberta"],
        )
    elif kind in {"roberta", "bart", "modernbert"}:
        raw, named = _bytes(), _NAMED["roberta"]
    elif kind in {"gpt2", "gptneox", "qwen2", "opt"}:
        raw = _bytes(template=False)
        named = {"qwen2": {"eos_token": "</s>", "pad_token": "<pad>"}}.get(
            kind, {"bos_token": "<s>", "eos_token": "</s>"}
        )
    elif kind == "llama":
        raw, named = (
            _pieces(("<unk>", "<s>", "</s>"), None),
            {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"},
        )
    elif kind in {"t5", "mt5"}:
        extra = [f"<extra_id_{i}>" for i in range(3)]
        raw = _pieces(("<pad>", "</s>", "<unk>", *extra), ("$A", "</s>"))
        named = {
            "pad_token": "<pad>",
            "eos_token": "</s>",
            "unk_token": "<unk>",
            "additional_special_tokens": extra,
        }
    elif kind == "xlnet":
        named = {f"{name}_token": f"<{name}>" for name in ("cls", "sep", "mask", "pad", "unk")}
        special = ("<unk>", "<s>", "</s>", "<cls>", "<sep>", "<pad>", "<mask>")
        raw = _pieces(special, ("$A:0", "<sep>:0", "<cls>:2"))
        named |= {"padding_side": "left"}
    else:  # xlmr, albert
        first, last, mask, pad = (
            ("<s>", "</s>", "<mask>", "<pad>")
            if kind == "xlmr"
            else ("[CLS]", "[SEP]", "[MASK]", "<pad>")
        )
        raw = _pieces((first, pad, last, "<unk>", mask), (first, "$A", last))
        named = {
            "cls_token": first,
            "sep_token": last,
            "mask_token": mask,
            "pad_token": pad,
            "unk_token": "<unk>",
        }
    return PreTrainedTokenizerFast(tokenizer_object=raw, model_max_length=64, **named)


_NAMED = {
    "bert": {
        "cls_token": "[CLS]",
        "sep_token": "[SEP]",
        "mask_token": "[MASK]",
        "pad_token": "[PAD]",
        "unk_token": "[UNK]",
    },
    "roberta": {
        "bos_token": "<s>",
        "eos_token": "</s>",
        "cls_token": "<s>",
        "sep_token": "</s>",
        "mask_token": "<mask>",
        "pad_token": "<pad>",
        "unk_token": "<unk>",
    },
}


def _template(raw, first, last):
    from tokenizers.processors import TemplateProcessing

    raw.post_processor = TemplateProcessing(
        single=f"{first} $A {last}", special_tokens=[(t, raw.token_to_id(t)) for t in (first, last)]
    )
    return raw


def _wordpiece(start="[CLS]", end="[SEP]", mask="[MASK]", pad="[PAD]"):
    """Whole words, and letters for the others. Written down, not trained, as `_pieces`."""
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers

    unknown = "[UNK]" if start == "[CLS]" else "<unk>"
    first = [pad, start] if start == "[CLS]" else [start, pad]  # as in BERT's and MPNet's own
    said = " ".join(texts()).lower()
    words = sorted(set(re.findall(r"\w+", said)))
    letters = sorted(set(said) - {" ", *words})
    later = [f"##{letter}" for letter in sorted(set("".join(words)))]
    pieces = dict.fromkeys([*first, end, unknown, mask, *words, *letters, *later])
    vocabulary = {piece: i for i, piece in enumerate(pieces)}
    raw = Tokenizer(models.WordPiece(vocabulary, unk_token=unknown))
    raw.add_special_tokens([*first, end, unknown, mask])
    raw.normalizer = normalizers.BertNormalizer(lowercase=True)
    raw.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    raw.decoder = decoders.WordPiece()
    return _template(raw, start, end)


def _bytes(template=True):
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    raw.train_from_iterator(
        texts(),
        trainers.BpeTrainer(
            vocab_size=4000,
            special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"],
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    return _template(raw, "<s>", "</s>") if template else raw


def _pieces(special, template):
    """A unigram model over words marked with "▁", as SentencePiece makes them.

    Written down, not trained: the trainer does not give the same model every time.
    """
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
    from tokenizers.processors import TemplateProcessing

    said = " ".join(texts())
    words = sorted({f"▁{word}" for word in re.findall(r"\w+", said)})
    letters = sorted({"▁", *said} - {" ", *words})
    vocabulary = [
        *((token, 0.0) for token in special),
        *((word, -6.0) for word in words),
        *((letter, -12.0) for letter in letters),
    ]
    raw = Tokenizer(models.Unigram(vocabulary, unk_id=special.index("<unk>")))
    raw.add_special_tokens([
        # the mask takes the space before it, so that nothing stands for that alone
        AddedToken(token, lstrip=token.lower() in {"<mask>", "[mask]"}, special=True)
        for token in special
    ])  # fmt: skip
    raw.pre_tokenizer = pre_tokenizers.Metaspace()
    raw.decoder = decoders.Metaspace()
    if template:
        raw.post_processor = TemplateProcessing(
            single=" ".join(template),
            special_tokens=[
                (t, raw.token_to_id(t))
                for t in (part.partition(":")[0] for part in template)
                if t != "$A"
            ],
        )
    return raw


def _model(kind, vocabulary):  # noqa: PLR0911
    import transformers as t

    wide = {
        "vocab_size": vocabulary,
        "hidden_size": SIZE,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 48,
        "max_position_embeddings": 64,
    }
    ids = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2}
    if kind == "bert":
        return t.BertForMaskedLM(t.BertConfig(**wide))
    if kind == "distilbert":
        return t.DistilBertForMaskedLM(
            t.DistilBertConfig(
                vocab_size=vocabulary,
                dim=SIZE,
                n_layers=2,
                n_heads=2,
                hidden_dim=48,
                max_position_embeddings=64,
            )
        )
    if kind == "electra":
        return t.ElectraForMaskedLM(t.ElectraConfig(**wide, embedding_size=16))
    if kind == "mpnet":
        return t.MPNetForMaskedLM(t.MPNetConfig(**{**wide, "max_position_embeddings": 66}))
    if kind == "roberta":
        return t.RobertaForMaskedLM(
            t.RobertaConfig(**{**wide, "max_position_embeddings": 66}, **ids)
        )
    if kind == "xlmr":
        return t.XLMRobertaForMaskedLM(
            t.XLMRobertaConfig(**{**wide, "max_position_embeddings": 66}, **ids)
        )
    if kind == "albert":
        return t.AlbertForMaskedLM(t.AlbertConfig(**wide, embedding_size=16, pad_token_id=1))
    if kind == "modernbert":
        return t.ModernBertForMaskedLM(
            t.ModernBertConfig(**wide, **ids, cls_token_id=0, sep_token_id=2, local_attention=8)
        )
    if kind == "gpt2":
        return t.GPT2LMHeadModel(
            t.GPT2Config(
                vocab_size=vocabulary,
                n_embd=SIZE,
                n_layer=2,
                n_head=2,
                n_positions=64,
                bos_token_id=0,
                eos_token_id=2,
            )
        )
    if kind == "gptneox":
        return t.GPTNeoXForCausalLM(t.GPTNeoXConfig(**wide, bos_token_id=0, eos_token_id=2))
    if kind == "opt":
        return t.OPTForCausalLM(
            t.OPTConfig(
                vocab_size=vocabulary,
                hidden_size=SIZE,
                num_hidden_layers=2,
                num_attention_heads=2,
                ffn_dim=48,
                max_position_embeddings=64,
                word_embed_proj_dim=SIZE,
                **ids,
            )
        )
    if kind == "llama":
        return t.LlamaForCausalLM(t.LlamaConfig(**wide, bos_token_id=1, eos_token_id=2))
    if kind == "qwen2":
        return t.Qwen2ForCausalLM(t.Qwen2Config(**wide, num_key_value_heads=1, eos_token_id=2))
    if kind == "xlnet":
        return t.XLNetLMHeadModel(
            t.XLNetConfig(vocab_size=vocabulary, d_model=SIZE, n_layer=2, n_head=2, d_inner=48)
        )
    if kind in {"t5", "mt5"}:
        config, make = (
            (t.T5Config, t.T5ForConditionalGeneration)
            if kind == "t5"
            else (t.MT5Config, t.MT5ForConditionalGeneration)
        )
        return make(
            config(
                vocab_size=vocabulary,
                d_model=SIZE,
                d_kv=16,
                d_ff=48,
                num_layers=2,
                num_heads=2,
                decoder_start_token_id=0,
                pad_token_id=0,
                eos_token_id=1,
            )
        )
    if kind == "bart":
        return t.BartForConditionalGeneration(
            t.BartConfig(
                vocab_size=vocabulary,
                d_model=SIZE,
                encoder_layers=2,
                decoder_layers=2,
                encoder_attention_heads=2,
                decoder_attention_heads=2,
                encoder_ffn_dim=48,
                decoder_ffn_dim=48,
                max_position_embeddings=64,
                decoder_start_token_id=2,
                **ids,
            )
        )
    raise ValueError(kind)


def answers(model):
    """Log-probabilities of tokens in two texts, as the model is asked for them; of any kind."""
    encoded = model.encode(TEXTS[:2])
    if hasattr(model, "blank_logprobs"):
        requests = [Blanked(t.ids, (i,), (i,)) for t in encoded for i in (1, 3)]
        return np.concatenate(model.blank_logprobs(requests))
    return np.concatenate(model.continuation_logprobs([Continuation((), t.ids) for t in encoded]))
