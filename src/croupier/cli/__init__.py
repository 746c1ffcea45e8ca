"""The roof: commands for people and scripts.

Everything heavy is imported by the command that needs it, so that help is
instant.
"""

import sys


def main() -> None:
    """Run `croupier`: 0 for success, 2 for bad input or an unlawful table, 1 for a failure."""
    from croupier.cli.app import run

    sys.exit(run())
