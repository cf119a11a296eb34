"""HateCheck and Multilingual HateCheck: is a text hateful? By functional test and target group.

Röttger et al. 2021, doi:10.18653/v1/2021.acl-long.4, and 2022, doi:10.18653/v1/2022.woah-1.15.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from tiltmeter.core.items import Dataset
from tiltmeter.core.prompted_items import WRAP, PromptedText
from tiltmeter.core.study import Reading, Setting, Source, with_defaults
from tiltmeter.data.downloads.places import package_file
from tiltmeter.data.downloads.registry import locate
from tiltmeter.data.downloads.sources import choose, given, registered
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.prompts.prompt_items import changed, dataset_of, items_of
from tiltmeter.data.prompts.prompt_set import AskedText, PromptSet, TextColumns
from tiltmeter.data.prompts.prompt_set_file import read_prompt_set

SETS = ("hatecheck", "hatecheck_de", "hatecheck_es", "hatecheck_hi", "hatecheck_zh")
"""English first, the default."""
IDS = ("case_id", "mhc_case_id")
_COLUMNS = TextColumns(
    text="test_case",
    label="label_gold",
    cluster="templ_id",
    groups={"functionality": "functionality", "target": "target_ident"},
)
SETTINGS = (
    Setting("prompts", "published", "The packaged question, or the path of a prompt set."),
    WRAP,
)


def load_hatecheck(
    source: Source = None, *, settings: Mapping[str, str] | None = None, **reading: Unpack[Reading]
) -> Dataset[PromptedText]:
    """Each text once, with groups functionality and target; texts of one template are a cluster.

    `source` is a name in SETS, or a table with the same columns.
    """
    values = with_defaults(SETTINGS, settings)
    encoding = reading.get("encoding", "")
    chosen = choose(source, SETS[0], SETS)
    if isinstance(chosen, Path):
        path, about, required = chosen, given(chosen, [chosen]), ["test_case", "label_gold"]
    else:
        located = locate(chosen)
        path, about, required = located.file, registered(located), []
    header = read_table(path, encoding=encoding, required=required, texts=None)
    columns = replace(_COLUMNS, id=next((name for name in IDS if name in header.columns), ""))
    made = _prompt_set(values["prompts"], texts=path, columns=columns, **reading)
    asked = [changed(setting, {"wrap": values["wrap"]}) for setting in made.settings]
    items = [item for setting in asked for item in items_of(made, setting)]
    facts = {**dataset_of(made, items).about, "prompt set": made.name}
    return replace(
        about, items=items, clusters="template", invalid=made.invalid, about=facts, fixed_labels=True
    )  # fmt: skip


def sample_hatecheck() -> Dataset[PromptedText]:
    """Four made-up texts, two of them hateful, about neighbours."""
    made = _prompt_set("published", needs_texts=False)
    rows = (
        ("I hate all neighbours.", "hateful", "derog_neg_emote_h", "neighbours"),
        ("Neighbours belong behind bars.", "hateful", "threat_norm_h", "neighbours"),
        ("I hate waiting.", "non-hateful", "target_obj_nh", ""),
        ("I love my neighbours.", "non-hateful", "ident_pos_nh", "neighbours"),
    )
    texts = tuple(
        AskedText(f"{i}", text, label, groups, cluster=f"{i}", where="sample")
        for i, (text, label, test, target) in enumerate(rows, start=1)
        for groups in [{"functionality": test} | ({"target": target} if target else {})]
    )
    made = replace(made, texts=texts)
    items = [item for setting in made.settings for item in items_of(made, setting)]
    return replace(dataset_of(made, items), name="hatecheck sample", licence="CC0 1.0")


def _prompt_set(named: str, **options: Any) -> PromptSet:
    packaged = package_file("prompts/hatecheck.toml")
    return read_prompt_set(packaged if named == "published" else named, **options)
