"""The fourth floor: what a wager is worth.

Nothing here contains a rule. Every figure is derived by calling the game's
own `judge` and `after` for every case that can come about.
"""

from croupier.analysis.report import Outcome, WagerReport, Watch, analyze, as_json

__all__ = ["Outcome", "WagerReport", "Watch", "analyze", "as_json"]
