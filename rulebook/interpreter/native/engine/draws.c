/* Chance among cards: shuffle, settle, draw, pick, roll. A stream gives its numbers in the machine's order. */

static void sort_zone(CARD *zone, int many) {
    uint8_t there[CARDS + 1];
    if (many > 16) {
        memset(there, 0, sizeof there);
        for (int at = 0; at < many; at++) there[zone[at]] = 1;
        for (int card = 0, at = 0; card < CARDS; card++)
            if (there[card]) zone[at++] = (CARD)card;
        return;
    }
    for (int i = 1; i < many; i++) {
        CARD one = zone[i];
        int at = i;
        while (at > 0 && zone[at - 1] > one) zone[at] = zone[at - 1], at--;
        zone[at] = one;
    }
}

static void shuffle(S *s, int place) {
    if (KEPT[place] == POOL || KEPT[place] == SLOT) {
        if (KEPT[place] == SLOT) restart(s, STREAM_OF[place]);
        return;
    }
    restart(s, STREAM_OF[place]);
    if (KEPT[place] == PILE) {
        sort_zone(s->zone[place], s->n[place]);
        s->first[place] = s->last[place] = 0;
    } else if (!in_no_order(place)) {
        CARD left[CAP];
        int kept = 0;
        for (int at = 0; at < s->n[place]; at++)
            if (s->zone[place][at] != EMPTY) left[kept++] = s->zone[place][at];
        sort_zone(left, kept);
        for (int at = 0; at < s->n[place]; at++) {
            if (s->zone[place][at] == EMPTY) continue;
            int one = (int)below(s, STREAM_OF[place], kept);
            s->zone[place][at] = left[one];
            memmove(left + one, left + one + 1, (size_t)(--kept - one) * sizeof(CARD));
        }
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
    int many = spots(s, pile);
    memcpy(cards, s->zone[pile], (size_t)many * sizeof(CARD));
    carry(s, cards, many, place, -1, ANY_END, ANY_FACE);
    shuffle(s, place);
    return many;
}

/* So many cards or pieces, to one place after the other, while there are any; the cards that were drawn. */
static V draw(S *s, int source, const int *goals, int many, int64_t total, int end, int face) {
    V *drawn = fresh(s);
    for (int64_t taken = 0; taken < total; taken++) {
        int goal = goals[taken % many];
        if (KEPT[source] == POOL) {
            if (!pour(s, 1, source, goal)) break;
            continue;
        }
        if (!count_in(s, source) && !refill(s, source)) break;
        int at = 0;
        if (in_no_order(source)) at = (int)below(s, STREAM_OF[source], s->n[source]);
        else if (KEPT[source] == PILE && !s->first[source] && s->last[source] != s->n[source])
            at = (int)below(s, STREAM_OF[source], s->n[source] - s->last[source]);
        while (s->zone[source][at] == EMPTY) at++;
        V card = s->zone[source][at];
        carry_from(s, card, at, goal, end, face);
        push(s, &drawn, card);
    }
    return handle(s, drawn);
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
