"""What people of four countries say of groups: the ratings of the study of stereotype leakage."""

from collections.abc import Mapping
from dataclasses import replace

from tiltmeter.data import registry
from tiltmeter.data.group_lists import known_as
from tiltmeter.data.groups import packaged
from tiltmeter.data.ratings import Ratings, RatingScale, read_ratings

NAME = "stereotype_leakage"
SCALE = RatingScale(-50.0, 50.0)
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
    names = {
        name: groups[0].name for name, groups in known_as(packaged("leakage_en").groups).items()
    }
    found = {}
    for code, language in LANGUAGES.items():
        ratings = read_ratings(files[f"{NAME}/data_full_{language}.json"], scale=SCALE)
        groups = tuple(names.get(group.casefold(), group) for group in ratings.groups)
        found[code] = replace(ratings, groups=groups)
    return found
