/* A game from an image: the sections one after the other, each checked once, so that a wrong program is refused. */

typedef struct {
    Game *g;
    const V *at[SECTIONS];
    V size[SECTIONS];
} Image;

static int is_within(V value, V below) { return value >= 0 && value < below; }
static int is_in(V value, V least, V below) { return value >= least && value < below; }

/* A counted list among the data: how many, or -1 if it does not stand there. */
static V counted(const Image *in, V at) {
    if (!is_within(at, in->size[DATA])) return -1;
    V many = in->at[DATA][at];
    return many >= 0 && many < in->size[DATA] - at ? many : -1;
}

static int all_in(const Image *in, V at, V least, V below) {
    V many = counted(in, at);
    for (V i = 1; i <= many; i++)
        if (!is_in(in->at[DATA][at + i], least, below)) return 0;
    return many >= 0;
}

/* Whether a step is the first number of an op of a code. */
static int is_step(const uint8_t *begins, V first, V last, V at) { return at >= first && at < last && begins[at]; }

/* Whether a value is a list of the program. */
static int is_list_of(const Game *g, V value) {
    V at = 0;
    while (at < g->lists && at < value - LIST) at += g->list[at] + 1;
    return at < g->lists && at == value - LIST;
}

/* Whether a number is no list and may be a value. */
static int is_plain(V value) {
    if (value == NOTHING || value == ABSENT) return 1;
    return is_in(value, 1 - MOST_VALUE, MOST_VALUE) || is_in(value, WORD, LIST);
}

static int is_value(const Game *g, V value) { return value < LIST ? is_plain(value) : is_list_of(g, value); }

/* Whether so many numbers among the data are values: no list but those of the program. */
static int are_values(const Image *in, V at, V many) {
    for (V i = 0; i < many; i++)
        if (!is_value(in->g, in->at[DATA][at + i])) return 0;
    return 1;
}

/* Where a code ends. */
static V end_of_code(const Game *g, const Code *code) {
    V end = g->steps;
    for (int i = 0; i < g->codes; i++)
        if (g->code[i].entry > code->entry && g->code[i].entry < end) end = g->code[i].entry;
    return end;
}

/* What of a code stands together: its script, or what is run on its own. */
typedef struct {
    const Code *code;
    V first, last;
    int is_piece;
} Span;

static int check_operand(const Image *in, char kind, V value, V next, const Span *span, const uint8_t *begins) {
    const Game *g = in->g;
    const Code *code = span->code;
    V registers = code->size + code->width + code->constants + code->loops, locals = code->size + code->width, many;
    switch (kind) {
    case 'w': return is_within(value, registers) && !is_in(value, locals, locals + code->constants);
    case 'W': return value == -1 || is_within(value, locals);
    case 'r': return is_within(value, registers);
    case 'R': return value == -1 || is_within(value, registers);
    case 'f': return next >= 0 && value >= 0 && value <= registers && next <= registers - value;
    case 'F': return (many = counted(in, next)) >= 0 && value >= 0 && value <= registers && many <= registers - value;
    case 't': return is_step(begins, span->first, span->last, value);
    case 'e': return !span->is_piece && is_step(begins, code->pieces, end_of_code(g, code), value);
    case 'n': return 1;
    case 'm': return is_within(value, g->kinds_of_memory);
    case 's': return is_within(value, g->changing);
    case 'k': return is_within(value, g->scripts);
    case 'q': return is_in(value, g->scripts, g->codes);
    case 'g': return is_within(value, g->stages) && g->code + g->stage[value].code == code;
    case 'y': return is_within(value, g->names);
    case 'u': return is_within(value, g->streams);
    case 'h': return is_within(value, in->size[CHOICES] / (V)(sizeof(Choice) / sizeof(V)));
    case 'L': return counted(in, value) >= 0;
    case 'Z': return all_in(in, value, 0, locals);
    case 'T':
        many = counted(in, value);
        for (V i = 1; i <= many; i++)
            if (!is_step(begins, span->first, span->last, in->at[DATA][value + i])) return 0;
        return many >= 0;
    case 'P': return all_in(in, value, -1, g->places);
    case 'O': return value >= 0 && value <= in->size[DATA] - g->objects && are_values(in, value, g->objects);
    case 'S': return counted(in, value) >= (g->objects + 63) / 64;
    case 'K': return all_in(in, value, -1, g->scripts) && counted(in, value) >= g->objects;
    case 'Q':
        many = counted(in, value);
        for (V i = 1; i <= many; i++)
            if (in->at[DATA][value + i] != -1 && !is_in(in->at[DATA][value + i], g->scripts, g->codes)) return 0;
        return many >= g->objects;
    case 'v':
        many = counted(in, value);
        for (V i = 1; i <= many; i++)
            if (in->at[DATA][value + i] != -1 && !is_step(begins, code->pieces, end_of_code(g, code), in->at[DATA][value + i]))
                return 0;
        return many >= 0;
    }
    return 0;
}

/* Whether a script or question of each object takes so many values. */
static int all_take(const Image *in, V at, V count) {
    for (V i = 1; i <= in->g->objects; i++)
        if (in->at[DATA][at + i] >= 0 && count > in->g->code[in->at[DATA][at + i]].size) return 0;
    return count >= 1;
}

/* Whether all but the first of a list are cells. */
static int all_cells(const Image *in, V at) {
    for (V i = 2; i <= in->at[DATA][at]; i++)
        if (!is_within(in->at[DATA][at + i], in->g->cells)) return 0;
    return 1;
}

/* What the kinds of operands do not say. */
static int check_more(const Image *in, int op, const int32_t *o, const Code *code) {
    const Game *g = in->g;
    V many;
    switch (op) {
    case OP_leave_stages:
    case OP_leave:
        many = counted(in, o[op == OP_leave]);
        for (V i = 1; i <= many; i++) {
            V stage = in->at[DATA][o[op == OP_leave] + i];
            if (!is_within(stage, g->stages) || g->code + g->stage[stage].code != code) return 0;
        }
        return 1;
    case OP_ask: return o[3] <= g->code[o[1]].size;
    case OP_call: return o[2] <= g->code[o[0]].size;
    case OP_ask_hook: return all_take(in, o[1], o[3]);
    case OP_call_hook: return all_take(in, o[0], o[3]);
    case OP_rank: return counted(in, o[3]) <= MOST_KEYS && all_in(in, o[3], -1, 2);
    case OP_read_player_memory: return g->memory[o[1]].slots >= g->players;
    case OP_least_of:
    case OP_most_of: return o[2] >= 1;
    case OP_make_list: return o[2] <= MOST_LISTED;
    case OP_number_word: return are_values(in, o[1] + 1, counted(in, o[1]));
    case OP_reckon_tables: return is_in(o[1], 0, SIGNS);
    case OP_read_step: return counted(in, o[1]) % 2 == 0 && are_values(in, o[1] + 1, counted(in, o[1]));
    case OP_find_near:
    case OP_list_lines: return is_in(o[2], ROW_OF, BESIDE + 1);
    case OP_find_neighbour: return o[2] == 1 || o[2] == -1;
    case OP_move: return is_in(o[2], ANY_END, BOTTOM_END + 1) && is_in(o[3], ANY_FACE, FACE_UP + 1);
    case OP_draw_next: return is_in(o[4], ANY_END, BOTTOM_END + 1) && is_in(o[5], ANY_FACE, FACE_UP + 1);
    case OP_pass_each: return all_in(in, o[0], 0, g->places) && counted(in, o[0]) >= g->players;
    case OP_select_from_players: return all_in(in, o[1], 0, g->places) && counted(in, o[1]) >= g->players;
    case OP_begin_deal: return all_in(in, o[2], 0, g->places) && counted(in, o[2]) >= g->players;
    case OP_pick_next: return counted(in, o[3]) >= 1;
    case OP_roll_next: return g->state[o[2]].values >= 0;
    case OP_recall:
    case OP_remember:
        return counted(in, o[3]) >= 1 && is_within(in->at[DATA][o[3] + 1], INT32_MAX) && all_cells(in, o[3]);
    }
    return 1;
}

/* Whether no step comes behind an op but where that leads. */
static int is_ending(int op) {
    static const int ENDINGS[] = {OP_jump, OP_answer, OP_leave, OP_hush, OP_keep, OP_gather, OP_gather_all, OP_gather_cards, OP_rank,
                                  OP_any_member, OP_all_members, OP_switch};
    for (size_t i = 0; i < sizeof ENDINGS / sizeof *ENDINGS; i++)
        if (ENDINGS[i] == op) return 1;
    return 0;
}

/* The end of so many lists that are counted, one behind the other, each with so many numbers at least and all but the
   `free` ones of these locals; -1 if they do not stand there. */
static V end_of_lists(const Image *in, V at, V least, V least_free, V end_free, V locals) {
    if (!is_within(at, in->size[DATA])) return -1;
    for (V left = in->at[DATA][at++]; left > 0; left--) {
        V many = counted(in, at);
        if (many < least) return -1;
        for (V i = 1; i <= many; i++)
            if (!is_in(i, least_free, end_free) && !is_within(in->at[DATA][at + i], locals)) return -1;
        at += many + 1;
    }
    return at;
}

/* Whether it is said of a step what scripts remember there: who is named, locals, and lists that are gone through. */
static int check_unknown(const Image *in, V at, const Code *code, const uint8_t *begins) {
    V named = counted(in, at), walks = 0;
    if (!is_in(named, 0, WIDEST) || !all_in(in, at, -1, code->size)) return 0;
    walks = end_of_lists(in, at + 1 + named, 1, 0, 0, code->size);
    if (walks < 0 || end_of_lists(in, walks, 5, 4, 6, code->size) < 0) return 0;
    V left = in->at[DATA][walks];
    for (at = walks + 1; left > 0; left--, at += in->at[DATA][at] + 1) {
        V anew = in->at[DATA][at + 4], options = in->at[DATA][at + 5];
        if (!is_in(options, 0, MOST_LISTED)) return 0;
        if (anew != -1 && !is_step(begins, code->pieces, end_of_code(in->g, code), anew)) return 0;
    }
    return 1;
}

static int check_span(const Image *in, const Span *span, const uint8_t *begins) {
    for (V at = span->first; at < span->last;) {
        int op = (int)in->g->step[at], stage = in->g->stage_at[at];
        const char *kinds = OP_TABLE[op].kinds;
        if (span->is_piece ? op >= FIRST_IN_SCRIPTS : op == OP_answer) return 0;
        for (int i = 0; kinds[i]; i++)
            if (!check_operand(in, kinds[i], in->g->step[at + 1 + i], in->g->step[at + 2 + i], span, begins)) return 0;
        if (!check_more(in, op, in->g->step + at + 1, span->code)) return 0;
        if (in->g->trap[at] != -1 && !is_step(begins, span->first, span->last, in->g->trap[at])) return 0;
        if (stage != -1 && (!is_within(stage, in->g->stages) || in->g->code + in->g->stage[stage].code != span->code)) return 0;
        if (in->g->unknown_at[at] != -1 && !check_unknown(in, in->g->unknown_at[at], span->code, begins)) return 0;
        at += LENGTH[op];
        if (at > span->last || (at == span->last && !is_ending(op))) return 0;
    }
    return 1;
}

static int check_code(const Image *in, const Code *code, const uint8_t *begins) {
    const Game *g = in->g;
    V last = end_of_code(g, code);
    int is_script = code - g->code < g->scripts;
    if (!is_in(code->pieces, code->entry, last + 1) || (code->pieces < last && !begins[code->pieces])) return 0;
    if (is_script ? code->pieces == code->entry : code->pieces != code->entry || code->entry == last) return 0;
    Span script = {code, code->entry, code->pieces, 0}, pieces = {code, code->pieces, last, 1};
    return check_span(in, &script, begins) && check_span(in, &pieces, begins);
}

static int check_choices(const Image *in, const uint8_t *begins) {
    const Game *g = in->g;
    V picks = in->size[PICKS] / (V)(sizeof(Pick) / sizeof(V)), sources = in->size[SOURCES] / (V)(sizeof(Source) / sizeof(V));
    for (int which = 0; which < g->scripts; which++) {
        const Code *code = g->code + which;
        V first = code->pieces, last = end_of_code(g, code);
        for (V at = code->entry; at < first; at += LENGTH[g->step[at]]) {
            if (g->step[at] != OP_choose) continue;
            const Choice *c = g->choice + g->step[at + 1];
            if (!is_step(begins, first, last, c->deciders) || !is_in(c->decider, -1, code->size)) return 0;
            if (!is_in(c->picks, 1, MOST_PICKS + 1) || !is_in(c->pick, 0, picks - c->picks + 1)) return 0;
            for (V i = 0; i < c->picks; i++) {
                const Pick *p = g->pick + c->pick + i;
                const V entries[3] = {p->least, p->most, p->so_that};
                if (!is_within(p->slot, code->size) || !is_in(p->sources, 1, sources + 1) || p->sources > MOST_LISTED) return 0;
                if (!is_in(p->source, 0, sources - p->sources + 1)) return 0;
                for (int j = 0; j < 3; j++)
                    if (entries[j] != -1 && !is_step(begins, first, last, entries[j])) return 0;
                for (V j = 0; j < p->sources; j++)
                    if (!is_step(begins, first, last, g->source[p->source + j].list)) return 0;
                V folds = p->folds == -1 ? 0 : counted(in, p->folds);
                if (folds < 0 || folds > 2 * MOST_FOLDS || folds % 2) return 0;
                for (V j = 1; j <= folds; j += 2)
                    if (!is_in(in->at[DATA][p->folds + j], 0, FOLDS) ||
                        !is_step(begins, first, last, in->at[DATA][p->folds + j + 1]))
                        return 0;
            }
        }
    }
    return 1;
}

/* Whether the lists of the program stand one behind the other, and hold values and lists before them. */
static int check_lists(const V *list, V size) {
    for (V at = 0; at < size;) {
        V many = list[at];
        if (many < 0 || many > MOST_LISTED || many >= size - at) return 0;
        for (V i = 1; i <= many; i++)
            if (list[at + i] >= LIST && list[at + i] - LIST >= at) return 0;
        at += many + 1;
    }
    return 1;
}

static int check_places(const Game *g) {
    for (int i = 0; i < g->places; i++) {
        const Place *p = g->place + i;
        if (!is_in(p->kept, BAG, GRID + 1) || !is_in(p->seen_by, BY_NOBODY, BY_OTHERS + 1) || !is_in(p->refill, -1, g->places)) return 0;
        if (!is_in(p->owned_by, OF_TABLE, OF_CARD + 1) || !is_within(p->stream, g->streams)) return 0;
        if (p->owned_by == OF_PLAYER && !is_within(p->owner, g->players)) return 0;
        if (!is_in(p->alike_once, 0, 2) || !is_in(p->cell, CELLS_BEFORE, g->first_memory)) return 0;
        if (!is_in(p->rows, 0, NO_CARD) || !is_in(p->columns, 0, NO_CARD) || p->rows * p->columns >= NO_CARD) return 0;
        if (p->room != (p->kept == SLOT ? 1 : p->kept == POOL ? 0 : p->kept == GRID ? p->rows * p->columns : g->cards)) return 0;
    }
    return 1;
}

static int check_tables(const Image *in, const uint8_t *begins, V steps) {
    const Game *g = in->g;
    for (int i = 0; i < g->kinds_of_memory; i++)
        if (g->memory[i].slots < 1 || !is_in(g->memory[i].first, 0, g->memories - g->memory[i].slots + 1)) return 0;
    for (int i = 0; i < g->kinds_of_memory; i++)
        if (g->memory[i].values != -1 && counted(in, g->memory[i].values) < 0) return 0;
    for (int i = 0; i < g->kinds_of_memory; i++) {
        V at = g->memory[i].legal, many = counted(in, at);
        if (at != -1 && (many < 1 || !are_values(in, at + 1, many))) return 0;
        if (!is_in(g->memory[i].seen_by, BY_NOBODY, BY_OTHERS + 1)) return 0;
        if (!is_in(g->memory[i].owned, 0, 2) || (g->memory[i].owned && g->memory[i].slots != g->players)) return 0;
        V follows = g->memory[i].follows;
        if (follows != -1 && (!is_in(follows, g->scripts, g->codes) || g->memory[i].owned > g->code[follows].size)) return 0;
    }
    for (int i = 0; i < g->cards; i++)
        if (!is_within(g->kind[i], in->size[TOPS])) return 0;
    for (int i = 0; i < g->changing; i++) {
        const Changing *one = g->state + i;
        if (one->starts < 0 || one->starts > in->size[DATA] - g->cards) return 0;
        if (counted(in, one->values) < 1 && one->values != -1) return 0;
        if (one->range != -1 && counted(in, one->range) < 0) return 0;
        if (!are_values(in, one->starts, g->cards)) return 0;
        if (one->values != -1 && !are_values(in, one->values + 1, counted(in, one->values))) return 0;
    }
    for (int i = 0; i < g->stages; i++) {
        const Stage *one = g->stage + i;
        if (!is_in(one->outer, -1, i) || !is_within(one->name, g->names) || !is_within(one->exit, steps)) return 0;
        if (!is_within(one->code, g->scripts)) return 0;
        const Code *code = g->code + one->code;
        if (one->outer >= 0 && g->stage[one->outer].code != one->code) return 0;
        if (!is_step(begins, code->entry, code->pieces, one->exit)) return 0;
        if (one->until != -1 && !is_step(begins, code->pieces, end_of_code(g, code), one->until)) return 0;
    }
    for (int i = 0; i < g->names; i++)
        if (counted(in, g->lasting[i]) < 0 || !all_in(in, g->lasting[i], 0, g->kinds_of_memory) ||
            !all_in(in, g->lasting[i] + 1 + counted(in, g->lasting[i]), 0, g->changing))
            return 0;
    for (int i = 0; i < g->stages; i++) {
        V kept = counted(in, g->stage[i].kept), at = g->lasting[g->stage[i].name], memories = counted(in, at);
        if (!all_in(in, g->stage[i].kept, 0, g->code[g->stage[i].code].size)) return 0;
        if (kept && kept != memories + 2 * counted(in, at + 1 + memories)) return 0;
    }
    for (int i = 0; i < g->rank; i++)
        if (!is_in(g->key[2 * i], g->scripts, g->codes) || g->code[g->key[2 * i]].size < 1) return 0;
    return !g->team || (is_in(g->team, g->scripts, g->codes) && g->code[g->team].size >= 1);
}

/* Whether what stands in lists and memories at first are numbers, words, or lists of the program. */
static int check_values(const Image *in) {
    const Game *g = in->g;
    for (V at = 0; at < g->lists;) {
        V many = g->list[at++];
        for (; many > 0; many--, at++)
            if (!is_value(g, g->list[at])) return 0;
    }
    for (int i = 0; i < g->kinds_of_memory; i++) {
        V entries = g->memory[i].entries, start = g->memory[i].start;
        if (!is_value(g, start) || (entries && (!is_list(start) || g->list[start - LIST] != entries))) return 0;
    }
    return 1;
}

static int check_game(const Image *in, V steps) {
    Game *g = in->g;
    uint8_t *begins = calloc((size_t)steps + 1, 1);
    int good = begins != NULL && g->codes > 0 && g->players >= 1 && g->players <= MOST_PLAYERS && g->cards < NO_CARD &&
               is_in(g->places, 1, MOST_PLACES + 1);
    for (V at = 0; good && at < steps;) {
        begins[at] = 1;
        good = is_within(g->step[at], NUMBER_OF_OPS) && (at += LENGTH[g->step[at]]) <= steps;
    }
    for (int i = 0; good && i < g->codes; i++) {
        const Code *code = g->code + i;
        good = is_within(code->entry, steps) && begins[code->entry] && is_in(code->size, 0, WIDEST) &&
               is_in(code->width, 0, WIDEST) && is_in(code->constants, 0, WIDEST) && is_in(code->loops, 0, WIDEST) &&
               is_in(code->constant, 0, in->size[DATA] - code->constants + 1) && is_in(code->parameters, 0, code->size + 1);
    }
    good = good && check_lists(g->list, g->lists) && check_places(g) && check_tables(in, begins, steps) && check_values(in);
    for (int i = 0; good && i < g->codes; i++)
        good = are_values(in, g->code[i].constant, g->code[i].constants) && check_code(in, g->code + i, begins) &&
               all_in(in, g->code[i].cards, 0, g->code[i].size) && all_in(in, g->code[i].scratch, 0, g->code[i].size);
    good = good && check_choices(in, begins);
    for (V at = 0; good && at < steps; at++)
        if (!begins[at]) ((int32_t *)g->trap)[at] = NO_STEP;
    free(begins);
    return good;
}

/* The windows of all codes as they are when these begin: nothing, but for constants. */
static int lay_blanks(Game *g) {
    V many = 0, at = 0, script = 0, widest = 0;
    for (int i = 0; i < g->codes; i++) {
        const Code *code = g->code + i;
        V wide = g->window[i].many = (code->size + code->width + code->constants + code->loops + 3) / 4 * 4;
        many += wide;
        if (i < g->scripts && wide > script) script = wide;
        else if (i >= g->scripts && wide > widest) widest = wide;
    }
    g->ahead = 8 * (REGISTERS + script) + (MOST_ASKING + 8) * (REGISTERS + widest);
    if (!(g->blanks = malloc((size_t)(many + 1) * sizeof(V)))) return 0;
    for (int i = 0; i < g->codes; at += g->window[i++].many) {
        const Code *code = g->code + i;
        for (V j = 0; j < g->window[i].many; j++) g->blanks[at + j] = NOTHING;
        memcpy(g->blanks + at + code->size + code->width, g->data + code->constant, (size_t)code->constants * sizeof(V));
        g->window[i].blank = g->blanks + at;
    }
    return 1;
}

/* Of the ops that the loop itself does, which operand is a table among the data; 0 for none. */
static int table_of(int op) {
    switch (op) {
    case OP_find_place:
    case OP_find_card_of:
    case OP_count_place_of:
    case OP_read_attribute:
    case OP_jump_if_one_of:
    case OP_jump_unless_one_of: return 1;
    case OP_is_one_of: return 2;
    case OP_recall:
    case OP_remember: return 3;
    }
    return 0;
}

/* The steps as they run. */
static int make_steps(Game *g) {
    const void *const *label = (const void *const *)(intptr_t)run(NULL, NULL, NULL);
    if (!(g->made = malloc((size_t)(g->steps + 8) * sizeof(V)))) return 0;
    for (V at = 0; at < g->steps + 8; at++) g->made[at] = g->step[at];
    for (V at = 0; at < g->steps; at += LENGTH[g->step[at]]) {
        const char *kinds = OP_TABLE[g->step[at]].kinds;
        g->made[at] = (V)(intptr_t)label[g->step[at]];
        for (int i = 0; kinds[i]; i++)
            if (kinds[i] == 't') g->made[at + 1 + i] = word_at(g, g->step[at + 1 + i]);
        V *table = g->made + at + 1 + table_of(g->step[at]);
        if (table_of(g->step[at])) *table = (V)(intptr_t)(g->data + *table);
    }
    g->answer = (V)(intptr_t)label[OP_answer];
    return 1;
}

/* Where everything lies in a state. */
static void lay_out(Game *g) {
    size_t at = sizeof(S), zones = 0, *gap = g->gaps, cards = (size_t)g->cards;
#define LAY(name, type, many) (*gap++ = at, at = (at + GAP + 15) & ~(size_t)15, g->name = at, at += sizeof(type) * (size_t)(many))
    LAY(streams_at, Stream, g->streams);
    LAY(memory_at, V, g->memories);
    LAY(state_at, V, (size_t)g->changing * cards);
    LAY(set_at, uint64_t, (size_t)g->places * (size_t)g->parts);
    LAY(count_at, Count, g->places);
    for (int i = 0; i < g->places; i++) {
        g->zone_at[i] = (int32_t)zones, g->kept[i] = (uint8_t)g->place[i].kept;
        zones += g->place[i].kept == BAG || g->place[i].kept == LOOSE || g->place[i].kept == POOL ? 0 : (size_t)g->place[i].room;
    }
    LAY(zones_at, uint16_t, zones);
    LAY(where_at, uint16_t, cards);
    LAY(spot_at, uint16_t, cards);
    LAY(face_at, uint8_t, cards);
    LAY(known_at, uint16_t, g->parts * 64);
    LAY(cells_at, int64_t, g->cells);
    LAY(offers_at, V, MOST_LISTED);
#undef LAY
    *gap = at;
    g->size = at + GAP;
}

/* Forbid what lies between the parts of a state, or allow it while all of them are copied. */
static void guard(const Game *g, const S *s, int forbid) {
#ifdef __SANITIZE_ADDRESS__
    for (int i = 0; g->gaps[i]; i++) {
        if (forbid) ASAN_POISON_MEMORY_REGION((const char *)s + g->gaps[i], GAP);
        else ASAN_UNPOISON_MEMORY_REGION((const char *)s + g->gaps[i], GAP);
    }
#endif
    (void)g, (void)s, (void)forbid;
}

#define DOOR __attribute__((visibility("default")))

/* From now on it is counted in such a row how often a game comes by each of so many points. */
DOOR void watch_games(Game *g, Watch *watch) { g->watch = watch; }

DOOR void bound_work(Game *g, int64_t most) { g->most_work = most; }

DOOR void close_game(Game *g) {
    if (!g) return;
    free(g->image);
    free(g->blanks);
    free(g->window);
    free((void *)g->step);
    free(g->made);
    free((void *)g->trap);
    free((void *)g->unknown_at);
    free((void *)g->stage_at);
    free(g->zone_at);
    free(g->kept);
    free(g);
}

static int32_t *narrowed(const V *from, V many) {
    int32_t *to = malloc((size_t)(many + 8) * sizeof *to);
    if (!to) return NULL;
    for (V i = 0; i < many; i++) to[i] = from[i] < INT32_MIN || from[i] > INT32_MAX ? -2 : (int32_t)from[i];
    memset(to + many, 0xFF, 8 * sizeof *to);
    return to;
}

/* A game from an image of so many numbers, or none if it is no right one. */
DOOR Game *open_game(const V *image, V size) {
    Image in;
    Game *g = calloc(1, sizeof *g);
    if (!g || size < 2 * SECTIONS || !(g->image = malloc((size_t)size * sizeof(V)))) goto wrong;
    memcpy(g->image, image, (size_t)size * sizeof(V));
    in.g = g, g->most_work = INT64_MAX;
    for (int i = 0; i < SECTIONS; i++) {
        V at = g->image[2 * i], many = g->image[2 * i + 1];
        if (at < 2 * SECTIONS || many < 0 || at > size || many > size - at) goto wrong;
        in.at[i] = g->image + at, in.size[i] = many;
    }
#define MANY(section, type) (in.size[section] / (V)(sizeof(type) / sizeof(V)))
    if (in.size[SIZES] != SIZES_END) goto wrong;
    const V *sizes = in.at[SIZES];
    for (int i = 0; i < SIZES_END; i++)
        if (!is_in(sizes[i], 0, 1 << 24)) goto wrong;
    g->players = (int)sizes[N_PLAYERS], g->cards = (int)sizes[N_CARDS], g->objects = (int)sizes[N_OBJECTS];
    g->memories = (int)sizes[N_MEMORIES], g->names = (int)sizes[N_NAMES];
    g->places = (int)MANY(PLACES, Place), g->changing = (int)MANY(CHANGING, Changing), g->streams = (int)in.size[STREAMS];
    g->codes = (int)MANY(CODES, Code), g->stages = (int)MANY(STAGES, Stage), g->rank = (int)(in.size[RANK] / 2);
    g->parts = (g->cards + 63) / 64 + !g->cards, g->lists = in.size[LISTS], g->root = (int)sizes[ROOT];
    V steps = g->steps = in.size[STEPS];
    g->scripts = (int)sizes[N_SCRIPTS];
    if (in.size[LIKENESS] != g->cards || in.size[SINGULAR] != g->cards || in.size[TRAPS] != steps || in.size[UNKNOWN_AT] != steps) goto wrong;
    if (in.size[STAGE_AT] != steps || in.size[LASTING] != g->names || g->objects < g->cards || !is_within(g->root, g->scripts) || g->scripts > g->codes) goto wrong;
    if (g->rank > MOST_KEYS || in.size[KINDS] != g->cards || in.size[TOPS] > MOST_KINDS) goto wrong;
    g->kind = in.at[KINDS], g->tops = in.at[TOPS], g->pays = (int)sizes[PAYS], g->triggers = (int)sizes[TRIGGERS] - 1;
    g->team = (int)sizes[TEAM];
    if (g->triggers >= g->scripts) goto wrong;
    g->kinds_of_memory = (int)MANY(MEMORY, Memory);
    g->first_memory = (int)sizes[N_CELLS_OF_PLACES], g->first_state = g->first_memory + g->kinds_of_memory;
    g->cells = g->first_state + g->changing;
    g->place = (const Place *)in.at[PLACES], g->supplies = 0, g->likeness = in.at[LIKENESS], g->singular = in.at[SINGULAR];
    g->state = (const Changing *)in.at[CHANGING], g->memory = (const Memory *)in.at[MEMORY], g->stream = in.at[STREAMS];
    g->code = (const Code *)in.at[CODES], g->stage = (const Stage *)in.at[STAGES], g->lasting = in.at[LASTING];
    g->choice = (const Choice *)in.at[CHOICES], g->pick = (const Pick *)in.at[PICKS];
    g->source = (const Source *)in.at[SOURCES], g->data = in.at[DATA], g->list = in.at[LISTS], g->key = in.at[RANK];
    g->step = narrowed(in.at[STEPS], steps), g->trap = narrowed(in.at[TRAPS], steps), g->unknown_at = narrowed(in.at[UNKNOWN_AT], steps);
    int16_t *stage_at = malloc((size_t)(steps + 1) * sizeof *stage_at);
    g->stage_at = stage_at;
    g->window = calloc((size_t)g->codes + 1, sizeof *g->window);
    g->zone_at = calloc((size_t)g->places + 1, sizeof *g->zone_at);
    g->kept = calloc((size_t)g->places + 1, sizeof *g->kept);
    if (!g->step || !g->trap || !g->unknown_at || !stage_at || !g->zone_at || !g->kept || !g->window) goto wrong;
    for (V i = 0; i < steps; i++) stage_at[i] = is_in(in.at[STAGE_AT][i], -1, 30000) ? (int16_t)in.at[STAGE_AT][i] : 30000;
    if (!check_game(&in, steps) || !lay_blanks(g) || !make_steps(g)) goto wrong;
    for (int i = 0; i < g->places; i++) g->supplies |= (int)g->place[i].alike_once;
    lay_out(g);
    if (g->size > MOST_COUNTED) goto wrong;
    return g;
wrong:
    close_game(g);
    return NULL;
}

/* The ops that this core knows, each with the kinds of its operands. */
DOOR const char *op_name(int op) { return is_within(op, NUMBER_OF_OPS) ? OP_TABLE[op].name : ""; }
DOOR const char *op_kinds(int op) { return is_within(op, NUMBER_OF_OPS) ? OP_TABLE[op].kinds : ""; }
