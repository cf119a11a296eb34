"""--cite in files."""

import pytest

import tiltmeter as tm


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two models on the built-in pairs, each in a folder."""
    base = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TILTMETER_CACHE", str(base / "cache"))
        for model in ("masked", "causal"):
            tm.run("starter_pairs", f"fake:{model}").save(base / model)
    return [base / "masked", base / "causal"]


def test_paragraphs_in_a_file_have_the_references_beside_them(tilt, runs, tmp_path):
    words = ("table", *runs, "--rows", "model", "--columns", "study", "--cite")
    _, printed, _ = tilt(*words, "--format", "latex")
    for name in ("methods.tex", "methods.tex", "other.txt"):  # the second time over the first
        code, out, err = tilt(*words, "--to", tmp_path / name)
        assert (code, out) == (0, ""), err
        assert "references.bib" in err
    latex, plain = ((tmp_path / name).read_text("utf-8") for name in ("methods.tex", "other.txt"))
    references = (tmp_path / "references.bib").read_text("utf-8")
    assert printed == latex + references[references.index("\n") + 1 :]
    assert "\\citep{nangia-etal-2020-crows" in latex
    assert "(Nangia et al. 2020)" in plain
    assert "@" not in latex + plain
    assert references.count("@") == printed.count("@")
