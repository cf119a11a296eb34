"""A document of somebody else, and the files around it that it must not name."""

import pytest


@pytest.fixture
def document(tmp_path, monkeypatch):
    """A document in a folder of its own, beside secrets; the user stands in the folder above."""
    home = tmp_path / "home"
    for folder in ("downloads/inner", "data", "models/mine"):
        (home / folder).mkdir(parents=True)
    for file in ("secret.csv", "downloads/own.csv", "downloads/inner/own2.csv", "data/shared.csv",
                 "data/both.csv", "downloads/both.csv", "models/mine/config.json"):  # fmt: skip
        (home / file).write_text("sent_more,sent_less\nroot:x:0:0,b\n")
    (home / "downloads/link.csv").symlink_to(home / "secret.csv")
    (home / "downloads/linked").symlink_to(home)
    (home / "data/link.csv").symlink_to("/etc/passwd")
    monkeypatch.setenv("TILTMETER_DATA", str(home / "data"))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home)
    return home / "downloads" / "paper.toml"
