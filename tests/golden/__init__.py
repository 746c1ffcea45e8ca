"""Golden playthroughs: for each game a script and the transcript it must give.

A transcript is what a dealer could read. Any change of behavior shows up in
it; `make golden` writes them anew.
"""

import json
from pathlib import Path
from typing import Any

from croupier.cli.show import describe
from croupier.equipment import dollars
from croupier.games import find_game
from croupier.rulebook import script

HERE = Path(__file__).parent


def transcript(document: dict[str, Any]) -> str:
    """The whole playthrough in words, with the rule behind everything."""
    told = script.run(document, find_game)
    game = find_game(told["game"])
    lines = [f"{game.title}, N.J.A.C. {game.cite}", document.get("comment", "")]
    lines += [f"  {name} = {json.dumps(value)}" for name, value in told["options"].items()]
    for number, (asked, each) in enumerate(zip(_rounds(document), told["rounds"], strict=True), 1):
        lines += ["", f"Round {number}" + (" (void)" if each["void"] else "")]
        if "comment" in asked and "rounds" in document:
            lines.append(f"  {asked['comment']}")
        for event in each["events"]:
            lines.append(f"  {describe(event)}{_cite(event)}")
        lines += [f"    {_settled(settlement)}" for settlement in each["settlements"]]
    lines.append("")
    lines += [f"Seat {seat}: net {dollars(net)}" for seat, net in told["net"].items()]
    return "\n".join(lines) + "\n"


def _rounds(document: dict[str, Any]) -> list[dict[str, Any]]:
    rounds: list[dict[str, Any]] = document.get("rounds", [document])
    return rounds


def _cite(event: dict[str, Any]) -> str:
    return f"  [{event['citation']}]" if "citation" in event else ""


def _settled(each: dict[str, Any]) -> str:
    odds = f" at {each['pays']}" if each["pays"] else ""
    line = f" ({each['line']})" if each["line"] not in (each["result"], "") else ""
    result = f"{each['result']}{line}{odds}"
    if each["result"] != "standing":
        result += f", net {dollars(each['net'])}"
    return f"seat {each['seat']} {each['wager']} {dollars(each['stake'])}: {result}{_cite(each)}"
