/* A tree of what players know, searched at imagined tables: `tree_search.py`, with the same numbers. */

#include <math.h>

/* An answer where it may be given, or was: `key` is of both; how often it could have been taken and was, and what its
   seat got in all. */
typedef struct {
    uint64_t key;
    int32_t answer, legal, taken; /* `answer`: of those that are thought about at the root its number, elsewhere -1 */
    double payoff, margin;
} Arm;

/* How search goes: games from each leaf, answers in each, its weights; as `tree_search.py` has them. */
typedef struct {
    int64_t games, ahead;
    double curiosity, margin;
} Manner;

typedef struct {
    Manner manner;
    Stream numbers;
    Arm *arm;
    int32_t *slot; /* by hash the number of an arm, from 1; 0 for none */
    int64_t arms, room, slots, left, told;
    double payoffs, margins, sum, squares; /* the widest of both so far; of what games were worth, `told` of them */
} Search;

enum { AT_ROOT = 20, AT_NODE };

DOOR Search *open_search(void) { return calloc(1, sizeof(Search)); }

DOOR void close_search(Search *t) {
    if (t) free(t->arm), free(t->slot);
    free(t);
}

/* Begin to search, so many tables at most, with the numbers of a stream. */
DOOR void begin_search(Search *t, const Manner *manner, const uint64_t *stream, int64_t most) {
    t->manner = *manner, t->numbers.high = stream[0], t->numbers.low = stream[1];
    t->arms = t->told = 0, t->left = most;
    t->payoffs = t->margins = 1, t->sum = t->squares = 0;
    if (t->slots) memset(t->slot, 0, (size_t)t->slots * sizeof *t->slot);
}

/* Where an arm stands, or would. */
static int32_t *find_slot(const Search *t, uint64_t key) {
    uint64_t at = key & (uint64_t)(t->slots - 1);
    while (t->slot[at] && t->arm[t->slot[at] - 1].key != key) at = (at + 1) & (uint64_t)(t->slots - 1);
    return t->slot + at;
}

/* Make room for so many arms more; whether there is as much. */
static int has_arms(Search *t, int64_t more) {
    int64_t room = t->room ? t->room : 1024;
    if (t->arms + more <= t->room) return 1;
    while (room < t->arms + more) room *= 2;
    Arm *arm = room < INT32_MAX / 4 ? realloc(t->arm, (size_t)room * sizeof *arm) : NULL;
    if (arm) t->arm = arm;
    int32_t *slot = arm ? calloc(2 * (size_t)room, sizeof *slot) : NULL;
    if (!slot) return 0;
    free(t->slot);
    t->slot = slot, t->room = room, t->slots = 2 * room;
    for (int64_t i = 0; i < t->arms; i++) *find_slot(t, t->arm[i].key) = (int32_t)i + 1;
    return 1;
}

/* The number of an arm, which is made if there is none. */
static int32_t arm_of(Search *t, uint64_t key, int answer) {
    int32_t *slot = find_slot(t, key);
    if (!*slot) {
        t->arm[t->arms] = (Arm){key, answer, 0, 0, 0, 0};
        *slot = (int32_t)++t->arms;
    }
    return *slot - 1;
}

static double weigh(const Search *t, double payoff, double margin) {
    double lead = t->manner.margin;
    return (1 - lead) * payoff / t->payoffs + lead * margin / t->margins;
}

static double worth(const Search *t, const Arm *a) { return weigh(t, a->payoff, a->margin) / (a->taken > 1 ? a->taken : 1); }

/* The standard deviation of what single games were worth to seats. */
static double deviation(const Search *t) {
    if (!t->told) return 0;
    double mean = t->sum / (double)t->told, found = t->squares / (double)t->told - mean * mean;
    return found > 0 ? sqrt(found) : 0;
}

/* Which of the answers at the table to take: something new at random, else what promises most. */
static int choose_arm(Search *t, const Answers *a, uint64_t node, const Answers *root, int32_t *arm) {
    int fresh = 0, best = 0;
    double curiosity = t->manner.curiosity * deviation(t), most = 0;
    for (int i = 0, at = 0; i < a->count; i++) {
        while (root && root->mark[at] != a->mark[i]) at++;
        arm[i] = arm_of(t, mixed_in(node, a->mark[i]), root ? at : -1);
        t->arm[arm[i]].legal++;
        fresh += !t->arm[arm[i]].taken;
    }
    if (fresh) {
        int left = (int)next_number(&t->numbers, fresh);
        while (t->arm[arm[best]].taken || left--) best++;
        return best;
    }
    for (int i = 0; i < a->count; i++) {
        const Arm *one = t->arm + arm[i];
        double promise = worth(t, one) + curiosity * sqrt(log(one->legal) / one->taken);
        if (!i || promise > most) most = promise, best = i;
    }
    return best;
}

/* Note what seats got in so many games together, and on the way that led there. */
static void back_up(Search *t, const int64_t *row, int players, const int32_t *path, const int8_t *seats, int length) {
    double payoff[MOST_PLAYERS], margin[MOST_PLAYERS], games = (double)t->manner.games;
    for (int seat = 0; seat < players; seat++) {
        payoff[seat] = (double)row[seat] / games;
        margin[seat] = t->manner.margin > 0 ? (double)row[players + seat] / games : 0;
        if (fabs(payoff[seat]) > t->payoffs) t->payoffs = fabs(payoff[seat]);
        if (fabs(margin[seat]) > t->margins) t->margins = fabs(margin[seat]);
        double found = weigh(t, payoff[seat], margin[seat]);
        t->told++, t->sum += found, t->squares += found * found;
    }
    for (int i = 0; i < length; i++) {
        Arm *a = t->arm + path[i];
        a->taken++, a->payoff += payoff[seats[i]], a->margin += margin[seats[i]];
    }
}

/* The arm at the root that was taken most often, beside this one; of equal ones that which went better. NULL for none. */
static const Arm *find_most_taken(const Search *t, const Arm *beside) {
    const Arm *most = NULL;
    for (int64_t i = 0; i < t->arms; i++) {
        const Arm *a = t->arm + i;
        if (a->answer < 0 || a == beside) continue;
        if (!most || a->taken > most->taken || (a->taken == most->taken && worth(t, a) > worth(t, most))) most = a;
    }
    return most;
}

/* Whether no other answer can be taken most often any more. */
static int is_settled(const Search *t) {
    const Arm *most = find_most_taken(t, NULL), *next = most ? find_most_taken(t, most) : NULL;
    return most && most->taken - (next ? next->taken : 0) > t->left;
}

/* One table: down the tree, one arm further, games from there, and back. What stopped it, if something did. */
static int search_once(Search *t, Imagining *m) {
    int32_t path[MOST_ANSWERS + 1], arm[MOST_LISTED + 1];
    int8_t seats[MOST_ANSWERS + 1];
    int length = 0, seat = m->seat, players = m->twins.g->players;
    uint64_t trail[MOST_PLAYERS] = {0}, node = AT_ROOT;
    int why = imagine_next(m, (uint64_t)next_number(&t->numbers, (int64_t)1 << 62), 0);
    if (why) return why == NO_TABLE ? OK : why;
    while (m->here.count && length < MOST_ANSWERS) {
        if (!has_arms(t, m->here.count)) return NO_ROOM;
        int number = choose_arm(t, &m->here, node, length ? NULL : &m->root, arm), is_new = !t->arm[arm[number]].taken;
        path[length] = arm[number], seats[length++] = (int8_t)seat;
        trail[seat] = mixed_in(trail[seat], m->here.mark[number]);
        if ((why = give_imagined(m, number, !is_new))) return why;
        if (is_new || m->row[0] < 0) break;
        seat = (int)m->row[0], node = mixed_in(mixed_in(AT_NODE, (uint64_t)m->row[1]), trail[seat]);
    }
    if ((why = play_imagined(m, (int)t->manner.games, t->manner.ahead * players))) return why;
    back_up(t, m->row, players, path, seats, length);
    return OK;
}

/* Search at so many tables more, or fewer: whether there are more to come, and which of the answers that are thought
   about is best so far, -1 if none was met. What stopped it, if something did. */
DOOR int search_on(Search *t, Imagining *m, int64_t tables) {
    int why = OK;
    for (; tables > 0 && t->left > 0 && !is_settled(t) && !why; tables--, t->left--) why = search_once(t, m);
    const Arm *most = find_most_taken(t, NULL);
    m->row[0] = t->left > 0 && !is_settled(t), m->row[1] = most ? most->answer : -1;
    return why;
}
