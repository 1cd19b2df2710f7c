/* Choices: what is offered to whom, what is chosen without asking, and answers at random.

   Each choice of the rules says what is offered (`offer`) and whether what was picked is allowed (`allows`). */

enum { MISSED, CHOSEN, WAITS, SKIPPED, OVER, STAYS };

typedef struct {
    int slot, many, ordered, tested;
    int loose; /* whether there may be cards among the values that lie in no order */
    int apart; /* whether no two of them are ever one option */
    int shown; /* whether who chooses is told which cards they are */
} Pick;

typedef struct {
    int picks, may, sealed;
    const Pick *pick;
    /* Lays down the values, and says how many are wanted of how many; -1 if something is asked of nothing. */
    V (*offer)(S *, V *, int which, V seat, const V *picked, V *values, V *least, V *most);
    int (*allows)(S *, V *, int which, V seat, const V *picked, V chosen);
} Choice;

/* ── which cards are one option ── */

static int watchers(const S *s, int place) {
    if (s->leavings && SEEN_BY[place] == BY_OWNER && !is_alive(s, OWNER[place])) return 0;
    return WATCHERS[place];
}

static int sees(const S *s, V seat, V card) {
    int place = s->where[card], seers = watchers(s, place);
    if (KEPT[place] == PILE && SEEN_BY[place] != BY_EVERYONE) {
        int top = s->zone[place][0] == card && (s->first[place] || s->last[place] == s->n[place]);
        return top && (s->face[card] || SEEN_BY[place] == BY_TOP) ? 1 : seers >> seat & 1;
    }
    return s->face[card] ? 1 : seers >> seat & 1;
}

static int like(const S *s, V card, V other) {
    if (!s->changed) return LIKE[card] == LIKE[other];
    if (LIKENESS[card] != LIKENESS[other] || SINGULAR[card] || SINGULAR[other]) return 0;
    for (int one = 0; one < STATES; one++)
        if (!same(s, s->state[one][card], s->state[one][other])) return 0;
    return 1;
}

static inline int alike(const S *s, const Pick *pick, V seat, V one, V other) {
    if (one == other) return 1;
    if (pick->apart || one >= CARDS || other >= CARDS || s->where[one] != s->where[other]) return 0;
    if (pick->shown && !s->changed && LIKE[one] != LIKE[other]) return 0;
    int place = s->where[one];
    if (pick->shown) return KEPT[place] != GRID && like(s, one, other);
    int told = sees(s, seat, one);
    if (told != sees(s, seat, other)) return 0;
    return told ? KEPT[place] != GRID && like(s, one, other) : in_no_order(place) || KEPT[place] == POOL;
}

static int all_alike(const S *s, const Pick *pick, V seat, const V *values, V count) {
    if (pick->apart) return count == 1;
    for (V at = 1; at < count; at++)
        if (!alike(s, pick, seat, values[0], values[at])) return 0;
    return 1;
}

/* The first value that is the same option as one of them. */
static V first_alike(const S *s, const Pick *pick, V seat, const V *values, V one) {
    if (pick->apart || (pick->shown && !s->changed && ALONE[values[one]])) return one;
    V first = 0;
    while (!alike(s, pick, seat, values[first], values[one])) first++;
    return first;
}

/* ── sets ── */

#define MOST_TRIED 4096
#define MOST_OF_A_SET 512

static V set_of(S *s, const V *values, const int *indexes, int many) {
    V *set = room_for(s, many);
    for (int i = 0; i < many; i++) {
        V value = values[1 + indexes[i]];
        set[1 + i] = value;
        set[MASK] |= BIT(value);
    }
    return handle(s, set);
}

static int is_allowed(S *s, V *v, const Choice *c, const Entry *e, V chosen) {
    return !c->pick[e->made].tested || c->allows(s, v, e->made, e->seat, e->picks, chosen);
}

/* The legal set with a number, the largest one first, then from small to large, equal ones once; nothing if there are
   not so many, and then the number is smaller by those there are. The first of all goes to `first`. */
static V legal(S *s, V *v, const Choice *c, const Entry *e, const Offer *o, int64_t *number, V *first) {
    const Pick *pick = &c->pick[e->made];
    int count = (int)length(s, o->values), tried = 0;
    int16_t before[MOST_OF_A_SET];
    int index[MOST_OF_A_SET];
    uint8_t chosen[MOST_OF_A_SET];
    if (count > MOST_OF_A_SET) stop(s, TOO_MUCH);
    const V *values = list_at(s, o->values);
    memset(chosen, 0, (size_t)count);
    for (int i = 0; i < count; i++)
        for (before[i] = pick->apart ? -1 : i - 1; before[i] >= 0; before[i]--)
            if (alike(s, pick, e->seat, values[1 + i], values[1 + before[i]])) break;
    *first = NOTHING;
    for (V round = 0; round <= o->most - o->least; round++) {
        int size = (int)(round ? o->least + round - 1 : o->most);
        for (int i = 0; i < size; i++) index[i] = i;
        for (;;) {
            look(s, 1);
            int new = 1;
            for (int i = 0; i < size; i++) chosen[index[i]] = 1;
            for (int i = 0; i < size && new; i++) new = before[index[i]] < 0 || chosen[before[index[i]]];
            for (int i = 0; i < size; i++) chosen[index[i]] = 0;
            if (new) {
                if (tried++ >= MOST_TRIED) return NOTHING;
                int64_t used = s->used;
                V set = set_of(s, values, index, size);
                if (!is_allowed(s, v, c, e, set)) {
                    s->used = used;
                } else {
                    if (*first == NOTHING) *first = set;
                    if (!(*number)--) return set;
                }
            }
            int at = size - 1;
            while (at >= 0 && index[at] == count - size + at) at--;
            if (at < 0) break;
            index[at]++;
            for (int i = at + 1; i < size; i++) index[i] = index[i - 1] + 1;
        }
    }
    return NOTHING;
}

/* ── what is offered ── */

/* One more value; how many there are. */
static inline V offer(S *s, V *values, V count, V value) {
    if (count == MOST_LISTED) stop(s, TOO_LONG);
    values[count] = value;
    return count + 1;
}

/* The cards of a set among 64 of which the first has a number. How many they are is hard to foresee, so they are laid
   down in fours, and what is behind the last one counts for nothing. */
static inline V offer_set(S *s, V *values, V count, V first, uint64_t cards) {
    V all = count + many(cards);
    if (all > MOST_LISTED) stop(s, TOO_LONG);
    do {
        for (int i = 0; i < 4; i++, cards &= cards - 1)
            values[count + i] = first + __builtin_ctzll(cards | (uint64_t)1 << 63);
        count += 4;
    } while (count < all);
    return all;
}

/* The same as one value, unless it is offered already. */
static V offer_once(S *s, V *values, V count, V value) {
    for (V at = 0; at < count; at++)
        if (same(s, values[at], value)) return count;
    return offer(s, values, count, value);
}

/* The values that were not picked yet. */
static V left_over(S *s, const Choice *c, const V *picked, int made, V *values, V count) {
    for (int i = 0; i < made; i++) {
        V kept = 0;
        for (V at = 0; at < count; at++) {
            values[kept] = values[at];
            kept += !(c->pick[i].many ? holds(s, list_at(s, picked[i]), values[at]) : same(s, picked[i], values[at]));
        }
        count = kept;
    }
    return count;
}

static int offered(S *s, V *v, const Choice *c, const Entry *e, Offer *o) {
    const Pick *pick = &c->pick[e->made];
    V *values = s->offers, least = 1, most = 1, kept = 0;
    V count = c->offer(s, v, e->made, e->seat, e->picks, values, &least, &most);
    if (count < 0) return 0;
    if (e->made) count = left_over(s, c, e->picks, e->made, values, count);
    if (pick->loose && s->changed) in_open_order(s, values, count);
    if (pick->tested && !pick->many) {
        for (V at = 0; at < count; at++)
            if (is_allowed(s, v, c, e, values[at])) values[kept++] = values[at];
        count = kept;
    }
    V *list = room_for(s, count);
    memcpy(list + 1, values, (size_t)count * sizeof(V));
    o->values = handle(s, list);
    o->may = c->may && !e->made;
    o->open = count > 0 || (pick->many && least <= 0);
    o->least = o->most = 1;
    o->set = pick->many, o->ordered = pick->ordered;
    if (pick->many) {
        o->least = pick->ordered || least > count ? count : least;
        o->most = most == NOTHING || most > count ? count : most;
        if (o->most < o->least) o->most = o->least;
        int64_t second = 1;
        if (o->open && pick->tested) {
            o->several = legal(s, v, c, e, o, &second, &o->first) != NOTHING;
            o->open = o->first != NOTHING;
        }
    }
    return 1;
}

/* Whether there is one legal answer only, and which. */
static int only(S *s, const Choice *c, const Entry *e, const Offer *o, V *value) {
    const Pick *pick = &c->pick[e->made];
    const V *values = list_at(s, o->values);
    if (o->may) return 0;
    if (!pick->many) {
        *value = values[1];
        return all_alike(s, pick, e->seat, values + 1, values[0]);
    }
    int equal = all_alike(s, pick, e->seat, values + 1, values[0]);
    if (pick->ordered && values[0] && !equal) return 0;
    if (pick->tested) {
        *value = o->first;
        return !o->several;
    }
    if (o->least != o->most || (o->least != values[0] && o->most && !equal)) return 0;
    *value = part(s, o->values, 0, o->least);
    return 1;
}

/* Make every next pick that has only one answer: 1 when that was all, 0 when somebody must be asked, -1 if something
   is asked of nothing. */
static int settled(S *s, V *v, const Choice *c, Entry *e, Offer *o) {
    while (e->made < c->picks) {
        V value;
        if (!offered(s, v, c, e, o)) return -1;
        if (!o->open) return 1;
        if (!only(s, c, e, o, &value)) return 0;
        e->picks[e->made++] = value;
    }
    return 1;
}

/* ── at random ── */

static void told(S *s, int64_t what) { s->trace = (s->trace ^ (uint64_t)what) * 0x100000001B3u; }

static V several_at_random(S *s, V *v, const Choice *c, const Entry *e, const Offer *o) {
    const Pick *pick = &c->pick[e->made];
    const V *values = list_at(s, o->values);
    int count = (int)values[0], index[MOST_OF_A_SET], left[MOST_OF_A_SET];
    if (values[0] > MOST_OF_A_SET) stop(s, TOO_MUCH);
    for (int tries = 0; tries < 64; tries++) {
        int kept = count, size = (int)(o->least + next_number(&s->bot[e->seat], o->most - o->least + 1));
        for (int i = 0; i < count; i++) left[i] = i;
        for (int i = 0; i < size; i++) {
            int at = (int)next_number(&s->bot[e->seat], kept);
            index[i] = left[at];
            memmove(left + at, left + at + 1, (size_t)(--kept - at) * sizeof(int));
        }
        if (pick->tested && !is_allowed(s, v, c, e, set_of(s, values, index, size))) continue;
        /* Of equal ones always the first that is left, in the order of the list. */
        uint8_t gone[MOST_OF_A_SET];
        memset(gone, 0, (size_t)count);
        for (int i = 0; i < size; i++) {
            int at = 0;
            while (gone[at] || !alike(s, pick, e->seat, values[1 + at], values[1 + index[i]])) at++;
            gone[at] = 1;
            index[i] = at;
        }
        for (int i = 1; i < size && !pick->ordered; i++)
            for (int at = i; at > 0 && index[at - 1] > index[at]; at--) {
                int more = index[at - 1];
                index[at - 1] = index[at], index[at] = more;
            }
        return set_of(s, values, index, size);
    }
    int64_t all = INT64_MAX, chosen;
    V first;
    legal(s, v, c, e, o, &all, &first);
    chosen = next_number(&s->bot[e->seat], INT64_MAX - all);
    return legal(s, v, c, e, o, &chosen, &first);
}

/* Somebody answers, to so many options. */
static void answers(S *s, V seat, int64_t options) {
    s->turns += seat != s->before;
    s->before = (int32_t)seat;
    s->clock++;
    told(s, seat);
    told(s, options);
}

/* The number of one of the values, or -1 if it is to pass. */
static inline V one_at_random(S *s, const Pick *pick, V seat, const V *values, V count, int may) {
    answers(s, seat, count + may);
    V chosen = next_number(&s->bot[seat], count + may);
    chosen = chosen == count ? -1 : first_alike(s, pick, seat, values, chosen);
    told(s, chosen);
    return chosen;
}

/* An answer; absent if it is to pass. */
static V at_random(S *s, V *v, const Choice *c, const Entry *e, const Offer *o) {
    const Pick *pick = &c->pick[e->made];
    const V *values = list_at(s, o->values);
    if (!pick->many) {
        V chosen = one_at_random(s, pick, e->seat, values + 1, values[0], o->may);
        return chosen < 0 ? ABSENT : values[1 + chosen];
    }
    answers(s, e->seat, values[0] + o->may);
    if (o->may && next_number(&s->bot[e->seat], values[0] + 1) == values[0]) {
        told(s, -1);
        return ABSENT;
    }
    V set = several_at_random(s, v, c, e, o);
    for (V at = 1; at <= length(s, set); at++) {
        V where = 1;
        while (!same(s, values[where], list_at(s, set)[at])) where++;
        told(s, where - 1);
    }
    return set;
}

/* ── a decision ── */

static int closed(S *s, V *v, const Choice *c) {
    int found = MISSED, entries = s->asked;
    s->asked = 0;
    for (int i = 0; i < entries; i++)
        if (s->entry[i].made) found = CHOSEN;
    for (int which = 0; which < c->picks; which++) {
        V *answers = NULL, value = c->may ? NOTHING : ABSENT;
        if (c->sealed) answers = nothings(s, PLAYERS);
        for (int i = 0; i < entries; i++)
            if (s->entry[i].made > which) {
                value = s->entry[i].picks[which];
                if (c->sealed) answers[1 + s->entry[i].seat] = value;
            }
        v[c->pick[which].slot] = c->sealed ? handle(s, answers) : value;
    }
    return found;
}

/* ── at once: nobody outside is waited for, and whoever picks picks one thing ── */

static inline int at_once(const S *s) { return !s->stepping && s->clock < MOST_ANSWERS; }

/* Which of so many values that were laid down a seat picks, or -1 if it passes. */
static inline V picked_one(S *s, const Choice *c, int which, V seat, V count, int *asked) {
    const Pick *pick = &c->pick[which];
    int may = c->may && !which;
    if (pick->loose && s->changed) in_open_order(s, s->offers, count);
    if (!may && all_alike(s, pick, seat, s->offers, count)) return 0;
    if (!*asked) s->counts[seat]++, s->looked = 0, *asked = 1;
    return one_at_random(s, pick, seat, s->offers, count, may);
}

/* One of so many values, asked of one player: most choices are so. What finding them out took is left behind. */
static int ask_one(S *s, V *v, const Choice *c, V seat, V count, int64_t used) {
    int asked = 0;
    if (count < 0) return SKIPPED;
    V chosen = count ? picked_one(s, c, 0, seat, count, &asked) : -1;
    v[c->pick->slot] = chosen >= 0 ? s->offers[chosen] : c->may ? NOTHING : ABSENT;
    if (chosen < 0) return MISSED;
    if (!is_list(s->offers[chosen])) s->used = used;
    return CHOSEN;
}

/* Several players, or several picks, none of which asks anything of nothing. */
static int ask_each(S *s, V *v, const Choice *c, V who) {
    int32_t seats[PLAYERS];
    int many = alive_of(s, who, seats), found = MISSED;
    V *answers[MOST_PICKS];
    if (!many && !c->sealed) return SKIPPED;
    for (int which = 0; which < c->picks; which++) {
        answers[which] = c->sealed ? nothings(s, PLAYERS) : &v[c->pick[which].slot];
        v[c->pick[which].slot] = c->sealed ? handle(s, answers[which]) : c->may ? NOTHING : ABSENT;
    }
    for (int i = 0; i < many; i++) {
        V picked[MOST_PICKS];
        int asked = 0, made = 0;
        for (; made < c->picks; made++) {
            V count = c->offer(s, v, made, seats[i], picked, s->offers, NULL, NULL);
            if (made) count = left_over(s, c, picked, made, s->offers, count);
            V chosen = count ? picked_one(s, c, made, seats[i], count, &asked) : -1;
            if (chosen < 0) break;
            picked[made] = s->offers[chosen];
        }
        for (int which = 0; which < made; which++) answers[which][c->sealed ? 1 + seats[i] : 0] = picked[which];
        if (made) found = CHOSEN;
    }
    return found;
}

/* Ask whoever has more than one legal answer; if nobody has, the decision closes at once. */
static int ask(S *s, V *v, const Choice *c, V who) {
    int32_t seats[PLAYERS], waiting = 0;
    int many = alive_of(s, who, seats);
    if (!many && !c->sealed) return SKIPPED;
    s->found = 0;
    for (int i = 0; i < many; i++) {
        Entry *e = &s->entry[i];
        e->seat = seats[i];
        e->made = 0;
        int done = settled(s, v, c, e, &s->offer[i]);
        if (done < 0) return SKIPPED;
        e->done = done;
        e->number = done ? 0 : s->counts[e->seat] + 1;
        waiting += !done;
        s->found |= !done << i;
    }
    s->asked = many;
    if (!waiting) return closed(s, v, c);
    if (s->clock >= MOST_ANSWERS) {
        s->asked = 0;
        finish(s, UNFINISHED);
        return OVER;
    }
    for (int i = 0; i < many; i++) s->counts[s->entry[i].seat] += !s->entry[i].done;
    s->looked = 0;
    return WAITS;
}

/* The answer that was given from outside, if it may be given; else LACKS. */
static V given(S *s, V *v, const Choice *c, const Entry *e, const Offer *o) {
    const Pick *pick = &c->pick[e->made];
    V chosen = s->given;
    s->given = LACKS;
    if (chosen == LACKS || (chosen == ABSENT && !o->may)) return LACKS;
    if (chosen != ABSENT && pick->many && (length(s, chosen) < o->least || length(s, chosen) > o->most)) return LACKS;
    if (chosen != ABSENT && pick->many && !is_allowed(s, v, c, e, chosen)) return LACKS;
    answers(s, e->seat, length(s, o->values) + o->may);
    return chosen;
}

/* Everybody who is asked answers at random, or when somebody outside has said what. */
static int decide(S *s, V *v, const Choice *c) {
    for (int i = 0; i < s->asked; i++) {
        Entry *e = &s->entry[i];
        while (!e->done) {
            Offer *o = &s->offer[i];
            if (!(s->found >> i & 1) && (!offered(s, v, c, e, o) || !o->open)) stop(s, NOT_THERE);
            s->found |= 1 << i;
            s->offered = i;
            V chosen = s->stepping ? given(s, v, c, e, o) : at_random(s, v, c, e, o);
            if (chosen == LACKS) return STAYS;
            s->offered = -1, s->found &= ~(1 << i);
            if (chosen == ABSENT) {
                e->made = 0;
                e->done = 1;
                continue;
            }
            e->picks[e->made++] = chosen;
            e->done = settled(s, v, c, e, o);
            s->found |= 1 << i;
            if (e->done < 0) stop(s, NOT_THERE);
        }
    }
    return closed(s, v, c);
}
