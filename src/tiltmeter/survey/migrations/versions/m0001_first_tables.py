"""The tables of the first version, which every database has had from its start."""

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Leave the tables as the first version made them."""
