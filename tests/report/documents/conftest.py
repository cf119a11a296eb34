"""Results of studies of pairs and of triples."""

import pytest

from report import contexts, example
from report.documents.examples import on_page


@pytest.fixture(scope="module")
def triples() -> str:
    return on_page(contexts.result())


@pytest.fixture(scope="module")
def one() -> str:
    return on_page(example.result())
