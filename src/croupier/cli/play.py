"""A table in the terminal: one player, bets in words, a dealer who explains every payment.

Nothing here knows a game. What may be bet, what it pays, what is asked and why
something was paid comes from the rulebook; only a famous layout is drawn by
hand (`FELTS`).
"""

import contextlib
import io
import sys
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from croupier.cli.words import (
    SEAT,
    by_odds,
    either,
    examples,
    explain,
    family,
    family_title,
    limits,
    menu,
    names_of,
    question,
    read_bets,
    read_lying,
    read_move,
    read_wager,
    title_of_label,
    told,
    whole_dollars,
    words_of,
)
from croupier.equipment import Chance, SystemChance, dollars
from croupier.rulebook import (
    Ask,
    Bet,
    Event,
    Fault,
    Game,
    Play,
    Refusal,
    Result,
    Settlement,
    Table,
    by_chance,
)

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as Grid
    from rich.text import Text

    from croupier.analysis import WagerReport

Read = Callable[[str], str]  # prints a prompt, gives a line, raises EOFError when there is no more

LONGEST = 400  # characters; a keno ticket with all its groups has fewer


def sit_down(game: Game, given: Mapping[str, Any], stack: int) -> None:
    """Open a table with these options, and play until the player leaves."""
    from rich.console import Console

    read = _line_reader()
    Session(game, given, stack, Console(highlight=False), SystemChance(), read).run()


def _line_reader() -> Read:
    """Lines of the terminal, or of a file or pipe, which are shown as if they had been typed."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    if sys.stdin and sys.stdin.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  arrow keys and history
        return input

    def read(prompt: str) -> str:
        line = sys.stdin.readline() if sys.stdin else ""
        if not line:
            raise EOFError
        print(prompt + _clean(line)[:LONGEST])
        return line

    return read


def _clean(line: str) -> str:
    """What was typed, without anything that could move the cursor."""
    return "".join(char if char.isprintable() else " " for char in line).strip()


class Session:
    """One player at a table, from sitting down to leaving."""

    def __init__(
        self,
        game: Game,
        given: Mapping[str, Any],
        stack: int,
        console: "Console",
        chance: Chance,
        read: Read,
    ) -> None:
        self.table = Table(game, given)
        self.bankroll = stack
        self.console, self.chance, self.read = console, chance, read
        self.left = False
        self.said_already: str | None = None  # a line typed at an offer that was not its answer
        self.not_asked: set[str] = set()  # offers that the player does not want to hear again
        self.last_bets: dict[str, int] = {}
        self.last_round: list[Settlement] = []
        self._drawn: list[str] = []  # outcomes that have not been told yet

    @property
    def stack(self) -> int:
        """The bankroll with all that was won and lost, without what lies on the layout."""
        return self.bankroll + self.table.money[SEAT]

    @property
    def lying(self) -> list[Bet]:
        return self.table.bets_of(SEAT)

    def run(self) -> None:
        """Greet, take lines until the player leaves or has nothing left, and say goodbye."""
        with contextlib.suppress(KeyboardInterrupt):
            self.greet()
            while not self.left and (self.stack or self.lying):
                self.say("")
                line = self._next_line(f"{dollars(self.stack)} > ")
                if line is not None:
                    self.take(line)
            if not self.left:
                self.say("\nYour stack is gone, and nothing lies on the layout.")
        self.goodbye()

    def _next_line(self, prompt: str) -> str | None:
        """The next line, or None when there is no more and the player leaves."""
        if self.said_already is not None:
            line, self.said_already = self.said_already, None
            return line
        try:
            return self.read(prompt)
        except (EOFError, KeyboardInterrupt):
            self.say("")
            self.left = True
            return None

    def take(self, line: str) -> None:
        """Do what a line says: a command, or bets. Nonsense is answered and changes nothing."""
        text = _clean(line)
        if len(text) > LONGEST:
            self.say("That is longer than any bet. Say help for what can be said.")
            return
        word, _, rest = text.lower().partition(" ")
        if word in ALONE and not rest:
            ALONE[word](self)
        elif word in WITH_WORDS:
            WITH_WORDS[word](self, text[len(word) :].strip())
        else:
            self.bet(text)

    def say(self, text: str, style: str = "", indent: int = 0) -> None:
        """Print plain text: what looks like markup in it is only text."""
        from rich.padding import Padding

        (line,) = _plain(text)
        shown = Padding(line, (0, 0, 0, indent), expand=False) if indent else line
        self.console.print(shown, style=style)

    def refuse(self, why: Exception) -> None:
        """One sentence and, where a rule refuses, its citation."""
        text = str(why).rstrip(".")
        end = "" if text.endswith("?") else "."
        self.say(text[:1].upper() + text[1:] + end, "yellow")

    # Betting.

    def bet(self, text: str) -> None:
        """Make bets in words; none of them is made unless all can be understood."""
        try:
            bets = read_bets(self.table, text)
        except (ValueError, Refusal) as why:
            self.refuse(self._perhaps_a_command(text) or why)
            return
        for label, amount in bets:
            self.add(label, amount)

    def _perhaps_a_command(self, text: str) -> ValueError | None:
        word = text.lower().partition(" ")[0]
        close = get_close_matches(word, [*filter(None, ALONE), *WITH_WORDS], 1, 0.75)
        if not close or any(map(str.isdecimal, word)):
            return None
        return ValueError(f"there is no command {text!r}; is it {close[0]}?")

    def add(self, label: str, amount: int) -> None:
        """Put so much more on a wager; a refusal is told."""
        there = sum(bet.stake for bet in self.lying if bet.label == label)
        if amount > self.stack:
            more = f"{dollars(amount)} is more than the {dollars(self.stack)} in your stack"
            self.refuse(ValueError(more))
            return
        try:
            self.table.bet(SEAT, label, there + amount)
        except Refusal as refusal:
            self.refuse(refusal)
            if refusal.fault is Fault.NOT_PAYABLE:
                self._say_what_is_payable(label, there + amount)
            return
        in_all = f", {dollars(there + amount)} in all" if there else ""
        self.say(f"{dollars(amount)} on {self._title(label)}{in_all}.")

    def _say_what_is_payable(self, label: str, amount: int) -> None:
        for opening in self.table.openings(SEAT):
            if opening.wager.label(opening.spot) == label:
                self.say(f"Try {whole_dollars(opening, amount)} on {self._title(label)}.")

    def take_down(self, text: str) -> None:
        """Take a wager off the layout again."""
        words = text.split()
        if words[:1] in (["down"], ["off"]):
            words = words[1:]
        if words in (["all"], ["everything"]):
            self.clear()
            return
        found = read_lying(self.lying, " ".join(words)) if words else []
        if len(found) == 1:
            self._take_down(found[0])
        elif not self.lying:
            self.say("You have nothing on the layout.")
        else:
            lying = either((bet.title for bet in found or self.lying), "and")
            self.say(f"Which one? On the layout you have {lying}.")

    def _take_down(self, bet: Bet) -> None:
        try:
            self.table.bet(SEAT, bet.label, 0)
        except Refusal as refusal:
            self.refuse(refusal)
        else:
            self.say(f"{dollars(bet.stake)} comes back from {bet.title}.")

    def clear(self) -> None:
        """Take down everything that may be taken down, what lies behind a wager first."""
        if not self.lying:
            self.say("You have nothing on the layout.")
        for bet in sorted(self.lying, key=lambda bet: bet.wager.supports is None):
            self._take_down(bet)

    def rebet(self) -> None:
        """Bring every wager back to what it was when the last round began."""
        there = {bet.label: bet.stake for bet in self.lying}
        missing = {
            label: amount - there.get(label, 0)
            for label, amount in self.last_bets.items()
            if amount > there.get(label, 0) and self._can_be_made(label)
        }
        if not missing:
            self.say("There is nothing to bet again.")
        for label, amount in missing.items():
            self.add(label, amount)

    def _can_be_made(self, label: str) -> bool:
        """Not one that has traveled: nobody bets on a come point."""
        try:
            self.table.game.find(label, self.table.options)
        except Refusal:
            return False
        return True

    # A round.

    def enter(self) -> None:
        """An empty line deals, once there is something to deal for."""
        if self.lying:
            self.deal()
        else:
            deal = self._verb()
            self.say(f"Nothing is on the layout. Bet first, or say {deal} to watch one.")

    def _verb(self) -> str:
        return self.table.game.device(self.table.options).verb

    def deal(self) -> None:
        """Play one round by chance, tell it as it happens, and say how every wager came out."""
        table = self.table
        self.last_bets = {bet.label: bet.stake for bet in self.lying} or self.last_bets
        answer = by_chance(self.chance, self.ask)
        heard, self.last_round = len(table.events), []
        play = Play(table)
        while True:
            self._tell(e for e in table.events[heard:] if e.seen_by in (None, SEAT))
            heard = len(table.events)
            if play.request is None:
                break
            play.answer(answer(play.request))
        self._results()
        table.open_betting()
        self.status()

    def _tell(self, events: Iterable[Event]) -> None:
        """What the dealer says and does; outcomes that follow each other stand on one line."""
        for event in events:
            if "outcome" in event.data:
                outcome = event.data["outcome"]
                faces = outcome if isinstance(outcome, list) else [outcome]
                self._drawn.append("-".join(map(str, faces)))
                continue
            self._tell_outcomes()
            text, style = told(self.table.game, event)
            if text:
                self.say(text, style, 2)

    def _tell_outcomes(self) -> None:
        if self._drawn:
            self.say(f"{self._verb().capitalize()}: {' '.join(self._drawn)}", "bold", 2)
            self._drawn = []

    def _results(self) -> None:
        """How every wager came out; told before a question that follows the payments."""
        self._tell_outcomes()
        news = self.table.settlements[len(self.last_round) :]
        self.last_round = list(self.table.settlements)
        grid = _grid("", "", "", "")
        for each in news:
            if each.result is not Result.STANDING:
                won = "wins" if each.net > 0 else "loses" if each.net < 0 else "comes back"
                change = f"{'+' if each.net > 0 else ''}{dollars(each.net)}" if each.net else ""
                style = "green" if each.net > 0 else "red" if each.net < 0 else ""
                title = f"  {self._title(each.bet.label)}"
                grid.add_row(*_plain(title, dollars(each.stake), won, change), style=style)
        if grid.row_count:
            self.console.print(grid)

    def status(self) -> None:
        """The stack, what lies on the layout, and what stands at the table."""
        parts = [f"Stack {dollars(self.stack)}"]
        if self.lying:
            parts.append(f"on the layout: {self._layout_in_words()}")
        for name, value in self.table.view(SEAT)["state"].items():
            if not isinstance(value, bool) and value != []:
                shown = " ".join(map(str, value)) if isinstance(value, list) else value
                shown = "you" if value == SEAT else "none" if value is None else shown
                parts.append(f"{name.replace('_', ' ')}: {shown}")
        self.say(" · ".join(parts))

    def _layout_in_words(self) -> str:
        return ", ".join(f"{b.title} {dollars(b.stake)}" for b in self.lying)

    def _title(self, label: str) -> str:
        return title_of_label(self.table.game, label)

    # Decisions.

    def ask(self, ask: Ask) -> Any:
        """The player's decision; nothing typed, or nobody there, is what the rules do then."""
        if self.left or ask.seat != SEAT or (ask.offer and ask.question in self.not_asked):
            return ask.default
        self._results()
        prompt = question(ask)
        while True:
            text = _clean(self._next_line(prompt) or "")
            if not text:
                return ask.default
            if ask.offer and text.lower() == "always":
                self.not_asked.add(ask.question)
                return ask.default
            try:
                answer = read_move(ask, text)
                ask.check(answer)
            except (ValueError, Refusal) as why:
                if ask.offer:
                    self.said_already = text
                    return ask.default
                self.refuse(why)
            else:
                return answer

    # What can be asked of the table.

    def greet(self) -> None:
        game = self.table.game
        self.say(f"{game.title}, N.J.A.C. {game.cite}", "bold")
        amounts = limits(list(self.table.openings(SEAT)))
        self.say(f"Wagers of {amounts}. You are in seat {SEAT} with {dollars(self.bankroll)}.")
        such = ", ".join(examples(self.table))
        self.say(f"Bet in words, such as {such}; then press Enter to {self._verb()}.")
        self.say("why explains a payment, odds the house edge; help lists the rest, quit leaves.")
        self.say("")
        self.layout()

    def layout(self) -> None:
        """The felt if the game has one, and what may be bet now with what it pays."""
        felt = FELTS.get(self.table.game.id)
        if felt:
            color = not self.console.no_color and self.console.color_system is not None
            self.console.print(felt(self.table, color))
        grid = _grid("bet", "pays", "amounts")
        for row in by_odds(self.table) if felt else menu(self.table):
            grid.add_row(*_plain(*row))
        self.console.print(grid)
        if self.lying:
            self.status()

    def odds(self, text: str = "") -> None:
        """The exact house edge of every wager, or all about one."""
        from croupier.analysis import analyze
        from croupier.cli.show import outcomes

        game, options = self.table.game, self.table.options
        if not text:
            self.console.print(_edges(game, analyze(game, options)))
            return
        named = [w.id for w in game.offered(options) if words_of(text) in names_of(w)]
        try:
            label = named[0] if named else read_wager(self.table, text)
            reports = analyze(game, options, [label])
        except (ValueError, Refusal) as why:
            self.refuse(why)
            return
        for report in reports:
            edge = report.house_edge
            self.say(f"{self._title(report.label)}: house edge {_percent(edge)}, exactly {edge}.")
            self.console.print(outcomes(report))

    def why(self, text: str = "") -> None:
        """Every payment of the last round: the odds, the arithmetic and the paragraph."""
        if not self.last_round:
            self.say("No wager of yours has been decided yet.")
            return
        settled = self.last_round
        if text:
            bets = read_lying((each.bet for each in settled), text)
            settled = [each for each in settled if each.bet in bets]
        if not settled:
            names = either((self._title(each.bet.label) for each in self.last_round), "and")
            self.say(f"The last round decided {names}.")
        for each in settled:
            title = self._title(each.bet.label)
            self.say(f"{title}: {explain(each, self.table.options)}. [{each.cite}]")

    def rules(self) -> None:
        """What the licensee has chosen here, and what is done when something goes wrong."""
        options = self.table.options
        chosen = _grid("this table (--set OPTION=VALUE)", "what it is")
        for name, option in type(options).all().items():
            value = option.show(getattr(options, name))
            shown = ", ".join(map(str, value)) if isinstance(value, list) else value
            chosen.add_row(*_plain(f"{name} = {shown}", f"{option.title} [{option.cite}]"))
        wrong = _grid("when", "then")
        for rule in self.table.irregularities.values():
            wrong.add_row(*_plain(rule.trigger, f"{rule.says} [{rule.cite}]"))
        self.console.print(chosen, "", wrong)

    def help(self) -> None:
        bet, *others = examples(self.table)
        grid = _grid("say", "to")
        for words, what in (
            (", ".join([bet, *others]), "bet; several bets with a comma or and"),
            (f"Enter, deal, {self._verb()}, go", "play the round"),
            ("take down WAGER, clear", "take one wager down, or all"),
            ("rebet", "make the bets of the last round again"),
            ("why, why WAGER", "see how the last round was paid, and by which paragraph"),
            ("layout, stack", "see what may be bet and what it pays; what you have"),
            ("odds, odds WAGER", "see the exact house edge"),
            ("rules", "see this table's options and irregularities"),
            ("quit", "leave"),
            ("always, ask", "no longer be asked what is being offered; be asked again"),
        ):
            grid.add_row(words, what)
        self.console.print(grid)

    def ask_again(self) -> None:
        self.not_asked.clear()
        self.say("You will be asked again.")

    def leave(self) -> None:
        self.left = True

    def goodbye(self) -> None:
        """The result of the visit, and the money that is still on the layout."""
        there = sum(bet.stake for bet in self.lying)
        net = self.stack + there - self.bankroll
        result = f"up {dollars(net)}" if net > 0 else f"down {dollars(-net)}" if net else "even"
        behind = f" and {dollars(there)} still on the layout" if there else ""
        self.say(f"You leave with {dollars(self.stack)}{behind}: {result}.")
        if there:
            self.say(f"On the layout: {self._layout_in_words()}.")


ALONE: dict[str, Callable[[Session], None]] = {
    "": Session.enter,
    **dict.fromkeys(("deal", "spin", "roll", "throw", "draw", "shake", "go"), Session.deal),
    **dict.fromkeys(("layout", "table"), Session.layout),
    **dict.fromkeys(("stack", "bets"), Session.status),
    **dict.fromkeys(("help", "?"), Session.help),
    **dict.fromkeys(("quit", "exit", "q"), Session.leave),
    "clear": Session.clear,
    "rebet": Session.rebet,
    "rules": Session.rules,
    "ask": Session.ask_again,
}
WITH_WORDS: dict[str, Callable[[Session, str], None]] = {
    **dict.fromkeys(("odds", "edge"), Session.odds),
    **dict.fromkeys(("take", "remove"), Session.take_down),
    "why": Session.why,
}


# What is drawn.


def _percent(value: Fraction) -> str:
    return f"{float(value):.3%}"


def _grid(*headings: str) -> "Grid":
    from rich.table import Table as Grid

    grid = Grid(box=None, pad_edge=False, show_header=any(headings), header_style="dim")
    for heading in headings:
        grid.add_column(heading, overflow="fold")
    return grid


def _plain(*cells: str) -> list["Text"]:
    """Cells of a grid in which nothing is markup."""
    from rich.text import Text

    return [Text(cell) for cell in cells]


def _edges(game: Game, reports: Iterable["WagerReport"]) -> "Grid":
    """The house edge of every wager, the best first; what is alike in a family shares a row."""
    rows: dict[tuple[Fraction, Fraction, str], list[WagerReport]] = {}
    for report in reports:
        worth = (report.house_edge, report.hit_frequency, family(report.wager)[0])
        rows.setdefault(worth, []).append(report)
    grid = _grid("wager", "house edge", "exactly", "wins")
    for (edge, hits, _), alike in sorted(rows.items(), key=lambda row: row[0][0]):
        title = title_of_label(game, alike[0].label)
        if len(alike) > 1:
            numbers = ", ".join(family(report.wager)[1] for report in alike)
            title = f"{family_title([report.wager for report in alike])} {numbers}"
        exactly = str(edge) if len(str(edge)) < 15 else ""
        grid.add_row(*_plain(title, _percent(edge), exactly, _percent(hits)))
    return grid


def roulette_felt(table: Table, color: bool) -> "Text":
    """The numbers in three rows with the zeros at their head, the dozens, the even-money boxes."""
    from rich.text import Text

    game, options = table.game, table.options
    zeros = [spot for spot in ("00", "0") if spot in game.by_id["straight"].spots(options)]
    reds = game.by_id["red"].spots(options)[""]
    offered = {wager.id for wager in game.offered(options)}
    felt = Text(no_wrap=True)

    def box(text: str, width: int, shade: str = "green") -> None:
        felt.append(text.center(width), f"bold white on {shade}" if color else "")
        felt.append(" " if color else "|")

    def number(text: str) -> None:
        red = text in reds
        mark = "" if color else "r" if red else "b"
        box(text + mark, 3, "red" if red else "black")

    heads = {3: zeros[0], 2: "", 1: zeros[1]} if len(zeros) == 2 else {3: "", 2: "0", 1: ""}
    for column in (3, 2, 1):
        box(heads[column], 3)
        for each in range(column, 37, 3):
            number(str(each))
        felt.append(f"column {column}\n")
    if "dozen" in offered:
        felt.append(" " * 4)
        for dozen in (1, 2, 3):
            box(f"dozen {dozen}", 15)
        felt.append("\n")
    felt.append(" " * 4)
    for name, id, shade in EVEN_MONEY:
        box(name if id in offered else "", 7, shade if id in offered else "green")
    felt.append("\n" if color else "\n    (r is red, b is black)\n")
    return felt


EVEN_MONEY = (
    ("1-18", "low_1_18", "green"), ("even", "even", "green"), ("red", "red", "red"),
    ("black", "black", "black"), ("odd", "odd", "green"), ("19-36", "high_19_36", "green"),
)  # fmt: skip

FELTS: dict[str, Callable[[Table, bool], "Text"]] = {"roulette": roulette_felt}
