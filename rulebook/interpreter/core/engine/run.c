/* Code that runs: frames, stages, and one function for each op that is more than a line; the loop is in `loop.c`.

   A frame lies behind the one that called it. Its registers are its locals, what is worked out on the way, constants, and
   what its loops remember. */

static inline V *registers(S *s) { return STACK_OF(s) + s->base + REGISTERS; }
static inline const Code *code_of(S *s, int64_t base) { return s->g->code + STACK_OF(s)[base + CODE]; }

/* Registers of a code behind all others and so many values, with what it is given. */
static inline V *open_window(S *s, V index, V behind, const V *given, V count) {
    const Window *of = s->g->window + index;
    V *window = STACK_OF(s) + s->top + behind;
    s->top += behind + of->many;
    if (s->top > s->room) stop(s, TOO_MUCH);
    for (V i = 0; i < of->many; i += 4) memcpy(window + i, of->blank + i, 4 * sizeof(V));
    for (V i = 0; i < count; i++) window[i] = given[i];
    return window;
}

/* A frame for a script with what it is given. */
static void enter(S *s, V index, const V *given, int count, V slot) {
    V *frame = open_window(s, index, REGISTERS, given, count) - REGISTERS, staged = -1;
    if (s->base >= 0) {
        const V *caller = STACK_OF(s) + s->base;
        s->kept += 2 + s->g->code[caller[CODE]].size;
        if (s->kept > MOST_KEPT) stop(s, ENDLESS);
        staged = s->g->stage_at[caller[PC]] >= 0 ? s->base : caller[STAGED];
    }
    frame[CODE] = index, frame[PC] = s->g->code[index].entry, frame[CALLER] = s->base, frame[ANSWERS] = slot;
    frame[STAGED] = staged;
    s->base = frame - STACK_OF(s);
    if (s->top + s->g->ahead > s->room && !has_frames(s, s->top + s->g->ahead)) stop(s, TOO_MUCH);
}

static void pop(S *s) {
    s->top = s->base;
    s->base = STACK_OF(s)[s->base + CALLER];
    s->kept -= 2 + s->g->code[STACK_OF(s)[s->base + CODE]].size;
}

static void finish(S *s, int result) {
    s->result = result;
    s->base = -1;
    s->top = s->kept = 0;
    s->halted = 1;
}

/* The answer to a question; LACKS if it asks something of nothing. */
static V answer_to(S *s, V index, const V *given, int count) {
    int64_t top = s->top;
    V found = run(s, s->g->made + s->g->code[index].entry, open_window(s, index, 0, given, count));
    s->top = top;
    return found;
}

enum { ASKED_AT, ASKED_BY, LINK }; /* before the window of a question that the loop runs: where it goes on */

/* The window of a question that is asked by the op at `pc`, in the window `r`. */
static __attribute__((noinline)) V *open_question(S *s, V index, const V *given, V count, const V *pc, const V *r) {
    if (++s->asking > MOST_ASKING) stop(s, ENDLESS);
    V *window = open_window(s, index, LINK, given, count), *link = window - LINK;
    link[ASKED_AT] = pc - s->g->made, link[ASKED_BY] = r - STACK_OF(s);
    return window;
}

/* ── stages ── */

static int stage_of(S *s, int64_t base) { return s->g->stage_at[STACK_OF(s)[base + PC]]; }

static int has_name(S *s, int one, V name) {
    for (; one >= 0; one = (int)s->g->stage[one].outer)
        if (s->g->stage[one].name == name) return 1;
    return 0;
}

static const V *lasting_of(S *s, int which) { return s->g->data + s->g->lasting[s->g->stage[which].name]; }

/* What lasts as long as a stage returns to its start. */
static void begin_anew(S *s, const V *lasting) {
    V memories = lasting[0], states = lasting[1 + memories];
    if (!memories && !states) return;
    touch(s);
    for (V i = 0; i < memories; i++) {
        const Memory *memory = s->g->memory + lasting[1 + i];
        for (V at = 0; at < memory->slots; at++) MEMORIES_OF(s)[memory->first + at] = memory->start;
        renew_memory(s, lasting[1 + i]);
    }
    for (V i = 0; i < states && s->changed; i++) {
        V one = lasting[2 + memories + i], *state = STATE(s, one);
        const V *starts = s->g->data + s->g->state[one].starts;
        for (int card = 0; card < s->g->cards; card++)
            if (state[card] != starts[card]) state[card] = starts[card], s->changed--;
        renew_state(s, one);
    }
}

/* Keep what lasts as long as a stage in which another of its name begins; for that it begins at its start. `around` is
   the innermost stage of this frame, whose registers are `r`. */
static void keep_outer(S *s, int which, int around, V *r) {
    const V *kept = s->g->data + s->g->stage[which].kept, *lasting = lasting_of(s, which);
    V name = s->g->stage[which].name, memories = lasting[0], states = lasting[1 + memories];
    if (!kept[0]) return;
    int found = has_name(s, around, name);
    for (int64_t base = STACK_OF(s)[s->base + STAGED]; base >= 0 && !found; base = STACK_OF(s)[base + STAGED]) {
        look(s, 1);
        found = has_name(s, stage_of(s, base), name);
    }
    if (!found) return;
    for (V i = 0; i < memories; i++) {
        const Memory *memory = s->g->memory + lasting[1 + i];
        V *values = room_for(s, memory->slots);
        for (V at = 0; at < memory->slots; at++) values[1 + at] = MEMORIES_OF(s)[memory->first + at];
        r[*++kept] = handle(s, values);
    }
    for (V i = 0; i < states; i++) {
        V one = lasting[2 + memories + i], *state = STATE(s, one), many = 0;
        const V *starts = s->g->data + s->g->state[one].starts;
        for (int card = 0; card < s->g->cards; card++) many += state[card] != starts[card];
        if (many > MOST_LISTED) stop(s, TOO_LONG);
        V *cards = room_for(s, many), *values = room_for(s, many);
        for (int card = 0, at = 0; card < s->g->cards; card++)
            if (state[card] != starts[card]) cards[++at] = card, values[at] = state[card];
        r[*++kept] = handle(s, cards), r[*++kept] = handle(s, values);
    }
    begin_anew(s, lasting);
}

/* Make what lasts as long as a stage again what was kept of the one around it. */
static void put_back(S *s, int which, V *r) {
    const V *kept = s->g->data + s->g->stage[which].kept, *lasting = lasting_of(s, which);
    V memories = lasting[0], states = lasting[1 + memories];
    if (!kept[0] || r[kept[1]] == NOTHING) return;
    for (V i = 0; i < memories; i++) {
        const Memory *memory = s->g->memory + lasting[1 + i];
        V values = r[kept[1 + i]];
        if (length(s, values) != memory->slots) stop(s, UNKNOWN);
        for (V at = 0; at < memory->slots; at++) MEMORIES_OF(s)[memory->first + at] = list_at(s, values)[1 + at];
        renew_memory(s, lasting[1 + i]);
    }
    for (V i = 0; i < states; i++) {
        const V *cards = list_at(s, r[kept[1 + memories + 2 * i]]), *values = list_at(s, r[kept[2 + memories + 2 * i]]);
        if (cards[0] != values[0]) stop(s, UNKNOWN);
        for (V at = 1; at <= cards[0]; at++)
            put_state(s, (int)lasting[2 + memories + i], card_number(s, cards[at]), values[at]);
    }
    for (V i = 1; i <= kept[0]; i++) r[kept[i]] = NOTHING;
}

/* Leave a stage of a frame whose registers are `r`. */
static void restart_stage(S *s, int which, V *r) {
    begin_anew(s, lasting_of(s, which));
    put_back(s, which, r);
}

/* Leave the frames above one, and its stages up to and with the given one; go on behind that. */
static void end_stage(S *s, int64_t base, int which) {
    while (s->base != base) {
        for (int one = stage_of(s, s->base); one >= 0; one = (int)s->g->stage[one].outer) restart_stage(s, one, registers(s));
        pop(s);
    }
    for (int one = stage_of(s, base); one >= 0; one = (int)s->g->stage[one].outer) {
        restart_stage(s, one, registers(s));
        if (one == which) break;
    }
    STACK_OF(s)[base + PC] = s->g->stage[which].exit;
}

static void end_named(S *s, V name) {
    for (int64_t base = s->base; base >= 0; base = STACK_OF(s)[base + STAGED])
        for (int one = stage_of(s, base); one >= 0; one = (int)s->g->stage[one].outer)
            if (s->g->stage[one].name == name) {
                end_stage(s, base, one);
                return;
            }
    stop(s, NO_STAGE);
}

/* The registers of a frame, for a piece that is run on its own: what it works out may not be left behind in them. */
static int is_over(S *s, int64_t base, int which) {
    return is_met(s, s->g->stage[which].until, STACK_OF(s) + base + REGISTERS);
}

/* End the outermost stage whose condition has become true, if there is one. */
static void ask_stages(S *s) {
    int64_t found = -1;
    int which = -1;
    s->untested = 0;
    for (int64_t base = s->base; base >= 0; base = STACK_OF(s)[base + STAGED])
        for (int one = code_of(s, base)->until ? stage_of(s, base) : -1; one >= 0; one = (int)s->g->stage[one].outer)
            if (s->g->stage[one].until >= 0) {
                look(s, 1);
                if (is_over(s, base, one)) found = base, which = one;
            }
    if (found >= 0) end_stage(s, found, which);
}

/* Go into the script that asks what has become so, if something changed; not while it runs. */
static int ask_triggers(S *s) {
    if (!s->unheeded || s->g->triggers < 0) return 0;
    for (int64_t base = s->base; base >= 0; base = STACK_OF(s)[base + CALLER])
        if (STACK_OF(s)[base + CODE] == s->g->triggers) return 0;
    look(s, 1);
    enter(s, s->g->triggers, NULL, 0, -1);
    return 1;
}

/* Come back from a script with its answer; the game is over when nobody called it. */
static void leave(S *s, V value) {
    const V *frame = STACK_OF(s) + s->base;
    V slot = frame[ANSWERS], asks = code_of(s, s->base)->asks_stages;
    if (frame[CODE] == s->g->triggers) s->unheeded = 0;
    if (frame[CALLER] < 0) {
        finish(s, RANKED);
        return;
    }
    pop(s);
    if (slot >= 0) registers(s)[slot] = value == ABSENT ? NOTHING : value;
    if (asks && !ask_triggers(s) && s->untested) ask_stages(s);
}

/* The team of each seat: the first seat that answers the same. */
static void find_teams(S *s, int64_t *team) {
    V answer[MOST_PLAYERS];
    for (int seat = 0; seat < s->g->players; seat++) {
        V given = seat;
        answer[seat] = s->g->team ? answer_to(s, s->g->team, &given, 1) : NOTHING;
        team[seat] = seat;
        if (answer[seat] == NOTHING || answer[seat] == LACKS) continue;
        for (int other = seat - 1; other >= 0; other--)
            if (answer[other] == answer[seat]) team[seat] = other;
    }
}

/* Groups of players win with their teams, one behind the other. */
static void win(S *s, const V *groups, V many) {
    int64_t team[MOST_PLAYERS];
    int placed = 0;
    find_teams(s, team);
    s->winners = s->wins = 0;
    for (V group = 0; group < many; group++) {
        const V one[2] = {1, groups[group]}, *several = is_list(groups[group]) ? list_at(s, groups[group]) : one;
        int before = s->winners;
        for (V at = 1; at <= several[0]; at++) {
            if (!is_seat(s, several[at])) stop(s, UNKNOWN);
            for (int i = -1; i < s->g->players; i++) {
                int seat = i < 0 ? (int)several[at] : i; /* the named one first */
                if (placed >> seat & 1 || team[seat] != team[several[at]]) continue;
                placed |= 1 << seat, s->won[s->winners++] = seat;
            }
        }
        if (s->winners > before) s->win[s->wins++] = s->winners - before;
    }
    finish(s, WON);
}

static void eliminate(S *s, V who) {
    int32_t seats[MOST_PLAYERS];
    int many = alive_of(s, who, seats), kept = 0, gone = 0;
    if (!many) return;
    for (int i = 0; i < many; i++) gone |= 1 << seats[i];
    for (int at = 0; at < s->playing; at++)
        if (!(gone >> s->alive[at] & 1)) s->alive[kept++] = s->alive[at];
    s->playing = kept, s->plays &= ~gone;
    if (s->leavings == MOST_PLAYERS) stop(s, UNKNOWN);
    memcpy(s->leaver[s->leavings], seats, (size_t)many * sizeof(int32_t));
    s->left[s->leavings++] = many;
    leave_game(s, gone);
    renew(s, CELL_PLAYERS);
    touch(s);
}

/* ── memory ── */

/* What is declared must stay true; of a table, in each entry. */
static void check_range(S *s, V legal, V value) {
    if (legal < 0) return;
    if (is_list(value)) {
        for (V i = 1; i <= length(s, value); i++) check_range(s, legal, list_at(s, value)[i]);
        return;
    }
    const V *values = s->g->data + legal;
    for (V i = 1; i <= values[0]; i++)
        if (values[i] == value) return;
    stop(s, OUTSIDE);
}

static int set_memory(S *s, V which, V seat, V value) {
    const Memory *memory = s->g->memory + which;
    if (seat < 0 || seat >= memory->slots) stop(s, UNKNOWN);
    check_range(s, memory->values, value);
    V *at = MEMORIES_OF(s) + memory->first + seat;
    if (!same(s, *at, value)) *at = value, renew_memory(s, which), touch(s);
    return 1;
}

static void set_card_state(S *s, V one, V card, V value) {
    check_range(s, s->g->state[one].range, value);
    if (same(s, STATE(s, one)[card_number(s, card)], value)) return;
    put_state(s, (int)one, card, value);
    touch(s);
}

/* ── lists ── */

/* Whether the keys of a member come before those of another one. */
static int is_more(const V *one, const V *other, V keys) {
    for (V i = 0; i < keys; i++)
        if (one[i] != other[i]) return one[i] > other[i];
    return 0;
}

static V count_up(S *s, V first, V last) {
    if (last >= first && last - first + 1 > MOST_LISTED) stop(s, TOO_LONG);
    V many = last < first ? 0 : last - first + 1, *found = room_for(s, many);
    look(s, many);
    for (V i = 0; i < many; i++) found[1 + i] = bounded(s, first + i);
    return handle(s, found);
}

static V chained(S *s, V one, V other) {
    V mine = length(s, one), yours = length(s, other);
    if (mine + yours > MOST_LISTED) stop(s, TOO_LONG);
    look(s, mine + yours);
    V *found = room_for(s, mine + yours);
    memcpy(found + 1, list_at(s, one) + 1, (size_t)mine * sizeof(V));
    memcpy(found + 1 + mine, list_at(s, other) + 1, (size_t)yours * sizeof(V));
    return handle(s, found);
}

static V distinct(S *s, V several) {
    V *found = fresh(s);
    const V *all = list_at(s, several);
    look(s, all[0]);
    for (V at = 1; at <= all[0]; at++)
        if (!holds(s, found, all[at])) push(s, &found, all[at]);
    return handle(s, found);
}

static V sum_of(S *s, V several) {
    const V *all = list_at(s, several);
    V found = 0;
    for (V at = 1; at <= all[0]; at++) {
        if (all[at] == NOTHING) return LACKS;
        found = bounded(s, found + all[at]);
    }
    return found;
}

/* The least (-1) or most (1) of those that are there. */
static V extreme_in(S *s, V several, V otherwise, int sign) {
    const V *all = list_at(s, several);
    V found = NOTHING;
    for (V at = 1; at <= all[0]; at++)
        if (all[at] != NOTHING && (found == NOTHING || all[at] * sign > found * sign)) found = all[at];
    return found == NOTHING ? otherwise : found;
}

static V extreme_of(const V *given, V count, int sign) {
    V found = given[0];
    for (V at = 0; at < count; at++) {
        if (given[at] == NOTHING) return at ? NOTHING : LACKS;
        if (given[at] * sign > found * sign) found = given[at];
    }
    return found;
}

/* Whether cards are of these definitions; those that are wanted are sorted unless they are in order. */
static int are_same_cards(S *s, V value, const V *wanted, V ordered) {
    const V one[2] = {1, value}, *several = is_list(value) ? list_at(s, value) : one;
    V many = value == NOTHING ? 0 : several[0];
    if (many != wanted[0]) return 0;
    V found[many + 1];
    for (V at = 1; at <= many; at++) {
        found[at] = s->g->likeness[card_number(s, several[at])];
        for (V to = at; !ordered && to > 1 && found[to - 1] > found[to]; to--) {
            V less = found[to];
            found[to] = found[to - 1], found[to - 1] = less;
        }
    }
    for (V at = 1; at <= many; at++)
        if (found[at] != wanted[at]) return 0;
    return 1;
}

/* ── sentences ── */

static int move(S *s, V value, V goal, V end, V face) {
    int index = -1;
    if (goal == NOTHING) return 0;
    int place = is_list(goal) ? cell_at(s, goal, &index) : place_number(s, goal);
    if (value >= 0 && value < s->g->cards) {
        carry_one(s, (uint16_t)value, place, index, (int)end, (int)face);
    } else {
        uint16_t cards[s->g->cards + 1];
        carry(s, cards, cards_of(s, value, cards), place, index, (int)end, (int)face);
    }
    return 1;
}

static int swap_cells(S *s, V first, V second) {
    if (first == NOTHING || second == NOTHING) return 0;
    V one = card_at(s, first), other = card_at(s, second);
    if (one != NOTHING && other != NOTHING) exchange(s, one, other);
    else if (one != NOTHING) move(s, one, second, ANY_END, ANY_FACE);
    else if (other != NOTHING) move(s, other, first, ANY_END, ANY_FACE);
    return 1;
}

static void pass_each(S *s, const V *places, V step) {
    int place[MOST_PLAYERS], goal[MOST_PLAYERS], many = s->playing;
    for (int at = 0; at < many; at++) {
        place[at] = place_number(s, places[1 + s->alive[at]]);
        goal[at] = place_number(s, places[1 + s->alive[rest_of(s, at + step, many)]]);
    }
    replace_contents(s, place, goal, many);
}

/* Whether `draw_unseen` may draw from a place to another one. */
static int is_unseen(S *s, int source, int goal) {
    const Count *c = &COUNT(s, source);
    if (!in_no_order(s, goal) || goal == BOX || s->g->watch || source == goal) return 0;
    return in_no_order(s, source) || (KEPT(s, source) == PILE && !c->first && !c->last && !watchers(s, source));
}

/* Draw a card to a place without an order, from another one or from a pile that nobody looks into, and of which no card has
   its place yet: what is most often drawn and dealt. It does what `next_card` and `carry_one` do together. */
static V draw_unseen(S *s, int source, int goal, int up, int seers) {
    Count *c = &COUNT(s, source);
    int at = (int)below(s, PLACE(s, source).stream, c->n);
    uint16_t *zone = ZONE(s, source), card = KEPT(s, source) == PILE ? zone[at] : (uint16_t)nth(SET(s, source), at);
    c->n--;
    if (KEPT(s, source) == PILE) memmove(zone + at, zone + at + 1, (size_t)(c->n - at) * sizeof *zone);
    else departs(s, source, &card, 1, seers), drop_bit(SET(s, source), card);
    add_bit(SET(s, goal), card), COUNT(s, goal).n++;
    WHERE(s)[card] = (uint16_t)goal;
    if (FACE(s)[card] != up) FACE(s)[card] = (uint8_t)up, renew(s, CELL_FACES);
    learn(s, card, seers);
    renew_place(s, source), renew_place(s, goal);
    touch(s);
    return card;
}

/* Draw until so many are taken or there are none left, to one goal after the other. */
static V draw(S *s, V from, V goals, V total, V end, V face) {
    int source = place_number(s, from);
    V *drawn = fresh(s), many = length(s, goals);
    if (!many) total = 0;
    for (V taken = 0; taken < total; taken++) {
        look(s, 1);
        int goal = place_number(s, list_at(s, goals)[1 + taken % many]);
        if (KEPT(s, source) == POOL) {
            if (!pour(s, 1, source, goal)) break;
            continue;
        }
        if (!count_in(s, source) && !refill(s, source)) break;
        if (is_unseen(s, source, goal)) {
            int up = face == ANY_FACE ? arrives_up(s, goal) : (int)face;
            V card = draw_unseen(s, source, goal, up, up ? EVERYONE(s) : watchers(s, goal));
            push(s, &drawn, card);
            continue;
        }
        V card = next_card(s, source);
        if (s->g->watch) note_drawn(s, source, card);
        carry_one(s, (uint16_t)card, goal, -1, (int)end, (int)face);
        push(s, &drawn, card);
    }
    return handle(s, drawn);
}
