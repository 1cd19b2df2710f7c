/* Many games of the same rules, a decision of each a call: who is asked, what may be answered, and what that seat knows.

   Answers are those that seats tell apart, as bots think about them, by their numbers. */

#define OVER -1
#define STOPPED -2

typedef struct {
    const Game *g;
    int64_t games, most; /* so many answers are told of a game */
    uint64_t answers_name;
    char *states;
    Answers answers;
    uint64_t *like;
    int32_t *offers; /* games x answers: of answers that are one thing, the number of that among what is offered */
    int64_t *seats, *questions, *counts, *payoffs, *marks, *observations; /* what is told, by game; not all may be wanted */
    Rooms rooms;
} Vector;

static S *state_of(Vector *v, int64_t game) { return (S *)(v->states + (size_t)game * ((v->g->size + 63) / 64 * 64)); }

DOOR S *game_of_vector(Vector *v, int64_t game) { return state_of(v, game); }

DOOR void close_vector(Vector *v) {
    for (int64_t game = 0; v && v->states && game < v->games; game++) close_state(state_of(v, game));
    if (v) release(&v->rooms);
    free(v);
}

/* Room for so many games; `told` says where to write what is told of them. */
DOOR Vector *open_vector(const Game *g, int64_t games, int64_t most, uint64_t answers_name, int64_t **told) {
    Vector *v = calloc(1, sizeof *v);
    if (!v) return NULL;
    v->g = g, v->games = games, v->most = most, v->answers_name = answers_name;
    v->seats = told[0], v->questions = told[1], v->counts = told[2], v->payoffs = told[3], v->marks = told[4];
    v->observations = told[5];
    char *room = grant(&v->rooms, (size_t)games + 1, (g->size + 63) / 64 * 64);
    if (room) v->states = room + (64 - (uintptr_t)room % 64) % 64;
    make_answers(&v->rooms, &v->answers);
    v->like = grant(&v->rooms, MOST_LISTED, sizeof *v->like);
    v->offers = grant(&v->rooms, (size_t)(games * most), sizeof *v->offers);
    for (int64_t game = 0; game < games; game++) v->seats[game] = OVER;
    if (!v->rooms.failed) return v;
    close_vector(v);
    return NULL;
}

/* ── what a seat knows, number by number ── */

/* A value as learners read it: nothing is -1, a word the number that it has in the rules, a list how many it holds. */
static int64_t plain(S *s, V value) {
    if (value == NOTHING || value == ABSENT) return -1;
    if (is_list(value)) return length(s, value);
    return value >= WORD ? value - WORD : value;
}

static int64_t width_of_card(const Game *g) { return 4 + g->changing; }

/* How many numbers a memory is: of a table each entry. */
static V numbers_of(const Memory *memory) { return memory->entries ? memory->entries : 1; }

/* How many numbers an observation has. */
DOOR int64_t width_of_observation(const Game *g) {
    int64_t owned = 0;
    for (int i = 0; i < g->kinds_of_memory; i++) owned += g->memory[i].cards ? 0 : g->memory[i].slots * numbers_of(g->memory + i);
    return g->players + g->places + owned + g->cards * width_of_card(g);
}

/* A card where it lies: the place, where in its order, which card it is, whether it lies face up, and what stands on it;
   -1 for each that the seat does not know. */
static void tell_card(S *s, int seat, int place, int at, V card, int64_t *row) {
    int known = recognises(s, seat, card);
    row[0] = place, row[1] = at;
    row[2] = known ? s->g->likeness[card] : -1;
    row[3] = known ? FACE(s)[card] : -1;
    for (int one = 0; one < s->g->changing; one++)
        row[4 + one] = known && !s->g->state[one].cards ? plain(s, STATE(s, one)[card]) : -1;
}

/* Of cards in no order, only which there are. */
static void sort_rows(int64_t *rows, int64_t many, size_t width) {
    int64_t one[width];
    for (int64_t i = 1; i < many; i++) {
        int64_t at = i;
        memcpy(one, rows + (size_t)i * width, sizeof one);
        for (; at > 0; at--) {
            size_t field = 0;
            const int64_t *before = rows + (size_t)(at - 1) * width;
            while (field < width && before[field] == one[field]) field++;
            if (field == width || before[field] < one[field]) break;
            memcpy(rows + (size_t)at * width, before, sizeof one);
        }
        memcpy(rows + (size_t)at * width, one, sizeof one);
    }
}

static int may_count(const S *s, int seat, int place) {
    const Place *p = &s->g->place[place];
    if (p->counted == BY_OWNER) return p->owned_by == OF_PLAYER && p->owner == seat && s->plays >> seat & 1;
    return p->counted == BY_EVERYONE;
}

static int64_t *tell_place(S *s, int seat, int place, int64_t *row) {
    size_t width = (size_t)width_of_card(s->g);
    uint16_t cards[s->g->cards + 1];
    const Count *c = &COUNT(s, place);
    int is_crowd = in_no_order(s, place), is_pile = KEPT(s, place) == PILE;
    int many = is_crowd ? lying(s, place, cards) : c->n, first = is_crowd ? 0 : is_pile ? c->first : many;
    int behind = is_crowd ? many : is_pile ? many - c->last : many, crowd = 0;
    const uint16_t *lies = is_crowd ? cards : ZONE(s, place);
    int64_t *begin = row;
    int is_counted = may_count(s, seat, place);
    for (int at = 0; at < many; at++) {
        int in_crowd = at >= first && at < behind;
        if (lies[at] == NO_CARD || !(is_counted || recognises(s, seat, lies[at]))) continue;
        if (in_crowd && !crowd++) begin = row;
        tell_card(s, seat, place, in_crowd || !is_counted ? -1 : at, lies[at], row);
        row += width;
    }
    sort_rows(begin, crowd, width);
    return row;
}

/* A memory, or each entry of a table; -1 for what the seat may not read. */
static int64_t *tell_memory(S *s, int seat, const Memory *memory, V at, int64_t *row) {
    V value = MEMORIES_OF(s)[memory->first + at];
    int seen = sees_memory(s, memory, at, seat) && (!memory->entries || (is_list(value) && length(s, value) == memory->entries));
    for (V entry = 1; entry <= memory->entries; entry++) *row++ = seen ? plain(s, list_at(s, value)[entry]) : -1;
    if (!memory->entries) *row++ = seen ? plain(s, value) : -1;
    return row;
}

/* All that a seat knows: who still plays, how many cards lie in each place, what memory it may read, then the cards. */
static void tell_known(S *s, int seat, int64_t *row) {
    const Game *g = s->g;
    int64_t *end = row + width_of_observation(g);
    for (int one = 0; one < g->players; one++) *row++ = s->plays >> one & 1;
    for (int place = 0; place < g->places; place++) *row++ = may_count(s, seat, place) ? count_in(s, place) : -1;
    for (int i = 0; i < g->kinds_of_memory; i++)
        for (V at = 0; !g->memory[i].cards && at < g->memory[i].slots; at++)
            row = tell_memory(s, seat, g->memory + i, at, row);
    for (int place = 0; place < g->places; place++)
        if (KEPT(s, place) != POOL) row = tell_place(s, seat, place, row);
    while (row < end) *row++ = -1;
}

/* ── steps ── */

/* The answers of who is asked, with the same numbers whenever this is asked of the same decision. */
static int find_all(Vector *v, S *s) {
    Stream numbers;
    int which = first_asked(s);
    start(&numbers, (uint64_t)s->clock, v->answers_name, 1);
    s->looked = 0;
    find_answers(s, which, &v->answers, v->like, &numbers);
    if (v->answers.count > v->most) stop(s, TOO_MUCH);
    return which;
}

static void tell_payoffs(Vector *v, S *s, int64_t game) {
    int64_t margins[MOST_PLAYERS] = {0}, *payoffs = v->payoffs + game * v->g->players;
    memset(payoffs, 0, (size_t)v->g->players * sizeof *payoffs);
    if (s->result != RUNNING) tell_standing(s, payoffs, margins);
}

static void tell_decision(Vector *v, S *s, int64_t game) {
    int64_t *marks = v->marks + game * v->most;
    v->seats[game] = OVER, v->questions[game] = -1, v->counts[game] = 0;
    memset(marks, 0, (size_t)v->most * sizeof *marks);
    tell_payoffs(v, s, game);
    if (s->result != RUNNING) return;
    int which = find_all(v, s), seat = s->entry[which].seat;
    v->seats[game] = seat, v->questions[game] = choice_at(s)->pick + s->entry[which].made;
    v->counts[game] = v->answers.count;
    memcpy(marks, v->answers.mark, (size_t)v->answers.count * sizeof *marks);
    if (!pick_of(s, which)->many)
        for (int i = 0; i < v->answers.count; i++)
            v->offers[game * v->most + i] = v->answers.size[i] < 0 ? -1 : v->answers.member[v->answers.first[i]];
    if (v->observations) tell_known(s, seat, v->observations + game * width_of_observation(v->g));
}

static void give_number(Vector *v, S *s, int64_t game, int64_t answer) {
    int which = first_asked(s);
    if (pick_of(s, which)->many) {
        find_all(v, s);
        give_answer(s, which, &v->answers, (int)answer);
        return;
    }
    int32_t number = v->offers[game * v->most + answer];
    s->looked = 0;
    go_behind(s, answer_entry(s, which, number < 0 ? ABSENT : list_at(s, offer_to(s, which)->values)[1 + number]));
}

/* Give an answer by its number, or none with -1, and go on to the next decision. */
static int step_game(Vector *v, S *s, int64_t game, int64_t answer) {
    int why = setjmp(way_out);
    if (why || s->why) {
        v->seats[game] = STOPPED, v->questions[game] = -1, v->counts[game] = 0;
        return stopped(s, why | s->why);
    }
    if (s->result == RUNNING && !s->asked) go_on(s);
    if (answer >= 0 && s->result == RUNNING) give_number(v, s, game, answer);
    tell_decision(v, s, game);
    return OK;
}

/* An answer for each game, by its number; games that are over stay so. The first game of which the answer is none that
   it has, in which case nothing has happened; -1 if all are right. */
DOOR int64_t step_vector(Vector *v, const int64_t *answers) {
    for (int64_t game = 0; game < v->games; game++)
        if (v->seats[game] >= 0 && (answers[game] < -1 || answers[game] >= v->counts[game])) return game;
    for (int64_t game = 0; game < v->games; game++)
        if (v->seats[game] >= 0) step_game(v, state_of(v, game), game, answers[game]);
    return -1;
}

/* Begin a game with a seed. */
DOOR int begin_in_vector(Vector *v, int64_t game, const S *from, uint64_t seed) {
    S *s = state_of(v, game);
    copy_state(s, from);
    s->seed = seed;
    return step_game(v, s, game, -1);
}

/* Look again at a game whose state was changed from outside. */
DOOR int look_in_vector(Vector *v, int64_t game) { return step_game(v, state_of(v, game), game, -1); }

/* What a seat knows of a table, whoever is asked there. */
DOOR int observe_table(S *s, int seat, int64_t *row) {
    int why = setjmp(way_out);
    if (why || s->why) return why | s->why;
    tell_known(s, seat, row);
    return OK;
}
