"""Texts that spell a control token, such as `<s>`, `[MASK]` or `<|endoftext|>`.

A tokenizer would read the letters as the token itself: `<s>yes</s>` of a web page would begin and end a text.
Models read them as the plain letters that they are, and a run names the items that have some.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from tiltmeter.core.results import Note, notes_of
from tiltmeter.core.text import counted

KNOWN = (
    "<s>", "</s>", "<pad>", "<unk>", "<mask>", "<cls>", "<sep>", "<bos>", "<eos>", "[CLS]", "[SEP]", "[PAD]",
    "[UNK]", "[MASK]", "[BOS]", "[EOS]", "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|begin_of_text|>",
    "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>", "<|system|>", "<|user|>",
    "<|assistant|>", "<|end|>", "<start_of_turn>", "<end_of_turn>", "<|fim_prefix|>", "<extra_id_0>",
)  # fmt: skip
"""The control tokens of common tokenizers, for data that no model has read yet."""
SHOWN = 10
"""How many ids a note names."""
_PRIVATE = 0xE000


def pattern_of(tokens: Iterable[str]) -> re.Pattern[str] | None:
    """A pattern that finds any of the tokens in a text, the longest where several fit; None without tokens.

    >>> pattern_of(["<s>", "</s>"]).findall("She said <s>yes</s>.")
    ['<s>', '</s>']
    """
    longest = sorted(filter(None, tokens), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest))) if longest else None


def private(token: str) -> str:
    """A stand-in for a token, as long as it is, that no text of a user contains.

    >>> len(private("[MASK]")), "[" in private("[MASK]")
    (6, False)
    """
    return "".join(chr(_PRIVATE + ord(char) % 0x1000) for char in token)


def spelling_items(
    items: Sequence[Any], tokens: Iterable[str] = KNOWN
) -> tuple[list[str], list[str]]:
    """The tokens that texts of items spell, and the ids of these items, both in the order of the items.

    >>> from tiltmeter.core.data.items import Pair
    >>> spelling_items([Pair("7", "He said <s>.", "She did.", {}), Pair("8", "a", "b", {})])
    (['<s>'], ['7'])
    """
    wanted = pattern_of(tokens)
    if wanted is None:
        return [], []
    spelled: dict[str, None] = {}
    ids: list[str] = []
    for item in items:
        inside = [token for text in getattr(item, "texts", ()) for token in wanted.findall(text)]
        if inside:
            spelled.update(dict.fromkeys(inside))
            ids.append(item.id)
    return [*spelled], ids


def spelling_sentence(spelled: Sequence[str], ids: Sequence[str], whose: str) -> str:
    """What a note says of such items.

    >>> spelling_sentence(["<s>"], ["7"], "of many models")
    '1 item spells a control token of many models (<s>): 7.'
    """
    some = (
        "1 item spells a control token"
        if len(ids) == 1
        else f"{counted(len(ids), 'items', 'spell')} control tokens"
    )
    named = ", ".join(ids[:SHOWN]) + (", …" if len(ids) > SHOWN else ".")
    of, comma, consequence = whose.partition(", ")
    return f"{some} {of} ({', '.join(spelled[:SHOWN])}){comma}{consequence}: {named}"


def control_token_notes(items: Sequence[Any]) -> tuple[Note, ...]:
    """A note with the ids of the items whose texts spell a control token of the usual tokenizers."""
    spelled, ids = spelling_items(items)
    whose = "of many models, read as plain text in a run"
    return notes_of("caution", [spelling_sentence(spelled, ids, whose)] if ids else [])
