"""Citations: by which paragraph, and how sure we are of it.

A bare section number is of N.J.A.C. 19:47. Much of the chapter's text is lost
to us, so a citation also says where a fact comes from: the regulation itself
(`law`), another state's rule for the same game (`elsewhere`), a published
rule card or analysis (`published`), or custom (`custom`). What is not law is
never presented as law.
"""

import re
from dataclasses import dataclass

CHAPTER = "19:47-"


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in the regulation, with the source of what is said there if it is not the text."""

    place: str
    source: str = ""

    @property
    def section(self) -> str:
        """The section without its paragraphs: "19:47-5.2" of "19:47-5.2(a)"."""
        match = re.match(r"[^(]*", self.place)
        assert match
        return match[0]

    @property
    def is_law(self) -> bool:
        return not self.source

    def __str__(self) -> str:
        return f"{self.place} ({self.source})" if self.source else self.place


def _full(place: str) -> str:
    return place if ":" in place else CHAPTER + place


def law(place: str) -> Citation:
    """The regulation's own text, read."""
    return Citation(_full(place))


def custom(place: str) -> Citation:
    """The section that governs; what is done under it is customary, its text not being at hand."""
    return Citation(_full(place), "customary")


def published(place: str) -> Citation:
    """The section that governs; the terms come from a published rule card or analysis."""
    return Citation(_full(place), "published")


def elsewhere(place: str, rule: str) -> Citation:
    """The section that governs; the terms are those of another jurisdiction's rule."""
    return Citation(_full(place), f"after {rule}")
