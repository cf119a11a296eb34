"""StereoSet's intrasentence test on a masked language model: the published procedure against Tiltmeter.

The published script fills the blank one candidate and one piece at a time: one sentence a forward pass,
the vocabulary projected at every position. Here it is written again, step by step, without gradients.
Both run on the same contexts in one process; the ratio and whether all decisions agree are printed.
"""

import argparse
import string
import time

import torch
from transformers import AutoModelForMaskedLM, AutoTokenizer

from tiltmeter.core.items import SIDES
from tiltmeter.core.study import Context
from tiltmeter.models._open import Options, open_model, resolve
from tiltmeter.studies.stereoset import CONVENTIONS, RULES, load


@torch.no_grad()
def published(model, tokenizer, triples):
    """Scores of the three candidates of each context, and the number of forward passes."""
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
                said.append(model(**ids).logits.softmax(-1)[0, where, piece].item())
                passes += 1
            three.append(sum(said) / len(said))
        scores.append(three)
    return scores, passes


def decisions(three):
    """Which of two scores higher, for each two of the three."""
    more, less, off = three
    return more > less, more > off, less > off


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("--data", help="a file of triples; the development set without it")
    parser.add_argument("--contexts", type=int, default=200)
    given = parser.parse_args()
    triples = [t for t in load(given.data).items if t.task == "intrasentence"][: given.contexts]
    where = resolve(given.model, Options())
    ours = open_model(where, Options())
    tokenizer = AutoTokenizer.from_pretrained(where.location)
    plain = AutoModelForMaskedLM.from_pretrained(where.location, dtype=torch.float32).eval()
    rule = {r.name: r for r in RULES}
    as_published = Context(next(c for c in CONVENTIONS if c.name == "stereoset2020"))
    rule["blank_probability"].score(ours, triples[:4], as_published)  # warm both up
    published(plain, tokenizer, triples[:2])

    begun = time.perf_counter()
    slow, passes = published(plain, tokenizer, triples)
    middle = time.perf_counter()
    same = rule["blank_probability"].score(ours, triples, as_published)
    end = time.perf_counter()
    rule["blank_logprob"].score(ours, triples, Context())
    default = time.perf_counter()

    found = [[record.scores[side] for side in SIDES] for record in same]
    worst = max(
        abs(a / b - 1) for x, y in zip(slow, found, strict=True) for a, b in zip(x, y, strict=True)
    )
    agree = sum(
        x == y
        for one, other in zip(slow, found, strict=True)
        for x, y in zip(decisions(one), decisions(other), strict=True)
    )
    seconds = middle - begun
    print(f"{len(triples)} contexts, {passes} published passes, {torch.get_num_threads()} threads")
    print(f"published procedure            {seconds:8.1f} s")
    print(
        f"tiltmeter, blank_probability   {end - middle:8.1f} s   {seconds / (end - middle):6.2f} ×"
    )
    print(
        f"tiltmeter, blank_logprob       {default - end:8.1f} s   {seconds / (default - end):6.2f} ×"
    )
    print(f"largest relative difference of a probability {worst:.1e}; "
          f"{agree} of {3 * len(triples)} decisions agree")  # fmt: skip


if __name__ == "__main__":
    main()
