/* Cards in places: contents, who may look, who knows what, and how cards get from one place to another.

   A place without an order is a set of cards, a bit for each; all others but pools are rows. What is known follows the
   rules K1 to K7 of `knowledge.py`, in the same order. */

static inline int in_no_order(const S *s, int place) { return KEPT(s, place) == BAG || KEPT(s, place) == LOOSE; }
static inline int is_row(const S *s, int place) { return KEPT(s, place) != POOL && !in_no_order(s, place); }

/* ── sets ── */

static inline void add_bit(uint64_t *set, V card) { set[card >> 6] |= (uint64_t)1 << (card & 63); }
static inline void drop_bit(uint64_t *set, V card) { set[card >> 6] &= ~((uint64_t)1 << (card & 63)); }
static inline int has_bit(const uint64_t *set, V card) { return set[card >> 6] >> (card & 63) & 1; }

/* A loop through the cards of a set, from the first to the last. */
#define EACH_OF(s, set, card) \
    for (int of_##card = 0, all_##card = (s)->g->parts; of_##card < all_##card; of_##card++) \
        for (uint64_t left_##card = (set)[of_##card]; left_##card; left_##card &= left_##card - 1) \
            for (V card = of_##card * 64 + __builtin_ctzll(left_##card); card >= 0; card = -1)

/* The card of a set before which so many others come. */
static V nth(const uint64_t *set, int64_t before) {
    int part = 0;
    for (int64_t here; before >= (here = __builtin_popcountll(set[part])); part++) before -= here;
    uint64_t bits = set[part];
    for (; before > 0; before--) bits &= bits - 1;
    return part * 64 + __builtin_ctzll(bits);
}

/* ── contents ── */

static inline V card_number(S *s, V value) {
    if (value < 0 || value >= s->g->cards) stop(s, UNKNOWN);
    return value;
}

static inline int place_number(S *s, V value) {
    if (value < 0 || value >= s->g->places) stop(s, UNKNOWN);
    return (int)value;
}

static V count_grid(S *s, int place) {
    V found = 0;
    const uint16_t *zone = ZONE(s, place);
    for (int at = 0, many = COUNT(s, place).n; at < many; at++) found += zone[at] != NO_CARD;
    return found;
}

static inline V count_in(S *s, int place) { return KEPT(s, place) == GRID ? count_grid(s, place) : COUNT(s, place).n; }

/* The cards of a place in their order; how many there are. */
static int lying(S *s, int place, uint16_t *cards) {
    int found = 0;
    if (in_no_order(s, place)) {
        EACH_OF(s, SET(s, place), card) cards[found++] = (uint16_t)card;
        return found;
    }
    if (KEPT(s, place) == POOL) return 0;
    for (int at = 0; at < COUNT(s, place).n; at++)
        if (ZONE(s, place)[at] != NO_CARD) cards[found++] = ZONE(s, place)[at];
    return found;
}

static inline int cards_of_place(S *s, int place) { return KEPT(s, place) == POOL ? 0 : (int)count_in(s, place); }

/* Lay down the cards of a place in their order; behind the last one. */
static V *lay_cards(S *s, int place, V *to) {
    const uint16_t *zone = ZONE(s, place);
    if (in_no_order(s, place)) {
        EACH_OF(s, SET(s, place), card) *to++ = card;
    } else if (KEPT(s, place) != POOL) {
        for (int i = 0, many = COUNT(s, place).n; i < many; i++)
            if (zone[i] != NO_CARD) *to++ = zone[i];
    }
    return to;
}

static V cards_in(S *s, int place) {
    V *found = room_for(s, KEPT(s, place) == POOL ? 0 : COUNT(s, place).n);
    return closed(s, found, lay_cards(s, place, found + 1));
}

/* The same for those that are among a set of objects. */
static V *lay_among(S *s, int place, const uint64_t *objects, V *to) {
    if (in_no_order(s, place)) {
        const uint64_t *set = SET(s, place);
        for (int part = 0; part < s->g->parts; part++)
            for (uint64_t left = set[part] & objects[part]; left; left &= left - 1) *to++ = part * 64 + __builtin_ctzll(left);
    } else if (KEPT(s, place) != POOL) {
        const uint16_t *zone = ZONE(s, place);
        for (int i = 0, many = COUNT(s, place).n; i < many; i++)
            if (zone[i] != NO_CARD) *to = zone[i], to += has_bit(objects, zone[i]);
    }
    return to;
}

static V first_in(S *s, int place) {
    if (in_no_order(s, place)) return COUNT(s, place).n ? nth(SET(s, place), 0) : NOTHING;
    if (KEPT(s, place) == POOL) return NOTHING;
    for (int at = 0; at < COUNT(s, place).n; at++)
        if (ZONE(s, place)[at] != NO_CARD) return ZONE(s, place)[at];
    return NOTHING;
}

/* Where a card stands in a row of cards. */
static inline int position(S *s, int place, V card) {
    const uint16_t *zone = ZONE(s, place);
    if (KEPT(s, place) == GRID) return SPOT(s)[card];
    if (!is_row(s, place)) stop(s, UNKNOWN);
    for (int at = 0; at < COUNT(s, place).n; at++)
        if (zone[at] == card) return at;
    stop(s, UNKNOWN);
}

static V holder(S *s, V card) {
    const Place *place = &PLACE(s, WHERE(s)[card_number(s, card)]);
    return place->owned_by == OF_PLAYER ? place->owner : NOTHING;
}

/* ── what equal cards share ── */

static int are_like(S *s, V one, V other) {
    if (s->g->likeness[one] != s->g->likeness[other] || s->g->singular[one] || s->g->singular[other])
        return one == other;
    for (int i = 0; s->changed && i < s->g->changing; i++)
        if (!same(s, STATE(s, i)[one], STATE(s, i)[other])) return 0;
    return 1;
}

/* A state of a card gets a value; one that is as it began is the very value with which it began. */
static inline void put_state(S *s, int one, V card, V value) {
    V begun = s->g->data[s->g->state[one].starts + card];
    if (same(s, value, begun)) value = begun;
    s->changed += (value != begun) - (STATE(s, one)[card] != begun);
    STATE(s, one)[card] = value;
    renew_state(s, one);
}

/* ── who may look, who knows ── */

static inline int watchers(S *s, int place) {
    const Place *at = &PLACE(s, place);
    if (s->leavings && (at->seen_by == BY_OWNER || at->seen_by == BY_OTHERS)) return (int)(at->watchers & s->plays);
    return (int)at->watchers;
}

static inline int sight(S *s, V card) {
    int place = WHERE(s)[card];
    if (KEPT(s, place) == PILE && PLACE(s, place).seen_by != BY_EVERYONE) {
        const Count *c = &COUNT(s, place);
        int top = c->n && ZONE(s, place)[0] == card && (c->first || c->last == c->n);
        return top && (FACE(s)[card] || PLACE(s, place).seen_by == BY_TOP) ? EVERYONE(s) : watchers(s, place);
    }
    return FACE(s)[card] ? EVERYONE(s) : watchers(s, place);
}

static inline int recognises(S *s, V seat, V card) {
    if (!(KNOWN(s)[card] >> seat & 1)) return 0;
    return PLACE(s, WHERE(s)[card]).recall || sight(s, card) >> seat & 1;
}

/* These seats know a card where it lies now, besides those who knew it before. */
static inline void learn(S *s, V card, int seats) {
    KNOWN(s)[card] |= (uint16_t)seats;
    COUNT(s, WHERE(s)[card]).knowers |= KNOWN(s)[card];
}

/* K1 for the card that is now the top one of a pile. */
static inline void uncover(S *s, int place) {
    if (KEPT(s, place) == PILE && COUNT(s, place).n) learn(s, ZONE(s, place)[0], sight(s, ZONE(s, place)[0]));
}

static void see(S *s, const uint16_t *cards, int many) {
    for (int i = 0; i < many; i++) learn(s, cards[i], sight(s, cards[i]));
}

/* Whether all cards of a set are equal. */
static int all_like(S *s, const uint64_t *set) {
    V first = -1;
    EACH_OF(s, set, card) {
        if (first < 0) first = card;
        else if (!are_like(s, first, card)) return 0;
    }
    return 1;
}

/* These seats no longer know the cards of a set. */
static void forget(S *s, const uint64_t *set, int seats) {
    uint16_t *known = KNOWN(s);
    EACH_OF(s, set, card) known[card] &= (uint16_t)~seats;
}

/* The same, but for those of the seats that know them all, if all are equal. */
static void forget_unless_sure(S *s, const uint64_t *set, int seats) {
    int sure = seats;
    EACH_OF(s, set, card)
        if (!(sure &= KNOWN(s)[card])) goto nobody;
    if (all_like(s, set)) seats &= ~sure;
nobody:
    forget(s, set, seats);
}

/* K5: these seats see what some cards of a crowd are; the others stay hidden in it. */
static void identified(S *s, const uint64_t *shown, const uint64_t *others, int seats) {
    EACH_OF(s, shown, card) {
        int unknown = seats & ~KNOWN(s)[card];
        if (!unknown) continue;
        EACH_OF(s, others, other) {
            int mistaken = unknown & KNOWN(s)[other];
            if (mistaken && are_like(s, other, card)) KNOWN(s)[other] &= (uint16_t)~mistaken, unknown &= ~mistaken;
        }
    }
}

/* Cards of a crowd are laid side by side in an order that these seats cannot see. */
static void mixed(S *s, const uint16_t *cards, int many, int seats) {
    uint64_t set[s->g->parts];
    if (many < 2 || !seats) return;
    memset(set, 0, sizeof set);
    for (int i = 0; i < many; i++) add_bit(set, cards[i]);
    forget_unless_sure(s, set, seats);
}

/* K3 and K5, before cards leave a place without an order; `seers` see what they are when they arrive. */
static void departs(S *s, int place, const uint16_t *leaving, int many, int seers) {
    int outside = EVERYONE(s) & ~watchers(s, place), parts = s->g->parts, known = 0, crowd = 0, hidden = 0;
    const uint8_t *face = FACE(s);
    const uint16_t *knowers = KNOWN(s);
    if (!(COUNT(s, place).knowers & outside)) return; /* most often */
    uint64_t all[parts], gone[parts], left[parts];
    memset(gone, 0, sizeof gone);
    memcpy(all, SET(s, place), sizeof all);
    COUNT(s, place).knowers = 0;
    EACH_OF(s, SET(s, place), card) {
        COUNT(s, place).knowers |= knowers[card];
        if (face[card]) drop_bit(all, card);
        else known |= knowers[card], crowd++;
    }
    for (int i = 0; i < many; i++)
        if (!FACE(s)[leaving[i]]) add_bit(gone, leaving[i]), hidden++;
    if (!(known & outside) || !hidden || hidden == crowd) return;
    for (int part = 0; part < parts; part++) left[part] = all[part] & ~gone[part];
    if (known & outside & seers) identified(s, gone, left, outside & seers);
    if (known & outside & ~seers) forget_unless_sure(s, all, known & outside & ~seers);
}

/* K4: nobody knows any longer which card lies where, except those who may look. */
static void shuffled(S *s, int place) {
    uint16_t cards[COUNT(s, place).n + 1];
    int many = lying(s, place, cards);
    for (int i = 0; i < many; i++) KNOWN(s)[cards[i]] = (uint16_t)sight(s, cards[i]);
}

/* K6, once these seats are no longer among those that play. */
static void leave_game(S *s, int seats) {
    for (int card = 0; card < s->g->cards; card++) {
        KNOWN(s)[card] &= (uint16_t)~seats;
        learn(s, card, sight(s, card) & seats);
    }
}

/* ── taking and laying ── */

static void take_at(S *s, int place, int at) {
    uint16_t *zone = ZONE(s, place);
    Count *c = &COUNT(s, place);
    if (KEPT(s, place) == GRID) {
        zone[at] = NO_CARD;
        return;
    }
    if (KEPT(s, place) == PILE) {
        if (at < c->first) c->first--;
        else if (at >= c->n - c->last) c->last--;
    }
    c->n--;
    memmove(zone + at, zone + at + 1, (size_t)(c->n - at) * sizeof *zone);
}

/* Take cards out of the place where they lie; a pile stays settled where it was. */
static void take(S *s, int place, const uint16_t *cards, int many) {
    uint64_t *set = SET(s, place);
    if (in_no_order(s, place)) {
        for (int i = 0; i < many; i++) drop_bit(set, cards[i]);
        COUNT(s, place).n -= many;
    } else {
        for (int i = 0; i < many; i++) take_at(s, place, position(s, place, cards[i]));
    }
}

static void insert(S *s, int place, int at, V card) {
    uint16_t *zone = ZONE(s, place);
    Count *c = &COUNT(s, place);
    if (c->n >= PLACE(s, place).room) stop(s, NO_ROOM);
    memmove(zone + at + 1, zone + at, (size_t)(c->n - at) * sizeof *zone);
    zone[at] = (uint16_t)card;
    c->n++;
}

static void put_on_grid(S *s, int place, V card, int at) {
    uint16_t *zone = ZONE(s, place);
    int n = COUNT(s, place).n;
    if (at < 0)
        for (at = 0; at < n && zone[at] != NO_CARD;) at++;
    if (at >= n || zone[at] != NO_CARD) stop(s, NO_ROOM);
    zone[at] = (uint16_t)card;
    SPOT(s)[card] = (uint16_t)at;
}

/* Lay a card into a place, behind so many others that come with it: on a pile, the last one comes to lie on top. */
static inline void put(S *s, int place, V card, int behind, int end, int index) {
    Count *c = &COUNT(s, place);
    WHERE(s)[card] = (uint16_t)place;
    switch (KEPT(s, place)) {
    case BAG:
    case LOOSE:
        add_bit(SET(s, place), card), c->n++;
        break;
    case GRID:
        put_on_grid(s, place, card, behind ? -1 : index);
        break;
    case PILE:
        insert(s, place, end == BOTTOM_END ? c->n : 0, card);
        if (end == BOTTOM_END) c->last++;
        else c->first++;
        break;
    case SLOT:
        if (c->n) stop(s, NO_ROOM);
        insert(s, place, 0, card);
        break;
    default:
        insert(s, place, end == TOP_END ? behind : c->n, card);
    }
}

static inline int arrives_up(S *s, int place) {
    return PLACE(s, place).seen_by == BY_EVERYONE || PLACE(s, place).seen_by == BY_TOP;
}

/* Cards in the box are as printed again. */
static void restore(S *s, const uint16_t *cards, int many) {
    for (int i = 0; s->changed && i < many; i++)
        for (int one = 0; one < s->g->changing; one++)
            put_state(s, one, cards[i], s->g->data[s->g->state[one].starts + cards[i]]);
}

/* Cards that leave a pile before they had an order, for a place that has one, get theirs now. */
static void settle_leaving(S *s, int pile, uint16_t *leaving, int many) {
    uint64_t left[s->g->parts];
    int spots[many + 1], loose = 0;
    const Count *c = &COUNT(s, pile);
    memset(left, 0, sizeof left);
    for (int i = 0; i < many; i++) {
        int at = position(s, pile, leaving[i]);
        if (at >= c->first && at < c->n - c->last) add_bit(left, leaving[i]), spots[loose++] = i;
    }
    for (int i = 0; loose; i++, loose--) {
        V card = nth(left, below(s, PLACE(s, pile).stream, loose));
        leaving[spots[i]] = (uint16_t)card;
        drop_bit(left, card);
    }
}

/* Whether a whole pile moves onto an empty one: it stays as it is, settled or not. */
static int is_whole_pile(S *s, int source, const uint16_t *leaving, int many, int goal) {
    if (KEPT(s, goal) != PILE || COUNT(s, goal).n || KEPT(s, source) != PILE || many != COUNT(s, source).n) return 0;
    return !memcmp(leaving, ZONE(s, source), (size_t)many * sizeof *leaving);
}

/* Tell who watches that cards go from one place to another; whether they did not lie there already, alone or in no order. */
static int hear_move(S *s, const uint16_t *cards, int many, int goal) {
    Watch *w = s->g->watch;
    int from = WHERE(s)[*cards];
    if (!w) return 1;
    if (from == goal && (!is_row(s, goal) || COUNT(s, goal).n == 1)) return 0;
    hear(s, (uint64_t)from << 32 | (uint64_t)goal << 16 | (uint64_t)many);
    w->filled[goal] |= w->is_noting;
    for (int i = 0; w->is_noting && i < many && goal != BOX; i++) w->used[cards[i]] = 1;
    return 1;
}

/* Note a card that is drawn before anybody is asked. */
static void note_drawn(S *s, int place, V card) {
    int64_t *row = s->g->watch->piles + PILED * place, likeness = s->g->likeness[card];
    if (KEPT(s, place) != PILE || s->clock || !s->g->watch->is_noting) return;
    if (!row[DRAWN]) row[DRAWN_FIRST] = likeness;
    row[DRAWN_OTHERS] |= likeness != row[DRAWN_FIRST], row[DRAWN_HIDDEN] |= sight(s, card) != EVERYONE(s);
    row[DRAWN] = (int64_t)(mixed_with((uint64_t)row[DRAWN] + 7, (uint64_t)likeness) >> 1 | 1);
}

/* Move one card. */
static void carry_one(S *s, uint16_t card, int goal, int index, int end, int face) {
    int from = WHERE(s)[card], kept = KEPT(s, goal);
    if (KEPT(s, from) == POOL) return;
    if (!hear_move(s, &card, 1, goal)) s->g->watch->idle++;
    if (kept == POOL) {
        take(s, from, &card, 1);
        WHERE(s)[card] = (uint16_t)goal, COUNT(s, goal).n++;
        uncover(s, from);
        renew_place(s, from), renew_place(s, goal);
        touch(s);
        return;
    }
    int up = face == ANY_FACE ? arrives_up(s, goal) : face;
    int seers = up && !(kept == PILE && end == BOTTOM_END) ? EVERYONE(s) : watchers(s, goal);
    const Count *c = &COUNT(s, from);
    if (in_no_order(s, from)) {
        departs(s, from, &card, 1, seers);
        drop_bit(SET(s, from), card), COUNT(s, from).n--;
    } else if (is_whole_pile(s, from, &card, 1, goal)) {
        Count as_before = *c;
        COUNT(s, from).n = COUNT(s, from).first = COUNT(s, from).last = 0;
        ZONE(s, goal)[0] = card, WHERE(s)[card] = (uint16_t)goal, COUNT(s, goal) = as_before;
        kept = -1;
    } else {
        int at = position(s, from, card);
        if (KEPT(s, from) == PILE && is_row(s, goal) && at >= c->first && at < c->n - c->last) below(s, PLACE(s, from).stream, 1);
        take_at(s, from, at);
    }
    if (kept >= 0) put(s, goal, card, 0, end, index);
    if (FACE(s)[card] != up) FACE(s)[card] = (uint8_t)up, renew(s, CELL_FACES);
    if (goal == BOX) restore(s, &card, 1);
    learn(s, card, seers);
    uncover(s, from);
    uncover(s, goal);
    renew_place(s, from), renew_place(s, goal);
    touch(s);
}

/* Move cards, in this order but one place after the other, from wherever they lie. Cards that lie in a pool have become
   pieces and stay. */
static void carry(S *s, const uint16_t *cards, int many, int goal, int index, int end, int face) {
    if (many == 1) {
        carry_one(s, *cards, goal, index, end, face);
        return;
    }
    uint16_t moved[many + 1];
    int first[many + 1], source[many + 1], sources = 0, found = 0, everyone = EVERYONE(s);
    const uint16_t *where = WHERE(s);
    for (int i = 0, last = -1; i < many; i++) {
        int from = where[cards[i]], known = from == last || KEPT(s, from) == POOL;
        for (int j = 0; j < sources && !known; j++) known = source[j] == from;
        if (known) continue;
        source[sources] = last = from, first[sources++] = found;
        for (int at = i; at < many; at++)
            if (where[cards[at]] == from) moved[found++] = cards[at];
    }
    if (!sources) return;
    first[sources] = found;
    int elsewhere = 0;
    for (int j = 0; j < sources; j++) elsewhere |= hear_move(s, moved + first[j], first[j + 1] - first[j], goal);
    if (!elsewhere) s->g->watch->idle++;
    if (KEPT(s, goal) == POOL) {
        for (int j = 0; j < sources; j++) {
            take(s, source[j], moved + first[j], first[j + 1] - first[j]);
            for (int i = first[j]; i < first[j + 1]; i++) WHERE(s)[moved[i]] = (uint16_t)goal;
            COUNT(s, goal).n += first[j + 1] - first[j];
            uncover(s, source[j]);
            renew_place(s, source[j]), renew_place(s, goal);
            touch(s);
        }
        return;
    }
    int up = face == ANY_FACE ? arrives_up(s, goal) : face;
    int covers = KEPT(s, goal) == PILE && (end == BOTTOM_END || found > 1);
    int seers = up && !covers ? everyone : watchers(s, goal), ordered = is_row(s, goal);
    int whole = sources == 1 && is_whole_pile(s, source[0], moved, found, goal);
    Count as_before = COUNT(s, source[0]);
    for (int j = 0; j < sources; j++) {
        uint16_t *leaving = moved + first[j];
        int count = first[j + 1] - first[j], from = source[j];
        if (in_no_order(s, from)) {
            departs(s, from, leaving, count, seers);
            if (ordered) {
                uint16_t down[count + 1];
                int hidden = 0;
                for (int i = 0; i < count; i++)
                    if (!FACE(s)[leaving[i]]) down[hidden++] = leaving[i];
                mixed(s, down, hidden, everyone & ~(watchers(s, from) | seers));
            }
        } else if (ordered && KEPT(s, from) == PILE && !whole) {
            settle_leaving(s, from, leaving, count);
        }
        if (whole) COUNT(s, from).n = COUNT(s, from).first = COUNT(s, from).last = 0;
        else take(s, from, leaving, count);
    }
    if (whole) {
        memcpy(ZONE(s, goal), moved, (size_t)found * sizeof *moved);
        COUNT(s, goal) = as_before;
        for (int i = 0; i < found; i++) WHERE(s)[moved[i]] = (uint16_t)goal;
    } else {
        if (KEPT(s, goal) == GRID && index >= 0 && found > 1) stop(s, NO_ROOM);
        for (int i = 0; i < found; i++) put(s, goal, moved[i], i, end, index);
    }
    for (int i = 0; i < found; i++) FACE(s)[moved[i]] = (uint8_t)up, learn(s, moved[i], seers);
    if (goal == BOX) restore(s, moved, found);
    for (int j = 0; j < sources; j++) uncover(s, source[j]), renew_place(s, source[j]);
    uncover(s, goal);
    renew_place(s, goal), renew(s, CELL_FACES);
    touch(s);
}

/* Move pieces between pools, as many as there are; how many that was. */
static V pour(S *s, V count, int source, int goal) {
    if (KEPT(s, source) != POOL || KEPT(s, goal) != POOL) stop(s, UNKNOWN);
    if (count > COUNT(s, source).n) count = COUNT(s, source).n;
    if (count <= 0) return 0;
    if (COUNT(s, goal).n > INT32_MAX - count) stop(s, TOO_LARGE);
    if (source != goal) {
        COUNT(s, source).n -= (int32_t)count;
        COUNT(s, goal).n += (int32_t)count;
        hear(s, (uint64_t)source << 32 | (uint64_t)goal << 16 | (uint64_t)count);
        renew_place(s, source), renew_place(s, goal);
        touch(s);
    }
    return count;
}

/* The cards of an operand, each once: one, several, or none where it is nothing. */
static int cards_of(S *s, V value, uint16_t *cards) {
    uint64_t met[s->g->parts];
    int found = 0;
    if (value == NOTHING) return 0;
    memset(met, 0, sizeof met);
    const V one[2] = {1, value}, *several = is_list(value) ? list_at(s, value) : one;
    for (V at = 1; at <= several[0]; at++) {
        if (several[at] == NOTHING) continue;
        V card = card_number(s, several[at]);
        if (has_bit(met, card)) continue;
        add_bit(met, card);
        cards[found++] = (uint16_t)card;
    }
    return found;
}

/* ── exchanges ── */

/* Where cards of a pile have no order yet, they lie as if they had always been there. */
static void as_kept(S *s, int place) {
    if (KEPT(s, place) != PILE) return;
    const Count *c = &COUNT(s, place);
    uint64_t loose[s->g->parts];
    uint16_t *zone = ZONE(s, place), *to = zone + c->first;
    memset(loose, 0, sizeof loose);
    for (int at = c->first; at < c->n - c->last; at++) add_bit(loose, zone[at]);
    EACH_OF(s, loose, card) *to++ = (uint16_t)card;
}

/* The contents of whole places change hands at once: place i goes to goal i; the goals are the places, in another order. */
static void replace_contents(S *s, const int *place, const int *goal, int many) {
    int parts = s->g->parts, total = 0, from[MOST_PLAYERS + 1], changed = 0;
    Count count[MOST_PLAYERS];
    for (int i = 0; i < many; i++) {
        total += (int)PLACE(s, place[i]).room + 1;
        for (int j = 0; j < i; j++)
            if (place[i] == place[j]) stop(s, UNKNOWN);
    }
    uint16_t zone[total + 1];
    uint64_t set[many * parts + 1];
    total = 0;
    for (int i = 0; i < many; i++) {
        count[i] = COUNT(s, place[i]), from[i] = total;
        changed |= count[i].n;
        if (count[i].n) hear(s, (uint64_t)place[i] << 32 | (uint64_t)goal[i] << 16 | (uint64_t)count[i].n);
        if (is_row(s, place[i])) {
            memcpy(zone + total, ZONE(s, place[i]), (size_t)count[i].n * sizeof *zone);
            total += count[i].n;
        } else {
            memcpy(set + i * parts, SET(s, place[i]), (size_t)parts * sizeof *set);
        }
    }
    from[many] = total;
    for (int i = 0; i < many; i++) {
        if (KEPT(s, place[i]) != KEPT(s, goal[i]) || count[i].n > PLACE(s, goal[i]).room) stop(s, NO_ROOM);
        COUNT(s, goal[i]) = count[i];
        if (is_row(s, goal[i])) {
            memcpy(ZONE(s, goal[i]), zone + from[i], (size_t)count[i].n * sizeof *zone);
            for (int at = 0; at < count[i].n; at++)
                if (KEPT(s, goal[i]) == GRID && zone[from[i] + at] != NO_CARD)
                    SPOT(s)[zone[from[i] + at]] = (uint16_t)at;
        } else {
            memcpy(SET(s, goal[i]), set + i * parts, (size_t)parts * sizeof *set);
        }
        uint16_t cards[count[i].n + 1];
        for (int at = lying(s, goal[i], cards) - 1; at >= 0; at--) WHERE(s)[cards[at]] = (uint16_t)goal[i];
    }
    for (int i = 0; i < many; i++) {
        uint16_t cards[count[i].n + 1];
        int here = lying(s, goal[i], cards);
        if (PLACE(s, place[i]).seen_by != PLACE(s, goal[i]).seen_by)
            for (int at = 0; at < here; at++) FACE(s)[cards[at]] = (uint8_t)arrives_up(s, goal[i]);
        see(s, cards, here);
        renew_place(s, goal[i]);
    }
    renew(s, CELL_FACES);
    if (changed) touch(s);
}

/* Two cards change places; each takes the other's position where there is one. */
static void exchange(S *s, V first, V second) {
    if (first == second) return;
    int one = WHERE(s)[first], other = WHERE(s)[second], everyone = EVERYONE(s);
    for (int i = 0; i < 2; i++) {
        uint16_t card = (uint16_t)(i ? second : first);
        int place = i ? other : one, goal = i ? one : other;
        if (is_row(s, place) || place == goal) continue;
        int up = PLACE(s, place).seen_by == PLACE(s, goal).seen_by ? FACE(s)[card] : arrives_up(s, goal);
        if (KEPT(s, place) != POOL) departs(s, place, &card, 1, up ? everyone : watchers(s, goal));
    }
    if (KEPT(s, one) == POOL || KEPT(s, other) == POOL) stop(s, UNKNOWN);
    int at = in_no_order(s, one) ? 0 : position(s, one, first), there = in_no_order(s, other) ? 0 : position(s, other, second);
    if (one != other || !in_no_order(s, one)) {
        if (in_no_order(s, one)) drop_bit(SET(s, one), first), add_bit(SET(s, one), second);
        else ZONE(s, one)[at] = (uint16_t)second, SPOT(s)[second] = (uint16_t)at;
        if (in_no_order(s, other)) drop_bit(SET(s, other), second), add_bit(SET(s, other), first);
        else ZONE(s, other)[there] = (uint16_t)first, SPOT(s)[first] = (uint16_t)there;
    }
    as_kept(s, one), as_kept(s, other);
    WHERE(s)[first] = (uint16_t)other, WHERE(s)[second] = (uint16_t)one;
    if (PLACE(s, one).seen_by != PLACE(s, other).seen_by) {
        FACE(s)[first] = (uint8_t)arrives_up(s, other);
        FACE(s)[second] = (uint8_t)arrives_up(s, one);
    }
    uint16_t both[2] = {(uint16_t)first, (uint16_t)second};
    see(s, both, 2);
    hear(s, (uint64_t)one << 32 | (uint64_t)other << 16);
    renew_place(s, one), renew_place(s, other), renew(s, CELL_FACES);
    touch(s);
}

/* Cards are laid out anew, on the positions they had. */
static void arrange(S *s, V value, V order) {
    int all = s->g->cards + 1;
    uint16_t cards[all], taking[all], where[all], here[all];
    int at[all], many = cards_of(s, value, cards), changed = 0;
    uint64_t met[s->g->parts];
    memset(met, 0, sizeof met);
    for (int i = 0; i < many; i++) add_bit(met, cards[i]);
    if (cards_of(s, order, taking) != many) stop(s, UNKNOWN);
    for (int i = 0; i < many; i++)
        if (!has_bit(met, taking[i])) stop(s, UNKNOWN);
    for (int i = 0; i < many; i++) {
        where[i] = WHERE(s)[cards[i]];
        changed |= cards[i] != taking[i];
        if (in_no_order(s, where[i])) drop_bit(SET(s, where[i]), cards[i]);
        else at[i] = position(s, where[i], cards[i]);
    }
    for (int i = 0; i < many; i++) {
        if (in_no_order(s, where[i])) add_bit(SET(s, where[i]), taking[i]);
        else ZONE(s, where[i])[at[i]] = taking[i], SPOT(s)[taking[i]] = (uint16_t)at[i];
        WHERE(s)[taking[i]] = where[i];
    }
    for (int i = 0; i < many; i++) as_kept(s, where[i]), renew_place(s, where[i]);
    if (!changed) return;
    for (int i = 0; i < many; i++) {
        int met = 0, count = 0;
        for (int j = 0; j < i && !met; j++) met = where[j] == where[i];
        if (met) continue;
        for (int j = 0; j < many; j++)
            if (WHERE(s)[cards[j]] == where[i]) here[count++] = cards[j];
        mixed(s, here, count, EVERYONE(s) & ~watchers(s, where[i]));
        see(s, here, count);
    }
    touch(s);
}

/* ── open, covered, shown ── */

/* Who is shown a card of a crowd cannot tell it from an equal one that it knew there. */
static void single_out(S *s, int place, const uint16_t *cards, int many, int seats) {
    if (!in_no_order(s, place)) return;
    uint64_t shown[s->g->parts], others[s->g->parts];
    memset(shown, 0, sizeof shown);
    memcpy(others, SET(s, place), sizeof others);
    for (int i = 0; i < many; i++) add_bit(shown, cards[i]), drop_bit(others, cards[i]);
    EACH_OF(s, SET(s, place), card)
        if (FACE(s)[card]) drop_bit(others, card);
    identified(s, shown, others, seats & ~watchers(s, place));
}

enum { REVEAL, COVER, SHOW };

/* Do one of these to cards, place by place. */
static void turn(S *s, V value, int how, int seats) {
    int all = s->g->cards + 1;
    uint16_t cards[all], here[all];
    int many = cards_of(s, value, cards);
    for (int i = 0; i < many; i++) {
        int place = WHERE(s)[cards[i]], met = 0, count = 0, news = 0;
        for (int j = 0; j < i && !met; j++) met = WHERE(s)[cards[j]] == place;
        if (met) continue;
        for (int j = i; j < many; j++)
            if (WHERE(s)[cards[j]] == place && (how == SHOW || FACE(s)[cards[j]] == (how == COVER)))
                here[count++] = cards[j];
        if (!count) continue;
        if (how != COVER) single_out(s, place, here, count, seats);
        for (int j = 0; j < count; j++) {
            news |= seats & ~KNOWN(s)[here[j]];
            if (how != SHOW || news) hear(s, (uint64_t)s->g->likeness[here[j]] << 16 | (uint64_t)(how << 8 | seats));
            if (how != SHOW) FACE(s)[here[j]] = how == REVEAL;
            if (how != COVER) learn(s, here[j], seats);
        }
        if (how != SHOW) renew(s, CELL_FACES);
        if (how != SHOW || news) touch(s);
    }
}

/* ── chance among cards: a stream gives its numbers in the machine's order ── */

static void sort_loose(S *s, int pile) {
    COUNT(s, pile).first = COUNT(s, pile).last = 0;
    as_kept(s, pile);
}

/* Shuffle a pile or a bag: nothing is decided yet, and what its stream gave so far no longer matters. */
static void unsettle(S *s, int place) {
    restart(s, PLACE(s, place).stream);
    if (KEPT(s, place) == PILE) {
        sort_loose(s, place);
        shuffled(s, place);
    }
    if (COUNT(s, place).n > 1) touch(s); /* a round that only shuffles nothing comes again for ever */
}

static void shuffle(S *s, int place) {
    if (KEPT(s, place) == POOL) return;
    renew_place(s, place);
    if (KEPT(s, place) != ROW && KEPT(s, place) != GRID) {
        unsettle(s, place);
        return;
    }
    uint64_t left[s->g->parts];
    int kept = 0;
    memset(left, 0, sizeof left);
    restart(s, PLACE(s, place).stream);
    uint16_t *zone = ZONE(s, place);
    for (int at = 0; at < COUNT(s, place).n; at++)
        if (zone[at] != NO_CARD) add_bit(left, zone[at]), kept++;
    if (kept > 1) touch(s);
    for (int at = 0; at < COUNT(s, place).n; at++) {
        if (zone[at] == NO_CARD) continue;
        V card = nth(left, below(s, PLACE(s, place).stream, kept--));
        drop_bit(left, card);
        zone[at] = (uint16_t)card, SPOT(s)[card] = (uint16_t)at;
    }
    shuffled(s, place);
}

/* So many cards at the top of a pile get their order, if they have none. */
static void settle(S *s, int pile, V count) {
    Count *c = &COUNT(s, pile);
    uint16_t *zone = ZONE(s, pile);
    while (c->first < count && c->first < c->n - c->last) {
        int top = c->first, at = top + (int)below(s, PLACE(s, pile).stream, c->n - c->last - top);
        uint16_t card = zone[at];
        memmove(zone + top + 1, zone + top, (size_t)(at - top) * sizeof *zone);
        zone[top] = card;
        c->first++;
        renew_place(s, pile);
    }
    uncover(s, pile);
}

static int refill(S *s, int place) {
    V pile = PLACE(s, place).refill;
    if (pile < 0) return 0;
    uint16_t cards[COUNT(s, pile).n + 1];
    int many = lying(s, (int)pile, cards);
    carry(s, cards, many, place, -1, ANY_END, ANY_FACE);
    unsettle(s, place);
    return many;
}

/* The card that is drawn: at random from a bag, the top one of a pile. */
static V next_card(S *s, int source) {
    if (in_no_order(s, source)) return nth(SET(s, source), below(s, PLACE(s, source).stream, COUNT(s, source).n));
    const Count *c = &COUNT(s, source);
    if (KEPT(s, source) == PILE && !c->first && c->last != c->n)
        return ZONE(s, source)[below(s, PLACE(s, source).stream, c->n - c->last)];
    return first_in(s, source);
}
