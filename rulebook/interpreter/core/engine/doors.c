/* What is called from outside: states come in and go out, games are played on, answers taken, standings told.

   A state travels as a row of whole numbers; a list as LIST, its length and its members. */

typedef struct {
    int64_t *at, *end;
} Row;

static int64_t next_of(S *s, Row *row) {
    if (row->at >= row->end) stop(s, UNKNOWN);
    return *row->at++;
}

static int64_t next_in(S *s, Row *row, int64_t least, int64_t below) {
    int64_t found = next_of(s, row);
    if (found < least || found >= below) stop(s, UNKNOWN);
    return found;
}

static V take_value(S *s, Row *row, int depth) {
    V value = next_of(s, row);
    if (is_plain(value)) return value;
    if (value != LIST || depth > DEEPEST) stop(s, UNKNOWN);
    V many = next_in(s, row, 0, MOST_LISTED + 1), *list = room_for(s, many), all = handle(s, list);
    for (V i = 1; i <= many; i++) list[i] = NOTHING;
    for (V i = 1; i <= many; i++) {
        V one = take_value(s, row, depth + 1);
        list_at(s, all)[i] = one;
    }
    return all;
}

/* A seat that has not been met before. */
static int32_t next_seat(S *s, Row *row, int *met) {
    int32_t seat = (int32_t)next_in(s, row, 0, s->g->players);
    if (*met >> seat & 1) stop(s, UNKNOWN);
    *met |= 1 << seat;
    return seat;
}

static void load_table(S *s, Row *row) {
    const Game *g = s->g;
    int players = g->players, met = 0;
    s->seed = (uint64_t)next_of(s, row);
    for (int i = 0; i < g->streams; i++) {
        STREAM(s, i).times = next_in(s, row, 0, MOST_COUNTED);
        STREAM(s, i).low = (uint64_t)next_of(s, row), STREAM(s, i).high = (uint64_t)next_of(s, row);
    }
    for (int i = 0; i <= players; i++) s->counts[i] = (int32_t)next_in(s, row, 0, MOST_COUNTED);
    s->clock = (int32_t)next_in(s, row, -MOST_COUNTED, MOST_COUNTED); /* below 0: who looks further than games go */
    s->result = (int32_t)next_in(s, row, RUNNING, UNFINISHED + 1);
    s->wins = (int32_t)next_in(s, row, 0, players + 1), s->winners = 0;
    for (int i = 0; i < s->wins; i++) {
        s->win[i] = (int32_t)next_in(s, row, 1, players + 1 - s->winners);
        for (int j = 0; j < s->win[i]; j++) s->won[s->winners++] = (int32_t)next_in(s, row, 0, players);
    }
    s->playing = (int32_t)next_in(s, row, 0, players + 1);
    for (int i = 0; i < s->playing; i++) s->plays |= 1 << (s->alive[i] = next_seat(s, row, &met));
    s->leavings = (int32_t)next_in(s, row, 0, players + 1);
    for (int i = 0; i < s->leavings; i++) {
        s->left[i] = (int32_t)next_in(s, row, 1, players + 1);
        for (int j = 0; j < s->left[i]; j++) s->leaver[i][j] = next_seat(s, row, &met);
    }
    s->asked = (int32_t)next_in(s, row, 0, players + 1);
    for (int i = 0; i < s->asked; i++) {
        Entry *e = &s->entry[i];
        e->seat = (int32_t)next_in(s, row, 0, players), e->number = (int32_t)next_in(s, row, 0, MOST_COUNTED);
        e->done = (int32_t)next_in(s, row, 0, 2), e->made = (int32_t)next_in(s, row, 0, MOST_PICKS + 1);
        for (int j = 0; j < e->made; j++) e->picks[j] = take_value(s, row, 0);
    }
}

static void load_cards(S *s, Row *row) {
    const Game *g = s->g;
    uint8_t listed[g->cards + 1];
    memset(listed, 0, sizeof listed);
    for (int i = 0; i < g->cards; i++) WHERE(s)[i] = (uint16_t)next_in(s, row, 0, g->places);
    for (int i = 0; i < g->cards; i++) FACE(s)[i] = (uint8_t)next_in(s, row, 0, 2);
    for (int i = 0; i < g->cards; i++) KNOWN(s)[i] = (uint16_t)next_in(s, row, 0, 1 << g->players);
    for (int i = 0; i < g->memories; i++) MEMORIES_OF(s)[i] = take_value(s, row, 0);
    for (int one = 0; one < g->changing; one++)
        for (int i = 0; i < g->cards; i++) {
            STATE(s, one)[i] = g->data[g->state[one].starts + i];
            put_state(s, one, i, take_value(s, row, 0));
        }
    for (int place = 0; place < g->places; place++) {
        Count *c = &COUNT(s, place);
        V room = KEPT(s, place) == POOL ? MOST_COUNTED : in_no_order(s, place) ? g->cards + 1 : g->place[place].room + 1;
        c->n = (int32_t)next_in(s, row, 0, room);
        c->first = (int32_t)next_in(s, row, 0, c->n + 1), c->last = (int32_t)next_in(s, row, 0, c->n - c->first + 1);
        if (KEPT(s, place) == GRID && c->n != g->place[place].room) stop(s, UNKNOWN);
        for (int i = 0; i < c->n && KEPT(s, place) != POOL; i++) {
            V card = next_in(s, row, 0, NO_CARD + 1);
            if (card == NO_CARD ? KEPT(s, place) != GRID : card >= g->cards || WHERE(s)[card] != place || listed[card]) stop(s, UNKNOWN);
            if (in_no_order(s, place)) add_bit(SET(s, place), card);
            else ZONE(s, place)[i] = (uint16_t)card;
            if (card != NO_CARD) SPOT(s)[card] = (uint16_t)i, listed[card]++, learn(s, card, 0);
        }
    }
    for (int i = 0; i < g->cards; i++)
        if (listed[i] != (KEPT(s, WHERE(s)[i]) != POOL)) stop(s, UNKNOWN);
}

static void begin_lists(S *s, V more) {
    if (!has_lists(s, s->g->lists + more + ARENA)) stop(s, TOO_MUCH);
    memcpy(ARENA_OF(s), s->g->list, (size_t)s->g->lists * sizeof(V));
    s->used = s->g->lists, s->full = s->used + more + FULL;
}

/* Remember what stopped a state: it was left in the middle of something, so nothing more can be done with it. */
static int stopped(S *s, int why) { return s->why = why; }

DOOR int64_t size_of_state(const Game *g) { return (int64_t)g->size; }

/* Write over a state, with another one or nothing; its own room for frames and lists remains. */
static void overwrite(const Game *g, S *s, const S *from) {
    V *stack = s->stack, *arena = s->arena, *log = s->log, room = s->room, listed = s->listed, to_note = s->to_note;
    guard(g, s, 0);
    if (from) guard(g, from, 0), memcpy(s, from, g->offers_at), guard(g, from, 1);
    else memset(s, 0, g->offers_at);
    guard(g, s, 1);
    s->g = g, s->stack = stack, s->arena = arena, s->room = room, s->listed = listed;
    s->log = log, s->to_note = to_note, s->noted = 0;
    s->version = fresh_versions();
}

/* The room of a state is given back: its frames, lists and notes lie elsewhere. */
DOOR void close_state(S *s) {
    free(s->stack), free(s->arena), free(s->log);
    s->stack = s->arena = s->log = NULL, s->room = s->listed = s->to_note = s->noted = 0;
}

/* A state from a row; what stopped it, if something did. There was one there before, or nothing but zeros. */
DOOR int load_state(const Game *g, S *s, int64_t *row, int64_t many) {
    Row in = {row, row + many};
    overwrite(g, s, NULL);
    int why = setjmp(way_out);
    if (why) return stopped(s, why);
    if (!has_frames(s, g->ahead)) stop(s, TOO_MUCH);
    begin_lists(s, many);
    s->base = -1, s->changes = 1, s->untested = s->unheeded = 1;
    renew_all(s);
    load_table(s, &in);
    load_cards(s, &in);
    int64_t frames = next_in(s, &in, 0, MOST_KEPT);
    for (int64_t i = 0; i < frames; i++) {
        V code = next_in(s, &in, 0, g->scripts), pc = next_in(s, &in, g->code[code].entry, g->code[code].pieces);
        V slot = next_in(s, &in, -1, s->base < 0 ? 0 : code_of(s, s->base)->size);
        if (g->trap[pc] == NO_STEP) stop(s, UNKNOWN);
        enter(s, code, NULL, 0, slot);
        STACK_OF(s)[s->base + PC] = pc;
        for (V j = 0; j < g->code[code].size; j++) {
            V value = take_value(s, &in, 0);
            registers(s)[j] = value;
        }
    }
    if (in.at != in.end || (s->result == RUNNING) != (s->base >= 0)) stop(s, UNKNOWN);
    if (s->asked) {
        if (s->base < 0 || g->step[STACK_OF(s)[s->base + PC]] != OP_choose) stop(s, UNKNOWN);
        const Choice *c = choice_at(s);
        int waiting = 0;
        for (int i = 0; i < s->asked; i++) {
            const Entry *e = &s->entry[i];
            if (e->made > c->picks || (!e->done && (e->made == c->picks || e->number < 1))) stop(s, UNKNOWN);
            for (int j = 0; j < i; j++)
                if (s->entry[j].seat == e->seat) stop(s, UNKNOWN);
            waiting += !e->done;
        }
        if (!waiting) stop(s, UNKNOWN);
        s->halted = 1;
    }
    return OK;
}

/* ── and back ── */

static void give(S *s, Row *row, int64_t value) {
    if (row->at >= row->end) stop(s, NO_ROOM);
    *row->at++ = value;
}

static void give_value(S *s, Row *row, V value, int depth) {
    if (!is_list(value)) {
        give(s, row, value);
        return;
    }
    const V *list = list_at(s, value);
    if (depth > DEEPEST) stop(s, UNKNOWN);
    give(s, row, LIST);
    give(s, row, list[0]);
    for (V at = 1; at <= list[0]; at++) give_value(s, row, list[at], depth + 1);
}

static void give_seats(S *s, Row *row, const int32_t *seats, int many) {
    give(s, row, many);
    for (int i = 0; i < many; i++) give(s, row, seats[i]);
}

static void give_state(S *s, Row *out) {
    const Game *g = s->g;
    give(s, out, (int64_t)s->seed);
    for (int i = 0; i < g->streams; i++) {
        give(s, out, STREAM(s, i).times);
        give(s, out, (int64_t)STREAM(s, i).low), give(s, out, (int64_t)STREAM(s, i).high);
    }
    for (int i = 0; i <= g->players; i++) give(s, out, s->counts[i]);
    give(s, out, s->clock);
    give(s, out, s->result);
    give(s, out, s->wins);
    for (int i = 0, at = 0; i < s->wins; at += s->win[i++]) give_seats(s, out, s->won + at, s->win[i]);
    give_seats(s, out, s->alive, s->playing);
    give(s, out, s->leavings);
    for (int i = 0; i < s->leavings; i++) give_seats(s, out, s->leaver[i], s->left[i]);
    give(s, out, s->asked);
    for (int i = 0; i < s->asked; i++) {
        const Entry *e = &s->entry[i];
        give(s, out, e->seat), give(s, out, e->number), give(s, out, e->done), give(s, out, e->made);
        for (int j = 0; j < e->made; j++) give_value(s, out, e->picks[j], 0);
    }
    for (int i = 0; i < g->cards; i++) give(s, out, WHERE(s)[i]);
    for (int i = 0; i < g->cards; i++) give(s, out, FACE(s)[i]);
    for (int i = 0; i < g->cards; i++) give(s, out, KNOWN(s)[i]);
    for (int i = 0; i < g->memories; i++) give_value(s, out, MEMORIES_OF(s)[i], 0);
    for (int one = 0; one < g->changing; one++)
        for (int i = 0; i < g->cards; i++) give_value(s, out, STATE(s, one)[i], 0);
    for (int place = 0; place < g->places; place++) {
        const Count *c = &COUNT(s, place);
        give(s, out, c->n), give(s, out, c->first), give(s, out, c->last);
        if (in_no_order(s, place)) {
            uint16_t cards[g->cards + 1];
            int many = lying(s, place, cards);
            for (int i = 0; i < many; i++) give(s, out, cards[i]);
        } else if (KEPT(s, place) != POOL) {
            for (int i = 0; i < c->n; i++) give(s, out, ZONE(s, place)[i]);
        }
    }
    int64_t *frames = out->at, many = 0;
    give(s, out, 0);
    for (int64_t base = 0; base <= s->base; base += many) {
        const V *frame = STACK_OF(s) + base;
        many = REGISTERS + g->window[frame[CODE]].many, ++*frames;
        give(s, out, frame[CODE]), give(s, out, frame[PC]), give(s, out, frame[ANSWERS]);
        for (V j = 0; j < g->code[frame[CODE]].size; j++) give_value(s, out, frame[REGISTERS + j], 0);
    }
}

/* A state as a row; its length, 0 if there is no room for it, -1 if it has been stopped. */
DOOR int64_t store_state(S *s, int64_t *row, int64_t room) {
    Row out = {row, row + room};
    int why = setjmp(way_out);
    if (why || s->why) return why == NO_ROOM ? 0 : -1;
    give_state(s, &out);
    return out.at - row;
}

/* ── games ── */

/* A state becomes another one of the same game. */
DOOR void copy_state(S *to, const S *from) {
    const Game *g = to->g = from->g;
    int fits = has_frames(to, from->top + g->ahead) && has_lists(to, (from->used > from->full ? from->used : from->full) + ARENA);
    overwrite(g, to, from);
    if (!fits) to->why = TOO_MUCH, to->base = -1, to->top = to->used = to->asked = 0;
    memcpy(STACK_OF(to), STACK_OF(from), (size_t)to->top * sizeof(V));
    memcpy(ARENA_OF(to), ARENA_OF(from), (size_t)to->used * sizeof(V));
}

/* On to the next decision, or to the end. */
static void go_on(S *s) {
    s->halted = 0;
    s->looked = s->carried, s->carried = 0;
    if (s->version % VERSIONS > VERSIONS / 2) s->version = fresh_versions();
    run(s, s->g->made + STACK_OF(s)[s->base + PC], registers(s));
    if (s->result == RUNNING && !s->asked) stop(s, UNKNOWN);
}

/* What came of a decision: on to the next. */
static void go_behind(S *s, int became) {
    V *frame = STACK_OF(s) + s->base;
    const int32_t *here = s->g->step + frame[PC];
    if (became == WAITS) return;
    frame[PC] = became == CHOSEN ? frame[PC] + LENGTH[OP_choose] : became == MISSED ? here[2] : s->g->trap[frame[PC]];
    if (frame[PC] < 0) stop(s, UNKNOWN);
    go_on(s);
}

/* Run until somebody is asked or the game is over; what stopped it, if something did. */
DOOR int advance_state(S *s) {
    int why = setjmp(way_out);
    if (why || s->why) return stopped(s, why | s->why);
    if (s->result == RUNNING && !s->asked) go_on(s);
    return OK;
}

/* Run as far as every game goes alike: until a random number may be needed, or somebody is asked. What stopped it, if
   something did. */
DOOR int begin_state(S *s) {
    int why = setjmp(way_out);
    if (why || s->why) return stopped(s, why | s->why);
    if (s->result != RUNNING || s->asked) return OK;
    s->begins = 1, s->halted = 0, s->looked = 0;
    run(s, s->g->made + STACK_OF(s)[s->base + PC], registers(s));
    s->begins = 0, s->carried = s->looked;
    return OK;
}

static int entry_of(const S *s, int seat) {
    for (int i = 0; i < s->asked; i++)
        if (s->entry[i].seat == seat && !s->entry[i].done) return i;
    return -1;
}

/* What is offered to a seat: whether to pass is an answer, how many are wanted at least and at most, whether several
   are, whether they have an order; then the values. The length of the row, 0 if there is no room for it, less if the seat is
   not asked. */
DOOR int64_t what_is_offered(S *s, int seat, int64_t *row, int64_t room) {
    Row out = {row, row + room};
    int which = s->why ? -1 : entry_of(s, seat);
    if (which < 0) return -1;
    int why = setjmp(way_out);
    if (why) return why == NO_ROOM ? 0 : -(int64_t)stopped(s, why);
    const Offer *o = offer_to(s, which);
    const Pick *pick = s->g->pick + choice_at(s)->pick + s->entry[which].made;
    give(s, &out, may_decline(o)), give(s, &out, o->least), give(s, &out, o->most), give(s, &out, pick->many), give(s, &out, pick->ordered);
    give(s, &out, o->count);
    for (V i = 1; i <= o->count; i++) give_value(s, &out, list_at(s, o->values)[i], 0);
    return out.at - row;
}

/* Take an answer, by the numbers of its values among those that are offered; -1 of them is to pass. Go on to the next
   decision; what stopped it, or -1 if the answer may not be given. */
DOOR int take_answer(S *s, int seat, const int64_t *numbers, int64_t many) {
    int why = setjmp(way_out), which = entry_of(s, seat);
    if (why || s->why) return stopped(s, why | s->why);
    if (which < 0) return -1;
    const Offer *o = offer_to(s, which);
    const Choice *c = choice_at(s);
    const Pick *pick = s->g->pick + c->pick + s->entry[which].made;
    V value = ABSENT;
    for (int64_t i = 0; i < many; i++)
        if (numbers[i] < 0 || numbers[i] >= o->count) return -1;
    if (many < 0 ? !may_decline(o) : pick->many ? many < o->least || many > o->most : many != 1) return -1;
    if (many >= 0 && !pick->many) value = list_at(s, o->values)[1 + numbers[0]];
    if (many >= 0 && pick->many) {
        V *set = fresh(s);
        for (int64_t i = 0; i < many; i++) {
            for (int64_t j = 0; j < i; j++)
                if (numbers[j] == numbers[i]) return -1;
            push(s, &set, list_at(s, o->values)[1 + numbers[i]]);
        }
        value = handle(s, set);
        V top = s->top, used = s->used;
        int allowed = is_allowed(s, pick, window_of(s, c, &s->entry[which]), value);
        s->top = top;
        if (!allowed) {
            s->used = used;
            return -1;
        }
    }
    go_behind(s, answer_entry(s, which, value));
    return OK;
}

/* ── standings ── */

/* The scores of a team together: of those who still play, or of all if nobody of it does. */
static int64_t total_of(S *s, const int64_t *team, const int64_t *scores, int seat) {
    int64_t playing = 0, all = 0;
    int plays = 0;
    for (int one = 0; one < s->g->players; one++) {
        if (team[one] != team[seat]) continue;
        all += scores[one];
        if (s->plays >> one & 1) playing += scores[one], plays = 1;
    }
    return plays ? playing : all;
}

/* Put the teams of these seats at a place, whole; how many teams these are. */
static int64_t place_teams(S *s, const int64_t *team, int seats, int64_t place, int64_t *places) {
    int64_t many = 0;
    for (int seat = 0; seat < s->g->players; seat++) {
        if (!(seats >> seat & 1) || places[seat]) continue;
        many++;
        for (int one = 0; one < s->g->players; one++)
            if (team[one] == team[seat]) places[one] = place;
    }
    return many;
}

static int is_alone(S *s, const int64_t *team) {
    for (int seat = 0; seat < s->g->players; seat++)
        if (team[seat]) return 0;
    return 1;
}

/* The team of each seat, with its place, what each has, and who won, as a mask. */
static void find_standing(S *s, int64_t *team, int64_t *places, int64_t *scores, int64_t *winners) {
    int players = s->g->players, keys = s->g->rank, left = s->plays;
    int64_t ahead = 0, place[MOST_PLAYERS] = {0};
    V key[MOST_PLAYERS][2 * MOST_KEYS + 1];
    find_teams(s, team);
    for (int seat = 0; seat < players; seat++) {
        scores[seat] = places[seat] = 0;
        for (int which = 0; which < keys; which++) key[seat][2 * which] = key[seat][2 * which + 1] = 0;
    }
    for (int seat = 0; seat < players; seat++) {
        V *sum = key[team[seat]];
        for (int which = 0; which < keys; which++) {
            V given = seat, number = answer_to(s, s->g->key[2 * which], &given, 1);
            if (number == NOTHING || number == LACKS) continue;
            if (!which) scores[seat] = number;
            if (s->plays >> seat & 1) sum[2 * which] = 1, sum[2 * which + 1] += s->g->key[2 * which + 1] ? number : -number;
        }
    }
    for (int i = 0, at = 0; s->result == WON && i < s->wins; at += s->win[i++]) {
        int seats = 0;
        for (int j = 0; j < s->win[i]; j++) seats |= 1 << s->won[at + j];
        ahead += place_teams(s, team, seats, ahead + 1, places);
    }
    if (s->result == WON) ahead += place_teams(s, team, left, ahead + 1, places);
    for (int seat = 0; s->result != WON && seat < players; seat++) {
        if (!(left >> seat & 1)) continue;
        int better = 0;
        for (int other = 0; other < players; other++)
            if (left >> other & 1 && is_more(key[team[other]], key[team[seat]], 2 * keys)) better |= 1 << team[other];
        place[seat] = 1 + __builtin_popcount((unsigned)better);
    }
    for (int seat = 0; seat < players; seat++)
        if (place[seat]) ahead += place_teams(s, team, 1 << seat, place[seat], places);
    for (int i = s->leavings - 1; i >= 0; i--) {
        int seats = 0;
        for (int j = 0; j < s->left[i]; j++) seats |= 1 << s->leaver[i][j];
        ahead += place_teams(s, team, seats, ahead + 1, places);
    }
    *winners = 0;
    for (int seat = 0; s->result != WON && seat < players; seat++) *winners |= (int64_t)(places[seat] == 1) << seat;
    /* alone, and worse off than before, or out of it */
    if (is_alone(s, team) && (!s->plays || (keys && s->g->key[1] && total_of(s, team, scores, 0) < 0))) *winners = 0;
    for (int i = 0; s->result == WON && s->wins && i < s->win[0]; i++) *winners |= (int64_t)1 << s->won[i];
}

/* ── games that somebody looks at ── */

/* What comes before the decisions of a log: where each card lay at the decision before, how often stages of each name
   began, and who made the decision before. */
static V before_notes(const S *s) { return s->g->cards + s->g->names + 1; }

/* Note all answers of a game that begins; whether there is room for that. */
static int begin_notes(S *s) {
    if (!has_room(&s->log, &s->to_note, before_notes(s) + 256, MOST_LOG)) return 0;
    for (int card = 0; card < s->g->cards; card++) s->log[card] = WHERE(s)[card];
    for (int name = 0; name < s->g->names; name++) s->log[s->g->cards + name] = 0;
    s->noted = before_notes(s), s->log[s->noted - 1] = -1;
    return 1;
}

/* Which seats are first, and which are last, as masks; none where the result cannot be asked for yet, or all are equal. */
static void give_leaders(S *s, Row *row) {
    jmp_buf outer;
    int64_t team[MOST_PLAYERS], places[MOST_PLAYERS], scores[MOST_PLAYERS], winners, first = 0, last = 0, most = 1;
    int64_t top = s->top, asking = s->asking, looked = s->looked, used = s->used;
    memcpy(&outer, &way_out, sizeof outer);
    s->looked = 0;
    if (!setjmp(way_out)) {
        find_standing(s, team, places, scores, &winners);
        for (int seat = 0; seat < s->g->players; seat++) most = places[seat] > most ? places[seat] : most;
        for (int seat = 0; seat < s->g->players && most > 1; seat++)
            first |= (int64_t)(places[seat] == 1) << seat, last |= (int64_t)(places[seat] == most) << seat;
    }
    memcpy(&way_out, &outer, sizeof outer);
    s->top = top, s->asking = asking, s->looked = looked, s->used = used;
    give(s, row, first), give(s, row, last);
}

/* Which cards lie elsewhere than before, each with both places. */
static void give_moves(S *s, Row *row) {
    int64_t *many = row->at;
    give(s, row, 0);
    for (int card = 0; card < s->g->cards; card++) {
        if (WHERE(s)[card] == s->log[card]) continue;
        give(s, row, card), give(s, row, s->log[card]), give(s, row, WHERE(s)[card]);
        ++*many;
    }
}

/* A decision: the seat, whether somebody else was asked before and then who leads, what moved, the pick, whether to pass
   is an answer, what is offered, with the number of its source, and what is chosen. */
static void give_decision(S *s, Row *row, int which, V value) {
    const Offer *o = offer_to(s, which);
    int seat = s->entry[which].seat, began = seat != s->log[before_notes(s) - 1];
    give(s, row, seat);
    give(s, row, began);
    if (began) give_leaders(s, row);
    give_moves(s, row);
    give(s, row, choice_at(s)->pick + s->entry[which].made);
    give(s, row, may_decline(o));
    give(s, row, o->count);
    for (V i = 1; i <= o->count; i++) {
        give_value(s, row, list_at(s, o->values)[i], 0);
        give(s, row, list_at(s, o->values)[o->count + i]);
    }
    give_value(s, row, value, 0);
}

/* Note an answer that will be taken, in a log that grows. */
static void note_answer(S *s, int which, V value) {
    jmp_buf outer;
    int why = NO_ROOM;
    memcpy(&outer, &way_out, sizeof outer);
    while (why == NO_ROOM && has_room(&s->log, &s->to_note, s->noted + 256, MOST_LOG)) {
        Row row = {s->log + s->noted, s->log + s->to_note};
        if (!(why = setjmp(way_out))) give_decision(s, &row, which, value), s->noted = row.at - s->log;
        else if (!has_room(&s->log, &s->to_note, s->to_note + 1, MOST_LOG)) why = TOO_MUCH;
    }
    memcpy(&way_out, &outer, sizeof outer);
    if (why) stop(s, why);
    for (int card = 0; card < s->g->cards; card++) s->log[card] = WHERE(s)[card];
    s->log[before_notes(s) - 1] = s->entry[which].seat;
}

enum { WHY, RESULT, WINNERS, TEAMS, TURNS, ORDER, WORK, SEATS }; /* then, seat by seat, decisions, places and scores */

/* Play on at random to the end; each seat has its own stream. `told` gets how often another seat begins to answer, and, four
   bits each, in which order the seats were asked something alone for the first time, if the first question of all was
   asked of one alone; and how much was done: decisions, what was offered, what was looked at. A game with more of it than
   may be is left as it is. */
static void play_on(S *s, Stream *bots, int64_t *told) {
    int32_t last = -1;
    int moved = 0, alone = 0;
    told[TURNS] = told[ORDER] = 0;
    if (s->result == RUNNING && !s->asked) go_on(s);
    told[WORK] = s->looked;
    while (s->result == RUNNING && told[WORK] <= s->g->most_work) {
        int which = 0;
        while (s->entry[which].done) which++;
        int32_t seat = s->entry[which].seat;
        told[WORK] += 1 + offer_to(s, which)->count;
        told[TURNS] += seat != last;
        int is_in_order = s->asked == 1 && (alone || last < 0);
        if (is_in_order && !(moved >> seat & 1)) moved |= 1 << seat, told[ORDER] |= (int64_t)(seat + 1) << 4 * alone++;
        last = seat;
        go_behind(s, answer_entry(s, which, at_random(s, which, &bots[seat])));
        told[WORK] += s->looked;
    }
}

/* ── many games ── */

/* The team of each seat, four bits each. */
static int64_t packed(S *s, const int64_t *team) {
    int64_t teams = 0;
    for (int seat = 0; seat < s->g->players; seat++) teams |= team[seat] << 4 * seat;
    return teams;
}

/* How a game stands, into its row. */
static void tell_end(S *s, int64_t *told) {
    int64_t team[MOST_PLAYERS];
    int players = s->g->players;
    find_standing(s, team, told + SEATS + players, told + SEATS + 2 * players, told + WINNERS);
    told[TEAMS] = packed(s, team);
}

static void play_one(S *s, Stream *bots, int64_t *told) {
    int why = setjmp(way_out), players = s->g->players;
    if (why || s->why) {
        told[WHY] = stopped(s, why | s->why);
        return;
    }
    play_on(s, bots, told);
    if (s->result != RUNNING) tell_end(s, told);
    told[RESULT] = s->result;
    for (int seat = 0; seat < players; seat++) told[SEATS + seat] = s->counts[seat];
    told[WHY] = OK;
}

/* The first number below a bound of each stream of a seed, by the hashes of their names. */
DOOR void first_numbers(uint64_t seed, int64_t many, const uint64_t *names, int64_t bound, uint64_t *told) {
    for (int64_t at = 0; at < many; at++) {
        Stream stream;
        start(&stream, seed, names[at], 1);
        told[at] = (uint64_t)next_number(&stream, bound);
    }
}

/* Games from one state, each with a seed of its own, also for all chance that is still to come. Before, one and the same
   answer is given, as `take_answer` has it; none for seat -1. */
DOOR void play_after(const S *from, S *s, int seat, const int64_t *numbers, int64_t size, int64_t many, const uint64_t *seeds,
                     const uint64_t *names, int64_t *told) {
    Stream bots[MOST_PLAYERS];
    int players = from->g->players;
    for (int64_t game = 0; game < many; game++, told += SEATS + 3 * players) {
        copy_state(s, from);
        s->seed = seeds[game], s->looked = 0;
        for (int i = 0; i < s->g->streams; i++) STREAM(s, i).low = STREAM(s, i).high = 0;
        for (int i = 0; i < players; i++) start(&bots[i], seeds[game], names[i], 1);
        int why = seat < 0 ? OK : take_answer(s, seat, numbers, size);
        if (why) told[WHY] = why;
        else play_one(s, bots, told);
    }
}

/* Games from one state, each to its end with a seed of its own, from which everybody has the numbers of the stream of
   their name. `s` is left as the last game ended. */
DOOR void play_games(const S *from, S *s, int64_t many, const uint64_t *seeds, const uint64_t *names, int64_t *told) {
    play_after(from, s, -1, NULL, 0, many, seeds, names, told);
}
