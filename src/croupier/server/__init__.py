"""The service: the floor over HTTP, with the mathematics beside it."""
