/* Choices: what is offered to whom, what is chosen without asking, and answers at random. */

static V run(S *s, const V *pc, V *r);

/* The value of a piece of the code that runs, with the registers of a window; many pieces are one register. */
static inline V value_of(S *s, V entry, V *window) {
    const V *piece = s->g->made + entry;
    return *piece == s->g->answer ? window[piece[1]] : run(s, piece, window);
}

/* Whether a condition is met; about somebody who is not there, nothing is. */
static inline int is_met(S *s, V entry, V *window) {
    V found = value_of(s, entry, window);
    return found != LACKS && is_true(s, found);
}

static inline const Choice *choice_at(S *s) {
    const V *frame = STACK_OF(s) + s->base;
    return s->g->choice + s->g->step[frame[1] + 1];
}

/* ── which values are one option ── */

static inline int is_card(S *s, const Source *source, V value) {
    return source->cards && value >= 0 && value < s->g->cards;
}

/* Whether a seat is told which card an option is. */
static inline int is_told(S *s, const Source *source, V seat, V card) {
    return source->shown ? KNOWN(s)[card] >> seat & 1 : recognises(s, seat, card);
}

static int alike(S *s, const Pick *pick, V seat, const V *values, V count, V one, V other) {
    V card = values[one], next = values[other];
    if (one == other) return 1;
    if (card < 0 || card >= s->g->cards || next < 0 || next >= s->g->cards || WHERE(s)[card] != WHERE(s)[next]) return 0;
    const Source *mine = s->g->source + pick->source + values[count + one];
    const Source *yours = s->g->source + pick->source + values[count + other];
    if (!mine->cards || !yours->cards) return 0;
    int place = WHERE(s)[card];
    if (is_told(s, mine, seat, card)) return KEPT(s, place) != GRID && are_like(s, card, next) && is_told(s, yours, seat, next);
    return !is_row(s, place) && !is_told(s, yours, seat, next);
}

/* The first value that is the same option as one of them. */
static V first_alike(S *s, const Pick *pick, V seat, const V *values, V count, V one) {
    V card = values[one], at = 0;
    const Source *source = s->g->source + pick->source + values[count + one];
    if (!is_card(s, source, card)) return one;
    int place = WHERE(s)[card], told = is_told(s, source, seat, card);
    if (told ? KEPT(s, place) == GRID : is_row(s, place)) return one;
    while ((told && values[at] >= 0 && values[at] < s->g->cards && s->g->likeness[values[at]] != s->g->likeness[card]) ||
           !alike(s, pick, seat, values, count, one, at))
        at++;
    return at;
}

static int all_alike(S *s, const Pick *pick, V seat, const V *values, V count) {
    for (V at = 1; at < count; at++)
        if (!alike(s, pick, seat, values, count, 0, at)) return 0;
    return 1;
}

/* ── what is offered ── */

/* Cards that lie in no order are offered by what they are: how they are stored would show their numbers. */
static int comes_before(S *s, V card, V other) {
    if (s->g->likeness[card] != s->g->likeness[other]) return s->g->likeness[card] < s->g->likeness[other];
    if (s->g->singular[card] != s->g->singular[other]) return s->g->singular[card] < s->g->singular[other];
    if (s->g->singular[card]) return card < other;
    for (int i = 0; i < s->g->changing; i++) {
        int found = order(s, STATE(s, i)[card], STATE(s, i)[other], 0);
        if (found) return found < 0;
    }
    return WHERE(s)[card] < WHERE(s)[other];
}

static void in_open_order(S *s, const Pick *pick, V *values, V count) {
    int row = -1; /* where the card before lies, in an order */
    for (V at = 0; at < count; at++) {
        V card = values[at], source = values[count + at];
        if (!is_card(s, s->g->source + pick->source + source, card) || WHERE(s)[card] == row) continue;
        if (is_row(s, WHERE(s)[card])) {
            row = WHERE(s)[card];
            continue;
        }
        /* Among the places of such cards, each new one goes back as far as it comes before others. */
        V hole = at;
        for (V before = at - 1; before >= 0; before--) {
            if (!is_card(s, s->g->source + pick->source + values[count + before], values[before])) continue;
            if (is_row(s, WHERE(s)[values[before]])) continue;
            if (!comes_before(s, card, values[before])) break;
            values[hole] = values[before], values[count + hole] = values[count + before];
            hole = before;
        }
        values[hole] = card, values[count + hole] = source;
    }
}

/* Whether `so that` holds for these values. */
static int is_allowed(S *s, const Pick *pick, V *window, V chosen) {
    if (pick->so_that < 0) return 1;
    window[pick->slot] = chosen;
    int met = is_met(s, pick->so_that, window);
    window[pick->slot] = NOTHING;
    return met;
}

static V set_of(S *s, const V *values, const int *indexes, int many) {
    V *set = room_for(s, many);
    for (int i = 0; i < many; i++) set[1 + i] = values[indexes[i]];
    return handle(s, set);
}

/* In how many ways a set can be taken if equal ones are told apart, of which `before` has the one before it in the list. */
static int64_t count_ways(const int *index, int size, const int *before, int count) {
    int first[MOST_OF_A_SET], copies[MOST_OF_A_SET] = {0}, taken[MOST_OF_A_SET] = {0};
    int64_t ways = 1;
    for (int i = 0; i < count; i++) copies[first[i] = before[i] < 0 ? i : first[before[i]]]++;
    for (int i = 0; i < size; i++) {
        int like = first[index[i]];
        ways = ways * (copies[like] - taken[like]) / (taken[like] + 1);
        if (ways > MOST_WAYS) ways = MOST_WAYS;
        taken[like]++;
    }
    return ways;
}

/* The option of a value that is offered, by the number it has among those that somebody asks about, or -1. A card is one
   only to who is told which it is. */
static int32_t option_of(S *s, const Options *o, const Pick *pick, V seat, const V *values, V count, V at) {
    V value = values[at], which = pick->source + values[count + at];
    int32_t sort = o->sources[which];
    if (sort == OF_OBJECTS)
        return value < 0 || (value < s->g->cards && !is_told(s, s->g->source + which, seat, value)) ? -1 : o->objects[value];
    if (sort == OF_WORDS) return value >= WORD && value < LIST ? o->words[value - WORD] : -1;
    if (sort == OF_ANSWERS) return value == 0 || value == 1 ? o->answers[value] : -1;
    return sort < 0 || value < 0 ? -1 : o->labels[sort + value];
}

/* Whether an answer, by the numbers of its values, is as somebody wants it; less than none of them is to pass. */
static int is_wanted(S *s, const Wanted *w, const Pick *pick, V seat, const V *values, V count, const int *index, int size) {
    int has = size < 0 && w->options->pass == w->option;
    for (int i = 0; i < size && !has; i++) has = option_of(s, w->options, pick, seat, values, count, index[i]) == w->option;
    return has == w->always;
}

/* Sets of one size, as combinations come (in every order, if that is chosen too); of equal values the first ones are
   taken, so that equal sets come once. */
typedef struct {
    int count, size, ordered, taken, at, left, given; /* `left`: how many may still be taken from `at` on */
    int index[MOST_OF_A_SET], before[MOST_OF_A_SET], later[MOST_OF_A_SET], left_before[MOST_OF_A_SET];
    uint8_t used[MOST_OF_A_SET];
} Sets;

static void find_copies(S *s, const Pick *pick, V seat, const Offer *o, Sets *a) {
    a->count = (int)o->count, a->ordered = (int)pick->ordered;
    memset(a->later, 0, (size_t)a->count * sizeof *a->later);
    for (int i = 0; i < a->count; i++)
        for (a->before[i] = i - 1; a->before[i] >= 0; a->before[i]--)
            if (alike(s, pick, seat, list_at(s, o->values) + 1, o->count, i, a->before[i])) break;
    for (int i = a->count - 1; i >= 0; i--)
        if (a->before[i] >= 0) a->later[a->before[i]] = a->later[i] + 1;
}

static void begin_sets(Sets *a, int size) {
    a->size = size, a->taken = a->at = a->given = 0, a->left = a->count;
    memset(a->used, 0, (size_t)a->count);
}

static int next_set(Sets *a) {
    for (;;) {
        int at = a->at, is_back = a->given;
        a->given = 0;
        if (!is_back) {
            while (at < a->count && (a->used[at] || (a->before[at] >= 0 && !a->used[a->before[at]]))) at++;
            if (a->taken == a->size) return a->given = 1;
            if (at < a->count && (a->ordered || a->taken + a->left >= a->size)) {
                a->left_before[a->taken] = a->left--, a->index[a->taken++] = at, a->used[at] = 1;
                a->at = a->ordered ? 0 : at + 1;
                continue;
            }
        }
        if (!a->taken) return 0;
        at = a->index[--a->taken], a->used[at] = 0;
        a->left = a->left_before[a->taken] - 1 - a->later[at], a->at = at + 1;
    }
}

/* The legal set with a number, as it is wanted, the largest one first, then from small to large, equal ones once or, if
   they are `apart`, in each way in which they can be taken; nothing if there are not so many, and then the number is smaller by those there
   are. `ran_out`: there are sets that were not tried. */
static V legal(S *s, const Pick *pick, V seat, V *window, const Offer *o, const Wanted *w, int apart, int64_t *number, int *ran_out) {
    int tried = 0;
    Sets a;
    if (o->count > MOST_OF_A_SET) stop(s, TOO_MUCH);
    find_copies(s, pick, seat, o, &a);
    for (V round = 0; round <= o->most - o->least; round++) {
        int size = (int)(round ? o->least + round - 1 : o->most);
        for (begin_sets(&a, size); next_set(&a);) {
            if (tried++ >= MOST_TRIED) {
                *ran_out = 1;
                return NOTHING;
            }
            int64_t used = s->used;
            V set = set_of(s, list_at(s, o->values) + 1, a.index, size);
            if (w && !is_wanted(s, w, pick, seat, list_at(s, o->values) + 1, a.count, a.index, size)) s->used = used;
            else if (!is_allowed(s, pick, window, set)) s->used = used;
            else if ((*number -= apart ? count_ways(a.index, size, a.before, a.count) : 1) < 0) return set;
        }
    }
    return NOTHING;
}

/* ── what sets can come to ── */

/* What a value adds to each total: 0 if something is asked of nothing, or there is no telling. */
static int find_adds(S *s, const Pick *pick, V *window, V value, Totals *t, V *adds) {
    int64_t used = s->used;
    for (int i = 0; i < t->folds; i++) {
        V *one = room_for(s, 1);
        one[1] = value, window[pick->slot] = handle(s, one);
        V found = value_of(s, s->g->data[pick->folds + 2 + 2 * i], window);
        window[pick->slot] = NOTHING;
        if (found == LACKS || (found == NOTHING && t->fold[i] == F_SUM)) return 0;
        if (t->fold[i] == F_MEMBERS || t->fold[i] == F_SAME) {
            V bits = 0, only = NOTHING;
            for (V at = 1; found != NOTHING && at <= length(s, found); at++) {
                V member = list_at(s, found)[at];
                int number = 0;
                while (number < t->members && t->member[number] != member) number++;
                if (is_list(member) || number >= (t->fold[i] == F_MEMBERS ? MOST_BITS : MOST_NAMED)) return 0;
                if (number == t->members) t->member[t->members++] = member;
                bits |= (V)1 << (number & 63);
                only = only == NOTHING || only == number ? number : MIXED;
            }
            found = t->fold[i] == F_MEMBERS ? bits : only;
        }
        adds[i] = found;
        s->used = used;
    }
    return 1;
}

static int find_totals(S *s, const Pick *pick, V seat, V *window, const Offer *o, Totals *t) {
    const V *values = list_at(s, o->values) + 1;
    t->count = (int)o->count, t->kinds = t->members = 0, t->folds = (int)s->g->data[pick->folds] / 2;
    t->least = o->least, t->most = o->most, t->counted = o->least > 1 || o->most < o->count;
    for (int i = 0; i < t->folds; i++) t->fold[i] = (int)s->g->data[pick->folds + 1 + 2 * i];
    for (int i = 0; i < t->count; i++) {
        V adds[MOST_FOLDS], like = first_alike(s, pick, seat, values, o->count, i);
        if (!find_adds(s, pick, window, values[i], t, adds)) return 0;
        if (like == i) {
            memcpy(t->adds[t->kinds], adds, sizeof adds);
            t->copies[t->kinds] = 0, t->kind[i] = t->kinds++;
        } else {
            t->kind[i] = t->kind[like];
            if (memcmp(t->adds[t->kind[i]], adds, (size_t)t->folds * sizeof(V))) return 0;
        }
        t->copy[i] = t->copies[t->kind[i]]++;
    }
    return add_up(t);
}

/* The set of the first values of each kind, in their order. */
static V set_taken(S *s, const Offer *o, const Totals *t, const int32_t *taken) {
    int index[MOST_OF_A_SET], size = 0;
    for (int i = 0; i < t->count; i++)
        if (t->copy[i] < taken[t->kind[i]]) index[size++] = i;
    return set_of(s, list_at(s, o->values) + 1, index, size);
}

static int is_node_allowed(S *s, const Pick *pick, V *window, const Offer *o, const Totals *t, int at, V *set) {
    int32_t taken[MOST_OF_A_SET];
    int64_t used = s->used;
    taken_by(t, at, taken);
    *set = set_taken(s, o, t, taken);
    if (is_allowed(s, pick, window, *set)) return 1;
    s->used = used;
    return 0;
}

/* How many sets are legal, of all there are (2 stands for more), and one of them. */
static int survey(S *s, const Pick *pick, V *window, const Offer *o, const Totals *t, V *found) {
    int sets = 0;
    V set;
    for (int at = t->nodes - 1; at >= t->first[t->kinds] && sets < 2; at--) {
        if (!is_end(t, at) || !is_node_allowed(s, pick, window, o, t, at, &set)) continue;
        if (!sets) *found = set;
        sets += t->node[at].sets;
    }
    return sets < 2 ? sets : 2;
}

/* One of all legal sets at random, equal values told apart each as likely as any other and as one of so many ways to
   pass. */
static V draw_set(S *s, const Pick *pick, V *window, const Offer *o, Totals *t, int passes, Stream *numbers) {
    int32_t taken[MOST_OF_A_SET];
    int64_t total = passes, used = s->used;
    V set;
    for (int at = t->first[t->kinds]; at < t->nodes; at++) {
        t->node[at].allowed = is_end(t, at) && is_node_allowed(s, pick, window, o, t, at, &set);
        if (t->node[at].allowed) total += t->node[at].ways;
        s->used = used;
    }
    int64_t chosen = next_number(numbers, total);
    for (int at = t->first[t->kinds]; at < t->nodes; at++) {
        if (!t->node[at].allowed || (chosen -= t->node[at].ways) >= 0) continue;
        draw_back(t, at, taken, numbers);
        return set_taken(s, o, t, taken);
    }
    return ABSENT;
}

/* How many sets are legal (2 stands for more), and one of them; with `numbers`, one at random. Less than none if what
   sets come to does not tell. */
static int count_legal(S *s, const Pick *pick, V seat, V *window, const Offer *o, int passes, Stream *numbers, V *found) {
    jmp_buf outer;
    volatile int sets = -1;
    if (pick->folds < 0) return -1;
    Totals *t = malloc(sizeof *t);
    if (!t) stop(s, TOO_MUCH);
    memcpy(&outer, &way_out, sizeof outer);
    int why = setjmp(way_out);
    if (!why && find_totals(s, pick, seat, window, o, t)) {
        if (numbers) *found = draw_set(s, pick, window, o, t, passes, numbers), sets = 1;
        else sets = survey(s, pick, window, o, t, found);
    }
    memcpy(&way_out, &outer, sizeof outer);
    free(t);
    if (why) stop(s, why);
    return sets;
}

/* Find out whether a set may be chosen, and whether there is more than one. */
static void find_legal(S *s, const Pick *pick, V seat, V *window, Offer *o) {
    int64_t first = 0, second = 1, looked = s->looked;
    int ran_out = 0, sets;
    s->looked = MOST_LOOKED_AT - MOST_SEARCHED;
    o->first = legal(s, pick, seat, window, o, NULL, 0, &first, &ran_out);
    o->open = o->first != NOTHING;
    o->several = o->open && legal(s, pick, seat, window, o, NULL, 0, &second, &ran_out) != NOTHING;
    if (ran_out && !o->several) {
        sets = count_legal(s, pick, seat, window, o, 0, NULL, &o->first);
        o->undecided = sets < 0 && !o->open;
        o->open = sets != 0, o->several = sets != 1;
    }
    s->looked = looked;
}

/* Whether it is an answer to choose nothing: to pass, or that nothing fits. */
static inline int may_decline(const Offer *o) { return o->may || o->undecided; }

/* The registers with which a seat's next pick is read: those of the script, and what it has picked. The first pick of one
   player is read with those of the script themselves. */
static V *window_of(S *s, const Choice *c, const Entry *e) {
    V all = s->g->window[STACK_OF(s)[s->base]].many, *own = STACK_OF(s) + s->base + REGISTERS;
    if (c->decider < 0 && !e->made && s->g->pick[c->pick].so_that < 0) return own;
    if (s->top + all > s->room) stop(s, TOO_MUCH);
    V *window = STACK_OF(s) + s->top;
    memcpy(window, own, (size_t)all * sizeof(V));
    s->top += all;
    if (c->decider >= 0) window[c->decider] = e->seat;
    for (int i = 0; i < e->made; i++) window[s->g->pick[c->pick + i].slot] = e->picks[i];
    return window;
}

/* Whether somebody has picked a value by a name of the same line before. */
static int is_picked(S *s, const Entry *e, const Pick *pick, V value) {
    for (int i = 0; i < e->made; i++) {
        V picked = e->picks[i];
        if (pick[i - e->made].line != pick->line) continue;
        if (is_list(picked) ? holds(s, list_at(s, picked), value) : picked == value) return 1;
    }
    return 0;
}

/* Of cards that are alike, and lie where these are offered once, leave the first; how many values are left. */
static V offer_once(S *s, const Pick *pick, V seat, V *values, V count) {
    V kept = 0;
    for (V at = 0; at < count; at++) {
        V value = values[at], source = values[count + at];
        int is_supply = is_card(s, s->g->source + pick->source + source, value) && PLACE(s, WHERE(s)[value]).alike_once;
        if (is_supply && first_alike(s, pick, seat, values, count, at) != at) continue;
        values[kept] = value, values[count + kept++] = source;
    }
    memmove(values + kept, values + count, (size_t)kept * sizeof(V));
    return kept;
}

/* Find out what is offered to somebody next, `each` of those too that are alike: 0 if something is asked of nothing. */
static int find_offer_of(S *s, const Choice *c, const Entry *e, Offer *o, int each) {
    const Pick *pick = s->g->pick + c->pick + e->made;
    V *lists = OFFERS(s), *window, *values, total = 0, count = 0, least = 1, most = 1, top = s->top;
    uint64_t met[4] = {0};
    int rising = 1; /* cells of a grid come in order: then none of them stands twice */
    window = window_of(s, c, e);
    for (int source = 0; source < pick->sources; source++) {
        lists[source] = value_of(s, s->g->source[pick->source + source].list, window);
        if (lists[source] == LACKS) goto lacking;
        total += length(s, lists[source]);
    }
    V *offered = room_for(s, 2 * total), *sources = offered + 1 + total;
    o->values = handle(s, offered), values = offered + 1;
    for (int source = 0; source < pick->sources; source++) {
        const V *list = list_at(s, lists[source]);
        for (V at = 1; at <= list[0]; at++) {
            V value = list[at];
            if (value == NOTHING || (e->made && is_picked(s, e, pick, value))) continue;
            if (value >= 0 && value < 256) { /* numbers and cards, most often */
                uint64_t bit = (uint64_t)1 << (value & 63);
                if (met[value >> 6] & bit) continue;
                met[value >> 6] |= bit;
                rising = rising && (!count || values[count - 1] < value);
            } else {
                int known = 0;
                rising = rising && (!count || order(s, values[count - 1], value, 0) < 0);
                for (V i = 0; i < count && !known && !rising; i++) known = same(s, values[i], value);
                if (known) continue;
            }
            values[count] = value, sources[count++] = source;
        }
    }
    if (count > MOST_LISTED) stop(s, TOO_LONG);
    if (count < total) memmove(values + count, sources, (size_t)count * sizeof(V));
    if (s->changed) in_open_order(s, pick, values, count);
    if (pick->so_that >= 0 && !pick->many) {
        V kept = 0;
        for (V at = 0; at < count; at++) {
            V value = values[at], source = values[count + at];
            if (is_allowed(s, pick, window, value)) values[kept] = value, values[count + kept++] = source;
        }
        memmove(values + kept, values + count, (size_t)kept * sizeof(V));
        count = kept;
    }
    if (s->g->supplies && !pick->many && !each) count = offer_once(s, pick, e->seat, values, count);
    offered[0] = 2 * count, o->count = count;
    o->may = c->may && !e->made, o->undecided = 0;
    o->least = o->most = 1;
    o->open = count > 0;
    if (pick->many) {
        if (pick->least >= 0 && (least = value_of(s, pick->least, window)) == LACKS) goto lacking;
        if (pick->most >= 0 && (most = value_of(s, pick->most, window)) == LACKS) goto lacking;
        if (pick->most < 0) most = count;
        o->open = count > 0 || (least <= 0 && !o->may);
        o->least = pick->ordered || least > count ? count : least < 0 ? 0 : least;
        o->most = most > count ? count : most;
        if (o->most < o->least) o->most = o->least;
        if (o->open && pick->so_that >= 0) find_legal(s, pick, e->seat, window, o);
    }
    s->top = top;
    return 1;
lacking:
    s->top = top;
    return 0;
}

static int find_offer(S *s, const Choice *c, const Entry *e, Offer *o) { return find_offer_of(s, c, e, o, 0); }

/* Whether there is one legal answer only, for which nobody is asked, and which. */
static int only(S *s, const Choice *c, const Entry *e, const Offer *o, V *value) {
    const Pick *pick = s->g->pick + c->pick + e->made;
    const V *values = list_at(s, o->values) + 1;
    if (may_decline(o) || pick->always) return 0;
    if (!pick->many) {
        *value = values[0];
        return all_alike(s, pick, e->seat, values, o->count);
    }
    if (pick->ordered && o->count && !all_alike(s, pick, e->seat, values, o->count)) return 0;
    if (pick->so_that >= 0) {
        *value = o->first;
        return !o->several;
    }
    if (o->least != o->most) return 0;
    if (o->least != o->count && o->most && !all_alike(s, pick, e->seat, values, o->count)) return 0;
    *value = part(s, o->values, 0, o->least);
    return 1;
}

enum { OPEN, SHUT, ASKED, WAYS_TO_PICK };

/* Note that something could be picked, or not, or that somebody is asked. */
static inline void note_pick(S *s, V pick, int how) {
    Watch *w = s->g->watch;
    if (w && w->is_noting) w->picks[WAYS_TO_PICK * pick + how]++;
}

/* Make every next pick that has only one answer: 1 when that was all, 0 when somebody must be asked, -1 if something
   is asked of nothing. */
static int settle_picks(S *s, const Choice *c, Entry *e, Offer *o) {
    while (e->made < c->picks) {
        V value;
        if (!find_offer(s, c, e, o)) return -1;
        note_pick(s, c->pick + e->made, !o->open ? SHUT : OPEN);
        if (!o->open) return 1;
        if (!only(s, c, e, o, &value)) return 0;
        e->picks[e->made++] = value;
    }
    return 1;
}

/* The number of a value among those that are offered, or -1. */
static V number_of_value(S *s, const Offer *o, V value) {
    for (V at = 0; at < o->count; at++)
        if (same(s, list_at(s, o->values)[1 + at], value)) return at;
    return -1;
}

/* Whether somebody who has chosen this by the first pick may choose it still. */
static int may_choose(S *s, const Choice *c, V seat, V value) {
    const Pick *pick = s->g->pick + c->pick;
    const V one[2] = {1, value}, *chosen = pick->many ? list_at(s, value) : one;
    Entry e = {.seat = (int32_t)seat};
    V top = s->top;
    Offer o;
    if (!find_offer_of(s, c, &e, &o, 1) || !o.open || chosen[0] < o.least || chosen[0] > o.most) return 0;
    for (V at = 1; at <= chosen[0]; at++)
        if (number_of_value(s, &o, chosen[at]) < 0) return 0;
    int allowed = !pick->many || is_allowed(s, pick, window_of(s, c, &e), value);
    s->top = top;
    return allowed;
}

/* A value, or one that is like it, which nobody has whose values stand in the list, nor who has so many already. */
static V free_like(S *s, const Pick *pick, V seat, const Offer *o, V value, const V *given, const V *own, V many) {
    V like = number_of_value(s, o, value);
    for (V at = like; like >= 0 && at < like + o->count; at++) {
        const V *values = list_at(s, o->values) + 1;
        V number = at % o->count, one = values[number];
        int is_free = number == like || alike(s, pick, seat, values, o->count, (int)number, (int)like);
        for (V i = 1; is_free && i <= given[0]; i++)
            is_free = is_list(given[i]) ? !holds(s, list_at(s, given[i]), one) : !same(s, given[i], one);
        for (V i = 1; is_free && i <= many; i++) is_free = !same(s, own[i], one);
        if (is_free) return one;
    }
    return value;
}

/* What everybody has chosen by the first pick, where those who have the same get others that are like it, as far as there
   are any, in the order of a list. */
static V share_out(S *s, const Choice *c, V answers, V several) {
    const Pick *pick = s->g->pick + c->pick;
    V *given = room_for(s, length(s, answers)), found = handle(s, given);
    for (V seat = 1; seat <= given[0]; seat++) given[seat] = NOTHING;
    for (V at = 1; at <= length(s, several); at++) {
        V seat = list_at(s, several)[at];
        if (!is_seat(s, seat)) stop(s, UNKNOWN);
        V value = list_at(s, answers)[1 + seat];
        const V one[2] = {1, value}, *chosen = value != NOTHING && pick->many ? list_at(s, value) : one;
        Entry e = {.seat = (int32_t)seat};
        Offer o;
        if (value == NOTHING || !find_offer_of(s, c, &e, &o, 1)) continue;
        V *own = room_for(s, chosen[0]), all = handle(s, own);
        for (V i = 1; i <= chosen[0]; i++) own[i] = NOTHING;
        for (V i = 1; i <= chosen[0]; i++) own[i] = free_like(s, pick, seat, &o, chosen[i], given, own, i - 1);
        given[1 + seat] = pick->many ? all : own[1];
    }
    return found;
}

/* ── a decision ── */

/* Bind what was chosen; whether anything was. */
static int close_choice(S *s, const Choice *c) {
    int chosen = 0, entries = s->asked;
    V *locals = STACK_OF(s) + s->base + REGISTERS;
    s->asked = 0;
    for (int i = 0; i < entries; i++) chosen |= s->entry[i].made > 0;
    for (int which = 0; which < c->picks; which++) {
        V value = c->may ? NOTHING : ABSENT, *answers = NULL;
        if (c->sealed) {
            answers = room_for(s, s->g->players);
            for (int seat = 0; seat < s->g->players; seat++) answers[1 + seat] = NOTHING;
        }
        for (int i = entries - 1; i >= 0; i--)
            if (s->entry[i].made > which) {
                value = s->entry[i].picks[which];
                if (c->sealed) answers[1 + s->entry[i].seat] = value;
            }
        locals[s->g->pick[c->pick + which].slot] = c->sealed ? handle(s, answers) : value;
    }
    return chosen;
}

enum { MISSED, CHOSEN, WAITS, SKIPPED };

/* Ask whoever has more than one legal answer, or is always asked; if nobody has, the decision closes at once. */
static int ask(S *s, const Choice *c, V who) {
    int32_t seats[MOST_PLAYERS], waiting = 0;
    int many = alive_of(s, who, seats);
    if (!many && !c->sealed) return SKIPPED;
    s->found = 0;
    for (int i = 0; i < many; i++) {
        Entry *e = &s->entry[i];
        e->seat = seats[i], e->made = 0;
        int done = settle_picks(s, c, e, &s->offer[i]);
        if (done < 0) return SKIPPED;
        e->done = done, e->number = done ? 0 : s->counts[e->seat] + 1;
        waiting += !done;
        s->found |= !done << i;
    }
    s->asked = many;
    if (!waiting) return close_choice(s, c);
    if (s->clock >= MOST_ANSWERS) {
        s->asked = 0;
        s->result = UNFINISHED, s->halted = 1, s->base = -1, s->top = s->kept = 0;
        return WAITS;
    }
    for (int i = 0; i < many; i++) s->counts[s->entry[i].seat] += !s->entry[i].done;
    s->changes++; /* a round in which somebody decided did something, whatever they decided */
    s->halted = 1;
    return WAITS;
}

/* The offer to somebody who is asked. */
static Offer *offer_to(S *s, int i) {
    const Choice *c = choice_at(s);
    if (!(s->found >> i & 1)) {
        if (!find_offer(s, c, &s->entry[i], &s->offer[i]) || !s->offer[i].open) stop(s, NOT_THERE);
        s->found |= 1 << i;
    }
    return &s->offer[i];
}

/* Take an answer that is known to be legal; ABSENT: they pass, or nothing more fits. What became of the decision: WAITS while others answer. */
static int answer_entry(S *s, int i, V value) {
    const Choice *c = choice_at(s);
    Entry *e = &s->entry[i];
    if (s->noted) note_answer(s, i, value);
    s->found &= ~(1 << i);
    if (value == ABSENT) {
        e->done = 1;
    } else {
        e->picks[e->made++] = value;
        e->done = settle_picks(s, c, e, &s->offer[i]);
        if (e->done < 0) {
            s->asked = 0;
            return SKIPPED;
        }
        s->found |= !e->done << i;
    }
    s->clock++;
    for (int j = 0; j < s->asked; j++)
        if (!s->entry[j].done) return WAITS;
    return close_choice(s, c);
}

/* ── at random ── */

/* How many sets of each size there are, from the least, and all together; where there are more than MOST_WAYS of one
   size, all are made smaller alike. What one way more weighs beside them. */
static int64_t weigh_sizes(int count, int least, int most, int64_t *ways, int64_t *total) {
    int middle = count / 2 < least ? least : count / 2 > most ? most : count / 2;
    int64_t many = 1;
    for (int size = 0; size < middle && size < count - middle; size++) {
        many = many * (count - size) / (size + 1);
        if (many > MOST_WAYS) many = MOST_WAYS;
    }
    ways[middle - least] = many;
    for (int size = middle; size > least; size--) ways[size - 1 - least] = ways[size - least] * size / (count - size + 1);
    for (int size = middle; size < most; size++) ways[size + 1 - least] = ways[size - least] * (count - size) / (size + 1);
    *total = 0;
    for (int size = least; size <= most; size++) *total += ways[size - least];
    return many < MOST_WAYS;
}

/* The same set as keys would name it: of equal ones always the first that is left, in the order of the list. */
static void name_first_copies(S *s, const Pick *pick, V seat, const Offer *o, int *index, int size) {
    const V *values = list_at(s, o->values) + 1;
    uint8_t gone[MOST_OF_A_SET];
    memset(gone, 0, (size_t)o->count);
    for (int i = 0; i < size; i++) {
        int at = 0;
        while (gone[at] || !alike(s, pick, seat, values, o->count, at, index[i])) at++;
        gone[at] = 1;
        index[i] = at;
    }
    for (int i = 1; i < size && !pick->ordered; i++)
        for (int at = i; at > 0 && index[at - 1] > index[at]; at--) {
            int more = index[at - 1];
            index[at - 1] = index[at], index[at] = more;
        }
}

/* A set at random, of all that are legal (and wanted) one as likely as any other and as to pass; equal ones count one by
   one. NOTHING if none is wanted; ABSENT also where nobody knows of any. */
static V several_at_random(S *s, const Choice *c, const Entry *e, const Offer *o, const Wanted *w, Stream *bot) {
    const Pick *pick = s->g->pick + c->pick + e->made;
    int count = (int)o->count, index[MOST_OF_A_SET], left[MOST_OF_A_SET];
    int64_t ways[MOST_OF_A_SET + 1], total;
    if (o->count > MOST_OF_A_SET) stop(s, TOO_MUCH);
    int64_t passes = weigh_sizes(count, (int)o->least, (int)o->most, ways, &total);
    int fits = !w || is_wanted(s, w, pick, e->seat, NULL, 0, NULL, -1), may = o->may && fits, ran_out = 0;
    V top = s->top, *window = window_of(s, c, e), found = NOTHING, looked = s->looked;
    s->looked = MOST_LOOKED_AT - MOST_SEARCHED;
    for (int tries = 0; tries < 64 && found == NOTHING; tries++) {
        int64_t at = next_number(bot, total + (may ? passes : 0));
        int kept = count, size = (int)o->least;
        if (at >= total) {
            s->top = top, s->looked = looked;
            return ABSENT;
        }
        for (; at >= ways[size - o->least]; size++) at -= ways[size - o->least];
        for (int i = 0; i < count; i++) left[i] = i;
        for (int i = 0; i < size; i++) {
            int at = (int)next_number(bot, kept);
            index[i] = left[at];
            memmove(left + at, left + at + 1, (size_t)(--kept - at) * sizeof(int));
        }
        if (w && !is_wanted(s, w, pick, e->seat, list_at(s, o->values) + 1, count, index, size)) continue;
        if (pick->folds < 0) name_first_copies(s, pick, e->seat, o, index, size); /* the condition may hang on the order */
        if (pick->so_that >= 0 && !is_allowed(s, pick, window, set_of(s, list_at(s, o->values) + 1, index, size))) continue;
        if (pick->folds >= 0) name_first_copies(s, pick, e->seat, o, index, size);
        found = set_of(s, list_at(s, o->values) + 1, index, size);
    }
    if (found == NOTHING) {
        int64_t all = INT64_MAX, chosen;
        legal(s, pick, e->seat, window, o, w, 1, &all, &ran_out);
        if (ran_out && !w && !pick->ordered && count_legal(s, pick, e->seat, window, o, may, bot, &found) >= 0) {
            /* it was drawn from all there are */
        } else if (INT64_MAX - all + may) {
            chosen = next_number(bot, INT64_MAX - all + may);
            found = chosen == INT64_MAX - all ? ABSENT : legal(s, pick, e->seat, window, o, w, 1, &chosen, &ran_out);
        } else if (o->undecided && fits) {
            found = ABSENT;
        }
    }
    s->top = top, s->looked = looked;
    return found;
}

/* An answer at random, uniform over copies; ABSENT if it is to pass. */
static V at_random(S *s, int i, Stream *bot) {
    const Choice *c = choice_at(s);
    const Entry *e = &s->entry[i];
    const Offer *o = offer_to(s, i);
    const Pick *pick = s->g->pick + c->pick + e->made;
    if (pick->many) return several_at_random(s, c, e, o, NULL, bot);
    V chosen = next_number(bot, o->count + o->may);
    const V *values = list_at(s, o->values) + 1;
    return chosen == o->count ? ABSENT : values[first_alike(s, pick, e->seat, values, o->count, chosen)];
}
