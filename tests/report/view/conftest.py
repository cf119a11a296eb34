"""The page over two models, two audits and a hostile result."""

import shutil
from dataclasses import replace

import pytest

import tiltmeter as tm
from support import audits
from support.browsers import browser
from support.view_pages import compare, hostile
from tiltmeter.report.audit_result import audit_result
from tiltmeter.report.saved_runs import save_run
from tiltmeter.report.view.view_files import ViewFiles
from tiltmeter.run.files import folder as folders
from tiltmeter.run.jobs import stamped

__all__ = ["browser"]


@pytest.fixture(scope="session")
def runs(tmp_path_factory):
    """A folder of results."""
    with pytest.MonkeyPatch.context() as patch:
        base = tmp_path_factory.mktemp("view")
        patch.setenv("TILTMETER_CACHE", str(base / "cache"))
        folder = base / "<b>runs"
        for model in ("fake:masked", "random"):
            tm.run("starter_pairs", model).save(folder / f"pairs-{model[:4]}")
        shutil.copytree(folder / "pairs-fake", folder / "old" / "pairs-fake")
        tm.run("group_traits", "fake:masked", limit=3).save(folder / "traits")
        for at, model in enumerate(("random", "fake:masked")):
            _, found = audits.audit(base, model, out=folder / f"audit-{at}")
            made = stamped(audit_result(found), 0.0, "")
            made = replace(made, card=replace(made.card, run={"finished": f"2026-01-0{at + 1}"}))
            save_run(made, None, folder / f"audit-{at}")
        folders.write(hostile(), folder / "hostile <i>", page="")
    return folder


@pytest.fixture(scope="session")
def page(runs, tmp_path_factory):
    """The page over them."""
    files = ViewFiles([runs], compare, to=(to := tmp_path_factory.mktemp("page") / "view"))
    return files.write_page(to, files.names)
