"""order_effects: whether answers depend on which side, place or order something was shown in."""

from collections.abc import Sequence
from dataclasses import dataclass

from tiltmeter.analyses.order_effects.effects import (
    ANSWER,
    CHANCE,
    DIFFERENCE,
    FIRST_OPTION,
    FIRST_SHARE,
    FIRST_TEXT,
    ORDER,
    QUANTITIES,
    QUESTION,
    order_effects,
)
from tiltmeter.analyses.order_effects.sentences import is_significant, sentences
from tiltmeter.core.analysis import Analysis, Circumstances, Input, finish, paths_of
from tiltmeter.core.errors import BadInput
from tiltmeter.core.quantity import quantity
from tiltmeter.core.reading.answer_options import ChoiceOptions
from tiltmeter.core.reading.options import Encoding
from tiltmeter.core.results import Result
from tiltmeter.core.text import counted
from tiltmeter.core.views import NumberTable
from tiltmeter.data.people.shown_answers import read_shown_answers
from tiltmeter.report.with_and_without import with_and_without
from tiltmeter.run.monitor import Monitor

DIFFER = quantity(
    "orders_that_matter",
    "Orders with a significant effect",
    "significant",
    counts="orders",
    decimals=0,
)
METHOD = (
    "Answers are compared within each question about each item: those with swapped ends with the "
    "others, or by the place at which a row, page or item came, per place. Each person is left out in "
    "turn; intervals are by Student’s t over people. p is adjusted by Holm’s method, over the orders "
    "and, apart from these, over the single questions.\n\n"
    "Of options in random order, the share of answers that chose the first one is compared with chance: "
    "1 / k of the k options that change places. Of texts that change places, each answer’s share among "
    "people who saw the text first is compared with its share among the others.\n\n"
    "An order that was the same for everybody cannot be separated from what was shown in it, and has no "
    "number."
)


@dataclass(frozen=True, slots=True)
class OrderEffectsOptions(ChoiceOptions):
    """The options of `tiltmeter analyse order-effects`."""

    encoding: Encoding = ""


def compute(files: Sequence[Input], options: OrderEffectsOptions, monitor: Monitor) -> Result:
    """The effect of each order that was recorded."""
    if len(files) > 1:
        raise BadInput("order-effects is about one table", "name one file")
    path = paths_of(files)[0]
    read = read_shown_answers(path, encoding=options.encoding)
    monitor.step(f"comparing {counted(len(read.answers), 'answers')}")
    estimates = order_effects(read.answers)
    overall = [e for e in estimates if [*e.groups] == [ORDER]]
    tested = [e for e in overall if e.p_adjusted is not None]
    why = "" if tested else "no order was random, or too few people answered"
    count = DIFFER.at(sum(map(is_significant, tested)) if tested else None, n=len(tested), why=why)
    people = len({answer.person for answer in read.answers})
    data = {
        "name": read.name, "sha256": read.sha256, "annotators": people,
        "answers": len(read.answers),
    }  # fmt: skip
    return finish(
        ANALYSIS, [count, *estimates], Circumstances(data=data, subtitle=read.name, method=METHOD)
    )


VIEWS = (
    NumberTable(
        "orders", "By order", (ORDER,),
        (*DIFFERENCE.columns(value=0, interval=0, p_adjusted=1),
         *DIFFERENCE.columns("people", clusters=2)),
        explained="Differences are in the units of the answers; by place, for each place further down.",
    ),
    NumberTable(
        "questions_by_order", "By question and order", (QUESTION, ORDER),
        (*DIFFERENCE.columns(value=0, interval=0, p_adjusted=1), *DIFFERENCE.columns("answers", n=2)),
        folded=True,
    ),
    NumberTable(
        "first_texts", "By which text came first", (QUESTION, ORDER, ANSWER),
        (*FIRST_TEXT.columns(value=0, interval=0, p_adjusted=1), *FIRST_TEXT.columns("answers", n=2)),
        explained="How much oftener each answer was given by those who saw the text first.",
    ),
    NumberTable(
        "first_options", "The first option", (QUESTION,),
        (*FIRST_SHARE.columns(value=0), *CHANCE.columns(value=1),
         *FIRST_OPTION.columns(value=0, interval=0, p_adjusted=1), *FIRST_OPTION.columns("answers", n=2)),
    ),
)  # fmt: skip

EXAMPLE = """\
>>> import polars as pl, tiltmeter as tm
>>> answers = pl.DataFrame([
...     {"person": f"p{person}", "item": item, "page": "rate", "question": "warm", "kind": "slider",
...      "swapped": ("no", "yes")[swapped], "value": 50 + person + (8 + person % 5) * swapped}
...     for person in range(20) for item, swapped in (("a", person % 2), ("b", 1 - person % 2))
... ])
>>> tm.analyse.order_effects(answers).estimate("order_difference", order="swapped ends")
<order_difference of order swapped ends: 10 (9.283 to 10.72), p (Holm) 2.993e-17, n 40>"""
ANALYSIS = Analysis(
    name="order_effects",
    title="Effects of order",
    version="1",
    summary="Whether people's answers depend on sides, places and what came first.",
    means="0 means that answers do not depend on the order.",
    not_what="Orders that were the same for everybody; why people answer so.",
    example=EXAMPLE,
    inputs="answers.csv of a survey's export, or its folder.",
    metavar="FILE",
    quantities=(DIFFER, *QUANTITIES),
    compute=with_and_without(compute, DIFFERENCE, FIRST_OPTION, over=(ORDER,)),
    options=OrderEffectsOptions,
    words=sentences,
    views=VIEWS,
)
