"""Which table the sheet is about: options, pay tables, hashes, who signs; and how to repeat it."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from inspect import getsourcefile
from pathlib import Path
from sys import modules
from typing import Any

from croupier import __version__
from croupier.par.decisions import long_charts
from croupier.par.document import Block, Column, Section, Table, Text, Value
from croupier.par.outcomes import full_tables
from croupier.par.subject import Subject, listed, pays, said, shown
from croupier.rulebook import PokerGame, ShoeGame, Wager

EDITION = (
    "N.J.A.C. 19:47 and 13:69F, as cited; a citation names its source where it is not the text"
)
SIGNED_BY = ("Analyzed by", "Checked by", "Approved by")
PACKAGE = "croupier."


def rules_hash(subject: Subject) -> str:
    """Of the source of the game's own modules, and of the wagers and options they declare."""
    found = hashlib.sha256()
    for name, source in sorted(_sources(subject)):
        found.update(f"{name} {len(source)}\n".encode() + source)
    found.update(_canonical(_declared(subject)).encode())
    return found.hexdigest()


def _sources(subject: Subject) -> Iterator[tuple[str, bytes]]:
    game = subject.game
    owners = (*type(game).__mro__, *type(subject.options).__mro__)
    for name in {owner.__module__ for owner in owners if owner.__module__.startswith(PACKAGE)}:
        path = getsourcefile(modules[name])
        assert path is not None
        yield name, Path(path).read_bytes()


def _declared(subject: Subject) -> dict[str, Any]:
    game = subject.game
    return {
        "wagers": [
            {"id": wager.id, "cite": str(wager.cite), "paid_by": str(wager.paid_by)}
            for wager in game.wagers
        ],
        "options": {
            option.id: {"values": option.values, "lawful": option.lawful, "cite": str(option.cite)}
            for option in game.Options.all().values()
        },
    }


def config_hash(subject: Subject) -> str:
    """Of every option with its value."""
    return hashlib.sha256(_canonical(subject.options.as_json()).encode()).hexdigest()


def tables_hash(sections: Iterable[Section]) -> str:
    """Of every table, row by row."""
    tables = [
        [block.id, [[_exactly(value) for value in row] for row in block.rows]]
        for section in sections
        for block in section.blocks
        if isinstance(block, Table)
    ]
    return hashlib.sha256(_canonical(tables).encode()).hexdigest()


def _exactly(value: Value) -> Value:
    return value if value is None or isinstance(value, str | int | float) else str(value)


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)


def facts(subject: Subject, tables: str, author: str, now: datetime) -> dict[str, Any]:
    """Who, what, when and the hashes."""
    return {
        "game": subject.game.id,
        "title": subject.game.title,
        "citation": str(subject.game.cite),
        "edition": EDITION,
        "options": subject.options.as_json(),
        "engine": f"croupier {__version__}",
        "rules_hash": rules_hash(subject),
        "config_hash": config_hash(subject),
        "tables_hash": tables,
        "generated_at": now.isoformat(timespec="seconds"),
        "author": author,
    }


def identity(subject: Subject, told: Mapping[str, Any]) -> Section:
    rows = tuple(
        (said(key).capitalize(), str(value)) for key, value in told.items() if key != "options"
    )
    about = Table("identity", "Identity", (Column("what", ""), Column("value", "")), rows)
    return Section(
        "identity", "Identity",
        (about, _options(subject), *_pay_tables(subject), _sign_off()),
    )  # fmt: skip


def _options(subject: Subject) -> Table:
    defaults = subject.game.Options()
    columns = (
        Column("option", "Option"), Column("value", "Value"), Column("is_default", "Default"),
        Column("meaning", "Meaning"), Column("cite", "Citation"),
    )  # fmt: skip
    rows = []
    for option in subject.options.all().values():
        value = option.show(getattr(subject.options, option.id))
        usual = option.show(getattr(defaults, option.id))
        same = "yes" if value == usual else f"no: {shown(usual)}"
        rows.append((option.id, shown(value), same, option.title, str(option.cite)))
    return Table("options", "Configuration", columns, tuple(rows))


def _pay_tables(subject: Subject) -> Iterator[Table]:
    columns = (
        Column("wager", "Wager"), Column("line", "Line"), Column("pays", "Pays"),
        Column("cite", "Paid by"),
    )  # fmt: skip
    rows = tuple(
        (wager.title, said(line), str(odds), str(wager.payment_rule(subject.options)))
        for wager in subject.game.offered(subject.options)
        for line, odds in wager.pay_table(subject.options).items()
    )
    if rows:
        yield Table("pay_tables", "Pay tables in force", columns, rows)
    card = getattr(subject.options, "pay_schedule", None)
    if isinstance(card, Mapping):
        yield Table(
            "pay_card", "The card in force",
            (Column("spots", "Spots", "count"), Column("catches", "Catches", "count"),
             Column("pays", "Pays, for 1", "exact")),
            tuple(
                (spots, caught, pays) for spots, row in card.items() for caught, pays in row.items()
            ),
        )  # fmt: skip


def _sign_off() -> Table:
    columns = (
        Column("role", ""), Column("name", "Name"), Column("signature", "Signature"),
        Column("date", "Date"),
    )  # fmt: skip
    return Table("sign_off", "Sign-off", columns, tuple((role, "", "", "") for role in SIGNED_BY))


# The rules as analyzed.


def rules(subject: Subject) -> Section:
    game, options = subject.game, subject.options
    blocks: list[Block] = [Text((game.in_words,)), _wagers(subject)]
    if isinstance(game, PokerGame):
        columns = (
            Column("when", "When"), Column("question", "Question"), Column("moves", "May be done"),
            Column("cite", "Citation"),
        )  # fmt: skip
        stages = tuple(
            (each.title, each.question, listed(map(said, map(str, each.choices)), "or"),
             str(each.cite))
            for each in game.stages(options)
        )  # fmt: skip
        blocks.append(Table("stages", "Decisions, in their order", columns, stages))
    blocks.append(Text(("What is assumed:",)))
    blocks.append(Text(tuple(_assumptions(subject)), as_list=True))
    return Section("rules", "Rules and assumptions", tuple(blocks))


def _wagers(subject: Subject) -> Table:
    columns = (
        Column("wager", "Wager"), Column("rule", "How it is decided"), Column("cite", "Defined by"),
        Column("paid_by", "Paid by"),
    )  # fmt: skip
    rows = tuple(
        (wager.title, _in_a_sentence(subject, wager), str(wager.cite),
         str(wager.payment_rule(subject.options)))
        for wager in subject.game.offered(subject.options)
    )  # fmt: skip
    return Table("wagers", "Wagers", columns, rows)


def _in_a_sentence(subject: Subject, wager: Wager) -> str:
    """In the words of the rule itself, or by the lines that it is paid on."""
    words = " ".join((wager.decide.__doc__ or "").partition("\n\n")[0].split())
    lines = list(wager.pay_table(subject.options))
    on = f" Paid on {listed(map(said, lines), 'or')}." if len(lines) > 1 else ""
    return f"{words}{on}".strip() or f"Wins {pays(wager, subject.options)}, as in its outcomes."


def _assumptions(subject: Subject) -> Iterator[str]:
    game, options = subject.game, subject.options
    if isinstance(game, PokerGame):
        yield "One pack of 52 cards, shuffled for every round."
        yield "The player knows his own cards, the community cards and what the dealer shows."
        yield "Other players change nothing: their cards are unseen, and so as good as undealt."
        yield "Every decision is the best for the main hand; side wagers change none."
    elif isinstance(game, ShoeGame):
        cards = len(game.device(options).composition)
        yield f"A full shoe of {cards} cards, each round dealt from it afresh."
        yield "The number of players changes nothing: all are decided by the same cards."
        if game.duel(options) is not None:
            yield "Both players who choose play their equilibrium, by the counts of their hands."
        else:
            yield "Choices, where there are any, are the best for the main wager."
    else:
        yield f"Every outcome of the {game.device(options).name} is equally likely, every time."
        yield "A wager is left until it is decided."
    yield "Irregularities are settled by their rules and are no part of the mathematics."
    yield "Vigorish and payments are exact, without rounding or a limit on payments."


# How to do it again.


def long_tables(subject: Subject) -> Section:
    """What is too long to be read among the sections, and is wanted whole."""
    tables = (*full_tables(subject), *long_charts(subject))
    return Section("appendix", "Appendix", tables)


def appendix(subject: Subject, tables: Section, told: Mapping[str, Any]) -> Section:
    given = "".join(f" --set {_quoted(name, value)}" for name, value in subject.given.items())
    game = subject.game.id
    blocks: list[Block] = [
        Text(
            (
                f"Hash of all tables between identity and here, and of those below: "
                f"{told['tables_hash']}.",
                f"Every outcome as JSON: croupier analyze {game}{given} --json",
                f"This sheet: croupier par {game}{given}",
                f"In Python: croupier.par.sheet.sheet(find_game({game!r}), options); the game is "
                f"{type(subject.game).__module__}.{type(subject.game).__name__}.",
            ),
            as_list=True,
        ),
        *tables.blocks,
    ]
    return replace(tables, blocks=tuple(blocks))


def _quoted(name: str, value: Any) -> str:
    text = f"{name}={json.dumps(value) if isinstance(value, Mapping) else _as_set(value)}"
    return f"'{text}'" if any(not (c.isalnum() or c in "_=.,-") for c in text) else text


def _as_set(value: Any) -> str:
    """A value as `--set` takes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
