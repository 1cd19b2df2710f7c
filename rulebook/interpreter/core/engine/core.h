/* The core: a game's rules as tables and flat code, a state, and what all parts of the engine share.

   A value is a whole number. Nothing, what is absent, and what a question lacks are the three smallest; words and lists
   are numbered from a high number on; of no two values is the sum too large for 64 bits. A list stands in the state's
   arena; its value says where, and there stand its length and its members. That a value is a list of this arena is not
   asked again when it is read: none may be made by reckoning, or come in from outside. */

#include <limits.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t V;

#define NOTHING (-((V)1 << 62))
#define ABSENT (NOTHING + 1)
#define LACKS (NOTHING + 2) /* something was asked of nothing */
#define WORD ((V)1 << 59)
#define LIST ((V)1 << 61)

#define MOST_PLAYERS 12
#define MOST_PICKS 8
#define MOST_KEYS 8
#define MOST_KINDS 64
#define MOST_LISTED 10000
#define MOST_VALUE 1000000000000000
#define MOST_LOOKED_AT 250000
#define MOST_SEARCHED (16 * MOST_LOOKED_AT)
#define MOST_WAYS_BACK (64 * MOST_LOOKED_AT)
#define MOST_ANSWERS 5000
#define MOST_KEPT 500000
#define MOST_ASKING 200
#define MOST_TRIED 4096
#define MOST_FOLDS 8
#define MOST_WAYS ((int64_t)1 << 48)
#define MOST_OF_A_SET 512
#define MOST_COUNTED (1 << 30)
#define DEEPEST 8 /* lists in lists */
#define NO_CARD 65535
#define MOST_PLACES 65534
#define NO_STEP -2 /* where an operand stands */
#define WIDEST 32768         /* values in one frame, at most */
#define STACK (1 << 24)      /* values in all frames, at most */
#define MOST_LOG (1 << 24)   /* values in a log, at most */
#define ARENA 131072         /* values for which there is room in lists, beside those that somebody holds */
#define MOST_ARENA (1 << 24) /* values in all lists, at most */
#define FULL 2048            /* so many more, and it is tidied up between two steps */

/* Under the sanitizer of addresses the parts of a state lie apart, and what is between them may not be touched. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define GAP 64
#else
#define GAP 0
#endif

enum { OK, TOO_LONG, TOO_LARGE, ENDLESS, NO_ROOM, DIVIDED, OUTSIDE, TOO_MUCH, NOT_THERE, NO_STAGE, UNKNOWN, NO_TABLE };
enum { BAG, LOOSE, PILE, ROW, SLOT, POOL, GRID };
enum { RUNNING, WON, RANKED, UNFINISHED };
enum { BY_NOBODY, BY_OWNER, BY_EVERYONE, BY_TOP, BY_OTHERS };
enum { OF_TABLE, OF_PLAYER, OF_CARD };
enum { ANY_END, TOP_END, BOTTOM_END };
enum { ANY_FACE = -1, FACE_DOWN, FACE_UP };
#define BOX 0

/* ── the rules ── */

typedef struct {
    V kept, seen_by, owned_by, owner, watchers, recall, stream, refill, rows, columns, room, holds, counted, alike_once, cell;
} Place; /* `holds`: the kinds of cards that may lie there, as a mask, 0 for all; `counted`: who may count them;
            `alike_once`: of cards there that are alike one is offered; `cell`: see `keeping.c` */

typedef struct {
    V entry, size, width, constants, constant, asks_stages, parameters, loops, until, pieces, cards, scratch;
} Code; /* from `pieces` on stands what is run on its own; of locals, those in which numbers are cards, and those that
           hold nothing between two sentences */

typedef struct {
    const V *blank;
    V many;
} Window; /* the registers of a code, as they are when it begins, and some more: they are copied by fours */

typedef struct {
    V outer, exit, name, until, code, kept;
} Stage; /* `kept`: the locals for what lasts as long as a stage of the same name around it, among the data */

typedef struct {
    V deciders, sealed, decider, may, pick, picks, veiled;
} Choice; /* `veiled`: others may not learn who is asked */

typedef struct {
    V slot, many, ordered, least, most, so_that, source, sources, cards, folds, line, always;
} Pick; /* `folds`: where it stands among the data how each is put together and where its piece begins, -1 for none;
           names of one `line` of a block are different things; `always`: it is asked for though there is only one answer */

typedef struct {
    V list, cards, shown, sort;
} Source;

typedef struct {
    V slots, first, start, values, seen_by, legal, cards, owned, secret, follows, entries;
} Memory; /* `values`: where the range or list of legal numbers stands among the data, -1 for none; `legal`: all that it
             may hold, numbers or not; `secret`: somebody cannot follow what it holds; `follows`: the question whose last
             answer it holds, -1 for none; `entries`: how many it has, of a table, else 0 */

typedef struct {
    V with_face, values, starts, range, rolled, cards;
} Changing;

/* Sections of the image from which a game is loaded, in this order: where each begins and how long it is. */
enum { SIZES, PLACES, LIKENESS, SINGULAR, CHANGING, MEMORY, STREAMS, CODES, STEPS, TRAPS, STAGE_AT, STAGES, LASTING,
       CHOICES, PICKS, SOURCES, DATA, LISTS, RANK, KINDS, TOPS, UNKNOWN_AT, SECTIONS };
enum { N_PLAYERS, N_CARDS, N_OBJECTS, N_MEMORIES, N_SCRIPTS, ROOT, N_NAMES, PAYS, TRIGGERS, TEAM, N_CELLS_OF_PLACES, SIZES_END };

/* Columns of what is noted of a pile when somebody is asked first: how often that was, a hash of what lay there and of
   what had been drawn from it, how often it differed, how often there were cards of several likenesses of which somebody
   may not see one; then of this game the hash of what was drawn, the likeness of the first, whether all are such, and
   whether one was hidden. */
enum { BEGUN, LAY, LAY_OTHERWISE, HIDDEN, DRAWN, DRAWN_FIRST, DRAWN_OTHERS, DRAWN_HIDDEN, PILED };

/* What is noted of games while somebody watches, and what is tried in them instead; see `ablating.c`. */
typedef struct {
    int64_t mutant, game, words, mutants, is_noting, is_other, idle, idle_before, before, work;
    int64_t *reached, *mattered, *empty, *values, *picks, *piles; /* rows of numbers: see `door.Watch` */
    uint64_t *games;                                      /* of each mutant a bit for each game in which it mattered */
    uint8_t *filled, *used;                               /* places in which something lay, cards that left the box */
} Watch;

typedef struct {
    int players, cards, objects, places, memories, kinds_of_memory, changing, streams, scripts, codes, stages, names, parts, rank,
        root, pays, triggers, team, supplies, cells, first_memory, first_state; /* `pays`: the key of the result is a payoff; `triggers`: the script that asks
                                                 what has become so, -1 for none; `team`: the question of the teams, 0 for
                                                 none; `supplies`: some place offers what is alike once; `cells`: see
                                                 `keeping.c`, and the first of memories and of states of cards */
    V steps;
    V answer; /* the op that ends a piece, as it stands in `made` */
    V lists;        /* values in the lists of the program */
    const Place *place;
    const V *likeness, *singular;
    const Changing *state;
    const Memory *memory;
    const V *stream;
    const Code *code;
    Window *window;
    V *blanks;
    const int32_t *step, *trap;
    const int32_t *unknown_at; /* by step, where it says among the data what scripts remember there, -1 if nothing */
    V *made; /* the steps as they run: at the same places, with where ops and other steps are in memory */
    const int16_t *stage_at;
    const Stage *stage;
    const V *lasting;
    const Choice *choice;
    const Pick *pick;
    const Source *source;
    const V *data, *list, *key;
    const V *kind, *tops; /* by card its kind; by kind those that show the same states on top, as a mask */
    V *image;
    V ahead; /* values for which the stack has room beside all frames: of the next one, and of questions */
    int64_t most_work;        /* how much may be done in one game that is played whole; see `play_on` */
    Watch *watch;             /* NULL if nobody does */
    int32_t *zone_at; /* where the cards of a place begin */
    uint8_t *kept;    /* how they are kept there */
    size_t gaps[16];  /* behind each part of a state */
    size_t memory_at, count_at, where_at, face_at, known_at, spot_at, set_at, zones_at, state_at, streams_at,
        offers_at, cells_at, size;
} Game;

/* Options that somebody asks about, by number, -1 for all others: of cards and actions, of words, of no and yes, of labels,
   and to pass. By source, of what sort its values are, or where its labels begin. */
enum { OF_ANSWERS = -4, OF_WORDS, OF_OBJECTS, OF_NOTHING };

typedef struct {
    int32_t many, pass;
    const int32_t *sources, *objects, *words, *answers, *labels;
} Options;

typedef struct {
    const Options *options;
    int32_t option, always;
} Wanted; /* an answer with an option in it, always or never */

/* ── a state ── */

typedef struct {
    uint64_t high, low;
    int64_t times;
} Stream;

typedef struct {
    int32_t seat, number, done, made;
    V picks[MOST_PICKS];
} Entry;

typedef struct {
    V values, count, least, most, first; /* a list of the values, and behind them the source of each */
    int32_t open, may, several, undecided; /* `undecided`: nobody knows whether a set may be chosen */
} Offer;

typedef struct {
    int32_t n, first, last; /* how many lie there; of piles, how many are settled */
    int32_t knowers;        /* without an order, everybody who knows a card there, and perhaps others */
} Count;

typedef struct {
    const Game *g;
    uint64_t seed, heard; /* `heard`: of what happened, if somebody watches, a hash */
    int32_t counts[MOST_PLAYERS + 1], clock;
    int32_t result, winners, won[MOST_PLAYERS], wins, win[MOST_PLAYERS]; /* who won, place by place, so many at each */
    int32_t playing, alive[MOST_PLAYERS], plays; /* who still plays, as seats and as a mask */
    int32_t leavings, left[MOST_PLAYERS], leaver[MOST_PLAYERS][MOST_PLAYERS];
    int32_t asked; /* entries of the decision that is open */
    Entry entry[MOST_PLAYERS];
    Offer offer[MOST_PLAYERS]; /* what is offered to them */
    int32_t found;             /* to whom that has been found out, as a mask */
    int32_t halted, untested, unheeded, begins, why; /* what stopped it, for good */
    V to; /* at which step the loop goes on */
    int64_t carried; /* what was looked at before all games went on from here */
    int64_t looked, asking, kept, staged, base, top, used, full, changes, changed, version;
    V *stack, *arena, *log;  /* of all frames, of all lists, of what is noted: they grow, so they lie elsewhere */
    V room, listed, to_note; /* values for which there is room there */
    V noted;                 /* values in the log; 0 if nobody follows the game */
} S;

#define AT(type, s, where) ((type *)((char *)(s) + (s)->g->where))
#define MEMORIES_OF(s) AT(V, s, memory_at)
#define COUNT(s, place) AT(Count, s, count_at)[place]
#define WHERE(s) AT(uint16_t, s, where_at)
#define FACE(s) AT(uint8_t, s, face_at)
#define KNOWN(s) AT(uint16_t, s, known_at)
#define SPOT(s) AT(uint16_t, s, spot_at)
#define SET(s, place) (AT(uint64_t, s, set_at) + (size_t)(place) * (size_t)(s)->g->parts)
#define ZONE(s, place) (AT(uint16_t, s, zones_at) + (s)->g->zone_at[place])
#define STATE(s, one) (AT(V, s, state_at) + (size_t)(one) * (size_t)(s)->g->cards)
#define STREAM(s, one) AT(Stream, s, streams_at)[one]
#define STACK_OF(s) ((s)->stack)
#define ARENA_OF(s) ((s)->arena)
#define CELLS(s) AT(int64_t, s, cells_at)
#define OFFERS(s) AT(V, s, offers_at)
#define PLACE(s, which) ((s)->g->place[which])
#define KEPT(s, which) ((int)(s)->g->kept[which])
#define EVERYONE(s) ((1 << (s)->g->players) - 1)

/* Of a frame: its script, the step at which that goes on, the frame that called it, the local there that gets its answer,
   the innermost of those below that is in a stage; then its registers. */
enum { CODE, PC, CALLER, ANSWERS, STAGED, REGISTERS };

static _Thread_local jmp_buf way_out;

/* The game cannot go on here; the machine says why. */
static _Noreturn void stop(S *s, int why) {
    (void)s;
    longjmp(way_out, why);
}

static inline void look(S *s, int64_t many) {
    s->looked += many;
    if (s->looked > MOST_LOOKED_AT) stop(s, ENDLESS);
}

/* Make room for so many values of frames or of lists. They may come to lie elsewhere: it is done where nobody looks at
   one. Whether there is as much. */
static int has_room(V **at, V *room, V wanted, V most) {
    V more = *room ? *room : 256, *moved;
    if (wanted <= *room) return 1;
    if (wanted > most) return 0;
    while (more < wanted) more *= 2;
    if (!(moved = realloc(*at, (size_t)more * sizeof(V)))) return 0;
    *at = moved, *room = more;
    return 1;
}

static int has_frames(S *s, V wanted) { return has_room(&s->stack, &s->room, wanted, STACK); }
static int has_lists(S *s, V wanted) { return has_room(&s->arena, &s->listed, wanted, s->g->lists + MOST_ARENA); }

static inline void touch(S *s) {
    s->changes++;
    s->untested = s->unheeded = 1;
}

static void note_answer(S *s, int which, V value);
