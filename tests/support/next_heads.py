"""What tests of next-sentence heads share: models that read pairs, and text with a relation to learn."""

import random
from pathlib import Path

from support.architectures import build

TOPICS = (
    ("driver", "car", "drove", "fixed"),
    ("boy", "violin", "played", "night"),
    ("nurse", "rude", "late", "clerk"),
    ("soup", "cold", "women", "hate"),
)


def reading_pairs(kind: str, folder: Path) -> Path:
    """A small random model whose tokenizer puts two texts together as the true one does."""
    from tokenizers.processors import TemplateProcessing
    from transformers import AutoTokenizer

    build(kind, folder)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    if tokenizer.cls_token is None:
        return folder
    first, last = tokenizer.cls_token, tokenizer.sep_token
    if kind == "xlnet":
        tokenizer.backend_tokenizer.post_processor = TemplateProcessing(
            single=f"$A:0 {last}:0 {first}:2",
            pair=f"$A:0 {last}:0 $B:1 {last}:1 {first}:2",
            special_tokens=[(t, tokenizer.convert_tokens_to_ids(t)) for t in (first, last)],
        )
        tokenizer.save_pretrained(folder)
        return folder
    second = f"{last} $B" if first == "<s>" else "$B:1"
    end = last if first == "<s>" else f"{last}:1"
    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(
        single=f"{first} $A {last}",
        pair=f"{first} $A {last} {second} {end}",
        special_tokens=[(t, tokenizer.convert_tokens_to_ids(t)) for t in (first, last)],
    )
    tokenizer.save_pretrained(folder)
    return folder


def topic_triples(file: Path) -> Path:
    """StereoSet's triples between sentences: two candidates of the context's topic, one of another."""
    rng = random.Random(1)

    def sentence(topic: tuple[str, ...]) -> str:
        return f"The {' '.join(rng.choices(topic, k=3))}."

    rows = ["context,stereotype,anti_stereotype,unrelated,target"]
    for topic in TOPICS:
        for other in [t for t in TOPICS if t != topic] * 4:
            texts = [sentence(t) for t in (topic, topic, topic, other)]
            rows.append(",".join([*texts, topic[0]]))
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return file


def by_topic(file: Path, documents: int = 60, sentences: int = 6) -> Path:
    """Documents that keep to one of four topics: a wrong sequel is of another one three times in four.

    Who sees the topics and nothing else judges 7 pairs of 8 rightly, and by chance 4.
    """
    rng = random.Random(0)
    texts = [
        "\n".join(f"The {' '.join(rng.choices(topic, k=3))}." for _ in range(sentences))
        for topic in (TOPICS[i % len(TOPICS)] for i in range(documents))
    ]
    file.write_text("\n\n".join(texts), encoding="utf-8")
    return file
