"""PAR sheets on the server: a page for each table that somebody asks about, and its downloads.

    /par/craps            the sheet as a page
    /par/craps.pdf        the same as a PDF; .xlsx and .json too

with the options of the table in the query, as the mathematics page has them. It
is worked out in the count room; until then a small page says how far it is, and
asks again by itself.
"""

import base64
import json
from html import escape
from typing import Annotated

from fastapi import APIRouter, Path
from fastapi import Response as Answer

from croupier.floor.commands import Unavailable
from croupier.games import find_game
from croupier.par.html import NO_ICON, policy
from croupier.rulebook import Refusal, Unlawful
from croupier.server import models
from croupier.server.app import STATUS
from croupier.server.books import Address, AsGiven, InTheCountRoom
from croupier.server.count_room import Busy, Job, Work

AGAIN = 2  # seconds after which the page asks again
HTML = "text/html; charset=utf-8"
MEDIA = {
    "html": HTML,
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
}
STYLE = """
:root { color-scheme: light dark; }
body { font: 1.05rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 12vh auto; padding: 1em; }
h1 { font-size: 1.5rem; }
progress { width: 100%; height: 1rem; }
"""

par = APIRouter(include_in_schema=False)

Name = Annotated[str, Path(max_length=50, pattern=r"^[a-z0-9-]+(\.(html|pdf|xlsx|json))?$")]


@par.get("/par/{name}")
async def sheet(name: Name, given: AsGiven, room: InTheCountRoom, address: Address) -> Answer:
    """The PAR sheet of a lawful table, in the form that the name ends with."""
    game, _, form = name.partition(".")
    form = form or "html"
    try:
        found = find_game(game)
        job: Job = {
            "do": "par", "game": found.id, "options": found.options(given).as_json(), "form": form,
        }  # fmt: skip
        answer = await room.ask(job, address)
    except Busy as why:
        raise Unavailable(str(why)) from None
    except Refusal as why:
        if form != "html":
            raise
        return _refused(why)
    if isinstance(answer, Work):
        return _not_yet(found.title, answer, form)
    return _told(f"{found.id}-par.{form}", form, base64.b64decode(json.loads(answer)))


def _told(file: str, form: str, content: bytes) -> Answer:
    headers = {"Cache-Control": "no-store"}
    if form == "html":
        headers["Content-Security-Policy"] = policy(content.decode())
    else:
        headers["Content-Disposition"] = f'attachment; filename="{file}"'
    return Answer(content, 200, headers, MEDIA[form])


def _not_yet(title: str, work: Work, form: str) -> Answer:
    """How far it is. A browser asks again by itself, and then has the page or the download."""
    headers = {"Cache-Control": "no-store", "Retry-After": str(AGAIN)}
    if form == "json":
        told = models.NotReady(done=work.done, doing=work.doing)
        return Answer(told.model_dump_json(), 202, headers, MEDIA[form])
    value = "" if work.done is None else f' value="{work.done:.3f}"'
    body = (
        f'<progress{value} aria-label="Worked out so far"></progress>\n'
        f'<p role="status">{escape(work.doing.capitalize())} …</p>'
    )
    return _small_page(
        f"The PAR sheet of {title} is being worked out", body, 202, headers,
        head=f'<meta http-equiv="refresh" content="{AGAIN}">',
    )  # fmt: skip


def _refused(why: Refusal) -> Answer:
    reasons = (
        [(each.message, each.cite) for each in why.violations]
        if isinstance(why, Unlawful)
        else [(why.message, why.cite)]
    )
    lines = "".join(
        f"<li>{escape(message[:1].upper() + message[1:])}."
        f"{f' <cite>[{escape(str(cite))}]</cite>' if cite else ''}</li>"
        for message, cite in reasons
    )
    status = STATUS.get(why.fault, 422)
    return _small_page("There is no such PAR sheet", f"<ul>{lines}</ul>", status)


def _small_page(
    title: str, body: str, status: int, headers: dict[str, str] | None = None, head: str = ""
) -> Answer:
    page = (
        f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8">{head}'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">{NO_ICON}'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n"
        f"<body><main><h1>{escape(title)}</h1>\n{body}</main></body></html>\n"
    )
    named = {"Content-Security-Policy": policy(page), **(headers or {})}
    return Answer(page, status, named, HTML)
