/* What is left of a game of one or two, in which everybody knows all and chance decides nothing, looked at whole:
   `solving.py`, table by table. */

#define MOST_DEEP 128    /* answers in a row */
#define MOST_OFFERED 256 /* answers to one question */

/* What is known of a table: between which numbers its worth lies, to who thinks. */
typedef struct {
    uint64_t key;
    int64_t least, most;
    int is_met;
} Known;

typedef struct {
    Imagining *m;
    S *table[MOST_DEEP + 1]; /* after so many answers */
    Known *known;
    uint64_t room;
    int64_t left; /* so many tables may be looked at */
} Solving;

/* Whether chance has decided something. */
static int is_drawn(const S *s) {
    int found = 0;
    for (int i = 0; i < s->g->streams; i++) found |= STREAM(s, i).times || STREAM(s, i).low;
    return found;
}

/* Whether somebody may not know a card, or does not hear of an answer at once, or chance has decided something. */
static int is_uncertain(S *s) {
    for (int card = 0; card < s->g->cards; card++)
        if (KEPT(s, WHERE(s)[card]) != POOL && ((KNOWN(s)[card] | sight(s, card)) & EVERYONE(s)) != EVERYONE(s)) return 1;
    return s->asked != 1 || is_drawn(s);
}

static Known *find_known(const Solving *t, uint64_t key) {
    uint64_t at = key & (t->room - 1);
    while (t->known[at].is_met && t->known[at].key != key) at = (at + 1) & (t->room - 1);
    return t->known + at;
}

/* The table after an answer, given by its number among what is offered, -1 for a pass. */
static void give_next(Solving *t, int depth, int32_t member) {
    S *s = t->table[depth];
    if (depth == MOST_DEEP || --t->left < 0) stop(s, UNKNOWN);
    if (!t->table[depth + 1] && !(t->table[depth + 1] = calloc(1, s->g->size))) stop(s, NO_ROOM);
    S *next = t->table[depth + 1];
    copy_state(next, s);
    next->looked = 0;
    go_behind(next, answer_entry(next, 0, member < 0 ? ABSENT : list_at(next, offer_to(next, 0)->values)[1 + member]));
}

/* The answers at a table, each by its number among what is offered: how many. */
static int list_members(Solving *t, S *s, int32_t *member) {
    Answers *a = &t->m->here;
    s->looked = 0;
    if (is_uncertain(s) || pick_of(s, 0)->many) stop(s, UNKNOWN);
    find_answers(s, 0, a, t->m->like, &t->m->numbers);
    if (a->count > MOST_OFFERED) stop(s, UNKNOWN);
    for (int i = 0; i < a->count; i++) member[i] = a->size[i] < 0 ? -1 : a->member[a->first[i]];
    return a->count;
}

/* The worth of a table to who thinks, if it lies between two numbers; else something on the same side. */
static int64_t find_worth(Solving *t, int depth, int64_t least, int64_t most) {
    S *s = t->table[depth];
    int32_t member[MOST_OFFERED];
    if (is_drawn(s)) stop(s, UNKNOWN);
    if (s->result != RUNNING) {
        int64_t payoffs[MOST_PLAYERS] = {0}, margins[MOST_PLAYERS] = {0};
        tell_standing(s, payoffs, margins);
        if (s->g->players > 1 && payoffs[0] + payoffs[1]) stop(s, UNKNOWN); /* what one gains the other does not lose */
        return payoffs[t->m->seat];
    }
    uint64_t key = number_laid(s);
    Known *k = find_known(t, key);
    if (k->is_met && (k->least >= most || k->least == k->most)) return k->least;
    if (k->is_met && k->most <= least) return k->most;
    int many = list_members(t, s, member), is_own = s->entry[0].seat == t->m->seat;
    int64_t worth = is_own ? INT64_MIN : INT64_MAX, low = least, high = most;
    for (int i = 0; i < many && low < high; i++) {
        give_next(t, depth, member[i]);
        int64_t found = find_worth(t, depth + 1, low, high);
        if (is_own ? found > worth : found < worth) worth = found;
        if (is_own && worth > low) low = worth;
        if (!is_own && worth < high) high = worth;
    }
    k = find_known(t, key);
    if (!k->is_met) *k = (Known){key, INT64_MIN, INT64_MAX, 1};
    if (worth > least && worth > k->least) k->least = worth;
    if (worth < most && worth < k->most) k->most = worth;
    return worth;
}

/* Which of the answers that are thought about are best, among how many: none where the rest is no such game. */
static int find_best(Solving *t) {
    S *s = t->m->table;
    int32_t member[MOST_OFFERED], best = 0;
    int64_t widest = s->g->pays ? (int64_t)1 << 60 : 1, most = -widest - 1;
    int many = list_members(t, s, member);
    if (many != t->m->root.count || memcmp(t->m->here.mark, t->m->root.mark, (size_t)many * sizeof(uint64_t))) stop(s, UNKNOWN);
    copy_state(t->table[0], s);
    for (int i = 0; i < many; i++) {
        give_next(t, 0, member[i]);
        int64_t found = find_worth(t, 1, most - 1, widest);
        if (found > most) best = 0, most = found;
        if (found == most) t->m->row[best++] = i;
    }
    return best;
}

/* Find the best answers exactly at a table from a seed, looking at so many tables at most; how many, and their numbers.
   0 where this is no such game, -1 where too much is left of it. */
DOOR int solve_table(Imagining *m, uint64_t seed, int64_t most) {
    Solving *t = calloc(1, sizeof *t);
    int best = 0;
    if (!t) return 0;
    t->m = m, t->left = most;
    for (t->room = 64; t->room < 2 * (uint64_t)most; t->room *= 2)
        ;
    if (!imagine_next(m, seed, 0) && m->here.count == m->root.count && !is_uncertain(m->table)) {
        t->known = calloc(t->room, sizeof *t->known), t->table[0] = calloc(1, m->table->g->size);
        if (t->known && t->table[0] && !setjmp(way_out)) best = find_best(t);
        else best = t->left < 0 ? -1 : 0;
    }
    for (int i = 0; i <= MOST_DEEP; i++)
        if (t->table[i]) close_state(t->table[i]), free(t->table[i]);
    free(t->known), free(t);
    return best;
}
