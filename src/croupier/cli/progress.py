"""How long work shows itself: a bar on standard error, and only where somebody looks at it."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from croupier.analysis import Watch
from croupier.rulebook import Game


class Bar(Watch):
    """A bar for one command: something moves until it is known how much there is to count.

    At a table that is being played the player is told even where no bar can be drawn.
    """

    def __init__(self, progress: Progress, title: str, *, aloud: bool) -> None:
        self.progress, self.title, self.aloud = progress, title, aloud
        self.waiting = progress.add_task(title, total=None, visible=bool(title))
        self.counting = progress.add_task("", total=1.0, visible=False)

    def compiles(self) -> None:
        self._say("Compiling the solver, this once: about half a minute.")

    def counts(self, deals: int) -> None:
        words = f"Counting {_in_words(deals)} deals"
        self.progress.update(self.waiting, description=words, visible=True)
        self.progress.reset(self.counting, description=words, visible=False)
        if self.progress.disable:
            self._say(f"{words}, this once: it may take a minute or two.")

    def done(self, share: float) -> None:
        is_on = share < 1
        self.progress.update(self.counting, completed=share, visible=is_on)
        self.progress.update(
            self.waiting, description=self.title, visible=bool(self.title) and not is_on
        )

    def each(self, games: Collection[Game]) -> Iterator[Game]:
        """Go through games one after the other, and say which of them is analyzed."""
        task = self.progress.add_task("", total=len(games))
        for game in games:
            self.progress.update(task, description=game.title)
            yield game
            self.progress.advance(task)

    def _say(self, words: str) -> None:
        if self.aloud or not self.progress.disable:
            self.progress.console.print(words)


@contextmanager
def bar(title: str = "", table: Console | None = None) -> Iterator[Bar]:
    """To be told while a command runs or, at a table that is played, while a player waits."""
    with drawn_on(table or Console(stderr=True, highlight=False)) as progress:
        yield Bar(progress, title, aloud=table is not None)


def drawn_on(console: Console) -> Progress:
    """What shows how far something is, and only where somebody looks at it."""
    columns = (TextColumn("{task.description}"), BarColumn(None), TaskProgressColumn())
    return Progress(*columns, TimeRemainingColumn(), console=console, transient=True,
                    disable=not console.is_terminal)  # fmt: skip


def _in_words(number: int) -> str:
    """27,813,810,024,000 is 27.8 trillion."""
    for zeros, word in ((12, "trillion"), (9, "billion"), (6, "million")):
        if number >= 10**zeros:
            return f"{number / 10**zeros:,.1f} {word}"
    return f"{number:,}"
