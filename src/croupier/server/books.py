"""The books of the house: what every game is, what its rules are and what it is worth.

All of it may be read by anyone; of a table, by whoever may know of the table.
What takes long is worked out in the count room, and whoever asks too early is
told to ask again.
"""

import asyncio
import json
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Annotated, Any, get_type_hints

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from fastapi import Response as Answer
from pydantic import TypeAdapter
from sqlalchemy import Connection, Row, select

from croupier.floor import schema
from croupier.floor.commands import Unavailable
from croupier.floor.live import LiveTable
from croupier.games import find_game, registry, scoreboard
from croupier.games.scoreboard import Bead, DerivedCell, Mark, RoadCell
from croupier.rulebook import BOARD, DEALER, Event, Fault, Game, PokerGame, Refusal, Wager, asked
from croupier.server import models, strict_json
from croupier.server.app import ERRORS, JSON, ATable, InTheHouse, TableId, Who
from croupier.server.count_room import Busy, CountRoom, Job, Work
from croupier.server.rules import chosen, pay_lines, rules

LIMITS = {"table_min", "table_max", "increment"}  # options that no figure depends on
DRAWN = {"wheel": "spin", "dice": "throw", "drum": "draw"}  # what everybody sees, by family
MOST_EVENTS = 20_000  # that are looked through for outcomes

books = APIRouter(prefix="/api", responses=ERRORS)


async def the_count_room(request: Request) -> CountRoom:
    room: CountRoom = request.app.state.count_room
    return room


async def the_address(request: Request) -> str:
    """Who asks, as the guard found it."""
    return str(request.scope["state"].get("address", ""))


async def as_given(
    options: Annotated[
        str,
        Query(max_length=5_000, description="those that are not the default, as a JSON object"),
    ] = "{}",
) -> dict[str, Any]:
    """The options of a table that somebody asks about."""
    try:
        given = strict_json.parse(options.encode())
    except strict_json.BadBody as bad:
        sentence = str(bad).replace("the body", "it")
        raise HTTPException(422, {"field": "options", "message": f"options: {sentence}"}) from None
    if not isinstance(given, dict):
        message = 'options: it must be a JSON object, such as {"table_min": 500}'
        raise HTTPException(422, {"field": "options", "message": message})
    return given


InTheCountRoom = Annotated[CountRoom, Depends(the_count_room)]
Address = Annotated[str, Depends(the_address)]
AsGiven = Annotated[dict[str, Any], Depends(as_given)]
NOT_YET: dict[int | str, dict[str, Any]] = {202: {"model": models.NotReady}}


async def counted(room: CountRoom, job: Job, whose: str = "") -> Answer:
    """What was worked out, or how far it is."""
    try:
        answer = await room.ask(job, whose)
    except Busy as why:
        raise Unavailable(str(why)) from None
    if isinstance(answer, Work):
        told = models.NotReady(done=answer.done, doing=answer.doing)
        return Answer(told.model_dump_json(), 202, media_type=JSON)
    return Answer(answer, media_type=JSON)


def as_json(value: Any) -> Answer:
    return Answer(value, media_type=JSON)


# The games.


def described(game: Game) -> models.GameInBooks:
    options = game.options()
    least, most = _limits(game, options)
    return models.GameInBooks(
        id=game.id, title=game.title, citation=str(game.cite), family=game.family,
        in_words=game.in_words, seats=game.seats(options), least=least, most=most,
        edges=_edges(game),
        wagers=[
            models.GameWager(id=wager.id, title=wager.title, citation=str(wager.cite),
                             offered=wager.offered(options))
            for wager in game.wagers
        ],
        options=[
            models.GameOption(id=option.id, title=option.title, default=value,
                              values=option.values, lawful=option.lawful,
                              citation=str(option.cite))
            for option in game.Options.all().values()
            for value in (options.as_json()[option.id],)
        ],
        irregularities={
            kind: models.Irregularity(trigger=rule.trigger, resolution=rule.says,
                                      citation=str(rule.cite))
            for kind, rule in game.resolutions(options).items()
        },
    )  # fmt: skip


def _limits(game: Game, options: Any) -> tuple[int, int]:
    """Of the wager that stands first in the game's list."""
    first = game.offered(options)[0]
    return first.limits(options, next(iter(first.shown(options).values())))


def _edges(game: Game) -> models.Edges | None:
    """The best and the worst of the wagers that may be made by themselves."""
    from croupier.analysis.figures import shipped

    found = [
        models.Edge(wager=label, title=wager.title, house_edge=figure["house_edge"])
        for label, figure in shipped(game).items()
        for wager in (game.by_id[label.partition(":")[0]],)
        if not wager.supports
    ]
    if not found:
        return None
    found.sort(key=lambda edge: edge.house_edge.decimal)
    return models.Edges(best=found[0], worst=found[-1])


@cache
def _every_game() -> bytes:
    every = [described(game) for game in registry().values()]
    return TypeAdapter(list[models.GameInBooks]).dump_json(every)


@cache
def _one_game(name: str) -> str:
    return described(find_game(name)).model_dump_json()


@books.get("/games", tags=["games"], response_model=list[models.GameInBooks])
async def games() -> Answer:
    """Every game there is, with its wagers, options and irregularities, each with its rule."""
    return as_json(_every_game())


@books.get("/games/{game}", tags=["games"], response_model=models.GameInBooks)
async def game(game: TableId) -> Answer:
    return as_json(_one_game(find_game(game).id))


@books.get("/games/{game}/check", tags=["games"])
async def check(game: TableId, given: AsGiven) -> models.Checked:
    """Is a table with these options lawful? All that is not, with the paragraph that forbids it."""
    found = find_game(game)
    if wrong := found.check(given):
        violations = [models.Violation(**each.as_json()) for each in wrong]
        return models.Checked(lawful=False, violations=violations, options=None, changed=None)
    options = found.options(given)
    changed = chosen(found, options)
    return models.Checked(lawful=True, violations=[], options=options.as_json(), changed=changed)


@books.get("/games/{game}/mathematics", tags=["games"], response_model=models.Mathematics,
           responses=NOT_YET)  # fmt: skip
async def mathematics(
    game: TableId, given: AsGiven, room: InTheCountRoom, address: Address
) -> Answer:
    """What every wager of a lawful table is worth, exactly. A long count is told to ask again."""
    found = find_game(game)
    return await counted(room, _count_of(found, found.options(given)), address)


def _count_of(game: Game, options: Any) -> Job:
    return {"do": "mathematics", "game": game.id, "options": options.as_json()}


@books.get("/games/{game}/rules", tags=["games"], response_model=models.Rules)
async def rules_of(game: TableId, given: AsGiven) -> Answer:
    """The rules of a lawful table, in plain words."""
    found = find_game(game)
    options = json.dumps(found.options(given).as_json())
    return as_json(await asyncio.to_thread(_ruled, found.id, options))


@lru_cache(256)
def _ruled(game: str, options: str) -> str:
    found = find_game(game)
    return rules(found, found.options(json.loads(options))).model_dump_json()


@books.get("/coverage", tags=["games"], response_model=list[models.CoverageRow],
           responses=NOT_YET)  # fmt: skip
async def coverage(room: InTheCountRoom) -> Answer:
    """Every section of the regulation: implemented, physical or missing, and who proves it."""
    return await counted(room, {"do": "coverage"})


# A table.


@books.get("/tables/{table}/felt", tags=["tables"])
async def felt(row: ATable, house: InTheHouse, room: InTheCountRoom) -> models.Felt:
    """Every area of the felt of this table: what it is called, pays and is worth."""
    game, options = await house.look(row.id, lambda live: (live.table.game, live.table.options))
    figures = _figures(game, options, room)
    return models.Felt(
        game=game.id, options=options.as_json(),
        wagers=[_area(wager, options, figures) for wager in game.offered(options)],
    )  # fmt: skip


def _area(wager: Wager, options: Any, figures: Mapping[str, Any] | None) -> models.FeltWager:
    own = None if figures is None else {
        label: models.Figure(**figure) for label, figure in figures.items()
        if label.partition(":")[0] == wager.id
    }  # fmt: skip
    return models.FeltWager(
        id=wager.id, title=wager.title, citation=str(wager.cite), pays=pay_lines(wager, options),
        spots=[wager.label(spot) for spot in wager.shown(options)],
        sampled=wager.reads is not None, supports=wager.supports, equals=wager.equals,
        paid_on=wager.paid_on, joins=wager.joins, figures=own,
    )  # fmt: skip


def _figures(game: Game, options: Any, room: CountRoom) -> Mapping[str, Any] | None:
    """As shipped, where nothing is changed that they depend on; else as counted before."""
    from croupier.analysis.figures import figures, shipped

    here, default = options.as_json(), game.options().as_json()
    if all(here[name] == default[name] for name in here.keys() - LIMITS) and shipped(game):
        return shipped(game)
    document = room.kept(_count_of(game, options))
    return figures(json.loads(document)) if document else None


@books.get("/tables/{table}/outcomes", tags=["tables"])
async def outcomes(
    row: ATable, house: InTheHouse, last: Annotated[int, Query(ge=1, le=300)] = 100
) -> models.Outcomes:
    """What came in the last rounds, the newest last; of a shoe, what the scoreboards hold."""

    def look(live: LiveTable) -> tuple[int, int, Game, Any]:
        return live.round, live.number, live.table.game, live.table.state

    round, number, game, state = await house.look(row.id, look)
    results = getattr(state, "results", ())
    marked = get_type_hints(game.State).get("results") == tuple[Mark, ...]
    drawn: list[models.TableOutcome] = []
    if game.family in DRAWN:
        since = (round - last - 1, number - MOST_EVENTS)
        drawn = await house.read(lambda conn: _drawn(conn, row.id, DRAWN[game.family], *since))
    return models.Outcomes(
        outcomes=drawn, results=[] if marked else list(results),
        board=_roads(results) if marked else None,
    )  # fmt: skip


def _drawn(
    conn: Connection, stream: str, kind: str, after_round: int, after: int
) -> list[models.TableOutcome]:
    events = schema.events.c
    query = select(events.round, events.data).where(
        events.stream == stream, events.round > after_round, events.number > after,
        events.kind == kind, events.seen_by.is_(None),
    )  # fmt: skip
    rows: Iterable[Row[Any]] = conn.execute(query.order_by(events.number))
    found: list[models.TableOutcome] = []
    for row in rows:
        outcome = json.loads(row.data)["outcome"]
        if kind != "draw":
            found.append(models.TableOutcome(round=row.round, kind=kind, outcome=outcome))
        elif found and found[-1].round == row.round:  # one after the other, twenty to a round
            found[-1].outcome = [*_numbers(found[-1].outcome), outcome]
        else:
            found.append(models.TableOutcome(round=row.round, kind=kind, outcome=[outcome]))
    return found


def _numbers(outcome: Any) -> list[int]:
    assert isinstance(outcome, list)
    return outcome


def _roads(results: Iterable[Mark]) -> models.Roads:
    marks = [*results]
    total = scoreboard.totals(marks)
    return models.Roads(
        rows=scoreboard.ROWS,
        bead=[_cell(cell) for cell in scoreboard.bead_plate(marks)],
        big_road=[_cell(cell) for cell in scoreboard.big_road(marks)],
        big_eye=[_cell(cell) for cell in scoreboard.big_eye_boy(marks)],
        small=[_cell(cell) for cell in scoreboard.small_road(marks)],
        cockroach=[_cell(cell) for cell in scoreboard.cockroach_pig(marks)],
        totals=models.RoadTotals(
            banker=total.banker, player=total.player, tie=total.tie, naturals=total.naturals,
            coups=total.coups,
        ),
    )  # fmt: skip


def _cell(cell: Bead | RoadCell | DerivedCell) -> models.RoadCell:
    if isinstance(cell, DerivedCell):
        return models.RoadCell(col=cell.column, row=cell.row, mark=cell.color)
    ties = cell.ties if isinstance(cell, RoadCell) else 0
    return models.RoadCell(
        col=cell.column, row=cell.row, mark=cell.mark.winner, natural=cell.mark.natural, ties=ties
    )


# A hint, for practice.


@books.get("/tables/{table}/hint", tags=["tables"], response_model=models.Hint, responses=NOT_YET)
async def hint(
    row: ATable, house: InTheHouse, person: Who, room: InTheCountRoom,
    seat: Annotated[str, Query(max_length=4)],
) -> Answer:  # fmt: skip
    """What each move of your seat is worth with the cards that it sees. Only while it is asked."""

    if not isinstance(find_game(row.game), PokerGame):
        raise HTTPException(404, {"message": "hints are given at poker"})

    def look(live: LiveTable) -> Job:
        if seat not in live.seats_of(person.account):
            raise Refusal(Fault.FORBIDDEN, "that seat is not yours")
        return _question(live, seat)

    return await counted(room, await house.look(row.id, look))


def _question(live: LiveTable, seat: str) -> Job:
    table, game = live.table, live.table.game
    assert isinstance(game, PokerGame)
    stages = game.stages(table.options)
    questions = {stage.question for stage in stages}
    if not any(ask.seat == seat and ask.question in questions for ask in asked(live.request)):
        raise Refusal(Fault.NOT_NOW, "the seat has nothing to decide now", game.cite)
    seen = [event for event in table.events if event.seen_by in (None, seat)]
    moves = {choice.move for stage in stages for choice in stage.choices}
    before = [
        event.data["move"] for event in seen
        if event.kind == "decision" and event.data["seat"] == seat and event.data["move"] in moves
    ]  # fmt: skip
    own, board, up = (_in_view(seen, pile) for pile in (seat, BOARD, DEALER))
    return {
        "do": "hint", "game": game.id, "options": table.options.as_json(), "seat": seat,
        "own": own, "board": board, "up": up, "before": before,
    }  # fmt: skip


def _in_view(seen: Iterable[Event], pile: str) -> list[str]:
    """The cards of a pile that somebody has seen, who has seen these events."""
    cards: list[str] = []
    for event in seen:
        if event.kind in ("draw", "look") and event.data.get("to") == pile:
            cards += [event.data["outcome"]] if "outcome" in event.data else []
        elif event.kind == "reveal" and event.data["hand"] == pile:
            cards += [card for card in event.data["cards"] if card not in cards]
    return cards
