/* How cards and pieces get from one place to another: contents, faces, where each lies, and the chance of it.

   A place without an order is a set of cards, one bit for each; all others are rows. */

enum { ANY_END, TOP_END, BOTTOM_END };
enum { ANY_FACE = -1, FACE_DOWN, FACE_UP };

static inline int in_no_order(int place) { return KEPT[place] == BAG || KEPT[place] == LOOSE; }

/* ── sets ── */

static inline void add(Set *set, V card) { set->part[card >> 6] |= (uint64_t)1 << (card & 63); }
static inline void drop(Set *set, V card) { set->part[card >> 6] &= ~((uint64_t)1 << (card & 63)); }
static inline int has(const Set *set, V card) { return set->part[card >> 6] >> (card & 63) & 1; }

static inline V least(const Set *set) {
    for (int part = 0; part < PARTS; part++)
        if (set->part[part]) return part * 64 + __builtin_ctzll(set->part[part]);
    return NOTHING;
}

static inline V many(uint64_t part) { return __builtin_popcountll(part); }

/* The bit before which so many others come. */
static inline int nth_bit(uint64_t bits, int64_t before) {
#ifdef __BMI2__
    bits = __builtin_ia32_pdep_di((uint64_t)1 << before, bits);
#else
    for (; before > 0; before--) bits &= bits - 1;
#endif
    return __builtin_ctzll(bits);
}

/* The card of a set before which so many others come. */
static inline V nth(const Set *set, int64_t before) {
    int part = 0;
    for (V here; before >= (here = many(set->part[part])); part++) before -= here;
    return part * 64 + nth_bit(set->part[part], before);
}

/* ── contents ── */

/* How many positions of a place may hold cards. */
static inline int spots(const S *s, int place) { return KEPT[place] == POOL ? 0 : s->n[place]; }

static int64_t count_in(const S *s, int place) {
    if (KEPT[place] != GRID) return s->n[place];
    int64_t found = 0;
    for (int at = 0; at < s->n[place]; at++) found += s->zone[place][at] != EMPTY;
    return found;
}

/* The cards of a place in their order; how many there are. */
static int lying(const S *s, int place, CARD *cards) {
    int found = 0;
    if (in_no_order(place)) {
        for (int part = 0; part < PARTS; part++)
            for (uint64_t left = s->set[place].part[part]; left; left &= left - 1)
                cards[found++] = (CARD)(part * 64 + __builtin_ctzll(left));
        return found;
    }
    for (int at = 0; at < spots(s, place); at++)
        if (s->zone[place][at] != EMPTY) cards[found++] = s->zone[place][at];
    return found;
}

static V cards_in(S *s, int place) {
    CARD cards[CAP];
    int many = lying(s, place, cards);
    V *found = room_for(s, many);
    for (int at = 0; at < many; at++) found[1 + at] = cards[at];
    return handle(s, found);
}

static V first_in(const S *s, int place) {
    if (in_no_order(place)) return least(&s->set[place]);
    for (int at = 0; at < spots(s, place); at++)
        if (s->zone[place][at] != EMPTY) return s->zone[place][at];
    return NOTHING;
}

/* Where a card stands in a row of cards. */
static inline int position(S *s, int place, V card) {
    if (KEPT[place] == GRID) return s->spot[card];
    for (int at = 0; at < s->n[place]; at++)
        if (s->zone[place][at] == card) return at;
    stop(s, UNKNOWN);
}

/* Whether a card of a pile has no order yet. */
static inline int is_loose(const S *s, int pile, int at) {
    return at >= s->first[pile] && at < s->n[pile] - s->last[pile];
}

/* Cards of a row move up or down by one; most rows are short. */
static inline void shift(CARD *to, const CARD *from, int many) {
    char few[SPARE * sizeof(CARD)];
    if (many > SPARE) {
        memmove(to, from, (size_t)many * sizeof(CARD));
    } else {
        memcpy(few, from, sizeof few);
        memcpy(to, few, sizeof few);
    }
}

static inline void take_at(S *s, int place, int at) {
    CARD *zone = s->zone[place];
    if (KEPT[place] == GRID) {
        zone[at] = EMPTY;
        return;
    }
    if (KEPT[place] == PILE) {
        if (at < s->first[place]) s->first[place]--;
        else if (at >= s->n[place] - s->last[place]) s->last[place]--;
    }
    s->n[place]--;
    shift(zone + at, zone + at + 1, s->n[place] - at);
}

/* Take a card out of where it lies; a pile stays settled where it was. */
static inline void take(S *s, V card) {
    int place = s->where[card];
    if (in_no_order(place)) {
        if (!has(&s->set[place], card)) stop(s, UNKNOWN);
        drop(&s->set[place], card);
        s->n[place]--;
    } else {
        take_at(s, place, position(s, place, card));
    }
}

/* Whether these are all cards of a row, slot or pile, as they lie there. */
static inline int is_whole(const S *s, int place, const CARD *cards, int many) {
    if (in_no_order(place) || KEPT[place] == GRID || many != s->n[place]) return 0;
    return !memcmp(cards, s->zone[place], (size_t)many * sizeof(CARD));
}

static inline void clear(S *s, int place) { s->n[place] = s->first[place] = s->last[place] = 0; }

static inline void insert(S *s, int place, int at, V card) {
    CARD *zone = s->zone[place];
    if (s->n[place] >= CAP) stop(s, NO_ROOM);
    shift(zone + at + 1, zone + at, s->n[place] - at);
    zone[at] = (CARD)card;
    s->n[place]++;
}

static inline void put_on_grid(S *s, int place, V card, int at) {
    if (at < 0)
        for (at = 0; at < s->n[place] && s->zone[place][at] != EMPTY;) at++;
    if (at >= s->n[place] || s->zone[place][at] != EMPTY) stop(s, NO_ROOM);
    s->zone[place][at] = (CARD)card;
    s->spot[card] = (uint16_t)at;
}

/* Lay a card into a place: at a position of a grid, or behind so many others that came with it before. */
static QUICK void lay(S *s, int place, V card, int end, int index, int before) {
    s->where[card] = (uint16_t)place;
    switch (KEPT[place]) {
    case BAG:
    case LOOSE:
        add(&s->set[place], card);
    case POOL:
        s->n[place]++;
        return;
    case PILE:
        insert(s, place, end == BOTTOM_END ? s->n[place] : 0, card);
        (*(end == BOTTOM_END ? &s->last[place] : &s->first[place]))++;
        return;
    case GRID:
        put_on_grid(s, place, card, index);
        return;
    case SLOT:
        if (s->n[place]) stop(s, NO_ROOM);
    default:
        insert(s, place, end == TOP_END ? before : s->n[place], card);
    }
}

/* Lay cards on a pile or under it, one after the other. */
static void stack(S *s, int pile, const CARD *cards, int many, int end) {
    CARD *zone = s->zone[pile];
    if (s->n[pile] + many > CAP) stop(s, NO_ROOM);
    if (end != BOTTOM_END) memmove(zone + many, zone, (size_t)s->n[pile] * sizeof(CARD));
    for (int i = 0; i < many; i++) {
        zone[end == BOTTOM_END ? s->n[pile] + i : many - 1 - i] = cards[i];
        s->where[cards[i]] = (uint16_t)pile;
    }
    s->n[pile] += many;
    *(end == BOTTOM_END ? &s->last[pile] : &s->first[pile]) += many;
}

static inline int shows(int place, int face) { return face == ANY_FACE ? ARRIVES_UP[place] : face; }

/* What else cards become where they come to lie. */
static inline void arrive(S *s, const CARD *cards, int many, int goal, int face) {
    if (KEPT[goal] == POOL) return;
    for (int i = 0, up = shows(goal, face); i < many; i++) s->face[cards[i]] = (uint8_t)up;
    for (int i = 0; goal == BOX && s->changed && i < many; i++)
        for (int one = 0; one < STATES; one++) set_state(s, one, cards[i], STARTS[one][cards[i]]);
}

/* ── moves ── */

/* Cards that leave a pile before they had an order, for a place that has one, get theirs now. */
static void settle_leaving(S *s, int pile, CARD *leaving, int many) {
    Set loose = {0}, left = {0};
    int kept = 0, spot[CAP];
    for (int at = s->first[pile]; at < s->n[pile] - s->last[pile]; at++) add(&loose, s->zone[pile][at]);
    for (int i = 0; i < many; i++)
        if (has(&loose, leaving[i])) add(&left, leaving[i]), spot[kept++] = i;
    for (int i = 0; kept; i++, kept--) {
        V card = nth(&left, below(s, STREAM_OF[pile], kept));
        leaving[spot[i]] = (CARD)card;
        drop(&left, card);
    }
}

/* Move a whole pile onto an empty one: it stays as it is, in order or not. */
static int move_pile(S *s, const CARD *cards, int many, int goal, int face) {
    int pile = s->where[cards[0]];
    if (KEPT[goal] != PILE || KEPT[pile] != PILE || s->n[goal] || !is_whole(s, pile, cards, many)) return 0;
    memcpy(s->zone[goal], cards, (size_t)many * sizeof(CARD));
    s->n[goal] = many, s->first[goal] = s->first[pile], s->last[goal] = s->last[pile];
    clear(s, pile);
    for (int i = 0; i < many; i++) s->where[cards[i]] = (uint16_t)goal;
    arrive(s, cards, many, goal, face);
    return 1;
}

/* Move cards, in this order but one place after the other, from wherever they lie. Cards that lie in a pool have become
   pieces and stay. */
static void carry(S *s, CARD *cards, int many, int goal, int index, int end, int face) {
    CARD moved[CAP];
    int found = 0, ordered = !in_no_order(goal) && KEPT[goal] != POOL;
    if (KEPT[goal] == GRID && index >= 0 && many > 1) stop(s, NO_ROOM);
    if (many && move_pile(s, cards, many, goal, face)) return;
    for (int i = 0; i < many; i++) {
        if (cards[i] == EMPTY || KEPT[s->where[cards[i]]] == POOL) continue;
        int source = s->where[cards[i]], first = found;
        for (int at = i; at < many; at++)
            if (cards[at] != EMPTY && s->where[cards[at]] == source) moved[found++] = cards[at], cards[at] = EMPTY;
        int whole = is_whole(s, source, moved + first, found - first);
        if (ordered && KEPT[source] == PILE) settle_leaving(s, source, moved + first, found - first);
        if (whole) clear(s, source);
        for (int at = first; at < found && !whole; at++) take(s, moved[at]);
    }
    if (KEPT[goal] == PILE) stack(s, goal, moved, found, end);
    else for (int at = 0; at < found; at++) lay(s, goal, moved[at], end, index, at);
    arrive(s, moved, found, goal, face);
}

/* Move all cards of a place, in their order. */
static void carry_all(S *s, int place, int goal, int end, int face) {
    CARD cards[CAP];
    carry(s, cards, lying(s, place, cards), goal, -1, end, face);
}

/* Move one card from a position of where it lies, which is no pool, to a place. */
static QUICK void carry_from(S *s, V card, int at, int goal, int end, int face) {
    int place = s->where[card];
    CARD one = (CARD)card;
    if (in_no_order(place)) {
        drop(&s->set[place], card);
        s->n[place]--;
    } else {
        if (KEPT[place] == PILE && s->n[place] == 1 && move_pile(s, &one, 1, goal, face)) return;
        if (KEPT[place] == PILE && !in_no_order(goal) && KEPT[goal] != POOL && is_loose(s, place, at))
            below(s, STREAM_OF[place], 1);
        take_at(s, place, at);
    }
    lay(s, goal, card, end, -1, 0);
    arrive(s, &one, 1, goal, face);
}

/* Move the cards of a set to a place without an order. */
static void gather(S *s, const Set *cards, int goal, int face) {
    CARD moved[CAP];
    int found = 0;
    for (int part = 0; part < PARTS; part++) {
        uint64_t all = cards->part[part], left = all & ~s->set[goal].part[part];
        for (; left; left &= left - 1) {
            V card = part * 64 + __builtin_ctzll(left);
            if (KEPT[s->where[card]] == POOL) continue;
            take(s, card);
            s->where[card] = (uint16_t)goal;
            add(&s->set[goal], card);
            s->n[goal]++;
        }
        for (left = all & s->set[goal].part[part]; left; left &= left - 1)
            moved[found++] = (CARD)(part * 64 + __builtin_ctzll(left));
    }
    arrive(s, moved, found, goal, face);
}

/* The cards of an operand: one, several, or none where it is nothing. */
static int cards_of(S *s, V value, CARD *cards) {
    if (value == NOTHING) return 0;
    const V one[2] = {1, value}, *several = is_list(value) ? list_at(s, value) : one;
    int found = 0;
    for (V at = 1; at <= several[0]; at++) {
        if (several[at] == NOTHING) continue;
        if (found == CAP || several[at] < 0 || several[at] >= CARDS) stop(s, UNKNOWN);
        cards[found++] = (CARD)several[at];
    }
    return found;
}

/* One more card for a set, if it is one. */
static inline void add_card(S *s, Set *set, V card) {
    if (card == NOTHING) return;
    if (card < 0 || card >= CARDS) stop(s, UNKNOWN);
    add(set, card);
}

static void move_card(S *s, V card, int goal, int end, int face) {
    if (card == NOTHING || KEPT[s->where[card]] == POOL) return;
    carry_from(s, card, in_no_order(s->where[card]) ? 0 : position(s, s->where[card], card), goal, end, face);
}

/* The goal is a place, or a cell of one. */
static void move(S *s, V value, V goal, int end, int face) {
    if (!is_list(value) && !is_list(goal)) {
        move_card(s, value, (int)goal, end, face);
        return;
    }
    CARD cards[CAP];
    int index = -1, many = cards_of(s, value, cards);
    if (is_list(goal)) {
        const V *cell = list_at(s, goal);
        goal = cell[1], index = (int)cell[2];
    }
    carry(s, cards, many, (int)goal, index, end, face);
}

/* Move pieces between pools, as many as there are. */
static int64_t pour(S *s, int64_t count, int source, int goal) {
    if (count > s->n[source]) count = s->n[source];
    if (count <= 0) return 0;
    s->n[source] -= (int32_t)count;
    s->n[goal] += (int32_t)count;
    return count;
}

static void turn(S *s, V value, int face) {
    CARD cards[CAP];
    int many = cards_of(s, value, cards);
    for (int i = 0; i < many; i++) s->face[cards[i]] = (uint8_t)face;
}
