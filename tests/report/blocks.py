"""A made-up document with every kind of block, long and hostile texts in it."""

from markupsafe import Markup

from tiltmeter.core.estimates import Estimate
from tiltmeter.report.document import (
    FILES_ONLY,
    PAGE,
    TERMINAL,
    Bars,
    Code,
    Column,
    Document,
    Facts,
    Item,
    Items,
    Lines,
    Picture,
    Section,
    Sentence,
    Table,
    Text,
)
from tiltmeter.report.plots import svg

HOSTILE = "<script>alert(1)</script> \x1b[2J\u202e [red]x[/red]"
LONG = "the first of several rather long names, which differ in their middle: {} – and end alike"
SVG = svg.figure("p", "A picture", "said", (100, 50), svg.text("<b>in it</b>", 5, 20, "label"))


def estimates() -> list[Estimate]:
    return [
        Estimate("rate", v, v - 9, v + 9, p, 40, 50, "%", groups={"kind": k})
        for k, v, p in ((LONG.format("A"), 70.0, 0.01), (LONG.format("B"), 52.0, 0.7))
    ]


def table(**changes) -> Table:
    found = estimates()
    columns = [
        Column("", [e.groups["kind"] for e in found], number=False, name="kind"),
        Column("n", [e.n for e in found], "{:,}".format, drop=4),
        Column("value", [e.value for e in found], "{:.1f}".format),
        Column(
            "interval", [None, None], drop=1, shown=["61.0 to 79.0", "43.0 to 61.0"], in_files=False
        ),
        Column("low", [e.low for e in found], on=FILES_ONLY),
        Column("way", ["farther", None], number=False, tones=("worse", ""), drop=2),
        Column("empty", [None, None]),
    ]
    given = {"strong": (True, False), "notes": (f"=1: {HOSTILE}",), "bars": Bars(found)} | changes
    return Table("Rates, %", columns, **given)


def item(*sentences: Sentence) -> Item:
    return Item("pair-1 <i>", "age", "40.0 %", sentences)


def texts() -> tuple[Sentence, ...]:
    long = (("word " * 80).strip(), False), (HOSTILE, True)
    return (
        Sentence("more", [("My", False), ("old", True), ("aunt", False)], preferred=True),
        Sentence("less", long),
    )


def document(*, show_text: bool = True) -> Document:
    drawn = Picture("forest", Markup(SVG), Markup(SVG), f"Caption {HOSTILE}", table(notes=()))
    found = [item(*(texts() if show_text else ()))]
    return Document(
        f"A study {HOSTILE}",
        "demo",
        ["demo prefers this in 57.3\u00a0% of 240 pairs.", "No significant preference.",
         Text("other prefers that.", "headline")],
        [
            Section("a", "By kind", [drawn, table()]),
            Section("b", "Items", [Items("Towards the more", found, "pairs")], on=PAGE),
            Section("c", "", [Facts({"Left out": "nothing", "None": None, "gated": False})]),
            Section("d", "How to repeat it", [Code("tiltmeter run x"), Text("for the page", on=PAGE),
                                             Text("for the terminal", on=TERMINAL),
                                             Lines(["one", HOSTILE], "Lines", folded=True)]),
        ],
        meaning="See https://example.org/a?b=1&c=2.",
        limits=f"Not that {HOSTILE}",
        files=("records.parquet",),
    )  # fmt: skip
