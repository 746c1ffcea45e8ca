"""A table in the terminal: one player, bets in words, a dealer who explains every payment.

Nothing here knows a game. What may be bet, what it pays, what is asked and why
something was paid comes from the rulebook. Only two things are by game: what is
drawn by hand (`felts`), and who else sits at a table where players play against
one another (`COMPANY`).
"""

import contextlib
import io
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from croupier.cli.company import COMPANY
from croupier.cli.felts import (
    BURNT,
    FACE_DOWN,
    FELTS,
    Ink,
    Seen,
    card_in_words,
    results_of,
    roads,
)
from croupier.cli.words import (
    SEAT,
    VERBS,
    Unfinished,
    by_odds,
    either,
    examples,
    explain,
    family,
    family_title,
    later,
    limits,
    menu,
    names_of,
    question,
    read_bets,
    read_lying,
    read_move,
    read_wager,
    shown,
    standing,
    title_of_label,
    told,
    whole_dollars,
    words_of,
)
from croupier.equipment import Card, Chance, Shoe, SystemChance, dollars
from croupier.games.scoreboard import recent
from croupier.ranking import rank
from croupier.rulebook import (
    BOARD,
    DEALER,
    SET_ASIDE,
    Ask,
    Bet,
    Event,
    Fault,
    Game,
    Move,
    Play,
    PokerGame,
    Refusal,
    Result,
    Settlement,
    ShoeGame,
    Table,
    Wager,
    by_chance,
)

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as Grid
    from rich.text import Text

    from croupier.analysis import WagerReport, Watch
    from croupier.analysis.advise import Advised

Found = TypeVar("Found")
Read = Callable[[str], str]  # prints a prompt, gives a line, raises EOFError when there is no more

LONGEST = 400  # characters; a keno ticket with all its groups has fewer
RECENT = 10  # rounds that are shown again
PICKED_UP = "The cards are picked up"  # every round, and not worth telling


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
        self.not_asked: dict[tuple[str, ...], Any] = {}  # answers to offers, given once for all
        self.asked: Ask | None = None  # what the player is to decide now
        self.moves: list[str] = []  # what the player has decided in this round
        self.last_bets: dict[str, int] = {}
        self.last_round: list[Settlement] = []  # of the player
        self.recent_rounds: list[tuple[Text, str]] = []  # what came, and what the player made of it
        self.shuffle = Shuffle(self.table)
        company = COMPANY.get(game.id)
        self.company = company(self.table) if company else None
        self.seen = Seen()
        self.examples = ", ".join(examples(self.table))
        self._steps: set[str] = set()  # of the procedure of poker, told in an earlier round
        self._drawn: list[str] = []  # outcomes that have not been told yet
        self._how = ""  # they came: by a spin, a throw, a draw
        self._came: list[str] = []  # outcomes of this round

    @property
    def ink(self) -> Ink:
        return Ink.of(self.console)

    @property
    def stack(self) -> int:
        """The bankroll with all that was won and lost, without what lies on the layout."""
        return self.bankroll + self.table.money[SEAT]

    @property
    def free(self) -> int:
        """What of the stack may be wagered: vigorish that was marked is not the player's."""
        return self.stack - self.table.owed(SEAT)

    @property
    def lying(self) -> list[Bet]:
        return self.table.bets_of(SEAT)

    @property
    def poker(self) -> PokerGame | None:
        """The game, if it is poker."""
        game = self.table.game
        return game if isinstance(game, PokerGame) else None

    def run(self) -> None:
        """Greet, take lines until the player leaves or has nothing left, and say goodbye."""
        with contextlib.suppress(KeyboardInterrupt):
            self.greet()
            while not self.left and (self.free or self.lying):
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
        if not text and line.strip():
            self.say("That cannot be read. Say help for what can be said.")
            return
        word, _, rest = text.lower().partition(" ")
        if word in ALONE and not rest:
            ALONE[word](self)
        elif word in WITH_WORDS:
            WITH_WORDS[word](self, text[len(word) :].strip())
        elif self.company and text.lower() in ("pass", "pass shoe"):
            self.enter()
        else:
            self.bet(text)

    def say(self, text: "str | Text", style: str = "", indent: int = 0) -> None:
        """Print plain text: what looks like markup in it is only text."""
        from rich.padding import Padding

        line = _plain(self.ink.plain(text))[0] if isinstance(text, str) else text
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
        if not close or word in VERBS or any(map(str.isdecimal, word)):
            return None
        return ValueError(f"there is no command {text!r}; is it {close[0]}?")

    def add(self, label: str, amount: int) -> None:
        """Put so much more on a wager; a refusal is told."""
        there = sum(bet.stake for bet in self.lying if bet.label == label)
        beside = self._beside(label)
        if why := self._too_dear(amount * (1 + len(beside))):
            self.refuse(why)
            return
        try:
            self.table.bet(SEAT, label, there + amount)
        except Refusal as refusal:
            self.refuse(refusal)
            if refusal.fault is Fault.NOT_PAYABLE:
                self._say_what_is_payable(label, there + amount)
            return
        self.table.game.accompany(self.table, SEAT)
        in_all = f", {dollars(there + amount)} in all" if there else ""
        self.say(f"{dollars(amount)} on {self._title(label)}{in_all}.")
        if beside:
            titles = either((wager.title for wager in beside), "and")
            self.say(f"As much lies on {titles}, which must equal it.")

    def _beside(self, label: str) -> list[Wager]:
        """The wagers that must equal this one."""
        game, options = self.table.game, self.table.options
        return [wager for wager in game.offered(options) if wager.equals == label]

    def _too_dear(self, amount: int) -> ValueError | None:
        if amount <= self.free:
            return None
        owed = ", less the vigorish that you owe" if self.table.owed(SEAT) else ""
        more = f"{dollars(amount)} is more than the {dollars(self.free)} in your stack{owed}"
        return ValueError(more)

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
        """And first what must equal it."""
        for wager in self._beside(bet.label):
            for other in self.table.bets_of(SEAT, wager.id):
                self._take_down(other)
        try:
            self.table.bet(SEAT, bet.label, 0)
        except Refusal as refusal:
            self.refuse(refusal)
        else:
            self.say(f"{dollars(bet.stake)} comes back from {bet.title}.")

    def clear(self) -> None:
        """Take down everything that may be taken down, what needs another wager first."""
        if not self.lying:
            self.say("You have nothing on the layout.")

        def comes_last(bet: Bet) -> bool:
            return not bet.wager.after

        for bet in sorted(self.lying, key=comes_last):
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
        """Not one that has traveled: nobody bets on a come point. Nor one that follows another."""
        try:
            wager, _, _ = self.table.game.find(label, self.table.options)
        except Refusal:
            return False
        return wager.equals is None

    # A round.

    def enter(self) -> None:
        """An empty line deals, once there is something to deal for."""
        if self.lying or (self.company and self.company.bank()[0]):
            self.deal()
        elif self.company:
            self.company.put_up(passed=True)
            self.say(self.company.hint())
        else:
            watch = "" if self.poker else f", or say {self._verb()} to watch one"
            self.say(f"Nothing is on the layout. Bet first{watch}.")

    def _verb(self) -> str:
        return "deal" if isinstance(self.table.equipment, Shoe) else str(self.table.equipment.verb)

    def deal(self) -> None:
        """Play one round by chance, tell it as it happens, and say how every wager came out."""
        table = self.table
        if self.company:
            self.company.put_up(passed=True)
            if covered := self.company.cover():
                self.say(covered)
        self.last_bets = {bet.label: bet.stake for bet in self.lying} or self.last_bets
        answer = by_chance(self.chance, self.ask)
        heard, self.last_round = len(table.events), []
        self.seen, self._came, self.moves = Seen(), [], []
        self.shuffle.begin()
        try:
            play = Play(table)
        except Refusal as refusal:
            self.refuse(refusal)
            return
        while True:
            self._tell(e for e in table.events[heard:] if e.seen_by in (None, SEAT))
            heard = len(table.events)
            if play.request is None:
                break
            play.answer(answer(play.request))
        self._steps |= {event.data["text"] for event in table.events if event.kind == "step"}
        self._results()
        self._remember()
        table.open_betting()
        if self.company:
            self.company.put_up()
        self.status()

    def _tell(self, events: Iterable[Event]) -> None:
        """What the dealer says and does; outcomes that follow each other stand on one line."""
        for event in events:
            self.shuffle.note(event)
            if self.shuffle.takes(event):
                if line := self.shuffle.news(self.ink):
                    self.say(line, "dim", 2)
            elif self.seen.note(event):
                continue
            elif "outcome" in event.data:
                self._drawn.append(shown(event.data))
                self._how = event.kind if self.poker else self._verb()
            else:
                self._tell_outcomes()
                is_news = _is_news(event) and not self._is_known(event)
                text, style = told(self.table.game, event) if is_news else ("", "")
                if text:
                    self.say(text, style, 2)

    def _is_known(self, event: Event) -> bool:
        """Every round of poker has the same steps: what the dealer does is told once."""
        return bool(self.poker and event.kind == "step" and event.data["text"] in self._steps)

    def _tell_outcomes(self) -> None:
        if self._drawn:
            self.say(f"{self._how.capitalize()}: {' '.join(self._drawn)}", "bold", 2)
            self._came += self._drawn
            self._drawn = []
        if piles := self.seen.take_news():
            if self.poker and BOARD in piles and SEAT not in piles and SEAT in self.seen.piles:
                piles = [SEAT, *piles]  # which cards the board is to go with
            self.say(self._cards(piles), "bold", 2)

    def _cards(self, piles: Iterable[str]) -> "Text":
        return self.seen.line(piles, self.ink, counts=results_of(self.table) is not None)

    def _remember(self) -> None:
        """Keep what came, for `recent`."""
        hands = [name for name in self.seen.piles if name not in NO_HANDS]
        came = self._cards(hands) if hands else _plain(" ".join(self._came))[0]
        decided = [each.net for each in self.last_round if each.result is not Result.STANDING]
        net = sum(decided)
        won = f"+{dollars(net)}" if net > 0 else dollars(net) if net else "even"
        if came:
            self.recent_rounds.append((came, won if decided else ""))

    def _results(self) -> None:
        """How every wager came out; told before a question that follows the payments."""
        self._tell_outcomes()
        heard = {id(each) for each in self.last_round}
        self.last_round = [each for each in self.table.settlements if each.bet.seat == SEAT]
        news = [each for each in self.last_round if id(each) not in heard]
        grid = _grid("", "", "", "")
        for each in news:
            if each.result is not Result.STANDING:
                won = "wins" if each.net > 0 else "loses" if each.net < 0 else "comes back"
                change = f"{'+' if each.net > 0 else ''}{dollars(each.net)}" if each.net else ""
                style = "green" if each.net > 0 else "red" if each.net < 0 else ""
                title = f"  {self._title(each.bet.label)}"
                stake = dollars(each.stake) if each.stake else ""  # a bonus has none
                grid.add_row(*_plain(title, stake, won, change), style=style)
        if grid.row_count:
            self.console.print(grid)

    def status(self) -> None:
        """The stack, what lies on the layout, and what stands at the table."""
        parts = [f"Stack {dollars(self.stack)}"]
        if self.lying:
            parts.append(f"on the layout: {self._layout_in_words()}")
        if owed := self.table.owed(SEAT):
            parts.append(f"vigorish owed: {dollars(owed)}")
        self.say(" · ".join([*parts, *standing(self.table)]))
        if self.company:
            self.say(self.company.hint())

    def _layout_in_words(self) -> str:
        return ", ".join(f"{b.title} {dollars(b.stake)}" for b in self.lying)

    def _title(self, label: str) -> str:
        return title_of_label(self.table.game, label)

    # Decisions.

    def ask(self, ask: Ask) -> Any:
        """The player's decision; nothing typed, or nobody there, is what the rules do then."""
        if ask.seat != SEAT:
            return self.company.answer(ask) if self.company else ask.default
        if self.left or len(ask.moves) == 1:
            return ask.default
        self._tell_outcomes()
        if self.poker is None:
            self._results()
        elif hand := self._hand():
            self.say(f"You have {hand}.", indent=2)
        self.asked = ask
        answer = self._decision(ask)
        self.asked = None
        self.moves.append(next(iter(answer)) if isinstance(answer, dict) else answer)
        return answer

    def _decision(self, ask: Ask) -> Any:
        kind = tuple(move.name for move in ask.moves)
        if ask.offer and kind in self.not_asked:
            remembered = self._checked(ask, self.not_asked[kind])
            if remembered is not None:
                return remembered
        while True:
            line = self._next_line(self._prompt(ask)) or ""
            text = _clean(line)
            word, _, rest = text.lower().partition(" ")
            if not line.strip():
                return ask.default
            if not text:
                self.say("That cannot be read.")
                continue
            if word in ASIDE and (word in WITH_WORDS or not rest):
                self.take(text)
                continue
            if word in LEAVING and not rest:
                self.said_already = text
                return ask.default
            always = ask.offer and word == "always"
            answer = self._checked(ask, rest or ask.default if always else text)
            if answer is not None:
                if always:
                    self.not_asked[kind] = rest or ask.default
                return answer
            if self.said_already is not None:
                return ask.default

    def _checked(self, ask: Ask, text: str) -> Any:
        """The move that was said, if it can be made; None if it was refused, or is no move."""
        try:
            answer = read_move(ask, self._in_dollars(text))
        except Unfinished as why:
            self.refuse(why)
        except ValueError as why:
            if ask.offer:
                self.said_already = text  # not an answer, but perhaps what comes next
            else:
                self.refuse(why)
        else:
            too_dear = self._too_dear(self._price(ask, answer))
            if too_dear is None or answer == ask.default:
                return answer
            self.refuse(too_dear)
        return None

    def _price(self, ask: Ask, answer: Any) -> int:
        """What a move would put up."""
        name, amount = next(iter(answer.items())) if isinstance(answer, dict) else (answer, 0)
        move = next((move for move in ask.moves if move.name == name), Move(name))
        return int(amount) if move.takes_amount and move.unit == "cents" else move.costs

    def _in_dollars(self, text: str) -> str:
        """At poker people say `bet 4x`, which is four times the first wager."""
        if self.poker is None:
            return text
        first = self.poker.first_stake(self.table, SEAT)
        return re.sub(r"(?i)\b(\d{1,2}) ?x\b", lambda times: dollars(int(times[1]) * first), text)

    def _about(self, ask: Ask) -> dict[str, str]:
        """What a move takes back: `$10 of Base 1`."""
        stages = self.poker.stages(self.table.options) if self.poker else ()
        stakes = self.table.stakes(SEAT)
        return {
            choice.move: f"{dollars(stakes[choice.withdraws])} of {self._title(choice.withdraws)}"
            for stage in stages
            for choice in stage.choices
            if choice.withdraws in stakes
        }

    def _prompt(self, ask: Ask) -> str:
        """The question and the moves; on a line of their own where there is no room for both."""
        text, moves = question(ask, self._about(ask))
        if len(text) + len(moves) + 13 <= self.console.width:  # an answer is seldom longer
            return f"  {text} {moves}: "
        self.say(text, indent=2)
        return f"  {moves}: "

    # What can be asked of the table.

    def greet(self) -> None:
        game = self.table.game
        self.say(f"{game.title}, N.J.A.C. {game.cite}", "bold")
        amounts = limits(list(self.table.openings(SEAT)))
        self.say(f"Wagers of {amounts}. You are in seat {SEAT} with {dollars(self.bankroll)}.")
        self.say(f"Bet in words, such as {self.examples}; then press Enter to {self._verb()}.")
        if self.poker:
            self.say("At a decision, hint says what each move is worth.")
        self.say("why explains a payment, odds the house edge; help lists the rest, quit leaves.")
        self.say("")
        self.layout()
        if self.company:
            self.say(self.company.introduction())
            self.say(self.company.hint())

    def layout(self) -> None:
        """The felt if the game has one, and what may be bet now with what it pays."""
        felt = FELTS.get(self.table.game.id)
        if felt:
            self.console.print(felt(self.table, self.seen, self.ink))
        if self.table.betting_is_open:
            grid = _grid("bet", "pays", "amounts")
            for row in by_odds(self.table) if felt else menu(self.table):
                grid.add_row(*_plain(*row))
            for row in later(self.table):
                grid.add_row(*_plain(*row), style="dim")
            self.console.print(grid)
        elif self.poker:
            self._show_hand()
        if self.lying:
            self.status()

    def odds(self, text: str = "") -> None:
        """The exact house edge of every wager, or all about one."""
        from croupier.analysis import analyze
        from croupier.cli.show import outcomes

        game, options = self.table.game, self.table.options
        labels: list[str] = []
        if text:
            named = [w.id for w in game.offered(options) if words_of(text) in names_of(w)]
            try:
                labels = [named[0] if named else read_wager(self.table, text)]
            except (ValueError, Refusal) as why:
                self.refuse(why)
                return

        meter = getattr(self.table.state, "meter", None)
        shown = meter.shown if meter else None

        def analyzed(watch: "Watch") -> list["WagerReport"]:
            return analyze(game, options, labels, meter=shown, watch=watch)

        reports = self._worked_out(analyzed)
        if reports is None:
            return
        if shown is not None and not all(_is_of_a_hand(game, each.wager) for each in reports):
            self.say(f"With the jackpot at {dollars(shown)}:", "dim")
        if not text:
            self.console.print(_edges(game, options, reports))
            return
        for report in reports:
            edge = report.house_edge
            title = self._title(report.label) + _with_its_hand(game, options, report.label)
            self.say(f"{title}: house edge {_percent(edge)}, exactly {edge}.")
            self.console.print(outcomes(report))

    def _worked_out(self, work: Callable[["Watch"], Found]) -> Found | None:
        """What may take its time: the player sees how far it is, and may interrupt it."""
        from croupier.cli.progress import bar

        try:
            with bar(self.table.game.title, self.console) as watch:
                return work(watch)
        except KeyboardInterrupt:
            self.say("Stopped.")
        except Refusal as why:
            self.refuse(why)
        return None

    def hint(self) -> None:
        """What each move is worth with the cards in view."""
        if self.poker is None:
            self.say("Hints are given at poker. Say odds for the house edge of every wager.")
        elif self.asked is None:
            self.say("There is nothing to decide now: ask for a hint when you are asked.")
        elif told := self._worked_out(self._advised):
            self.say(self._in_units(told), indent=2)

    def _advised(self, watch: "Watch") -> "Advised":
        from croupier.analysis.advise import advise

        assert self.poker is not None
        own, board, up = (self._in_view(pile) for pile in (SEAT, BOARD, DEALER))
        options = self.table.options
        return advise(self.poker, options, own, board, up, before=self.moves, watch=watch)

    def _in_units(self, told: "Advised") -> "Text":
        """`bet 4x +0.4660, check +0.1392 (in units of the ante)`, the best first."""
        from rich.text import Text

        assert self.poker is not None
        values = {move: f"{float(value):+.4f}" for move, value in told.values.items()}
        ranked = sorted(told.values, key=lambda move: -told.values[move])
        words = Text(", ").join(
            Text(f"{move.replace('_', ' ')} {values[move]}", "bold" if at == 0 else "")
            for at, move in enumerate(ranked)
        )
        unit = self._title(self.poker.main[0]).lower()
        beside = any(not _is_of_a_hand(self.poker, bet.wager) for bet in self.lying)
        apart = ", side wagers apart" if beside else ""
        article = "the " if unit.isalpha() else ""
        return words.append(f" (in units of {article}{unit}{apart})", "dim")

    def _in_view(self, pile: str) -> list[Card]:
        return [Card.parse(card) for card in self.seen.piles.get(pile, []) if card != FACE_DOWN]

    def _hand(self) -> str:
        """What the player's cards and the board make, once they are enough for a hand."""
        if self.poker is None:
            return ""
        cards, ladder = [*self._in_view(SEAT), *self._in_view(BOARD)], self.poker.ladder
        return rank(cards, ladder).describe() if len(cards) >= ladder.size else ""

    def _show_hand(self) -> None:
        """All the cards on the table, in the middle of a round."""
        if piles := [name for name in self.seen.piles if name not in NO_HANDS]:
            self.say(self._cards(piles), "bold", 2)
        if hand := self._hand():
            self.say(f"You have {hand}.", indent=2)

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

    def roads(self) -> None:
        """The scoreboards of the shoe, at baccarat."""
        results = results_of(self.table)
        if results is None:
            self.say("Roads are kept at baccarat. Say recent for the last results here.")
        elif not results:
            self.say("No coup has been dealt from this shoe yet.")
        else:
            self.console.print(roads(results, self.ink))

    def recent(self) -> None:
        """The last rounds, the newest first."""
        if not self.recent_rounds:
            self.say("No round has been played yet.")
        grid = _grid("", "")
        for came, won in recent(self.recent_rounds, RECENT):
            style = "green" if won[:1] == "+" else "red" if won[:1] == "-" else ""
            grid.add_row(came, _plain(won)[0], style=style)
        if grid.row_count:
            self.console.print(grid)

    def tell_shuffle(self) -> None:
        """How the cards were shuffled, cut and burnt the last time, step by step."""
        if not self.shuffle.steps:
            self.say("No cards have been shuffled yet.")
        for line in self.shuffle.in_full(self.ink):
            self.say(line, "dim", 2)

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
        grid = _grid("say", "to")
        verbs = dict.fromkeys(("Enter", "deal", self._verb(), "go"))
        for words, what in (
            (self.examples, "bet; several bets with a comma or and"),
            (", ".join(verbs), "play the round"),
            ("take down WAGER, clear", "take one wager down, or all"),
            ("rebet", "make the bets of the last round again"),
            ("why, why WAGER", "see how the last round was paid, and by which paragraph"),
            ("layout, stack", "see what may be bet and what it pays; what you have"),
            ("odds, odds WAGER", "see the exact house edge"),
            *[("hint", "at a decision, see what each move is worth")] * (self.poker is not None),
            ("recent", "see the last results"),
            *[("roads", "see the scoreboards of this shoe")] * (results_of(self.table) is not None),
            *[("shuffle", "see how the cards were shuffled, cut and burnt")]
            * self.shuffle.has_cards,
            ("rules", "see this table's options and irregularities"),
            ("quit", "leave"),
            ("always, always MOVE, ask", "answer an offer once for all; be asked again"),
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
        heard = len(self.table.events)
        if self.lying:
            self.table.collect_vigorish(SEAT)
        else:
            self.table.leave(SEAT)
        self._tell(self.table.events[heard:])
        there = sum(bet.stake for bet in self.lying)
        net = self.stack + there - self.bankroll
        result = f"up {dollars(net)}" if net > 0 else f"down {dollars(-net)}" if net else "even"
        behind = f" and {dollars(there)} still on the layout" if there else ""
        self.say(f"You leave with {dollars(self.stack)}{behind}: {result}.")
        if there:
            self.say(f"On the layout: {self._layout_in_words()}.")


LEAVING = ("quit", "exit", "q")
ALONE: dict[str, Callable[[Session], None]] = {
    "": Session.enter,
    **dict.fromkeys(("deal", "spin", "roll", "throw", "draw", "shake", "go"), Session.deal),
    **dict.fromkeys(("layout", "table"), Session.layout),
    **dict.fromkeys(("stack", "bets"), Session.status),
    **dict.fromkeys(("help", "?"), Session.help),
    **dict.fromkeys(LEAVING, Session.leave),
    "clear": Session.clear,
    "rebet": Session.rebet,
    "rules": Session.rules,
    "recent": Session.recent,
    **dict.fromkeys(("roads", "scoreboard"), Session.roads),
    "shuffle": Session.tell_shuffle,
    "hint": Session.hint,
    "ask": Session.ask_again,
}
WITH_WORDS: dict[str, Callable[[Session, str], None]] = {
    **dict.fromkeys(("odds", "edge"), Session.odds),
    **dict.fromkeys(("take", "remove"), Session.take_down),
    "why": Session.why,
}
ASIDE = (  # what may be asked in the middle of a question
    "layout", "table", "stack", "bets", "help", "?", "rules", "recent", "roads", "scoreboard",
    "odds", "edge", "why", "hint", "shuffle",
)  # fmt: skip
NO_HANDS = (BURNT, "discards", SET_ASIDE)
MONEY = ("wager", "reduce", "take_down", "collect", "pay", "return", "refund", "vigorish",
         "complimentary_vigorish")  # fmt: skip


def _is_news(event: Event) -> bool:
    """Not what the player has just said himself, nor the money of others."""
    seat = event.data.get("seat", SEAT)
    if event.kind == "decision":
        return bool(seat != SEAT)
    if event.kind == "step":
        return bool(event.data["text"] != PICKED_UP)
    return event.kind not in MONEY or seat == SEAT


class Shuffle:
    """A shuffle, told in two lines as it happens, and kept to be told in full."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.steps: list[Event] = []
        self._is_on = False
        self._has_begun = False  # the player has been told that it begins

    @property
    def has_cards(self) -> bool:
        """The game has something to shuffle."""
        return isinstance(self.table.game, ShoeGame | PokerGame)

    def note(self, event: Event) -> None:
        """Keep a step of a shuffle at poker, where the pack is shuffled for every round."""
        game = self.table.game
        if not isinstance(game, PokerGame) or event.kind != "step":
            return
        rules = game.rules
        begins = event.cite == rules.shuffle and [s.cite for s in self.steps] != [rules.opening]
        if event.cite == rules.opening or begins:
            self.steps = []
        if event.cite in (rules.opening, rules.shuffle, rules.cut):
            self.steps.append(event)

    def begin(self) -> None:
        """A round begins, perhaps with a shuffle."""
        self._is_on = isinstance(self.table.game, ShoeGame) and (
            self.table.state.shuffle_due or not self.table.state.opened
        )
        if self._is_on:
            self.steps, self._has_begun = [], False

    def takes(self, event: Event) -> bool:
        """Keep an event that is part of the shuffle, which ends with the burning."""
        if not self._is_on or event.kind in MONEY:
            return False
        self._is_on = event.kind in ("step", "decision") or event.data.get("to") == BURNT
        if self._is_on:
            self.steps.append(event)
        return self._is_on and event.kind != "decision"

    def news(self, ink: Ink) -> str:
        """What is to be said after the last of these events: how it began, and what was burnt."""
        last = self.steps[-1].data.get("text", "")
        if last and not self._has_begun and last not in self._opening():
            self._has_begun = True
            return f"New cards are inspected. {last}." if len(self.steps) > 1 else f"{last}."
        if not last.endswith("burnt"):
            return ""
        self._is_on = False
        cut = "The dealer cuts the cards. " if self.table.state.cutter is None else ""
        first = next((e.data["outcome"] for e in self.steps if "outcome" in e.data), "")
        which = f", the first of them {card_in_words(first, ink)}" if first else ""
        return f"{cut}{last}{which}."

    def _opening(self) -> set[str]:
        game = self.table.game
        assert isinstance(game, ShoeGame)
        how = game.ceremony(self.table.options, self.table.state)
        return {text for text, _ in (*how.opening, *how.after_rest)}

    def in_full(self, ink: Ink) -> Iterable[str]:
        burnt: list[str] = []
        for event in self.steps:
            if event.data.get("to") == BURNT:
                burnt.append(card_in_words(event.data.get("outcome", FACE_DOWN), ink))
                continue
            if any(burnt):
                yield f"Burnt: {' '.join(burnt)}."
                burnt = []
            yield f"{told(self.table.game, event)[0]} [{event.cite}]"


# What is drawn.


def _is_of_a_hand(game: Game, wager: Wager) -> bool:
    """One of the wagers that stand or fall together at poker, and not a side wager."""
    return wager.joins is not None or any(each.joins == wager.id for each in game.wagers)


def _with_its_hand(game: Game, options: Any, label: str) -> str:
    """`, the whole hand with Play and Blind`."""
    joined = [wager.title for wager in game.offered(options) if wager.joins == label]
    return f", the whole hand with {either(joined, 'and')}" if joined else ""


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


def _edges(game: Game, options: Any, reports: Iterable["WagerReport"]) -> "Grid":
    """The house edge of every wager, the best first; what is alike in a family shares a row."""
    rows: dict[tuple[Fraction, Fraction, str], list[WagerReport]] = {}
    for report in reports:
        worth = (report.house_edge, report.hit_frequency, family(report.wager)[0])
        rows.setdefault(worth, []).append(report)
    grid = _grid("wager", "house edge", "exactly", "wins")
    for (edge, hits, _), alike in sorted(rows.items(), key=lambda row: row[0][0]):
        title = title_of_label(game, alike[0].label)
        title += _with_its_hand(game, options, alike[0].label)
        if len(alike) > 1:
            numbers = ", ".join(family(report.wager)[1] for report in alike)
            title = f"{family_title([report.wager for report in alike])} {numbers}"
        exactly = str(edge) if len(str(edge)) < 15 else ""
        grid.add_row(*_plain(title, _percent(edge), exactly, _percent(hits)))
    return grid
