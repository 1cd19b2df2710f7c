/* How cards and pieces get from one place to another: contents, faces, where each lies, and the chance of it. */

enum { ANY_END, TOP_END, BOTTOM_END };
enum { ANY_FACE = -1, FACE_DOWN, FACE_UP };

static inline int in_no_order(int place) { return KEPT[place] == BAG || KEPT[place] == LOOSE; }

/* How many cards lie there; `lying` goes through them, past the empty positions of a grid. */
static inline int spots(const S *s, int place) { return KEPT[place] == POOL ? 0 : s->n[place]; }

static int64_t count_in(const S *s, int place) {
    if (KEPT[place] != GRID) return s->n[place];
    int64_t found = 0;
    for (int at = 0; at < s->n[place]; at++) found += s->zone[place][at] != EMPTY;
    return found;
}

static V cards_in(S *s, int place) {
    V *found = fresh(s);
    int many = spots(s, place), kept = 0;
    if (s->used + many > ARENA) stop(s, TOO_MUCH);
    for (int at = 0; at < many; at++)
        if (s->zone[place][at] != EMPTY) found[++kept] = s->zone[place][at];
    s->used += found[0] = kept;
    return handle(s, found);
}

static V first_in(const S *s, int place) {
    for (int at = 0; at < spots(s, place); at++)
        if (s->zone[place][at] != EMPTY) return s->zone[place][at];
    return NOTHING;
}

static inline int position(S *s, int place, V card) {
    const CARD *zone = s->zone[place];
    int low = 0, high = s->n[place];
    if (in_no_order(place)) {
        while (low < high) {
            int middle = (low + high) / 2;
            if (zone[middle] < card) low = middle + 1;
            else high = middle;
        }
        if (low < s->n[place] && zone[low] == card) return low;
    } else {
        for (; low < high; low++)
            if (zone[low] == card) return low;
    }
    stop(s, UNKNOWN);
}

/* Whether a card of a pile has no order yet. */
static inline int is_loose(const S *s, int pile, int at) {
    return at >= s->first[pile] && at < s->n[pile] - s->last[pile];
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
    memmove(zone + at, zone + at + 1, (size_t)(s->n[place] - at) * sizeof(CARD));
}

/* Take cards out of a place; a pile stays settled where it was. */
static void take(S *s, int place, const CARD *cards, int many) {
    if (many == 1) {
        take_at(s, place, position(s, place, cards[0]));
        return;
    }
    CARD *zone = s->zone[place];
    uint8_t gone[CARDS + 1] = {0};
    int kept = 0, first = s->first[place], last = s->n[place] - s->last[place];
    for (int i = 0; i < many; i++) gone[cards[i]] = 1;
    for (int at = 0; at < s->n[place]; at++) {
        if (KEPT[place] == GRID) {
            if (zone[at] != EMPTY && gone[zone[at]]) zone[at] = EMPTY, kept++;
        } else if (!gone[zone[at]]) {
            zone[kept++] = zone[at];
        } else if (KEPT[place] == PILE) {
            if (at < first) s->first[place]--;
            else if (at >= last) s->last[place]--;
        }
    }
    if (KEPT[place] == GRID ? kept != many : s->n[place] - kept != many) stop(s, UNKNOWN);
    if (KEPT[place] != GRID) s->n[place] = kept;
}

static inline void insert(S *s, int place, int at, V card) {
    CARD *zone = s->zone[place];
    if (s->n[place] >= CAP) stop(s, NO_ROOM);
    memmove(zone + at + 1, zone + at, (size_t)(s->n[place] - at) * sizeof(CARD));
    zone[at] = (CARD)card;
    s->n[place]++;
}

static void put_on_grid(S *s, int place, const CARD *cards, int many, int index) {
    CARD *zone = s->zone[place];
    int at = index < 0 ? 0 : index;
    if (at >= s->n[place] || (index >= 0 && many > 1)) stop(s, NO_ROOM);
    for (int i = 0; i < many; i++) {
        while (index < 0 && at < s->n[place] && zone[at] != EMPTY) at++;
        if (at >= s->n[place] || zone[at] != EMPTY) stop(s, NO_ROOM);
        zone[at] = cards[i];
    }
}

/* One card into a place that has room for it, and is no grid. */
static inline void lay(S *s, int place, V card, int end) {
    CARD *zone = s->zone[place];
    int at = s->n[place];
    s->where[card] = (uint16_t)place;
    if (in_no_order(place)) {
        int low = 0, high = at;
        while (low < high) {
            int middle = (low + high) / 2;
            if (zone[middle] < card) low = middle + 1;
            else high = middle;
        }
        insert(s, place, low, card);
    } else if (KEPT[place] == PILE) {
        insert(s, place, end == BOTTOM_END ? at : 0, card);
        (*(end == BOTTOM_END ? &s->last[place] : &s->first[place]))++;
    } else {
        if (KEPT[place] == SLOT && at) stop(s, NO_ROOM);
        insert(s, place, end == TOP_END ? 0 : at, card);
    }
}

/* Many cards into a place without an order. */
static void merge(S *s, int place, const CARD *cards, int many) {
    uint8_t there[CARDS + 1] = {0};
    CARD *zone = s->zone[place];
    for (int at = 0; at < s->n[place]; at++) there[zone[at]] = 1;
    for (int i = 0; i < many; i++) there[cards[i]] = 1;
    int kept = 0;
    for (int card = 0; card < CARDS; card++)
        if (there[card]) zone[kept++] = (CARD)card;
    if (kept != s->n[place] + many) stop(s, UNKNOWN);
    s->n[place] = kept;
}

static void put(S *s, int place, const CARD *cards, int many, int end, int index) {
    for (int i = 0; i < many; i++) s->where[cards[i]] = (uint16_t)place;
    if (in_no_order(place) && many > 4) {
        merge(s, place, cards, many);
        return;
    }
    if (KEPT[place] == GRID) {
        put_on_grid(s, place, cards, many, index);
        return;
    }
    if (KEPT[place] == SLOT && s->n[place] + many > 1) stop(s, NO_ROOM);
    int before = s->n[place];
    for (int i = 0; i < many; i++) {
        int at = s->n[place];
        if (in_no_order(place)) {
            while (at > 0 && s->zone[place][at - 1] > cards[i]) at--;
        } else if (KEPT[place] == PILE) {
            if (end != BOTTOM_END) at = 0;
        } else if (end == TOP_END) {
            at = s->n[place] - before;
        }
        insert(s, place, at, cards[i]);
    }
    if (KEPT[place] == PILE) *(end == BOTTOM_END ? &s->last[place] : &s->first[place]) += many;
}

static inline int shows(int place, int face) { return place != BOX && (face == ANY_FACE ? ARRIVES_UP[place] : face); }

static void restore(S *s, V card) {
    for (int one = 0; s->changed && one < STATES; one++) set_state(s, one, card, STARTS[one][card]);
}

/* Cards that leave a pile before they had an order, for a place that has one, get theirs now. */
static void settle_leaving(S *s, int pile, CARD *leaving, int many) {
    CARD left[CAP];
    uint8_t has_none[CARDS + 1] = {0};
    int loose = 0, spot[CAP];
    for (int at = s->first[pile]; at < s->n[pile] - s->last[pile]; at++) has_none[s->zone[pile][at]] = 1;
    for (int i = 0; i < many; i++) {
        if (has_none[leaving[i]]) {
            int free = loose++;
            spot[free] = i;
            while (free > 0 && left[free - 1] > leaving[i]) left[free] = left[free - 1], free--;
            left[free] = leaving[i];
        }
    }
    for (int i = 0, kept = loose; i < loose; i++, kept--) {
        int at = (int)below(s, STREAM_OF[pile], kept);
        leaving[spot[i]] = left[at];
        memmove(left + at, left + at + 1, (size_t)(kept - at - 1) * sizeof(CARD));
    }
}

/* Move cards, in this order, from wherever they lie. Cards that lie in a pool have become pieces and stay. */
static void carry(S *s, const CARD *cards, int many, int goal, int index, int end, int face) {
    CARD moved[CAP];
    int source[PLACES], from[PLACES + 1], sources = 0, count = 0;
    int16_t index_of[PLACES];
    if (many > CAP) stop(s, UNKNOWN);
    memset(index_of, -1, sizeof index_of);
    for (int i = 0; i < many; i++) {
        int at = s->where[cards[i]];
        if (KEPT[at] == POOL) continue;
        if (index_of[at] < 0) index_of[at] = (int16_t)sources, source[sources] = at, from[sources++] = 0;
        from[index_of[at]]++;
    }
    for (int one = 0; one < sources; one++) {
        int here = from[one];
        from[one] = count, count += here;
    }
    for (int i = 0; i < many; i++)
        if (index_of[s->where[cards[i]]] >= 0) moved[from[index_of[s->where[cards[i]]]]++] = cards[i];
    for (int one = sources; one > 0; one--) from[one] = from[one - 1];
    from[0] = 0;
    if (!count) return;
    if (KEPT[goal] == POOL) {
        for (int one = 0; one < sources; one++) take(s, source[one], moved + from[one], from[one + 1] - from[one]);
        for (int i = 0; i < count; i++) s->where[moved[i]] = (uint16_t)goal;
        s->n[goal] += count;
        return;
    }
    int pile = source[0], first = s->first[pile], last = s->last[pile];
    int whole = KEPT[goal] == PILE && sources == 1 && !s->n[goal] && KEPT[pile] == PILE && count == s->n[pile] &&
                !memcmp(moved, s->zone[pile], (size_t)count * sizeof(CARD));
    for (int one = 0; one < sources; one++) {
        if (!in_no_order(goal) && KEPT[source[one]] == PILE && !whole)
            settle_leaving(s, source[one], moved + from[one], from[one + 1] - from[one]);
        take(s, source[one], moved + from[one], from[one + 1] - from[one]);
    }
    if (whole) {
        memcpy(s->zone[goal], moved, (size_t)count * sizeof(CARD));
        s->n[goal] = count, s->first[goal] = first, s->last[goal] = last;
        for (int i = 0; i < count; i++) s->where[moved[i]] = (uint16_t)goal;
    } else {
        put(s, goal, moved, count, end, index);
    }
    int up = shows(goal, face);
    for (int i = 0; i < count; i++) s->face[moved[i]] = (uint8_t)up;
    if (STATES && goal == BOX)
        for (int i = 0; i < count; i++) restore(s, moved[i]);
}

/* One card from a position of where it lies, which is no pool, to a place. */
static void carry_from(S *s, V card, int at, int goal, int end, int face) {
    int place = s->where[card];
    if (KEPT[goal] == POOL || KEPT[goal] == GRID || (KEPT[place] == PILE && KEPT[goal] == PILE && !s->n[goal])) {
        CARD one = (CARD)card;
        carry(s, &one, 1, goal, -1, end, face);
        return;
    }
    if (KEPT[place] == PILE && !in_no_order(goal) && is_loose(s, place, at)) below(s, STREAM_OF[place], 1);
    take_at(s, place, at);
    lay(s, goal, card, end);
    s->face[card] = (uint8_t)shows(goal, face);
    if (STATES && goal == BOX) restore(s, card);
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

/* The goal is a place, or a cell of one. */
static void move(S *s, V value, V goal, int end, int face) {
    if (!is_list(value) && !is_list(goal)) {
        if (value != NOTHING && KEPT[s->where[value]] != POOL)
            carry_from(s, value, position(s, s->where[value], value), (int)goal, end, face);
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
