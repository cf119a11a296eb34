"""Files that are broken, foreign or meant to harm: one clear error each, and nothing outside is read."""

import io
import json
import zipfile

import pytest

from data.people.exports.examples import table
from tiltmeter.core.errors import BadInput, BadItems, TiltmeterError
from tiltmeter.data.people.annotator_answers import read_judgments
from tiltmeter.data.people.exports.recognising import read_export
from tiltmeter.data.people.judgments import AnswerReading

FLAT = ("id", "text", "tone", "annotator", "annotation_id")
ROWS = [FLAT, (1, "t", "low", "a", 1), (1, "t", "high", "b", 2)]


def packed(name):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, b"0" * 50_000_000)
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("bomb.zip", packed("ann.jsonl"), "is a zip archive; unpack it"),
        ("bomb.csv", packed("../../etc/passwd"), "is a zip archive; unpack it"),
        ("table.xlsx", packed("[Content_Types].xml"), "is a spreadsheet"),
        ("huge.csv", b"id,annotator,annotation_id,tone\n1,a,1," + b"x" * 200_000, "is longer than"),
        ("nul.csv", b"id,annotator,annotation_id,tone\n1,a,1,\x00\n", "NUL"),
        ("deep.json", b'[{"id": 1, "data": ' + b"[" * 100_000, "nested too deeply"),
        ("twice.csv", b"id,annotator,annotation_id,tone,tone\n1,a,1,x,y\n", "occurs 2 times"),
        ("latin.csv", "id,annotator,annotation_id,tone\n1,é,1,x\n".encode("latin-1"), "--encoding"),
        ("few.json", b'[{"id": 1, "q.responses": ["a", "b"], "q.responses.users": ["u"]}]', "2 values of 1"),
        ("user_state.json", b'{"instance_id_to_label_to_value": {"i": [[1, 2, 3]]}}', "not built as"),
    ],
)  # fmt: skip
def test_one_clear_error(tmp_path, name, content, says):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(TiltmeterError) as raised:
        read_judgments(path)
    assert isinstance(raised.value, BadInput | BadItems) and says in str(raised.value)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_encodings_and_delimiters_of_spreadsheets(tmp_path, encoding, mark):
    path = table(tmp_path / "r.csv", ROWS, mark)
    path.write_text(path.read_text("utf-8"), encoding)
    assert [a.value for a in read_export(path).answers] == ["low", "high"]


def test_quotes_and_formulas_are_text(tmp_path):
    rows = [FLAT, (1, "t", '=HYPERLINK("x";"y")', "a", 1), (1, "t", '"low", said\nbo', "b", 2)]
    answers = read_export(table(tmp_path / "r.csv", rows)).answers
    assert [a.value for a in answers] == [rows[1][2], rows[2][2]]


def test_a_task_twice_that_contradicts_itself_is_refused(tmp_path):
    rows = [*ROWS, (1, "t", "high", "a", 3)]
    with pytest.raises(BadItems, match="a answers differently about 1"):
        read_judgments(table(tmp_path / "r.csv", rows), AnswerReading(questions=("tone",)))


def test_nan_is_no_answer(tmp_path):
    path = tmp_path / "nan.json"
    annotations = [
        {
            "completed_by": who,
            "result": [{"from_name": "n", "type": "number", "value": {"number": number}}],
        }
        for who, number in ((1, float("nan")), (2, 3), (3, 4))
    ]
    path.write_text(json.dumps([{"id": 1, "data": {}, "annotations": annotations}]), "utf-8")
    found = read_judgments(path)
    assert found.answers["n"][0][1:].tolist() == [3, 4] and "'nan' 1" in found.notes[-1]


def test_files_of_annotators_in_a_folder_may_be_tables(tmp_path):
    for who, label in (("ann", "rude#hate"), ("bo", "hate")):
        table(tmp_path / f"{who}.csv", [("id", "text", "label", "Comments"), (1, "t", label, "[]")])
    export = read_export(tmp_path)
    assert [(a.annotator, a.value) for a in export.answers] == [
        ("ann", "hate, rude"),
        ("bo", "hate"),
    ]


def test_a_folder_of_links_and_pipes_is_not_followed(tmp_path):
    secret = tmp_path / "secret.jsonl"
    secret.write_text(json.dumps({"id": 1, "text": "t", "label": ["x"]}) + "\n", "utf-8")
    folder = tmp_path / "export"
    folder.mkdir()
    (folder / "ann.jsonl").symlink_to(secret)
    (folder / "bo").symlink_to(tmp_path, target_is_directory=True)
    with pytest.raises(BadInput, match="a folder without an export that is known"):
        read_export(folder)
