"""Options that are given as NAME=VALUE, any number of times."""

from collections.abc import Collection, Sequence

from tiltmeter.core.errors import BadInput


def settings_given(given: Sequence[str] | None) -> dict[str, str]:
    """What --set says of one study.

    >>> settings_given(["prior=noun", "margin=2"])
    {'prior': 'noun', 'margin': '2'}

    Raises:
        BadInput: One is not NAME=VALUE.
    """
    return values_given("--set", given, "NAME=VALUE", "prior=noun")


def values_given(
    option: str,
    given: Sequence[str] | None,
    form: str,
    example: str,
    *,
    names: Collection[str] = (),
    once: bool = False,
    last: bool = False,
) -> dict[str, str]:
    """What an option says that is given as `form`, any number of times: by what stands before the sign.

    Args:
        option: Its name.
        given: What was given.
        form: NAME=VALUE, for errors.
        example: A value of that form, for errors.
        names: All that may be named, each with a value; () for any.
        once: Whether each needs a value, and may be given only once.
        last: Whether the last equals sign counts: a name may have some.

    >>> values_given("--rate-limit", ["new-people=500"], "NAME=NUMBER", "new-people=500")
    {'new-people': '500'}

    Raises:
        BadInput: One is not of this form, or is given twice.
    """
    values: dict[str, str] = {}
    for text in given or ():
        cut = text.rpartition("=") if last else text.partition("=")
        name, sign, value = map(str.strip, cut)
        if not (sign and name) or (names and name not in names) or (not value and (names or once)):
            raise BadInput(f"{option} {text!r} is not {form}", f"write {option} {example}")
        if once and name in values:
            raise BadInput(f"{option} is given twice for {name!r}", "give it once")
        values[name] = value
    return values


def columns_given(given: Sequence[str] | None) -> dict[str, str]:
    """What --map says: the file's column for each field, each given once.

    >>> columns_given(["sent_more=stereotype"])
    {'sent_more': 'stereotype'}
    """
    return values_given("--map", given, "FIELD=COLUMN", "sent_more=stereotype", once=True)


def pairs_given(option: str, given: Sequence[str], form: str, example: str) -> dict[str, str]:
    """What an option of the form NAME=VALUE says, each name once.

    >>> pairs_given("--reliability", ["ss (a=b)=0.8"], "MEASURE=NUMBER", "ss=0.8")
    {'ss (a=b)': '0.8'}
    """
    return values_given(option, given, form, f"'{example}'", once=True, last=True)


def settings_by_study(
    given: Sequence[str] | None, studies: Sequence[str]
) -> dict[str, dict[str, str]]:
    """What --set says of several studies: STUDY.NAME=VALUE.

    Raises:
        BadInput: One is not of this form, or is about another study.
    """
    settings: dict[str, dict[str, str]] = {name: {} for name in studies}
    form, example = "STUDY.NAME=VALUE of one of the studies", "perplexity.sentences=200"
    for name, value in values_given("--set", given, form, example).items():
        study, _, key = name.partition(".")
        if not key or study not in settings:
            raise BadInput(f"--set {name}={value} is not {form}", f"write --set {example}")
        settings[study][key] = value
    return settings


def by_study(option: str, given: Sequence[str] | None, studies: Sequence[str]) -> dict[str, str]:
    """What an option says of several studies: STUDY=VALUE."""
    form = f"STUDY={option[2:].upper()} of one of the studies"
    return values_given(option, given, form, f"{studies[0]}=…", names=studies)


def study_names(text: str) -> list[str]:
    """What --studies says, each name once.

    Raises:
        BadInput: It names none.
    """
    names = list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not names:
        raise BadInput("--studies is empty", "write --studies NAME,NAME; `tiltmeter ls` lists them")
    return names
