"""A table in every kind of file."""

ROWS = [("She sang.", "He sang."), ("Ann sat,\nand stood.", 'Ben "sat".'), ("Zoë, ran", "Bo\tran")]


def written(path, text, encoding="utf-8"):
    path.write_bytes(text.encode(encoding))
    return path


def quoted(cell):
    return '"' + cell.replace('"', '""') + '"'


def table_text(delimiter, end="\n"):
    lines = [("sent_more", "sent_less"), *ROWS]
    return "".join(delimiter.join(map(quoted, cells)) + end for cells in lines)


def cells(table):
    return [(row.cells["sent_more"], row.cells["sent_less"]) for row in table.rows]
