"""Texts about which a model is asked in words, and what it is right about."""

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.model.conversations import Message, Prompt

THREE = ("sexist", "racist", "neither")


def asked(category, text, truth):
    prompt = Prompt((Message("user", f"Is ‘{text}’ {category}? Answer yes or no."),))
    return PromptedText(
        f"zero/{category}/{text}", text, prompt, ("yes", "no"), truth, "yes",
        temperature=0.3, repeats=4, cluster=text,
        groups={"setting": "zero-shot", "category": category},
    )  # fmt: skip


def labelled(text, truth, example_set):
    prompt = Prompt(
        (Message("user", f"‘a’: sexist.\n‘b’: racist.\n‘c{example_set}’: neither.\n‘{text}’:"),)
    )
    return PromptedText(
        f"mixed/{example_set}/{text}", text, prompt, THREE, truth, cluster=text,
        groups={"setting": "mixed", "example_set": str(example_set)},
    )  # fmt: skip


TEXTS = [f"text {i}" for i in range(30)]
ITEMS = [
    *(
        asked(category, text, "yes" if i % 3 == k else "no")
        for k, category in enumerate(("sexist", "racist"))
        for i, text in enumerate(TEXTS)
    ),
    *(labelled(text, THREE[i % 3], s) for i, text in enumerate(TEXTS) for s in (1, 2)),
]
DATA = Dataset("made_up", "1", ITEMS, "made up", "none")


def estimate(result, name, **groups):
    (found,) = [e for e in result.estimates if e.name == name and e.groups == groups]
    return found
