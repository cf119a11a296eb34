"""CrowS-Pairs on a masked language model: the published procedure against Tiltmeter.

The published script masks one shared token at a time, one sentence a forward pass, with gradients on
and the vocabulary projected at every position. Here it is written again, step by step.
"""

import argparse
import difflib
import time

import torch
from transformers import AutoModelForMaskedLM, AutoTokenizer

from tiltmeter.core.study import Context
from tiltmeter.models._open import Options, open_model, resolve
from tiltmeter.scoring.pseudo import RULES
from tiltmeter.studies import starter_pairs


def published(model, tokenizer, pairs):
    """Scores (more, less) of each pair, and the number of forward passes."""
    scores, passes = [], 0
    for pair in pairs:
        ids = [tokenizer(text)["input_ids"] for text in (pair.first, pair.second)]
        blocks = difflib.SequenceMatcher(None, *ids, autojunk=False).get_matching_blocks()
        shared = [
            [start + k for start, size in ((b[side], b.size) for b in blocks) for k in range(size)]
            for side in (0, 1)
        ]
        sums = []
        for sentence, where in zip(ids, shared, strict=True):
            total = 0.0
            for i in where[1:-1]:
                masked = torch.tensor(
                    [[*sentence[:i], tokenizer.mask_token_id, *sentence[i + 1 :]]]
                )
                row = model(masked).logits[0, i]
                total += row.log_softmax(-1)[sentence[i]].item()
                passes += 1
            sums.append(total)
        scores.append(tuple(sums) if pair.first == pair.more else tuple(sums[::-1]))
    return scores, passes


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--precision", default="float32")
    given = parser.parse_args()
    pairs = starter_pairs.load().items[: given.pairs]
    where = resolve(given.model, Options(precision=given.precision))
    ours = open_model(where, Options(precision=given.precision))
    tokenizer = AutoTokenizer.from_pretrained(where.location)
    plain = AutoModelForMaskedLM.from_pretrained(where.location, dtype=torch.float32).eval()
    rule = next(r for r in RULES if r.name == "pll_shared")
    rule.score(ours, pairs[:4], Context())  # warm both up
    published(plain, tokenizer, pairs[:1])

    begun = time.perf_counter()
    slow, passes = published(plain, tokenizer, pairs)
    middle = time.perf_counter()
    records = rule.score(ours, pairs, Context())
    end = time.perf_counter()

    worst = max(
        abs(score - record.scores[side])
        for both, record in zip(slow, records, strict=True)
        for side, score in zip(("more", "less"), both, strict=True)
    )
    agree = sum(
        (both[0] > both[1]) == (record.scores["more"] > record.scores["less"])
        for both, record in zip(slow, records, strict=True)
    )
    print(f"{len(pairs)} pairs, {passes} masked sentences, {torch.get_num_threads()} threads")
    print(f"published procedure  {passes / (middle - begun):8.1f} masked sentences a second")
    print(f"tiltmeter            {passes / (end - middle):8.1f} masked sentences a second")
    print(f"ratio                {(middle - begun) / (end - middle):8.2f}")
    print(f"largest difference of a score {worst:.2e}; same preference in {agree} of {len(pairs)}")


if __name__ == "__main__":
    main()
