"""What is refused before Ray is started."""

import sys

import pytest

from tiltmeter.core.errors import BadInput, MissingExtra
from tiltmeter.run.asking.ray_cluster import cluster


def test_without_ray_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"tiltmeter-bias\[ray\]"), cluster():
        pass


@pytest.mark.parametrize(
    "address", ["ray://far:10001", "nonsense", "far:", ":6379", "far:0", "far:65536", "far:x"]
)
def test_what_is_no_address_is_refused(address):
    with pytest.raises(BadInput, match="HOST:PORT"), cluster(address):
        pass
