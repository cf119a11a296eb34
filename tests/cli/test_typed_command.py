"""What the user typed, for the card and for after a stop."""

from tiltmeter.cli import typed_command


def test_the_command_that_goes_on_does_not_ask_again_what_is_stored(monkeypatch):
    monkeypatch.setattr("sys.argv", ["tiltmeter", "run", "pairs", "my model", "--fresh", "--json"])
    assert typed_command.going_on() == "tiltmeter run pairs 'my model' --json"


def test_words_with_blanks_are_quoted(monkeypatch):
    monkeypatch.setattr("sys.argv", ["/usr/bin/tiltmeter", "run", "pairs", "my model", "--fresh"])
    assert typed_command.command_line() == "tiltmeter run pairs 'my model' --fresh"
