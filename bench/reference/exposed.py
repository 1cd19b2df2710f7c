"""Exposed by hand, with two to six players and the default options.

In: the number of players, a seed, who answers. Out: how many wallets everybody has, and the places. A guest is a
number, which stands for the identity card and for the tile alike; what lies on a tile is counted by guest.
"""

from __future__ import annotations

from collections.abc import Sequence

from reference.chance import RandomPlayers, Stream
from reference.exposed_tiles import COP, GRIDS, GUESTS, PILOT, SOLDIER

PLAYERS = range(2, 7)
WALLETS, WALLETS_TO_WIN, EXPOSE_REWARD, MAX_TURNS = 56, 7, 2, 60


class Decided(Exception):
    """Somebody has enough wallets, or only one player is not exposed."""


class Exposed:
    """One game."""

    def __init__(self, players: int, seed: int, bots: RandomPlayers) -> None:
        self.players, self.bots = range(players), bots
        self.others = [[(p + step) % players for step in range(1, players)] for p in self.players]
        self.grid = GRIDS[players]
        self.shuffled = Stream(seed, "place:table:1")
        self.from_deck = Stream(seed, "place:table:5")
        self.first_player = Stream(seed, "at:0")
        self.deeds = {"move": self.move, "steal": self.steal, "expose": self.expose, "snitch": self.snitch}

    def play(self) -> tuple[list[int], list[int]]:
        self.set_up()
        starter = self.first_player.below(len(self.players))
        try:
            for _ in range(MAX_TURNS):
                for p in (starter, *self.others[starter]):
                    self.turn(p)
        except Decided:
            pass
        fortunes = [self.fortune(p) for p in self.players]
        if self.exposed.count(False) == 1:
            return fortunes, [2 if exposed else 1 for exposed in self.exposed]
        return fortunes, [1 + sum(other > fortune for other in fortunes) for fortune in fortunes]

    def set_up(self) -> None:
        spots = len(self.grid.around)
        tiles = list(range(spots))
        self.board = [tiles.pop(self.shuffled.below(len(tiles))) for _ in range(spots)]
        self.spot = [self.board.index(guest) for guest in range(spots)]
        self.wallets = [1] * spots
        for spot in self.grid.corners:
            self.wallets[self.board[spot]] = 2
        self.turned = [False] * spots
        self.lost_and_found = WALLETS - sum(self.wallets)
        # What lies in no known order, sorted, and under it what somebody has looked at.
        self.deck, self.deck_bottom = list(range(spots)), []
        self.discards: list[int] = []
        self.marks: list[int] = []
        self.in_use: list[int] = []
        self.draw_marks()
        self.identity = [self.draw() for _ in self.players]
        self.exposed = [False for _ in self.players]
        self.stash = [0 for _ in self.players]
        # Kept cards: the card that is kept, and the one whose item it is.
        self.kept: list[list[tuple[int, int]]] = [[] for _ in self.players]

    def draw(self) -> int:
        """The next card of the deck, which is not empty."""
        if not self.deck:
            return self.deck_bottom.pop(0)
        card = self.deck.pop(self.from_deck.below(len(self.deck)))
        # The interpreter draws once more for the order of what goes from a pile to a place that has one.
        self.from_deck.below(1)
        return card

    def draw_marks(self) -> None:
        while len(self.marks) < self.grid.marks and (self.deck or self.deck_bottom):
            self.marks.append(self.draw())

    # ── a turn ──

    def turn(self, me: int) -> None:
        for card, item in self.kept[me][:]:
            if item == PILOT:
                self.before_turn_as_pilot(me, card)
            elif item == SOLDIER and self.bots.may_choose(me, ("move first",)):
                self.move(me)
        deeds = ["move"]
        if self.in_reach(me):
            deeds.append("steal")
        own = self.identity[me]
        if not all(self.turned[self.board[spot]] for spot in self.grid.in_line[self.spot[own]]):
            deeds.append("expose")
        if self.turned.count(False) > (not self.turned[own]):
            deeds.append("snitch")
        deed = self.bots.choose(me, deeds)
        self.deeds[deed](me)
        if deed == "expose" and self.stash[me] and any(item == COP for _, item in self.kept[me]):
            self.stash[me] -= 1
            self.lost_and_found += 1
        self.clean_up(me)

    def clean_up(self, me: int) -> None:
        for mark in self.marks[:]:
            if not self.wallets[mark]:
                self.marks.remove(mark)
                self.discard(mark)
        self.draw_marks()
        self.supply(me, [mark for mark in self.marks if not self.wallets[mark]])

    def fortune(self, p: int) -> int:
        return self.stash[p] + self.wallets[self.identity[p]]

    def look_for_the_end(self) -> None:
        """After each theft, each action, and each item."""
        if self.exposed.count(False) == 1:
            raise Decided
        for p in self.players:
            if self.stash[p] + self.wallets[self.identity[p]] >= WALLETS_TO_WIN:
                raise Decided

    def discard(self, card: int) -> None:
        self.discards.append(card)
        self.turned[card] = True

    def supply(self, me: int, tiles: Sequence[int]) -> None:
        """A wallet for each of these tiles, as far as there are any."""
        if self.lost_and_found < len(tiles):
            tiles = self.bots.choose_set(me, tiles, self.lost_and_found, self.lost_and_found)
        for tile in tiles:
            self.wallets[tile] += 1
        self.lost_and_found -= len(tiles)

    # ── actions ──

    def in_reach(self, me: int) -> list[int]:
        """From whom a player can steal."""
        own, wallets = self.identity[me], self.wallets
        near = [guest for guest in [self.board[spot] for spot in self.grid.around[self.spot[own]]] if wallets[guest]]
        if wallets[own] and not self.exposed[me]:
            near.append(own)
        return near

    def exposable(self, me: int, tiles: Sequence[int]) -> list[int]:
        """Those of the tiles that a player may turn over."""
        own = self.identity[me]
        return [guest for guest in tiles if not self.turned[guest] and guest != own]

    def move(self, me: int) -> None:
        for _ in range(2):
            one = self.bots.choose(me, self.board)
            other = self.bots.choose(me, [self.board[spot] for spot in self.grid.beside[self.spot[one]]])
            self.swap(one, other)
        self.look_for_the_end()

    def swap(self, one: int, other: int) -> None:
        here, there = self.spot[one], self.spot[other]
        self.board[here], self.board[there] = other, one
        self.spot[one], self.spot[other] = there, here

    def steal(self, me: int) -> None:
        target = self.bots.choose(me, self.in_reach(me))
        if target is None:
            return
        self.wallets[target] -= 1
        if self.exposed[me]:
            self.wallets[self.identity[me]] += 1
        else:
            self.stash[me] += 1
        self.look_for_the_end()
        if target in self.marks:
            self.turned[target] = True
            self.marks.remove(target)
            self.in_use.append(target)
            if self.bots.may_choose(me, ("use the item",)):
                self.use(target, me, target)
            if target in self.in_use:
                self.in_use.remove(target)
                self.discard(target)
        self.look_for_the_end()

    def expose(self, me: int) -> None:
        line = [self.board[spot] for spot in self.grid.in_line[self.spot[self.identity[me]]]]
        self.turn_over(me, self.bots.choose(me, self.exposable(me, line)))
        self.look_for_the_end()

    def snitch(self, me: int) -> None:
        self.turn_over(me, self.bots.choose(me, self.exposable(me, self.board)))
        self.look_for_the_end()
        if not self.exposed[me]:
            self.bots.choose(me, [p for p in self.others[me] if not self.exposed[p]])

    def turn_over(self, me: int, tile: int) -> None:
        self.turned[tile] = True
        if tile in self.identity:
            victim = self.identity.index(tile)
            reward = min(EXPOSE_REWARD, self.lost_and_found)
            self.stash[me] += reward
            self.exposed[victim] = True
            there = self.wallets[tile] + self.stash[victim]
            self.stash[victim] = 0
            self.wallets[tile] = there - there // 2
            self.lost_and_found += there // 2 - reward

    # ── items; `it` is the guest whose card is played, which is the Actor's when an Actor plays for another ──

    def use(self, item: int, me: int, it: int) -> None:
        getattr(self, GUESTS[item])(me, it)
        self.look_for_the_end()

    def with_wallets(self, but: int | None = None) -> list[int]:
        return [guest for guest in self.board if self.wallets[guest] and guest != but]

    def around(self, guest: int) -> list[int]:
        return [self.board[spot] for spot in self.grid.around[self.spot[guest]]]

    def carry(self, source: int | None, goal: int) -> None:
        """A wallet from one tile to another; nothing if there is no such tile."""
        if source is not None:
            self.wallets[source] -= 1
            self.wallets[goal] += 1

    def rob(self, p: int, me: int, how_many: int = 1) -> None:
        """Wallets from one stash into another."""
        how_many = min(how_many, self.stash[p])
        self.stash[p] -= how_many
        self.stash[me] += how_many

    def peek(self, p: int, how_many: int) -> None:
        seen = [self.draw() for _ in range(min(how_many, len(self.deck) + len(self.deck_bottom)))]
        self.deck_bottom += self.bots.choose_order(p, seen)

    def accountant(self, me: int, it: int) -> None:
        own = self.identity[me]
        goal = self.bots.choose(me, [guest for guest in self.board if guest != own])
        for _ in range(3):
            source = self.bots.may_choose(me, self.with_wallets(but=goal))
            if source is None:
                break
            self.carry(source, goal)

    def architect(self, me: int, it: int) -> None:
        self.supply(me, [self.board[spot] for spot in self.grid.corners])

    def astronaut(self, me: int, it: int) -> None:
        self.peek(me, 4)
        for p in self.others[me]:
            self.peek(p, 1)

    def dentist(self, me: int, it: int) -> None:
        patient = self.bots.choose(me, self.others[me])
        if not self.exposed[patient]:
            self.bots.choose(patient, ("row", "column"))

    def engineer(self, me: int, it: int) -> None:
        target = self.bots.choose(me, self.exposable(me, self.board))
        if target is not None:
            self.turn_over(me, target)

    def firefighter(self, me: int, it: int) -> None:
        line = self.bots.choose(me, self.grid.lines)
        for spot, guest in zip(line, self.bots.choose_order(me, [self.board[spot] for spot in line]), strict=True):
            self.board[spot] = guest
            self.spot[guest] = spot

    def lawyer(self, me: int, it: int) -> None:
        self.supply(me, [guest for guest in self.board if self.turned[guest]])

    def locksmith(self, me: int, it: int) -> None:
        for _ in range(2):
            self.carry(self.bots.choose(me, self.with_wallets(but=it)), it)

    def magician(self, me: int, it: int) -> None:
        self.move(me)

    def mayor(self, me: int, it: int) -> None:
        self.peek(me, 3)

    def mechanic(self, me: int, it: int) -> None:
        self.steal(me)

    def paramedic(self, me: int, it: int) -> None:
        self.supply(me, [self.board[spot] for spot in self.bots.choose(me, self.grid.lines)])

    def physicist(self, me: int, it: int) -> None:
        one = self.bots.choose(me, self.board)
        self.swap(one, self.bots.choose(me, [guest for guest in self.board if guest != one]))

    def surgeon(self, me: int, it: int) -> None:
        if self.lost_and_found:
            self.lost_and_found -= 1
            self.stash[me] += 1

    def teacher(self, me: int, it: int) -> None:
        source = self.bots.choose(me, self.with_wallets())
        if source is not None:
            others = [guest for guest in self.board if guest != source]
            for goal in self.bots.choose_set(me, others, 0, min(2, self.wallets[source])):
                self.carry(source, goal)

    def undertaker(self, me: int, it: int) -> None:
        self.supply(me, self.bots.choose_set(me, self.board, 0, 3))

    def actor(self, me: int, it: int) -> None:
        role = self.bots.choose(me, self.discards[::-1])
        if role is not None:
            self.use(role, me, it)

    def farmer(self, me: int, it: int) -> None:
        self.supply(me, [it, *self.around(it)])

    def janitor(self, me: int, it: int) -> None:
        sources = [guest for guest in self.with_wallets(but=it) if self.turned[guest]]
        for source in self.bots.choose_set(me, sources, 0, len(sources)):
            self.carry(source, it)

    def nanny(self, me: int, it: int) -> None:
        target = self.bots.choose(me, self.with_wallets())
        if target is not None:
            self.lost_and_found += self.wallets[target] - 1
            self.wallets[target] = 0
            self.stash[me] += 1

    def nurse(self, me: int, it: int) -> None:
        beds = self.around(it)
        used: list[int] = []
        for _ in range(4):
            patient = self.bots.may_choose(me, [guest for guest in self.board if guest not in used])
            if patient is None:
                break
            bed = self.bots.choose(me, [guest for guest in beds if guest not in used and guest != patient])
            if bed is None:
                break
            self.swap(patient, bed)
            used += [patient, bed]

    def pilot(self, me: int, it: int) -> None:
        self.in_use.remove(it)
        self.kept[me].append((it, PILOT))

    def before_turn_as_pilot(self, me: int, it: int) -> None:
        goal = self.bots.may_choose(me, [guest for guest in self.board if guest != it])
        if goal is not None:
            self.swap(it, goal)

    def senator(self, me: int, it: int) -> None:
        near = self.around(it)
        for p in (me, *self.others[me]):
            if self.identity[p] in near and self.lost_and_found:
                self.lost_and_found -= 1
                self.stash[p] += 1

    def server(self, me: int, it: int) -> None:
        waiter = self.bots.choose(me, self.others[me])
        self.move(waiter)
        self.rob(waiter, me)

    def veterinarian(self, me: int, it: int) -> None:
        # The left and the right neighbour, who are the same one in a game for two.
        self.rob(self.bots.choose(me, [self.others[me][0], self.others[me][-1]]), me)

    def artist(self, me: int, it: int) -> None:
        source = self.bots.choose(me, self.with_wallets(but=it))
        if source is not None:
            self.wallets[it] += self.wallets[source]
            self.wallets[source] = 0

    def banker(self, me: int, it: int) -> None:
        given = min(2, self.lost_and_found)
        self.lost_and_found -= given
        self.wallets[it] += given
        self.swap(it, self.bots.choose(me, [guest for guest in self.board if guest != it]))

    def captain(self, me: int, it: int) -> None:
        exposed = [p for p in self.players if self.exposed[p]]
        for p in self.bots.choose_set(me, exposed, 0, len(exposed)):
            source = self.bots.choose(me, self.with_wallets())
            if source is not None:
                self.wallets[source] -= 1
                self.stash[p] += 1

    def clown(self, me: int, it: int) -> None:
        exposed = [p for p in self.players if self.exposed[p]]
        if len(exposed) >= 2:
            one = self.bots.choose(me, exposed)
            exposed.remove(one)
            other = self.bots.choose(me, exposed)
            self.identity[one], self.identity[other] = self.identity[other], self.identity[one]

    def cop(self, me: int, it: int) -> None:
        suspect = self.bots.choose(me, self.players)
        self.in_use.remove(it)
        self.kept[suspect].append((it, COP))

    def judge(self, me: int, it: int) -> None:
        for mark in self.bots.choose_set(me, self.marks, 0, len(self.marks)):
            self.marks.remove(mark)
            self.discard(mark)

    def panhandler(self, me: int, it: int) -> None:
        for p in self.others[me]:
            if self.stash[p]:
                self.stash[p] -= 1
                self.wallets[it] += 1

    def puppeteer(self, me: int, it: int) -> None:
        source = self.bots.choose(me, self.with_wallets())
        if source is not None:
            self.wallets[source] -= 1
            self.stash[me] += 1

    def realtor(self, me: int, it: int) -> None:
        payer = self.bots.choose(me, [p for p in self.players if self.stash[p]])
        if payer is not None:
            lucky = self.bots.choose(me, [p for p in self.others[me] if p != payer])
            self.rob(payer, lucky, 2)

    def soldier(self, me: int, it: int) -> None:
        self.in_use.remove(it)
        self.kept[me].append((it, SOLDIER))

    def wrestler(self, me: int, it: int) -> None:
        if self.exposed[me]:
            return
        drawn = []
        while self.deck or self.deck_bottom:
            card = self.draw()
            if not self.turned[card]:
                self.discard(self.identity[me])
                self.identity[me] = card
                break
            drawn.append(card)
        for card in drawn:
            self.discard(card)


def play(players: int, seed: int, bots: RandomPlayers) -> tuple[list[int], list[int]]:
    """One game; the wallets of everybody and the places, 1 for the first."""
    return Exposed(players, seed, bots).play()
