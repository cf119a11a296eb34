"""What is learnt of a server in the course of a run is learnt once, and shown on the card."""

import threading

from tiltmeter.models.openai_protocol.server_facts import ServerFacts


def test_nothing_is_known_at_first():
    assert ServerFacts().described("tiny") == {}


def test_fingerprints_and_other_names_of_the_model_are_listed():
    facts = ServerFacts()
    for answer in (
        {"model": "tiny", "system_fingerprint": "a"},
        {"model": "tiny-2026"},
        None,
        {"model": 5},
    ):
        facts.note(answer)
    assert facts.described("tiny") == {"replies by": "tiny-2026", "system fingerprint": "a"}
    facts.note({"system_fingerprint": "b\x1b"})
    assert (
        facts.described("tiny")["system fingerprint"] == "a, b[U+001B] (it changed during the run)"
    )


def test_a_model_found_to_think_has_tokens_for_it_by_what_was_asked():
    facts = ServerFacts()
    facts.found_to_think("high")
    assert facts.allowance == 16_384
    said = "replies may have 16,384 tokens more, for the thought"
    assert facts.described("tiny") == {"thinks by itself": said}


def test_a_trial_is_made_once_and_others_wait_for_it():
    facts, attempts = ServerFacts(), []
    started = threading.Event()

    def attempt():
        started.set()
        attempts.append(threading.get_ident())

    threads = [threading.Thread(target=facts.try_once, args=[attempt]) for _ in range(4)]
    with facts.probing:
        for thread in threads:
            thread.start()
        assert not started.wait(0.05)
    for thread in threads:
        thread.join(10)
    assert len(attempts) == 1
    facts.try_once(attempt)
    assert len(attempts) == 1


def test_a_model_known_to_think_needs_no_trial():
    facts, attempts = ServerFacts(), []
    facts.found_to_think("")
    facts.try_once(lambda: attempts.append(1))
    assert not attempts


def test_the_card_says_where_options_are_measured_otherwise_than_asked():
    facts = ServerFacts()
    facts.probed[True, "off"] = "off"
    assert facts.described("tiny") == {}
    facts.probed[True, ""] = "off"
    assert facts.described("tiny") == {"options measured with thinking": "off"}
