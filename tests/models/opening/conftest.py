"""Small models that may be spoilt."""

import shutil

import pytest

from support.architectures import build


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Each kind is built once; `built(kind)` is a copy that may be spoilt."""
    origin, copies = tmp_path_factory.mktemp("origin"), tmp_path_factory.mktemp("copies")
    count = iter(range(1000))

    def get(kind):
        if not (origin / kind).exists():
            build(kind, origin / kind)
        return shutil.copytree(origin / kind, copies / f"{kind}-{next(count)}")

    return get
