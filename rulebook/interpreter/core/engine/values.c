/* Values: numbers, lists, who plays, chance. */

static inline V bounded(S *s, V number) {
    if (number <= -MOST_VALUE || number >= MOST_VALUE) stop(s, TOO_LARGE);
    return number;
}

static inline V product(S *s, V one, V other) {
    V found;
    if (__builtin_mul_overflow(one, other, &found)) stop(s, TOO_LARGE);
    return bounded(s, found);
}

/* Rounded down, with a rest that has the sign of the right side. */
static inline V quotient(S *s, V one, V other) {
    if (!other) stop(s, DIVIDED);
    V found = one / other;
    return found - (one % other != 0 && (one < 0) != (other < 0));
}

static inline V rest_of(S *s, V one, V other) {
    if (!other) stop(s, DIVIDED);
    V found = one % other;
    return found != 0 && (found < 0) != (other < 0) ? found + other : found;
}

/* ── lists ── */

static inline int is_list(V value) { return value >= LIST; }

/* The list of a value; the game stops where a value is none. */
static inline V *list_at(S *s, V value) {
    if ((uint64_t)value - LIST >= (uint64_t)s->used) stop(s, UNKNOWN);
    return ARENA_OF(s) + (value - LIST);
}

static inline V length(S *s, V list) { return list_at(s, list)[0]; }
static inline V handle(S *s, const V *list) { return LIST + (list - ARENA_OF(s)); }

static inline V room_left(S *s) { return s->listed - s->used; }

static inline V *fresh(S *s) {
    if (room_left(s) < 1) stop(s, TOO_MUCH);
    V *list = ARENA_OF(s) + s->used++;
    list[0] = 0;
    return list;
}

/* A list of so many members, which are laid down afterwards. */
static inline V *room_for(S *s, V many) {
    if (room_left(s) <= many) stop(s, TOO_MUCH);
    V *list = ARENA_OF(s) + s->used;
    s->used += 1 + (list[0] = many);
    return list;
}

/* A list that was made with more room than its members take, which are laid down up to an end. */
static inline V closed(S *s, V *list, const V *end) {
    s->used -= list[0] - (end - list - 1);
    list[0] = end - list - 1;
    return handle(s, list);
}

/* One more member; a list behind which another one stands by now moves behind that. */
static inline void push(S *s, V **list, V value) {
    V *at = *list, *end = ARENA_OF(s) + s->used;
    if (at + 1 + at[0] != end) {
        if (room_left(s) < at[0] + 1) stop(s, TOO_MUCH);
        memcpy(end, at, (size_t)(at[0] + 1) * sizeof(V));
        s->used += at[0] + 1;
        *list = at = end;
    }
    if (room_left(s) < 1) stop(s, TOO_MUCH);
    if (at[0] >= MOST_LISTED) stop(s, TOO_LONG);
    at[++at[0]] = value;
    s->used++;
}

static __attribute__((noinline)) void push_slowly(S *s, V *reg, V value) {
    V *list = list_at(s, *reg);
    push(s, &list, value);
    *reg = handle(s, list);
}

/* The same for a list in a register, which most often is the last one. */
static inline void push_to(S *s, V *reg, V value) {
    V *list = list_at(s, *reg), *end = ARENA_OF(s) + s->used;
    if (list + 1 + list[0] != end || list[0] >= MOST_LISTED || room_left(s) < 1) {
        push_slowly(s, reg, value);
        return;
    }
    list[++list[0]] = value;
    s->used++;
}

static V pair(S *s, V one, V other) {
    V *list = room_for(s, 2);
    list[1] = one, list[2] = other;
    return handle(s, list);
}

static int same_lists(S *s, V one, V other, int depth);

static inline int same(S *s, V one, V other) {
    return one == other || (is_list(one) && is_list(other) && same_lists(s, one, other, 0));
}

static int same_lists(S *s, V one, V other, int depth) {
    const V *mine = list_at(s, one), *yours = list_at(s, other);
    if (mine[0] != yours[0]) return 0;
    if (depth > DEEPEST) stop(s, UNKNOWN);
    for (V at = 1; at <= mine[0]; at++) {
        if (mine[at] == yours[at]) continue;
        if (!is_list(mine[at]) || !is_list(yours[at]) || !same_lists(s, mine[at], yours[at], depth + 1)) return 0;
    }
    return 1;
}

/* ── what is heard, for who watches ── */

static inline uint64_t mixed_with(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
    return hash ^ hash >> 29;
}

/* A hash of a value, in which a card is its likeness where numbers are cards. */
static uint64_t value_hash(S *s, V value, int cards) {
    if (!is_list(value)) return mixed_with(5, (uint64_t)(cards && value >= 0 && value < s->g->cards ? s->g->likeness[value] : value));
    const V *list = list_at(s, value);
    uint64_t hash = 11;
    for (V at = 1; at <= list[0]; at++) hash = mixed_with(hash, value_hash(s, list_at(s, value)[at], cards));
    return hash;
}

static inline void hear(S *s, uint64_t what) {
    if (s->g->watch) s->heard = mixed_with(s->heard, what);
}

/* Which of two values comes first in an order that only serves to have one: nothing, numbers, words, lists. */
static int order(S *s, V one, V other, int depth) {
    if (!is_list(one) || !is_list(other)) return (one > other) - (one < other);
    if (depth > DEEPEST) stop(s, UNKNOWN);
    const V *mine = list_at(s, one), *yours = list_at(s, other);
    for (V at = 1; at <= mine[0] && at <= yours[0]; at++) {
        int found = order(s, mine[at], yours[at], depth + 1);
        if (found) return found;
    }
    return (mine[0] > yours[0]) - (mine[0] < yours[0]);
}

static inline int is_true(S *s, V value) {
    if ((uint64_t)value <= 1) return (int)value; /* most often */
    return value != NOTHING && !(is_list(value) && !length(s, value));
}

static int holds(S *s, const V *list, V value) {
    V at = list[0];
    if (is_list(value))
        while (at > 0 && !same(s, list[at], value)) at--;
    else
        while (at > 0 && list[at] != value) at--;
    return at > 0;
}

/* From the `from`-th member on, so many. */
static V part(S *s, V list, V from, V many) {
    const V *all = list_at(s, list);
    if (from > all[0]) from = all[0];
    if (many > all[0] - from) many = all[0] - from;
    V *found = room_for(s, many);
    memcpy(found + 1, all + 1 + from, (size_t)many * sizeof(V));
    return handle(s, found);
}

/* ── who plays ── */

static inline int is_seat(S *s, V seat) { return seat >= 0 && seat < s->g->players; }
static inline int is_alive(S *s, V seat) { return is_seat(s, seat) && (s->plays >> seat & 1); }

/* Those of a player or several who still play, each once. */
static int alive_of(S *s, V who, int32_t *seats) {
    int found = 0;
    if (who == NOTHING) return 0;
    const V one[2] = {1, who}, *several = is_list(who) ? list_at(s, who) : one;
    for (V at = 1; at <= several[0]; at++) {
        int known = !is_alive(s, several[at]);
        for (int i = 0; i < found && !known; i++) known = seats[i] == several[at];
        if (!known) seats[found++] = (int32_t)several[at];
    }
    return found;
}

static V clockwise(S *s, V start, int after, int backwards) {
    V *found = fresh(s);
    int step = backwards ? -1 : 1, first = backwards ? s->playing - 1 : 0;
    if (!after && is_alive(s, start)) push(s, &found, start);
    for (int round = 0; round < 2; round++)
        for (int i = 0, at = first; i < s->playing; i++, at += step)
            if (round == backwards ? s->alive[at] > start : s->alive[at] < start) push(s, &found, s->alive[at]);
    return handle(s, found);
}

static V neighbour(S *s, V seat, V step) {
    V found = seat, players = s->g->players, least = players;
    for (int at = 0; at < s->playing; at++) {
        V way = rest_of(s, (s->alive[at] - seat) * step - 1, players);
        if (way < least) least = way, found = s->alive[at];
    }
    return found;
}

static V living(S *s) {
    V *found = room_for(s, s->playing);
    for (int at = 0; at < s->playing; at++) found[1 + at] = s->alive[at];
    return handle(s, found);
}

/* ── chance ── */

#define MULTIPLIER 0xDA942042E4DD58B5u
#define GOLDEN 0x9E3779B97F4A7C15u

static inline uint64_t upper_half(uint64_t one, uint64_t other) {
#ifdef __SIZEOF_INT128__
    return (uint64_t)(((unsigned __int128)one * other) >> 64);
#else
    uint64_t a = one >> 32, b = one & 0xFFFFFFFFu, c = other >> 32, d = other & 0xFFFFFFFFu;
    uint64_t middle = b * c + (b * d >> 32), more = a * d + (middle & 0xFFFFFFFFu);
    return a * c + (middle >> 32) + (more >> 32);
#endif
}

static uint64_t mix(uint64_t number) {
    number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9u;
    number = (number ^ (number >> 27)) * 0x94D049BB133111EBu;
    return number ^ (number >> 31);
}

static void start(Stream *stream, uint64_t seed, uint64_t name, uint64_t times) {
    stream->high = mix(mix(seed ^ name) + times * GOLDEN);
    stream->low = mix(stream->high + GOLDEN) | 1;
}

static inline int64_t next_number(Stream *stream, int64_t bound) {
    stream->high = stream->high * MULTIPLIER + upper_half(stream->low, MULTIPLIER);
    stream->low *= MULTIPLIER;
    return (int64_t)upper_half(stream->high, (uint64_t)bound);
}

static inline int64_t below(S *s, V which, int64_t bound) {
    Stream *one = &STREAM(s, which);
    if (!one->low) {
        one->times += !one->times;
        start(one, s->seed, (uint64_t)s->g->stream[which], (uint64_t)one->times);
    }
    return next_number(one, bound);
}

static void restart(S *s, V which) {
    STREAM(s, which).times++;
    STREAM(s, which).high = STREAM(s, which).low = 0;
}
