/* The ops, and the loop that runs them.

   An op is its number and its operands. The letters say what these are: `r` and `w` registers that are read and
   written, `R` and `W` the same or -1, `f` the first of as many registers as the next operand says, `F` as its list is long, `t` a step of the
   same code, `e` a piece of it or -1, `n` a number, `m` a memory, `s` a state of cards, `k` a script, `q` a question, `g`
   a stage, `y` the name of a stage, `u` a stream, `h` a choice; among the data: `L` numbers, `Z` registers, `T` steps,
   `P` places by owner, `O` values by object, `S` a set of objects, `K` scripts and `Q` questions by object, `v` a window. */

#include "ops.inc"

#define X(name, kinds) OP_##name,
enum { OPS(X) NUMBER_OF_OPS };
#undef X

#define X(name, kinds) LEN_##name = sizeof kinds,
enum { OPS(X) };
#undef X

#define X(name, kinds) {#name, kinds},
static const struct {
    const char *name, *kinds;
} OP_TABLE[] = {OPS(X)};
#undef X

#define X(name, kinds) sizeof kinds,
static const uint8_t LENGTH[] = {OPS(X)};
#undef X

/* ── for who watches; see `ablating.c` ── */

#define SLOW __attribute__((noinline))

/* In this game something else would be otherwise. */
static void note_mutant(Watch *w, int32_t mutant) {
    w->mattered[mutant]++;
    w->games[mutant * w->words + (w->game >> 6)] |= (uint64_t)1 << (w->game & 63);
}

/* Whether a mutant is played, at a sentence or value that it leaves out. */
static SLOW int is_mutant(S *s, int32_t mutant, int32_t matters) {
    Watch *w = s->g->watch;
    if (!w) return 0;
    w->before = s->changes - w->idle, w->idle_before = w->idle;
    if (w->is_noting) {
        w->reached[mutant]++;
        if (matters) note_mutant(w, mutant);
    }
    return w->mutant == mutant && (w->is_other = 1);
}

/* Note whether a sentence has changed anything, or had nothing that it could have moved. */
static SLOW void note_effect(S *s, int32_t mutant) {
    Watch *w = s->g->watch;
    if (!w || !w->is_noting) return;
    if (s->changes - w->idle != w->before) note_mutant(w, mutant);
    else w->empty[mutant] += w->idle == w->idle_before;
}

static inline int may_be_other(const Game *g, int32_t mutant) { return g->watch && (g->watch->is_noting || g->watch->mutant == mutant); }

/* A value, or in a mutant another one. */
static SLOW V mutated(S *s, V value, V other, int32_t mutant) {
    Watch *w = s->g->watch;
    if (w->is_noting) w->reached[mutant]++;
    if (same(s, value, other)) return value;
    if (w->is_noting) note_mutant(w, mutant);
    return w->mutant == mutant && (w->is_other = 1) ? other : value;
}

/* Columns of what is noted of a value; the first of them is how often it differed from the first one. */
enum { TIMES, FIRST, DIFFERS, LEAST, MOST, NONE, YES, SEQUENCE, NOTED };

static SLOW void note_value(S *s, V value, int32_t which) {
    Watch *w = s->g->watch;
    int64_t *row = w->values + (V)NOTED * which, hash = (int64_t)value_hash(s, value, 0);
    if (!row[TIMES]++) row[FIRST] = hash, row[LEAST] = INT64_MAX, row[MOST] = INT64_MIN;
    row[DIFFERS] += hash != row[FIRST];
    row[SEQUENCE] = (int64_t)mixed_with((uint64_t)row[SEQUENCE], (uint64_t)hash);
    row[YES] += is_true(s, value);
    if (value == NOTHING || value == ABSENT) row[NONE]++;
    else if (!is_list(value)) row[LEAST] = value < row[LEAST] ? value : row[LEAST], row[MOST] = value > row[MOST] ? value : row[MOST];
}

#define IN(i) r[o[i]]
#define OUT(i) r[o[i]]

/* ── ops that are more than a line or two: functions of their own, so that the loop keeps its registers ── */

enum { DONE, LACKING, ELSEWHERE, MOVED }; /* ELSEWHERE: at `s->to`; MOVED: the frame says where, or the game waits */

#define THERE(i) do { if (IN(i) == NOTHING) return LACKING; } while (0)
#define BOTH(i, j) do { if (IN(i) == NOTHING || IN(j) == NOTHING) return LACKING; } while (0)
#define GIVE(value) do { V given = (value); if (given == LACKS) return LACKING; OUT(0) = given; } while (0)

static void tidy(S *s);

/* Where a step stands, as it is in the steps that are made ready. */
static inline V word_at(const Game *g, V step) { return (V)(intptr_t)(g->made + step); }

static inline int elsewhere(S *s, V to) {
    s->to = to;
    return ELSEWHERE;
}

/* Where the frame goes on is kept before whatever may change frames. */
static inline void keep_pc(S *s, const V *pc) { STACK_OF(s)[s->base + PC] = pc - s->g->made; }

/* A place that a sentence names: itself, or that of a cell. */
static int place_of(S *s, V value) {
    int index;
    return is_list(value) ? cell_at(s, value, &index) : place_number(s, value);
}

/* Whether cards lie in a pile that have no order yet, and get one when they leave it. */
static int has_loose(S *s) {
    int found = 0;
    for (int place = 0; place < s->g->places; place++)
        found |= KEPT(s, place) == PILE && COUNT(s, place).n > COUNT(s, place).first + COUNT(s, place).last;
    return found;
}

/* Whether to shuffle a place only leaves open what its order is. */
static int is_unsettled_by(S *s, V place) {
    return place >= 0 && place < s->g->places && (KEPT(s, place) == PILE || in_no_order(s, (int)place));
}

static V picked_at_random(S *s, V several, V wanted, V stream) {
    const V *all = list_at(s, several);
    V many = all[0], *left = room_for(s, many);
    memcpy(left + 1, list_at(s, several) + 1, (size_t)many * sizeof(V));
    V *picked = fresh(s);
    for (V made = 0; made < wanted && left[0]; made++) {
        V at = below(s, (int)stream, left[0]) + 1;
        push(s, &picked, left[at]);
        memmove(left + at, left + at + 1, (size_t)(left[0] - at) * sizeof(V));
        left[0]--;
    }
    return handle(s, picked);
}

static void roll(S *s, V dice, V state, V stream) {
    const V *faces = s->g->data + s->g->state[state].values;
    V many = length(s, dice);
    for (V i = 1; i <= many; i++) {
        V die = card_number(s, list_at(s, dice)[i]);
        int seers = sight(s, die);
        put_state(s, (int)state, die, faces[1 + below(s, (int)stream, faces[0])]);
        if (s->g->state[state].with_face) KNOWN(s)[die] = 0, learn(s, die, seers);
        touch(s);
    }
}

/* The card in a slot, or nothing. */
static inline V card_in(S *s, int place) {
    return KEPT(s, place) != SLOT ? first_in(s, place) : COUNT(s, place).n ? ZONE(s, place)[0] : NOTHING;
}

static V cards_list(S *s, V value) {
    uint16_t cards[s->g->cards + 1];
    int many = cards_of(s, value, cards);
    V *found = room_for(s, many);
    for (int i = 0; i < many; i++) found[1 + i] = cards[i];
    return handle(s, found);
}

static V there_in(S *s, V several) {
    V *found = fresh(s), many = length(s, several);
    for (V at = 1; at <= many; at++)
        if (list_at(s, several)[at] != NOTHING) push(s, &found, list_at(s, several)[at]);
    return handle(s, found);
}

/* The members of a list of lists that were ranked, sorted or only the best. */
static V from_ranked(S *s, V ranked, int all) {
    V many = length(s, ranked), at;
    V *keys, *list = list_at(s, ranked), top = many ? list[1] : 0, *found;
    for (V i = 1; i <= many; i++)
        if (length(s, list[i]) < 1 || length(s, list[i]) != length(s, top)) stop(s, UNKNOWN);
    for (V i = 2; i <= many; i++) {
        V one = list[i];
        keys = list_at(s, one);
        if (all) {
            for (at = i; at > 1 && is_more(keys + 2, list_at(s, list[at - 1]) + 2, keys[0] - 1); at--) list[at] = list[at - 1];
            list[at] = one;
        } else if (is_more(keys + 2, list_at(s, top) + 2, keys[0] - 1)) {
            top = one;
        }
    }
    found = fresh(s);
    for (V i = 1; i <= many; i++) {
        keys = list_at(s, list[i]);
        if (all || !memcmp(keys + 2, list_at(s, top) + 2, (size_t)(keys[0] - 1) * sizeof(V))) push(s, &found, keys[1]);
    }
    return handle(s, found);
}

static SLOW int do_read_step(S *s, V *r, const V *o) {
    const Game *g = s->g;
    THERE(2);
    const V *steps = g->data + o[1];
    V found = 0;
    for (V i = 1; i < steps[0]; i += 2)
        if (steps[i] <= IN(2)) found = steps[i + 1];
    OUT(0) = found;
    return DONE;
}

static SLOW int do_list_cards(S *s, V *r, const V *o) {
    OUT(0) = cards_in(s, place_number(s, IN(1)));
    return DONE;
}

static SLOW int do_select_cards(S *s, V *r, const V *o) {
    int place = place_number(s, IN(1));
    V many = cards_of_place(s, place), *found = room_for(s, many);
    look(s, many);
    OUT(0) = closed(s, found, lay_among(s, place, (const uint64_t *)s->g->data + o[2] + 1, found + 1));
    return DONE;
}

static SLOW int do_select_from_players(S *s, V *r, const V *o) {
    const V *places = s->g->data + o[1];
    const uint64_t *objects = (const uint64_t *)s->g->data + o[2] + 1;
    V many = 0;
    for (int i = 0; i < s->playing; i++) many += cards_of_place(s, (int)places[1 + s->alive[i]]);
    look(s, many);
    V *found = room_for(s, many), *end = found + 1;
    for (int i = 0; i < s->playing; i++) end = lay_among(s, (int)places[1 + s->alive[i]], objects, end);
    OUT(0) = closed(s, found, end);
    if (found[0] > MOST_LISTED) stop(s, TOO_LONG);
    return DONE;
}

static SLOW int do_gather_cards(S *s, V *r, const V *o) {
    int place = place_number(s, IN(1));
    V *list = list_at(s, OUT(0)), many = cards_of_place(s, place);
    if (list[0] + many > MOST_LISTED) stop(s, TOO_LONG);
    if (list + 1 + list[0] != ARENA_OF(s) + s->used) { /* another list stands behind it by now */
        V *moved = room_for(s, list[0]);
        memcpy(moved + 1, list + 1, (size_t)list[0] * sizeof(V));
        list = moved, OUT(0) = handle(s, list);
    }
    if (room_left(s) < many) stop(s, TOO_MUCH);
    lay_cards(s, place, list + 1 + list[0]);
    list[0] += many, s->used += many;
    return elsewhere(s, o[2]);
}

static SLOW int do_list_living(S *s, V *r, const V *o) {
    OUT(0) = living(s);
    return DONE;
}

static SLOW int do_list_clockwise(S *s, V *r, const V *o) {
    THERE(1);
    OUT(0) = clockwise(s, IN(1), o[2], o[3]);
    return DONE;
}

static SLOW int do_find_neighbour(S *s, V *r, const V *o) {
    THERE(1);
    OUT(0) = neighbour(s, IN(1), o[2]);
    return DONE;
}

static SLOW int do_is_face_up(S *s, V *r, const V *o) {
    THERE(1);
    OUT(0) = FACE(s)[card_number(s, IN(1))] == 1;
    return DONE;
}

static SLOW int do_multiply(S *s, V *r, const V *o) {
    BOTH(1, 2);
    OUT(0) = product(s, IN(1), IN(2));
    return DONE;
}

static SLOW int do_divide(S *s, V *r, const V *o) {
    BOTH(1, 2);
    OUT(0) = quotient(s, IN(1), IN(2));
    return DONE;
}

static SLOW int do_remainder(S *s, V *r, const V *o) {
    BOTH(1, 2);
    OUT(0) = rest_of(s, IN(1), IN(2));
    return DONE;
}

static SLOW int do_is_within(S *s, V *r, const V *o) {
    THERE(2);
    OUT(0) = holds(s, list_at(s, IN(2)), IN(1));
    return DONE;
}

static SLOW int do_is_text(S *s, V *r, const V *o) {
    (void)s;
    OUT(0) = IN(1) >= WORD && IN(1) < LIST;
    return DONE;
}

static SLOW int do_is_empty_cell(S *s, V *r, const V *o) {
    OUT(0) = IN(1) == NOTHING || (is_list(IN(1)) && card_at(s, IN(1)) == NOTHING);
    return DONE;
}

static SLOW int do_are_same_cards(S *s, V *r, const V *o) {
    const Game *g = s->g;
    OUT(0) = are_same_cards(s, IN(1), g->data + o[2], o[3]);
    return DONE;
}

static SLOW int do_name_slots(S *s, V *r, const V *o) {
    const Game *g = s->g;
    for (V i = 1; i <= g->data[o[0]]; i++) r[g->data[o[0] + i]] = IN(1);
    return DONE;
}

static SLOW int do_switch(S *s, V *r, const V *o) {
    const Game *g = s->g;
    V chosen = IN(0);
    if (chosen < 0 || chosen >= g->data[o[1]]) stop(s, UNKNOWN);
    IN(0) = NOTHING;
    return elsewhere(s, word_at(g, g->data[o[1] + 1 + chosen]));
}

static SLOW int do_repeat(S *s, V *r, const V *o) {
    if (o[2] >= 0) THERE(2);
    OUT(0) = o[2] < 0 ? NOTHING : IN(2);
    OUT(1) = 0, OUT(3) = NOTHING;
    return DONE;
}

static SLOW int do_next_round(S *s, V *r, const V *o) {
    look(s, 1);
    if (IN(0) == NOTHING) {
        if (IN(3) == s->changes) stop(s, ENDLESS);
        OUT(3) = s->changes;
    } else if (IN(1) >= IN(0)) {
        return elsewhere(s, o[2]);
        return DONE;
    }
    OUT(1) = bounded(s, OUT(1) + 1);
    tidy(s);
    return DONE;
}

static SLOW int do_clear(S *s, V *r, const V *o) {
    const Game *g = s->g;
    for (V i = 1; i <= g->data[o[0]]; i++) r[g->data[o[0] + i]] = NOTHING;
    return DONE;
}

static SLOW int do_enter_stage(S *s, V *r, const V *o) {
    const Game *g = s->g;
    keep_outer(s, o[0], g->stage_at[o - 1 - g->made], r);
    if (g->stage[o[0]].until >= 0 && is_met(s, g->stage[o[0]].until, r)) {
        put_back(s, o[0], r);
        return elsewhere(s, word_at(g, g->stage[o[0]].exit));
    }
    if (s->noted) s->log[g->cards + g->stage[o[0]].name]++;
    return DONE;
}

static SLOW int do_ask_until(S *s, V *r, const V *o) {
    const Game *g = s->g;
    if (g->stage[o[0]].until >= 0 && is_met(s, g->stage[o[0]].until, r)) {
        keep_pc(s, o + LEN_ask_until - 1);
        end_stage(s, s->base, o[0]);
        return MOVED;
    }
    return DONE;
}

static SLOW int do_ask_triggers(S *s, V *r, const V *o) {
    (void)r;
    keep_pc(s, o + LEN_ask_triggers - 1);
    tidy(s);
    return ask_triggers(s) ? MOVED : DONE;
}

static SLOW int do_leave_stages(S *s, V *r, const V *o) {
    const Game *g = s->g;
    for (V i = 1; i <= g->data[o[0]]; i++) restart_stage(s, (int)g->data[o[0] + i], r);
    return DONE;
}

static SLOW int do_end_stage(S *s, V *r, const V *o) {
    keep_pc(s, o + LEN_end_stage - 1);
    end_named(s, o[0]);
    return MOVED;
}

static SLOW int do_leave(S *s, V *r, const V *o) {
    const Game *g = s->g;
    V value = o[0] < 0 ? NOTHING : IN(0);
    for (V i = 1; i <= g->data[o[1]]; i++) restart_stage(s, (int)g->data[o[1] + i], r);
    keep_pc(s, o + LEN_leave - 1);
    leave(s, value);
    return MOVED;
}

static SLOW int do_call(S *s, V *r, const V *o) {
    keep_pc(s, o + LEN_call - 1);
    tidy(s);
    look(s, 1);
    enter(s, o[0], &IN(1), o[2], o[3]);
    return MOVED;
}

static SLOW int do_call_hook(S *s, V *r, const V *o) {
    const Game *g = s->g;
    THERE(1);
    if (IN(1) < 0 || IN(1) >= g->objects) stop(s, UNKNOWN);
    V code = g->data[o[0] + 1 + IN(1)];
    if (code >= 0) {
        keep_pc(s, o + LEN_call_hook - 1);
        tidy(s);
        look(s, 1);
        enter(s, code, &IN(2), o[3], o[4]);
        return MOVED;
    } else if (o[4] >= 0) {
        OUT(4) = NOTHING;
    }
    return DONE;
}

static SLOW int do_eliminate(S *s, V *r, const V *o) {
    eliminate(s, IN(0));
    return DONE;
}

static SLOW int do_win(S *s, V *r, const V *o) {
    for (int i = 0; i < o[1]; i++) if (r[o[0] + i] == NOTHING) return LACKING;
    win(s, r + o[0], o[1]);
    return MOVED;
}

static SLOW int do_next_player(S *s, V *r, const V *o) {
    tidy(s);
    const V *several = list_at(s, IN(0));
    V at = IN(1) < 0 ? 0 : IN(1);
    while (o[4] && at < several[0] && !is_alive(s, several[1 + at])) at++;
    if (at >= several[0]) return elsewhere(s, o[3]);
    else OUT(2) = several[1 + at], OUT(1) = at + 1;
    return DONE;
}

static SLOW int do_gather_all(S *s, V *r, const V *o) {
    if (is_list(IN(1))) {
        V many = length(s, IN(1));
        for (V i = 1; i <= many; i++) push_to(s, &OUT(0), list_at(s, IN(1))[i]);
    } else if (IN(1) != NOTHING) {
        push_to(s, &OUT(0), IN(1));
    }
    return elsewhere(s, o[2]);
    return DONE;
}

static SLOW int do_select(S *s, V *r, const V *o) {
    const Game *g = s->g;
    THERE(1);
    V many = length(s, IN(1)), *found = room_for(s, many), kept = 0;
    const V *several = list_at(s, IN(1)), *set = g->data + o[2] + 1;
    look(s, many);
    for (V i = 1; i <= many; i++) {
        V one = several[i];
        found[1 + kept] = one;
        kept += one >= 0 && one < g->objects && set[one >> 6] >> (one & 63) & 1;
    }
    OUT(0) = closed(s, found, found + 1 + kept);
    return DONE;
}

static SLOW int do_list_facing(S *s, V *r, const V *o) {
    int place = place_number(s, IN(1));
    V *found = room_for(s, KEPT(s, place) == POOL ? 0 : COUNT(s, place).n), *first = found + 1, *up = first;
    V *end = lay_cards(s, place, first);
    look(s, end - first);
    for (V *at = first; at < end; at++)
        if (FACE(s)[*at]) *up++ = *at;
    OUT(0) = closed(s, found, up);
    return DONE;
}

static SLOW int do_select_facing(S *s, V *r, const V *o) {
    THERE(1);
    V many = length(s, IN(1)), *found = room_for(s, many), kept = 0;
    const V *several = list_at(s, IN(1));
    look(s, many);
    for (V i = 1; i <= many; i++) {
        found[1 + kept] = several[i];
        kept += FACE(s)[card_number(s, several[i])] == o[2];
    }
    OUT(0) = closed(s, found, found + 1 + kept);
    return DONE;
}

static SLOW int do_read_each(S *s, V *r, const V *o) {
    const Game *g = s->g;
    THERE(1);
    V many = length(s, IN(1)), *found = room_for(s, many), kept = 0;
    const V *several = list_at(s, IN(1)), *printed = g->data + o[2];
    look(s, many);
    for (V i = 1; i <= many; i++) {
        if (several[i] < 0 || several[i] >= g->objects) stop(s, UNKNOWN);
        if (printed[several[i]] != NOTHING) found[1 + kept++] = printed[several[i]];
    }
    OUT(0) = closed(s, found, found + 1 + kept);
    return DONE;
}

static SLOW int do_rank(S *s, V *r, const V *o) {
    const Game *g = s->g;
    const V *signs = g->data + o[3];
    V *keyed = room_for(s, 1 + signs[0]);
    keyed[1] = IN(1);
    for (V i = 0; i < signs[0]; i++) {
        if (r[o[2] + i] == NOTHING) return LACKING;
        keyed[2 + i] = bounded(s, r[o[2] + i] * signs[1 + i]);
    }
    push_to(s, &OUT(0), handle(s, keyed));
    return elsewhere(s, o[4]);
    return DONE;
}

static SLOW int do_sort(S *s, V *r, const V *o) {
    OUT(0) = from_ranked(s, IN(0), 1);
    return DONE;
}

static SLOW int do_best(S *s, V *r, const V *o) {
    OUT(0) = from_ranked(s, IN(0), 0);
    return DONE;
}

static SLOW int do_make_list(S *s, V *r, const V *o) {
    V *list = room_for(s, o[2]);
    memcpy(list + 1, &IN(1), (size_t)o[2] * sizeof(V));
    OUT(0) = handle(s, list);
    return DONE;
}

static SLOW int do_count_up(S *s, V *r, const V *o) {
    BOTH(1, 2);
    OUT(0) = count_up(s, IN(1), IN(2));
    return DONE;
}

static SLOW int do_chain(S *s, V *r, const V *o) {
    BOTH(1, 2);
    OUT(0) = chained(s, IN(1), IN(2));
    return DONE;
}

static SLOW int do_sum_list(S *s, V *r, const V *o) {
    THERE(1);
    GIVE(sum_of(s, IN(1)));
    return DONE;
}

static SLOW int do_count_answers(S *s, V *r, const V *o) {
    THERE(1);
    const V *list = list_at(s, IN(1));
    V found = 0;
    for (V i = 1; i <= list[0]; i++) found += list[i] != NOTHING;
    OUT(0) = found;
    return DONE;
}

/* Where a word stands in its list. */
static SLOW int do_number_word(S *s, V *r, const V *o) {
    THERE(2);
    const V *words = s->g->data + o[1];
    for (V i = 1; i <= words[0]; i++)
        if (words[i] == IN(2)) {
            OUT(0) = i - 1;
            return DONE;
        }
    stop(s, UNKNOWN);
}

static SLOW int do_change_entry(S *s, V *r, const V *o) {
    BOTH(1, 2);
    V many = length(s, IN(1)), at = IN(2), value = IN(3);
    if (at < 0 || at >= many) stop(s, UNKNOWN);
    V *changed = room_for(s, many);
    memcpy(changed + 1, list_at(s, IN(1)) + 1, (size_t)many * sizeof(V));
    changed[1 + at] = value;
    OUT(0) = handle(s, changed);
    return DONE;
}

/* How many entries two tables have, of which one may be a number, meant for each. */
static V entries_of(S *s, V one, V other) {
    V many = length(s, is_list(one) ? one : other);
    if (is_list(one) && is_list(other) && length(s, other) != many) stop(s, UNKNOWN);
    return many;
}

static inline V of_each(S *s, V table, V at) { return is_list(table) ? list_at(s, table)[at] : table; }

static int lacks_entry(S *s, V one, V other, V many) {
    for (V i = 1; i <= many; i++)
        if (of_each(s, one, i) == NOTHING || of_each(s, other, i) == NOTHING) return 1;
    return 0;
}

/* In the order in which the program numbers the signs. */
enum { PLUS, MINUS, TIMES_EACH, OVER, LEAST_OF_EACH, MOST_OF_EACH, SIGNS };

static V reckoned(S *s, V sign, V one, V other) {
    switch (sign) {
    case PLUS: return bounded(s, one + other);
    case MINUS: return bounded(s, one - other);
    case TIMES_EACH: return product(s, one, other);
    case OVER: return bounded(s, quotient(s, one, other));
    case LEAST_OF_EACH: return one < other ? one : other;
    }
    return one > other ? one : other;
}

static SLOW int do_reckon_tables(S *s, V *r, const V *o) {
    BOTH(2, 3);
    V one = IN(2), other = IN(3), many = entries_of(s, one, other);
    look(s, many);
    if (lacks_entry(s, one, other, many)) return LACKING;
    V *made = room_for(s, many);
    for (V i = 1; i <= many; i++) made[i] = reckoned(s, o[1], of_each(s, one, i), of_each(s, other, i));
    OUT(0) = handle(s, made);
    return DONE;
}

/* Whether there is as much in each entry. */
static SLOW int do_covers(S *s, V *r, const V *o) {
    BOTH(1, 2);
    V one = IN(1), other = IN(2), many = entries_of(s, one, other), covers = 1;
    if (lacks_entry(s, one, other, many)) return LACKING;
    for (V i = 1; i <= many; i++) covers &= of_each(s, one, i) >= of_each(s, other, i);
    OUT(0) = covers;
    return DONE;
}

static SLOW int do_least_in(S *s, V *r, const V *o) {
    THERE(1);
    OUT(0) = extreme_in(s, IN(1), IN(2), -1);
    return DONE;
}

static SLOW int do_most_in(S *s, V *r, const V *o) {
    THERE(1);
    OUT(0) = extreme_in(s, IN(1), IN(2), 1);
    return DONE;
}

static SLOW int do_least_of(S *s, V *r, const V *o) {
    GIVE(extreme_of(&IN(1), o[2], -1));
    return DONE;
}

static SLOW int do_most_of(S *s, V *r, const V *o) {
    GIVE(extreme_of(&IN(1), o[2], 1));
    return DONE;
}

static SLOW int do_is_any(S *s, V *r, const V *o) {
    THERE(1);
    const V *list = list_at(s, IN(1));
    int any = 0;
    for (V i = 1; i <= list[0]; i++) any |= is_true(s, list[i]);
    OUT(0) = any;
    return DONE;
}

static SLOW int do_are_all(S *s, V *r, const V *o) {
    THERE(1);
    const V *list = list_at(s, IN(1));
    int all = 1;
    for (V i = 1; i <= list[0]; i++) all &= is_true(s, list[i]);
    OUT(0) = all;
    return DONE;
}

static SLOW int do_is_anything(S *s, V *r, const V *o) {
    THERE(1);
    OUT(0) = length(s, IN(1)) > 0;
    return DONE;
}

static SLOW int do_drop_doubles(S *s, V *r, const V *o) {
    THERE(1);
    OUT(0) = distinct(s, IN(1));
    return DONE;
}

static SLOW int do_find_last(S *s, V *r, const V *o) {
    THERE(1);
    const V *list = list_at(s, IN(1));
    OUT(0) = list[0] ? list[list[0]] : NOTHING;
    return DONE;
}

static SLOW int do_take_first(S *s, V *r, const V *o) {
    BOTH(1, 2);
    OUT(0) = part(s, IN(1), 0, IN(2) > 0 ? IN(2) : 0);
    look(s, length(s, OUT(0)));
    return DONE;
}

static SLOW int do_take_last(S *s, V *r, const V *o) {
    BOTH(1, 2);
    V all = length(s, IN(1)), kept = IN(2) < 0 ? 0 : IN(2) > all ? all : IN(2);
    OUT(0) = part(s, IN(1), all - kept, kept);
    look(s, kept);
    return DONE;
}

static SLOW int do_number_seat(S *s, V *r, const V *o) {
    THERE(1);
    OUT(0) = IN(1) + 1;
    return DONE;
}

static SLOW int do_find_holder(S *s, V *r, const V *o) {
    THERE(1);
    OUT(0) = holder(s, IN(1));
    return DONE;
}

static SLOW int do_find_near(S *s, V *r, const V *o) {
    THERE(1);
    GIVE(near(s, IN(1), o[2]));
    return DONE;
}

static SLOW int do_find_number(S *s, V *r, const V *o) {
    THERE(1);
    GIVE(number_on_grid(s, IN(1), o[2]));
    return DONE;
}

static SLOW int do_find_cell(S *s, V *r, const V *o) {
    BOTH(1, 2);
    THERE(3);
    OUT(0) = cell_in(s, place_number(s, IN(1)), IN(2), IN(3));
    return DONE;
}

static SLOW int do_list_lines(S *s, V *r, const V *o) {
    THERE(1);
    OUT(0) = each_line(s, place_number(s, IN(1)), o[2]);
    return DONE;
}

static SLOW int do_list_straight(S *s, V *r, const V *o) {
    BOTH(1, 2);
    OUT(0) = lines(s, place_number(s, IN(1)), IN(2));
    return DONE;
}

static SLOW int do_list_cells(S *s, V *r, const V *o) {
    THERE(1);
    OUT(0) = cells(s, place_number(s, IN(1)));
    return DONE;
}

static SLOW int do_move(S *s, V *r, const V *o) {
    if (!move(s, IN(0), IN(1), o[2], o[3])) return LACKING;
    return DONE;
}

static SLOW int do_move_pieces(S *s, V *r, const V *o) {
    BOTH(1, 2);
    int source = place_of(s, IN(1));
    V count = o[0] < 0 ? COUNT(s, source).n : IN(0) == NOTHING ? 0 : IN(0);
    pour(s, count, source, place_of(s, IN(2)));
    return DONE;
}

static SLOW int do_pass_each(S *s, V *r, const V *o) {
    const Game *g = s->g;
    pass_each(s, g->data + o[0], o[1]);
    return DONE;
}

static SLOW int do_swap_cards(S *s, V *r, const V *o) {
    BOTH(0, 1);
    exchange(s, card_number(s, IN(0)), card_number(s, IN(1)));
    return DONE;
}

static SLOW int do_swap_places(S *s, V *r, const V *o) {
    BOTH(0, 1);
    int place[2] = {place_of(s, IN(0)), place_of(s, IN(1))}, goal[2] = {place[1], place[0]};
    replace_contents(s, place, goal, place[0] == place[1] ? 1 : 2);
    return DONE;
}

static SLOW int do_swap_cells(S *s, V *r, const V *o) {
    if (!swap_cells(s, IN(0), IN(1))) return LACKING;
    return DONE;
}

static SLOW int do_arrange(S *s, V *r, const V *o) {
    arrange(s, IN(0), IN(1));
    return DONE;
}

static SLOW int do_reveal(S *s, V *r, const V *o) {
    turn(s, IN(0), REVEAL, EVERYONE(s));
    return DONE;
}

static SLOW int do_cover(S *s, V *r, const V *o) {
    turn(s, IN(0), COVER, 0);
    return DONE;
}

static SLOW int do_show(S *s, V *r, const V *o) {
    int32_t seats[MOST_PLAYERS];
    int many = alive_of(s, IN(1), seats), mask = 0;
    for (int i = 0; i < many; i++) mask |= 1 << seats[i];
    turn(s, IN(0), SHOW, mask);
    return DONE;
}

static SLOW int do_begin_draw(S *s, V *r, const V *o) {
    V *goals = room_for(s, 1), total = IN(0) == NOTHING || IN(0) < 0 ? 0 : IN(0);
    BOTH(1, 2);
    goals[1] = place_of(s, IN(2));
    OUT(3) = place_of(s, IN(1)), OUT(4) = handle(s, goals), OUT(5) = total, OUT(6) = handle(s, fresh(s));
    return DONE;
}

static SLOW int do_begin_deal(S *s, V *r, const V *o) {
    const Game *g = s->g;
    V *goals = room_for(s, s->playing), total = IN(0) == NOTHING || IN(0) < 0 ? 0 : bounded(s, IN(0)) * s->playing;
    THERE(1);
    for (int i = 0; i < s->playing; i++) goals[1 + i] = g->data[o[2] + 1 + s->alive[i]];
    OUT(3) = place_of(s, IN(1)), OUT(4) = handle(s, goals), OUT(5) = total, OUT(6) = handle(s, fresh(s));
    return DONE;
}

static SLOW int do_draw_next(S *s, V *r, const V *o) {
    V drawn = draw(s, IN(0), IN(1), IN(2), o[4], o[5]);
    if (o[6] >= 0) OUT(6) = o[7] ? drawn : length(s, drawn) ? list_at(s, drawn)[1] : NOTHING;
    IN(0) = IN(1) = IN(2) = IN(3) = NOTHING;
    return DONE;
}

static SLOW int do_begin_shuffle(S *s, V *r, const V *o) {
    THERE(0);
    shuffle(s, place_of(s, IN(0)));
    return DONE;
}

static SLOW int do_shuffle_next(S *s, V *r, const V *o) {
    return DONE;
}

static SLOW int do_begin_settle(S *s, V *r, const V *o) {
    THERE(0);
    int pile = place_of(s, IN(0));
    if (KEPT(s, pile) != PILE) return DONE;
    V count = o[1] < 0 ? COUNT(s, pile).n : IN(1) == NOTHING ? 0 : IN(1);
    settle(s, pile, count);
    return DONE;
}

static SLOW int do_settle_next(S *s, V *r, const V *o) {
    return DONE;
}

static SLOW int do_begin_pick(S *s, V *r, const V *o) {
    THERE(0);
    V values = there_in(s, IN(0)), wanted = IN(1) == NOTHING ? 0 : IN(1), many = length(s, values);
    OUT(2) = values, OUT(3) = wanted < many ? wanted : many;
    return DONE;
}

static SLOW int do_pick_next(S *s, V *r, const V *o) {
    const Game *g = s->g;
    V picked = picked_at_random(s, IN(0), IN(1), o[5]), many = length(s, picked);
    const V *slots = g->data + o[3];
    if (o[4]) r[slots[1]] = picked;
    else
        for (V i = 0; i < slots[0]; i++) r[slots[1 + i]] = i < many ? list_at(s, picked)[1 + i] : ABSENT;
    if (many) s->changes++;
    IN(0) = IN(1) = IN(2) = NOTHING;
    return DONE;
}

static SLOW int do_begin_roll(S *s, V *r, const V *o) {
    OUT(1) = cards_list(s, IN(0));
    return DONE;
}

static SLOW int do_roll_next(S *s, V *r, const V *o) {
    roll(s, IN(0), o[2], o[3]);
    IN(0) = IN(1) = NOTHING;
    return DONE;
}

static SLOW int do_set_memory(S *s, V *r, const V *o) {
    if (o[1] >= 0) THERE(1);
    set_memory(s, o[0], o[1] < 0 ? 0 : IN(1), IN(2));
    return DONE;
}

static SLOW int do_explain_memory(S *s, V *r, const V *o) {
    if (o[1] >= 0) THERE(1);
    V owner = o[1] < 0 ? 0 : IN(1), value = value_of(s, o[2], r); /* which may work in the same registers */
    if (value == LACKS) return LACKING;
    set_memory(s, o[0], owner, value);
    return DONE;
}

static SLOW int do_set_state(S *s, V *r, const V *o) {
    THERE(1);
    set_card_state(s, o[0], IN(1), IN(2));
    return DONE;
}

static SLOW int do_explain_state(S *s, V *r, const V *o) {
    THERE(1);
    V card = IN(1), value = value_of(s, o[2], r);
    if (value == LACKS) return LACKING;
    set_card_state(s, o[0], card, value);
    return DONE;
}

static SLOW int do_tell(S *s, V *r, const V *o) {
    s->changes++;
    return DONE;
}

static SLOW int do_choose(S *s, V *r, const V *o) {
    const Game *g = s->g;
    const Choice *choice = g->choice + o[0];
    int became;
    tidy(s);
    keep_pc(s, o - 1);
    V who = value_of(s, choice->deciders, r);
    if (who == LACKS) return LACKING;
    became = ask(s, choice, who);
    if (became == WAITS) return MOVED;
    if (became == SKIPPED) return LACKING;
    if (became == MISSED) return elsewhere(s, o[1]);
    return DONE;
}

static SLOW int do_announce_taken(S *s, V *r, const V *o) {
    const Game *g = s->g;
    const V *window = g->data + o[3];
    if (!is_seat(s, IN(1)) || length(s, IN(0)) <= IN(1)) stop(s, UNKNOWN);
    V index = list_at(s, IN(0))[1 + IN(1)];
    if (index != NOTHING && (index < 0 || index >= window[0])) stop(s, UNKNOWN);
    if (index == NOTHING || (window[1 + index] >= 0 && !is_met(s, window[1 + index], r))) return elsewhere(s, o[4]);
    else OUT(2) = index;
    return DONE;
}

static SLOW int do_share_out(S *s, V *r, const V *o) {
    OUT(0) = share_out(s, s->g->choice + o[3], IN(1), IN(2));
    return DONE;
}

static SLOW int do_announce_thing(S *s, V *r, const V *o) {
    if (!is_seat(s, IN(1)) || length(s, IN(0)) <= IN(1)) stop(s, UNKNOWN);
    V value = list_at(s, IN(0))[1 + IN(1)];
    if (value == NOTHING || !may_choose(s, s->g->choice + o[3], IN(1), value)) return elsewhere(s, o[4]);
    OUT(2) = value;
    return DONE;
}


#undef THERE
#undef BOTH
#undef GIVE

/* ── the loop ── */

#define THERE(i) do { if (IN(i) == NOTHING) goto lacking; } while (0)
#define BOTH(i, j) do { if (IN(i) == NOTHING || IN(j) == NOTHING) goto lacking; } while (0)
#define TABLE(i) ((const V *)(intptr_t)o[i]) /* see `table_of` */
#define PLACE_OF(place) do { \
    const V *places = TABLE(1); \
    if ((uint64_t)IN(2) >= (uint64_t)places[0]) { \
        THERE(2); \
        stop(s, UNKNOWN); \
    } \
    if ((place = places[1 + IN(2)]) < 0) goto lacking; \
} while (0)
#define GO() goto *(void *)(intptr_t)*pc
#define OP(name) L_##name:
#define o (pc + 1)
#define NEXT(name) do { pc += LEN_##name; GO(); } while (0)
/* A loop of a program counts what it looks at. One whose steps were made wrong goes back so often that it ends here. */
#define GO_TO(to) do { \
    const V *there = (const V *)(intptr_t)(to); \
    if (there <= pc && !--ways_back) stop(s, UNKNOWN); \
    pc = there; \
    GO(); \
} while (0)
#define JUMP(i) GO_TO(o[i])
#define ASK(question, count) do { \
    V which = (question); \
    r = open_question(s, which, &IN(2), count, pc, r), asked++; \
    pc = g->made + g->code[which].entry; \
    GO(); \
} while (0)
#define LEAVE_QUESTION() do { \
    s->top = r - LINK - STACK_OF(s), s->asking--, asked--; \
    pc = g->made + r[ASKED_AT - LINK], r = STACK_OF(s) + r[ASKED_BY - LINK]; \
} while (0)
#define SLOWLY(name) L_##name: DO(name)
/* One that may need a random number, or asks somebody: where all games begin alike, that ends here. */
#define BY_CHANCE(name, may_draw) L_##name: if (s->begins && (may_draw)) goto begun; DO(name)
#define DO(name) \
    switch (do_##name(s, r, pc + 1)) { \
    case DONE: NEXT(name); \
    case LACKING: goto lacking; \
    case ELSEWHERE: GO_TO(s->to); \
    default: goto moved; \
    }

static inline int is_one_of(const Game *g, V one, const V *objects) {
    return (uint64_t)one < (uint64_t)g->objects && objects[1 + (one >> 6)] >> (one & 63) & 1;
}

/* Run a script until somebody is asked or the game is over, or a piece or question to its answer: LACKS if it asks
   something of nothing. */
static V run(S *s, const V *pc, V *r) {
#define X(name, kinds) &&L_##name,
    static const void *const LABEL[] = {OPS(X)};
#undef X
    if (!s) return (V)(intptr_t)LABEL;
    const Game *const g = s->g;
    int64_t ways_back = MOST_WAYS_BACK;
    int asked = 0; /* questions that are open, each with its window behind that of the one that asked it */
    GO();
    OP(nop) NEXT(nop);
    OP(jump) JUMP(0);
    OP(jump_if) if (is_true(s, IN(0))) JUMP(1); NEXT(jump_if);
    OP(jump_if_mutant) if (is_mutant(s, o[0], o[1])) JUMP(2); NEXT(jump_if_mutant);
    OP(mutate) OUT(0) = may_be_other(g, o[3]) ? mutated(s, IN(1), IN(2), o[3]) : IN(1); NEXT(mutate);
    OP(note_value) if (g->watch && g->watch->is_noting) note_value(s, IN(0), o[1]); NEXT(note_value);
    OP(note_effect) note_effect(s, o[0]); NEXT(note_effect);
    OP(hear) hear(s, o[0] < 0 ? 7 : value_hash(s, IN(0), 0)); NEXT(hear);
    OP(jump_unless) if (!is_true(s, IN(0))) JUMP(1); NEXT(jump_unless);
    OP(jump_if_absent) if (IN(0) == ABSENT) JUMP(1); NEXT(jump_if_absent);
    OP(jump_if_nothing) if (IN(0) == NOTHING) JUMP(1); NEXT(jump_if_nothing);
    OP(jump_if_something) if (IN(0) != NOTHING) JUMP(1); NEXT(jump_if_something);
    OP(jump_if_equal) if (same(s, IN(0), IN(1))) JUMP(2); NEXT(jump_if_equal);
    OP(jump_unless_equal) if (!same(s, IN(0), IN(1))) JUMP(2); NEXT(jump_unless_equal);
    OP(jump_if_one_of) if (is_one_of(g, IN(0), TABLE(1))) JUMP(2); NEXT(jump_if_one_of);
    OP(jump_unless_one_of) if (!is_one_of(g, IN(0), TABLE(1))) JUMP(2); NEXT(jump_unless_one_of);
    OP(answer) {
        V found = IN(0);
        if (!asked) return found;
        LEAVE_QUESTION();
        OUT(0) = found;
        pc += LENGTH[g->step[pc - g->made]];
        GO();
    }
    OP(copy) OUT(0) = IN(1); NEXT(copy);
    OP(recall) {
        const Kept *kept = recalled(s, TABLE(3), o[2] < 0 ? 0 : IN(2));
        if (kept) {
            look(s, kept->looked);
            OUT(0) = kept->value;
            JUMP(4);
        }
        OUT(1) = s->looked;
        NEXT(recall);
    }
    OP(remember) keep_answer(s, TABLE(3), o[2] < 0 ? 0 : IN(2), IN(0), s->looked - IN(1)); NEXT(remember);
    OP(present) if (IN(0) == ABSENT) goto lacking; NEXT(present);
    OP(truth) OUT(0) = is_true(s, IN(1)); NEXT(truth);
    OP(read_memory) OUT(0) = MEMORIES_OF(s)[g->memory[o[1]].first]; NEXT(read_memory);
    OP(read_player_memory) THERE(2);
        if (!is_seat(s, IN(2))) stop(s, UNKNOWN);
        OUT(0) = MEMORIES_OF(s)[g->memory[o[1]].first + IN(2)];
        NEXT(read_player_memory);
    OP(read_state) THERE(2); OUT(0) = STATE(s, o[1])[card_number(s, IN(2))]; NEXT(read_state);
    OP(read_attribute)
        if ((uint64_t)IN(2) >= (uint64_t)g->objects) {
            THERE(2);
            stop(s, UNKNOWN);
        }
        OUT(0) = TABLE(1)[IN(2)];
        NEXT(read_attribute);
    SLOWLY(read_step)
    OP(find_place) {
        V place;
        PLACE_OF(place);
        OUT(0) = place;
        NEXT(find_place);
    }
    SLOWLY(list_cards)
    SLOWLY(select_cards)
    SLOWLY(select_from_players)
    SLOWLY(gather_cards)
    OP(find_card) {
        int place = place_number(s, IN(1));
        OUT(0) = card_in(s, place);
        NEXT(find_card);
    }
    OP(find_card_of) {
        V place;
        PLACE_OF(place);
        OUT(0) = card_in(s, (int)place);
        NEXT(find_card_of);
    }
    OP(count_place) THERE(1); OUT(0) = count_in(s, place_number(s, IN(1))); NEXT(count_place);
    OP(count_place_of) {
        V place;
        PLACE_OF(place);
        OUT(0) = count_in(s, (int)place);
        NEXT(count_place_of);
    }
    OP(count_cards) {
        OUT(0) = cards_of_place(s, place_number(s, IN(1)));
        NEXT(count_cards);
    }
    OP(count_living) OUT(0) = s->playing; NEXT(count_living);
    SLOWLY(list_living)
    SLOWLY(list_clockwise)
    SLOWLY(find_neighbour)
    SLOWLY(is_face_up)
    OP(add) BOTH(1, 2); OUT(0) = bounded(s, IN(1) + IN(2)); NEXT(add);
    OP(subtract) BOTH(1, 2); OUT(0) = bounded(s, IN(1) - IN(2)); NEXT(subtract);
    SLOWLY(multiply)
    SLOWLY(divide)
    SLOWLY(remainder)
    OP(less) BOTH(1, 2); OUT(0) = IN(1) < IN(2); NEXT(less);
    OP(less_or_equal) BOTH(1, 2); OUT(0) = IN(1) <= IN(2); NEXT(less_or_equal);
    OP(equal) OUT(0) = same(s, IN(1), IN(2)); NEXT(equal);
    OP(unequal) OUT(0) = !same(s, IN(1), IN(2)); NEXT(unequal);
    OP(negate) OUT(0) = !is_true(s, IN(1)); NEXT(negate);
    OP(is_one_of) OUT(0) = is_one_of(g, IN(1), TABLE(2)); NEXT(is_one_of);
    SLOWLY(is_within)
    OP(is_nothing) OUT(0) = IN(1) == NOTHING; NEXT(is_nothing);
    SLOWLY(is_text)
    SLOWLY(is_empty_cell)
    SLOWLY(are_same_cards)
    OP(ask) look(s, 1); ASK(o[1], o[3]);
    OP(ask_hook) {
        THERE(2);
        look(s, 1);
        if (IN(2) < 0 || IN(2) >= g->objects) stop(s, UNKNOWN);
        V question = g->data[o[1] + 1 + IN(2)];
        if (question >= 0) ASK(question, o[3]);
        OUT(0) = IN(2) >= g->cards;
        NEXT(ask_hook);
    }
    OP(read_entry) BOTH(1, 2);
        if (IN(2) < 0 || IN(2) >= length(s, IN(1))) stop(s, UNKNOWN);
        OUT(0) = list_at(s, IN(1))[1 + IN(2)];
        NEXT(read_entry);
    SLOWLY(number_word)
    SLOWLY(change_entry)
    SLOWLY(reckon_tables)
    SLOWLY(covers)
    OP(require)
        if (is_true(s, IN(1))) NEXT(require);
        OUT(0) = 0;
        JUMP(2);
    OP(add_line)
        if (OUT(0) != NOTHING) OUT(0) = IN(1) == NOTHING ? NOTHING : bounded(s, OUT(0) + IN(1));
        NEXT(add_line);
    OP(total) THERE(0); NEXT(total);
    OP(let) if (!same(s, OUT(0), IN(1))) s->changes++; OUT(0) = IN(1); NEXT(let);
    SLOWLY(name_slots)
    SLOWLY(switch)
    SLOWLY(repeat)
    SLOWLY(next_round)
    SLOWLY(clear)
    SLOWLY(enter_stage)
    SLOWLY(ask_until)
    SLOWLY(ask_triggers)
    SLOWLY(leave_stages)
    SLOWLY(end_stage)
    SLOWLY(leave)
    SLOWLY(call)
    SLOWLY(call_hook)
    SLOWLY(eliminate)
    SLOWLY(win)
    OP(walk) THERE(0); look(s, length(s, IN(0))); OUT(1) = 0; NEXT(walk);
    OP(next_member) {
        const V *several = list_at(s, IN(0));
        V at = IN(1);
        if (at < 0 || at >= several[0]) JUMP(3);
        OUT(2) = several[1 + at], OUT(1) = at + 1;
        NEXT(next_member);
    }
    SLOWLY(next_player)
    OP(open_list) OUT(0) = handle(s, fresh(s)); NEXT(open_list);
    OP(keep) if (is_true(s, IN(2))) push_to(s, &OUT(0), IN(1)); JUMP(3);
    OP(gather) if (IN(1) != NOTHING) push_to(s, &OUT(0), IN(1)); JUMP(2);
    SLOWLY(gather_all)
    SLOWLY(select)
    SLOWLY(list_facing)
    SLOWLY(select_facing)
    SLOWLY(read_each)
    SLOWLY(rank)
    SLOWLY(sort)
    SLOWLY(best)
    OP(any_member)
        if (!is_true(s, IN(1))) JUMP(2);
        OUT(0) = 1;
        JUMP(3);
    OP(all_members)
        if (IN(1) == NOTHING || is_true(s, IN(1))) JUMP(2);
        OUT(0) = 0;
        JUMP(3);
    OP(hush) goto lacking;
    SLOWLY(make_list)
    SLOWLY(count_up)
    SLOWLY(chain)
    SLOWLY(sum_list)
    OP(count_list) THERE(1); OUT(0) = length(s, IN(1)); NEXT(count_list);
    SLOWLY(count_answers)
    SLOWLY(least_in)
    SLOWLY(most_in)
    SLOWLY(least_of)
    SLOWLY(most_of)
    SLOWLY(is_any)
    SLOWLY(are_all)
    SLOWLY(is_anything)
    SLOWLY(drop_doubles)
    OP(find_first) THERE(1); OUT(0) = length(s, IN(1)) ? list_at(s, IN(1))[1] : NOTHING; NEXT(find_first);
    SLOWLY(find_last)
    SLOWLY(take_first)
    SLOWLY(take_last)
    SLOWLY(find_holder)
    SLOWLY(number_seat)
    SLOWLY(find_near)
    SLOWLY(find_number)
    SLOWLY(find_cell)
    SLOWLY(list_lines)
    SLOWLY(list_straight)
    SLOWLY(list_cells)
    BY_CHANCE(move, has_loose(s))
    SLOWLY(move_pieces)
    SLOWLY(pass_each)
    SLOWLY(swap_cards)
    SLOWLY(swap_places)
    BY_CHANCE(swap_cells, has_loose(s))
    SLOWLY(arrange)
    SLOWLY(reveal)
    SLOWLY(cover)
    SLOWLY(show)
    SLOWLY(begin_draw)
    SLOWLY(begin_deal)
    BY_CHANCE(draw_next, 1)
    BY_CHANCE(begin_shuffle, !is_unsettled_by(s, IN(0)))
    SLOWLY(shuffle_next)
    BY_CHANCE(begin_settle, 1)
    SLOWLY(settle_next)
    SLOWLY(begin_pick)
    BY_CHANCE(pick_next, 1)
    SLOWLY(begin_roll)
    BY_CHANCE(roll_next, 1)
    SLOWLY(set_memory)
    SLOWLY(explain_memory)
    SLOWLY(set_state)
    SLOWLY(explain_state)
    SLOWLY(tell)
    BY_CHANCE(choose, 1)
    SLOWLY(announce_taken)
    SLOWLY(share_out)
    SLOWLY(announce_thing)
lacking:
    while (g->trap[pc - g->made] < 0) {
        if (!asked) return LACKS;
        LEAVE_QUESTION();
    }
    GO_TO(word_at(g, g->trap[pc - g->made]));
begun:
    keep_pc(s, pc), s->begins = 0, s->halted = 1;
moved:
    if (s->halted) return 0;
    if (!--ways_back) stop(s, UNKNOWN);
    r = registers(s), pc = g->made + STACK_OF(s)[s->base + PC];
    GO();
}

#undef o

/* ── lists that nobody knows any more ── */

static V copied(S *s, V value, V *to, int64_t *used, int depth);

static inline void copy_list(S *s, V *one, V *to, int64_t *used, int depth) {
    if (is_list(*one)) *one = copied(s, *one, to, used, depth);
}

static V copied(S *s, V value, V *to, int64_t *used, int depth) {
    if (value - LIST < s->g->lists) return value;
    V *list = ARENA_OF(s) + (value - LIST), at = *used, many = list[0];
    if (many < 0) return LIST + ~many; /* it was copied before, and says where to */
    if (depth > 2 * DEEPEST) stop(s, UNKNOWN);
    *used += many + 1;
    to[at] = many;
    memcpy(to + at + 1, list + 1, (size_t)many * sizeof(V));
    list[0] = ~at;
    for (V i = 1; i <= many; i++) copy_list(s, to + at + i, to, used, depth + 1);
    return LIST + at;
}

/* Keep only the lists that a register, a memory or a card still holds. */
static void tidy_up(S *s) {
    static _Thread_local V *room;
    static _Thread_local V size;
    int64_t used = s->g->lists;
    if (!has_room(&room, &size, s->used, s->used)) stop(s, TOO_MUCH);
    for (int64_t base = s->base; base >= 0; base = STACK_OF(s)[base + CALLER]) {
        const Code *code = code_of(s, base);
        V *window = STACK_OF(s) + base + REGISTERS;
        for (V at = 0; at < code->size + code->width; at++) copy_list(s, window + at, room, &used, 0);
    }
    for (int at = 0; at < s->g->memories; at++) copy_list(s, MEMORIES_OF(s) + at, room, &used, 0);
    for (int one = 0; s->changed && one < s->g->changing; one++)
        for (int card = 0; card < s->g->cards; card++) copy_list(s, STATE(s, one) + card, room, &used, 0);
    memcpy(ARENA_OF(s) + s->g->lists, room + s->g->lists, (size_t)(used - s->g->lists) * sizeof(V));
    s->used = used;
    s->full = used + FULL + (used - s->g->lists) + s->top / 8; /* the more there is to go through, the less often */
    if (!has_lists(s, s->full + ARENA)) s->full = used + room_left(s) / 2;
}

static inline void tidy(S *s) {
    if (s->used > s->full) tidy_up(s);
}
