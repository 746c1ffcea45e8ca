"""Croupier: a casino rulebook that runs."""

__version__ = "0.5.0"
