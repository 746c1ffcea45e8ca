"""The whole battery: samples of every source through every test, and one verdict at the end.

Several hundred tests are done, and by chance alone some of them come out badly.
So the verdict is that of Holm and Bonferroni: a sound generator fails the
battery as a whole once in a hundred times, however many tests it has.
"""

import hashlib
import platform
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier import __version__
from croupier.equipment import Device, Drum
from croupier.randomness import bits, equipment, interplay, orders, scaled, scaling, starts
from croupier.randomness.sources import (
    Compiled,
    Live,
    Source,
    Streams,
    compiled_words_are_numpys,
    streams_that_begin_alike,
)
from croupier.randomness.verdict import Verdict, evenly

ALPHA = 0.01
RANGES = (2, 6, 37, 38, 52, 80, 416)  # a coin, a die, wheels, a pack, keno, a shoe of eight decks
PIECES_OF = 52  # the range whose sample is also cut into pieces
PIECEWISE = (scaled.frequency, scaled.runs_up, scaled.runs_down, scaled.gap, scaled.poker,
             scaled.permutation, scaled.serial_pairs, scaled.overlapping_tuples)  # fmt: skip
IN_TURN = 38
PACKS = ((52, 1), (416, 32))  # cards, and how many there are of each kind, of compiled orders


@dataclass(frozen=True)
class Effort:
    """How much is looked at."""

    bytes: int
    numbers: int  # for each range
    pieces: int  # into which a sample is cut
    spins: int  # of each wheel and of the dice
    packs: int  # packs dealt to the last card
    cards: int  # cards of larger shoes, of each
    draws: int  # of keno
    orders: int  # of five cards
    compiled_orders: int  # of a pack
    streams: int  # beside each other
    words: int  # of each
    starts: int  # processes
    forks: int  # of each


FULL = Effort(
    bytes=2_500_000, numbers=1_000_000, pieces=100, spins=100_000, packs=4_000, cards=160_000,
    draws=10_000, orders=60_000, compiled_orders=100_000, streams=64, words=2_000, starts=16,
    forks=4,
)  # fmt: skip
QUICK = Effort(
    bytes=250_000, numbers=60_000, pieces=40, spins=20_000, packs=700, cards=40_000,
    draws=2_000, orders=12_000, compiled_orders=20_000, streams=16, words=1_000, starts=4,
    forks=4,
)  # fmt: skip


@dataclass(frozen=True)
class Sample:
    """What was looked at: enough to know it again."""

    source: str
    title: str
    size: str
    sha256: str


@dataclass(frozen=True)
class Finding:
    """A verdict, corrected for how many there are."""

    sample: Sample
    verdict: Verdict
    corrected: float  # the p-value, after Holm
    passed: bool


@dataclass(frozen=True)
class Fact:
    """Something that is so or is not, whatever chance says."""

    source: str
    title: str
    holds: bool
    detail: str


@dataclass(frozen=True)
class Result:
    """All that the battery found."""

    sources: tuple[str, ...]
    seed: int
    effort: Effort
    alpha: float
    findings: tuple[Finding, ...]
    facts: tuple[Fact, ...]
    scalings: tuple[scaling.Scaling, ...]
    software: dict[str, str]
    begun: str

    @property
    def passed(self) -> bool:
        return not self.failures and all(fact.holds for fact in self.facts)

    @property
    def failures(self) -> list[Finding]:
        return [finding for finding in self.findings if not finding.passed]

    @property
    def samples(self) -> list[Sample]:
        return [*dict.fromkeys(finding.sample for finding in self.findings)]


Examined = tuple[Sample, list[Verdict]]
Step = tuple[str, Callable[[], Iterable[Examined]]]
Told = Callable[[str, float], None]


def sources(which: str, seed: int) -> list[Source]:
    """The generators that `live`, `simulation` or `both` means."""
    live: list[Source] = [Live()]
    seeded: list[Source] = [Streams(seed), Compiled(seed)]
    return {"live": live, "simulation": seeded, "both": live + seeded}[which]


def run(
    which: str = "both",
    seed: int = 1,
    effort: Effort = FULL,
    alpha: float = ALPHA,
    told: Told | None = None,
) -> Result:
    """Look at everything, and judge."""
    begun = datetime.now(UTC).isoformat(timespec="seconds")
    looked_at = sources(which, seed)
    steps = [step for source in looked_at for step in _steps(source, effort)]
    examined: list[Examined] = []
    for number, (title, step) in enumerate(steps):
        if told:
            told(title, number / (len(steps) + 1))
        examined += step()
    if told:
        told("Exact checks", len(steps) / (len(steps) + 1))
    facts = [fact for source in looked_at for fact in _facts(source, effort)]
    ways = [each for source in looked_at for each in _scalings(source)]
    if told:
        told("Done", 1.0)
    names = tuple(source.name for source in looked_at)
    found = tuple(judged(examined, alpha))
    return Result(
        names, seed, effort, alpha, found, (*facts, *_of_scaling(ways)), tuple(ways), _software(),
        begun,
    )  # fmt: skip


def judged(examined: Sequence[Examined], alpha: float) -> Iterator[Finding]:
    """Every verdict with its correction."""
    pairs = [(sample, verdict) for sample, verdicts in examined for verdict in verdicts]
    corrections = holm([verdict.p_value for _, verdict in pairs])
    for (sample, verdict), corrected in zip(pairs, corrections, strict=True):
        yield Finding(sample, verdict, corrected, corrected >= alpha)


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values, corrected for their number: the least by all of them, the next by one fewer."""
    corrected, worst = [1.0] * len(p_values), 0.0
    for rank, at in enumerate(np.argsort(p_values, kind="stable")):
        worst = max(worst, min(1.0, (len(p_values) - rank) * p_values[at]))
        corrected[at] = worst
    return corrected


def _sample(source: Source, title: str, size: str, data: NDArray[Any]) -> Sample:
    """The hash is of the numbers as they came, lowest byte first."""
    plain = np.ascontiguousarray(data.astype(data.dtype.newbyteorder("<")))
    return Sample(source.name, title, size, hashlib.sha256(plain.tobytes()).hexdigest())


# What is done with a source.


def _steps(source: Source, effort: Effort) -> Iterator[Step]:
    name = source.title[0].upper() + source.title[1:]
    yield f"{name}: raw bits", lambda: _raw(source, effort)
    for n in RANGES:
        yield f"{name}: numbers below {n}", _of_range(source, n, effort)
    yield f"{name}: streams beside each other", lambda: _beside(source, effort)
    yield f"{name}: every order of five cards", lambda: _small(source, effort)
    if isinstance(source, Compiled):
        yield f"{name}: packs and shoes", lambda: _compiled_orders(source, effort)
        return
    for each in equipment.of_default_tables():
        yield f"{name}: {each.title}", _of_equipment(source, each, effort)


def _raw(source: Source, effort: Effort) -> Iterator[Examined]:
    raw = source.raw(effort.bytes)
    sample = _sample(source, "raw output", f"{8 * raw.size:,} bits", raw)
    pieces = np.array_split(raw, effort.pieces)
    each = [test for test in bits.TESTS if test is not bits.duplicates]  # which gives whole numbers
    even = [_evenly([test(piece) for piece in pieces]) for test in each]
    yield sample, [*(test(raw) for test in bits.TESTS), *even]


def _of_range(source: Source, n: int, effort: Effort) -> Callable[[], Iterator[Examined]]:
    def look() -> Iterator[Examined]:
        numbers = source.numbers(n, effort.numbers)
        sample = _sample(source, f"numbers below {n}", f"{numbers.size:,} numbers", numbers)
        verdicts = [test(numbers, n) for test in scaled.TESTS]
        if n == PIECES_OF:
            pieces = np.array_split(numbers, effort.pieces)
            verdicts += [_evenly([test(piece, n) for piece in pieces]) for test in PIECEWISE]
        yield sample, verdicts

    return look


def _evenly(verdicts: Sequence[Verdict]) -> Verdict:
    """Over many samples p-values are uniform: as many low ones as high ones."""
    name = f"p-values of {verdicts[0].name}"
    return evenly(name, [verdict.upper for verdict in verdicts])


def _beside(source: Source, effort: Effort) -> Iterator[Examined]:
    for title, streams in source.beside(effort.streams, effort.words).items():
        size = f"{len(streams)} streams of {streams.shape[1]:,} words"
        sample = _sample(source, title, size, streams)
        yield sample, [test(streams) for test in interplay.OF_WORDS]
    one, other = source.in_turn(IN_TURN, effort.numbers // 5)
    both = np.stack([one, other])
    size = f"{one.size:,} numbers below {IN_TURN} each"
    sample = _sample(source, "two tables in turn", size, both)
    yield sample, [test(one, other, IN_TURN) for test in interplay.OF_NUMBERS]


def _small(source: Source, effort: Effort) -> Iterator[Examined]:
    lines = source.small_orders(effort.orders)
    sample = _sample(source, "shuffles of five cards", f"{len(lines):,} shuffles", lines)
    yield sample, [orders.every_order(lines), orders.neighbors(lines, lines.shape[1])]


def _compiled_orders(source: Compiled, effort: Effort) -> Iterator[Examined]:
    for cards, copies in PACKS:
        lines = source.orders(cards, effort.compiled_orders * 52 // cards)
        sample = _sample(source, f"shuffles of {cards} cards", f"{len(lines):,} shuffles", lines)
        kinds = cards // copies
        verdicts = [orders.places(lines % kinds, [copies] * kinds), orders.neighbors(lines, cards)]
        yield sample, verdicts


def _of_equipment(
    source: Source, each: equipment.Equipment, effort: Effort
) -> Callable[[], Iterator[Examined]]:
    def look() -> Iterator[Examined]:
        chance, device = source.chance(), each.new()
        assert chance is not None
        if not equipment.holds(device):
            yield _spins(source, each, equipment.spun(device, chance, effort.spins))
            return
        lines = equipment.dealt(each.new, chance, _deals(device, effort))
        size = f"{len(lines):,} deals of {lines.shape[1]} from {len(device.outcomes())}"
        sample = _sample(source, each.title, size, lines)
        kinds, copies = equipment.kinds_of(device, lines)
        cards = len({*device.outcomes()})
        many = len(device.outcomes()) // cards
        yield sample, [orders.places(kinds, copies), orders.neighbors(lines, cards, many)]

    return look


def _spins(source: Source, each: equipment.Equipment, outcomes: list[Any]) -> Examined:
    device = each.new()
    number = {outcome: at for at, outcome in enumerate(dict.fromkeys(device.outcomes()))}
    seen = np.array([number[outcome] for outcome in outcomes], dtype=np.int64)
    sample = _sample(source, each.title, f"{len(outcomes):,} outcomes", seen)
    return sample, [equipment.true_odds(device, outcomes)]


def _deals(device: Device[Any], effort: Effort) -> int:
    cards = len(device.outcomes())
    if isinstance(device, Drum):
        return effort.draws
    return effort.packs if cards <= equipment.DECK else effort.cards // cards


# What is exact.


def _facts(source: Source, effort: Effort) -> Iterator[Fact]:
    if isinstance(source, Live):
        yield from _compositions(equipment.of_all_tables())
        numbers = starts.first_numbers(effort.starts, effort.forks)
        alike = len(numbers) - len(set(numbers))
        detail = (
            f"{len(numbers):,} first numbers of {effort.starts:,} processes and their forks, "
            f"{alike} of them alike"
        )
        yield Fact("live", "no start like another", not alike, detail)
    elif isinstance(source, Compiled):
        same = compiled_words_are_numpys(source.seed)
        yield Fact(source.name, "compiled words are NumPy's", same, "4,000 words of four chunks")
        alike = streams_that_begin_alike(source.seed, 2_000)
        detail = f"3,999 chunks and seeds, {alike} of which begin as another does"
        yield Fact(source.name, "no stream like another", not alike, detail)


def _compositions(every: Sequence[equipment.Equipment]) -> Iterator[Fact]:
    """One fact for all equipment of a name: wheels with more stops and with fewer, say."""
    for title in dict.fromkeys(each.title for each in every):
        these = [each for each in every if each.title == title]
        wrong = [why for each in these if (why := equipment.wrong_with(each.new()))]
        games = ", ".join(dict.fromkeys(game for each in these for game in each.games))
        kinds = f"{len(these)} different ones of " if len(these) > 1 else ""
        detail = wrong[0] if wrong else f"{kinds}{games}"
        yield Fact("live", f"composition: {title}", not wrong, detail)


def _scalings(source: Source) -> Iterator[scaling.Scaling]:
    for n in RANGES:
        if isinstance(source, Compiled):
            from croupier.simulation.words import draws_of_a_word

            yield scaling.of_products(n, int(draws_of_a_word(n)[0]))
        else:
            yield scaling.of_system(n) if isinstance(source, Live) else scaling.of_stream(n)


def _of_scaling(ways: Sequence[scaling.Scaling]) -> Iterator[Fact]:
    for way in dict.fromkeys(each.way for each in ways):
        these = [each for each in ways if each.way == way]
        worst = max(each.bias for each in these)
        ranges = ", ".join(str(each.n) for each in these)
        detail = f"numbers below {ranges}: bias {worst}, at most {scaling.LIMIT} is allowed"
        yield Fact("", f"scaling: {way}", all(each.is_fair for each in these), detail)


def _software() -> dict[str, str]:
    import scipy

    return {
        "croupier": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "system": platform.platform(),
    }
