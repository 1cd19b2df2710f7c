"""Wallet by hand, with two to seven players and the default options.

In: the number of players, a seed, who answers. Out: the points of everybody, and the places. A card is a number, equal
copies are the same number, and every hand is sorted.
"""

from __future__ import annotations

from bisect import insort
from typing import Any

from reference.chance import RandomPlayers, Stream
from reference.wallet_cards import (
    BEFORE_TURN,
    COINS,
    CREDIT_CARD,
    CURRENCIES,
    CURRENCY,
    CURRENCY_EXCHANGE,
    DECK_FOR_TWO,
    DISPOSE_A_CARD,
    EMERGENCY,
    EXCHANGE_CARDS,
    EXTRA_ACTION,
    EXTRA_IDS,
    EXTRA_TIME,
    HAPPY_BIRTHDAY,
    INSPECTION,
    INSTEAD_OF_TURN,
    JEWELRY,
    JOHN_SMITH,
    MILLIONAIRE,
    NOTE,
    PARTY_GIRL,
    POLICE_BADGE,
    POLICE_OFFICER,
    PRICES,
    ROUND_END,
    SECRET_AGENT,
    SECRET_COMPARTMENT,
    SHARED_FUND,
    SNATCH_A_CARD,
    SPECIALS,
    TOKENS,
    VALUABLE,
    VALUE,
    WHOLE_DECK,
)

PLAYERS = range(2, 8)
ROUNDS, HAND_SIZE, SPECIALS_EACH, HOURGLASSES = 3, 5, 2, 6
PRICE, LIMIT = 300_00, 500_00  # in cents


class Wallet:
    """One game."""

    def __init__(self, players: int, seed: int, bots: RandomPlayers) -> None:
        self.players, self.bots = range(players), bots
        self.others = [[(p + step) % players for step in range(1, players)] for p in self.players]
        self.deck = DECK_FOR_TWO if players == 2 else WHOLE_DECK
        self.from_wallet = Stream(seed, "place:table:1")
        self.from_fund = Stream(seed, "place:table:4")
        self.from_specials = Stream(seed, "place:table:5")
        self.from_purse = Stream(seed, "place:table:7")
        self.from_pocket = Stream(seed, "place:table:8")
        self.inspected = Stream(seed, "at:0")
        self.snatched = Stream(seed, "at:1")
        self.actions = {"take": self.take, "put": self.put, "buy": self.buy, "flip": self.flip}
        self.effects = [
            self.double_turn,
            self.happy_birthday,
            self.shared_fund,
            self.to_the_left,
            self.to_the_right,
            self.inspection,
            self.dispose_a_card,
            self.snatch_a_card,
            self.exchange_cards,
            self.card_request,
            self.emergency,
            self.extra_time,
            self.secret_compartment,
            self.atm,
            self.currency_exchange,
        ]

    def play(self) -> tuple[list[int], list[int]]:
        self.pocket = TOKENS[:]
        self.tokens = [[self.pocket.pop(0)] for _ in self.players]
        self.coin_pool = COINS[:]
        for _ in range(len(COINS) - len(self.players)):
            self.coin_pool.pop(self.from_purse.below(len(self.coin_pool)))
        for _ in range(ROUNDS):
            self.deal()
            self.take_turns()
            self.end_round()
        standing = [(sum(tokens), len(tokens)) for tokens in self.tokens]
        return [points for points, _ in standing], [1 + sum(other > one for other in standing) for one in standing]

    # ── a round ──

    def deal(self) -> None:
        self.hourglasses = HOURGLASSES
        self.discards: list[int] = []
        self.compartment = EXTRA_IDS[:]
        self.from_specials.restart()
        self.specials = self.dealt(list(SPECIALS), SPECIALS_EACH, self.from_specials)
        self.wallet = self.deck[:]
        self.from_wallet.restart()
        self.hands = self.dealt(self.wallet, HAND_SIZE, self.from_wallet)
        self.exchanged: dict[int, int] = {}
        self.from_purse.restart()
        self.coins = [coin for [coin] in self.dealt(self.coin_pool[:], 1, self.from_purse)]
        self.by_coin = sorted(self.players, key=self.coins.__getitem__)

    def dealt(self, cards: list[int], each: int, stream: Stream) -> list[list[int]]:
        hands: list[list[int]] = [[] for _ in self.players]
        for _ in range(each):
            for hand in hands:
                hand.append(cards.pop(stream.below(len(cards))))
        for hand in hands:
            hand.sort()
        return hands

    def take_turns(self) -> None:
        starter = self.by_coin[0]
        order = [starter, *self.others[starter]]
        while True:
            for p in order:
                self.turn(p)
                if not self.hourglasses:
                    return
            self.hourglasses -= 1
            if not self.hourglasses:
                return

    def turn(self, me: int) -> None:
        specials = self.specials[me]
        while True:
            options = [card for card in specials if card in BEFORE_TURN and self.playable(me, card)]
            card = self.bots.may_choose(me, options)
            if card is None:
                break
            specials.remove(card)
            self.discards.append(card)
            self.effects[card](me)
            if card == EMERGENCY and self.discards[-2] in INSTEAD_OF_TURN:
                return
        deeds: list[Any] = self.possible(me)
        deeds += [card for card in specials if card in INSTEAD_OF_TURN and self.playable(me, card)]
        deed = self.bots.choose(me, deeds)
        if deed in self.actions:
            self.actions[deed](me)
        else:
            specials.remove(deed)
            self.discards.append(deed)
            self.effects[deed](me)

    def end_round(self) -> None:
        self.extra_wealth = [0 for _ in self.players]
        self.late_specials(EXTRA_ACTION)
        self.late_specials(ROUND_END)
        identities = [self.innocent_as(p) for p in self.players]
        self.police(identities)
        for p in self.by_coin:
            if identities[p] == JOHN_SMITH and CREDIT_CARD in self.hands[p]:
                note = self.draw_a_note()
                if note is not None:
                    self.extra_wealth[p] += VALUE[note]
        guilty = [p for p in self.players if identities[p] is None]
        lost = [(p, self.bots.choose(p, self.tokens[p])) for p in guilty]
        for p, token in lost:
            if token is not None:
                self.tokens[p].remove(token)
                insort(self.pocket, token)
        self.pay_out([p for p in self.players if identities[p] is not None])

    def late_specials(self, timing: range) -> None:
        for p in self.by_coin:
            specials = self.specials[p]
            while True:
                card = self.bots.may_choose(p, [one for one in specials if one in timing and self.playable(p, one)])
                if card is None:
                    break
                specials.remove(card)
                self.effects[card](p)

    def police(self, identities: list[int | None]) -> None:
        on_duty = [p for p in self.by_coin if identities[p] == POLICE_OFFICER and POLICE_BADGE in self.hands[p]]
        for officer in on_duty:
            suspect = self.bots.choose(officer, self.others[officer])
            if identities[suspect] is None:
                hand = self.hands[suspect]
                self.extra_wealth[officer] += sum([VALUE[card] for card in hand])
                self.hands[suspect] = [card for card in hand if card < VALUABLE]

    def pay_out(self, innocent: list[int]) -> None:
        innocent.sort(key=self.wealth, reverse=True)
        award = min(len(self.players) - 1, 4)
        for p in innocent[:award]:
            for _ in range(award):
                insort(self.tokens[p], self.pocket.pop(self.from_pocket.below(len(self.pocket))))
            award -= 1

    def wealth(self, p: int) -> int:
        return sum([VALUE[card] for card in self.hands[p]]) + self.extra_wealth[p] + self.coins[p]

    def innocent_as(self, p: int) -> int | None:
        """The ID that proves a player innocent; None for the guilty."""
        hand = self.hands[p]
        ids = [card for card in hand if card <= SECRET_AGENT]
        if SECRET_AGENT in ids:
            if len(ids) == 1:
                return None
            identity = SECRET_AGENT
        elif len(ids) == 1:
            identity = ids[0]
        else:
            return None
        total = self.coins[p] + sum([VALUE[card] for card in hand])
        if (total > LIMIT) != (identity == MILLIONAIRE):
            return None
        if identity != PARTY_GIRL and len({CURRENCY[card] for card in hand if card >= NOTE}) > 2:
            return None
        if identity != JOHN_SMITH and CREDIT_CARD in hand:
            return None
        if identity != POLICE_OFFICER and POLICE_BADGE in hand:
            return None
        if identity == PARTY_GIRL and not any(card in JEWELRY for card in hand):
            return None
        return identity

    # ── actions ──

    def possible(self, me: int) -> list[str]:
        deeds = []
        if self.wallet:
            deeds.append("take")
        if self.hands[me]:
            deeds.append("put")
        if self.compartment and sum([VALUE[card] for card in self.hands[me]]) >= PRICE:
            deeds.append("buy")
        if self.hourglasses:
            deeds.append("flip")
        return deeds

    def take(self, me: int) -> None:
        if self.wallet:
            insort(self.hands[me], self.from_the_wallet())

    def from_the_wallet(self) -> int:
        return self.wallet.pop(self.from_wallet.below(len(self.wallet)))

    def put(self, me: int) -> None:
        card = self.bots.choose(me, self.hands[me])
        self.hands[me].remove(card)
        insort(self.wallet, card)

    def buy(self, me: int) -> None:
        hand = self.hands[me]
        payment = [card for card in hand if card >= VALUABLE]
        values = [VALUE[card] for card in payment]
        if sum(values) - min(values) >= PRICE:
            payment = self.bots.choose_set(me, payment, 0, len(payment), enough)
        for card in payment:
            hand.remove(card)
        bought = self.bots.choose(me, self.compartment)
        self.compartment.remove(bought)
        insort(hand, bought)

    def flip(self, me: int) -> None:
        self.hourglasses -= 1

    # ── specials ──

    def playable(self, me: int, card: int) -> bool:
        if card in (SHARED_FUND, CURRENCY_EXCHANGE):
            return bool(self.hands[me]) and self.hands[me][-1] >= (VALUABLE if card == SHARED_FUND else NOTE)
        if card == DISPOSE_A_CARD:
            return bool(self.hands[me])
        if card == SECRET_COMPARTMENT:
            return bool(self.free_cards(me))
        if card in (INSPECTION, SNATCH_A_CARD):
            return bool(self.with_cards(me))
        if card == EXCHANGE_CARDS:
            return bool(self.hands[me] and self.with_cards(me))
        if card == HAPPY_BIRTHDAY:
            return bool(self.wallet)
        if card == EMERGENCY:
            return bool(self.discards)
        if card == EXTRA_TIME:
            return bool(self.wallet or self.hands[me])
        return True

    def with_cards(self, me: int) -> list[int]:
        return [p for p in self.others[me] if self.hands[p]]

    def double_turn(self, me: int) -> None:
        for _ in range(2):
            if self.hourglasses:
                self.actions[self.bots.choose(me, self.possible(me))](me)

    def happy_birthday(self, me: int) -> None:
        drawn = sorted([self.from_the_wallet() for _ in range(min(3, len(self.wallet)))])
        friends = self.others[me][:]
        if drawn:
            kept = self.bots.choose(me, drawn)
            drawn.remove(kept)
            insort(self.hands[me], kept)
        for _ in range(2):
            if drawn and friends:
                gift = self.bots.choose(me, drawn)
                friend = self.bots.choose(me, friends)
                drawn.remove(gift)
                friends.remove(friend)
                insort(self.hands[friend], gift)
        for card in drawn:
            insort(self.wallet, card)

    def shared_fund(self, me: int) -> None:
        gifts = [self.bots.choose(p, [card for card in hand if card >= VALUABLE]) for p, hand in enumerate(self.hands)]
        fund = []
        for p, gift in enumerate(gifts):
            if gift is not None:
                self.hands[p].remove(gift)
                insort(fund, gift)
        if gifts[me] is not None:
            taken = self.bots.choose(me, fund)
            fund.remove(taken)
            insort(self.hands[me], taken)
        for p in self.others[me]:
            if gifts[p] is not None:
                insort(self.hands[p], fund.pop(self.from_fund.below(len(fund))))

    def to_the_left(self, me: int) -> None:
        self.pass_to(1)

    def to_the_right(self, me: int) -> None:
        self.pass_to(-1)

    def pass_to(self, step: int) -> None:
        passed = [self.bots.choose(p, hand) for p, hand in enumerate(self.hands)]
        for p, card in enumerate(passed):
            if card is not None:
                self.hands[p].remove(card)
        for p, card in enumerate(passed):
            if card is not None:
                insort(self.hands[(p + step) % len(self.players)], card)

    def inspection(self, me: int) -> None:
        suspect = self.bots.choose(me, self.with_cards(me))
        if suspect is None:
            return
        hand = self.hands[suspect]
        found = hand[self.inspected.below(len(hand))]
        if self.bots.may_choose(me, ("keep it",)):
            hand.remove(found)
            insort(self.hands[me], found)

    def dispose_a_card(self, me: int) -> None:
        unwanted = self.bots.choose(me, self.hands[me])
        if unwanted is None:
            return
        friend = self.bots.choose(me, self.others[me])
        self.hands[me].remove(unwanted)
        insort(self.hands[friend], unwanted)

    def snatch_a_card(self, me: int) -> None:
        victim = self.bots.choose(me, self.with_cards(me))
        if victim is not None:
            hand = self.hands[victim]
            insort(self.hands[me], hand.pop(self.snatched.below(len(hand))))

    def exchange_cards(self, me: int) -> None:
        friend = self.bots.choose(me, self.with_cards(me))
        if friend is None:
            return
        mine = self.bots.choose(me, self.hands[me])
        theirs = self.bots.choose(friend, self.hands[friend])
        if mine is not None:
            self.hands[me].remove(mine)
            insort(self.hands[friend], mine)
        self.hands[friend].remove(theirs)
        insort(self.hands[me], theirs)

    def card_request(self, me: int) -> None:
        victim = self.bots.choose(me, self.others[me])
        wanted = self.bots.choose(me, [*CURRENCIES, "jewelry", *PRICES])
        hand = self.hands[victim]
        if wanted == "jewelry":
            matching = [card for card in hand if card in JEWELRY]
        elif wanted in CURRENCIES:
            currency = CURRENCIES.index(wanted)
            matching = [card for card in hand if CURRENCY[card] == currency]
        else:
            matching = [card for card in hand if VALUE[card] == wanted]
        given = self.bots.choose(victim, matching)
        if given is not None:
            hand.remove(given)
            insort(self.hands[me], given)

    def emergency(self, me: int) -> None:
        self.effects[self.discards[-2]](me)

    def extra_time(self, me: int) -> None:
        self.actions[self.bots.choose(me, self.possible(me))](me)

    def free_cards(self, me: int) -> list[int]:
        """The hand but the note under the Currency Exchange."""
        free = self.hands[me][:]
        if me in self.exchanged:
            free.remove(self.exchanged[me])
        return free

    def secret_compartment(self, me: int) -> None:
        self.hands[me].remove(self.bots.choose(me, self.free_cards(me)))

    def atm(self, me: int) -> None:
        hand = self.hands[me]
        notes = [card for card in self.free_cards(me) if card >= NOTE]
        if self.bots.choose(me, ("cover", "draw") if notes else ("draw",)) == "cover":
            hand.remove(self.bots.choose(me, notes))
        else:
            note = self.draw_a_note()
            if note is not None:
                insort(hand, note)

    def draw_a_note(self) -> int | None:
        aside, note = [], None
        while self.wallet:
            card = self.from_the_wallet()
            if card >= NOTE:
                note = card
                break
            aside.append(card)
        for card in aside:
            insort(self.wallet, card)
        return note

    def currency_exchange(self, me: int) -> None:
        hand = self.hands[me]
        note = self.bots.choose(me, [card for card in hand if card >= NOTE])
        currency = self.bots.choose(me, [one for one in range(4) if one != CURRENCY[note]])
        hand.remove(note)
        self.exchanged[me] = note - CURRENCY[note] + currency
        insort(hand, self.exchanged[me])


def enough(payment: list[int]) -> bool:
    """Whether an extra ID can be paid with these cards."""
    return sum([VALUE[card] for card in payment]) >= PRICE


def play(players: int, seed: int, bots: RandomPlayers) -> tuple[list[int], list[int]]:
    """One game; the points of everybody and the places, 1 for the first."""
    return Wallet(players, seed, bots).play()
