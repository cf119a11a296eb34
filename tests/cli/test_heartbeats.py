"""A command that is busy and silent says with what, and for how long."""

import sys

import pytest

from tiltmeter import cli
from tiltmeter.cli import heartbeats as module
from tiltmeter.cli import terminal_monitor
from tiltmeter.cli.heartbeats import Heartbeat


@pytest.fixture
def clock(monkeypatch):
    """A clock that the test sets, in seconds."""
    now = [100.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    return now


@pytest.fixture
def beating(screen, monkeypatch):
    """A heartbeat without a thread, whose lines and those of the monitor go to the same screen."""
    screen._force_terminal = screen.is_interactive = False
    beating = Heartbeat()
    beating._thread = object()
    monkeypatch.setattr(module, "err", screen)
    monkeypatch.setattr(terminal_monitor, "err", screen)
    monkeypatch.setattr(terminal_monitor, "heartbeat", beating)
    return beating


def after(seconds, clock, beating, screen):
    """The lines that are new when the clock has moved on by so many seconds."""
    before = len(screen.file.getvalue())
    clock[0] += seconds
    beating.beat()
    return screen.file.getvalue()[before:].splitlines()


def test_a_long_step_is_named_every_half_minute(screen, clock, beating):
    terminal_monitor.monitor.step("loading demo")
    assert after(29, clock, beating, screen) == []
    assert after(1, clock, beating, screen) == ["30 s so far: loading demo"]
    assert after(1, clock, beating, screen) == []
    assert after(60, clock, beating, screen) == ["1 min 31 s so far: loading demo"]


def test_what_shows_its_own_progress_is_left_alone(screen, clock, beating):
    with terminal_monitor.monitor.questions("demo") as bar:
        bar.start(total=1000, stored=0, requests=2)
        clock[0] += 25
        bar.advance(100)
        assert screen.file.getvalue().splitlines()[-1] == "demo: 10%, 4 tokens/s, 225 s left"
        assert after(25, clock, beating, screen) == []
        assert after(10, clock, beating, screen) == ["1 min so far: asking demo"]
    assert after(31, clock, beating, screen) == ["31 s so far: computing the numbers of demo"]


def test_nothing_is_said_while_a_command_waits_for_people_or_draws_a_bar(screen, clock, beating):
    beating.begin("tiltmeter survey serve")
    beating.rest()
    assert after(600, clock, beating, screen) == []
    screen._force_terminal = screen.is_interactive = True
    beating.begin("tiltmeter run")
    with terminal_monitor.monitor.questions("demo") as bar:
        bar.start(total=1000, stored=0, requests=2)
        assert beating.busy_with == ""


def test_a_command_rests_when_it_is_over(monkeypatch):
    seen = []
    monkeypatch.setattr(sys, "argv", ["tiltmeter", "run", "starter_pairs", "--json"])
    monkeypatch.setattr(cli, "app", lambda: seen.append(cli.heartbeat.busy_with))
    with pytest.raises(SystemExit):
        cli.main()
    assert seen == ["tiltmeter run starter_pairs"] and cli.heartbeat.busy_with == ""


@pytest.mark.usefixtures("beating")
def test_a_download_shows_how_much_has_arrived(screen, clock):
    with terminal_monitor.monitor.download("demo") as fetched:
        fetched(0, 98_000_000)
        clock[0] += 12
        fetched(24_500_000, 98_000_000)
    assert screen.file.getvalue().splitlines() == [
        "fetching demo (98 MB)", "demo: 24 MB of 98, 36 s left",
    ]  # fmt: skip
