/* Games between bots of the core: `random`; `greedy`, which looks one answer ahead as `greedy.py` does; and `learned`.
   Others are asked from outside. */

/* How a seat answers. GUESSES is added to one of those before, RESTRICTED to one who thinks; to AS_LEARNED also HELPING, as
   often as who is helped sits seats further on. */
enum { BY_OTHERS_OUTSIDE, AT_RANDOM, GREEDILY, AS_LEARNED, GUESSES, RESTRICTED = 8, HELPING = 16 };
enum { NONE_WANTED = -1 };

/* A game on its way: who answered last, which seats were asked something alone, and how many. */
typedef struct {
    int64_t last, moved, alone;
} Course;

/* The best of the answers that are thought about, at the first table that is imagined: of equal ones one at random. */
static int look_ahead(Imagining *m, Stream *numbers, int *best) {
    int32_t equal[MOST_LISTED + 1];
    int many = 0, why;
    int64_t most[2] = {0, 0};
    if (m->root.count > 1 && !m->at) {
        why = imagine_next(m, (uint64_t)next_number(numbers, (int64_t)1 << 62), 0);
        if (why && why != NO_TABLE) return why;
    }
    for (int i = 0, at = 0; m->root.count > 1 && m->at && i < m->at->count; i++) {
        if ((why = rate_answer(m, i))) return why;
        while (m->root.mark[at] != m->at->mark[i]) at++;
        int is_more = m->row[0] != most[0] ? m->row[0] > most[0] : m->row[1] > most[1];
        if (!many || is_more) many = 0, most[0] = m->row[0], most[1] = m->row[1];
        if (m->row[0] == most[0] && m->row[1] == most[1]) equal[many++] = at;
    }
    if (m->root.count < 2) *best = 0;
    else *best = many ? equal[next_number(numbers, many)] : (int)next_number(numbers, m->root.count);
    return OK;
}

/* Whoever answers with RESTRICTED does so always, or never, with the only one of these options; it is kept outside. */
DOOR void restrict_answers(Imagining *m, const int32_t *options, int always) {
    m->options = read_options(options), m->wanted = (Wanted){&m->options, 0, always};
}

/* Whether the answer in the row is wanted. */
static int is_found_wanted(S *s, const Imagining *m, int which) {
    const Entry *e = &s->entry[which];
    const Offer *o = offer_to(s, which);
    int index[MOST_OF_A_SET];
    for (int64_t i = 0; i < *m->row; i++) index[i] = (int)m->row[1 + i];
    return is_wanted(s, &m->wanted, s->g->pick + choice_at(s)->pick + e->made, e->seat, list_at(s, o->values) + 1, o->count, index,
                     (int)*m->row);
}

/* Think only of answers that are wanted. */
static int keep_wanted(S *s, Imagining *m, int which) {
    int64_t *kept = m->first, many = 0;
    for (int i = 0, why; i < m->root.count; i++) {
        if ((why = find_true_answer(m, i))) return why;
        if (*m->row >= -1 && is_found_wanted(s, m, which)) kept[many++] = i;
    }
    keep_answers(m, kept, many);
    return many ? OK : NONE_WANTED;
}

/* Number a decision of a seat, with the picks that are made in it. */
static uint64_t number_decision(const S *s, const Entry *e) {
    return 1 + MOST_PICKS * 2 * (uint64_t)s->counts[e->seat] + (uint64_t)e->made;
}

/* Think of an answer, which then stands in the row, with the numbers of a stream; with `wants` of those alone that are
   wanted. What stopped that, if something did. */
static int think_of_answer(S *s, Imagining *m, int which, int pick, int way, uint64_t stream, int wants) {
    const Entry *e = &s->entry[which];
    Stream numbers;
    int best, seat = e->seat;
    start(&numbers, s->seed, stream, number_decision(s, e));
    int why = imagine_first(m, s, seat, (uint64_t)next_number(&numbers, (int64_t)1 << 62), 0);
    uint64_t decision = mixed_in(s->seed, (uint64_t)s->counts[seat] * MOST_PLAYERS + (uint64_t)seat);
    if (!why && wants) why = keep_wanted(s, m, which);
    if (!why) why = way == GREEDILY ? look_ahead(m, &numbers, &best) : find_best_learned(m, s, pick, decision, &numbers, &best);
    if (!why) why = find_true_answer(m, best);
    return !why && *m->row < -1 ? UNKNOWN : why;
}

/* Answer as a bot that thinks does; what stopped that, if something did. */
static int answer_thinking(S *s, Imagining *m, int which, int pick, int way) {
    int seat = s->entry[which].seat, why = think_of_answer(s, m, which, pick, way, m->thinks[seat], 0);
    if (!why) why = take_answer(s, seat, m->row + 1, *m->row);
    return why < 0 ? UNKNOWN : why;
}

/* The same, and think again where that answer is not wanted and one is offered that is; where none is that was thought
   of, any will do, and where none is at all, that answer. */
static int answer_restricted(S *s, Imagining *m, int which, int pick, int way) {
    const Entry *e = &s->entry[which];
    int seat = e->seat, why = think_of_answer(s, m, which, pick, way, m->thinks[seat], 0);
    if (!why) why = setjmp(way_out);
    if (why) return stopped(s, why);
    s->looked = 0;
    if (is_found_wanted(s, m, which) || !is_offered(s, &m->options, which, m->wanted.option))
        return take_answer(s, seat, m->row + 1, *m->row) ? UNKNOWN : OK;
    why = think_of_answer(s, m, which, pick, way, m->again[seat], 1);
    if (why == NONE_WANTED) {
        Stream numbers;
        if ((why = setjmp(way_out))) return stopped(s, why);
        start(&numbers, s->seed, m->anyhow[seat], number_decision(s, e));
        V other = another_at_random(s, which, &m->wanted, &numbers);
        if (other == NOTHING) return answer_thinking(s, m, which, pick, way);
        go_behind(s, answer_entry(s, which, other));
        return OK;
    }
    if (!why) why = take_answer(s, seat, m->row + 1, *m->row);
    return why < 0 ? UNKNOWN : why;
}

static int end_game(S *s, int64_t *told) {
    int why = setjmp(way_out);
    if (why) return why;
    tell_end(s, told);
    told[RESULT] = s->result;
    for (int seat = 0; seat < s->g->players; seat++) told[SEATS + seat] = s->counts[seat];
    return OK;
}

/* Begin a game with a seed, from which everybody has the numbers of the stream of their name; with `notes` all answers are
   noted. */
DOOR int begin_game(const S *from, S *s, Course *c, uint64_t seed, const uint64_t *names, Stream *bots, int notes) {
    copy_state(s, from);
    if (notes && !begin_notes(s)) return stopped(s, TOO_MUCH);
    s->seed = seed, *c = (Course){-1, 0, 0};
    for (int seat = 0; seat < from->g->players; seat++) start(&bots[seat], seed, names[seat], 1);
    return advance_state(s);
}

/* Play on until the game is over, and tell of it as `play_games` does, or until somebody is to answer from outside (-1).
   `ways` says how each seat answers, `bots` are the streams of those at random. What stopped it, if something did. */
DOOR int play_seated(S *s, Imagining *m, Course *c, const uint8_t *ways, Stream *bots, int64_t *told) {
    while (s->result == RUNNING) {
        int which = first_asked(s), why;
        const Entry *e = &s->entry[which];
        int seat = e->seat, pick = (int)choice_at(s)->pick + e->made, further = ways[seat] / HELPING, way = ways[seat] % HELPING;
        int is_restricted = way >= RESTRICTED;
        told[TURNS] += seat != c->last;
        int is_in_order = s->asked == 1 && (c->alone || c->last < 0);
        if (is_in_order && !(c->moved >> seat & 1)) c->moved |= 1 << seat, told[ORDER] |= (int64_t)(seat + 1) << 4 * c->alone++;
        c->last = seat;
        if (way == BY_OTHERS_OUTSIDE) return -1;
        m->seats = 1 << seat | 1 << (seat + further) % s->g->players;
        if (is_restricted) way -= RESTRICTED;
        if (way >= GUESSES) way = m->guessed[pick] ? AT_RANDOM : way - GUESSES;
        why = way == AT_RANDOM ? answer_at_random(s, seat, &bots[seat])
              : is_restricted  ? answer_restricted(s, m, which, pick, way)
                               : answer_thinking(s, m, which, pick, way);
        if (why) return why;
    }
    return end_game(s, told);
}
