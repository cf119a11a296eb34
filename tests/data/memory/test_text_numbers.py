from tiltmeter.data.memory.text_numbers import TextNumbers


def test_each_of_many_texts_keeps_its_number():
    numbers, expected = TextNumbers(), {}
    for i in range(5_000):
        text = f"text {i * 7919 % 3_000}"  # some of them again, with another number
        numbers[text] = expected[text] = i
    assert len(numbers) == len(expected) == 3_000
    assert {text: numbers.get(text) for text in expected} == expected
    assert numbers.get("text 3000") is None
    assert "text 0" in numbers and "text 3000" not in numbers
