/* What is counted in a game whose decisions were noted: cards that seats get, play and hold, options that are offered
   and chosen, stages. `counting.py` says which options are one; what has no number there is told as it stands. */

/* The head of the plan of a count: how many numbers options have, the number of passing, how many names cards have, how
   many picks and sources there are. Then by card its name and where it lay at first, by place whose it is (-1: nobody's),
   by pick whether it is a button, and whether sets are chosen; by source what its values are, the lowest, how many have
   numbers, and where these begin; by option whether rules name it; the numbers. */
enum { T_OPTIONS, T_PASS, T_NAMES, T_PICKS, T_SOURCES, T_HEAD };
enum { IS_NEITHER, IS_CARD, IS_CARDS };
enum { S_VALUES, S_LOW, S_MANY, S_BEGIN, S_WIDTH };
enum { GOT, PLAYED, HELD, WAYS };

typedef struct {
    const V *head, *name, *start, *owner, *is_button, *is_set, *source, *is_named, *number;
} CountPlan;

typedef struct {
    V *where, *cards, *there, *options, *copies, *taken, *met, *has_beyond; /* options: offered and chosen of each */
    double *beyond; /* by option and seat, how much oftener it was chosen than at random, and the variance of that */
} Counts;

static CountPlan read_count_plan(const Game *g, const V *plan) {
    CountPlan p = {.head = plan, .name = plan + T_HEAD};
    p.start = p.name + g->cards, p.owner = p.start + g->cards, p.is_button = p.owner + g->places;
    p.is_set = p.is_button + plan[T_PICKS], p.source = p.is_set + plan[T_PICKS];
    p.is_named = p.source + S_WIDTH * plan[T_SOURCES], p.number = p.is_named + plan[T_OPTIONS];
    return p;
}

/* Behind a value in a log. */
static const V *behind_value(const V *at) {
    if (*at != LIST) return at + 1;
    V many = at[1];
    for (at += 2; many > 0; many--) at = behind_value(at);
    return at;
}

static int is_same(const V *one, const V *other) {
    V size = behind_value(one) - one;
    return size == behind_value(other) - other && !memcmp(one, other, (size_t)size * sizeof *one);
}

/* Whether a value that is offered is chosen, alone or in a set. */
static int is_in_choice(const V *value, const V *chosen, int is_set) {
    if (!is_set || *chosen != LIST) return is_same(value, chosen);
    const V *at = chosen + 2;
    for (V i = 0; i < chosen[1]; i++, at = behind_value(at))
        if (is_same(value, at)) return 1;
    return 0;
}

static V number_of_option(const CountPlan *p, const V *source, const V *value) {
    V at = *value == LIST ? -1 : *value - source[S_LOW];
    return at >= 0 && at < source[S_MANY] ? p->number[source[S_BEGIN] + at] : -1;
}

static void count_card(const CountPlan *p, Counts *c, int players, V card, V seat, int way) {
    V name = p->name[card];
    c->there[name] = 1;
    if (seat >= 0) c->cards[(name * players + seat) * WAYS + way]++;
}

static void count_move(const CountPlan *p, Counts *c, int players, V card, V new) {
    V owner = p->owner[new];
    /* Whatever left the box has its counts, though they may be nothing. */
    count_card(p, c, players, card, owner != p->owner[c->where[card]] ? owner : -1, GOT);
    c->where[card] = new;
}

static void count_play(const Game *g, const CountPlan *p, Counts *c, const V *source, const V *value, V seat) {
    const V *at = value;
    V many = 1;
    if (*value == LIST) many = source[S_VALUES] == IS_CARDS ? value[1] : 0, at = value + 2;
    for (V i = 0; i < many && source[S_VALUES] != IS_NEITHER; i++, at = behind_value(at))
        if (*at >= 0 && *at < g->cards && p->owner[c->where[*at]] == seat) count_card(p, c, g->players, *at, seat, PLAYED);
}

/* Count an option of a decision in which there are `total` answers; sets say nothing of what is chosen at random. */
static void count_option(const CountPlan *p, Counts *c, int players, V option, V seat, V total, int is_set) {
    c->options[2 * option]++, c->options[2 * option + 1] += c->taken[option];
    if (!is_set && p->is_named[option]) {
        double chance = (double)c->copies[option] / (double)total, *beyond = c->beyond + 2 * (option * players + seat);
        beyond[0] += (double)c->taken[option] - chance, beyond[1] += chance * (1 - chance);
        c->has_beyond[option] = 1;
    }
    c->copies[option] = c->taken[option] = 0;
}

/* Count one decision of a log; behind it, or NULL if the plan is of another program. What is offered and has no number
   goes to `rest`: how many there are, each with whether it is chosen, its source and its value. */
static const V *count_decision(S *s, const CountPlan *p, Counts *c, const V *at, Row *told, Row *rest, V *offered, V asked) {
    const Game *g = s->g;
    V seat = *at++, met = 0, *many = NULL;
    if (*at++) give(s, told, asked), give(s, told, at[0]), give(s, told, at[1]), at += 2;
    for (V moves = *at++; moves > 0; moves--, at += 3) count_move(p, c, g->players, at[0], at[2]);
    V pick = at[0], may = at[1], count = at[2];
    const V *first = at + 3, *chosen = first;
    if (pick >= p->head[T_PICKS]) return NULL;
    for (V i = 0; i < count; i++) chosen = behind_value(chosen) + 1;
    *offered += count + may;
    int is_set = (int)p->is_set[pick];
    at = first;
    for (V i = 0; i < count && !p->is_button[pick]; i++) {
        const V *value = at;
        at = behind_value(at);
        V which = g->pick[pick].source + *at++;
        if (which >= p->head[T_SOURCES]) return NULL;
        const V *source = p->source + S_WIDTH * which;
        int is_chosen = is_in_choice(value, chosen, is_set);
        V option = number_of_option(p, source, value);
        if (is_chosen) count_play(g, p, c, source, value, seat);
        if (option >= 0) {
            if (!c->copies[option]++) c->met[met++] = option;
            c->taken[option] |= is_chosen;
            continue;
        }
        if (!many) many = rest->at, give(s, rest, 0);
        give(s, rest, is_chosen), give(s, rest, which);
        for (const V *one = value; one < at - 1; one++) give(s, rest, *one);
        ++*many;
    }
    if (p->is_button[pick]) return behind_value(chosen);
    V pass = p->head[T_PASS];
    if (may) c->copies[pass] = 1, c->taken[pass] = *chosen == ABSENT, c->met[met++] = pass;
    for (V i = 0; i < met; i++) count_option(p, c, g->players, c->met[i], seat, count + may, is_set);
    return behind_value(chosen);
}

/* The nearest whole number, of two the even one, as Python rounds; what a library does so is not there everywhere. */
static int64_t round_half_even(double number) {
    int64_t whole = (int64_t)number;
    double rest = number - (double)whole;
    if (rest > 0.5 || (rest == 0.5 && whole & 1)) whole++;
    if (rest < -0.5 || (rest == -0.5 && whole & 1)) whole--;
    return whole;
}

static void tell_counts_of(S *s, const CountPlan *p, const Counts *c, Row *told) {
    int players = s->g->players;
    V *many = told->at;
    give(s, told, 0);
    for (V name = 0; name < p->head[T_NAMES]; name++) {
        if (!c->there[name]) continue;
        give(s, told, name), ++*many;
        for (int i = 0; i < WAYS * players; i++) give(s, told, c->cards[name * WAYS * players + i]);
    }
    many = told->at;
    give(s, told, 0);
    for (V option = 0; option < p->head[T_OPTIONS]; option++) {
        if (!c->options[2 * option]) continue;
        give(s, told, option), give(s, told, c->options[2 * option]), give(s, told, c->options[2 * option + 1]);
        give(s, told, c->has_beyond[option]), ++*many;
        for (int i = 0; i < 2 * players && c->has_beyond[option]; i++)
            give(s, told, round_half_even(1e6 * c->beyond[2 * option * players + i]));
    }
}

static int count_log(S *s, const CountPlan *p, Counts *c, Row *told, Row *rest) {
    const Game *g = s->g;
    const V *at = s->log + before_notes(s), *end = s->log + s->noted;
    V asked = 0, *head = told->at;
    for (int card = 0; card < g->cards; card++) c->where[card] = p->start[card];
    for (int i = 0; i < 3; i++) give(s, told, 0);
    while (at && at < end) at = count_decision(s, p, c, at, told, rest, head, asked++);
    if (!at) return UNKNOWN;
    head[1] = asked, head[2] = (told->at - head) / 3 - 1;
    for (int card = 0; card < g->cards; card++) {
        if (c->where[card] != WHERE(s)[card]) count_move(p, c, g->players, card, WHERE(s)[card]);
        if (p->owner[c->where[card]] >= 0) count_card(p, c, g->players, card, p->owner[c->where[card]], HELD);
    }
    for (int name = 0; name < g->names; name++) give(s, told, s->log[g->cards + name]);
    tell_counts_of(s, p, c, told);
    return OK;
}

/* The counts of a game that is over. `told` gets how many options and decisions there were, the leaders where somebody else was asked
   than before (the number of the decision, masks of who is first and last), how often stages of each name began, the cards,
   the options; how many numbers these
   are and those of the rest stand in `sizes`. What stopped that, if something did: NO_ROOM, if there is too little. */
DOOR int count_notes(S *s, const V *plan, int64_t *told, int64_t *rest, int64_t room, int64_t *sizes) {
    const Game *g = s->g;
    CountPlan p = read_count_plan(g, plan);
    size_t options = (size_t)plan[T_OPTIONS], names = (size_t)plan[T_NAMES], players = (size_t)g->players;
    size_t many = (size_t)g->cards + names * (WAYS * players + 1) + 6 * options;
    V *all = calloc(many + 1, sizeof *all);
    double *beyond = calloc(2 * options * players + 1, sizeof *beyond);
    Counts c = {.beyond = beyond};
    c.where = all, c.cards = c.where + g->cards, c.there = c.cards + names * WAYS * players, c.options = c.there + names;
    c.copies = c.options + 2 * options, c.taken = c.copies + options, c.met = c.taken + options, c.has_beyond = c.met + options;
    Row row = {told, told + room}, others = {rest, rest + room};
    int why = all && beyond ? setjmp(way_out) : TOO_MUCH;
    if (!why) why = count_log(s, &p, &c, &row, &others);
    sizes[0] = row.at - told, sizes[1] = others.at - rest;
    free(all), free(beyond);
    return why;
}
