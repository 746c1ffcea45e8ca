"""`python -m tests.golden` writes every transcript anew."""

import json

from tests.golden import HERE, transcript

for path in sorted(HERE.glob("*.json")):
    path.with_suffix(".txt").write_text(transcript(json.loads(path.read_text("utf-8"))), "utf-8")
    print(path.with_suffix(".txt").name)
