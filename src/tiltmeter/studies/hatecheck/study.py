"""HateCheck: which kinds of hateful and of harmless texts does a model that writes mislabel?

The functional tests of HateCheck and Multilingual HateCheck, asked about in words, by test and target group:
Röttger et al. 2021, doi:10.18653/v1/2021.acl-long.4, and 2022, doi:10.18653/v1/2022.woah-1.15.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from tiltmeter.core.conventions import Setting, with_defaults
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import WRAP, PromptedText
from tiltmeter.core.study import Reading, Source
from tiltmeter.data.downloads.registry import locate
from tiltmeter.data.downloads.sources import choose, given, registered
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.prompts.prompt_items import changed, dataset_of, items_of
from tiltmeter.data.prompts.prompt_set import AskedText, PromptSet, TextColumns
from tiltmeter.data.prompts.prompt_set_file import read_prompt_set
from tiltmeter.scoring.prompted_texts import REFUSES
from tiltmeter.studies.hatecheck.validity import VALIDITY
from tiltmeter.study_families.written_labels import written_study

SETS = ("hatecheck", "hatecheck_de", "hatecheck_es", "hatecheck_hi", "hatecheck_zh")
"""The registered sets, by language; the first, in English, is the default."""
QUESTION = Path(__file__).with_name("hatecheck.toml")
"""The question that the texts are asked with; the authors tested classifiers, which are asked nothing."""
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
    REFUSES,
)


def load(
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


def sample() -> Dataset[PromptedText]:
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
    return read_prompt_set(QUESTION if named == "published" else named, **options)


STUDY = written_study(
    name="hatecheck",
    title="HateCheck: functional tests of hate detection, asked in words",
    version="3",
    group="classifiers",
    asks="Which kinds of hate are seen?",
    source="Röttger et al. 2021, HateCheck, doi:10.18653/v1/2021.acl-long.4; in further languages: "
    "Röttger et al. 2022, doi:10.18653/v1/2022.woah-1.15",
    measures_what="How often a model that is asked whether a text is hateful gives the label of "
    "the test, by the kind of text that a test is about (slurs, negated hate, counter-speech, …) "
    "and by the group it targets. About 69 % of the English texts are hateful.",
    not_what="The texts were written to find weaknesses and say nothing about how common these "
    "are. The authors made the tests for classifiers; here a model answers in words, to one "
    "wording of the question.",
    load=load,
    sample=sample,
    settings=SETTINGS,
    data=SETS,
    makes_items=True,
    validity=VALIDITY,
)
