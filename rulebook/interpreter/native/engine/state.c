/* A state, the values that stand in it, and chance.

   A value is a whole number. Nothing, and what is absent, are the two smallest; words and lists are numbered from a
   high number on. A list stands in the state's arena, or among the lists that are settled before the game; its value
   says where, and there stand its length and its members, and before them which of the first 64 words are among these. */

#include <setjmp.h>
#include <stddef.h>
#include <string.h>

#define ABSENT (INT64_MIN + 1)
#define LACKS (INT64_MIN + 2) /* a question asked something of nothing */

#define MOST_LISTED 10000
#define MOST_VALUE 1000000000000000
#define MOST_LOOKED_AT 1000000
#define MOST_ANSWERS 20000
#define MOST_FRAMES 200
#define DEEPEST 300      /* questions that ask each other */
#define STACK 16384      /* values in all frames */
#define SETTLED ((V)(sizeof LISTS / sizeof *LISTS))
#define ARENA (SETTLED + 131072) /* values in all lists; those that are settled before the game stand first */
#define FULL (SETTLED + 1024)    /* from here on it is tidied up between two sentences */

enum { OK, TOO_LONG, TOO_LARGE, ENDLESS, NO_ROOM, DIVIDED, OUTSIDE, TOO_MUCH, NOT_THERE, NO_STAGE, UNKNOWN };
enum { BAG, LOOSE, PILE, ROW, SLOT, POOL, GRID };
enum { RUNNING, WON, RANKED, UNFINISHED };
enum { BY_NOBODY, BY_OWNER, BY_EVERYONE, BY_TOP };

#define PARTS ((CARDS + 63) / 64 + !CARDS)
#define SPARE ((int)(16 / sizeof(CARD)))

typedef struct {
    uint64_t part[PARTS];
} Set;

typedef struct {
    unsigned __int128 number;
    int64_t times;
} Stream;

typedef struct {
    int32_t seat, number, done, made;
    V picks[MOST_PICKS];
} Entry;

typedef struct {
    V values, least, most, first;
    int open, may; /* whether anything can be chosen at all, and whether to pass is an answer */
    int set, ordered;
    int several; /* of sets that are tested: whether more than the first is legal */
} Offer;

typedef struct {
    int64_t since;
    V answer;
} Kept;

typedef struct {
    uint64_t seed;
    Stream stream[STREAMS + 1];
    int32_t counts[PLAYERS + 1], clock;
    int32_t result, winners, won[PLAYERS];
    int32_t playing, alive[PLAYERS], plays; /* who still plays, as seats and as a mask */
    int32_t leavings, left[PLAYERS], leaver[PLAYERS][PLAYERS];
    int32_t asked; /* entries of the decision that is open */
    Entry entry[PLAYERS];
    Offer offer[PLAYERS];   /* what is offered to them */
    int32_t found, offered; /* to whom that has been found out, as a mask; who is waited for, or -1 */
    int32_t stepping; /* whether answers come from outside */
    V given;          /* that answer, or LACKS */
    unsigned __int128 bot[PLAYERS];
    uint64_t trace;
    int32_t turns, before; /* how often somebody else answered than before, and who that was */
    int64_t looked, depth, frames, base, top, used;
    int64_t changes;       /* how many sentences may have changed something */
    Kept kept[KEEPS + 1];  /* answers that are good as long as nothing changes */
    int64_t changed; /* how many states of cards are not as they began */
    V memory[MEMORIES + 1];
    int32_t n[PLACES], first[PLACES], last[PLACES]; /* how many lie there; of piles, how many are settled */
    uint16_t where[CARDS + 1];
    uint8_t face[CARDS + 1];
    Set set[PLACES];                   /* the cards of places without an order */
    uint16_t spot[CARDS + 1];          /* where a card lies on its grid */
    CARD zone[PLACES][CAP + SPARE];    /* the cards of all others; where rows are shifted, what is behind them too */
    V state[STATES + 1][CARDS + 1];
    V stack[STACK];
    V arena[ARENA];
    V offers[MOST_LISTED + 4]; /* what is offered to somebody, while that is found out */
} S;

#define QUICK inline __attribute__((always_inline)) /* what is done most often, at few places */

static __thread jmp_buf way_out;

/* The game cannot go on here; another tier says why. */
static _Noreturn void stop(S *s, int why) { (void)s; longjmp(way_out, why); }

static inline void look(S *s, int64_t many) {
    s->looked += many;
    if (s->looked > MOST_LOOKED_AT) stop(s, ENDLESS);
}

static inline V bounded(S *s, V number) {
    if (number <= -MOST_VALUE || number >= MOST_VALUE) stop(s, TOO_LARGE);
    return number;
}

static inline V times(S *s, V one, V other) {
    V found;
    if (__builtin_mul_overflow(one, other, &found)) stop(s, TOO_LARGE);
    return bounded(s, found);
}

/* Rounded down, with a rest that has the sign of the right side. */
static inline V divided(S *s, V one, V other) {
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

/* As many bytes as LIST stands for are all that there are, so this is one addition. */
static inline const V *list_at(const S *s, V list) { return s->arena + (list - LIST); }

enum { MASK = -1 };
#define BIT(word) ((V)((uint64_t)1 << ((word) & 63)))

static inline V length(const S *s, V list) { return list_at(s, list)[0]; }
static inline V handle(const S *s, const V *list) { return LIST + (list - s->arena); }

static inline V *fresh(S *s) {
    if (s->used + 1 >= ARENA) stop(s, TOO_MUCH);
    V *list = s->arena + s->used + 1;
    list[MASK] = list[0] = 0;
    s->used += 2;
    return list;
}

/* A list of so many members, which are laid down afterwards. */
static inline V *room_for(S *s, V many) {
    V *list = fresh(s);
    if (s->used + many > ARENA) stop(s, TOO_MUCH);
    s->used += list[0] = many;
    return list;
}

/* One more member; a list behind which another one stands by now moves behind that. */
static inline void push(S *s, V **list, V value) {
    V *at = *list;
    if (at + 1 + at[0] != s->arena + s->used) {
        if (s->used + at[0] + 2 > ARENA) stop(s, TOO_MUCH);
        memcpy(s->arena + s->used, at + MASK, (size_t)(at[0] + 2) * sizeof(V));
        *list = s->arena + s->used + 1;
        s->used += at[0] + 2;
        at = *list;
    }
    if (s->used >= ARENA) stop(s, TOO_MUCH);
    if (at[0] >= MOST_LISTED) stop(s, TOO_LONG);
    at[++at[0]] = value;
    at[MASK] |= BIT(value);
    s->used++;
}

static V pair(S *s, V one, V other) {
    V *list = fresh(s);
    push(s, &list, one);
    push(s, &list, other);
    return handle(s, list);
}

static int same_lists(const S *s, V one, V other);

static inline int same(const S *s, V one, V other) {
    return one == other || (is_list(one) && is_list(other) && same_lists(s, one, other));
}

static int same_lists(const S *s, V one, V other) {
    const V *mine = list_at(s, one), *yours = list_at(s, other);
    if (mine[0] != yours[0]) return 0;
    for (V at = 1; at <= mine[0]; at++)
        if (!same(s, mine[at], yours[at])) return 0;
    return 1;
}

/* A state of a card gets a value; one that is as it began is the very value with which it began. */
static inline void set_state(S *s, int one, V card, V value) {
    V start = STARTS[one][card];
    if (same(s, value, start)) value = start;
    s->changed += (value != start) - (s->state[one][card] != start);
    s->state[one][card] = value;
}

static inline int is_true(const S *s, V value) {
    return value != 0 && value != NOTHING && !(is_list(value) && !length(s, value));
}

/* ── who plays ── */

static inline int is_alive(const S *s, V seat) { return seat >= 0 && seat < PLAYERS && (s->plays >> seat & 1); }

/* Those of a player or several who still play, each once. */
static int alive_of(const S *s, V who, int32_t *seats) {
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

/* ── chance ── */

#define MULTIPLIER (((unsigned __int128)0) + 0xDA942042E4DD58B5u)
#define GOLDEN 0x9E3779B97F4A7C15u

static uint64_t mix(uint64_t number) {
    number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9u;
    number = (number ^ (number >> 27)) * 0x94D049BB133111EBu;
    return number ^ (number >> 31);
}

static unsigned __int128 start(uint64_t seed, uint64_t name, uint64_t times) {
    uint64_t upper = mix(mix(seed ^ name) + times * GOLDEN), lower = mix(upper + GOLDEN);
    return ((unsigned __int128)upper << 64) | lower | 1;
}

static inline int64_t next_number(unsigned __int128 *number, int64_t bound) {
    *number *= MULTIPLIER;
    return (int64_t)(((*number >> 64) * (unsigned __int128)(uint64_t)bound) >> 64);
}

static inline int64_t below(S *s, int stream, int64_t bound) {
    Stream *one = &s->stream[stream];
    if (!one->number) {
        one->times += !one->times;
        one->number = start(s->seed, STREAM_NAMES[stream], (uint64_t)one->times);
    }
    return next_number(&one->number, bound);
}

static void restart(S *s, int stream) {
    s->stream[stream].times++;
    s->stream[stream].number = 0;
}
