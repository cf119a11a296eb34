"""Results on made-up matrices and people."""

import pytest

from tiltmeter.analyses.compare_people import analysis


def result_of(sources, people, **options):
    """The result of an alignment of sources in memory with people in memory."""
    patched = pytest.MonkeyPatch()
    with patched.context() as patch:
        patch.setattr(analysis, "source_of", lambda given, **_: sources[int(given)])
        patch.setattr(analysis, "people_of", lambda *_, **__: people)
        given = [str(place) for place in range(len(sources))]
        return analysis.compute(given, analysis.PeopleOptions(**options), None)


def at(made, name, **groups):
    (e,) = [e for e in made.estimates if e.name == name and e.groups == groups]
    return e


def column(table, title):
    (found,) = [c for c in table.columns if c.title == title]
    return found


def table_of(document, start):
    return next(t for t in document.tables() if t.title.startswith(start))
