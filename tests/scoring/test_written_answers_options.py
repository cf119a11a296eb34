"""Whatever reads replies reads every option of every study as this option, however a refusal may begin."""

from dataclasses import dataclass

import pytest

from support.published import need
from tiltmeter.core.conventions import with_defaults
from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.finder import find, known
from tiltmeter.core.model.conversations import Reply
from tiltmeter.core.model.protocols import Writes
from tiltmeter.core.rules import Context
from tiltmeter.models.judges.model import named_label
from tiltmeter.scoring.written_answers import (
    NEGATIONS,
    REFUSALS,
    contained,
    first_word,
    lettered,
    plain,
    ranked,
)
from tiltmeter.studies.misspellings.rule import EditedText

READERS = (first_word, contained, ranked, lettered, named_label)
WRITTEN = {
    "verbatim": "{}", "lower case": "{}", "capitals": "{}", "with a full stop": "{}.", "quoted": "“{}”",
    "in Markdown": "**{}**", "spaced": "\n {} \n",
}  # fmt: skip
STUDIES = {name: find("studies", name, "STUDY") for name in known("studies")}


def options_of(item):
    item = getattr(item, "before", item)
    return item.options if isinstance(item, PromptedText) else ()


RULES = [
    (name, rule.name)
    for name, study in STUDIES.items()
    if options_of(study.sample().items[0])
    for rule in study.rules
    if rule.needs is Writes
]


def worded(option, how):
    text = {"lower case": option.lower(), "capitals": option.upper()}.get(how, option)
    return WRITTEN[how].format(text)


@dataclass
class Parrot:
    """A model whose reply is in each request's place of a list."""

    replies: list
    name = "parrot"
    chats = False

    def write(self, requests):
        return [Reply(text) for text, _ in zip(self.replies, requests, strict=True)]


def rule_of(study, name):
    return next(rule for rule in STUDIES[study].rules if rule.name == name)


def replies_to(item, at, how):
    option = worded(options_of(item)[at], how)
    if isinstance(item, EditedText):
        return [option, option]
    return [
        "\n".join(f"{word} - {option.strip()}" for word in item.words) if item.words else option
    ]


def check(study, rule, items, how):
    for at in range(max(len(options_of(item)) for item in items)):
        asked = [item for item in items if at < len(options_of(item))]
        model = Parrot([reply for item in asked for reply in replies_to(item, at, how)])
        records = rule.score(model, asked, Context(settings=with_defaults(study.settings, None)))
        for item, record in zip(asked, records, strict=True):
            option = options_of(item)[at]
            if getattr(item, "words", ()):
                role = item.roles[at]
                read = [v for name, v in record.scores.items() if name.startswith(f"{role}_")]
                assert sum(read) == len(item.words), record
                continue
            read = [v for name, v in record.scores.items() if name.endswith("said")]
            assert {plain((*options_of(item), "")[int(v)]) for v in read} == {plain(option)}, record


@pytest.mark.parametrize("how", WRITTEN)
@pytest.mark.parametrize(("name", "rule"), RULES)
def test_each_option_of_each_study_is_read_as_itself(name, rule, how):
    check(STUDIES[name], rule_of(name, rule), STUDIES[name].sample().items, how)


UNSURE = (
    "I can't say", "I cannot tell", "I'm sorry, but I don't know", "No puedo responder",
    "Lo siento, no lo sé", "Ich kann nicht antworten", "Je ne peux pas répondre", "Unknown", "Not known",
    "Not enough info.", "Can't be determined.", "None of them", "no lo sé", "Не могу сказать",
    "我无法回答", "答えられません", "알 수 없음",
    "لا أستطيع القول", "As an AI I can't say", *REFUSALS, *NEGATIONS,
)  # fmt: skip


@pytest.mark.parametrize("how", WRITTEN)
@pytest.mark.parametrize("read", READERS)
def test_a_wording_of_unknown_that_begins_like_a_refusal_is_an_option(read, how):
    for unknown in UNSURE:
        for at in range(3):
            options = ["Ann", "Bob"]
            options.insert(at, unknown)
            found = read(worded(unknown, how), tuple(options))
            assert (found if isinstance(found, str) else options[found.option]) == unknown


@pytest.mark.parametrize("more", [" ", ", sorry.", ". The text does not say", "! I am an AI."])
@pytest.mark.parametrize("read", [first_word, ranked])
def test_words_behind_such_an_option_change_nothing(read, more):
    for unknown in UNSURE:
        assert read(unknown + more, ("Ann", "Bob", unknown)).option == 2


def test_a_longer_refusal_is_no_option():
    for read in (first_word, ranked):
        assert read("No puedo ayudar", ("sí", "no")).kind == "refused"
        assert read("I can't help with that", ("I can't say", "Ann")).kind == "refused"
        assert (
            read("I can't say", ("I can't say", "Ann"), finish="content_filter").kind == "refused"
        )


@pytest.mark.parametrize(
    "reply",
    [
        "The grandfather? No, the grandson.", "The grandfather?", "**The grandfather**? It may be",
        "The grandfather. No, the grandson.", "The grandfather... wait, no, it was the grandson",
        "The grandfather\nActually, the grandson", "The grandfather, or rather the grandson",
        "The grandfather. Sorry: the grandson.", "The grandfather — nein, the grandson",
    ],
)  # fmt: skip
def test_an_option_that_is_questioned_or_taken_back_is_no_answer(reply):
    assert first_word(reply, ("The grandfather", "The grandson", "Not known")).kind == "ambiguous"


@pytest.mark.parametrize(
    "reply",
    [
        "The grandfather. No doubt about it.", "The grandfather, not the grandson",
        "The grandfather. Actually, he said so.", "The grandfather. Is that all?",
        "The grandfather. No, he had lost it.",
    ],
)  # fmt: skip
def test_an_option_that_stands_is_an_answer(reply):
    assert first_word(reply, ("The grandfather", "The grandson", "Not known")).option == 0


def test_signs_count_where_nothing_else_tells_two_options_apart():
    for at, option in enumerate(options := ("C", "C++", "C#", "Who?", "Not known.")):
        assert first_word(option, options).option == at
    assert first_word("not known", options).option == 4


@pytest.mark.parametrize(
    "path",
    ["bbq/data/Age.jsonl", "bbq/data/Physical_appearance.jsonl", "esbbq", "kobbq",
     "mbbq/Gender_identity_es.jsonl", "mbbq/Sexual_orientation_nl.jsonl", "mbbq/Gender_identity_tr.jsonl"],
)  # fmt: skip
def test_options_of_published_questions_in_every_language(path):
    source = need(path)
    study = STUDIES["bbq"]
    items = study.load(path if source.is_dir() else source, skip_invalid=True).items
    items = [*{item.options: item for item in items}.values()]
    assert len(items) > 5
    for how in WRITTEN:
        check(study, rule_of("bbq", "word"), items, how)
