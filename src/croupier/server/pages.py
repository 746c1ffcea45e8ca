"""The page of the floor: three files that are in the package, and nothing from anywhere else.

A browser asks each time whether it still has the newest, and is sent it only if not.
"""

from functools import cache
from hashlib import sha256
from importlib.resources import files

from fastapi import APIRouter, Request, Response

FILES = {
    "/": ("index.html", "text/html; charset=utf-8"),
    "/page.js": ("page.js", "text/javascript; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
}

pages = APIRouter(include_in_schema=False)


@cache
def content(name: str) -> tuple[bytes, str]:
    """A file of the page, and the tag that changes when it does."""
    found = files("croupier.server").joinpath("page", name).read_bytes()
    return found, f'"{sha256(found).hexdigest()[:32]}"'


@pages.api_route("/", methods=["GET", "HEAD"])
@pages.api_route("/page.js", methods=["GET", "HEAD"])
@pages.api_route("/page.css", methods=["GET", "HEAD"])
async def page(request: Request) -> Response:
    name, kind = FILES[request.url.path]
    body, tag = content(name)
    known = request.headers.get("if-none-match", "")
    fresh = tag in (each.strip().removeprefix("W/") for each in known.split(","))
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    return Response(b"" if fresh else body, 304 if fresh else 200, headers, kind)
