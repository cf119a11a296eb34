"""figure as a user types it."""

import re
from importlib import import_module

import pytest

import tiltmeter as tm

figure_module = import_module("tiltmeter.cli.figure")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two models on the built-in pairs, each in a folder."""
    base = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TILTMETER_CACHE", str(base / "cache"))
        for model in ("masked", "causal"):
            tm.run("starter_pairs", f"fake:{model}").save(base / model)
    return [base / "masked", base / "causal"]


def test_pictures_are_listed_by_name_and_title(tilt, runs):
    code, out, err = tilt("figure", *runs)
    assert code == 0
    assert re.search(r"^models +Stereotype rate by model$", out, re.MULTILINE)
    assert "--kind NAME" in err


def test_a_folder_of_runs_has_the_pictures_of_its_runs(tilt, runs):
    assert tilt("figure", runs[0].parent)[1] == tilt("figure", *sorted(runs))[1]


def test_runs_of_two_studies_have_the_pictures_of_each(tilt, runs, tmp_path, monkeypatch):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    sos = tmp_path / "sos"
    tm.run("sos", "fake:masked", limit=60).save(sos)
    code, out, err = tilt("figure", *runs, sos)
    assert code == 0, err
    names = [line.split()[0] for line in out.splitlines()]
    assert names == ["starter_pairs-compared-1", "sos-attribute"]
    assert re.search(
        r"^\d+ further pictures: name the runs of one study to list them\.$", err, re.MULTILINE
    )
    file = tmp_path / "a.svg"
    assert tilt("figure", *runs, sos, "--kind", "sos-attribute", "--to", file)[0] == 0
    assert "sexual-orientation" in file.read_text("utf-8")


def test_categories_by_model_are_one_picture(tilt, runs, tmp_path):
    file = tmp_path / "h.svg"
    assert tilt("figure", *runs, "--kind", "models-bias_type", "--to", file)[0] == 0
    text = file.read_text("utf-8")
    assert "fake:causal" in text
    assert "disability" in text


def test_the_profile_of_a_group_by_people_and_several_runs(tilt, tmp_path, monkeypatch):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    settings = {"groups": "women,men", "templates": "All [group] are [trait]."}
    for rule in ("set", "ilps_star"):
        tm.run("group_traits", "fake:masked", rule=rule, settings=settings).save(tmp_path / rule)
    people = "".join(
        f"a{a},{group},{pair},{rating}\n"
        for a in range(3)
        for group in ("women", "men")
        for pair, rating in (("cold - warm", 60 + a), ("poor - wealthy", 40 + a))
    )
    (tmp_path / "people.csv").write_text(f"annotator,group,pair,rating\n{people}", "utf-8")
    runs = (tmp_path / "set", tmp_path / "ilps_star")
    options = {"people": tmp_path / "people.csv", "pilot": (), "out": tmp_path / "out"}
    words = ("figure", tm.analyse.compare_people(runs, **options).folder)
    code, out, _ = tilt(*words)
    assert (code, "profile-women" in out) == (0, True)
    assert tilt(*words, "--kind", "profile-women", "--to", tmp_path / "w.svg")[0] == 0
    text = (tmp_path / "w.svg").read_text("utf-8")
    assert "cold - warm: people 61 of 100, fake:masked (set)" in text


def test_a_picture_in_the_width_of_a_column(tilt, runs, tmp_path):
    for width, millimetres in (("column", 84.0), ("174", 174.0), ("90.5mm", 90.5)):
        file = tmp_path / "m.svg"
        code, _, _ = tilt("figure", *runs, "--kind", "models", "--to", file, "--width", width)
        assert code == 0
        text = file.read_text("utf-8")
        assert f'width="{millimetres:g}mm"' in text
        assert "fake:causal" in text


def test_a_narrow_picture_is_the_narrow_layout(tilt, runs, tmp_path):
    sizes = []
    for width in ("column", "text"):
        tilt("figure", *runs, "--kind", "models", "--to", tmp_path / "m.svg", "--width", width)
        box = re.search(r'viewBox="\S+ \S+ (\S+) ', (tmp_path / "m.svg").read_text("utf-8"))
        sizes.append(float(box[1]))
    assert sizes[0] < sizes[1]


@pytest.mark.parametrize(("kind", "start"), [("pdf", b"%PDF"), ("png", b"\x89PNG")])
def test_formats_of_paper_and_screen(tilt, runs, tmp_path, kind, start):
    pytest.importorskip("typst")
    run = runs[0]
    assert tilt("figure", run, "--kind", "bias_type", "--to", tmp_path / f"b.{kind}")[0] == 0
    assert (tmp_path / f"b.{kind}").read_bytes().startswith(start)


def test_a_page_that_was_written_earlier(tilt, runs, tmp_path):
    assert tilt("compare", *runs, "--json")[0] == 0
    (comparison,) = (tmp_path / "runs").iterdir()
    code, _, _ = tilt("figure", comparison, "--kind", "models", "--to", tmp_path / "m.svg")
    assert code == 0
    assert "fake:causal" in (tmp_path / "m.svg").read_text("utf-8")


def test_what_cannot_be_done_is_said(tilt, runs, tmp_path):
    for words, said in (
        (["--kind", "modles"], "Did you mean 'models'"),
        (["--kind", "models", "--to", tmp_path / "m.doc"], "does not say the format"),
        (["--kind", "models", "--width", "wide"], "--width 'wide' is no width"),
        (["--kind", "models", "--width", "5"], "20 to 2000 millimetres"),
    ):
        code, out, err = tilt("figure", *runs, *words)
        assert (code, out) == (2, ""), words
        assert said in " ".join(err.split())


def test_a_single_picture_needs_no_choice_and_none_is_an_error(tilt, tmp_path, monkeypatch):
    drawings = {"study": {"only": "<svg/>"}}
    monkeypatch.setattr(figure_module, "_drawings", lambda *_, **__: drawings)
    assert tilt("figure", tmp_path, "--to", tmp_path / "f.svg")[0] == 0
    assert (tmp_path / "f.svg").read_bytes()
    assert tilt("figure", tmp_path)[1].startswith("only")
    drawings["study"]["other"] = "<svg/>"
    code, _, err = tilt("figure", tmp_path, "--to", tmp_path / "g.svg")
    assert code == 2 and "choose with --kind: only, other" in " ".join(err.split())
    assert not (tmp_path / "g.svg").exists()
    drawings["study"] = {}
    code, _, err = tilt("figure", tmp_path)
    assert code == 2 and "these results have no pictures" in err
