"""The cards of Wallet as numbers, and what is printed on them.

In: nothing. Out: tables. A card is a number, equal copies are the same number; amounts are in cents.
"""

from __future__ import annotations

JOHN_SMITH, POLICE_OFFICER, MILLIONAIRE, PARTY_GIRL, SECRET_AGENT, CREDIT_CARD, POLICE_BADGE = range(7)
JEWELRY = range(7, 17)
NOTES = range(17, 97)  # by value, printed currency, and the currency that Currency Exchange gave it
VALUABLE, NOTE = JEWELRY[0], NOTES[0]

COINS = [1, 2, 5, 7, 10, 20, 50]
TOKENS = [1] * 17 + [2] * 12 + [3] * 8
EXTRA_IDS = [JOHN_SMITH, POLICE_OFFICER, MILLIONAIRE, PARTY_GIRL, SECRET_AGENT]
CURRENCIES = ["dollar", "euro", "pound", "yen"]

NOTE_VALUES = [20_00, 50_00, 100_00, 200_00, 500_00]
JEWELRY_VALUES = [50_00, 50_00, 100_00, 100_00, 100_00, 150_00, 150_00, 200_00, 200_00, 250_00]
VALUE = [0] * VALUABLE + JEWELRY_VALUES + [value for value in NOTE_VALUES for _ in range(16)]
CURRENCY = [None] * NOTE + [note % 4 for note in range(80)]
PRICES = sorted({*NOTE_VALUES, *JEWELRY_VALUES})

# How many copies have the corner number 2, 3, 4, 6.
ID_COPIES = [(3, 1, 1, 1), (0, 2, 1, 1), (2, 0, 1, 1), (2, 0, 0, 1), (2, 0, 1, 0)]
PROP_COPIES = [(2, 0, 1, 0), (0, 2, 0, 1)]
JEWELRY_CORNERS = [2, 4, 2, 2, 3, 2, 4, 2, 6, 6]
JEWELRY_COPIES = [tuple(int(corner == one) for one in (2, 3, 4, 6)) for corner in JEWELRY_CORNERS]
NOTE_COPIES = [(1, 0, 0, 1), (2, 0, 0, 1), (2, 1, 0, 0), (1, 0, 1, 0), (0, 0, 1, 0)]


def deck(corners: int) -> list[int]:
    """The playing cards with the first so many corner numbers, sorted."""
    cards = []
    for card, copies in enumerate([*ID_COPIES, *PROP_COPIES, *JEWELRY_COPIES]):
        cards += [card] * sum(copies[:corners])
    for value, copies in enumerate(NOTE_COPIES):
        for currency in range(4):
            cards += [NOTE + 16 * value + 5 * currency] * sum(copies[:corners])
    return cards


DECK_FOR_TWO, WHOLE_DECK = deck(1), deck(4)

(
    DOUBLE_TURN,
    HAPPY_BIRTHDAY,
    SHARED_FUND,
    TO_THE_LEFT,
    TO_THE_RIGHT,
    INSPECTION,
    DISPOSE_A_CARD,
    SNATCH_A_CARD,
    EXCHANGE_CARDS,
    CARD_REQUEST,
    EMERGENCY,
    EXTRA_TIME,
    SECRET_COMPARTMENT,
    ATM,
    CURRENCY_EXCHANGE,
) = SPECIALS = range(15)
INSTEAD_OF_TURN = range(DOUBLE_TURN, SHARED_FUND)
BEFORE_TURN = range(SHARED_FUND, EXTRA_TIME)
EXTRA_ACTION = range(EXTRA_TIME, SECRET_COMPARTMENT)
ROUND_END = range(SECRET_COMPARTMENT, CURRENCY_EXCHANGE + 1)
