"""Made-up files in the layouts of published votes that are never on this machine."""

from pathlib import Path

from tiltmeter.active.pools.registered_pools import MHS_SCALES


def write_mhs(folder: Path, items: int = 40) -> list[dict[str, int | float | str]]:
    """Measuring Hate Speech: post n has 1 + n mod 6 votes, and post 0 has 200; returns the rows."""
    import pyarrow as pa
    from pyarrow import parquet

    rows: list[dict[str, int | float | str]] = [
        {"comment_id": n, "annotator_id": p, "platform": 1, "text": f"post {n}"}
        | {scale: float((n * k + p * (1 + n % 3)) % 5) for k, scale in enumerate(MHS_SCALES)}
        for n in range(items)
        for p in range(1 + n % 6 if n else 200)
    ]
    file = folder / "mhs" / "measuring-hate-speech.parquet"
    file.parent.mkdir(parents=True)
    parquet.write_table(pa.Table.from_pylist(rows), file)
    return rows


def write_wikipedia(folder: Path, items: int = 30) -> None:
    """Votes on comments of talk pages: ten on each."""
    home = folder / "wikipedia_talk_toxicity"
    home.mkdir(parents=True)
    comments = [
        f"{n}.0\tcomment {n}NEWLINE_TOKENTAB_TOKENof a talk page\t2010" for n in range(items)
    ]
    votes = [
        f"{n}.0\t{p}\t{int((n + p) % 5 < 2)}\t{float((n + p) % 5 - 2)}"
        for n in range(items)
        for p in range(10)
    ]
    for name, lines in {
        "toxicity_annotated_comments.tsv": ["rev_id\tcomment\tyear", *comments],
        "toxicity_annotations.tsv": ["rev_id\tworker_id\ttoxicity\ttoxicity_score", *votes],
    }.items():
        (home / name).write_text("\n".join(lines) + "\n", "utf-8")
