# mypy: disable-error-code="no-untyped-def,call-arg,import-untyped"
"""The simulation's chance, compiled: a counter-based generator, and draws from it without bias.

The generator is Philox (four words of 64 bits, ten rounds), and gives word for
word what NumPy's gives for the same key. The key is the seed and the number of
the chunk, so every chunk of a simulation has a stream of its own, and the same
one wherever it is dealt.

A word decides several draws at once: the high half of its product with n is a
number below n, and the low half is what is left of it for the next. That is
without bias unless the last remainder falls below 2^64 modulo the product of
all the numbers; then the word is thrown away. A word that decides the cards of
a whole poker round is thrown away once in 14,000 times.
"""

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

M0, M1 = np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157)
W0, W1 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBB67AE8584CAA73B)
ENOUGH = np.uint64(1 << 48)  # a product of draws from which on a word is used up
LARGEST = 1 << 16  # what is drawn below at once with others

# A stream is a row of words: the key, how often it was filled, the place in the words, the words.
SEED, CHUNK, COUNT, PLACE, WORDS = range(5)
AHEAD = 256  # words that are made at once


@intrinsic
def _high(typing_context, a, b):
    """The high half of the product of two words."""

    def code(context, builder, signature, given):
        wide = ir.IntType(128)
        product = builder.mul(*(builder.zext(each, wide) for each in given))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), code


@njit(cache=True, nogil=True)
def stream(seed, chunk):
    """The stream of a chunk, at its beginning."""
    row = np.zeros(WORDS + AHEAD, np.uint64)
    row[SEED], row[CHUNK], row[PLACE] = seed, chunk, WORDS + AHEAD
    return row


@njit(cache=True, nogil=True)
def _go_on(row):
    """More words: four for each count."""
    count = row[COUNT]
    for at in range(WORDS, WORDS + AHEAD, 4):
        count += np.uint64(1)
        a, b, c, d = count, np.uint64(0), np.uint64(0), np.uint64(0)
        k0, k1 = row[SEED], row[CHUNK]
        for _ in range(10):
            a, b, c, d = _high(M1, c) ^ b ^ k0, M1 * c, _high(M0, a) ^ d ^ k1, M0 * a
            k0 += W0
            k1 += W1
        row[at], row[at + 1], row[at + 2], row[at + 3] = a, b, c, d
    row[COUNT], row[PLACE] = count, WORDS


@njit(cache=True, nogil=True)
def next_word(row):
    """64 bits."""
    if row[PLACE] == np.uint64(WORDS + AHEAD):
        _go_on(row)
    at = row[PLACE]
    row[PLACE] = at + np.uint64(1)
    return row[at]


@njit(cache=True, nogil=True)
def split(word, n):
    """A number below n, and what is left of the word for the next draw."""
    return _high(word, n), word * n


@njit(cache=True, nogil=True)
def is_biased(left, product):
    """Whether a word must be thrown away that was split by factors of this product."""
    return left < product and left < (np.uint64(0) - product) % product


@njit(cache=True, nogil=True)
def below(row, n):
    """A number from 0 to n - 1, each equally likely."""
    many = np.uint64(n)
    while True:
        found, left = split(next_word(row), many)
        if not is_biased(left, many):
            return np.int64(found)


@njit(cache=True, nogil=True)
def plan(size, many):
    """How to shuffle so many of a pack's places: the words it takes, as where each one's end.

    The first column is the place after the last that a word decides, the second the product of
    its draws.
    """
    words = np.zeros((many, 2), np.uint64)
    number, at = 0, 0
    while at < many:
        product = np.uint64(1)
        while at < many and product < ENOUGH:
            product *= np.uint64(size - at)
            at += 1
        words[number, 0], words[number, 1] = at, product
        number += 1
    return words[:number].copy()


@njit(cache=True, nogil=True)
def shuffle(row, cards, plan):
    """Bring the first places of these cards into a random order out of all of them, as planned.

    The rest stays in whatever order it is, so a pack that is dealt from again need not be put in
    order first; nor need it after a word that is thrown away, whose places are drawn again.
    """
    at = np.uint64(0)
    for number in range(len(plan)):
        to, product = plan[number, 0], plan[number, 1]
        while True:
            word = next_word(row)
            left = np.uint64(len(cards)) - at
            for i in range(at, to):
                pick, word = split(word, left)
                left -= np.uint64(1)
                card = cards[i]
                cards[i] = cards[i + pick]
                cards[i + pick] = card
            if not is_biased(word, product):
                break
        at = to


@njit(cache=True, nogil=True)
def draws_of_a_word(n):
    """How many numbers below n one word decides, and n to that power."""
    many, product = 1, np.uint64(n)
    while product < ENOUGH and n < LARGEST:
        product *= np.uint64(n)
        many += 1
    return many, product


@njit(cache=True, nogil=True)
def draw(row, n, out):
    """Fill the row with numbers below n, each equally likely."""
    many, product = draws_of_a_word(n)
    size, at = np.uint64(n), 0
    while at < len(out):
        word = next_word(row)
        to = min(at + many, len(out))
        for i in range(at, at + many):
            pick, word = split(word, size)
            if i < to:
                out[i] = pick
        if not is_biased(word, product):
            at = to


# What the randomness tests look at.


@njit(cache=True, nogil=True)
def fill(seed, chunk, out):
    """The words of a chunk's stream."""
    row = stream(seed, chunk)
    for i in range(len(out)):
        out[i] = next_word(row)


@njit(cache=True, nogil=True)
def numbers(seed, chunk, n, out):
    """Numbers below n from a chunk's stream."""
    draw(stream(seed, chunk), n, out)


@njit(cache=True, nogil=True)
def shuffles(seed, chunk, cards, out):
    """Orders of so many cards, one in each line."""
    row, planned = stream(seed, chunk), plan(cards, cards)
    for each in range(len(out)):
        for at in range(cards):
            out[each, at] = at
        shuffle(row, out[each], planned)
