"""Money is whole cents, an `int`. These two functions are its only spelling."""

import re

_AMOUNT = re.compile(r"\$?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.([0-9]{1,2}))?")


def dollars(cents: int) -> str:
    """`dollars(1250)` is "$12.50"; whole dollars print without cents."""
    sign, amount = ("-", -cents) if cents < 0 else ("", cents)
    whole, rest = divmod(amount, 100)
    return f"{sign}${whole:,}" + (f".{rest:02d}" if rest else "")


def cents(text: str) -> int:
    """What a person typed, in cents: "5", "$12.50", "1,000"."""
    match = _AMOUNT.fullmatch(text.strip())
    if match is None or len(text) > 20:
        raise ValueError(f"{text!r} is not an amount of money: write dollars, such as 5 or 12.50")
    whole, rest = match.groups()
    return int(whole.replace(",", "")) * 100 + int((rest or "0").ljust(2, "0"))
