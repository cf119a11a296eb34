"""A plane with one model, and where things stand on it."""

from report import contexts
from tiltmeter.core.study_views import Plane
from tiltmeter.report.plots.plane_labels import Frame, Spot, spot_of

# One point of ss is 2 to the right of 20, one of lms is 1 up from 150.
PLAIN = Frame(width=640, left=20, right=220, height=100, top=50)


VIEW = Plane("ss", "lms", "icat", "")


def spot(ss: float = 60, lms: float = 80, label: str = "demo") -> Spot:
    found = spot_of(label, contexts.three(ss, lms, label), VIEW)
    assert found is not None
    return found


def place(element, *names):
    return tuple(float(element.get(name, "")) for name in names)
