/* Frames: scripts that call each other, stages that they are in, and what is kept tidy between two sentences.

   A frame is its script, where that goes on, the frame that called it, the local there that gets its answer, and the
   locals. It lies behind the frame that called it. */

enum { CODE, PC, CALLER, ANSWERS, LOCALS };

typedef struct {
    int outer, exit, name, restarts;
    int (*until)(S *, V *);
} Stage;

typedef struct {
    int size, until; /* whether one of its stages may end early */
    const int16_t *stage; /* by op, the innermost stage in which it stands, or -1 */
    int (*run)(S *); /* whether it came back to who called it, who goes on behind the call */
} Code;

static const Stage STAGE[STAGES + 1];
static const Code CODES[SCRIPTS];
static void restart_stage(S *s, int which);

static inline V *locals(S *s) { return s->stack + s->base + LOCALS; }

/* A frame for a script with so many locals; its arguments are laid into what comes back, and the script clears the rest
   when it begins. */
static inline V *enter(S *s, int code, int size, int pc, int slot) {
    int64_t caller = s->base;
    if (caller >= 0) s->stack[caller + PC] = pc;
    if (++s->frames > MOST_FRAMES || s->top + LOCALS + size > STACK) stop(s, ENDLESS);
    look(s, 1);
    s->base = s->top;
    V *frame = s->stack + s->base, *local = frame + LOCALS;
    frame[CODE] = code, frame[PC] = 0, frame[CALLER] = caller, frame[ANSWERS] = slot;
    s->top = s->base + LOCALS + size;
    return local;
}

static inline void pop(S *s) {
    s->top = s->base;
    s->base = s->stack[s->base + CALLER];
    s->frames--;
}

static void finish(S *s, int result) {
    s->result = result;
    s->base = -1;
    s->top = s->frames = 0;
}

/* ── stages ── */

static int stage_of(const S *s, int64_t base) { return CODES[s->stack[base + CODE]].stage[s->stack[base + PC]]; }

/* Leave the frames above one, and its stages up to and with the given one; go on behind that. */
static void end_stage(S *s, int64_t base, int which) {
    while (s->base != base) {
        for (int one = stage_of(s, s->base); one >= 0; one = STAGE[one].outer) restart_stage(s, one);
        pop(s);
    }
    for (int one = stage_of(s, base);; one = STAGE[one].outer) {
        restart_stage(s, one);
        if (one == which) break;
    }
    s->stack[base + PC] = STAGE[which].exit;
}

static void end_named(S *s, int name) {
    for (int64_t base = s->base; base >= 0; base = s->stack[base + CALLER])
        for (int one = stage_of(s, base); one >= 0; one = STAGE[one].outer)
            if (STAGE[one].name == name) {
                end_stage(s, base, one);
                return;
            }
    stop(s, NO_STAGE);
}

/* End the outermost stage whose condition has become true, if there is one. */
static int ask_stages(S *s) {
    int64_t base, found = -1;
    int which = -1;
    for (base = s->base; base >= 0; base = s->stack[base + CALLER])
        for (int one = CODES[s->stack[base + CODE]].until ? stage_of(s, base) : -1; one >= 0; one = STAGE[one].outer)
            if (STAGE[one].until && STAGE[one].until(s, s->stack + base + LOCALS)) found = base, which = one;
    if (found >= 0) end_stage(s, found, which);
    return found >= 0;
}

/* Come back from a script with its answer; the game is over when nobody called it. Whether who called it goes on behind
   the call: stages may end when a hook comes back. */
static inline int leave(S *s, V value, int hook) {
    const V *frame = s->stack + s->base;
    V slot = frame[ANSWERS];
    if (frame[CALLER] < 0) {
        finish(s, RANKED);
        return 0;
    }
    pop(s);
    if (slot >= 0) locals(s)[slot] = value == ABSENT ? NOTHING : value;
    return !hook || !ANY_UNTIL || !ask_stages(s);
}

static void win(S *s, V who) {
    s->winners = 0;
    if (who != NOTHING) {
        const V one[2] = {1, who}, *several = is_list(who) ? list_at(s, who) : one;
        for (V at = 1; at <= several[0]; at++) {
            int known = 0;
            for (int i = 0; i < s->winners && !known; i++) known = s->won[i] == several[at];
            if (known) continue;
            if (s->winners == PLAYERS) stop(s, UNKNOWN);
            s->won[s->winners++] = (int32_t)several[at];
        }
    }
    finish(s, WON);
}

static void eliminate(S *s, V who) {
    int32_t seats[PLAYERS];
    int many = alive_of(s, who, seats), kept = 0;
    if (!many) return;
    for (int at = 0; at < s->playing; at++) {
        int gone = 0;
        for (int i = 0; i < many; i++) gone |= seats[i] == s->alive[at];
        if (gone) s->plays &= ~(1 << s->alive[at]);
        else s->alive[kept++] = s->alive[at];
    }
    s->playing = kept;
    memcpy(s->leaver[s->leavings], seats, (size_t)many * sizeof(int32_t));
    s->left[s->leavings++] = many;
}

/* ── lists that nobody knows any more ── */

static V copied(S *s, V value, V *fresh_arena, int64_t *used) {
    if (!is_list(value) || value - LIST < SETTLED) return value;
    V *list = s->arena + (value - LIST), at = *used + 1, many = list[0];
    if (many < 0) return LIST + ~many; /* it was copied before, and says where to */
    *used += many + 2;
    fresh_arena[at + MASK] = list[MASK];
    fresh_arena[at] = many;
    for (V i = 1; i <= many; i++) fresh_arena[at + i] = list[i];
    list[0] = ~at;
    for (V i = 1; i <= many; i++) fresh_arena[at + i] = copied(s, fresh_arena[at + i], fresh_arena, used);
    return LIST + at;
}

/* Keep only the lists that a local, a memory or a card still holds. */
static __attribute__((noinline)) void tidy_up(S *s) {
    static __thread V arena[ARENA];
    int64_t used = SETTLED;
    for (int64_t base = s->base; base >= 0; base = s->stack[base + CALLER])
        for (int at = 0; at < CODES[s->stack[base + CODE]].size; at++) {
            V *local = s->stack + base + LOCALS + at;
            *local = copied(s, *local, arena, &used);
        }
    for (int at = 0; at < MEMORIES; at++) s->memory[at] = copied(s, s->memory[at], arena, &used);
    for (int one = 0; s->changed && one < STATES; one++)
        for (int card = 0; card < CARDS; card++) s->state[one][card] = copied(s, s->state[one][card], arena, &used);
    for (int one = 0; one < s->asked; one++)
        for (int at = 0; at < s->entry[one].made; at++)
            s->entry[one].picks[at] = copied(s, s->entry[one].picks[at], arena, &used);
    memcpy(s->arena + SETTLED, arena + SETTLED, (size_t)(used - SETTLED) * sizeof(V));
    s->used = used;
}

static inline void tidy(S *s) {
    if (s->used > FULL) tidy_up(s);
}
