"""What people of four countries say of groups: the ratings of the study of stereotype leakage."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from tiltmeter.core.errors import BadInput
from tiltmeter.data.downloads import registry
from tiltmeter.data.groups.group_lists import known_as
from tiltmeter.data.groups.groups import packaged
from tiltmeter.data.people.rating_files import read_ratings
from tiltmeter.data.people.ratings import Ratings, RatingScale

NAME = "stereotype_leakage"
SCALE = RatingScale(-50.0, 50.0)
LANGUAGE = "language"
"""Column of a table with several languages."""
LANGUAGES: Mapping[str, str] = {"en": "english", "ru": "russian", "zh": "chinese", "hi": "hindi"}
"""By code, the name of the language in the published files."""


def leakage_ratings() -> dict[str, Ratings]:
    """Ratings by language, with the groups' names of the packaged lists: "woman", not "women".

    151 people in the United States, Russia, China and India rated four groups each, as their society
    sees them. Sotnikova 2023, chapter 5.

    Raises:
        Unavailable: The data are not here and cannot be fetched.
    """
    files = registry.locate(NAME).files
    return {
        code: with_listed_names(
            read_ratings(files[f"{NAME}/data_full_{language}.json"], scale=SCALE)
        )
        for code, language in LANGUAGES.items()
    }


def with_listed_names(ratings: Ratings) -> Ratings:
    """The same ratings, with the packaged lists' names for their groups; others stay as they are.

    Raises:
        BadInput: A group is there under two names.
    """
    known = known_as(packaged("leakage_en").groups)
    names = {name: groups[0].name for name, groups in known.items() if len(groups) == 1}
    found = tuple(names.get(group.casefold(), group) for group in ratings.groups)
    if len(set(found)) < len(found):
        twice = next(name for name in found if found.count(name) > 1)
        raise BadInput(f"{twice!r} is rated under two names", "use one name for it")
    return replace(ratings, groups=found)


def language_name(code: str) -> str:
    """The language of a code, as far as it is known.

    >>> language_name("ru"), language_name("sw")
    ('Russian', 'sw')
    """
    return LANGUAGES[code].capitalize() if code in LANGUAGES else code


def ratings_by_language(
    given: Mapping[str, Path], *, scale: RatingScale = SCALE, encoding: str = ""
) -> dict[str, Ratings]:
    """Ratings of the user's: a file for each language, or under "" one file with a column `language`.

    Args:
        given: Files by language.
        scale: Of the ratings, where a file does not say it row by row.
        encoding: Of text files.

    Raises:
        BadInput: A file cannot be read, or the one file has no column `language`.
        BadItems: Ratings are no numbers, not on the scale, or there twice.
    """
    found = {}
    for language, path in given.items():
        ratings = with_listed_names(read_ratings(path, scale=scale, encoding=encoding))
        if language:
            found[language] = ratings
            continue
        if LANGUAGE not in ratings.about:
            why = "differs within an annotator" if LANGUAGE in ratings.varying else "is missing"
            raise BadInput(
                f"the column {LANGUAGE!r} {why}",
                "give one file for each language: --people ru=FILE",
                file=path.name,
            )
        found |= {
            values[LANGUAGE]: ratings.slice(values) for values in ratings.values_of([LANGUAGE])
        }
    return found
