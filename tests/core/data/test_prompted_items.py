"""A text with its prompt."""

from tiltmeter.core.data.prompted_items import AGAIN, FIRST, PromptedText
from tiltmeter.core.model.conversations import Message, Prompt


def test_the_first_reply_is_distinguished_from_further_ones():
    prompt = Prompt((Message("user", "Is ‘x’ so?"),))
    items = [PromptedText(f"1/{k}", "x", prompt, ("yes", "no"), repeat=k) for k in range(3)]
    assert [item.task for item in items] == [FIRST, AGAIN, AGAIN]
    assert items[0].texts == ("Is ‘x’ so?",)
