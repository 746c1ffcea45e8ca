"""Croupier: a casino rulebook that runs."""

__version__ = "0.8.0"
