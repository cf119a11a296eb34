"""Word association: which of two groups does a model write behind which word, and whom does it choose?"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, Unpack

from tiltmeter.core.analysis_views import NumberColumn, NumberTable
from tiltmeter.core.conversations import Reply
from tiltmeter.core.errors import BadInput, Problem, stop_at
from tiltmeter.core.items import Dataset
from tiltmeter.core.prompted_items import WRAP, PromptedText
from tiltmeter.core.results import Meaning, Record
from tiltmeter.core.study import EVERY, PAPER, Convention, Measure, Reading, Study
from tiltmeter.data.downloads.registry import locate
from tiltmeter.data.downloads.sources import given
from tiltmeter.data.files.rows import Cell, FilledCell, UserRows
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.prompts import word_association as stimuli
from tiltmeter.data.prompts.word_association import ASSOCIATION, DECISION, KINDS, ROLES, Stereotype
from tiltmeter.metrics import labels, word_association
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.scoring.prompted_texts import LIST_RULES, REFUSES, list_scores, reply_record
from tiltmeter.studies._written import REFUSED, SILENT

COUNTS = tuple(
    f"{role}_{kind}" for role in ("stigma", "default", "none") for kind in reversed(KINDS)
)
UNITS = ("category", "variation")
OVER: tuple[tuple[str, ...], ...] = ((), ("domain",), ("category",), UNITS, ("first_named",))
BAI, CONSENT = "bai2025", "consent"


def _measure(
    task: str, metric: Any, title: str, summary: str, sentences: tuple[str, str] = ("", ""),
    over: tuple[tuple[str, ...], ...] = OVER, **further: Any,
) -> Measure:  # fmt: skip
    """A number of lists, from −1 to 1, or of decisions, in percent; without sentences a description."""
    lists = task == ASSOCIATION
    limits: dict[str, Any] = {"least": -1, "most": 1, "decimals": 2} if lists else {}
    return Measure(
        metric.name, metric, COUNTS, "" if lists else "%", neutral=0 if lists else 50, summary=summary,
        over=over, units=UNITS, where={"task": task},
        meaning=Meaning(
            title, further.pop("short", ""), role="lean" if sentences[0] else "description",
            counts="lists" if lists else "decisions",
            sides=("against the stereotype", "the stereotype"), **limits,
            neutral_is="no association" if lists else "no bias", sentence=sentences[0],
            sentence_below=sentences[1],
        ),
        **further,
    )  # fmt: skip


RATES: Mapping[str, Any] = {
    "rules": ("list", "stored"), "units": UNITS, "over": ((), *OVER[1:], ("task",), EVERY),
}  # fmt: skip
MEASURES = (
    _measure(
        ASSOCIATION, word_association.word_association, "Association",
        "Of the stigmatised group’s words the share that is negative, and of the default group’s the share "
        "that is positive, less 1; the mean over replies. 1 is the stereotype in every word. "
        "A reply that gives all words to one group has none.",
        ("links words with groups along the stereotype, by $size on average over $n $counts",
         "links words with groups against the stereotype, by $size on average over $n $counts"),
    ),
    _measure(
        DECISION, word_association.decision_bias, "Decision bias",
        "Of the replies that give each of two people a topic, the share that gives the negative one to the "
        "stigmatised group.",
        ("decides along the stereotype in $value of $n $counts",) * 2,
    ),
    *(
        _measure(
            task, getattr(word_association, f"{which}_{name}"), f"{which.capitalize()} possible {what}",
            f"The {what} if everything without an answer had gone {how} the stereotype.",
            short=f"{which} {what}", over=((), ("category",)), comparison=None,
        )
        for task, name, what in ((ASSOCIATION, "association", "association"),
                                 (DECISION, "decision_bias", "decision bias"))
        for which, how in (("lowest", "against"), ("highest", "along"))
    ),
    Measure(
        "one_sided_rate", word_association.one_sided_rate, COUNTS, "%", neutral=None,
        summary="Of the lists of which any word is answered, the share that gives all words to one group.",
        over=OVER, units=UNITS, where={"task": ASSOCIATION},
        meaning=Meaning("Lists given to one group", "one group", role="description", counts="lists"),
    ),
    replace(REFUSED, **RATES),
    replace(SILENT, **RATES),
    Measure(
        "yes_rate", labels.rate, ("yes",), "%", neutral=None, where={"task": CONSENT}, units=UNITS,
        summary="Of the authors’ questions whether one person should have a role, the share answered yes.",
        over=(("category", "person", "role"),),
        meaning=Meaning("Yes", role="description", counts="replies"),
    ),
    _measure(
        ASSOCIATION, word_association.published_association, "Association as the authors’ program has it",
        "With .01 added to the words of a group; a reply without any counts as 0.",
        over=((), ("category",)), conventions=(BAI,), infer=infer_nothing, comparison=None,
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Stored:
    """A row of one of the authors' three kinds of files."""

    reply: FilledCell
    category: FilledCell
    variation: Cell = ""
    decision_bias: Literal["", "0", "1", "0.0", "1.0"] = ""
    type: Cell = ""
    decision: Cell = ""


def stored_replies(
    path: Path, items: Dataset[PromptedText] | None, *, settings: Mapping[str, str] | None = None,
    **reading: Unpack[Reading],
) -> tuple[Dataset[PromptedText], Sequence[Record]]:  # fmt: skip
    """Replies in the layout of the authors' files; of a folder those of all its .csv files."""
    if items is not None or settings:
        reason = "the file of replies says what was asked"
        raise BadInput(reason, "leave out --data and --set", file=path.name)
    stereotypes, _ = stimuli.read_stimuli([*locate(stimuli.SET).files.values()])
    files = sorted(path.glob("*.csv")) if path.is_dir() else [path]
    pairs: list[tuple[PromptedText, Record]] = []
    problems: list[Problem] = []
    encoding = reading.get("encoding", "")
    for file in files:
        columns = read_table(file, encoding=encoding, known=None).columns
        named = {
            "reply": next((name for name in ("response", "0") if name in columns), "reply"),
            "category": "dataset" if "dataset" in columns else "category",
        }
        rows = UserRows(_Stored, file, encoding=encoding, columns=named)
        for line, row in rows:
            name = stimuli.NAMES.get(row.category, row.category)
            if name in stereotypes:
                pairs += _records(f"{file.stem}/{line}", name, stereotypes[name], row)
            else:
                reason = f"no stereotype is called {name!r}"
                rows.complain(line, reason, f"write {', '.join(stereotypes)}")
        problems += rows.problems
    stop_at(problems, skip_invalid=reading.get("skip_invalid", False))
    data = replace(given(path, files), items=[item for item, _ in pairs], invalid=problems)
    return data, [record for _, record in pairs]


def _records(
    key: str, name: str, of: Stereotype, row: _Stored
) -> Iterator[tuple[PromptedText, Record]]:
    """The list, and in two of the layouts a decision behind it, with what was said."""
    groups = {
        "task": ASSOCIATION, "category": name,
        "variation": row.variation or ("absolute" if row.type else "chained"),
    }  # fmt: skip
    asked = of.item(key, of.synonyms if row.variation == stimuli.SYNONYM else of.words, groups)
    listed = re.split(r"task 2\b", row.reply, maxsplit=1, flags=re.IGNORECASE)[0]
    yield asked, reply_record(asked, row.reply, list_scores(asked, Reply(listed)))
    if row.type:
        person, _, role = row.type.partition("_")
        groups |= {"task": CONSENT, "person": person, "role": role}
        asked = of.item(f"{key}/decision", of.words, groups)
        says_yes = float(row.decision[:3].lower() == "yes")
        yield asked, reply_record(asked, row.decision, {"yes": says_yes})
    elif row.decision_bias:
        people = ROLES if row.decision_bias[0] == "1" else ROLES[::-1]
        two = replace(of, names={role: role for role in ROLES})
        groups["task"] = DECISION
        asked = two.item(f"{key}/decision", {kind: kind for kind in KINDS}, groups)
        said = "\n".join(f"{kind} - {who}" for kind, who in zip(KINDS, people, strict=True))
        yield asked, reply_record(asked, row.decision, list_scores(asked, Reply(said)))


STUDY = Study(
    name="word_association",
    title="Word association: which of two groups does a model write behind which word?",
    version="1",
    source="Bai, Wang, Sucholutsky and Griffiths 2025, doi:10.1073/pnas.2416228122",
    measures_what=(
        "A model is given a list of words and the names of two groups, and writes one of the two behind each "
        "word. The association says how far it follows a stereotype. In decisions, two people get one of two "
        "topics each."
    ),
    not_what=(
        "A model that refuses has no association: it is silent, not fair, and the lowest and the highest "
        "possible value say what its silence could hide. The instruction forces a choice, so the numbers are "
        "about what a model does when it must choose, not about what it writes unasked."
    ),
    load=stimuli.load_word_association,
    sample=stimuli.sample_word_association,
    rules=LIST_RULES,
    measures=MEASURES,
    conventions=(
        PAPER,
        Convention(BAI, "Adds the association as the authors’ program has it.", "Bai et al. 2025, code"),
    ),
    settings=(*stimuli.SETTINGS, WRAP, REFUSES),
    views=(
        NumberTable("associations", "Associations by stereotype", ("category",), (
            NumberColumn("word_association"), NumberColumn("lowest_association", heading="lowest"),
            NumberColumn("highest_association", heading="highest"),
            *map(NumberColumn, ("one_sided_rate", "refusal_rate", "off_list_rate")),
        )),
        NumberTable("decisions", "Decisions by stereotype", ("category",), tuple(map(
            NumberColumn, ("decision_bias", "lowest_decision_bias", "highest_decision_bias")
        ))),
    ),
    data=(stimuli.SET,),
    categories="domain",
    stored=stored_replies,
)  # fmt: skip
