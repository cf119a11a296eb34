"""Options that are given as NAME=VALUE, any number of times."""

from collections.abc import Sequence

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
    option: str, given: Sequence[str] | None, form: str, example: str
) -> dict[str, str]:
    """What an option says that is given as `form`, any number of times: by what stands before the sign.

    >>> values_given("--limit", ["new-people=500"], "NAME=NUMBER", "new-people=500")
    {'new-people': '500'}

    Raises:
        BadInput: One is not of this form.
    """
    values = {}
    for text in given or ():
        name, sign, value = (part.strip() for part in text.partition("="))
        if not (sign and name):
            raise BadInput(f"{option} {text!r} is not {form}", f"write {option} {example}")
        values[name] = value
    return values


def columns_given(given: Sequence[str] | None) -> dict[str, str]:
    """What --map says: the file's column for each field.

    >>> columns_given(["sent_more=stereotype"])
    {'sent_more': 'stereotype'}

    Raises:
        BadInput: One is not FIELD=COLUMN, or a field is named twice.
    """
    columns: dict[str, str] = {}
    for text in given or ():
        one_column = values_given("--map", [text], "FIELD=COLUMN", "sent_more=stereotype")
        if one_column.keys() & columns.keys() or not all(one_column.values()):
            why = "names a field again" if one_column.keys() & columns.keys() else "names no column"
            raise BadInput(f"--map {text!r} {why}", "write --map FIELD=COLUMN once for each field")
        columns |= one_column
    return columns


def pairs_given(option: str, given: Sequence[str], form: str, example: str) -> dict[str, str]:
    """What an option of the form NAME=VALUE says, split at the last equals sign: a name may have some.

    >>> pairs_given("--reliability", ["ss (a=b)=0.8"], "MEASURE=NUMBER", "ss=0.8")
    {'ss (a=b)': '0.8'}

    Raises:
        BadInput: One has no name or no value, or a name is there twice.
    """
    values: dict[str, str] = {}
    for text in given:
        name, sign, value = (part.strip() for part in text.rpartition("="))
        if not (name and sign and value):
            raise BadInput(f"{option} {text!r} is not {form}", f"write {option} '{example}'")
        if name in values:
            raise BadInput(f"{option} is given twice for {name!r}", "give it once")
        values[name] = value
    return values


def settings_by_study(
    given: Sequence[str] | None, studies: Sequence[str]
) -> dict[str, dict[str, str]]:
    """What --set says of several studies: STUDY.NAME=VALUE.

    Raises:
        BadInput: One is not of this form, or is about another study.
    """
    settings: dict[str, dict[str, str]] = {name: {} for name in studies}
    for text in given or []:
        study, dot, rest = text.partition(".")
        key, sign, value = rest.partition("=")
        if not (dot and sign and key) or study not in settings:
            raise BadInput(
                f"--set {text!r} is not STUDY.NAME=VALUE of one of the studies",
                "write --set perplexity.sentences=200",
            )
        settings[study][key.strip()] = value.strip()
    return settings


def by_study(option: str, given: Sequence[str] | None, studies: Sequence[str]) -> dict[str, str]:
    """What an option says of several studies: STUDY=VALUE.

    Raises:
        BadInput: One is not of this form, or is about another study.
    """
    values = {}
    for text in given or []:
        name, _, value = (part.strip() for part in text.partition("="))
        if not value or name not in studies:
            raise BadInput(
                f"{option} {text!r} is not STUDY={option[2:].upper()} of one of the studies",
                f"write {option} {studies[0]}=…",
            )
        values[name] = value
    return values


def study_names(text: str) -> list[str]:
    """What --studies says, each name once.

    Raises:
        BadInput: It names none.
    """
    names = list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not names:
        raise BadInput("--studies is empty", "write --studies NAME,NAME; `tiltmeter ls` lists them")
    return names
