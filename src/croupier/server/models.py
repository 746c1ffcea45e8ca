"""What is sent to the floor and what comes back: the words of the API.

Amounts are whole cents, and nothing but an integer is one. What is not listed
here is refused, so that a misspelled field is never silently ignored.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictInt, StrictStr

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
    """Answer what the seat is asked, as `"fold"`, or as `{"bet": 4000}` where it says how much."""

    do: Literal["move"]
    move: Text | Annotated[dict[Label, StrictInt], Field(min_length=1, max_length=1)]
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


class CloseTable(OfTheTable):
    """Take no more wagers, play what stands to its end, cash everybody out."""

    do: Literal["close_table"]
    why: Text


Command = Annotated[
    Sit | BuyIn | Bet | Ready | Decide | Leave | TakeControl | TakeDealer | LeaveDealer
    | NoMoreBets | Deal | Report | PostNotice | Dispute | Freeze | Thaw | Correct | CloseTable,
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
    number: int
    seat: str
    question: str
    moves: list[dict[str, Any]]
    default: str
    offer: bool
    citation: str


class TableView(BaseModel):
    """A table as you may see it. Its cards are in the events since `round_began`."""

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
    state: dict[str, Any]
    vigorish_owed: dict[str, int]
    meter: int | None
    asked: Asked | None
    notice: dict[str, Any] | None
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
