"""How Alembic runs a migration here: on the connection that it is given."""

from alembic import context

from croupier.floor.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
