"""Policies: what the operator of a floor decides about its tables."""

from dataclasses import dataclass


@dataclass
class Policies:
    """What the operator of the floor decides."""

    idle_seconds: float = 1800
    notice_minutes: float = 30
    checkpoint_events: int = 1000
    checkpoint_seconds: float = 60
    snapshot_events: int = 100
    takeover_seconds: float = 2
    most_private: int = 5  # tables that a patron may have open
    alone_cents: int = 100_000  # that one person may correct without a second
    large_cents: int = 1_000_000  # wagers, wins and transfers from which on are noted
    most_seats: int = 2  # that one account may hold at a table
    most_disputes: int = 3  # of one account at a table, until the house looks into them
