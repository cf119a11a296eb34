"""The tables of a database: all of them in a new one; in an older one the changes that it lacks, in order.

The first version made its tables from `tables`. Each later change of a table has a module in `versions`.
"""

from pathlib import Path

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Engine, text

from tiltmeter.core.errors import StorageError
from tiltmeter.survey.tables import Base

LOCK = 7_461_746
"""Of PostgreSQL: one program at a time changes the tables."""


def migrate(engine: Engine) -> None:
    """Bring the tables of a database up to date, in one transaction.

    Raises:
        StorageError: A newer Tiltmeter has changed it.
    """
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    script = ScriptDirectory.from_config(config)

    def upgrade(revision: object, _: MigrationContext) -> object:
        return script._upgrade_revs("head", revision)  # type: ignore[arg-type] # noqa: SLF001

    with engine.begin() as connection, EnvironmentContext(config, script, fn=upgrade) as context:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        database = MigrationContext.configure(connection)
        revision = database.get_current_revision()
        if revision is None:
            Base.metadata.create_all(connection, checkfirst=False)
            database.stamp(script, "head")
        elif revision != script.get_current_head():
            context.configure(connection=connection, transactional_ddl=True)
            try:
                context.run_migrations()
            except CommandError as error:
                raise StorageError(
                    "a newer version of Tiltmeter has changed this survey; update Tiltmeter to use it"
                ) from error
