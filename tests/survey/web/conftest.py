"""A store, and browsers that visit a survey without a network."""

from functools import partial

import pytest
from fastapi.testclient import TestClient

from survey_forms import a_form
from tiltmeter.survey.store import SurveyStore
from tiltmeter.survey.studies import open_study
from tiltmeter.survey.web.app import survey_app


@pytest.fixture
def store(tmp_path):
    with SurveyStore(tmp_path / "survey.db") as opened:
        yield opened


class Visit:
    """A study with its pages, and new browsers for it."""

    def __init__(self, store, form, **settings):
        self.store, self.form = store, form
        self.study = store.save(partial(open_study, form=form))
        self.app = survey_app(store, self.study, **settings)

    def browser(self):
        return TestClient(self.app, base_url="http://survey.test", raise_server_exceptions=True)


@pytest.fixture
def visit(store):
    def opened(form=None, **settings):
        return Visit(store, form or a_form(sampling="each = 2"), **settings)

    return opened
