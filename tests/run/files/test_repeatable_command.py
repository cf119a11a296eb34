"""Commands are handed on without the places of this computer's files."""

import pytest

from tiltmeter.run.files.repeatable_command import local_reference, place_note, repeatable


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    (tmp_path / "models" / "minilm-mlm").mkdir(parents=True)
    (tmp_path / "my model").mkdir()
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("model", "shown"),
    [
        ("models/minilm-mlm", "PATH/TO/minilm-mlm"),
        ("./models/minilm-mlm/", "PATH/TO/minilm-mlm"),
        ("masked:models/minilm-mlm", "masked:PATH/TO/minilm-mlm"),
        ("/elsewhere/minilm-mlm", "PATH/TO/minilm-mlm"),
        ("my model", "'PATH/TO/my model'"),
        ("ensemble:models/minilm-mlm=0.4+gpt2=0.6", "ensemble:PATH/TO/minilm-mlm=0.4+gpt2=0.6"),
        ("bert-base-uncased", "bert-base-uncased"),
        ("owner/name", "owner/name"),
        ("fake:masked", "fake:masked"),
        ("chat:http://localhost:8000/v1#tiny", "'chat:http://localhost:8000/v1#tiny'"),
        ("chat:http://localhost:8000#/home/me/tiny", "'chat:http://localhost:8000#PATH/TO/tiny'"),
        ("replay:models/minilm-mlm", "replay:PATH/TO/minilm-mlm"),
    ],
)
def test_models_that_lie_here_are_not_taken_for_names_of_the_hub(model, shown):
    command = f"tiltmeter run pairs '{model}' --data '/home/me/my pairs.csv'"
    found = repeatable(command, [model])
    assert found == f"tiltmeter run pairs {shown} --data 'PATH/TO/my pairs.csv'"
    assert local_reference(model) == shown.strip("'")


def test_a_folder_of_this_computer_is_explained():
    assert "put your own there" in place_note(repeatable("tiltmeter run pairs /a/b"))
    assert place_note("tiltmeter run pairs bert-base-uncased") == ""
