"""A store, and browsers that visit a survey without a network."""

from functools import partial

import pytest
from anyio.from_thread import start_blocking_portal
from fastapi.testclient import TestClient

from support.survey.databases import new_store
from support.survey.forms import a_form
from tiltmeter.survey.studies import open_study
from tiltmeter.survey.web.app import survey_app


@pytest.fixture(scope="session", autouse=True)
def _one_event_loop():
    """All browsers share one; a loop of its own for each request costs half as much again."""
    with pytest.MonkeyPatch.context() as changed, start_blocking_portal() as portal:
        changed.setattr(TestClient, "portal", portal)
        yield


@pytest.fixture
def store(tmp_path):
    with new_store(tmp_path / "survey.db") as opened:
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
