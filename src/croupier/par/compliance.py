"""Whether the table pays and limits as the regulation demands, line by line."""

from collections.abc import Iterator
from math import floor

from croupier.analysis import WagerReport
from croupier.par.document import Block, Column, Section, Table, Text, Value
from croupier.par.subject import Subject, greatest, money, said
from croupier.rulebook import PokerGame, Wager


def compliance(subject: Subject) -> Section:
    wrong = subject.game.check(subject.given)
    verdict = "This table is lawful: no option and no combination of them is forbidden."
    blocks: list[Block] = [Text(("This table may not be opened:" if wrong else verdict,))]
    if wrong:
        blocks.append(Text(tuple(f"{v.message} ({v.cite})" for v in wrong), as_list=True))
    blocks += _odds(subject)
    blocks += _limits(subject)
    blocks += _caps(subject)
    return Section("compliance", "Compliance", tuple(blocks))


def _odds(subject: Subject) -> Iterator[Block]:
    rows = tuple(
        row for wager in subject.game.offered(subject.options) for row in _lines(subject, wager)
    )
    if not rows:
        yield Text(
            (
                "No wager has odds of its own that the regulation sets: payments are by the "
                "card that the licensee publishes.",
            )
        )
        return
    columns = (
        Column("wager", "Wager"), Column("line", "Line"), Column("least", "Regulation"),
        Column("pays", "This table"), Column("verdict", "Verdict"), Column("cite", "Citation"),
    )  # fmt: skip
    yield Table(
        "odds", "What is paid against what must be paid", columns, rows,
        note="Least odds, unless a line must be paid exactly. A citation says where the terms "
        "come from if they are not the text of the regulation.",
    )  # fmt: skip


def _lines(subject: Subject, wager: Wager) -> Iterator[tuple[Value, ...]]:
    options = subject.options
    least, table = wager.minimum(options), wager.pay_table(options)
    for line, odds in table.items():
        must = least.get(line)
        if must is None:
            verdict, rule = "fail: no such line", "not paid"
        elif wager.pays_exactly:
            verdict, rule = "pass" if odds == must else "fail", f"exactly {must}"
        else:
            verdict, rule = "pass" if odds >= must else "fail", f"at least {must}"
        cite = str(wager.payment_rule(options))
        yield wager.title, said(line), rule, str(odds), verdict, cite


def _limits(subject: Subject) -> Iterator[Block]:
    columns = (
        Column("wager", "Wager"), Column("least", "Least wager", "cents"),
        Column("most", "Greatest wager", "cents"),
        Column("win", "Most won at the greatest wager", "cents"), Column("cite", "Limits set by"),
    )  # fmt: skip
    rows = tuple(_limited(subject, report) for report in subject.reports)
    yield Table(
        "limits", "Limits, and the most that can be won", columns, rows,
        note="The most won is before a limit on payments.",
    )  # fmt: skip
    game = subject.game
    limit = game.payout_limit(subject.options) if isinstance(game, PokerGame) else None
    if limit:
        names, most = limit
        yield Text(
            (f"All winnings of {', '.join(names)} in one hand together: at most {money(most)}.",)
        )
    aggregate = getattr(subject.options, "aggregate_limit_per_game", None)
    if aggregate:
        yield Text((f"All payments of one game together: at most {money(aggregate)}.",))


def _limited(subject: Subject, report: WagerReport) -> tuple[Value, ...]:
    _, covers = report.wager.spot(report.choices[0], subject.options)
    least, _ = report.wager.limits(subject.options, covers)
    most = greatest(subject, report)
    best = max(outcome.net for outcome in report.outcomes)
    return report.label, least, most, floor(best * most), str(report.wager.limited_by)


def _caps(subject: Subject) -> Iterator[Block]:
    cap = getattr(subject.options, "house_advantage_cap", None)
    if cap is None:
        yield Text(("No limit on the house's advantage applies to this table.",))
        return
    rows = tuple(
        (report.label, report.house_edge, cap, "pass" if report.house_edge <= cap else "fail")
        for report in subject.reports
    )
    columns = (
        Column("wager", "Wager"), Column("edge", "House edge", "percent"),
        Column("cap", "At most", "percent"), Column("verdict", "Verdict"),
    )  # fmt: skip
    cite = subject.options.all()["house_advantage_cap"].cite
    yield Table("caps", "The house's advantage against its limit", columns, rows, note=str(cite))
