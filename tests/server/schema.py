"""Writes the schema of the API to build/openapi.json, from which the page's types are made."""

import json
from pathlib import Path
from typing import Any, cast

from croupier.server.app import create_app
from croupier.server.house import House

OUT = Path("build/openapi.json")


def schema() -> dict[str, Any]:
    nobody = cast(House, None)  # a schema is the same whoever is in the house
    return create_app(nobody).openapi()


if __name__ == "__main__":
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps(schema()))
