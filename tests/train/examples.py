"""A short training that records its steps."""

from tiltmeter.train.next_sentence import NextSentenceConfig
from tiltmeter.train.steps import TrainingProgress


def few_steps(models, text, out):
    """A few steps, dropout included."""
    return NextSentenceConfig(
        str(models("bert")), str(text), str(out), epochs=2, batch_size=8, pairs=100,
        learning_rate=1e-3, checkpoint_every=3, evaluate_every=4, patience=9, device="cpu",
    )  # fmt: skip


class Noted(TrainingProgress):
    def __init__(self, stop=0):
        self.started = self.steps = 0
        self.losses, self.left = [], stop

    def start(self, *, done, **_):
        self.started = done

    def step(self, *_):
        self.steps += 1
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt

    def evaluated(self, done, loss, accuracy):
        self.losses.append((done, loss, accuracy))


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}
