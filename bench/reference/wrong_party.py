"""Wrong Party by hand, with two to five players and the default options.

In: the number of players, a seed, who answers. Out: the points of everybody, and the places. A card is a number, equal
copies are the same number, and every hand is sorted. In a Party Area a face-down card is the complement of its number.
"""

from __future__ import annotations

from bisect import insort

from reference.chance import RandomPlayers, Stream
from reference.wrong_party_cards import GUESTS, THEMES

PLAYERS = range(2, 6)
ROUNDS, HAND_SIZE = 3, 6
THEME_MATCH, RAINBOW_BONUS = 2, 5

TYPES = "family", "political", "raid", "costume"
TOPICS = "talking", "fighting", "children", "music", "drinks", "food", "games", "late_nights"

EFFECTS = range(10)
RUMMAGER, LATE_INVITATION, WRECKER, FLIPPER, WAR_CALLER, TAILOR, POLLSTER, CAKE_MAKER, TREND_SETTER, SWITCHER = EFFECTS
COPIES = {RUMMAGER: 2, LATE_INVITATION: 4, WRECKER: 2, FLIPPER: 2, TREND_SETTER: 2, SWITCHER: 2}
COUNTED_BY = {WAR_CALLER: "raid", TAILOR: "costume", POLLSTER: "political", CAKE_MAKER: "family"}

# By card: what is printed on it. All gray guests have base 1; the first two effect cards are no guests.
CARD_TYPES = [()] * len(EFFECTS) + [tuple(types.split()) for _, types, _, _, _ in GUESTS]
BASE = [1] * len(EFFECTS) + [base for _, _, base, _, _ in GUESTS]
LIKES = [frozenset()] * len(EFFECTS) + [frozenset(likes.split()) for _, _, _, likes, _ in GUESTS]
DISLIKES = [frozenset()] * len(EFFECTS) + [frozenset(dislikes.split()) for _, _, _, _, dislikes in GUESTS]
DECK = [card for card in range(len(BASE)) for _ in range(COPIES.get(card, 1))]
THEME_TYPES = [types.split() for _, types, _ in THEMES]
THEME_TOPICS = [frozenset(topics.split()) for _, _, topics in THEMES]


class WrongParty:
    """One game."""

    def __init__(self, players: int, seed: int, bots: RandomPlayers) -> None:
        self.players, self.bots = range(players), bots
        self.others = [[(p + step) % players for step in range(1, players)] for p in self.players]
        self.from_deck = Stream(seed, "place:table:1")
        self.from_themes = Stream(seed, "place:table:3")
        self.lot = Stream(seed, "at:0")
        self.effects = {
            RUMMAGER: self.rummage,
            LATE_INVITATION: self.invite_late,
            WRECKER: self.wreck,
            TREND_SETTER: self.set_trend,
            SWITCHER: self.switch_theme,
        }

    def play(self) -> tuple[list[int], list[int]]:
        self.deck, self.discards = DECK[:], []
        themes = list(range(len(THEMES)))
        self.points = [0 for _ in self.players]
        older = list(self.players)
        by_age = [older.pop(self.lot.below(len(older))) for _ in self.players]
        for _ in range(ROUNDS):
            # Of equal ones the first, which is the youngest.
            opener = max(by_age, key=self.points.__getitem__)
            self.order = [opener, *self.others[opener]]
            self.open_round()
            theme = themes.pop(self.from_themes.below(len(themes)))
            # The interpreter draws once more for the order of what goes from a pile to a place that has one.
            self.from_themes.below(1)
            self.types, self.topics = THEME_TYPES[theme], THEME_TOPICS[theme]
            self.draft()
            self.reveal_parties()
            self.score_parties()
            for p in self.players:
                self.discards += self.area[p]
                self.discards += self.uninvited[p]
        return self.points, [1 + sum(other > points for other in self.points) for points in self.points]

    # ── a round ──

    def open_round(self) -> None:
        self.hands: list[list[int]] = [[] for _ in self.players]
        self.area: list[list[int]] = [[] for _ in self.players]
        self.uninvited: list[list[int]] = [[] for _ in self.players]  # the top card first
        self.trends: list[set[str]] = [set() for _ in self.players]
        self.declared: dict[int, str] = {}
        for _ in range(HAND_SIZE):
            for p in self.players:
                self.draw(p)

    def draw(self, p: int) -> None:
        if not self.deck:
            self.deck, self.discards = sorted(self.discards), []
            self.from_deck.restart()
        if self.deck:
            insort(self.hands[p], self.deck.pop(self.from_deck.below(len(self.deck))))

    def draft(self) -> None:
        for step in range(1, HAND_SIZE):
            for p, hand in enumerate(self.hands):
                # All choose at once; nobody can see what another one does, nor does it matter.
                invited = self.bots.choose(p, hand)
                hand.remove(invited)
                unwanted = self.bots.choose(p, hand)
                hand.remove(unwanted)
                self.area[p].append(~invited)
                self.uninvited[p].insert(0, unwanted)
            if step < HAND_SIZE - 1:
                self.hands.insert(0, self.hands.pop())
                for p in self.order:
                    self.draw(p)

    def reveal_parties(self) -> None:
        while any(card < 0 for area in self.area for card in area):
            for p in self.order:
                for place, card in enumerate(self.area[p]):
                    if card < 0:
                        self.let_in(p, place)
                        break

    def let_in(self, me: int, place: int) -> None:
        """Reveal the card at a place of an area."""
        card = self.area[me][place] = ~self.area[me][place]
        if len(CARD_TYPES[card]) > 1:
            self.declared[card] = self.bots.choose(me, CARD_TYPES[card])
        if card in self.effects:
            self.effects[card](me)
        if card <= LATE_INVITATION:
            self.area[me].remove(card)
            self.discards.append(card)

    def score_parties(self) -> None:
        flipped = sum(area.count(FLIPPER) for area in self.area) % 2
        for p, guests in enumerate(self.area):
            self.points[p] = max(0, self.points[p] + self.party(guests, self.trends[p], flipped))

    def party(self, guests: list[int], trend: set[str], flipped: int) -> int:
        types = [self.type_of(guest) for guest in guests]
        groups = {one: types.count(one) for one in TYPES}
        points = THEME_MATCH * sum(groups[one] for one in self.types)
        for guest in guests:
            likes, dislikes = LIKES[guest] | trend, DISLIKES[guest]
            if flipped:
                likes, dislikes = dislikes, likes
            points += BASE[guest] + len(likes & self.topics) - len(dislikes & self.topics)
            if guest in COUNTED_BY:
                points += groups[COUNTED_BY[guest]]
        if all(groups.values()):
            points += RAINBOW_BONUS
        largest = max(groups.values())
        if largest >= 3:
            points += 3 if largest == 3 else 5 if largest == 4 else 10
        return points

    def type_of(self, guest: int) -> str | None:
        """The type of a revealed guest; None for a gray one."""
        types = CARD_TYPES[guest]
        return types[0] if len(types) == 1 else self.declared.get(guest)

    # ── effects ──

    def rummage(self, me: int) -> None:
        host = self.bots.may_choose(me, [p for p in self.players if self.uninvited[p]])
        if host is not None:
            self.invite_from(me, host)
            self.discards += self.uninvited[host]
            self.uninvited[host] = []

    def invite_late(self, me: int) -> None:
        self.invite_from(me, me)

    def invite_from(self, me: int, host: int) -> None:
        pile = self.uninvited[host]
        found = self.bots.may_choose(me, [card for card in pile if card > LATE_INVITATION])
        if found is not None:
            pile.remove(found)
            self.area[me].append(~found)
            self.let_in(me, len(self.area[me]) - 1)

    def wreck(self, me: int) -> None:
        parties = [(p, [card for card in self.area[p] if card > LATE_INVITATION]) for p in self.others[me]]
        if any(guests for _, guests in parties) and self.bots.may_choose(me, ("wreck the other parties",)):
            for rival, guests in parties:
                victim = self.bots.choose(me, guests)
                if victim is not None:
                    self.area[rival].remove(victim)
                    self.discards.append(victim)

    def set_trend(self, me: int) -> None:
        fad = self.bots.may_choose(me, TOPICS)
        if fad is not None:
            self.trends[me].add(fad)

    def switch_theme(self, me: int) -> None:
        new_type = self.bots.may_choose(me, TYPES)
        if new_type is not None:
            self.types = [new_type]


def play(players: int, seed: int, bots: RandomPlayers) -> tuple[list[int], list[int]]:
    """One game; the points of everybody and the places, 1 for the first."""
    return WrongParty(players, seed, bots).play()
