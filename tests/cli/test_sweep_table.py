"""What the table of a sweep calls models."""

from tiltmeter.cli.sweep_table import short_names


def test_models_are_called_by_the_end_of_a_long_path_where_that_tells_them_apart():
    one, other, far = "/a/very/long/way/to/models/one", "/a/very/long/way/to/models/other", "b/one"
    assert short_names([one, other]) == {one: "…/one", other: "…/other"}
    assert short_names([one, other, far]) == {one: one, other: "…/other", far: far}
    assert short_names(["a/one"]) == {"a/one": "a/one"}
