"""The published procedures, written again step by step."""

import difflib
from collections.abc import Sequence
from typing import Any

from tiltmeter.core.data.items import Pair


def crows_pairs(
    model: Any, tokenizer: Any, pairs: Sequence[Pair]
) -> tuple[list[tuple[float, float]], int]:
    """Scores (more, less) of each pair, and the number of forward passes.

    As Nangia et al. 2020 publish it: one shared token hidden at a time, one sentence a forward pass,
    gradients on, the vocabulary projected at every position.
    """
    import torch

    scores, passes = [], 0
    for pair in pairs:
        ids = [tokenizer(text)["input_ids"] for text in (pair.first, pair.second)]
        blocks = difflib.SequenceMatcher(None, *ids, autojunk=False).get_matching_blocks()
        sums = []
        for side, sentence in enumerate(ids):
            where = [b[side] + k for b in blocks for k in range(b.size)]
            total = 0.0
            for i in where[1:-1]:  # not the two special tokens
                hidden = [*sentence[:i], tokenizer.mask_token_id, *sentence[i + 1 :]]
                row = model(torch.tensor([hidden], device=model.device)).logits[0, i]
                total += row.log_softmax(-1)[sentence[i]].item()
                passes += 1
            sums.append(total)
        scores.append((sums[0], sums[1]) if pair.first == pair.more else (sums[1], sums[0]))
    return scores, passes


def stereoset(model: Any, tokenizer: Any, triples: Sequence[Any]) -> tuple[list[list[float]], int]:
    """Scores of the three candidates of each intrasentence context, and the number of passes.

    As Nadeem et al. 2021 publish it: the blank is filled one candidate and one piece at a time, one
    sentence a forward pass, without gradients, the vocabulary projected at every position.
    """
    import string

    import torch

    scores, passes = [], 0
    for triple in triples:
        at = [i for i, word in enumerate(triple.context.split(" ")) if "BLANK" in word][-1]
        three = []
        for sentence in triple.sentences:
            word = sentence.split(" ")[at].translate(str.maketrans("", "", string.punctuation))
            pieces = tokenizer(word, add_special_tokens=False)["input_ids"]
            said = []
            for k, piece in enumerate(pieces):
                filled = tokenizer.decode(pieces[:k]) + tokenizer.mask_token
                ids = tokenizer(triple.context.replace("BLANK", filled), return_tensors="pt")
                where = ids["input_ids"][0].tolist().index(tokenizer.mask_token_id)
                with torch.no_grad():
                    said.append(model(**ids).logits.softmax(-1)[0, where, piece].item())
                passes += 1
            three.append(sum(said) / len(said))
        scores.append(three)
    return scores, passes
