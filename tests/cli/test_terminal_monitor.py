"""Progress bars and steps on a terminal and in a file."""

import pytest

from faults.hostile_output import HOSTILE, SHOWN
from tiltmeter.cli import terminal_monitor


@pytest.mark.parametrize("is_terminal", [False, True], ids=["file", "terminal"])
def test_labels_of_bars_are_visible(screen, monkeypatch, is_terminal):
    screen._force_terminal = screen.is_interactive = is_terminal
    monkeypatch.setattr(terminal_monitor, "err", screen)
    with terminal_monitor.monitor.questions(HOSTILE) as bar:
        bar.start(total=10, stored=0, requests=3)
        bar.advance(5)
    with terminal_monitor.monitor.download(HOSTILE) as fetched:
        fetched(1, 100)
    monitor = terminal_monitor.monitor
    for say in (monitor.step, monitor.heading, monitor.failure):
        say(HOSTILE)
    monitor.warning(HOSTILE, about=HOSTILE)
    shown = screen.file.getvalue()
    assert shown.count(SHOWN) >= 7  # two labels, three lines, a warning and what it is about
    assert "\x1b]0;" not in shown
    assert not {"\x07", "\x9b", "\u202e"} & set(shown)
    if not is_terminal:
        assert "\x1b" not in shown


@pytest.mark.parametrize(
    ("requests", "total", "text"),
    [(1, 1, "demo: 1 question, 1 token"), (1508, 2000, "demo: 1,508 questions, 2,000 tokens")],
)
def test_questions_are_counted_in_words(screen, monkeypatch, requests, total, text):
    screen._force_terminal = screen.is_interactive = False
    monkeypatch.setattr(terminal_monitor, "err", screen)
    with terminal_monitor.monitor.questions("demo") as bar:
        bar.start(total=total, stored=0, requests=requests)
    assert screen.file.getvalue().splitlines() == [text]


def test_of_runs_at_the_same_time_one_bar_is_drawn(screen, monkeypatch):
    screen._force_terminal = screen.is_interactive = True
    monkeypatch.setattr(terminal_monitor, "err", screen)
    with terminal_monitor.monitor.questions("later") as later:
        with terminal_monitor.monitor.questions("earlier") as earlier:
            for bar in (earlier, later):
                bar.start(total=10, stored=0, requests=3)
                bar.advance(5)
            assert "later" not in screen.file.getvalue()
        later.advance(1)
    shown = screen.file.getvalue()
    assert shown.index("earlier") < shown.index("later")
