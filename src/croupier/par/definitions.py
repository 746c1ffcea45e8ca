"""The words of a sheet, which readers mix up when nobody prints what they mean."""

from croupier.par.document import Column, Section, Table, Text
from croupier.par.normal import BANDS, Z

TERMS = (
    ("X to 1",
     "Odds: a winning stake of 1 wins X and is itself returned. All payments of this sheet are "
     "written so."),
    ("X for 1",
     "A payment that includes the stake: 3 for 1 is 2 to 1. Keno cards are written so."),
    ("1 in X",
     "A probability, not a payment: the event happens once in X trials in the long run. An event "
     "of 1 in 38 stands at true odds of 37 to 1."),
    ("Unit", "One unit is the wager that is named, as it is first made. Raises count beside it."),
    ("Net", "What a unit has won or lost when all is over; a loss is negative."),
    ("House edge", "The house's expected win divided by the initial wager."),
    ("Element of risk",
     "The house's expected win divided by all money finally wagered, raises and wagers that must "
     "lie beside the first one included."),
    ("Return",
     "One less the element of risk: what comes back of all money wagered. The return of the "
     "initial wager, one less the house edge, stands beside it and is named so."),
    ("Hit frequency", "The probability of a net win above zero."),
    ("Push frequency", "The probability that nothing is won or lost; it is no part of the hits."),
    ("Standard deviation", "Of the net result of one unit: the root of its variance."),
    ("Skewness and kurtosis",
     "The third and fourth moments about the mean, in units of the standard deviation. A normal "
     "distribution has a kurtosis of 3, which is not taken off here."),
    ("Volatility index",
     "z times the standard deviation: {z}. After N rounds the average result lies within the "
     "index divided by the root of N, with the confidence that is printed beside it."),
    ("N₀", "The square of standard deviation over edge: the rounds after which the expected loss "
     "is as large as one standard deviation of the result."),
    ("Hold", "Win divided by drop, the money that was changed into chips. It grows with the time "
     "that players stay, and is not the edge."),
    ("Theoretical win", "Average wager times decisions times house edge."),
    ("Contribution to return",
     "Probability times net. The contributions of a wager add up to its house edge, negative."),
    ("Contribution to variance",
     "Probability times the squared distance from the mean. They add up to the variance."),
    ("Combinations",
     "The equally likely ways of an event, out of the number that is printed. Where a wager is "
     "not decided by one deal they are the numerators over the least common denominator."),
    ("Effect of removal",
     "By how much the house edge changes when one card of a rank is missing from a full shoe."),
    ("Break-even meter", "What a progressive jackpot must show for its wager to have no edge."),
    ("z of a comparison",
     "The distance between an estimate and the exact figure, in standard errors of the estimate."),
)  # fmt: skip


def definitions() -> Section:
    levels = ", ".join(f"z = {Z[level]:.4f} at {level:.0%}" for level in BANDS)
    rows = tuple((term, meaning.format(z=levels)) for term, meaning in TERMS)
    table = Table(
        "definitions", "Terms", (Column("term", "Term"), Column("meaning", "Meaning")), rows
    )
    return Section("definitions", "Definitions", (Text(("What this sheet means by:",)), table))
