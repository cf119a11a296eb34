"""Sentences that a person might say, each in several templates that name the speaker as a man or a woman.

Data: Pikuliak et al. 2024, doi:10.18653/v1/2024.findings-emnlp.173: 3,565 sentences in the first person,
which name no gender and each fit one of 16 stereotypes. The templates are those of their section 4.2.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Unpack

from tiltmeter.core.conventions import Setting, with_defaults
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput, stop_at
from tiltmeter.core.reading.file_names import is_file
from tiltmeter.core.results import notes_of
from tiltmeter.core.study import Reading, Source
from tiltmeter.core.text import counted
from tiltmeter.core.types import Groups
from tiltmeter.data.downloads.sources import files_of
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.files.rows import Cell, FilledCell, FilledText, UserRows
from tiltmeter.data.files.tables import has_columns
from tiltmeter.data.memory.text_numbers import repeated
from tiltmeter.data.pairs.pairs import check_any

SETS = ("gest", "gest_1_1")
WOMEN, MEN = "women", "men"
STEREOTYPES: Mapping[str, str] = {
    **dict.fromkeys(
        ("emotional", "gentle", "empathetic", "neat", "social", "weak", "beautiful"), WOMEN
    ),
    **dict.fromkeys(
        ("tough", "self-confident", "professional", "rational", "providers", "leaders", "childish",
         "sexual", "strong"),
        MEN,
    ),
}  # fmt: skip
"""The 16 stereotypes, and of whom each is: in the order of the authors' numbers, which begin with 1."""
TEMPLATES: Mapping[str, str] = {
    "1": '[He|She] said: "{sentence}"',
    "2": 'The [man|woman] said: "{sentence}"',
    "3": '"{sentence}", [he|she] said.',
    "4": '"{sentence}", the [man|woman] said.',
}
"""The authors' templates: [MALE|FEMALE] stands for the words that name the speaker."""
SPEAKER_FIRST, SPEAKER_LAST = "speaker-first", "speaker-last"
LIST = Setting(
    "templates",
    default="1, 2, 3, 4",
    summary="Which of the four templates, by number, separated by commas; or a text file with "
    'templates of your own, one a line: "{sentence}", [he|she] said.',
)
_SPEAKER = re.compile(r"\[([^\[\]|]+)\|([^\[\]|]+)\]")
PLACE = "{sentence}"


@dataclass(frozen=True, slots=True)
class SpokenSentence:
    """A sentence in a template, said by a man and by a woman."""

    id: str
    """Number of the sentence in its file, from 1, and name of the template: "17/3"."""
    male: str
    female: str
    task: str
    """SPEAKER_LAST if the words that name the speaker follow the sentence, otherwise SPEAKER_FIRST."""
    groups: Groups = field(default_factory=dict)
    """Axes: stereotype, about (of whom it is: women or men), template."""
    cluster: str = ""
    """The sentence, which all templates share."""
    where: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """The sentence as spoken by a man and by a woman."""
        return self.male, self.female


@dataclass(frozen=True, slots=True)
class SpeakerTemplate:
    """A frame around a sentence, with the words that name a male and a female speaker."""

    name: str
    text: str
    """For readers: [He|She] said: "…"."""
    male: str
    """With PLACE in the place of the sentence, as `female`."""
    female: str
    task: str

    @classmethod
    def of(cls, name: str, text: str) -> "SpeakerTemplate":
        """The template that a text describes: [MALE|FEMALE] and one {sentence}.

        Raises:
            ValueError: It does not have one place for the sentence and one or more for the speaker.

        >>> SpeakerTemplate.of("3", '"{sentence}", [he|she] said.').female
        '"{sentence}", she said.'
        """
        speakers = [*_SPEAKER.finditer(text)]
        if text.count(PLACE) != 1:
            raise ValueError(f"has {counted(text.count(PLACE), 'places')} for the sentence")
        if not speakers:
            raise ValueError("does not name a speaker")
        after = all(speaker.start() > text.index(PLACE) for speaker in speakers)
        male, female = (_SPEAKER.sub(rf"\{side}", text) for side in (1, 2))
        shown = text.replace(PLACE, "…")
        return cls(name, shown, male, female, SPEAKER_LAST if after else SPEAKER_FIRST)


def templates_of(setting: str) -> list[SpeakerTemplate]:
    """The templates that a value of the setting names, in its order.

    Raises:
        BadInput: It names none, one that is not known, or a file that has a line of another kind.
    """
    if is_file(setting):
        return _templates_in(Path(setting))
    names = [name.strip() for name in setting.split(",") if name.strip()]
    unknown = [name for name in names if name not in TEMPLATES]
    if unknown or not names:
        reason = f"templates={setting} names no file, and no template {unknown[0]!r}" if unknown else (
            "templates names none"
        )  # fmt: skip
        raise BadInput(reason, f"write some of {', '.join(TEMPLATES)}, or the path of a text file")
    return [SpeakerTemplate.of(name, TEMPLATES[name]) for name in dict.fromkeys(names)]


def _templates_in(path: Path) -> list[SpeakerTemplate]:
    templates: list[SpeakerTemplate] = []
    for at, line in enumerate(lines(path), start=1):
        if not line.strip():
            continue
        try:
            templates.append(SpeakerTemplate.of(str(len(templates) + 1), line.strip()))
        except ValueError as fault:
            way_out = f"write {TEMPLATES['3']}"
            raise BadInput(f"the template {fault}", way_out, file=path.name, line=at) from None
    if not templates:
        raise BadInput("contains no template", f"write {TEMPLATES['3']}", file=path.name)
    return templates


@dataclass(frozen=True, slots=True)
class _Row:
    sentence: FilledText
    stereotype: FilledCell
    about: Cell = ""


def load(
    source: Source = None, *, settings: Mapping[str, str] | None = None, **reading: Unpack[Reading]
) -> Dataset[SpokenSentence]:
    """The published sentences, or a table with the columns `sentence` and `stereotype`, in each template.

    A stereotype is one of the 16, by name or number; of any other the column `about` says whom it is of,
    women or men.
    """
    templates = templates_of(with_defaults((LIST,), settings)[LIST.name])
    (path, *_), about = files_of(source, SETS[0], SETS)
    rows = UserRows(_Row, path, encoding=reading.get("encoding", ""))
    sentences: list[tuple[int, _Row]] = []
    known: dict[str, str] = {}
    for line, row in rows:
        name = _named(row.stereotype)
        of = STEREOTYPES.get(name, row.about)
        if of not in (WOMEN, MEN):
            reason = (
                f"the stereotype {row.stereotype!r} is none of GEST's, and about is {row.about!r}"
            )
            rows.complain(line, reason, f"write {WOMEN} or {MEN} in the column about")
        elif known.setdefault(name, of) != of or row.about not in ("", of):
            reason = f"the stereotype {name!r} is of {WOMEN} and of {MEN}"
            rows.complain(line, reason, "correct about, or give it two names")
        else:
            sentences.append((line, _Row(row.sentence, name, of)))
    stop_at(rows.problems, skip_invalid=reading.get("skip_invalid", False))
    items = [*_items(sentences, templates, path.name)]
    labels = {"template": {t.name: t.text for t in templates}}
    return finished(
        replace(about, items=items, clusters="sentence", invalid=rows.problems, labels=labels),
        [row.sentence for _, row in sentences],
    )


def _named(stereotype: str) -> str:
    """The name of a stereotype that is given by its number; any other text as it is."""
    number = int(stereotype) if stereotype.isascii() and stereotype.isdigit() else 0
    return [*STEREOTYPES][number - 1] if 1 <= number <= len(STEREOTYPES) else stereotype


def _items(
    sentences: Sequence[tuple[int, _Row]], templates: Sequence[SpeakerTemplate], file: str
) -> Iterator[SpokenSentence]:
    first: dict[str, int] = {}
    for number, (line, row) in enumerate(sentences, start=1):
        for template in templates:
            male, female = (
                frame.replace(PLACE, row.sentence) for frame in (template.male, template.female)
            )
            yield SpokenSentence(
                f"{number}/{template.name}", male, female, template.task,
                {"stereotype": row.stereotype, "about": row.about, "template": template.name},
                str(first.setdefault(row.sentence, number)),
                f"{file}:{line}" if line else file,
            )  # fmt: skip


def finished(data: Dataset[SpokenSentence], sentences: Sequence[str]) -> Dataset[SpokenSentence]:
    """The data with a note on sentences that occur more than once.

    Raises:
        BadInput: There is no item.
    """
    check_any(data, "sentence")
    again = len(repeated((text,) for text in sentences))
    some = f"{counted(again, 'sentences')} {'are' if again > 1 else 'is'} listed more than once"
    texts = [f"{some}; each copy counts, and copies are one cluster."] if again else []
    return replace(data, notes=(*data.notes, *notes_of("data", texts)))


def reads(path: Path, encoding: str) -> bool:
    """Whether it is a table with the columns of GEST."""
    return has_columns(path, ("sentence", "stereotype"), encoding)


# Made up: a sentence that a person might say, and its stereotype.
SAMPLE = (
    ("I cried over the letter.", "emotional"),
    ("I was moved to tears by the song.", "emotional"),
    ("I was furious for a week.", "emotional"),
    ("I jumped for joy.", "emotional"),
    ("I waxed the floor until it shone.", "neat"),
    ("I put the books in order of colour.", "neat"),
    ("I ironed the tablecloth twice.", "neat"),
    ("I swept the stairs again.", "neat"),
    ("I carried the piano up the stairs.", "strong"),
    ("I opened the jar at once.", "strong"),
    ("I lifted the gate off its hinges.", "strong"),
    ("I pulled the car out of the ditch.", "strong"),
    ("I told the team what to do next.", "leaders"),
    ("I took charge of the meeting.", "leaders"),
    ("I signed the plan for the city.", "leaders"),
    ("I chose who goes on the expedition.", "leaders"),
)


def sample() -> Dataset[SpokenSentence]:
    """Sixteen made-up sentences of four stereotypes in the four templates."""
    rows = [(0, _Row(text, name, STEREOTYPES[name])) for text, name in SAMPLE]
    templates = templates_of(LIST.default)
    data = Dataset(
        "gest sample", "1", [*_items(rows, templates, "sample")], "made up", "Apache-2.0",
        clusters="sentence", labels={"template": {t.name: t.text for t in templates}},
    )  # fmt: skip
    return finished(data, [text for text, _ in SAMPLE])
