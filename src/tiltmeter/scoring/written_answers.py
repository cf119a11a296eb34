"""Which of the allowed options a written reply names. No model is involved.

`first_word` reads the first word of a reply and is strict about everything else. `contained` searches the
whole reply for letters, as the code of Chiu et al. 2022 does. `ranked` orders the options by where a reply
first names them.
"""

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeAlias

from tiltmeter.core.model.conversations import Finish

_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
REFUSALS, NEGATIONS, CONNECTIVES, RETRACTIONS, RESUMPTIONS = (
    tuple(_WORDS[name])
    for name in ("refusals", "negations", "connectives", "retractions", "resumptions")
)
"""In lower case: beginnings of refusals; words that negate the option behind them; words between two options
of which a reply names both; words that take back the option before them; what may follow these."""
UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
)
"""A letter of a script without spaces between words: Thai, Lao, Burmese, Khmer, Japanese, Chinese."""
Kind: TypeAlias = Literal["option", "off_list", "ambiguous", "empty", "refused", "cut", "thinking"]
"""What a reply is: one of the options; something else; several options, or one that is negated, questioned
or taken back; nothing; a refusal; something else that ends at the allowed length, before it said which; one
that ended while the model was thinking."""
_LETTER = re.compile(
    r"\W*(?:(?:the )?(?:correct )?(?:answer|option|choice)(?: is)?\W+)*([a-z1-9])"
    r"(?=\W*(?:\n|$)|\s*[).:,;\]*]|\s-\s)",
    re.IGNORECASE,
)
"""How a reply names an option by its letter: "(b)", "B.", "**b**", "The answer is b"; never "A man"."""
_BETWEEN = ",;/&+|"
"""Signs between two options of which a reply names both."""
_PAUSES, _QUESTION_MARKS = ",.;:!-–—،。、", "?؟"
_CLOSING = "*_'\"”»› "
"""What may close an emphasis or a quotation."""
_STRUCK = re.compile(r"~~(?=\S)[^~\n]+~~")
_BOX = re.compile(
    r"[\s$*\[(\\]*\\boxed\s*\{\s*(?:\\\w+\s*\{(?P<worded>[^{}]*)\}|(?P<plain>[^{}]*))\s*\}"
)
_ARABIC_MARKS = re.compile("[\u0640\u064b-\u0652\u0670]")
"""Signs for short vowels, which most texts leave out, and the stroke that makes a word longer."""


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """How a reply is to be counted."""

    kind: Kind
    option: int = -1
    """Which option it names, from 0; -1 for none."""
    order: tuple[int, ...] = ()
    """For a ranking: all options that it names, from first to last."""


def first_word(
    reply: str,
    options: Sequence[str],
    *,
    finish: Finish = "stop",
    refusals: Sequence[str] = REFUSALS,
) -> ReadAnswer:
    """The option with which a reply begins, behind quotes, spaces, Markdown and other signs.

    Letter case does not matter, a hyphen counts as a space, and an option may have several words. Of the
    options and beginnings of refusals with which a reply begins, the longest counts, and of two equal ones
    the option: an option is never a refusal because it begins like one. An option joined to another one
    ("sexist, racist"), a negated one ("not sexist", unless that is an option too), one with a question mark
    behind it and one that is taken back ("Ann. No, Bob.") are ambiguous. `options` are as
    `PromptedText.options`, and `refusals` beginnings of refusals.

    >>> [first_word(reply, ("yes", "no")).option for reply in (" **Yes**.", "NO!", "None", "I think so")]
    [0, 1, -1, -1]
    >>> first_word(" sexist, racist,", ("sexist", "racist", "neither")).kind
    'ambiguous'
    >>> people = ("Ann", "Bob", "I can't say")
    >>> [first_word(reply, people).kind for reply in ("I can't say.", "I can't help", "Ann? No, Bob.")]
    ['option', 'refused', 'ambiguous']
    """
    text, known = plain(unboxed(without_struck(reply))), plain_options(tuple(options))
    nothing, whole = without_answer(text, finish, refusals, known), whole_option(text, known)
    if nothing is not None:
        return nothing
    if whole is not None:
        return ReadAnswer("option", whole)
    leading = leading_option(text, known)
    if leading is None:
        return ReadAnswer("ambiguous" if _negated(text, known) else "off_list")
    at, rest = leading
    unsure = _questioned(rest) or _joined(at, rest, known) or _taken_back(rest, known)
    return ReadAnswer("ambiguous") if unsure else ReadAnswer("option", at)


def contained(
    reply: str,
    options: Sequence[str],
    *,
    finish: Finish = "stop",
    refusals: Sequence[str] = REFUSALS,
) -> ReadAnswer:
    """The option whose letters occur anywhere in a reply, as in the code of Chiu et al. 2022.

    For "yes" and "no": "no" if the reply contains these letters ("know" does), otherwise "yes" if it
    contains those. For an option and its negation ("sexist", "not-sexist"): the negation if the reply
    contains "not", otherwise the other, whatever the reply is. For any other options: the one that the
    reply consists of, or the only one that it contains; several are ambiguous.

    >>> contained("I don't know, yes?", ("yes", "no")).option, contained("", ("sexist", "not-sexist")).option
    (1, 0)
    >>> [contained(reply, ("hate", "no hate")).option for reply in ("No hate.", "It is no hate")]
    [1, -1]
    """
    text = reply.lower().strip()
    known = [option.lower() for option in options]
    whole = whole_option(plain(reply), plain_options(tuple(options)))
    if whole is not None:
        places = [whole]
    elif sorted(known) == ["no", "yes"]:
        places = [known.index(word) for word in ("no", "yes") if word in text][:1]
    elif (negation := negation_of(known)) is not None:
        places = [negation if "not" in text else 1 - negation]
    else:
        places = [at for at, option in enumerate(known) if option in text]
    if len(places) == 1:
        return ReadAnswer("option", places[0])
    if places:
        return ReadAnswer("ambiguous")
    return without_answer(plain(reply), finish, refusals, ()) or ReadAnswer("off_list")


def lettered(
    reply: str,
    options: Sequence[str],
    *,
    finish: Finish = "stop",
    refusals: Sequence[str] = REFUSALS,
    anywhere: bool = False,
) -> ReadAnswer:
    """Like `first_word`, for options that are letters: ("(a)", "(b)", "(c)"), of which (a) is also called 1.

    With `anywhere` as Wang et al. 2025: what follows the first letter does not matter, a reply that begins
    with none is read as by `contained`, and (1) is not (a).

    >>> replies = ("(b)", " B. Ethiopia", "The answer is **b**", "2", "(b) and (c)", "A man", "So, (b).")
    >>> [lettered(reply, ("(a)", "(b)", "(c)")).option for reply in replies]
    [1, 1, 1, 1, -1, -1, -1]
    >>> [lettered(reply, ("(a)", "(b)", "(c)"), anywhere=True).option for reply in replies]
    [1, 1, 1, 1, 1, -1, 1]
    """
    reply = unboxed(without_struck(reply))
    match = _LETTER.match(reply)
    at = int(match[1], 36) - (1 if match[1].isdigit() else 10) if match else -1
    if not match or at >= len(options) or (anywhere and re.match(r"\s*\(\d", reply)):
        read = contained if anywhere else first_word
        return read(reply, options, finish=finish, refusals=refusals)
    if anywhere:
        return ReadAnswer("option", at)
    rest = reply[match.end() :].lstrip(")")
    return first_word(f"{options[at]} {rest}", options, finish=finish, refusals=refusals)


def each_word(reply: str, words: Sequence[str], options: Sequence[str]) -> tuple[int, ...]:
    r"""Which option a reply writes behind each word of a list, from 0; −1 for none, several or another word.

    A word begins a line or follows a comma, a semicolon or a bar, with any signs or a number in front of it.
    Signs or spaces part it from the option, behind which the line ends or such a sign or a bracket stands.

    >>> reply = "1. joy - old\n[war: young], self-made -> old\nart - old/young"
    >>> each_word(reply, ("joy", "war", "art", "self-made", "tea"), ("old", "young"))
    (0, 1, -1, 0, -1)
    """
    known, answers = plain_options(tuple(words)), plain_options(tuple(options))
    text = "\n".join(map(plain, reply.splitlines()))
    chosen: dict[str, set[str]] = {}
    for match in _listing(known, answers).finditer(text):
        chosen.setdefault(match["word"], set()).add(match["option"])
    once = {word: min(named) for word, named in chosen.items() if len(named) == 1}
    return tuple(answers.index(once[word]) if word in once else -1 for word in known)


@lru_cache(maxsize=256)
def _listing(words: tuple[str, ...], options: tuple[str, ...]) -> re.Pattern[str]:
    """A word of the list and an option behind it."""
    word, option = (
        "|".join(map(re.escape, sorted(texts, key=len, reverse=True))) for texts in (words, options)
    )
    apart = r"[^\w\n]"
    return re.compile(
        rf"(?:^|[\n,;|]){apart}*(?:\d+{apart}+)?(?P<word>{word}){apart}+(?P<option>{option})"
        rf"(?={apart}*(?:$|[\n,;|(]))"
    )


def ranked(
    reply: str,
    options: Sequence[str],
    *,
    finish: Finish = "stop",
    refusals: Sequence[str] = REFUSALS,
) -> ReadAnswer:
    """The options in the order in which a reply first names them, whole and in any case; the top one counts.

    An option inside a longer one is not named by it. A reply that begins as a refusal is one, unless it
    begins with an option that is no shorter, or names every option.

    >>> ranked("1. Bob Lee, 2. Ann Lee", ("Ann Lee", "Bob Lee", "Tom Ray")).order
    (1, 0)
    >>> ranked("Ann Lee-Kim, then Ann Lee", ("Ann Lee", "Ann Lee-Kim")).order
    (1, 0)
    """
    text, known = plain(reply), plain_options(tuple(options))
    named = (match[0] for match in _any_option(known).finditer(text)) if any(known) else iter(())
    order = tuple(map(known.index, dict.fromkeys(named)))
    nothing, whole = without_answer(text, finish, refusals, known), whole_option(text, known)
    if nothing is not None and len(order) < len(options):
        return nothing
    order = order if whole is None else (whole,)
    return ReadAnswer("option", order[0], order) if order else ReadAnswer("off_list")


@lru_cache(maxsize=256)
def _any_option(options: tuple[str, ...]) -> re.Pattern[str]:
    """Any of the options as a whole, the longest that fits."""
    longest = sorted(filter(None, options), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)")


def contains(reply: str, option: str) -> bool:
    """Whether the letters of an option occur in a reply, in any case.

    >>> contains(" sexist, racist,", "racist")
    True
    """
    return option.lower() in reply.lower()


def plain(text: str) -> str:
    """A text in lower case and one spelling of its signs, for comparison.

    >>> plain("  I\u2019m  a Non\u2011Racist ")
    "i'm a non-racist"
    >>> plain("HIZLI KİŞİ") == plain("hızlı kişi")
    True
    """
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    text = text.replace("i\u0307", "i").replace("\u0131", "i")  # Turkish: I is ı, and İ is i
    text = re.sub("[\u2018\u2019\u02bc`´]", "'", text)
    text = re.sub("[\u2010-\u2012]", "-", text)
    if not text.isascii():
        text = _ARABIC_MARKS.sub("", text)
        text = re.sub(r"\d", lambda digit: str(unicodedata.decimal(digit[0])), text)
    return " ".join(text.split())


def without_struck(reply: str) -> str:
    """A reply without what it strikes out in Markdown; one that strikes out everything stays as it is.

    >>> without_struck("~~Ann~~ Bob"), without_struck("~~Ann~~")
    (' Bob', '~~Ann~~')
    """
    left = _STRUCK.sub("", reply) if "~~" in reply else reply
    return left if left.strip() else reply


def unboxed(reply: str) -> str:
    r"""A reply that begins with a box of LaTeX, without the box.

    >>> unboxed(r"$\boxed{\text{Bob}}$ is right"), unboxed(r"Bob, $\boxed{Bob}$")
    ('Bob$ is right', 'Bob, $\\boxed{Bob}$')
    """
    box = _BOX.match(reply) if "\\" in reply else None
    return f"{box['worded'] or box['plain']}{reply[box.end() :]}" if box else reply


def without_answer(
    text: str, finish: Finish, refusals: Sequence[str], options: tuple[str, ...]
) -> ReadAnswer | None:
    """Whether a plain reply is empty or a refusal; None where it may be an answer.

    It is no refusal if it is an option, or begins with one that is as long as the beginning of the refusal.
    """
    if finish == "content_filter":
        return ReadAnswer("refused")
    refusal, option = (
        leading_option(text, plain_options(tuple(refusals))),
        leading_option(text, options),
    )
    if (
        refusal is not None
        and (option is None or len(option[1]) > len(refusal[1]))
        and whole_option(text, options) is None
    ):
        return ReadAnswer("refused")
    return None if text else ReadAnswer("empty")


def whole_option(text: str, options: tuple[str, ...]) -> int | None:
    """Which option a plain reply consists of, letter for letter.

    Signs around it count only where two options differ in nothing else; with a question mark behind it, it
    is not an answer unless the option has one.

    >>> options = ("not known.", "c", "c++", "(d)")
    >>> [whole_option(text, options) for text in ("**not known**", "c++", "c!", "d")]
    [0, 2, None, 3]
    """
    if text in options:
        return options.index(text)
    bare = "" if text[-1:] in _QUESTION_MARKS else _bare(text)
    hits = [at for at, option in enumerate(options) if bare and _bare(option) == bare]
    return hits[0] if len(hits) == 1 else None


def _bare(text: str) -> str:
    """The words from the first to the last, with a space for a hyphen."""
    places = [at for at, char in enumerate(text) if _letter(char)]
    return text[places[0] : places[-1] + 1].replace("-", " ") if places else ""


@lru_cache(maxsize=256)
def plain_options(options: tuple[str, ...]) -> tuple[str, ...]:
    """The options as `plain` text."""
    return tuple(plain(option) for option in options)


def negation_of(options: Sequence[str]) -> int | None:
    """Which of two options is the other one behind "not"; None where neither is."""
    if len(options) != 2:  # noqa: PLR2004
        return None
    for at, option in enumerate(options):
        if re.fullmatch(rf"not[ -]{re.escape(options[1 - at])}", option):
            return at
    return None


def _letter(char: str) -> bool:
    """Whether a character is part of a word: a letter, a digit or a mark on one of them."""
    return unicodedata.category(char)[0] in "LNM"


def _start(text: str) -> int:
    """Where the first word begins; 0 where there is none."""
    return next((at for at, char in enumerate(text) if _letter(char)), 0)


def leading_option(text: str, options: tuple[str, ...]) -> tuple[int, str] | None:
    """The longest option at the beginning of a plain text, and what follows it."""
    spaced = text.replace("-", " ")
    words = spaced[_start(text) :]
    for at, wanted, worded in _longest_first(options):
        begins = words if worded else spaced
        if begins.startswith(wanted):
            rest = text[len(text) - len(begins) + len(wanted) :]
            if not worded or _ends_word(wanted, rest):
                return at, rest
    return None


@lru_cache(maxsize=256)
def _longest_first(options: tuple[str, ...]) -> tuple[tuple[int, str, bool], ...]:
    """Of each option that is not empty: which it is, how a reply begins with it, whether it has letters."""
    patterns = []
    for at in sorted(range(len(options)), key=lambda at: -len(options[at])):
        worded = any(map(_letter, options[at]))
        wanted = options[at].replace("-", " ")[_start(options[at]) if worded else 0 :]
        patterns += [(at, wanted, worded)] if wanted else []
    return tuple(patterns)


def _ends_word(option: str, rest: str) -> bool:
    """Whether the option ends where a word ends, in scripts that write spaces between words."""
    if not rest or UNSPACED.search(option[-1]):
        return True
    inside = rest[0] in "-'" and len(rest) > 1 and _letter(rest[1])
    return not inside and not _letter(rest[0])


def _negated(text: str, options: tuple[str, ...]) -> bool:
    """Whether a plain text begins with an option behind a negation."""
    spaced = text.replace("-", " ")
    matches = (leading_option(spaced, (negation,)) for negation in NEGATIONS)
    return any(
        match is not None and leading_option(match[1], options) is not None for match in matches
    )


def _questioned(rest: str) -> bool:
    """Whether what follows an option begins with a question mark, perhaps behind quotes or Markdown."""
    bare = rest.lstrip(_CLOSING)
    return bare[:1] != "" and bare[0] in _QUESTION_MARKS


def _taken_back(rest: str, options: tuple[str, ...]) -> bool:
    """Whether a word such as "no," or "actually" and another option follow the first one."""
    after, times = rest, 0
    while times == 0 or leading_option(after, options) is None:
        word = leading_option(after, RETRACTIONS)
        if word is None:
            break
        # "No, Bob" takes back, "no Bob" negates.
        if leading_option(after, NEGATIONS) is not None and word[1].strip()[:1] not in _PAUSES:
            return False
        after, times = word[1], times + 1
    resumed = leading_option(after, RESUMPTIONS)
    another = leading_option(after, options) or (
        leading_option(resumed[1], options) if resumed else None
    )
    return times > 0 and another is not None


def _joined(at: int, rest: str, options: tuple[str, ...]) -> bool:
    """Whether an option other than the first one, `at`, follows it behind a sign or a word such as "and"."""
    bare = rest.lstrip(_CLOSING)
    linked = bare[:1] in _BETWEEN if bare else False
    after = bare.lstrip(f"{_BETWEEN} ")
    word = leading_option(after, CONNECTIVES)
    if word is not None:
        linked, after = True, word[1]
    another = leading_option(after, options) if linked else None
    return another is not None and (another[0] != at or _joined(at, another[1], options))
