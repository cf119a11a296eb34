"""A small audit of a made-up model, for tests."""

import time
from math import inf
from pathlib import Path

from tiltmeter.report.auditing import finished_audit, prepare_audit, run_audit
from tiltmeter.run.asking.budget import RequestBudget
from tiltmeter.run.audits.audit_jobs import AuditTarget
from tiltmeter.run.audits.audit_profile import read_profile
from tiltmeter.run.jobs import session
from tiltmeter.run.monitor import Logged

PROFILE = """
title = "Small"

[[study]]
name = "starter_pairs"
limit = 60

[[study]]
name = "weat"
data = "starter_words"

[[study]]
name = "sos_static"

[[study]]
name = "pairs"
"""


def profile(folder, text=PROFILE):
    """A profile's file."""
    file = Path(folder) / "small.toml"
    file.write_text(text, encoding="utf-8")
    return file


def audit(folder, model="fake:masked", *, text=PROFILE, out="audit", budget=None, **options):
    """What was planned, and what was found."""
    monitor = Logged()
    folder = Path(folder)
    planned = prepare_audit(
        AuditTarget(model), read_profile(str(profile(folder, text))), folder / out,
        monitor=monitor, **options,
    )  # fmt: skip
    limit = RequestBudget(until=inf if budget is None else time.monotonic() + budget)
    with session(monitor, budget=limit) as shared:
        run_audit(planned, shared)
    return planned, finished_audit(planned, budget=budget, command="tiltmeter audit …")
