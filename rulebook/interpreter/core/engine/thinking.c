/* What bots need that think: answers as they are told apart at every table, what a seat knows in a number, and games at
   imagined tables. `playtest/bots` does the same with the machine. */

#define MOST_SETS 64 /* so many answers of several things are thought about */
#define MOST_MEMBERS (8 * MOST_SETS * MOST_OF_A_SET)
#define MOST_OWN 8   /* so many decisions of its own are answered at random before a bot looks at how it stands */

/* ── numbers that are equal where things are alike ── */

static inline uint64_t mixed_in(uint64_t number, uint64_t more) { return mix((number ^ more) * MULTIPLIER + GOLDEN); }

static uint64_t number_of(S *s, V value) {
    if (!is_list(value)) return (uint64_t)value;
    uint64_t found = LIST;
    for (V at = 1; at <= length(s, value); at++) found = mixed_in(found, number_of(s, list_at(s, value)[at]));
    return mixed_in(found, (uint64_t)length(s, value));
}

/* What equal cards share. */
static uint64_t number_of_card(S *s, V card) {
    if (s->g->singular[card]) return mixed_in(1, (uint64_t)card);
    uint64_t found = mixed_in(2, (uint64_t)s->g->likeness[card]);
    for (int i = 0; i < s->g->changing; i++) found = mixed_in(found, number_of(s, STATE(s, i)[card]));
    return found;
}

/* What the value of an option shares with those that are the same option. */
static uint64_t mark_of(S *s, const Source *source, V seat, V value) {
    if (!is_card(s, source, value)) return mixed_in(mixed_in(3, (uint64_t)source->sort), number_of(s, value));
    int place = WHERE(s)[value], told = is_told(s, source, seat, value);
    int shows_where = told ? KEPT(s, place) == GRID : is_row(s, place);
    uint64_t found = mixed_in(mixed_in(told ? 4 : 5, (uint64_t)place), (uint64_t)(shows_where ? position(s, place, value) : -1));
    return told ? mixed_in(found, number_of_card(s, value)) : found;
}

/* ── what a seat knows ── */

/* Cards where they lie, as far as a seat knows them, and what stands on them; of a crowd only which. */
static uint64_t number_of_cards(S *s, int known) {
    const Game *g = s->g;
    uint64_t all = mixed_in(6, (uint64_t)s->plays), told[g->cards + 1];
    uint16_t cards[g->cards + 1];
    for (int card = 0; card < g->cards; card++)
        told[card] = KNOWN(s)[card] & known ? mixed_in(7, 2 * (uint64_t)g->likeness[card] + FACE(s)[card]) : 8;
    for (int place = 0; place < g->places; place++) {
        const Count *c = &COUNT(s, place);
        int is_crowd = in_no_order(s, place), is_pile = KEPT(s, place) == PILE;
        if (KEPT(s, place) == POOL || !c->n) continue;
        int many = is_crowd ? lying(s, place, cards) : c->n, first = is_crowd ? 0 : is_pile ? c->first : many;
        int last = is_crowd ? 0 : is_pile ? c->last : 0;
        const uint16_t *lies = is_crowd ? cards : ZONE(s, place);
        uint64_t crowd = 0;
        all = mixed_in(all, (uint64_t)place << 32 | (uint64_t)many);
        for (int at = 0; at < many; at++) {
            uint64_t one = lies[at] == NO_CARD ? 9 : told[lies[at]];
            if (at >= first && at < many - last) crowd += mix(one);
            else all = mixed_in(all, one);
        }
        all = mixed_in(all, crowd);
    }
    for (int one = 0; s->changed && one < g->changing; one++) {
        const V *starts = g->data + g->state[one].starts;
        uint64_t crowd = 0;
        int has_changed = 0;
        if (g->state[one].cards) continue;
        for (int card = 0; card < g->cards; card++) {
            V value = STATE(s, one)[card];
            has_changed |= value != starts[card];
            if (KNOWN(s)[card] & known) crowd += mixed_in(mixed_in(10, (uint64_t)g->likeness[card]), number_of(s, value));
        }
        if (has_changed) all = mixed_in(mixed_in(all, (uint64_t)one), crowd);
    }
    return all;
}

/* What tells the situation of who is asked from others: what it is asked, sees and knows. */
static uint64_t number_known(S *s, int seat) {
    const Game *g = s->g;
    const V *frame = STACK_OF(s) + s->base;
    uint64_t all = mixed_in(number_of_cards(s, 1 << seat), (uint64_t)(frame[CODE] << 32 | frame[PC]));
    for (int place = 0; place < g->places; place++)
        if (KEPT(s, place) == POOL && g->place[place].watchers >> seat & 1) all = mixed_in(all, (uint64_t)COUNT(s, place).n);
    for (int i = 0; i < g->kinds_of_memory; i++)
        for (V at = 0; at < g->memory[i].slots; at++)
            if (!g->memory[i].cards && sees_memory(s, g->memory + i, at, seat))
                all = mixed_in(all, number_of(s, MEMORIES_OF(s)[g->memory[i].first + at]));
    return mixed_in(all, (uint64_t)seat);
}

/* All that two tables that look alike to somebody may differ in, but for the random numbers to come. */
static uint64_t number_laid(S *s) {
    const Game *g = s->g;
    uint16_t known[g->cards + 1];
    memcpy(known, KNOWN(s), (size_t)g->cards * sizeof *known);
    memset(KNOWN(s), 1, (size_t)g->cards * sizeof *known);
    uint64_t all = number_of_cards(s, 1);
    memcpy(KNOWN(s), known, (size_t)g->cards * sizeof *known);
    for (int i = 0; i < g->memories; i++) all = mixed_in(all, number_of(s, MEMORIES_OF(s)[i]));
    for (int64_t base = s->base; base >= 0; base = STACK_OF(s)[base + CALLER]) {
        const V *frame = STACK_OF(s) + base, *scratch = g->data + code_of(s, base)->scratch;
        all = mixed_in(all, (uint64_t)(frame[CODE] << 32 | frame[PC]));
        for (V at = 0; at < code_of(s, base)->size; at++) {
            int is_scratch = 0;
            for (V i = 1; i <= scratch[0]; i++) is_scratch |= scratch[i] == at;
            if (!is_scratch) all = mixed_in(all, number_of(s, frame[REGISTERS + at]));
        }
    }
    for (int i = 0; i < s->asked; i++) {
        const Entry *e = &s->entry[i];
        all = mixed_in(mixed_in(mixed_in(all, (uint64_t)e->seat), (uint64_t)e->number), (uint64_t)e->done);
        for (int made = 0; made < e->made; made++) all = mixed_in(all, number_of(s, e->picks[made]));
        all = mixed_in(all, (uint64_t)e->made);
    }
    return all;
}

/* ── answers ── */

/* Answers to one question, each once: its mark, and its members by their numbers among what is offered; `size` is -1 for
   a pass. */
typedef struct {
    int32_t count, members;
    uint64_t *mark, *like; /* by answer; by member */
    int32_t *first, *size, *member;
} Answers;

/* Memory that is given back together. */
typedef struct {
    void *at[32];
    int many, failed;
} Rooms;

static void *grant(Rooms *r, size_t many, size_t size) {
    void *room = calloc(many + 1, size);
    if (room) r->at[r->many++] = room;
    else r->failed = 1;
    return room;
}

static void release(Rooms *r) {
    while (r->many) free(r->at[--r->many]);
}

static void make_answers(Rooms *r, Answers *a) {
    a->mark = grant(r, MOST_LISTED, sizeof *a->mark), a->like = grant(r, MOST_MEMBERS, sizeof *a->like);
    a->first = grant(r, MOST_LISTED, sizeof *a->first), a->size = grant(r, MOST_LISTED, sizeof *a->size);
    a->member = grant(r, MOST_MEMBERS, sizeof *a->member);
}

static void add_new(S *s, Answers *a, uint64_t mark, const int *index, const uint64_t *like, int size) {
    if (a->count > MOST_LISTED || a->members + size > MOST_MEMBERS) stop(s, TOO_MUCH);
    a->mark[a->count] = mark, a->first[a->count] = a->members, a->size[a->count++] = size;
    for (int i = 0; i < size; i++) a->member[a->members] = index[i], a->like[a->members++] = like[index[i]];
}

static void add_answer(S *s, Answers *a, uint64_t mark, const int *index, const uint64_t *like, int size) {
    for (int i = 0; i < a->count; i++)
        if (a->mark[i] == mark) return;
    add_new(s, a, mark, index, like, size);
}

/* Whether a mark is met for the first time, in a table as large as a power of two, in which 0 is free. */
static inline int is_new(uint64_t *met, uint64_t room, uint64_t mark) {
    mark += !mark;
    uint64_t at = mark & (room - 1);
    while (met[at] && met[at] != mark) at = (at + 1) & (room - 1);
    return met[at] != mark && (met[at] = mark);
}

/* The mark of a set, which hangs on its order only where that is chosen too. */
static uint64_t mark_of_set(const Pick *pick, const int *index, const uint64_t *like, int size) {
    uint64_t found = mixed_in(11, (uint64_t)size), crowd = 0;
    for (int i = 0; i < size; i++) {
        if (pick->ordered) found = mixed_in(found, like[index[i]]);
        else crowd += mix(like[index[i]]);
    }
    return mixed_in(found, crowd);
}

static const uint64_t PASSED = 12;

static const Pick *pick_of(S *s, int which) { return s->g->pick + choice_at(s)->pick + s->entry[which].made; }

/* The marks of what is offered to somebody. */
static void find_marks(S *s, int which, uint64_t *like) {
    const Offer *o = offer_to(s, which);
    const Pick *pick = pick_of(s, which);
    const V *values = list_at(s, o->values) + 1;
    for (V i = 0; i < o->count; i++)
        like[i] = mark_of(s, s->g->source + pick->source + values[o->count + i], s->entry[which].seat, values[i]);
}

/* Whether a set may be chosen, whose size is right. */
static int allows(S *s, int which, const int *index, int size) {
    const Offer *o = offer_to(s, which);
    const Pick *pick = pick_of(s, which);
    V top = s->top, used = s->used;
    int found = is_allowed(s, pick, window_of(s, choice_at(s), &s->entry[which]), set_of(s, list_at(s, o->values) + 1, index, size));
    s->top = top, s->used = used;
    return found;
}

/* How many sets there are, or more than are all thought about. */
static int64_t count_sets(const Offer *o, int is_ordered) {
    int64_t all = 0, enough = 8 * MOST_SETS + 1;
    for (V size = o->least; size <= o->most; size++) {
        int64_t ways = 1;
        for (V i = 0; i < (is_ordered || 2 * size <= o->count ? size : o->count - size); i++) {
            ways = ways * (o->count - i) / (is_ordered ? 1 : i + 1);
            if (ways >= enough) return enough;
        }
        all += ways;
        if (all >= enough) return enough;
    }
    return all;
}

/* The next arrangement of so many of all: the next set, or the next in another order. 0 if that was the last. */
static int arrange_next(int *index, int size, int count, int is_ordered) {
    int at = size - 1;
    if (!is_ordered) {
        while (at >= 0 && index[at] == count - size + at) at--;
        if (at < 0) return 0;
        index[at]++;
        for (int i = at + 1; i < size; i++) index[i] = index[i - 1] + 1;
        return 1;
    }
    while (at > 0 && index[at - 1] > index[at]) at--; /* an order is one of all there is */
    if (at <= 0) return 0;
    int to = size - 1;
    while (index[to] < index[at - 1]) to--;
    int one = index[at - 1];
    index[at - 1] = index[to], index[to] = one;
    for (int i = at, j = size - 1; i < j; i++, j--) one = index[i], index[i] = index[j], index[j] = one;
    return 1;
}

static void list_sets(S *s, int which, Answers *a, const uint64_t *like, int64_t sets) {
    const Offer *o = offer_to(s, which);
    const Pick *pick = pick_of(s, which);
    uint64_t room = 4;
    while (room < 2 * (uint64_t)sets) room *= 2;
    uint64_t met[room], mixed[o->count + 1];
    int index[MOST_OF_A_SET];
    memset(met, 0, sizeof met);
    for (V i = 0; i < o->count; i++) mixed[i] = mix(like[i]);
    for (V size = o->least; size <= o->most; size++) {
        uint64_t begun = mixed_in(11, (uint64_t)size); /* as in `mark_of_set` */
        for (int i = 0; i < size; i++) index[i] = i;
        do {
            uint64_t mark, crowd = 0;
            for (int i = 0; i < size; i++) crowd += mixed[index[i]];
            mark = pick->ordered ? mark_of_set(pick, index, like, (int)size) : mixed_in(begun, crowd);
            if (!is_new(met, room, mark)) continue;
            if (pick->so_that < 0 || allows(s, which, index, (int)size)) add_new(s, a, mark, index, like, (int)size);
        } while (arrange_next(index, (int)size, (int)o->count, (int)pick->ordered));
    }
    if (o->may || !a->count) add_answer(s, a, PASSED, NULL, like, -1);
}

/* An answer at random, as one of those that are told apart. */
static void add_random(S *s, int which, Answers *a, const uint64_t *like, Stream *numbers) {
    V used = s->used, value = at_random(s, which, numbers);
    const Offer *o = offer_to(s, which);
    const Pick *pick = pick_of(s, which);
    const V one[2] = {1, value}, *several = pick->many && value != ABSENT ? list_at(s, value) : one;
    int index[MOST_OF_A_SET], size = (int)several[0];
    if (value == ABSENT) {
        add_answer(s, a, PASSED, NULL, like, -1);
        return;
    }
    for (int i = 0; i < size; i++)
        for (index[i] = 0; !same(s, list_at(s, o->values)[1 + index[i]], several[1 + i]);) index[i]++;
    add_answer(s, a, pick->many ? mark_of_set(pick, index, like, size) : like[*index], index, like, size);
    s->used = used;
}

/* Keep so many of the answers, at random. */
static void keep_some(Answers *a, int most, Stream *numbers) {
    int32_t order[8 * MOST_SETS + 1], first[MOST_SETS], size[MOST_SETS];
    uint64_t mark[MOST_SETS];
    for (int i = 0; i < a->count; i++) order[i] = i;
    for (int last = a->count - 1; last > 0; last--) {
        int other = (int)next_number(numbers, last + 1), one = order[last];
        order[last] = order[other], order[other] = one;
    }
    for (int i = 0; i < most; i++) mark[i] = a->mark[order[i]], first[i] = a->first[order[i]], size[i] = a->size[order[i]];
    memcpy(a->mark, mark, sizeof mark), memcpy(a->first, first, sizeof first), memcpy(a->size, size, sizeof size);
    a->count = most;
}

/* What may be answered, equal answers once; of very many sets some. */
static void find_answers(S *s, int which, Answers *a, uint64_t *like, Stream *numbers) {
    const Offer *o = offer_to(s, which);
    const Pick *pick = pick_of(s, which);
    a->count = a->members = 0;
    find_marks(s, which, like);
    if (!pick->many) {
        for (int i = 0; i < o->count; i++) add_answer(s, a, like[i], &i, like, 1);
        if (o->may) add_answer(s, a, PASSED, NULL, like, -1);
        return;
    }
    if (o->count > MOST_OF_A_SET) stop(s, TOO_MUCH);
    int64_t sets = count_sets(o, (int)pick->ordered);
    if (sets <= 8 * MOST_SETS) {
        list_sets(s, which, a, like, sets);
        if (a->count > MOST_SETS) keep_some(a, MOST_SETS, numbers);
        return;
    }
    for (int i = 0; i < MOST_SETS; i++) add_random(s, which, a, like, numbers);
}

/* Of the offers with these marks, one for each member of an answer: whether there are so many. */
static int choose_members(const Answers *wanted, int answer, const uint64_t *like, int count, int *index) {
    uint8_t taken[MOST_OF_A_SET] = {0};
    const uint64_t *wants = wanted->like + wanted->first[answer];
    for (int i = 0; i < wanted->size[answer]; i++) {
        int at = 0;
        while (at < count && (like[at] != wants[i] || (at < MOST_OF_A_SET && taken[at]))) at++;
        if (at == count) return 0;
        if (at < MOST_OF_A_SET) taken[at] = 1;
        index[i] = at;
    }
    return 1;
}

/* Those of some answers that may be given here. */
static void find_meant(S *s, int which, const Answers *wanted, int begin, int end, Answers *a, uint64_t *like) {
    const Offer *o = offer_to(s, which);
    const Pick *pick = pick_of(s, which);
    int index[MOST_OF_A_SET];
    a->count = a->members = 0;
    if (pick->many && o->count > MOST_OF_A_SET) stop(s, TOO_MUCH);
    find_marks(s, which, like);
    for (int i = begin; i < end; i++) {
        int size = wanted->size[i];
        if (size < 0) {
            if (may_decline(o)) add_answer(s, a, PASSED, NULL, like, -1);
            continue;
        }
        if (size < o->least || size > o->most || !choose_members(wanted, i, like, (int)o->count, index)) continue;
        for (int j = 1; j < size && !pick->ordered; j++)
            for (int at = j; at > 0 && index[at - 1] > index[at]; at--) {
                int more = index[at - 1];
                index[at - 1] = index[at], index[at] = more;
            }
        if (!pick->many || pick->so_that < 0 || allows(s, which, index, size)) add_answer(s, a, wanted->mark[i], index, like, size);
    }
}

/* Give an answer, and go on to the next decision. */
static void give_answer(S *s, int which, const Answers *a, int answer) {
    const V *values = list_at(s, offer_to(s, which)->values) + 1;
    const int32_t *member = a->member + a->first[answer];
    V value = ABSENT;
    s->looked = 0;
    if (a->size[answer] >= 0) value = pick_of(s, which)->many ? set_of(s, values, member, a->size[answer]) : values[*member];
    go_behind(s, answer_entry(s, which, value));
}

/* ── one decision, as its seat sees it ── */

typedef struct {
    Twins twins;
    int seat, which, asked; /* who decides, and which entry that is; who answers next at the table, as an entry */
    S *table, *tried;
    Stream numbers;
    Answers root, here; /* what is thought about, and what may be answered next at the table */
    const Answers *at;  /* which of these the table has; NULL if there is no table, or something else is offered there */
    uint64_t *like, *other, names[MOST_PLAYERS + 1], thinks[MOST_PLAYERS], again[MOST_PLAYERS], anyhow[MOST_PLAYERS], plays[MOST_PLAYERS];
    const V *plan, *weights; /* by which plan tables are looked at, and what members have learned; else NULL */
    const int64_t *scales; /* by member, the most that is got, and by how much one is ahead */
    int64_t members, tables; /* how many have learned, and the number of tables that one looks at */
    int seats; /* for whom who has learned answers: itself, and whom it helps */
    int64_t *worth, *first; /* by answer, at all tables together and at the first of them */
    int64_t *stakes; /* by pick, of how many decisions what hung on them was noted, and that together; else NULL */
    uint64_t weighed; /* the last of these decisions, of which there may be several picks */
    const uint8_t *guessed; /* by pick, whether who guesses somewhere answers it at random */
    Options options;
    Wanted wanted; /* the answers of who is restricted */
    int32_t *times, *order;
    int64_t *row;
    Rooms rooms;
} Imagining;

static void make_hidden(Rooms *r, Hidden *h, size_t cards) {
    h->card = grant(r, cards, sizeof *h->card), h->hole = grant(r, cards, sizeof *h->hole);
    h->fit = grant(r, cards, sizeof *h->fit), h->room = grant(r, cards, sizeof *h->room);
    h->begin = grant(r, MOST_KINDS, sizeof *h->begin), h->free = grant(r, MOST_KINDS, sizeof *h->free);
}

DOOR void close_imagining(Imagining *m) {
    S *tables[] = {m ? m->twins.bare : NULL, m ? m->table : NULL, m ? m->tried : NULL};
    for (int i = 0; i < 3; i++)
        if (tables[i]) close_state(tables[i]);
    if (m) release(&m->rooms);
    free(m);
}

/* Somebody who imagines tables of a game; `names` are those of the streams: of tables, then by seat of who answers at
   random, of who thinks, of who thinks again since an answer will not do, of who then takes any, and of which member plays. What is found
   stands in the row. */
DOOR Imagining *open_imagining(const Game *g, const uint64_t *names, int64_t *row) {
    Imagining *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    size_t cards = (size_t)g->cards;
    Rooms *r = &m->rooms;
    m->twins.g = g, m->row = row;
    memcpy(m->names, names, (size_t)(g->players + 1) * sizeof *names);
    names += g->players + 1;
    for (int seat = 0; seat < g->players; seat++) {
        const uint64_t *own = names + seat;
        m->thinks[seat] = own[0], m->again[seat] = own[g->players], m->anyhow[seat] = own[2 * g->players];
        m->plays[seat] = own[3 * g->players];
    }
    m->twins.bare = grant(r, 1, g->size), m->table = grant(r, 1, g->size), m->tried = grant(r, 1, g->size);
    m->twins.hidden = grant(r, cards, 1);
    m->twins.parts.first = grant(r, cards, sizeof(int32_t)), m->twins.parts.last = grant(r, cards, sizeof(int32_t));
    make_hidden(r, &m->twins.all, cards);
    make_answers(r, &m->root), make_answers(r, &m->here);
    m->like = grant(r, MOST_LISTED, sizeof *m->like), m->other = grant(r, MOST_LISTED, sizeof *m->other);
    m->worth = grant(r, MOST_LISTED, sizeof *m->worth), m->first = grant(r, MOST_LISTED, sizeof *m->first);
    m->times = grant(r, MOST_LISTED, sizeof *m->times), m->order = grant(r, MOST_LISTED, sizeof *m->order);
    if (!r->failed) return m;
    close_imagining(m);
    return NULL;
}

static void sort_numbers(uint64_t *several, V many) {
    for (V i = 1; i < many; i++)
        for (V at = i; at > 0 && several[at - 1] > several[at]; at--) {
            uint64_t one = several[at];
            several[at] = several[at - 1], several[at - 1] = one;
        }
}

/* Whether the same is offered at two tables, as far as who is asked is told. */
static int offers_same(Imagining *m, S *one, S *other) {
    const Offer *o = offer_to(one, m->which), *p = offer_to(other, m->which);
    if (o->count != p->count || may_decline(o) != may_decline(p) || o->least != p->least || o->most != p->most) return 0;
    find_marks(one, m->which, m->like), find_marks(other, m->which, m->other);
    sort_numbers(m->like, o->count), sort_numbers(m->other, o->count);
    return !memcmp(m->like, m->other, (size_t)o->count * sizeof *m->like);
}

static int tell_marks(const Answers *a, int64_t *row) {
    *row++ = a->count;
    memcpy(row, a->mark, (size_t)a->count * sizeof *row);
    return OK;
}

static int prepare(Imagining *m, const S *truth, int seat) {
    int why = setjmp(way_out);
    if (why || truth->why) return why | truth->why;
    m->seat = seat, m->which = entry_of(truth, seat);
    if (m->which < 0) return UNKNOWN;
    prepare_twins(&m->twins, truth, seat);
    return OK;
}

/* A table at random; what stopped it, if something did. */
static int imagine_one(Imagining *m, uint64_t seed) {
    start(&m->numbers, seed, m->names[0], 1);
    m->asked = m->which, m->at = NULL;
    return draw_twin(&m->twins, m->table, &m->numbers);
}

/* A first table from a seed, and what may be answered there; if there is none, or not the same is offered there as in
   truth, what may be answered in truth: the marks. With `one_at_random` only one of these. */
DOOR int imagine_first(Imagining *m, const S *truth, int seat, uint64_t seed, int one_at_random) {
    int why = prepare(m, truth, seat);
    int none = why ? why : imagine_one(m, seed);
    if (none && none != NO_TABLE) return none;
    if ((why = setjmp(way_out))) return why;
    S *bare = m->twins.bare, *found = none ? bare : m->table;
    found->looked = bare->looked = 0;
    if (found != bare && !offers_same(m, found, bare)) found = bare;
    m->at = found == bare ? NULL : &m->root;
    if (one_at_random) {
        m->root.count = m->root.members = 0;
        find_marks(found, m->which, m->like);
        add_random(found, m->which, &m->root, m->like, &m->numbers);
    } else {
        find_answers(found, m->which, &m->root, m->like, &m->numbers);
    }
    return tell_marks(&m->root, m->row);
}

/* Whether the table that was imagined last has the answers that are thought about, or some. */
DOOR int has_answers(const Imagining *m) { return m->at != NULL; }

/* Think only of these answers; the numbers rise. */
DOOR void keep_answers(Imagining *m, const int64_t *numbers, int64_t many) {
    Answers *a = &m->root;
    for (int64_t i = 0; i < many; i++)
        a->mark[i] = a->mark[numbers[i]], a->first[i] = a->first[numbers[i]], a->size[i] = a->size[numbers[i]];
    a->count = (int32_t)many;
}

/* A table from a seed: the marks of those answers that are thought about and may be given there; or only what tells it
   from others. */
DOOR int imagine_next(Imagining *m, uint64_t seed, int tells_apart) {
    int why = imagine_one(m, seed);
    if (!why) why = setjmp(way_out);
    if (why) return why;
    if (tells_apart) {
        *m->row = (int64_t)number_laid(m->table);
        return OK;
    }
    m->table->looked = 0;
    find_meant(m->table, m->which, &m->root, 0, m->root.count, &m->here, m->like);
    m->at = &m->here;
    return tell_marks(&m->here, m->row);
}

/* The true answer that an answer means which was thought about: its size, -1 for a pass, -2 if it may not be given; then
   the numbers of its members. */
DOOR int find_true_answer(Imagining *m, int answer) {
    int why = setjmp(way_out);
    if (why) return why;
    m->twins.bare->looked = 0;
    find_meant(m->twins.bare, m->which, &m->root, answer, answer + 1, &m->here, m->like);
    *m->row = m->here.count ? m->here.size[0] : -2;
    for (int i = 0; i < m->here.members; i++) m->row[1 + i] = m->here.member[i];
    return OK;
}

static void tell_standing(S *s, int64_t *payoffs, int64_t *margins) {
    int64_t team[MOST_PLAYERS], places[MOST_PLAYERS], scores[MOST_PLAYERS], totals[MOST_PLAYERS], winners;
    int players = s->g->players, sign = !s->g->pays && s->g->rank && !s->g->key[1] ? -1 : 1;
    find_standing(s, team, places, scores, &winners);
    int alone = is_alone(s, team), open = s->result == RUNNING && !s->g->rank;
    for (int seat = 0; seat < players; seat++) totals[seat] = sign * total_of(s, team, scores, seat);
    for (int seat = 0; seat < players; seat++) {
        int64_t best = alone ? 0 : INT64_MIN, ranked = alone && !open ? winners ? 1 : -1 : 0;
        for (int other = 0; other < players; other++) {
            if (team[other] != team[seat] && totals[other] > best) best = totals[other];
            ranked += (places[other] > places[seat]) - (places[other] < places[seat]);
        }
        payoffs[seat] += s->g->pays ? scores[seat] : ranked;
        margins[seat] += totals[seat] - best;
    }
}

/* How the seat stands after an answer at the table, and some at random of its own: payoff and margin. */
DOOR int rate_answer(Imagining *m, int answer) {
    int why = setjmp(way_out);
    int64_t payoffs[MOST_PLAYERS] = {0}, margins[MOST_PLAYERS] = {0};
    if (why) return why;
    S *s = m->tried;
    copy_state(s, m->table);
    give_answer(s, m->which, m->at, answer);
    for (int i = 0; i < MOST_OWN && s->result == RUNNING; i++) {
        int own = -1, others = 0;
        for (int j = 0; j < s->asked; j++) {
            if (s->entry[j].done) continue;
            if (s->entry[j].seat == m->seat) own = j;
            else others = 1;
        }
        if (own < 0 || others) break;
        s->looked = 0;
        go_behind(s, answer_entry(s, own, at_random(s, own, &m->numbers)));
    }
    tell_standing(s, payoffs, margins);
    m->row[0] = payoffs[m->seat], m->row[1] = margins[m->seat];
    return OK;
}

/* Play on at random from a state, so many games, each cut after so many answers more; payoffs by seat, then margins, of
   all together. */
static void play_out(Imagining *m, const S *from, S *s, int games, int64_t most) {
    Stream bots[MOST_PLAYERS];
    int players = from->g->players;
    uint64_t seeds[games + 1];
    int64_t told[SEATS];
    memset(m->row, 0, (size_t)players * 2 * sizeof *m->row);
    for (int i = 0; i < games; i++) seeds[i] = (uint64_t)next_number(&m->numbers, (int64_t)1 << 62);
    for (int i = 0; i < games; i++) {
        if (from != s) copy_state(s, from);
        if (s->clock < MOST_ANSWERS - most) s->clock = (int32_t)(MOST_ANSWERS - most);
        for (int seat = 0; seat < players; seat++) start(&bots[seat], seeds[i], m->names[1 + seat], 1);
        s->looked = 0;
        play_on(s, bots, told);
        tell_standing(s, m->row, m->row + players);
    }
}

/* Play one game to its end after an answer at the table. */
DOOR int play_answer(Imagining *m, int answer) {
    int why = setjmp(way_out);
    if (why) return why;
    copy_state(m->tried, m->table);
    give_answer(m->tried, m->which, &m->here, answer);
    play_out(m, m->tried, m->tried, 1, MOST_ANSWERS);
    return OK;
}

/* Play on from the table. */
DOOR int play_imagined(Imagining *m, int games, int64_t most) {
    int why = setjmp(way_out);
    if (why || !m->table->g) return why ? why : NO_TABLE;
    play_out(m, m->table, m->tried, games, most);
    return OK;
}

/* Give an answer at the table, for who is asked there; with `looks`, who is asked next: the seat, -1 if the game is over,
   what tells its situation from others, and the marks of what it may answer. Of several who are asked, first who thinks. */
DOOR int give_imagined(Imagining *m, int answer, int looks) {
    int why = setjmp(way_out);
    if (why) return why;
    S *s = m->table;
    give_answer(s, m->asked, &m->here, answer);
    if (!looks) return OK;
    m->row[0] = -1;
    if (s->result != RUNNING) return OK;
    m->asked = entry_of(s, m->seat);
    for (int i = 0; m->asked < 0; i++)
        if (!s->entry[i].done) m->asked = i;
    int seat = s->entry[m->asked].seat;
    s->looked = 0;
    find_answers(s, m->asked, &m->here, m->like, &m->numbers);
    m->row[0] = seat, m->row[1] = (int64_t)number_known(s, seat);
    return tell_marks(&m->here, m->row + 2);
}

/* ── a game step by step ── */

/* The first who is asked, as an entry; -1 if the game is over. */
static int first_asked(const S *s) {
    for (int i = 0; s->result == RUNNING && i < s->asked; i++)
        if (!s->entry[i].done) return i;
    return -1;
}

/* The first who is asked: the seat, -1 if the game is over; how many decisions it was asked, and how many picks of this
   one it has made. */
DOOR int who_is_asked(S *s, int64_t *row) {
    int which = first_asked(s);
    if (which < 0) return -1;
    const Entry *e = &s->entry[which];
    row[0] = s->counts[e->seat], row[1] = e->made;
    return e->seat;
}

/* Answer at random with the numbers of a stream, and go on; what stopped it, if something did. */
DOOR int answer_at_random(S *s, int seat, Stream *numbers) {
    int why = setjmp(way_out), which;
    if (why || s->why) return stopped(s, why | s->why);
    if ((which = entry_of(s, seat)) < 0) return UNKNOWN;
    s->looked = 0;
    go_behind(s, answer_entry(s, which, at_random(s, which, numbers)));
    return OK;
}

/* The table that was imagined last. */
DOOR S *imagined_table(Imagining *m) { return m->table; }

/* What tells the situation of a seat, or with -1 the whole table, from others. */
DOOR int64_t number_of_state(S *s, int seat) {
    if (setjmp(way_out)) return 0;
    return (int64_t)(seat < 0 ? number_laid(s) : number_known(s, seat));
}
