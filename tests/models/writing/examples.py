"""Prompts, and what obvious code writes to each alone."""

from hashlib import blake2b

import torch

from tiltmeter.core.model.conversations import Message, Prompt, Writing, request_key

TEXTS = ("He is a nurse and", "She", "My grandmother fixed the car well at night, nobody knows")


def plain(text):
    return Prompt((Message("user", text),), chat=False)


PROMPTS = [plain(text) for text in TEXTS]


def number(request, place):
    digest = blake2b(request_key(request).encode(), digest_size=8, salt=place.to_bytes(8)).digest()
    return (int.from_bytes(digest) >> 11) / 2**53


@torch.no_grad()
def slow_reply(model, request):
    """The whole text read anew for each token; nucleus and inverse distribution written out."""
    tokenizer, inner = model._loaded.tokenizer, model._loaded.model
    ids = list(model._writer.reader.tokens([request.prompt])[0])
    written = []
    while len(written) < request.max_tokens:
        logits = inner(input_ids=torch.tensor([ids + written])).logits[0, -1].double()
        if request.temperature == 0:
            token = int(logits.argmax())
        else:
            chances = (logits / request.temperature).softmax(-1).tolist()
            falling = sorted(range(len(chances)), key=lambda t: (-chances[t], t))
            kept, total = set(), 0.0
            for t in falling:
                if total >= request.top_p:
                    break
                kept.add(t)
                total += chances[t]
            at, reached = number(request, len(written)) * total, 0.0
            for token in sorted(kept):
                reached += chances[token]
                if reached > at:
                    break
        if token in model._writer._ends:
            break
        written.append(token)
        text = tokenizer.decode(written, skip_special_tokens=True)
        if any(stop in text for stop in request.stop):
            return min((text.split(stop)[0] for stop in request.stop if stop in text), key=len)
    return tokenizer.decode(written, skip_special_tokens=True)


def requests():
    ways = [
        {},
        {"temperature": 0.3},
        {"temperature": 1.5, "top_p": 0.6},
        {"temperature": 2.0, "stop": ("e", "a")},
        {"temperature": 1.0, "repeat": 3},
        {"temperature": 1.0, "seed": 3},
    ]
    return [Writing(p, 5, **way) for p in PROMPTS for way in ways]
