/* All that sets of some values can come to, layer by layer, kind by kind: the same as `interpreter/totals`. */

#define MOST_IN_A_LAYER (1 << 14)
#define MOST_IN_ALL (1 << 17)
#define MOST_WAYS_TO_TAKE ((int64_t)1 << 36)
#define MOST_BITS 62
#define MOST_NAMED 512
#define SLOTS (1 << 15) /* where the sets of a layer are found by what they come to */

enum { F_SUM, F_LEAST, F_MOST, F_MEMBERS, F_SAME, FOLDS };
#define MIXED -1

/* Sets that come to the same: how many (2 stands for more), in how many ways they can be taken, where the first of them
   came from, and how many of the last kind it takes. */
typedef struct {
    V key[1 + MOST_FOLDS];
    int64_t ways;
    int32_t sets, before, taken, allowed;
} Node;

typedef struct {
    int count, kinds, folds, counted, nodes;
    V least, most;
    int32_t kind[MOST_OF_A_SET], copy[MOST_OF_A_SET]; /* by value */
    int32_t copies[MOST_OF_A_SET], first[MOST_OF_A_SET + 2], fold[MOST_FOLDS]; /* `first`: where each layer begins */
    V adds[MOST_OF_A_SET][MOST_FOLDS], member[MOST_NAMED];
    int members;
    Node node[MOST_IN_ALL + 1];
    int32_t slot[SLOTS];
} Totals;

static V put_together(int fold, V one, V other) {
    if (fold == F_SUM) return one + other;
    if (fold == F_MEMBERS) return one | other;
    if (one == NOTHING || other == NOTHING) return one == NOTHING ? other : one;
    if (fold == F_SAME) return one == other ? one : MIXED;
    return (fold == F_LEAST) == (one < other) ? one : other;
}

/* One more of a kind: 0 if that is more than may be taken. */
static int take_one_more(const Totals *t, int kind, V *key) {
    if (t->counted && key[0] >= t->most) return 0;
    key[0] = t->counted ? key[0] + 1 : 1;
    for (int i = 0; i < t->folds; i++) key[1 + i] = put_together(t->fold[i], key[1 + i], t->adds[kind][i]);
    return 1;
}

static int64_t ways_of_copies(int copies, int number) {
    int64_t ways = 1;
    for (int taken = 0; taken < number; taken++) {
        ways = ways * (copies - taken) / (taken + 1);
        if (ways > MOST_WAYS_TO_TAKE) ways = MOST_WAYS_TO_TAKE;
    }
    return ways;
}

static int64_t ways_together(int64_t one, int64_t other) {
    return one > MOST_WAYS_TO_TAKE / other ? MOST_WAYS_TO_TAKE : one * other;
}

/* The node of the layer that is being made for what sets come to: -1 if there is no room for one more. */
static int node_of(Totals *t, int layer, const V *key) {
    uint64_t at = 0;
    for (int i = 0; i <= t->folds; i++) at = (at ^ (uint64_t)key[i]) * 0x9e3779b97f4a7c15u, at ^= at >> 29;
    for (at %= SLOTS; t->slot[at] >= 0; at = (at + 1) % SLOTS)
        if (!memcmp(t->node[t->slot[at]].key, key, (size_t)(1 + t->folds) * sizeof(V))) return t->slot[at];
    if (t->nodes > MOST_IN_ALL - 1 || t->nodes - t->first[layer] >= MOST_IN_A_LAYER) return -1;
    Node *n = t->node + t->nodes;
    memcpy(n->key, key, (size_t)(1 + t->folds) * sizeof(V));
    n->sets = 0, n->ways = 0;
    return t->slot[at] = t->nodes++;
}

/* Find out what sets can come to: 0 if that is too much. */
static int add_up(Totals *t) {
    t->first[0] = 0, t->first[1] = t->nodes = 1;
    t->node[0] = (Node){{0}, 1, 1, -1, 0, 0};
    for (int i = 0; i < t->folds; i++) t->node[0].key[1 + i] = t->fold[i] == F_SUM || t->fold[i] == F_MEMBERS ? 0 : NOTHING;
    for (int kind = 0; kind < t->kinds; kind++) {
        memset(t->slot, -1, sizeof t->slot);
        for (int before = t->first[kind]; before < t->first[kind + 1]; before++) {
            V key[1 + MOST_FOLDS];
            memcpy(key, t->node[before].key, sizeof key);
            for (int number = 0; number <= t->copies[kind]; number++) {
                if (number && !take_one_more(t, kind, key)) break;
                int at = node_of(t, kind + 1, key);
                if (at < 0) return 0;
                Node *n = t->node + at;
                if (!n->sets) n->before = before, n->taken = number;
                n->sets = n->sets + t->node[before].sets > 1 ? 2 : 1;
                n->ways += ways_together(t->node[before].ways, ways_of_copies(t->copies[kind], number));
                if (n->ways > MOST_WAYS_TO_TAKE) n->ways = MOST_WAYS_TO_TAKE;
            }
        }
        t->first[kind + 2] = t->nodes;
    }
    return 1;
}

static int is_end(const Totals *t, int at) {
    V least = t->counted ? t->least : t->least < 1 ? t->least : 1;
    return t->node[at].key[0] >= least;
}

/* How many of each kind the first set takes that comes to this. */
static void taken_by(const Totals *t, int at, int32_t *taken) {
    for (int kind = t->kinds - 1; kind >= 0; at = t->node[at].before, kind--) taken[kind] = t->node[at].taken;
}

/* One of the sets that come to this, each way to take one as likely as any other. */
static void draw_back(const Totals *t, int at, int32_t *taken, Stream *numbers) {
    for (int kind = t->kinds - 1; kind >= 0; kind--) {
        int64_t total = 0, chosen = -1;
        for (int round = 0; round < 2; round++) {
            if (round) chosen = next_number(numbers, total);
            int found = 0;
            for (int before = t->first[kind]; before < t->first[kind + 1] && !found; before++) {
                V key[1 + MOST_FOLDS];
                memcpy(key, t->node[before].key, sizeof key);
                for (int number = 0; number <= t->copies[kind] && !found; number++) {
                    if (number && !take_one_more(t, kind, key)) break;
                    if (memcmp(key, t->node[at].key, (size_t)(1 + t->folds) * sizeof(V))) continue;
                    int64_t ways = ways_together(t->node[before].ways, ways_of_copies(t->copies[kind], number));
                    if (!round) {
                        total += ways;
                    } else if ((chosen -= ways) < 0) {
                        taken[kind] = number, at = before, found = 1;
                    }
                }
            }
        }
    }
}
