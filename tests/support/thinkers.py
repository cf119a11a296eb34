"""Models that think: chat templates in the manner of several families, scripted replies, a trained model."""

import io
from contextlib import redirect_stderr
from functools import cache
from pathlib import Path

TURNS = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
REPLY = "{% if add_generation_prompt %}<|im_start|>assistant\n"
TEMPLATES = {
    "plain": f"{TURNS}{REPLY}{{% endif %}}",
    # on unless switched off, which is an empty thought
    "qwen": f"{TURNS}{REPLY}{{% if enable_thinking is defined and enable_thinking is false %}}"
    "<think>\n\n</think>\n\n{% endif %}{% endif %}",
    # begins every reply with a thought; no switch
    "deepseek-r1": f"{TURNS}{REPLY}<think>\n{{% endif %}}",
    # off unless switched on
    "deepseek-v3": f"{TURNS}{REPLY}{{% if thinking %}}<think>{{% else %}}</think>{{% endif %}}{{% endif %}}",
    # says how much in the system prompt; thinks in a channel
    "gpt-oss": "{% if not reasoning_effort %}{% set reasoning_effort = 'medium' %}{% endif %}"
    "<|start|>system<|message|>Reasoning: {{ reasoning_effort }}<|end|>"
    "{% for m in messages %}<|start|>{{ m.role }}<|message|>{{ m.content }}<|end|>{% endfor %}"
    "{# answers are in <|channel|>final #}{% if add_generation_prompt %}<|start|>assistant{% endif %}"
    "{% if never %}<|channel|>analysis<|message|>{% endif %}",
    # only shows thoughts of earlier turns; a default system prompt has it think
    "magistral": "[SYSTEM]{% if messages[0].role != 'system' %}Think first: [THINK]a draft[/THINK]{% endif %}"
    "{% for m in messages %}[INST]{{ m.content }}[/INST]{% endfor %}",
    # none or high, and nothing else
    "efforts": "{% if reasoning_effort is defined and reasoning_effort not in ['none', 'high'] %}"
    "{{ raise_exception('what effort?') }}{% endif %}"
    f"[EFFORT]{{{{ reasoning_effort or 'none' }}}}{TURNS}{REPLY}{{% endif %}}",
    "comment": f"{{# no thinking here: <think> is not written #}}{TURNS}{REPLY}{{% endif %}}",
}
"""Written for these tests after what the published templates of these families do."""
SPECIAL = ("<|im_end|>", "<|im_start|>")
CHANNELS = ("<|start|>", "<|end|>", "<|message|>", "<|channel|>", "<|return|>")


def tokenizer(family, *, special=(), added=("<think>", "</think>")):
    """A byte-level tokenizer with this family's template; `added` are tokens that are not special."""
    from tokenizers import AddedToken
    from transformers import PreTrainedTokenizerFast

    made = PreTrainedTokenizerFast(tokenizer_object=_letters(), eos_token="<|im_end|>")
    made.add_special_tokens({"additional_special_tokens": [*SPECIAL[1:], *special]})
    made.add_tokens([AddedToken(text, special=False) for text in added if text not in special])
    made.chat_template = TEMPLATES[family]
    return made


def _letters():
    """A byte-level tokenizer that knows letters and no word."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    raw = Tokenizer(models.BPE({"<|im_end|>": 0} | {c: 1 + i for i, c in enumerate(alphabet)}, []))
    raw.add_special_tokens(["<|im_end|>"])
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    return raw


class Scripted:
    """Next tokens that follow a script: by prompt (its letters' end), the reply that is written after it."""

    joins, rereads = False, True

    def __init__(self, made, replies):
        self._made = made
        self._replies = {key: made.encode(text, add_special_tokens=False) for key, text in replies}
        self._prompts = {}
        self.read_again = 0
        """How often texts were read that had been begun before."""

    def expect(self, prompt, key):
        self._prompts[tuple(prompt)] = self._replies[key]

    def read(self, texts, _later=()):
        self.read_again += sum(tuple(text) not in self._prompts for text in texts)
        return self._logits(texts)

    def read_on(self, rows, texts):
        assert len(rows) == len(texts)
        return self._logits(texts)

    def _logits(self, texts):
        import torch

        logits = torch.full((len(texts), len(self._made)), -20.0)
        for row, text in enumerate(texts):
            begun = next(p for p in self._prompts if tuple(text[: len(p)]) == p)
            written = len(text) - len(begun)
            reply = self._prompts[begun]
            logits[row, reply[written] if written < len(reply) else self._made.eos_token_id] = 20.0
        return logits


def writer(made, replies, *, limit=None, tokens=10_000):
    """A writer whose replies are scripted: by the user's text, what is written to it.

    Returns the writer and its script.
    """
    import torch

    from tiltmeter.models.opening.loaded import Loaded
    from tiltmeter.models.writing.replies import Writer

    loaded = Loaded(None, made, Path(), torch.device("cpu"), tokens, "scripted", {}, cased=True)
    script = Scripted(made, replies.items())
    made_writer = Writer("scripted", loaded, limit, lambda _: script)
    asked = made_writer.reader.asked

    def noted(prompt, *more):
        read = asked(prompt, *more)
        script.expect(read.ids, prompt.messages[-1].text)
        return read

    made_writer.reader.asked = noted
    return made_writer, script


def prompt(text):
    from tiltmeter.core.model.conversations import Message, Prompt

    return Prompt((Message("user", text),))


THOUGHT, ANSWER = "hm so", "yes"


@cache
def trained():
    """A small causal model that has learned to think before it answers "yes", and not to if that is off."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(3)
    made = tokenizer("qwen")
    config = LlamaConfig(
        vocab_size=len(made), hidden_size=48, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=96, max_position_embeddings=2048, bos_token_id=0, eos_token_id=0,
    )  # fmt: skip
    model = LlamaForCausalLM(config)
    rows, learned = [], []
    for middle, begun in ((f"{THOUGHT}\n", "assistant\n"), ("\n", "</think>\n\n")):
        text = f"<|im_start|>assistant\n<think>\n{middle}</think>\n\n{ANSWER}<|im_end|>"
        rows.append(made.encode(text))
        prefix = len(made.encode(text[: text.index(begun) + len(begun)]))
        learned.append([-100] * prefix + rows[-1][prefix:])
    width = max(map(len, rows))
    filled = [
        torch.tensor([row + [value] * (width - len(row)) for row in some] * 4)
        for some, value in ((rows, 0), (learned, -100))
    ]
    optimiser = torch.optim.AdamW(model.parameters(), lr=4e-3)
    for step in range(120):
        before = torch.randint(
            1, 257, (8, 200 if step % 10 == 9 else 10)
        )  # anything may come before
        logits = model(input_ids=torch.cat([before, filled[0]], 1)).logits[
            :, before.shape[1] - 1 : -1
        ]
        loss = torch.nn.functional.cross_entropy(
            logits.reshape(-1, len(made)), filled[1].reshape(-1), ignore_index=-100
        )
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if step % 10 == 9 and float(loss) < 0.02:
            break
    return model.eval(), made


def saved(folder):
    """The folder with that model."""
    model, made = trained()
    with redirect_stderr(io.StringIO()):
        model.save_pretrained(folder)
    made.save_pretrained(folder)
    return folder
