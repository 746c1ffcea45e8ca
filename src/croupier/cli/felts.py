"""What is drawn: cards, felts, and the roads of baccarat.

Everything is drawn for a terminal as it is (`Ink`): with colors or without,
with the signs of the suits or in letters, and no wider than its lines.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rich.console import Console
from rich.text import Text

from croupier.cli.words import SEAT, hand_title, short_name
from croupier.equipment import Card, dollars
from croupier.games import scoreboard
from croupier.games.baccarat import BANKER, HANDS, PLAYER, count
from croupier.games.scoreboard import Bead, Color, DerivedCell, Hand, Mark, RoadCell
from croupier.rulebook import Event, Table

SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
FACE_DOWN = ""  # a card that the player has not seen
BURNT = "burn"
BACCARATS = ("baccarat-punto-banco", "minibaccarat", "baccarat-chemin-de-fer")
PLAIN = str.maketrans({"·": "-", "●": "x", "○": "o", "×": "x", "…": "..."})  # noqa: RUF001

Cell = Bead | RoadCell | DerivedCell


@dataclass(frozen=True)
class Ink:
    """What a terminal can print."""

    color: bool = False
    letters: bool = False  # no signs beyond plain letters
    width: int = 80

    @classmethod
    def of(cls, console: Console) -> "Ink":
        color = not console.no_color and console.color_system is not None
        return cls(color, console.options.ascii_only, console.width)

    @property
    def gap(self) -> str:
        """Between the cards of a hand, which are not torn apart at the end of a line."""
        return " " if self.letters else "\N{NO-BREAK SPACE}"

    def plain(self, text: str) -> str:
        """The text, in what the terminal can print."""
        return text.translate(PLAIN) if self.letters else text


# Cards.


def card_in_words(said: str, ink: Ink) -> str:
    """`Th` is 10♥, or stays Th in letters; a card that lies face down shows its back."""
    if said == FACE_DOWN:
        return "##" if ink.letters else "▒▒"
    if ink.letters or said[1:] not in SUITS:
        return said
    return said[0].replace("T", "10") + SUITS[said[1]]


def cards(said: Iterable[str], ink: Ink) -> Text:
    """Cards side by side, the red suits in red, never broken at the end of a line."""
    return Text(ink.gap).join(
        Text(card_in_words(each, ink), style="red" if each[1:] in ("d", "h") else "")
        for each in said
    )


@dataclass
class Seen:
    """The cards on the layout as the player has seen them, pile by pile."""

    piles: dict[str, list[str]] = field(default_factory=dict)
    news: set[str] = field(default_factory=set)  # piles that have changed

    def note(self, event: Event) -> bool:
        """Take in an event, if it is about cards."""
        data = event.data
        if event.kind in ("draw", "set_aside") and "to" in data:
            self._pile(data["to"]).append(str(data.get("outcome", FACE_DOWN)))
        elif event.kind == "look":
            self._turn(data["to"], [data["outcome"]])
        elif event.kind == "reveal":
            self._turn(data["hand"], data["cards"])
        else:
            return False
        return True

    def _pile(self, name: str) -> list[str]:
        self.news.add(name)
        return self.piles.setdefault(name, [])

    def _turn(self, name: str, turned: Iterable[str]) -> None:
        """Those that lay face down, in order; what the player has seen before is no news."""
        for card in turned:
            if FACE_DOWN in self.piles.get(name, []):
                pile = self._pile(name)
                pile[pile.index(FACE_DOWN)] = card

    def take_news(self) -> list[str]:
        """The piles that have changed since this was asked the last time."""
        news, self.news = self.news, set()
        return [name for name in self.piles if name in news and self._is_shown(name)]

    def _is_shown(self, name: str) -> bool:
        """Not cards that were burnt unseen: that they were is said in words."""
        return name != BURNT or any(self.piles[name])

    def line(self, names: Iterable[str], ink: Ink, counts: bool) -> Text:
        """`Player: 5♥ 4♦ (9)   Banker: K♠ 6♣ (6)`."""
        return Text("   ").join(self._one(name, ink, counts) for name in names)

    def _one(self, name: str, ink: Ink, counts: bool) -> Text:
        pile = self.piles[name]
        title = "Burnt" if name == BURNT else hand_title(name)
        text = Text(f"{title}:{ink.gap}").append_text(cards(pile, ink))
        if counts and name in HANDS and all(pile):
            text.append(f"{ink.gap}({points(pile)})")
        return text


def points(pile: Iterable[str]) -> int:
    """What a hand of baccarat counts."""
    return count([Card.parse(card) for card in pile])


# Felts.


class Felt:
    """Boxes of cloth, row by row."""

    def __init__(self, ink: Ink) -> None:
        self.color = ink.color
        self.text = Text(no_wrap=True)

    def box(self, text: str, width: int, shade: str = "green") -> None:
        style = f"bold white on {shade}" if self.color else ""
        self.text.append(text[:width].center(width), style)
        self.text.append(" " if self.color else "|")

    def end(self, text: str = "") -> None:
        self.text.append(f"{text}\n")


def roulette_felt(table: Table, seen: Seen, ink: Ink) -> Text:
    """The numbers in three rows with the zeros at their head, the dozens, the even-money boxes."""
    game, options = table.game, table.options
    zeros = [spot for spot in ("00", "0") if spot in game.by_id["straight"].spots(options)]
    reds = game.by_id["red"].spots(options)[""]
    offered = {wager.id for wager in game.offered(options)}
    felt = Felt(ink)

    def number(text: str) -> None:
        red = text in reds
        mark = "" if ink.color else "r" if red else "b"
        felt.box(text + mark, 3, "red" if red else "black")

    heads = {3: zeros[0], 2: "", 1: zeros[1]} if len(zeros) == 2 else {3: "", 2: "0", 1: ""}
    for column in (3, 2, 1):
        felt.box(heads[column], 3)
        for each in range(column, 37, 3):
            number(str(each))
        felt.end(f"column {column}")
    if "dozen" in offered:
        felt.text.append(" " * 4)
        for dozen in (1, 2, 3):
            felt.box(f"dozen {dozen}", 15)
        felt.end()
    felt.text.append(" " * 4)
    for name, id, shade in EVEN_MONEY:
        felt.box(name if id in offered else "", 7, shade if id in offered else "green")
    felt.end("" if ink.color else "\n    (r is red, b is black)")
    return felt.text


EVEN_MONEY = (
    ("1-18", "low_1_18", "green"), ("even", "even", "green"), ("red", "red", "red"),
    ("black", "black", "black"), ("odd", "odd", "green"), ("19-36", "high_19_36", "green"),
)  # fmt: skip


def baccarat_felt(table: Table, seen: Seen, ink: Ink) -> Text:
    """The two hands of the last coup, and below them what lies on each wager."""
    felt = Felt(ink)
    inside = min(ink.width, 62) - 2
    for hand in (PLAYER, BANKER):
        pile = seen.piles.get(hand, [])
        dealt = " ".join(card_in_words(card, ink) for card in pile)
        counted = f"  {points(pile)}" if pile and all(pile) else ""
        felt.box(f"{HANDS[hand]}  {dealt}{counted}".rstrip(), inside // 2)
    felt.end()
    offered = {wager.id for wager in table.game.offered(table.options)}
    for row in BACCARAT_ROWS:
        here = [id for id in row if id in offered]
        for id in here:
            name = short_name(table.game.by_id[id]).upper()
            text = f"{name}  {_lies(table, id)}".rstrip()
            felt.box(text, inside // 2 * 2 // len(here) + (len(here) == 1), SHADES.get(id, "green"))
        if here:
            felt.end()
    return felt.text


BACCARAT_ROWS = (
    ("tie",), ("banker",), ("player",), ("bank",), ("banco",), ("punt",),
    ("total_cards_4", "total_cards_5", "total_cards_6"), ("bonus_player", "bonus_banker"),
)  # fmt: skip
SHADES = {"banker": "red", "player": "blue", "bank": "red", "banco": "blue", "punt": "blue"}


def _lies(table: Table, wager: str) -> str:
    """`$10`, or `$10, seat 3 $20` where others wager too."""
    seats = {seat: table.stakes(seat).get(wager, 0) for seat in table.positions}
    if wager == "bank" and not any(seats.values()) and table.state.bank:
        seats = {table.state.banker: table.state.bank}  # it goes on as it is
    return ", ".join(
        dollars(stake) if seat == SEAT else f"seat {seat} {dollars(stake)}"
        for seat, stake in seats.items()
        if stake
    )


FELTS: Mapping[str, Callable[[Table, Seen, Ink], Text]] = {
    "roulette": roulette_felt,
    **dict.fromkeys(BACCARATS, baccarat_felt),
}


# The roads of baccarat.

STYLES = {
    Hand.BANKER: "bold red",
    Hand.PLAYER: "bold blue",
    Hand.TIE: "bold green",
    Color.RED: "red",
    Color.BLUE: "blue",
}
BETWEEN = 3  # columns between two boards
NARROW = 48  # below this, one board under the other


def results_of(table: Table) -> tuple[Mark, ...] | None:
    """The coups of this shoe, at baccarat."""
    return tuple(table.state.results) if table.game.id in BACCARATS else None


def roads(results: Sequence[Mark], ink: Ink) -> Text:
    """All five boards, as much of their ends as fits, and the totals."""
    rows: list[list[tuple[str, Sequence[Cell]]]] = [
        [
            ("Bead plate", scoreboard.bead_plate(results)),
            ("Big road", scoreboard.big_road(results)),
        ],
        [
            ("Big eye boy", scoreboard.big_eye_boy(results)),
            ("Small road", scoreboard.small_road(results)),
            ("Cockroach pig", scoreboard.cockroach_pig(results)),
        ],
    ]
    if ink.width < NARROW:
        rows = [[board] for row in rows for board in row]
    lines = [line for row in rows for line in [*_side_by_side(row, ink), Text()]]
    total = scoreboard.totals(results)
    dot, coups = ink.plain(" · "), f"{total.coups} coup{'s' * (total.coups != 1)}"
    lines.append(
        Text.assemble(
            ("Banker", STYLES[Hand.BANKER]), f" {total.banker}{dot}",
            ("Player", STYLES[Hand.PLAYER]), f" {total.player}{dot}",
            ("Tie", STYLES[Hand.TIE]), f" {total.tie}{dot}",
            f"naturals {total.naturals}{dot}{coups}",
        )
    )  # fmt: skip
    key = ink.plain("Small letters: a tie followed. ● regular, ○ choppy.")
    return Text("\n").join([*lines, Text(key, style="dim")])


def _side_by_side(boards: list[tuple[str, Sequence[Cell]]], ink: Ink) -> list[Text]:
    """Boards in one row, each with its share of the width or, if it needs less, with that."""
    left, drawn = ink.width, []
    for at, (title, cells) in enumerate(boards):
        share = (left - BETWEEN * (len(boards) - at - 1)) // (len(boards) - at)
        board = _board(title, cells, share, ink)
        left -= board[0].cell_len + BETWEEN
        drawn.append(board)
    return [Text(" " * BETWEEN).join(lines) for lines in zip(*drawn, strict=True)]


def _board(title: str, cells: Sequence[Cell], width: int, ink: Ink) -> list[Text]:
    """The title and six rows, all equally wide; of a long board, its end."""
    last = max((cell.column for cell in cells), default=0)
    columns = min(max(last, (len(title) + 2) // 2), width // 2)
    skipped = max(last - columns, 0)
    there = {(cell.row, cell.column - skipped): cell for cell in cells}
    heading = ink.plain(f"{title} …" if skipped else title)[: columns * 2]
    lines = [Text(heading.ljust(columns * 2), style="bold")]
    for row in range(1, scoreboard.ROWS + 1):
        line = Text()
        for column in range(1, columns + 1):
            cell = there.get((row, column))
            letter = cell.letter if cell else scoreboard.BLANK
            line.append(ink.plain(letter), _style(cell)).append(" ")
        lines.append(line)
    return lines


def _style(cell: Cell | None) -> str:
    if cell is None:
        return "dim"
    return STYLES[cell.color if isinstance(cell, DerivedCell) else cell.mark.winner]
