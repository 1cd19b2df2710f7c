/* Games in which one seat never gives an answer with some option in it, or always where it may, beside those in which all
   answer at random. Until the first such answer both are the same game, so only what comes after it is played again. */

enum { NEVER = 1, ALWAYS = 2, ONCE = 4 }; /* once: another answer to this decision alone */
enum { INSTEAD = 2 }; /* the start of a seat's stream from which what comes instead of an answer is drawn: all further
                         answers are drawn as they would have been, so of two options that do the same none is better */

/* What a branch was, as a row: `pick` is what was chosen, `other` the option that was taken instead, -1 if it has no
   number. */
enum { B_GAME, B_SEAT, B_OPTION, B_WAY, B_PICK, B_OTHER, B_WHY, B_WINNERS, B_TEAMS, B_SCORE, B_WIDTH };

typedef struct {
    S *trunk, *twig;
    const Options *options;
    const int32_t *ways; /* by option */
    Stream *bots;
    const uint64_t *names; /* of the streams */
    int64_t *row, *end; /* of branches */
    int64_t game;
    int is_full; /* there was no room for all */
} Branches;

/* Options as they are handed over: how many there are, the number of passing, how long the lists of sources, objects and
   words are, then these lists, no and yes, labels. */
static Options read_options(const int32_t *all) {
    const int32_t *objects = all + 5 + all[2], *words = objects + all[3], *answers = words + all[4];
    return (Options){all[0], all[1], all + 5, objects, words, answers, answers + 2};
}

/* Whether an answer has an option in it. */
static int has_option(S *s, const Options *all, int which, V answer, int32_t option) {
    const Entry *e = &s->entry[which];
    const Pick *pick = s->g->pick + choice_at(s)->pick + e->made;
    const Offer *o = offer_to(s, which);
    const V *values = list_at(s, o->values) + 1;
    if (answer == ABSENT) return all->pass == option;
    for (V at = 0; at < o->count; at++) {
        int is_chosen = pick->many ? holds(s, list_at(s, answer), values[at]) : answer == values[at];
        if (is_chosen && option_of(s, all, pick, e->seat, values, o->count, at) == option) return 1;
    }
    return 0;
}

static int is_offered(S *s, const Options *all, int which, int32_t option) {
    const Entry *e = &s->entry[which];
    const Pick *pick = s->g->pick + choice_at(s)->pick + e->made;
    const Offer *o = offer_to(s, which);
    if (may_decline(o) && all->pass == option) return 1;
    for (V at = 0; at < o->count; at++)
        if (option_of(s, all, pick, e->seat, list_at(s, o->values) + 1, o->count, at) == option) return 1;
    return 0;
}

/* Another answer at random, of those that are wanted; NOTHING if none is. */
static V another_at_random(S *s, int which, const Wanted *w, Stream *bot) {
    const Choice *c = choice_at(s);
    const Entry *e = &s->entry[which];
    const Offer *o = offer_to(s, which);
    const Pick *pick = s->g->pick + c->pick + e->made;
    const V *values = list_at(s, o->values) + 1;
    int64_t many = 0;
    s->looked = 0;
    if (pick->many) return several_at_random(s, c, e, o, w, bot);
    int passes = o->may && is_wanted(s, w, pick, e->seat, NULL, 0, NULL, -1);
    for (int at = 0; at < o->count; at++) many += is_wanted(s, w, pick, e->seat, values, o->count, &at, 1);
    if (!(many + passes)) return NOTHING;
    int64_t left = next_number(bot, many + passes);
    for (int at = 0; at < o->count; at++)
        if (is_wanted(s, w, pick, e->seat, values, o->count, &at, 1) && !left--)
            return values[first_alike(s, pick, e->seat, values, o->count, at)];
    return ABSENT;
}

/* An answer at random, and another one where that is not wanted, and one that is may be given. */
static V wanted_at_random(S *s, int which, const Wanted *w, Stream *bot, Stream *instead) {
    V answer = at_random(s, which, bot), other;
    if (has_option(s, w->options, which, answer, w->option) == w->always) return answer;
    if (w->always && !is_offered(s, w->options, which, w->option)) return answer;
    other = another_at_random(s, which, w, instead);
    return other == NOTHING ? answer : other;
}

/* Play a branch to its end from the decision of the trunk that is open, and tell how it went. */
static void play_branch(Branches *b, int which, int32_t option, int32_t way, const Stream *before) {
    int64_t *row = b->row, team[MOST_PLAYERS], places[MOST_PLAYERS], scores[MOST_PLAYERS];
    int32_t seat = b->trunk->entry[which].seat;
    Stream bots[MOST_PLAYERS], instead;
    Wanted wanted = {b->options, option, way == ALWAYS};
    S *s = b->twig;
    jmp_buf outer;
    b->is_full |= b->end - row < B_WIDTH;
    if (b->is_full) return;
    b->row += B_WIDTH;
    row[B_GAME] = b->game, row[B_SEAT] = seat, row[B_OPTION] = option, row[B_WAY] = way;
    row[B_PICK] = choice_at(b->trunk)->pick + b->trunk->entry[which].made;
    copy_state(s, b->trunk);
    memcpy(bots, b->bots, sizeof bots);
    bots[seat] = *before;
    start(&instead, b->trunk->seed, b->names[seat], INSTEAD);
    memcpy(&outer, &way_out, sizeof outer);
    int why = setjmp(way_out);
    if (!why) {
        const Pick *pick = s->g->pick + row[B_PICK];
        V answer = wanted_at_random(s, which, &wanted, &bots[seat], &instead);
        row[B_OTHER] = answer == ABSENT ? b->options->pass : -1;
        const Offer *o = offer_to(s, which);
        for (V at = 0; at < o->count && answer != ABSENT && !pick->many; at++)
            if (list_at(s, o->values)[1 + at] == answer)
                row[B_OTHER] = option_of(s, b->options, pick, seat, list_at(s, o->values) + 1, o->count, at);
        go_behind(s, answer_entry(s, which, answer));
        while (s->result == RUNNING) {
            int next = 0;
            while (s->entry[next].done) next++;
            int32_t asked = s->entry[next].seat;
            int is_free = asked != seat || way == ONCE;
            answer = is_free ? at_random(s, next, &bots[asked])
                             : wanted_at_random(s, next, &wanted, &bots[asked], &instead);
            go_behind(s, answer_entry(s, next, answer));
        }
        find_standing(s, team, places, scores, row + B_WINNERS);
        row[B_TEAMS] = packed(s, team), row[B_SCORE] = scores[seat];
    }
    row[B_WHY] = why ? stopped(s, why) : OK;
    memcpy(&way_out, &outer, sizeof outer);
}

/* Play one game with its branches. `noted` gets, by option, in how many decisions it was offered and in how many chosen. */
static void play_trunk(Branches *b, int32_t *noted, uint8_t *begun, int32_t *met) {
    S *s = b->trunk;
    int32_t many = b->options->many, decision = 0;
    memset(begun, 0, (size_t)s->g->players * (size_t)many);
    memset(met, 0, (size_t)many * sizeof *met);
    if (s->result == RUNNING && !s->asked) go_on(s);
    while (s->result == RUNNING) {
        int which = 0;
        while (s->entry[which].done) which++;
        const Entry *e = &s->entry[which];
        const Pick *pick = s->g->pick + choice_at(s)->pick + e->made;
        Stream before = b->bots[e->seat];
        V answer = at_random(s, which, &b->bots[e->seat]);
        decision++;
        for (V at = -1; at < s->offer[which].count; at++) {
            const Offer *o = offer_to(s, which);
            int32_t option = at < 0 ? may_decline(o) ? b->options->pass : -1
                                    : option_of(s, b->options, pick, e->seat, list_at(s, o->values) + 1, o->count, at);
            if (option < 0 || met[option] == decision) continue;
            met[option] = decision;
            int is_chosen = has_option(s, b->options, which, answer, option);
            uint8_t *was = begun + e->seat * many + option;
            int32_t way = b->ways[option];
            noted[2 * option]++, noted[2 * option + 1] += is_chosen;
            if (is_chosen && way & NEVER && !(*was & NEVER)) *was |= NEVER, play_branch(b, which, option, NEVER, &before);
            if (!is_chosen && way & ALWAYS && !(*was & ALWAYS)) *was |= ALWAYS, play_branch(b, which, option, ALWAYS, &before);
            if (is_chosen && way & ONCE) play_branch(b, which, option, ONCE, &before);
        }
        go_behind(s, answer_entry(s, which, answer));
    }
}

static void play_whole(Branches *b, int64_t *told, int32_t *noted, uint8_t *begun, int32_t *met) {
    S *s = b->trunk;
    int why = setjmp(way_out), players = s->g->players;
    if (why || s->why) {
        told[WHY] = stopped(s, why | s->why);
        return;
    }
    play_trunk(b, noted, begun, met);
    tell_end(s, told);
    told[RESULT] = s->result;
    for (int seat = 0; seat < players; seat++) told[SEATS + seat] = s->counts[seat];
    told[WHY] = OK;
}

/* Games as `play_games` plays them, each with all its branches; `all` are the options. The number of branches, or -1 if
   there was no room for them. */
DOOR int64_t play_branches(const S *from, S *s, S *twig, int64_t games, const uint64_t *seeds, const uint64_t *names,
                           const int32_t *all, const int32_t *ways, int64_t *told, int32_t *noted, int64_t *row, int64_t room) {
    const Options options = read_options(all);
    int players = from->g->players;
    Stream bots[MOST_PLAYERS];
    uint8_t *begun = calloc((size_t)players * (size_t)all[0] + 1, 1);
    int32_t *met = calloc((size_t)all[0] + 1, sizeof *met);
    Branches b = {s, twig, &options, ways, bots, names, row, row + room, 0, !begun || !met};
    for (; b.game < games && !b.is_full; b.game++, told += SEATS + 3 * players, noted += 2 * all[0]) {
        copy_state(s, from);
        s->seed = seeds[b.game];
        for (int seat = 0; seat < players; seat++) start(&bots[seat], seeds[b.game], names[seat], 1);
        play_whole(&b, told, noted, begun, met);
    }
    free(begun), free(met);
    return b.is_full ? -1 : (b.row - row) / B_WIDTH;
}
