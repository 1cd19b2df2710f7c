/* Exchanges: cards and places that change with each other, and cards that are laid out anew. */

/* The contents of whole places change hands at once: place i goes to goal i. */
static void replace_contents(S *s, const int *place, const int *goal, int many) {
    static __thread CARD zone[PLACES][CAP];
    Set set[PLACES];
    int n[PLACES], first[PLACES], last[PLACES];
    for (int i = 0; i < many; i++) {
        n[i] = s->n[place[i]], first[i] = s->first[place[i]], last[i] = s->last[place[i]], set[i] = s->set[place[i]];
        if (!in_no_order(place[i])) memcpy(zone[i], s->zone[place[i]], (size_t)spots(s, place[i]) * sizeof(CARD));
    }
    for (int i = 0; i < many; i++) {
        CARD cards[CAP];
        s->n[goal[i]] = n[i], s->first[goal[i]] = first[i], s->last[goal[i]] = last[i], s->set[goal[i]] = set[i];
        if (!in_no_order(goal[i])) memcpy(s->zone[goal[i]], zone[i], (size_t)spots(s, goal[i]) * sizeof(CARD));
        for (int at = lying(s, goal[i], cards) - 1; at >= 0; at--) {
            s->where[cards[at]] = (uint16_t)goal[i];
            if (SEEN_BY[place[i]] != SEEN_BY[goal[i]]) s->face[cards[at]] = ARRIVES_UP[goal[i]];
        }
    }
}

static void swap_places(S *s, V one, V other) {
    int place[2] = {(int)one, (int)other}, goal[2] = {(int)other, (int)one};
    replace_contents(s, place, goal, one == other ? 1 : 2);
}

/* `pass each hand left`: `places` are by seat. */
static void pass_each(S *s, const int16_t *places, int step) {
    int place[PLAYERS], goal[PLAYERS];
    for (int at = 0; at < s->playing; at++) {
        place[at] = places[s->alive[at]];
        goal[at] = places[s->alive[((at + step) % s->playing + s->playing) % s->playing]];
    }
    replace_contents(s, place, goal, s->playing);
}

/* A card lies where another one lay. */
static inline void replace_card(S *s, int place, int at, V gone, V card) {
    if (in_no_order(place)) drop(&s->set[place], gone), add(&s->set[place], card);
    else s->zone[place][at] = (CARD)card, s->spot[card] = (uint16_t)at;
}

/* Where a pile has no order yet, cards lie as if they had always been there. */
static inline void as_kept(S *s, int place) {
    if (KEPT[place] != PILE) return;
    CARD *zone = s->zone[place];
    for (int end = s->first[place] + 1; end < s->n[place] - s->last[place]; end++) {
        CARD card = zone[end];
        int at = end;
        for (; at > s->first[place] && zone[at - 1] > card; at--) zone[at] = zone[at - 1];
        zone[at] = card;
    }
}

/* Two cards change places; each takes the other's position where there is one. */
static void swap_cards(S *s, V first, V second) {
    if (first == second) return;
    int one = s->where[first], other = s->where[second];
    if (one == other && in_no_order(one)) return;
    int at = in_no_order(one) ? 0 : position(s, one, first), there = in_no_order(other) ? 0 : position(s, other, second);
    replace_card(s, one, at, first, second), replace_card(s, other, there, second, first);
    as_kept(s, one), as_kept(s, other);
    s->where[first] = (uint16_t)other, s->where[second] = (uint16_t)one;
    if (SEEN_BY[one] != SEEN_BY[other]) s->face[first] = ARRIVES_UP[other], s->face[second] = ARRIVES_UP[one];
}

static void swap_cells(S *s, V first, V second) {
    V one = card_at(s, first), other = card_at(s, second);
    if (one != NOTHING && other != NOTHING) swap_cards(s, one, other);
    else if (one != NOTHING) move(s, one, second, ANY_END, ANY_FACE);
    else if (other != NOTHING) move(s, other, first, ANY_END, ANY_FACE);
}

/* Cards are laid out anew, on the positions they had. */
static void arrange(S *s, V value, V order) {
    CARD cards[CAP], taking[CAP];
    uint16_t where[CAP];
    int at[CAP], many = cards_of(s, value, cards);
    if (cards_of(s, order, taking) != many) stop(s, UNKNOWN);
    for (int i = 0; i < many; i++) {
        where[i] = s->where[cards[i]];
        if (in_no_order(where[i])) drop(&s->set[where[i]], cards[i]);
        else at[i] = position(s, where[i], cards[i]);
    }
    for (int i = 0; i < many; i++) {
        if (in_no_order(where[i])) add(&s->set[where[i]], taking[i]);
        else s->zone[where[i]][at[i]] = taking[i], s->spot[taking[i]] = (uint16_t)at[i];
        s->where[taking[i]] = where[i];
    }
    for (int i = 0; i < many; i++) as_kept(s, where[i]);
}
