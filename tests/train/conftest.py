"""One thread, and a text with a relation to learn, for tests of training."""

import pytest
import torch

from support.next_heads import by_topic, reading_pairs
from tiltmeter.data.texts import corpus as corpora
from tiltmeter.train.continued import Texts
from tiltmeter.train.next_sentence import train
from train.examples import few_steps


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """So that sums are taken in the same order everywhere."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    documents = corpora.read(by_topic(tmp_path_factory.mktemp("t") / "topics.txt")).documents
    return Texts(
        documents[:50], documents[50:], {"corpus": "x"}, {"method": "cda", "attribute": "a"}
    )


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    return by_topic(tmp_path_factory.mktemp("t") / "topics.txt")


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("m")
    made = {}

    def one(kind):
        if kind not in made:
            made[kind] = reading_pairs(kind, folder / kind)
        return made[kind]

    return one


@pytest.fixture
def config(models, text, tmp_path):
    return few_steps(models, text, tmp_path / "head")


@pytest.fixture(scope="module")
def trained(models, text, tmp_path_factory):
    """The folder of `config`'s training, to be read only."""
    return train(few_steps(models, text, tmp_path_factory.mktemp("trained") / "head"))
