"""A disputed round: everything about it, in one folder that can be handed over.

N.J.A.C. 13:69E-1.31(b): the table is stopped, and its history and what it
showed are kept. The folder holds the rows of the log as they are, what they
say in plain words, the rules that were in force, a script that plays the round
again, a page of what happened, and the hashes that hold it all together.
"""

import hashlib
import html
import io
import json
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from croupier.equipment import dollars
from croupier.floor import checkpoint, log, recall, schema
from croupier.floor.checkpoint import CheckpointFailed
from croupier.floor.commands import THE_HOUSE
from croupier.floor.events import BEGINNING, LogEvent
from croupier.floor.live import DISPUTE
from croupier.floor.log import LogBroken
from croupier.floor.pit import Pit
from croupier.floor.rescript import scripted
from croupier.floor.software import software
from croupier.games import find_game
from croupier.rulebook import SET_ASIDE, Fault, Refusal
from croupier.voice import happened

Files = dict[str, bytes]
Told = dict[str, Any]


def freeze(pit: Pit, stream: str, number: int, why: str) -> bool:
    """Stop a table until a supervisor has looked into it. One that is closed is stopped already."""
    status = pit.seen(stream).status
    if status in ("open", "closing"):
        pit.do(stream, THE_HOUSE, {"do": "freeze", "why": why, "about": number})
    return status != "closed"


def bundle(
    conn: Connection, stream: str, number: int, to: Path, checkpoints: Path | None = None
) -> Path:
    """Write the folder of a round, and the same as a zip file beside it."""
    files = _files(conn, stream, number, checkpoints)
    folder = to / f"{stream}-{number}"
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    folder.with_name(f"{folder.name}.zip").write_bytes(_zip(files))
    return folder


def zipped(conn: Connection, stream: str, number: int, checkpoints: Path | None = None) -> bytes:
    """The same, as one zip file."""
    return _zip(_files(conn, stream, number, checkpoints))


def _zip(files: Files) -> bytes:
    """The same files give the same bytes, whenever it is done."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in files.items():
            file.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _files(conn: Connection, stream: str, number: int, checkpoints: Path | None) -> Files:
    table = conn.execute(select(schema.tables).where(schema.tables.c.id == stream)).first()
    if table is None:
        raise Refusal(Fault.UNKNOWN_TABLE, f"there is no table {stream!r}")
    events = recall.of_round(conn, stream, number)
    shown = recall.one(conn, stream, events)
    told = _round(table, shown, events)
    script, proof = _script(conn, stream, number)
    rules = _rules(conn, events)
    files: Files = {
        "README.txt": _readme(told, has_script=script is not None, proof=proof).encode(),
        "events.jsonl": "".join(_line(log.values(event)) for event in events).encode(),
        "round.json": _json(told),
        "rules.json": _json(rules),
        "table.html": _page(told, rules, proof).encode(),
    }
    if script is not None:
        comment = f"Round {number} of table {stream}, {told['began']}"
        files["script.json"] = _json({"comment": comment, **script})
    files["hashes.json"] = _json({
        "table": stream,
        "round": number,
        "events": {
            "first": events[0].number, "last": events[-1].number,
            "previous": events[0].previous, "head": events[-1].hash,
        },
        "log": dict(zip(("events", "head"), log.head(conn, stream) or (0, BEGINNING), strict=True)),
        "proof": proof,
        "checkpoint": _checkpoint(stream, events[-1].number, checkpoints),
        "sha256": {name: hashlib.sha256(files[name]).hexdigest() for name in sorted(files)},
    })  # fmt: skip
    return dict(sorted(files.items()))


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode("utf-8", "replace")


def _line(value: Any) -> str:
    return json.dumps(value) + "\n"


def _script(conn: Connection, stream: str, number: int) -> tuple[Told | None, str]:
    """A script that plays the round again, and what playing the log again has shown."""
    try:
        script = scripted(conn, stream, number)
    except LogBroken as broken:
        return None, f"THE LOG IS BAD: {broken}"
    return script, (
        f"the log was played again from its first event to the last of round {number}, by "
        f"software {software()[:12]}, and every event came out as it was written"
    )


def _rules(conn: Connection, events: Sequence[LogEvent]) -> list[Told]:
    """The rules that the events name: one set, unless they were changed in the betting."""
    kept = schema.rulesets
    named = dict.fromkeys(event.rules for event in events)
    rows = conn.execute(select(kept).where(kept.c.hash.in_(named)))
    found = {row.hash: row for row in rows}
    return [
        {
            "hash": each,
            "game": row.game,
            "citation": str(find_game(row.game).cite),
            "options": json.loads(row.options),
            "software": row.software,
        }
        for each in named
        if (row := found.get(each)) is not None
    ]


def _checkpoint(stream: str, last: int, folder: Path | None) -> Told | None:
    """The signed line that covers the round, if there is one."""
    try:
        marks = checkpoint.read(folder) if folder is not None else checkpoint.Marks()
    except CheckpointFailed:
        return None
    mark = marks.newest.get(stream)
    return asdict(mark) if mark is not None and mark.count >= last else None


def _round(table: Any, shown: Told, events: Sequence[LogEvent]) -> Told:
    """What happened, for whoever may know all of it."""
    game = find_game(table.game)
    told = {event.number: json.loads(event.data) for event in events}
    kinds = {event.number: event.kind for event in events}
    stakes = {(each["seat"], each["wager"]): each["stake"] for each in shown["settlements"]}

    def explained(settled: Told) -> Told:
        base = game.by_id[settled["wager"].partition(":")[0]].paid_on
        on = stakes.get((settled["seat"], base), 0) if base else 0
        return {**settled, "sentence": recall.sentence(settled, on)}

    def those(*wanted: str) -> list[Told]:
        return [
            {"event": number, **told[number]} for number, kind in kinds.items() if kind in wanted
        ]

    return {
        "table": table.id,
        "name": table.name,
        "game": table.game,
        "title": game.title,
        "status": table.status,
        "round": shown["round"],
        "began": shown["began"],
        "ended": shown["ended"],
        "void": shown["void"],
        "cards": _cards(events, told),
        "outcomes": [
            data["outcome"] for number, data in told.items()
            if "outcome" in data and kinds[number] in ("spin", "throw", "draw") and "to" not in data
        ],
        "wagers": shown["wagers"],
        "settlements": [explained(settled) for settled in shown["settlements"]],
        "stacks": shown["stacks"],
        "meter": shown["meter"],
        "decisions": those("decision", "time_up"),
        "irregularities": those("irregularity"),
        "corrections": those("correction"),
        "events": shown["events"],
    }  # fmt: skip


def _cards(events: Iterable[LogEvent], told: Mapping[int, Told]) -> dict[str, list[str]]:
    """The cards of every hand, in the order in which they came, face up or down."""
    hands: defaultdict[str, list[str]] = defaultdict(list)
    for event in events:
        data = told[event.number]
        if event.kind == "set_aside" and hands[SET_ASIDE]:
            hands[data["to"]].append(hands[SET_ASIDE].pop(0))
        elif event.kind == "split":
            hands[data["to"]].append(hands[str(data.get("hand") or data["seat"])].pop())
        elif event.kind in ("draw", "look") and data.keys() == {"to", "outcome"}:
            hands[data["to"]].append(data["outcome"])
    return {hand: cards for hand, cards in hands.items() if cards}


# For people.


def _readme(told: Told, *, has_script: bool, proof: str) -> str:
    again = (
        "3. Play the round again:\n\n       croupier deal script.json\n\n"
        "   It must print the settlements of round.json, to the cent.\n"
        if has_script
        else "3. There is no script.json: this round cannot be told as a round script, because it\n"
        "   is not over, or depends on more than a thousand rounds before it. The log itself\n"
        "   still plays it again: see 4.\n"
    )
    return f"""Round {told["round"]} of table {told["table"]} ({told["name"]}, {told["title"]})
It began {told["began"]} and ended {told["ended"] or "never: it is still open"}.

What is here
  table.html    what happened, to be read in any browser
  round.json    the same for programs: cards, wagers, payments, the rule behind each, stacks
  events.jsonl  the rows of the log, one a line, every column as it is in the database
  rules.json    the game, its options and the software that were in force
  script.json   the round as a round script, where it can be told as one
  hashes.json   what holds it together: the SHA-256 of every file here, the hash before the
                round and after it, the head of the log, and a signed checkpoint

How to check it
1. Hash the files (sha256sum *) and compare with "sha256" in hashes.json.

2. Hash the events. Of each line of events.jsonl take stream, number, round, kind, at, actor,
   request, citation, rules, seen_by, data, input, money and previous, in this order, as a JSON
   list in UTF-8 without spaces, and with nothing escaped that need not be; its SHA-256 is the
   event's hash. The "previous" of each event is the hash of the one before; that of the first
   is "previous" in hashes.json.

{again}
4. Check the whole log, of which this is a part, against its checkpoints:

       croupier verify --db URL --checkpoints FOLDER

What was found when this was written: {proof}.

This folder holds cards that only one player, or nobody, has seen. Keep it accordingly.
{DISPUTE}: a dispute that is not resolved is kept for a year at least.
"""


STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  color: #1b1b1b; background: #fff }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100% } caption { text-align: left; color: #555 }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #ddd;
  vertical-align: top }
td.money, th.money { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.rule, time { color: #555; font-size: .85rem } time { white-space: nowrap }
.bad { color: #a00; font-weight: bold }
.card { border: 1px solid #999; border-radius: .25rem; padding: 0 .3rem; margin-right: .2rem;
  white-space: nowrap }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #16201b }
  th, td { border-color: #444 } .rule, time, caption { color: #aaa } }
"""


def _page(told: Told, rules: Sequence[Told], proof: str) -> str:
    """What happened, on one page that needs nothing else and runs nothing."""
    e = html.escape
    void = f" It is void [{e(told['void'])}]." if told["void"] else ""
    software_then = e(rules[-1]["software"][:12]) if rules else "not kept"
    bad = ' class="bad"' if proof.startswith("THE LOG") else ""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Round {told["round"]} of {e(told["name"])}</title>
<style>{STYLE}</style>
</head>
<body>
<h1>{e(told["name"])}: {e(told["title"])}, round {told["round"]}</h1>
<p>Table {e(told["table"])}, which is {e(told["status"])}. The round began {e(told["began"])} and
{f"ended {e(told['ended'])}" if told["ended"] else "is not over"}.{void}
Rules of software {software_then}.</p>
<p{bad}>{e(proof[:1].upper() + proof[1:])}.</p>
<h2>Cards and outcomes</h2>
{_grid(("Hand", "Cards"), [(e(_place(hand)), _drawn(cards)) for hand, cards in _hands(told)])}
<h2>Wagers</h2>
{_settlements(told)}
<h2>Stacks</h2>
{_stacks(told)}
<h2>What happened</h2>
{_happened(told)}
<h2>Options of the table</h2>
{_options(rules)}
</body>
</html>
"""


MONEY = ("Stake", "Net", "At the start", "Bought", "Cashed in", "At the end")


def _grid(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Cells are HTML already."""
    kinds = [' class="money"' if head in MONEY else "" for head in heads]
    body = "".join(
        "<tr>" + "".join(f"<td{kind}>{cell}</td>" for kind, cell in zip(kinds, row, strict=True))
        for row in rows
    )
    if not body:
        return "<p>None.</p>"
    head = "".join(
        f'<th scope="col"{kind}>{name}</th>' for kind, name in zip(kinds, heads, strict=True)
    )
    return f"<table><thead><tr>{head}</thead><tbody>{body}</tbody></table>"


def _hands(told: Told) -> list[tuple[str, list[Any]]]:
    outcomes = [("", told["outcomes"])] if told["outcomes"] else []
    return [*told["cards"].items(), *outcomes]


def _drawn(outcomes: Iterable[Any]) -> str:
    return "".join(f'<span class="card">{html.escape(_said(each))}</span>' for each in outcomes)


def _said(outcome: Any) -> str:
    """A throw of 3 and 4, or cards: Ah, Kd."""
    if not isinstance(outcome, list):
        return str(outcome)
    return (" and " if all(type(each) is int for each in outcome) else ", ").join(map(str, outcome))


def _place(hand: str) -> str:
    named = f"seat {hand}" if hand.isdecimal() else hand.replace("_", " ") or "the equipment"
    return named[:1].upper() + named[1:]


def _rule(citation: str) -> str:
    return f'<span class="rule">{html.escape(citation)}</span>'


def _settlements(told: Told) -> str:
    e = html.escape
    if told["settlements"]:
        return _grid(("Seat", "Wager", "Result", "Net", "Why", "Rule"), [
            (e(s["seat"]), e(s["wager"]), e(s["result"]), dollars(s["net"]),
             e(s["sentence"].rpartition(" [")[0]), _rule(s["citation"]))
            for s in told["settlements"]
        ])  # fmt: skip
    return _grid(("Seat", "Wager", "Stake"), [
        (e(seat), e(wager), dollars(stake))
        for seat, wagers in told["wagers"].items() for wager, stake in wagers.items()
    ])  # fmt: skip


def _stacks(told: Told) -> str:
    return _grid(("Seat", "At the start", "Bought", "Cashed in", "At the end"), [
        (html.escape(seat), *(dollars(had[of]) for of in ("start", "bought", "cashed", "end")))
        for seat, had in told["stacks"].items()
    ])  # fmt: skip


def _options(rules: Sequence[Told]) -> str:
    return _grid(("Option", "Value"), [
        (html.escape(name), html.escape(json.dumps(value, ensure_ascii=False)))
        for each in rules[-1:] for name, value in each["options"].items()
    ])  # fmt: skip


def _happened(told: Told) -> str:
    return _grid(("Event", "Time", "What", "Rule"), [
        (str(event["number"]), _time(event["at"]), html.escape(words(event)),
         _rule(event.get("citation", "")))
        for event in told["events"]
    ])  # fmt: skip


def _time(at: str) -> str:
    """The time of day; the day is told above."""
    day, _, time = at.rpartition("T")
    return f'<time datetime="{html.escape(at)}">{html.escape(time if day else at)}</time>'


AMOUNTS = ("amount", "stake", "cash", "returned")

# What each kind of event says, with its data in the places of their names.
WORDS = {
    "announce": "The dealer says: {text}",
    "step": "{text}",
    "spin": "The wheel stops at {outcome}",
    "throw": "The dice show {outcome}",
    "reveal": "{hand} shows {cards}",
    "wager": "Seat {seat} has {stake} on {wager}",
    "reduce": "Seat {seat} reduces {wager} to {stake}",
    "take_down": "Seat {seat} takes {wager} down",
    "refund": "Seat {seat} gets {amount} of {wager} back",
    "pay": "Seat {seat} is paid {amount} on {wager}",
    "collect": "{amount} on {wager} is collected from seat {seat}",
    "return": "Seat {seat} gets {amount} on {wager} back",
    "buy_in": "Seat {seat} buys chips for {amount}",
    "cash_out": "Seat {seat} cashes {amount}",
    "vigorish": "Vigorish of {amount} is {how} for seat {seat}",
    "travel": "{wager} of seat {seat} moves to {to}",
    "irregularity": "{what}. {resolution}",
    "correction": "The house corrects {account} by {amount}: {why}",
    "seated": "{name} takes seat {seat}",
    "left": "{name} leaves seat {seat} with {cash}",
    "ready": "Seat {seat} is ready",
    "asked": "Seat {seat} is asked: {question}",
    "decision": "Seat {seat} decides: {move}",
    "time_up": "Seat {seat} has no time left: {move}",
    "betting_closes": "The betting closes in {seconds} seconds",
    "betting_goes_on": "The betting goes on",
    "round_over": "The round is over",
    "frozen": "The table is frozen: {why}",
    "thawed": "The table goes on: {why}",
    "closing": "The table takes no more wagers: {why}",
    "closed": "The table is closed",
    "opened": "The table is opened",
}


def words(event: Mapping[str, Any]) -> str:
    """An event in a sentence. What no sentence is known for is told by its data."""
    data = {
        key: dollars(value) if key in AMOUNTS and type(value) is int else _said(value)
        for key, value in event.items()
        if key not in ("number", "round", "kind", "at", "citation")
    }
    kind = event["kind"]
    if kind in ("draw", "look", "set_aside"):
        to, card = data.get("to", ""), data.get("outcome", "a card face down")
        if kind == "look" and not to.isdecimal():
            return f"{_place(to)}: the card is {card}"
        return f"{_place(to)} {'sees' if kind == 'look' else 'gets' if to else 'gives'} {card}"
    if said := happened(event):
        return said.rstrip(".")
    if "hand" in data and "seat" in data:
        data["seat"] = data.pop("hand")
    elif "hand" in data:
        data["hand"] = _place(data["hand"])
    if kind in WORDS:
        with suppress(KeyError):
            told = WORDS[kind].format_map(data)
            return f"{told} {data['amount']}" if kind == "decision" and "amount" in data else told
    rest = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in data.items())
    return f"{kind.replace('_', ' ')}: {rest}" if rest else kind.replace("_", " ")
