"""Blocks of runs in the document of a collection."""

from dataclasses import replace

from markupsafe import Markup

from tiltmeter.core.results import Card, Result
from tiltmeter.core.views import RunBlocks
from tiltmeter.report.document import TERMINAL, Document, Panels, Picture, Section, Table, Text
from tiltmeter.report.documents.analysis import analysis_document

CARD = Card("replication", "1", {}, {"name": "", "sha256": ""}, title="Mine")
PICTURE = Picture("Flows", Markup("<svg>wide</svg>"), Markup("<svg>narrow</svg>"), "Curves.")


def blocks(*of_models, title="Figure 1"):
    """The blocks named flows of runs whose documents have these blocks, by model."""
    runs = {
        model: replace(RESULT, card=replace(CARD, model={"name": model})) for model, _ in of_models
    }
    documents = {model: Document("", "", [], [Section("s", "", own)]) for model, own in of_models}
    views = [RunBlocks(title, tuple(runs), ("flows",))]
    whole = replace(RESULT, card=replace(CARD, views=views), runs=runs)
    document = analysis_document(whole, of_run=lambda run: documents[run.card.model_name])
    return next((s.blocks for s in document.sections if s.title == title), [])


RESULT = Result(CARD, [], [])


def test_pictures_of_several_runs_stand_beside_each_other():
    panels, empty, caption, hint = blocks(("mbert", [PICTURE]), ("mt5", []), ("chatgpt", [PICTURE]))
    assert isinstance(panels, Panels)
    assert [(p.name, p.wide, p.caption) for p in panels.pictures] == [
        ("Flows", PICTURE.narrow, "mbert"), ("Flows-3", PICTURE.narrow, "chatgpt"),
    ]  # fmt: skip
    assert empty.text.startswith("mt5: nothing to draw") and caption.text == "Curves."
    assert hint.text == "On the page." and hint.on == TERMINAL


def test_one_picture_is_as_it_was_and_other_blocks_stand_under_their_models():
    assert blocks(("mbert", [PICTURE])) == [PICTURE, Text("On the page.", on=TERMINAL)]
    table = Table("A", [], name="flows")
    assert blocks(("mbert", [table]), ("mt5", [table])) == [
        Text("mbert"),
        table,
        Text("mt5"),
        table,
    ]


def test_a_single_table_goes_by_the_title_of_its_section_unless_its_own_says_which_it_is():
    titles = [
        [
            table.title
            for table in blocks(("mbert", [Table(own, [], name="flows")]), title="T 1: Traits")
        ]
        for own in ("Leaked traits", "Into: English")
    ]
    assert titles == [["T 1: Traits"], ["T 1: Into: English"]]
