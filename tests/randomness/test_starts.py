"""Live chance never starts from the same value."""

from dataclasses import replace

import pytest

from croupier.randomness import starts
from croupier.randomness.battery import QUICK, Fact, _facts
from croupier.randomness.sources import Live


def test_no_process_and_no_fork_begins_as_another_does() -> None:
    said = starts.first_numbers(3, 2)
    assert len(said) == 3 * (2 + 2)
    assert len(set(said)) == len(said)
    assert all(int(number, 16) < starts.FIRST for number in said)


def test_starts_that_are_alike_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starts, "SPEAK", "print('%032x' % 47)")
    facts = [*_facts(Live(), replace(QUICK, starts=2))]
    (fact,) = [fact for fact in facts if fact.title == "no start like another"]
    assert isinstance(fact, Fact)
    assert not fact.holds
    assert "1 of them alike" in fact.detail


def test_a_process_that_does_not_start_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starts, "SPEAK", "raise SystemExit(3)")
    with pytest.raises(OSError, match="ended with 3"):
        starts.first_numbers(1, 0)
