"""The page of the floor: files that are in the package, and nothing from anywhere else.

Each has a compressed copy beside it. A file whose name changes with what is in it is kept by
browsers for good; of the others they ask each time whether they still have the newest.
"""

import re
from functools import cache
from hashlib import sha256
from importlib.resources import files
from mimetypes import guess_type

from fastapi import APIRouter, HTTPException, Request, Response

ASSETS = "assets"  # files whose names change with what is in them
FOR_GOOD = "public, max-age=31536000, immutable"
A_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}")  # as those of all files of the page

pages = APIRouter(include_in_schema=False)


@cache
def content(name: str) -> tuple[bytes, bytes, str]:
    """A file of the page, the same compressed, and the tag that changes when it does."""
    folder = files("croupier.server").joinpath("page")
    found, small = folder.joinpath(name), folder.joinpath(f"{name}.gz")
    try:
        body = found.read_bytes()
    except OSError:
        message = "there is no such file"
        if not folder.joinpath("index.html").is_file():
            message = "the page is not built: install the package, or run python web/build.py"
        raise HTTPException(404, message) from None
    return body, small.read_bytes() if small.is_file() else b"", sha256(body).hexdigest()[:32]


@pages.api_route("/", methods=["GET", "HEAD"])
async def index(request: Request) -> Response:
    return sent(request, "index.html")


@pages.api_route("/icon.svg", methods=["GET", "HEAD"])
async def icon(request: Request) -> Response:
    return sent(request, "icon.svg")


@pages.api_route(f"/{ASSETS}/{{name}}", methods=["GET", "HEAD"])
async def asset(request: Request, name: str) -> Response:
    if not A_NAME.fullmatch(name):
        raise HTTPException(404, "there is no such file")
    return sent(request, f"{ASSETS}/{name}", FOR_GOOD)


def sent(request: Request, name: str, keep: str = "no-cache") -> Response:
    body, small, digest = content(name)
    takes = (each.partition(";")[0].strip() for each in
             request.headers.get("accept-encoding", "").split(","))  # fmt: skip
    zipped = bool(small) and "gzip" in takes
    tag = f'"{digest}{"-gzip" if zipped else ""}"'
    headers = {"ETag": tag, "Cache-Control": keep, "Vary": "Accept-Encoding"}
    known = request.headers.get("if-none-match", "")
    if tag in (each.strip().removeprefix("W/") for each in known.split(",")):
        return Response(b"", 304, headers)
    if zipped:
        headers["Content-Encoding"] = "gzip"
    kind = guess_type(name)[0] or "application/octet-stream"
    return Response(small if zipped else body, 200, headers, kind)
