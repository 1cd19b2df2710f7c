/* Chance among cards: shuffle, settle, draw, pick, roll. A stream gives its numbers in the machine's order. */

static void shuffle(S *s, int place) {
    Set left = {0};
    int kept = 0;
    if (KEPT[place] == POOL) return;
    restart(s, STREAM_OF[place]);
    if (KEPT[place] == SLOT || in_no_order(place)) return;
    for (int at = 0; at < s->n[place]; at++)
        if (s->zone[place][at] != EMPTY) add(&left, s->zone[place][at]), kept++;
    s->first[place] = s->last[place] = 0;
    if (KEPT[place] == PILE) {
        CARD *to = s->zone[place];
        for (int part = 0; part < PARTS; part++)
            for (uint64_t here = left.part[part]; here; here &= here - 1)
                *to++ = (CARD)(part * 64 + __builtin_ctzll(here));
        return;
    }
    for (int at = 0; at < s->n[place]; at++) {
        if (s->zone[place][at] == EMPTY) continue;
        V card = nth(&left, below(s, STREAM_OF[place], kept--));
        drop(&left, card);
        s->zone[place][at] = (CARD)card, s->spot[card] = (uint16_t)at;
    }
}

/* So many cards at the top of a pile get their order, if they have none. */
static void settle(S *s, int pile, int64_t count) {
    if (KEPT[pile] != PILE) return;
    CARD *zone = s->zone[pile];
    while (s->first[pile] < count && s->first[pile] < s->n[pile] - s->last[pile]) {
        int top = s->first[pile];
        int at = top + (int)below(s, STREAM_OF[pile], s->n[pile] - s->last[pile] - top);
        CARD card = zone[at];
        memmove(zone + top + 1, zone + top, (size_t)(at - top) * sizeof(CARD));
        zone[top] = card;
        s->first[pile]++;
    }
}

static int refill(S *s, int place) {
    int pile = REFILL[place];
    if (pile < 0) return 0;
    CARD cards[CAP];
    int many = lying(s, pile, cards);
    carry(s, cards, many, place, -1, ANY_END, ANY_FACE);
    shuffle(s, place);
    return many;
}

/* A card of a place goes to another one, and is told; nothing if there is none. */
static inline V draw_one(S *s, int source, int goal, int end, int face) {
    if (KEPT[source] == GRID ? !count_in(s, source) && !refill(s, source) : !s->n[source] && !refill(s, source))
        return NOTHING;
    V card, at = 0;
    if (in_no_order(source)) {
        card = nth(&s->set[source], below(s, STREAM_OF[source], s->n[source]));
    } else {
        if (KEPT[source] == PILE && !s->first[source] && s->last[source] != s->n[source])
            at = below(s, STREAM_OF[source], s->n[source] - s->last[source]);
        while (s->zone[source][at] == EMPTY) at++;
        card = s->zone[source][at];
    }
    carry_from(s, card, (int)at, goal, end, face);
    return card;
}

/* So many cards or pieces, to one place after the other, while there are any; those that were drawn go to a list. */
static void draw(S *s, int source, const int *goals, int many, int64_t total, int end, int face, V **drawn) {
    for (int64_t taken = 0, at = 0; taken < total; taken++, at++) {
        if (at == many) at = 0;
        if (KEPT[source] == POOL) {
            if (!pour(s, 1, source, goals[at])) return;
            continue;
        }
        V card = draw_one(s, source, goals[at], end, face);
        if (card == NOTHING) return;
        if (drawn) push(s, drawn, card);
    }
}

/* So many of a list at random. */
static V pick(S *s, V several, int64_t wanted, int stream) {
    const V *all = list_at(s, several);
    V *left = fresh(s);
    for (V at = 1; at <= all[0]; at++) push(s, &left, all[at]);
    V *picked = fresh(s);
    for (int64_t made = 0; made < wanted && left[0]; made++) {
        int64_t at = below(s, stream, left[0]) + 1;
        push(s, &picked, left[at]);
        memmove(left + at, left + at + 1, (size_t)(left[0] - at) * sizeof(V));
        left[0]--;
    }
    return handle(s, picked);
}

/* Each die gets one of the values. */
static void roll(S *s, V value, int state, V values, int stream) {
    CARD dice[CAP];
    int many = cards_of(s, value, dice);
    const V *faces = list_at(s, values);
    for (int i = 0; i < many; i++) set_state(s, state, dice[i], faces[1 + below(s, stream, faces[0])]);
}
