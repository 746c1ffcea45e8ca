"""How long work shows itself: a bar on standard error, and only where somebody looks at it."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from croupier.analysis import Watch


class Bar(Watch):
    """A bar for one command, which appears when there is something to wait for."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.task = progress.add_task("", total=1.0, visible=False)

    def compiles(self) -> None:
        self.progress.console.print("Compiling the solver, this once: about half a minute.")

    def counts(self, deals: int) -> None:
        words = f"Counting {_in_words(deals)} deals"
        self.progress.reset(self.task, description=words, visible=True)

    def done(self, share: float) -> None:
        self.progress.update(self.task, completed=share)


@contextmanager
def bar() -> Iterator[Watch]:
    """To be told while a command runs."""
    console = Console(stderr=True, highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True,
                  disable=not console.is_terminal) as progress:  # fmt: skip
        yield Bar(progress)


def _in_words(number: int) -> str:
    """27,813,810,024,000 is 27.8 trillion."""
    for zeros, word in ((12, "trillion"), (9, "billion"), (6, "million")):
        if number >= 10**zeros:
            return f"{number / 10**zeros:,.1f} {word}"
    return f"{number:,}"
