/* What is called from outside: a state comes in, many games are played on from it, results and states go out.

   A state travels as a row of whole numbers; a list as LIST, its length and its members. */

#define DOOR __attribute__((visibility("default")))
#define TOLD (5 + 3 * PLAYERS)
enum { WHY, TRACE, RESULT, WINNERS, TURNS, SEATS }; /* then, seat by seat, decisions, places and scores */

typedef struct {
    int64_t *at, *end;
} Row;

static int64_t next_of(S *s, Row *row) {
    if (row->at >= row->end) stop(s, UNKNOWN);
    return *row->at++;
}

static int64_t upto(S *s, Row *row, int64_t most) {
    int64_t found = next_of(s, row);
    if (found < 0 || found > most) stop(s, UNKNOWN);
    return found;
}

static V value_of(S *s, Row *row) {
    V value = next_of(s, row);
    if (value != LIST) return value;
    int64_t many = upto(s, row, MOST_LISTED);
    V *list = fresh(s);
    for (int64_t i = 0; i < many; i++) {
        V one = value_of(s, row);
        push(s, &list, one);
    }
    return handle(s, list);
}

static void load_table(S *s, Row *row) {
    s->seed = (uint64_t)next_of(s, row);
    for (int i = 0; i < STREAMS; i++) {
        s->stream[i].times = next_of(s, row);
        uint64_t low = (uint64_t)next_of(s, row), high = (uint64_t)next_of(s, row);
        s->stream[i].number = ((unsigned __int128)high << 64) | low;
    }
    for (int i = 0; i <= PLAYERS; i++) s->counts[i] = (int32_t)next_of(s, row);
    s->clock = (int32_t)next_of(s, row);
    s->result = (int32_t)upto(s, row, UNFINISHED);
    s->winners = (int32_t)upto(s, row, PLAYERS);
    for (int i = 0; i < s->winners; i++) s->won[i] = (int32_t)upto(s, row, PLAYERS - 1);
    s->playing = (int32_t)upto(s, row, PLAYERS);
    for (int i = 0; i < s->playing; i++) s->plays |= 1 << (s->alive[i] = (int32_t)upto(s, row, PLAYERS - 1));
    s->leavings = (int32_t)upto(s, row, PLAYERS);
    for (int i = 0; i < s->leavings; i++) {
        s->left[i] = (int32_t)upto(s, row, PLAYERS);
        for (int j = 0; j < s->left[i]; j++) s->leaver[i][j] = (int32_t)upto(s, row, PLAYERS - 1);
    }
    s->asked = (int32_t)upto(s, row, PLAYERS);
    s->offered = -1;
    for (int i = 0; i < s->asked; i++) {
        Entry *e = &s->entry[i];
        e->seat = (int32_t)upto(s, row, PLAYERS - 1), e->number = (int32_t)next_of(s, row);
        e->done = (int32_t)upto(s, row, 1), e->made = (int32_t)upto(s, row, MOST_PICKS);
        for (int j = 0; j < e->made; j++) e->picks[j] = value_of(s, row);
    }
}

static void load_cards(S *s, Row *row) {
    for (int i = 0; i < CARDS; i++) s->where[i] = (uint16_t)upto(s, row, PLACES - 1);
    for (int i = 0; i < CARDS; i++) s->face[i] = (uint8_t)upto(s, row, 1);
    for (int i = 0; i < MEMORIES; i++) s->memory[i] = value_of(s, row);
    for (int one = 0; one < STATES; one++)
        for (int i = 0; i < CARDS; i++) {
            s->state[one][i] = STARTS[one][i];
            set_state(s, one, i, value_of(s, row));
        }
    for (int place = 0; place < PLACES; place++) {
        s->n[place] = (int32_t)upto(s, row, KEPT[place] == POOL ? INT32_MAX : CAP);
        s->first[place] = (int32_t)upto(s, row, CAP);
        s->last[place] = (int32_t)upto(s, row, CAP);
        for (int i = 0; i < spots(s, place); i++) {
            V card = upto(s, row, EMPTY);
            if (in_no_order(place)) add_card(s, &s->set[place], card);
            else s->zone[place][i] = (CARD)card;
            if (card < CARDS) s->spot[card] = (uint16_t)i;
        }
    }
}

static void settle_lists(S *s) {
    memcpy(s->arena, LISTS, sizeof LISTS);
    s->used = SETTLED;
}

/* A state from a row; what stopped it, if something did. */
DOOR int load_state(S *s, int64_t *row, int64_t many) {
    Row in = {row, row + many};
    int why = setjmp(way_out);
    if (why) return why;
    memset(s, 0, offsetof(S, stack));
    settle_lists(s);
    s->base = -1;
    s->changes = 1;
    load_table(s, &in);
    load_cards(s, &in);
    int64_t frames = upto(s, &in, MOST_FRAMES);
    for (int64_t i = 0; i < frames; i++) {
        int code = (int)upto(s, &in, SCRIPTS - 1);
        int64_t pc = next_of(s, &in), slot = next_of(s, &in);
        V *local = enter(s, code, CODES[code].size, s->base < 0 ? 0 : (int)s->stack[s->base + PC], (int)slot);
        s->stack[s->base + PC] = pc;
        for (int j = 0; j < CODES[code].size; j++) local[j] = value_of(s, &in);
    }
    s->looked = 0;
    return in.at == in.end ? OK : UNKNOWN;
}

/* ── and back ── */

static void give(S *s, Row *row, int64_t value) {
    if (row->at >= row->end) stop(s, NO_ROOM);
    *row->at++ = value;
}

static void give_value(S *s, Row *row, V value) {
    if (!is_list(value)) {
        give(s, row, value);
        return;
    }
    const V *list = list_at(s, value);
    give(s, row, LIST);
    give(s, row, list[0]);
    for (V at = 1; at <= list[0]; at++) give_value(s, row, list[at]);
}

static void give_seats(S *s, Row *row, const int32_t *seats, int many) {
    give(s, row, many);
    for (int i = 0; i < many; i++) give(s, row, seats[i]);
}

/* A state as a row; its length, or 0 if there is no room for it. */
DOOR int64_t store_state(S *s, int64_t *row, int64_t room) {
    Row out = {row, row + room};
    if (setjmp(way_out)) return 0;
    give(s, &out, (int64_t)s->seed);
    for (int i = 0; i < STREAMS; i++) {
        give(s, &out, s->stream[i].times);
        give(s, &out, (int64_t)(uint64_t)s->stream[i].number);
        give(s, &out, (int64_t)(uint64_t)(s->stream[i].number >> 64));
    }
    for (int i = 0; i <= PLAYERS; i++) give(s, &out, s->counts[i]);
    give(s, &out, s->clock);
    give(s, &out, s->result);
    give_seats(s, &out, s->won, s->winners);
    give_seats(s, &out, s->alive, s->playing);
    give(s, &out, s->leavings);
    for (int i = 0; i < s->leavings; i++) give_seats(s, &out, s->leaver[i], s->left[i]);
    give(s, &out, s->asked);
    for (int i = 0; i < s->asked; i++) {
        const Entry *e = &s->entry[i];
        give(s, &out, e->seat), give(s, &out, e->number), give(s, &out, e->done), give(s, &out, e->made);
        for (int j = 0; j < e->made; j++) give_value(s, &out, e->picks[j]);
    }
    for (int i = 0; i < CARDS; i++) give(s, &out, s->where[i]);
    for (int i = 0; i < CARDS; i++) give(s, &out, s->face[i]);
    for (int i = 0; i < MEMORIES; i++) give_value(s, &out, s->memory[i]);
    for (int one = 0; one < STATES; one++)
        for (int i = 0; i < CARDS; i++) give_value(s, &out, s->state[one][i]);
    for (int place = 0; place < PLACES; place++) {
        give(s, &out, s->n[place]), give(s, &out, s->first[place]), give(s, &out, s->last[place]);
        CARD cards[CAP];
        const CARD *there = in_no_order(place) ? cards : s->zone[place];
        if (in_no_order(place)) lying(s, place, cards);
        for (int i = 0; i < spots(s, place); i++) give(s, &out, there[i]);
    }
    int64_t bases[MOST_FRAMES], frames = 0;
    for (int64_t base = s->base; base >= 0; base = s->stack[base + CALLER]) bases[frames++] = base;
    give(s, &out, frames);
    while (frames--) {
        const V *frame = s->stack + bases[frames];
        give(s, &out, frame[CODE]), give(s, &out, frame[PC]), give(s, &out, frame[ANSWERS]);
        for (int j = 0; j < CODES[frame[CODE]].size; j++) give_value(s, &out, frame[LOCALS + j]);
    }
    return out.at - row;
}

/* ── standings ── */

static void results(S *s, int64_t *told) {
    int64_t *places = told + SEATS + PLAYERS, *scores = places + PLAYERS, ahead = 0;
    V key[PLAYERS][2 * KEYS + 1];
    for (int seat = 0; seat < PLAYERS; seat++) {
        for (int which = 0; which < KEYS; which++) {
            V number = result_key(s, which, seat);
            if (number == LACKS) number = NOTHING;
            if (!which) scores[seat] = number == NOTHING ? 0 : number;
            key[seat][2 * which] = number != NOTHING;
            key[seat][2 * which + 1] = number == NOTHING ? 0 : KEY_IS_MOST[which] ? number : -number;
        }
        if (!KEYS) scores[seat] = 0;
        places[seat] = 0;
    }
    for (int i = 0; s->result == WON && i < s->winners; i++) places[s->won[i]] = 1, ahead++;
    int64_t playing = 0;
    for (int i = 0; i < s->playing; i++) {
        int seat = s->alive[i];
        if (places[seat]) continue;
        playing++;
        int64_t better = 0;
        for (int j = 0; j < s->playing && s->result != WON; j++)
            better += is_more(key[s->alive[j]], key[seat], 2 * KEYS);
        places[seat] = ahead + better + 1;
    }
    ahead += playing;
    for (int i = s->leavings - 1; i >= 0; i--) {
        int64_t group = 0;
        for (int j = 0; j < s->left[i]; j++) {
            int won = 0;
            for (int k = 0; s->result == WON && k < s->winners; k++) won |= s->won[k] == s->leaver[i][j];
            if (!won) places[s->leaver[i][j]] = ahead + 1, group++;
        }
        ahead += group;
    }
    told[WINNERS] = 0;
    for (int seat = 0; s->result != WON && seat < PLAYERS; seat++)
        told[WINNERS] |= (int64_t)(places[seat] == 1) << seat;
    for (int i = 0; s->result == WON && i < s->winners; i++) told[WINNERS] |= (int64_t)1 << s->won[i];
}

/* ── games ── */

/* A state becomes another one; all have the same settled lists. */
static void copy_state(S *to, const S *from) {
    memcpy(to, from, offsetof(S, stack));
    memcpy(to->stack, from->stack, (size_t)from->top * sizeof(V));
    memcpy(to->arena + SETTLED, from->arena + SETTLED, (size_t)(from->used - SETTLED) * sizeof(V));
}

static int play_on(S *s) {
    int why = setjmp(way_out);
    if (why) return why;
    while (s->result == RUNNING) CODES[s->stack[s->base + CODE]].run(s);
    return OK;
}

static void ask_result(S *s, int64_t *told) {
    int why = setjmp(way_out);
    if (why) told[WHY] = why;
    else results(s, told);
}

DOOR int64_t size_of_state(void) { return sizeof(S); }
DOOR int64_t size_of_told(void) { return TOLD; }

/* On to the next decision, or to the end; what stopped it, if something did. */
static int step(S *s) {
    int why = setjmp(way_out);
    if (why) return why;
    s->stepping = 1;
    do CODES[s->stack[s->base + CODE]].run(s);
    while (s->result == RUNNING && (!s->asked || s->offered < 0));
    return OK;
}

DOOR int advance_state(S *s) {
    s->given = LACKS;
    return s->result == RUNNING && (!s->asked || s->offered < 0) ? step(s) : OK;
}

/* Takes an answer, by the numbers of its values among those that are offered; -1 of them is to pass. Goes on to the next
   decision; what stopped it, or -1 if the answer may not be given. */
DOOR int take_answer(S *s, const int64_t *numbers, int64_t many) {
    int32_t clock = s->clock;
    if (!s->asked || s->offered < 0) return -1;
    const V *values = list_at(s, s->offer[s->offered].values);
    for (int64_t i = 0; i < many; i++)
        if (numbers[i] < 0 || numbers[i] >= values[0]) return -1;
    if (many < 0) {
        s->given = ABSENT;
    } else if (!s->offer[s->offered].set) {
        if (many != 1) return -1;
        s->given = values[1 + numbers[0]];
    } else {
        if (setjmp(way_out)) return TOO_MUCH;
        V *set = fresh(s);
        for (int64_t i = 0; i < many; i++) {
            if (holds(s, set, values[1 + numbers[i]])) return -1;
            push(s, &set, values[1 + numbers[i]]);
        }
        s->given = handle(s, set);
    }
    int why = step(s);
    return why ? why : s->clock == clock ? -1 : OK;
}

/* What is offered to whom: seat, whether to pass is an answer, how many are wanted at least and at most, whether it is a
   set, whether it has an order, the values. The length of the row, or 0 if there is no room for it. */
DOOR int64_t what_is_offered(S *s, int64_t *row, int64_t room) {
    Row out = {row, row + room};
    if (!s->asked || s->offered < 0 || setjmp(way_out)) return 0;
    const Offer *o = &s->offer[s->offered];
    give(s, &out, s->entry[s->offered].seat), give(s, &out, o->may), give(s, &out, o->least), give(s, &out, o->most);
    give(s, &out, o->set), give(s, &out, o->ordered);
    give_value(s, &out, o->values);
    return out.at - row;
}

DOOR void copy_to(S *to, const S *from) {
    settle_lists(to);
    copy_state(to, from);
}

/* Games from one state, each to its end; with each seed everybody answers with their own numbers. If they are whole
   games, the seed is that of the game too. `s` is left as the last game ended. */
DOOR void play_games(const S *from, S *s, int64_t many, const uint64_t *seeds, int whole, int64_t *told) {
    settle_lists(s);
    for (int64_t game = 0; game < many; game++, told += TOLD) {
        copy_state(s, from);
        if (whole) s->seed = seeds[game];
        for (int seat = 0; seat < PLAYERS; seat++) s->bot[seat] = start(seeds[game], BOT_NAMES[seat], 1);
        s->trace = 0xCBF29CE484222325u;
        s->looked = s->depth = s->stepping = 0;
        s->offered = -1;
        s->turns = 0, s->before = -1;
        told[WHY] = play_on(s);
        told[TRACE] = (int64_t)s->trace;
        told[RESULT] = s->result;
        told[TURNS] = s->turns;
        for (int seat = 0; seat < PLAYERS; seat++) told[SEATS + seat] = s->counts[seat];
        if (!told[WHY]) ask_result(s, told);
    }
}
