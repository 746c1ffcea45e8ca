"""Money is whole cents, and text on the way in and out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.equipment import cents, dollars


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (0, "$0"),
        (1, "$0.01"),
        (50, "$0.50"),
        (500, "$5"),
        (1250, "$12.50"),
        (100_000, "$1,000"),
        (123_456_789, "$1,234,567.89"),
        (-50, "-$0.50"),
        (-100_000, "-$1,000"),
    ],
)
def test_an_amount_prints_as_dollars(amount: int, text: str) -> None:
    assert dollars(amount) == text


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("5", 500),
        ("$5", 500),
        ("12.5", 1250),
        ("12.50", 1250),
        ("12.05", 1205),
        ("0.01", 1),
        ("1,000", 100_000),
        ("1000", 100_000),
        ("$1,234,567.89", 123_456_789),
        ("  7 ", 700),
        ("007", 700),
    ],
)
def test_what_a_person_types_is_read(text: str, amount: int) -> None:
    assert cents(text) == amount


@given(st.integers(0, 10**14))
def test_what_is_printed_is_read_back(amount: int) -> None:
    assert cents(dollars(amount)) == amount


@given(st.integers(0, 10**10), st.integers(0, 99))
def test_the_dollar_sign_and_the_commas_may_be_left_out(whole: int, rest: int) -> None:
    amount = whole * 100 + rest
    assert cents(f"{whole}.{rest:02d}") == amount
    assert cents(f"{whole:,}.{rest:02d}") == amount


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "$",
        "five",
        "-5",
        "+5",
        "$-5",
        "5.",
        ".5",
        "5.123",
        "1,00",
        "1,0000",
        ",100",
        "1.000,50",
        "1e3",
        "0x10",
        "5 5",
        "$$5",
        "5$",
        "inf",
        "nan",
        "1_000",
        "9" * 30,
    ],
)
def test_nonsense_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="is not an amount of money: write dollars"):
        cents(text)


@given(st.text(max_size=30) | st.text("0123456789$.,- ", max_size=12))
def test_any_text_is_an_amount_or_is_refused(text: str) -> None:
    try:
        amount = cents(text)
    except ValueError:
        return
    assert type(amount) is int
    assert amount >= 0
