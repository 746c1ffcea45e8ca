"""Floors that older versions of the software made, kept as test data.

`make` builds a floor with the version at hand, `evening` says what happens on
it, and `kept` packs and unpacks what is kept. Each version has a folder, and
in it every floor has one of its own:

    0.6.0/sqlite-stopped       a file of SQLite, the house closed in order
    0.6.0/sqlite-killed        the same with its WAL, as a kill -9 leaves them
    0.6.0/postgresql-stopped   a dump of PostgreSQL, the house closed in order
    0.6.0/postgresql-killed    a dump that was taken while the house was open

Of the versions since, the first and the last of these are kept.

Beside the database lie its signed checkpoints with their key, a key for tests
and for nothing else, and `books.json`: what stood on the floor when it ended.
"""
