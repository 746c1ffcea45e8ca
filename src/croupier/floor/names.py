"""Names: what may be one, and when two of them are the same."""

import re
import unicodedata

from croupier.floor.roles import Denial, NotAllowed

LONGEST = 40

# Controls, halves of a character, line ends, and what turns the direction of the text around it.
_BARRED = re.compile(
    "[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
# Marks without a shape, besides those of category Cf.
_SHAPELESS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)


def key_of(name: str) -> str:
    """What two names that look the same have in common."""
    seen = _SHAPELESS.sub("", unicodedata.normalize("NFKC", name))
    seen = "".join(sign for sign in seen if unicodedata.category(sign) != "Cf")
    return " ".join(unicodedata.normalize("NFKC", seen.casefold()).split())


def shown_and_key(name: str) -> tuple[str, str]:
    """A name as it is shown, and its key. Any text will do that can be seen on one line."""
    shown = name.strip()
    if not 1 <= len(shown) <= LONGEST:
        raise NotAllowed(Denial.BAD_NAME, f"a name has 1 to {LONGEST} characters")
    if _BARRED.search(shown) or not key_of(shown):
        raise NotAllowed(Denial.BAD_NAME, "a name has only characters that can be seen")
    return shown, key_of(shown)
