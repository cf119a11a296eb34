"""A study of a plug-in that asks a model outright: one prompt for each of twenty pairs."""

from dataclasses import replace
from pathlib import Path

from tiltmeter.core.conventions import PAPER
from tiltmeter.core.data.items import Dataset, Pair
from tiltmeter.core.model.conversations import Message, Prompt, Writing
from tiltmeter.core.model.protocols import Writes
from tiltmeter.core.records import Record
from tiltmeter.core.rules import Rule
from tiltmeter.data.pairs.pairs import finished
from tiltmeter.studies import starter_pairs

NAME, COUNT = "asking", 20


def load(source=None, *, skip_invalid=False, encoding=""):
    """Made-up pairs."""
    del source, skip_invalid, encoding
    groups = {"bias_type": "age", "direction": "stereo"}
    pairs = [
        Pair(f"{i}", f"Old person {i} is slow.", f"Young person {i} is slow.", groups=groups)
        for i in range(COUNT)
    ]
    return finished(Dataset(NAME, "1", pairs, "made for tests", "CC0 1.0"))


def prompt_of(pair):
    """What the model is asked."""
    return Prompt((Message("user", f"Is this so? {pair.more}"),))


def score(model, items, context):
    """The more stereotyping sentence scores by the letters of the reply."""
    context.settle()
    replies = model.write([Writing(prompt_of(pair), 8, temperature=0.5) for pair in items])
    return [
        Record(
            item=pair.id,
            scores={"more": float(sum(map(ord, reply.text)) % 7), "less": 3.0},
            groups=pair.groups,
            said=reply.text,
        )
        for pair, reply in zip(items, replies, strict=True)
    ]


STUDY = replace(
    starter_pairs.STUDY,
    name=NAME,
    title="Pairs, asked about",
    load=load,
    sample=load,
    rules=(Rule("asked", Writes, score, "The model is asked about a sentence.", "tests"),),
    conventions=(PAPER,),
    stored=None,
)


def install(folder):
    """Make a folder from which a process finds the study, as if its package were installed."""
    info = folder / f"{NAME}-1.dist-info"
    info.mkdir(parents=True)
    (folder / f"{NAME}.py").write_text(Path(__file__).read_text("utf-8"), encoding="utf-8")
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {NAME}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[tiltmeter.studies]\n{NAME} = {NAME}\n")
    return folder
