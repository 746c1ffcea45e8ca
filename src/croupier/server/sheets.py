"""PAR sheets in the count room: one is made for a table, and printed in every form asked for."""

import base64
import json
from collections import OrderedDict
from urllib.parse import urlencode

from croupier.analysis.report import Watch
from croupier.games import find_game
from croupier.par.document import Sheet
from croupier.par.html import page
from croupier.par.printing import printed
from croupier.server.count_room import Job
from croupier.server.rules import chosen

ROUNDS = 1_000_000  # that are simulated
PATIENCE = 0.0  # seconds for counts that only compare; there are others who wait
KEPT = 4  # sheets, of which somebody may want another form
DOWNLOADS = {"pdf": "PDF", "xlsx": "Spreadsheet", "json": "JSON"}


def print_sheet(job: Job, watch: Watch) -> str:
    """The whole file, in letters that a line of JSON can hold."""
    made = _sheet(job["game"], json.dumps(job["options"], sort_keys=True), watch)
    if job["form"] == "html":
        content = page(made, _links(job)).encode()
    else:
        content = printed(made, job["form"])
    return base64.b64encode(content).decode()


_kept: OrderedDict[str, Sheet] = OrderedDict()


def _sheet(game: str, options: str, watch: Watch) -> Sheet:
    """Whoever has seen the page may want it as a file, and that is the very same sheet."""
    from croupier.par.sheet import sheet

    key = f"{game} {options}"
    if key not in _kept:
        found = find_game(game)
        _kept[key] = sheet(
            found, found.options(json.loads(options)), rounds=ROUNDS, watch=watch,
            sensitivity_budget=PATIENCE,
        )  # fmt: skip
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    _kept.move_to_end(key)
    return _kept[key]


def _links(job: Job) -> dict[str, str]:
    """To the same sheet in other forms, and back to the game."""
    found = find_game(job["game"])
    options = chosen(found, found.options(job["options"]))
    query = {"options": json.dumps(options)} if options else {}
    asked = f"?{urlencode(query)}" if query else ""
    links = {title: f"/par/{found.id}.{form}{asked}" for form, title in DOWNLOADS.items()}
    return {**links, "The game's mathematics": f"/#/game/{found.id}{asked}"}
