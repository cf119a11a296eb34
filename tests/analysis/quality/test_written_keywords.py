"""Words that stand out, by hand."""

from tiltmeter.analysis.quality.written_keywords import K, written_keywords
from tiltmeter.core.results import Record


def record(at, domain, text):
    texts = {"premise": "A pilot needs help.", "hypothesis": text}
    return Record(str(at), {}, {"domain": domain}, texts=texts)


def test_words_of_one_domain_stand_out_against_the_others():
    records = [record(i, "work", "the pilot is kind") for i in range(4)]
    records += [record(10 + i, "sport", "the runner is fast") for i in range(4)]
    found = written_keywords(records, "domain", asked="premise", written="hypothesis")
    assert [one.word for one in found["sport"]] == ["fast", "runner"]
    assert [one.word for one in found["work"]] == ["kind"]  # the premise has "pilot"
    (kind,) = found["work"]
    assert (kind.count, kind.elsewhere) == (4, 0)
    assert kind.keyness == (1e6 / 4 + K) / K


def test_one_value_has_nothing_to_stand_out_from():
    records = [record(i, "work", "kind kind") for i in range(4)]
    assert written_keywords(records, "domain", asked="premise", written="hypothesis") == {}
