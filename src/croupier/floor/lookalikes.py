# ruff: noqa: RUF001 - signs that look like others are what this is about
"""Lookalikes: names that are written otherwise and read the same, and names of the house.

Two names look alike when their skeletons are equal: letters of other scripts, digits,
accents and pairs of letters are replaced by the Latin letter that they are taken for. The
table here is small and made by hand after Unicode's (UTS 39, confusables): the letters of
Greek, Cyrillic, Armenian and Cherokee that pass for Latin ones, and the digits. What it does
not hold is caught by the rule that a name is written in one script, or in Latin beside the
scripts of Chinese, Japanese or Korean, as UTS 39 calls highly restrictive.

It is asked when a name is chosen. Names that people have already stay theirs.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

LIKE: dict[str, str] = {  # what passes for each Latin letter
    "A": "ΑАᎪ", "a": "αаɑ", "B": "ΒВᏴ", "b": "ЬƄᏏ", "C": "СᏟϹ", "c": "сϲᴄ", "D": "ᎠĐÐ",
    "d": "ԁᏧđð", "E": "ΕЕᎬ", "e": "еєҽ", "F": "Ϝ", "f": "ք", "G": "ԌᏀ", "g": "ցɡ", "H": "ΗНᎻ",
    "h": "һհᏂħ", "i": "іιɩı", "J": "ЈᎫ", "j": "јϳ", "K": "ΚКᏦ", "k": "κкᴋ", "L": "ᏞԼŁ",
    "M": "ΜМᎷ", "N": "Ν", "n": "ոռпη", "O": "ΟОՕØ0", "o": "οоօσø", "P": "ΡРᏢ", "p": "рρ",
    "q": "ԛգ", "R": "ᎡЯ", "r": "гᴦ", "S": "ЅՏᏚ", "s": "ѕ", "T": "ΤТᎢ", "t": "τт", "U": "ՍᑌЏ",
    "u": "սυᴜ", "V": "ѴᏙ", "v": "νѵ", "W": "ԜᎳ", "w": "ԝωш", "X": "ΧХ", "x": "хχ", "Y": "ΥҮУ",
    "y": "уүγ", "Z": "ΖᏃ", "z": "ᴢ", "1": "lI|ΙІӀӏᏆ!ł", "3": "ЗӠ", "ae": "æÆ", "oe": "œŒ",
}  # fmt: skip
PASSES = str.maketrans({sign: letter.strip() for letter, signs in LIKE.items() for sign in signs})
PAIRS = (("rn", "m"), ("vv", "w"))
ACCENTS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]")
BETWEEN = re.compile(r"[\s._\-'\u2019`´,·]+")

TOGETHER = (  # scripts that one name may be written in at once
    {"LATIN", "CJK", "HIRAGANA", "KATAKANA"},
    {"LATIN", "CJK", "BOPOMOFO"},
    {"LATIN", "CJK", "HANGUL"},
)
LETTERS = {"Lu", "Ll", "Lt", "Lo"}

ROLES = (
    "supervisor", "floorperson", "surveillance", "croupier", "dealer", "admin", "administrator",
)  # fmt: skip
RESERVED = (
    *ROLES, "house", "clock", "system", "nobody", "root", "operator", "staff", "support",
    "moderator", "cage", "cashier", "pit", "pit boss", "manager", "management", "security",
    "casino", "bank", "banker", "guest", "self", "anonymous",
)  # fmt: skip


def skeleton(name: str) -> str:
    """What a name looks like, whatever signs it is written with."""
    bare = "".join(
        sign for sign in unicodedata.normalize("NFKD", name)
        if unicodedata.category(sign) not in ("Cf", "Cc")
    )  # fmt: skip
    seen = ACCENTS.sub("", bare).translate(PASSES)
    for pair, letter in PAIRS:
        seen = seen.replace(pair, letter)
    folded = unicodedata.normalize("NFKC", seen).casefold()
    return BETWEEN.sub("", folded) or folded


@lru_cache(maxsize=100_000)
def looks(name: str) -> frozenset[str]:
    """The skeletons of a name as it is written, and in capitals, in which it may be read too."""
    return frozenset((skeleton(name), skeleton(name.upper())))


def look_alike(name: str, others: Iterable[str]) -> bool:
    """Whether a name passes for one of these."""
    mine = looks(name)
    return any(mine & looks(other) for other in others)


def is_mixed(name: str) -> bool:
    """Whether a name is written in several scripts that nobody writes together."""
    found = {
        unicodedata.name(sign, "UNNAMED").partition(" ")[0]
        for sign in unicodedata.normalize("NFKC", name)
        if unicodedata.category(sign) in LETTERS
    }
    return len(found) > 1 and not any(found <= together for together in TOGETHER)


def is_reserved(name: str) -> bool:
    """Whether a name is the house's own, or a role's: "the Dealer", "Adm1n 2", "Ann (guest 1)"."""
    words = [word for word in BETWEEN.split(name.strip()) if word]
    if words and words[0].casefold() == "the":
        words = words[1:]
    if "(guest" in skeleton(name) or any(looks(word) & _ROLES for word in words):
        return True
    unnumbered = re.sub(r"[\s\d]+$", "", " ".join(words))
    return any(looks(each) & _RESERVED for each in (" ".join(words), unnumbered) if each)


def refusal(name: str, *, of_the_house: bool = False) -> str | None:
    """Why nobody new is called so, or None. The house itself may give names of the house."""
    if is_mixed(name):
        return "a name is written in one alphabet: letters of two can pass for another's name"
    if not of_the_house and is_reserved(name):
        return "that name is the house's own: choose another"
    return None


_ROLES = frozenset().union(*map(looks, ROLES))
_RESERVED = frozenset().union(*map(looks, RESERVED))
