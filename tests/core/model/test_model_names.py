"""What results call a model: the user's name, or a short one that is not another model's too."""

import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.core.model.model_names import distinct_names, names_given, usual_name


@pytest.mark.parametrize(
    ("reference", "name"),
    [
        ("chat:http://localhost:8000#assistant-1", "assistant-1"),
        ("chat:https://api.example/v1#meta/llama", "meta/llama"),
        ("served:http://localhost:8000#/home/me/tiny", "tiny"),  # a folder of the server
        ("chat:http://localhost:8000", "chat:http://localhost:8000"),  # the server says which
        ("openai-community/gpt2", "openai-community/gpt2"),
        ("fake:masked", "fake:masked"),
    ],
)
def test_a_model_at_a_server_has_its_name_there(reference, name):
    assert usual_name(reference) == name


def test_a_folder_has_its_last_part_as_its_name(tmp_path):
    (tmp_path / "bert").mkdir()
    assert usual_name(str(tmp_path / "bert")) == "bert"
    assert usual_name(f"masked:{tmp_path}/bert/", "masked") == "bert"
    assert usual_name(f"mitigated:{tmp_path}/bert", "mitigated", with_kind=True) == "mitigated:bert"


def test_names_that_several_share_are_as_long_as_needed():
    names = {"/a/one/x/bert": "bert", "/a/two/x/bert": "bert", "gpt2": "gpt2"}
    assert [*distinct_names(names).values()] == ["one/x/bert", "two/x/bert", "gpt2"]
    servers = {f"chat:http://{host}#llama": "llama" for host in ("a:1", "b:1")}
    assert [*distinct_names(servers).values()] == ["llama at a:1", "llama at b:1"]
    kinds = {"causal:demo": "demo", "demo": "demo"}
    assert distinct_names(kinds) == {"causal:demo": "causal:demo", "demo": "demo"}


def test_users_name_models():
    assert names_given(["Our assistant"], ["chat:http://h#m"]) == {
        "chat:http://h#m": "Our assistant"
    }
    assert names_given(["chat:http://h#m=Ours"], ["chat:http://h#m", "gpt2"]) == {
        "chat:http://h#m": "Ours"
    }
    ensemble = "ensemble:a=1+b=2"
    assert names_given([f"{ensemble}=Both", "a=A"], ["a", ensemble]) == {ensemble: "Both", "a": "A"}
    assert names_given(["x = y"], ["gpt2"]) == {"gpt2": "x = y"}  # of the only model


@pytest.mark.parametrize(
    ("given", "references", "why"),
    [
        (["Ours"], ["a", "b"], "write --name REFERENCE=NAME, with one of: a, b"),
        (["c=Ours"], ["a", "b"], "says of none of the models"),
        (["Ours"], [], "says of none of the models"),
        (["a=X", "a=Y"], ["a", "b"], "a is given two names"),
        (["a=X", "b=X"], ["a", "b"], "a and b are both called 'X'"),
        (["a="], ["a", "b"], "cannot be the name of a model"),
        (["A\x1b[31m"], ["a"], "cannot be the name of a model"),
        (["A" * 101], ["a"], "1 to 100 characters"),
    ],
)
def test_names_that_cannot_be_given(given, references, why):
    with pytest.raises(BadInput, match=why):
        names_given(given, references)
