/* What is read of each member of a list, side by side with it, and members chosen by that: one op for a whole list. */

/* A row for a list, filled by what one of its members has; each is a number below some bound, or something is asked of
   nothing. */
#define ROW_BESIDE(bound, of_one) do { \
    THERE(1); \
    const V *members = list_at(s, IN(1)), many = members[0]; \
    V *row = room_for(s, many); \
    for (V i = 1; i <= many; i++) { \
        V one = members[i]; \
        if ((uint64_t)one >= (uint64_t)(bound)) { \
            if (one == NOTHING) return LACKING; \
            stop(s, UNKNOWN); \
        } \
        if ((row[i] = (of_one)) == LACKS) return LACKING; \
    } \
    OUT(0) = handle(s, row); \
    return DONE; \
} while (0)

static SLOW int do_each_printed(S *s, V *r, const V *o) {
    const V *printed = s->g->data + o[2];
    ROW_BESIDE(s->g->objects, printed[one]);
}

static SLOW int do_each_state(S *s, V *r, const V *o) {
    const V *state = STATE(s, o[2]);
    ROW_BESIDE(s->g->cards, state[one]);
}

static SLOW int do_each_face(S *s, V *r, const V *o) {
    const uint8_t *face = FACE(s);
    ROW_BESIDE(s->g->cards, face[one] == 1);
}

static SLOW int do_each_memory(S *s, V *r, const V *o) {
    const V *memory = MEMORIES_OF(s) + s->g->memory[o[2]].first;
    ROW_BESIDE(s->g->players, memory[one]);
}

/* The same for the places that members have. */
#define ROW_OF_PLACES(of_place) do { \
    const V *places = s->g->data + o[2], bound = *places++; \
    V place; \
    ROW_BESIDE(bound, (place = places[one]) < 0 ? LACKS : (of_place)); \
} while (0)

static SLOW int do_each_card_of(S *s, V *r, const V *o) { ROW_OF_PLACES(card_in(s, (int)place)); }
static SLOW int do_each_count_of(S *s, V *r, const V *o) { ROW_OF_PLACES(count_in(s, (int)place)); }

static SLOW int do_each_there(S *s, V *r, const V *o) {
    const V *members = list_at(s, IN(1)), many = members[0];
    V *row = room_for(s, many);
    for (V i = 1; i <= many; i++) row[i] = members[i] != NOTHING;
    OUT(0) = handle(s, row);
    return DONE;
}

static SLOW int do_each_either(S *s, V *r, const V *o) {
    const V *tests = list_at(s, IN(1)), many = tests[0], then = IN(2), otherwise = IN(3);
    if ((is_list(then) && length(s, then) != many) || (is_list(otherwise) && length(s, otherwise) != many)) stop(s, UNKNOWN);
    V *row = room_for(s, many);
    for (V i = 1; i <= many; i++) row[i] = of_each(s, is_true(s, tests[i]) ? then : otherwise, i);
    OUT(0) = handle(s, row);
    return DONE;
}

/* In the order in which the program numbers the signs; those before reckon. */
enum { EQUAL = SIGNS, UNEQUAL, LESS, LESS_OR_EQUAL, MORE, MORE_OR_EQUAL, ALL_SIGNS };

static inline int compares(S *s, V sign, V one, V other) {
    switch (sign) {
    case EQUAL: return same(s, one, other);
    case UNEQUAL: return !same(s, one, other);
    case LESS: return one < other;
    case LESS_OR_EQUAL: return one <= other;
    case MORE: return one > other;
    }
    return one >= other;
}

/* Room for those of a list that are chosen by what stands side by side with it. */
static inline V *room_for_chosen(S *s, V listed, V beside) {
    V many = length(s, listed);
    if (length(s, beside) != many) stop(s, UNKNOWN);
    look(s, many);
    return room_for(s, many);
}

static SLOW int do_select_by(S *s, V *r, const V *o) {
    THERE(1);
    V *found = room_for_chosen(s, IN(1), IN(2)), kept = 0, many = found[0], sign = o[3], value = IN(4);
    const V *members = list_at(s, IN(1)), *beside = list_at(s, IN(2));
    if (sign > UNEQUAL && many) {
        int lacks = value == NOTHING;
        for (V i = 1; i <= many; i++) lacks |= beside[i] == NOTHING;
        if (lacks) return LACKING;
    }
    if (sign <= UNEQUAL && !is_list(value)) {
        for (V i = 1, is_equal = sign == EQUAL; i <= many; i++) found[1 + kept] = members[i], kept += (beside[i] == value) == is_equal;
    } else {
        for (V i = 1; i <= many; i++) found[1 + kept] = members[i], kept += compares(s, sign, beside[i], value);
    }
    OUT(0) = closed(s, found, found + 1 + kept);
    return DONE;
}

static SLOW int do_select_within(S *s, V *r, const V *o) {
    THERE(1);
    V *found = room_for_chosen(s, IN(1), IN(2)), kept = 0, many = found[0];
    if (many) THERE(3);
    const V *members = list_at(s, IN(1)), *beside = list_at(s, IN(2)), *among = many ? list_at(s, IN(3)) : NULL;
    for (V i = 1; i <= many; i++) found[1 + kept] = members[i], kept += holds(s, among, beside[i]) == o[4];
    OUT(0) = closed(s, found, found + 1 + kept);
    return DONE;
}

static SLOW int do_select_empty(S *s, V *r, const V *o) {
    THERE(1);
    V *found = room_for_chosen(s, IN(1), IN(1)), kept = 0, many = found[0];
    for (V i = 1; i <= many; i++) {
        V cell = list_at(s, IN(1))[i];
        found[1 + kept] = cell;
        kept += (cell == NOTHING || card_at(s, cell) == NOTHING) == o[2];
    }
    OUT(0) = closed(s, found, found + 1 + kept);
    return DONE;
}
