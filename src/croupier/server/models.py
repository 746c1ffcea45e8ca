"""What is sent to the floor and what comes back: the words of the API.

Amounts are whole cents, and nothing but an integer is one. What is not listed
here is refused, so that a misspelled field is never silently ignored.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictInt, StrictStr

from croupier.rulebook import Family

MOST_CENTS = 10**15

MOMENT = r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$"


def _is_a_moment(text: str) -> str:
    datetime.fromisoformat(text)
    return text


def _on_one_line(text: str) -> str:
    if not text.isprintable() or not text.strip():
        raise ValueError("a name can be seen, on one line")
    return text.strip()


Text = Annotated[StrictStr, Field(max_length=500)]
Seat = Annotated[StrictStr, Field(max_length=4, examples=["1"])]
Cents = Annotated[StrictInt, Field(ge=-MOST_CENTS, le=MOST_CENTS, examples=[2500])]
Count = Annotated[StrictInt, Field(ge=1, le=2**53)]
Label = Annotated[str, Field(max_length=1000)]


class Said(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class OfTheTable(Said):
    round: Count | None = Field(
        default=None, description="refuse the command if the table is in another round by now"
    )


class OfASeat(OfTheTable):
    seat: Seat


Pieces = Annotated[list[Label], Field(max_length=64)]
Content = StrictInt | Pieces | Annotated[dict[Label, Pieces], Field(max_length=8)]


class Sit(OfASeat):
    do: Literal["sit"]
    buy_in: Cents | None = Field(default=None, description="chips to begin with")


class BuyIn(OfASeat):
    do: Literal["buy_in"]
    amount: Cents


class Bet(OfASeat):
    """Set wagers to amounts: more adds chips, less takes some back, 0 takes a wager down."""

    do: Literal["bet"]
    wagers: Annotated[dict[Label, Cents], Field(min_length=1, max_length=200)] = Field(
        examples=[{"straight:17": 2500}]
    )


class Ready(OfASeat):
    """No more wagers of mine; when all at the table say so, the round begins."""

    do: Literal["ready"]


class Decide(OfASeat):
    """Answer what the seat is asked: as `"fold"`, as `{"bet": 4000}` where it says how much, as
    `{"discard": ["7c", "2d"]}` where it chooses cards, or as
    `{"set": {"high": ["Ah", …], "low": ["9c", "9d"]}}` where it sets a hand in parts."""

    do: Literal["move"]
    move: Text | Annotated[dict[Label, Content], Field(min_length=1, max_length=1)]
    hand: Label | None = Field(
        default=None, description="which hand, where the seat is asked about several"
    )
    asked: Count | None = Field(default=None, description="the number of the question's event")


class Leave(OfASeat):
    """Cash out as soon as nothing of the seat is on the layout."""

    do: Literal["leave"]


class TakeControl(OfASeat):
    """Play the seat from this session from now on."""

    do: Literal["take_control"]


class TakeDealer(OfTheTable):
    do: Literal["take_dealer"]


class LeaveDealer(OfTheTable):
    do: Literal["leave_dealer"]


class NoMoreBets(OfTheTable):
    do: Literal["no_more_bets"]


class Deal(OfTheTable):
    """The next outcome: a card, a throw, a spin. Without a count, until a player must decide."""

    do: Literal["deal"]
    count: Annotated[StrictInt, Field(ge=1, le=1000)] | None = None
    outcome: Any = Field(default=None, description="what came, where the equipment is real")


class Report(OfTheTable):
    """Report an irregularity; the rule resolves it."""

    do: Literal["report"]
    irregularity: Text
    seat: Seat | None = None
    wager: Label | None = None


class PostNotice(OfTheTable):
    """Announce a change of limits or rules; it comes into force after the notice it needs."""

    do: Literal["post_notice"]
    options: Annotated[dict[Label, Any], Field(min_length=1, max_length=100)]
    at: Annotated[StrictStr, Field(pattern=MOMENT), AfterValidator(_is_a_moment)] | None = None


class Dispute(OfTheTable):
    """Ask that a round be looked into."""

    do: Literal["dispute"]
    about: Count = Field(description="the round")
    why: Text


class Freeze(OfTheTable):
    do: Literal["freeze"]
    why: Text
    about: Count | None = Field(default=None, description="the round")


class Thaw(OfTheTable):
    do: Literal["thaw"]
    why: Text


class Correct(OfTheTable):
    """Put a wrong payment right with a new one; without a seat, out of or into the cage."""

    do: Literal["correct"]
    seat: Seat | None = None
    cents: Annotated[StrictInt, Field(ge=-MOST_CENTS, le=MOST_CENTS)]
    why: Text
    about: Count = Field(description="the round")


class Approve(OfTheTable):
    """Agree, as a second person, to a correction that one may not make alone."""

    do: Literal["approve"]
    proposal: Count


class CloseTable(OfTheTable):
    """Take no more wagers, play what stands to its end, cash everybody out."""

    do: Literal["close_table"]
    why: Text


Command = Annotated[
    Sit | BuyIn | Bet | Ready | Decide | Leave | TakeControl | TakeDealer | LeaveDealer
    | NoMoreBets | Deal | Report | PostNotice | Dispute | Freeze | Thaw | Correct | Approve
    | CloseTable,
    Field(discriminator="do"),
]  # fmt: skip


class Credentials(Said):
    name: Annotated[StrictStr, Field(max_length=200)]
    password: Annotated[StrictStr, Field(max_length=1000)]


class Guest(Said):
    name: Annotated[StrictStr, Field(max_length=200)]
    link: Annotated[StrictStr, Field(max_length=200)]


class NewAccount(Credentials):
    role: Literal["patron", "dealer", "floorperson", "supervisor", "surveillance"] = "patron"


class ChangeAccount(Said):
    do: Literal["unlock", "close", "role"]
    role: Literal["patron", "dealer", "floorperson", "supervisor", "surveillance"] | None = None


class PayIn(Said):
    """Money that somebody brings to the cage, or takes from it."""

    name: Annotated[StrictStr, Field(max_length=200)]
    cents: Annotated[StrictInt, Field(ge=-MOST_CENTS, le=MOST_CENTS)]
    why: Text


class OwnLimit(Said):
    daily_buy_in: Annotated[StrictInt, Field(ge=0, le=MOST_CENTS)] | None


class Exclusion(Said):
    days: Annotated[StrictInt, Field(ge=1, le=36_500)] | None = None


class PayOut(Said):
    """How a table that cannot be opened is paid out."""

    why: Text
    amounts: dict[Seat, Annotated[StrictInt, Field(ge=0, le=MOST_CENTS)]] | None = None


class HowItIsRun(Said):
    dealer: Literal["house", "person"] = "house"
    equipment: Literal["simulated", "real"] = "simulated"
    bet_seconds: Annotated[StrictInt, Field(ge=1, le=3600)] | None = None
    move_seconds: Annotated[StrictInt, Field(ge=1, le=3600)] | None = None
    offer_seconds: Annotated[StrictInt, Field(ge=1, le=3600)] | None = None


class OpenTable(Said):
    game: Annotated[StrictStr, Field(max_length=100, examples=["three-card-poker"])]
    name: Annotated[StrictStr, Field(min_length=1, max_length=80), AfterValidator(_on_one_line)]
    options: Annotated[dict[Label, Any], Field(max_length=100)] = {}
    terms: HowItIsRun = HowItIsRun()
    link: Annotated[StrictStr, Field(min_length=20, max_length=200)] | None = Field(
        default=None, description="makes the table private: a secret of yours, which lets guests in"
    )


# What comes back.


class Error(BaseModel):
    """Why not. Nothing has changed."""

    fault: str
    message: str
    citation: str | None = None
    field: str | None = None
    violations: list[dict[str, str]] | None = None


class Reply(BaseModel):
    """A command was done, and is on disk."""

    table: str
    number: int = Field(description="of the last event at the table")
    round: int
    events: list[dict[str, Any]]
    stacks: dict[str, int] = Field(description="cents in front of your seats")


class Session(BaseModel):
    account: str
    name: str
    role: str
    token: str | None = Field(default=None, description="for programs; a browser has a cookie")
    expires_at: str | None = None
    previous_login_at: str | None = None
    guest_of: str | None = None
    message: str = ""


class Account(BaseModel):
    account: str
    pending: bool = False  # a second person must do the same before it is done


class AtTheCage(BaseModel):
    """What you have at the cage, and the limits that you have set yourself."""

    account: str
    cents: int
    lends: bool
    daily_buy_in: int | None
    bought_today: int
    excluded_until: str | None


class TableInLobby(BaseModel):
    id: str
    name: str
    game: str
    title: str
    status: str
    phase: str
    private: bool
    seats: int
    taken: int
    least: int
    most: int


class Asked(BaseModel):
    """A question that waits for an answer, with every move that answers it.

    A move is a word. It takes an amount where `high` is above zero, cards of the hand where it
    has `choose` (the least and the most), and the whole hand in parts where it has `parts` (how
    many go into each).
    """

    number: int
    seat: str
    hand: str | None = Field(default=None, description="where it is not the seat's first hand")
    holding: list[str] | None = Field(default=None, description="what you choose from")
    question: str
    moves: list[dict[str, Any]]
    default: str
    offer: bool
    citation: str


class HandInView(BaseModel):
    """A hand on the layout; null is a card or tile that you may not see."""

    seat: str | None
    cards: list[str | None]
    parts: dict[str, list[str]] | None = None


class PotInView(BaseModel):
    amount: int
    hands: list[str] = Field(description="those that may win it")


class TableView(BaseModel):
    """A table as you may see it. How its cards came is in the events since `round_began`."""

    id: str
    name: str
    game: str
    title: str
    options: dict[str, Any]
    terms: dict[str, Any]
    rules: str
    status: str
    phase: str
    round: int
    number: int
    round_began: int
    positions: list[str]
    seats: dict[str, dict[str, Any]]
    dealer: str | None
    bets: list[dict[str, Any]]
    hands: dict[str, HandInView]
    pots: list[PotInView]
    state: dict[str, Any]
    vigorish_owed: dict[str, int]
    meter: int | None
    asked: Asked | None = Field(description="the first of the questions: yours, if one is")
    questions: list[Asked] = Field(description="every question that waits for an answer")
    notice: dict[str, Any] | None
    proposed: dict[str, Any] | None
    irregularities: dict[str, dict[str, str]]
    seconds_left: float | None = None


class Opening(BaseModel):
    """A wager that may be made, and the amounts."""

    wager: str
    title: str
    low: int
    high: int
    step: int
    stake: int
    removable: bool
    citation: str


# The books: what every game is, what it pays and what it is worth.


class Exact(BaseModel):
    """A figure as the fraction that it is, and as people print it."""

    exact: str = Field(examples=["1/19"])
    decimal: float


class Violation(BaseModel):
    option: str
    message: str
    citation: str


class Edge(BaseModel):
    wager: str = Field(description="as it is wagered: `pass`, `straight:17`")
    title: str
    house_edge: Exact


class Edges(BaseModel):
    best: Edge
    worst: Edge


class GameWager(BaseModel):
    id: str
    title: str
    citation: str
    offered: bool = Field(description="at a table with default options")


class GameOption(BaseModel):
    id: str
    title: str
    default: Any
    values: list[Any] = Field(description="the lawful ones, or the default where there is no end")
    lawful: str = Field(description="in words, where there is no end to the lawful values")
    citation: str


class Irregularity(BaseModel):
    trigger: str
    resolution: str
    citation: str


class GameInBooks(BaseModel):
    """A game with its wagers, options and irregularities, at a table with default options."""

    id: str
    title: str
    citation: str
    family: Family = Field(description="what decides it")
    in_words: str
    seats: int
    least: int = Field(description="the least wager, in cents")
    most: int
    edges: Edges | None = Field(description="of its wagers; none while nobody has counted them")
    wagers: list[GameWager]
    options: list[GameOption]
    irregularities: dict[str, Irregularity]


class Checked(BaseModel):
    """Whether a table with these options may be opened."""

    lawful: bool
    violations: list[Violation]
    options: dict[str, Any] | None = Field(description="every one, as it was read; if lawful")
    changed: dict[str, Any] | None = Field(description="those from which all the others follow")


class NotReady(BaseModel):
    """It is being worked out: ask again in a second."""

    ready: Literal[False] = False
    done: float | None = Field(description="how much of it, from 0 to 1, where that is known")
    doing: str = Field(examples=["counting 2,598,960 deals"])


class WagerOutcome(BaseModel):
    result: str
    net: float = Field(description="units won by one unit of stake")
    probability: str


class Advised(BaseModel):
    situation: str
    move: str = Field(description="the best one")
    values: dict[str, float] = Field(description="of each move, in units of the first wager")
    probability: str


class WagerMathematics(BaseModel):
    title: str
    citation: str
    choices: list[str] = Field(description="the spots that it speaks for")
    house_edge: Exact
    return_: float = Field(alias="return")
    hit_frequency: float
    push_frequency: float
    standard_deviation: float
    element_of_risk: Exact
    outcomes: list[WagerOutcome]
    strategy: str
    frequencies: dict[str, str] = {}
    advice: list[Advised] = []


class Posting(BaseModel):
    """A line of the table on the wall: a lawful way to offer a wager, and what it is worth."""

    title: str
    label: str
    pays: list[str]
    house_edge: Exact
    element_of_risk: Exact
    hit_frequency: float
    push_frequency: float
    standard_deviation: float
    citation: str
    is_here: bool = Field(description="this table offers it so")


class Mathematics(BaseModel):
    """What every wager of a table is worth, exactly."""

    ready: Literal[True] = True
    game: str
    options: dict[str, Any]
    method: str
    wagers: dict[str, WagerMathematics]
    posted: list[Posting]


class PayLine(BaseModel):
    line: str
    odds: str


class Step(BaseModel):
    text: str
    citation: str | None


class RuledWager(BaseModel):
    id: str
    title: str
    citation: str
    paid_by: str = Field(description="the paragraph that sets its odds")
    offered: bool
    pays: list[PayLine]
    text: str | None


class OptionValue(BaseModel):
    value: Any
    shown: str
    chosen: bool
    lawful: bool = Field(description="the table, with this alone changed, may be opened")
    why: str | None = Field(description="the first reason why not")
    citation: str


class RuledOption(BaseModel):
    id: str
    title: str
    value: Any
    shown: str
    default: bool
    values: list[OptionValue] = Field(description="every one, unless there is no end to them")
    lawful: str | None = Field(description="in words, where there is no end to the lawful values")
    citation: str


class RuledIrregularity(Irregularity):
    id: str


class Rules(BaseModel):
    """The rules of a table in plain words."""

    game: str
    title: str
    citation: str
    about: str
    procedure: list[Step] = Field(description="of a round as it is dealt at this table")
    wagers: list[RuledWager]
    options: list[RuledOption]
    irregularities: list[RuledIrregularity]


class Figure(BaseModel):
    house_edge: Exact
    element_of_risk: Exact
    hit_frequency: float
    standard_deviation: float


class FeltWager(BaseModel):
    """An area of the felt."""

    id: str
    title: str
    citation: str
    pays: list[PayLine]
    spots: list[str] = Field(examples=[["straight:0", "straight:1"]])
    sampled: bool = Field(description="there are more spots than are listed")
    supports: str | None = Field(description="the wager behind which it is made")
    equals: str | None = Field(description="the wager that it must equal")
    paid_on: str | None = Field(description="a bonus: nothing is staked, it is paid on this wager")
    joins: str | None = Field(description="the wager in whose figures its own are")
    figures: dict[str, Figure] | None = Field(
        description="by label, or by the id for all its spots; ask for the mathematics if none"
    )


class Felt(BaseModel):
    """Every area of the felt of a table as it is configured."""

    game: str
    options: dict[str, Any]
    wagers: list[FeltWager]


class TableOutcome(BaseModel):
    round: int
    kind: str = Field(examples=["throw"])
    outcome: str | int | list[int] = Field(examples=[[3, 4]])


class RoadCell(BaseModel):
    col: int
    row: int
    mark: str = Field(description="banker, player or tie; on the derived roads red or blue")
    natural: bool = False
    ties: int = Field(default=0, description="that are marked on the cell")


class RoadTotals(BaseModel):
    banker: int
    player: int
    tie: int
    naturals: int
    coups: int


class Roads(BaseModel):
    """The scoreboards of baccarat, from the coups of this shoe. They say nothing of the next."""

    rows: int
    bead: list[RoadCell]
    big_road: list[RoadCell]
    big_eye: list[RoadCell]
    small: list[RoadCell]
    cockroach: list[RoadCell]
    totals: RoadTotals


class Outcomes(BaseModel):
    """What came at a table, the newest last, as everybody could see it."""

    outcomes: list[TableOutcome]
    results: list[str] = Field(description="of this shoe, in words, where the table keeps them")
    board: Roads | None


class CoverageRow(BaseModel):
    section: str
    title: str
    status: Literal["implemented", "physical", "missing"]
    code: list[str]
    tests: list[str]
    note: str


class Hint(BaseModel):
    """What each move is worth with the cards in view: for practice."""

    ready: Literal[True] = True
    game: str
    seat: str
    stage: str
    hand: str = Field(description="what the cards in view make")
    moves: dict[str, Exact] = Field(description="in units of the first wager")
    best: str
    citation: str


class Settlement(BaseModel):
    seat: str
    hand: str | None = Field(default=None, description="where it is not the seat's first hand")
    wager: str
    stake: int
    result: Literal["win", "lose", "push", "void", "surrender", "standing"]
    line: str
    pays: str
    net: int
    citation: str
    vigorish: int = 0


class ToldSettlement(Settlement):
    sentence: str = Field(description="the arithmetic")


class StackInRound(BaseModel):
    start: int
    end: int
    bought: int
    cashed: int


class Recalled(BaseModel):
    recall: Literal[True]
    table: str
    round: int
    events: list[dict[str, Any]]


class RecalledRound(Recalled):
    """A round as you may see it, from the log."""

    open: bool
    began: str
    ended: str | None
    void: str | None = Field(description="by which rule, if it is void")
    rules: str
    wagers: dict[str, dict[str, int]] = Field(description="by seat")
    settlements: list[Settlement]
    stacks: dict[str, StackInRound] = Field(description="of your seats")
    meter: int | None


class Why(Recalled):
    """Why a wager came out as it did: the rule, the outcome and the arithmetic."""

    seat: str
    wager: str
    settlements: list[ToldSettlement]
