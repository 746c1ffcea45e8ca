"""The documentation, some of it generated."""
