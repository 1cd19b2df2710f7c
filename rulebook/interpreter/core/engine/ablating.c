/* Games that are played again with something left out, and what anybody could notice of them; `playtest/ablation` asks.

   A game is followed decision by decision as a row of hashes. That of a mutant is compared with the row of the same game
   as it is, and ends at the first difference: so it is never longer. */

/* What is offered to who is asked: a card that is told by its likeness, others by where they lie. */
static uint64_t hash_offer(S *s, int which) {
    const Entry *e = &s->entry[which];
    const Offer *o = offer_to(s, which);
    const Choice *c = choice_at(s);
    const Pick *pick = s->g->pick + c->pick + e->made;
    const V *values = list_at(s, o->values) + 1;
    uint64_t sum = 0, hash = (uint64_t)(c - s->g->choice) * 64 + (uint64_t)e->made;
    for (V i = 0; i < o->count; i++) {
        const Source *source = s->g->source + pick->source + values[o->count + i];
        uint64_t one = 3;
        if (!is_card(s, source, values[i])) one = mixed_with(one, value_hash(s, values[i], 0));
        else one = mixed_with(one, (uint64_t)WHERE(s)[values[i]] << 32 | (uint64_t)(is_told(s, source, e->seat, values[i]) ? 1 + s->g->likeness[values[i]] : 0));
        sum += mixed_with(one, 3);
    }
    hash = mixed_with(mixed_with(hash, sum), (uint64_t)e->seat);
    return mixed_with(hash, (uint64_t)(o->may + 2 * o->least + 2000 * o->most));
}

/* What everybody may see of the states of a card. */
static uint64_t hash_states(S *s, V card, int seen) {
    uint64_t hash = 0;
    for (int i = 0; i < s->g->changing && s->changed; i++)
        if (seen || !s->g->state[i].with_face) hash = mixed_with(hash + (uint64_t)i, value_hash(s, STATE(s, i)[card], 0));
    return hash;
}

/* A hash of what anybody could notice. What is only remembered is no part of it: a card that is moved to where it lay
   already changes what others remember, and hides the very mistake that is looked for. */
static uint64_t hash_noticed(S *s) {
    const Game *g = s->g;
    uint64_t hash = s->heard, sum = 0;
    for (int which = 0, is_first = 1; which < s->asked; which++) {
        hash = mixed_with(hash, (uint64_t)(s->entry[which].seat * 2 + s->entry[which].done));
        if (!s->entry[which].done && is_first) hash = mixed_with(hash, hash_offer(s, which)), is_first = 0;
    }
    for (int place = 1; place < g->places; place++) hash = mixed_with(hash, (uint64_t)count_in(s, place));
    for (V card = 0; card < g->cards; card++) {
        int where = WHERE(s)[card], seen;
        if (where == BOX || KEPT(s, where) == POOL) continue;
        seen = KNOWN(s)[card] & sight(s, card);
        uint64_t one = mixed_with((uint64_t)where << 16 | (uint64_t)seen, hash_states(s, card, seen));
        if (seen) one = mixed_with(one, (uint64_t)g->likeness[card] << 1 | (uint64_t)FACE(s)[card]);
        if (seen && is_row(s, where)) one = mixed_with(one, (uint64_t)position(s, where, card));
        sum += one;
    }
    hash = mixed_with(hash, sum);
    for (int i = 0; i < g->kinds_of_memory; i++)
        for (V at = 0; at < g->memory[i].slots && g->memory[i].seen_by != BY_NOBODY; at++)
            hash = mixed_with(hash, value_hash(s, MEMORIES_OF(s)[g->memory[i].first + at], (int)g->memory[i].cards));
    return mixed_with(hash, (uint64_t)s->plays);
}

/* The hash of what has happened for all to notice, if somebody watches. */
DOOR uint64_t what_is_heard(const S *s) { return s->heard; }

static void note_places(S *s, int is_begun) {
    const Game *g = s->g;
    for (int card = 0; card < g->cards; card++) g->watch->used[card] |= WHERE(s)[card] != BOX;
    for (int place = 0; place < g->places; place++) {
        int64_t *row = g->watch->piles + PILED * place;
        g->watch->filled[place] |= KEPT(s, place) != GRID && count_in(s, place) > 0;
        if (!is_begun || KEPT(s, place) != PILE) continue;
        uint16_t cards[g->cards + 1];
        int many = lying(s, place, cards), hidden = (int)row[DRAWN_HIDDEN], kinds = (int)row[DRAWN_OTHERS];
        V first = row[DRAWN] ? row[DRAWN_FIRST] : many ? g->likeness[cards[0]] : 0;
        uint64_t hash = mixed_with(5, (uint64_t)row[DRAWN]);
        for (int i = 0; i < many; i++) {
            hash = mixed_with(hash, (uint64_t)g->likeness[cards[i]]);
            kinds |= g->likeness[cards[i]] != first, hidden |= sight(s, cards[i]) != EVERYONE(s);
        }
        if (!row[BEGUN]++) row[LAY] = (int64_t)hash;
        row[LAY_OTHERWISE] += row[LAY] != (int64_t)hash || COUNT(s, place).n > COUNT(s, place).first + COUNT(s, place).last;
        row[HIDDEN] += kinds && hidden;
    }
}

/* In a mutant that answers otherwise: another answer than was found, at random, with numbers of its own. The next one
   would be a shift of all alike, which is invisible in rock, paper, scissors. */
static V answer_otherwise(S *s, int which, V value) {
    const Choice *c = choice_at(s);
    const Entry *e = &s->entry[which];
    const Offer *o = offer_to(s, which);
    const Pick *pick = s->g->pick + c->pick + e->made;
    const V *values = list_at(s, o->values) + 1;
    Stream aside;
    start(&aside, s->seed, (uint64_t)s->clock * MOST_PLAYERS + (uint64_t)e->seat, 1);
    if (pick - s->g->pick != s->g->watch->mutant - s->g->watch->mutants) return value;
    for (int tries = 0; tries < 8; tries++) {
        V other = pick->many ? several_at_random(s, c, e, o, NULL, &aside) : values[first_alike(s, pick, e->seat, values, o->count, next_number(&aside, o->count))];
        if (other != NOTHING && other != ABSENT && !same(s, other, value)) return s->g->watch->is_other = 1, other;
    }
    return value;
}

/* The ways to follow a game: noting what it is, with room for its row; writing the row; comparing it with a row. */
enum { NOTES, WRITES, COMPARES };

/* Follow a game to its end: the decisions that were followed, and less than none, -1 - them, if there was a difference
   or no room. */
static int64_t follow(S *s, Stream *bots, uint64_t *row, int64_t room, int way) {
    volatile int64_t at = 0;
    Watch *w = s->g->watch;
    int why = setjmp(way_out);
    uint64_t hash = 99 + (uint64_t)why;
    while (!why) {
        if (s->result == RUNNING && !s->asked) go_on(s);
        w->work += s->looked + 1;
        if (s->result != RUNNING) {
            int64_t told[2 * MOST_PLAYERS + 1] = {0}, team[MOST_PLAYERS];
            find_standing(s, team, told, told + MOST_PLAYERS, told + 2 * MOST_PLAYERS);
            s->asked = 0;
            hash = mixed_with(hash_noticed(s), (uint64_t)s->result);
            for (int i = 0; i <= 2 * MOST_PLAYERS; i++) hash = mixed_with(hash, (uint64_t)told[i]);
            s->winners = (int32_t)told[2 * MOST_PLAYERS];
            break;
        }
        int which = 0;
        while (s->entry[which].done) which++;
        const Offer *o = offer_to(s, which);
        V pick = choice_at(s)->pick + s->entry[which].made;
        w->work += o->count;
        if (at >= room) return -1 - at;
        if (way == WRITES || (way == COMPARES && w->is_other)) { /* until then all is as it was */
            hash = hash_noticed(s), w->work += 2 * s->g->cards;
            if (way == WRITES) row[at] = hash;
            else if (row[at] != hash) return -1 - at;
        }
        at++;
        if (way == NOTES) {
            if (at == 1) note_places(s, 1);
            note_pick(s, pick, ASKED);
            if (o->count > 1) note_mutant(w, (int32_t)(w->mutants + pick));
        }
        V value = at_random(s, which, &bots[s->entry[which].seat]);
        if (w->mutant >= w->mutants) value = answer_otherwise(s, which, value);
        go_behind(s, answer_entry(s, which, value));
    }
    if (why) s->result = RUNNING;
    else if (way == NOTES) note_places(s, !at);
    if (at >= room || (way == COMPARES && (row[at] != hash || at + 1 < room))) return -1 - at;
    if (way == WRITES) row[at] = hash;
    return at + 1;
}

static int64_t follow_from(const S *from, S *s, uint64_t seed, const uint64_t *names, uint64_t *row, int64_t room, int way) {
    Stream bots[MOST_PLAYERS];
    copy_state(s, from);
    s->seed = seed, s->heard = 1, s->changes = 0, s->g->watch->idle = s->g->watch->is_other = 0;
    for (int place = 0; way == NOTES && place < s->g->places; place++)
        memset(s->g->watch->piles + PILED * place + DRAWN, 0, (PILED - DRAWN) * sizeof(int64_t));
    for (int seat = 0; seat < s->g->players; seat++) start(&bots[seat], seed, names[seat], 1);
    return follow(s, bots, row, room, way);
}

/* Games as they are, until so much was done or no more have room in the row: how many. `begins` is where each begins in
   the row, and behind the last one its end; `ended` how each ended, and a mask of its winners. The row itself is written
   game by game, when it is first compared. */
DOOR int64_t watch_as_they_are(const S *from, S *s, int64_t many, uint64_t seed, const uint64_t *names, int64_t room, int64_t *begins, int64_t *ended, int64_t most) {
    Watch *w = from->g->watch;
    int64_t game = 0, found;
    w->mutant = -1, w->is_noting = 1, w->work = 0, begins[0] = 0;
    for (; game < many && w->work <= most; game++) {
        w->game = game;
        found = follow_from(from, s, seed + (uint64_t)game, names, NULL, room - begins[game], NOTES);
        if (found < 0) break;
        begins[game + 1] = begins[game] + found, ended[2 * game] = s->result, ended[2 * game + 1] = s->winners;
    }
    return game;
}

/* Write the rows of the first games that were not compared yet. */
DOOR void write_rows(const S *from, S *s, int64_t many, uint64_t seed, const uint64_t *names, uint64_t *row, const int64_t *begins) {
    from->g->watch->mutant = -1, from->g->watch->is_noting = 0;
    for (int64_t game = 0; game < many; game++)
        if (!row[begins[game]]) follow_from(from, s, seed + (uint64_t)game, names, row + begins[game], begins[game + 1] - begins[game], WRITES);
}

/* The same games with a mutant, the first `enough` in which it matters, until somebody notices a difference or so much
   was done: in which game that was, `many` if in none, -1 if too much was to be done. */
DOOR int64_t watch_mutant(const S *from, S *s, int64_t mutant, int64_t many, int64_t enough, uint64_t seed, const uint64_t *names, uint64_t *row, const int64_t *begins, int64_t most) {
    Watch *w = from->g->watch;
    int64_t game = 0;
    w->is_noting = 0, w->work = 0;
    for (; game < many && enough && w->work <= most; game++) {
        uint64_t *compared = row + begins[game];
        int64_t room = begins[game + 1] - begins[game];
        if (!(w->games[mutant * w->words + (game >> 6)] >> (game & 63) & 1)) continue;
        enough--, w->mutant = -1;
        if (!*compared) follow_from(from, s, seed + (uint64_t)game, names, compared, room, WRITES);
        w->mutant = mutant;
        if (follow_from(from, s, seed + (uint64_t)game, names, compared, room, COMPARES) < 0) return game;
    }
    w->mutant = -1;
    return game < many && enough ? -1 : many;
}
