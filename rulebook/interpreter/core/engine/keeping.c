/* Answers that are kept until something changes that they read.

   All that may change is divided into cells: who plays, which cards lie face up, where cards lie at all; then by name a
   cell for each place, each memory, each state of cards. A cell has a version, and no version comes twice, in whatever
   state, game or thread. So where of the cells that an answer reads the latest version is the same, they are the same:
   one of the two states is a copy of the other, or both are of a third, and nothing has happened to these cells since.
   In the machine `Kept` has the contents of these slots themselves. */

enum { CELL_PLAYERS, CELL_FACES, CELL_CARDS, CELLS_BEFORE };
enum { SITES_KEPT = 1024 };

typedef struct {
    int64_t version;
    V key, value;
    int32_t site, looked;
} Kept;

#define VERSIONS (1 << 26) /* so many has each state for itself */

static _Thread_local Kept *kept_answers;

/* Versions that no other state has. */
static int64_t fresh_versions(void) {
    static int64_t given;
    return __atomic_add_fetch(&given, VERSIONS, __ATOMIC_RELAXED);
}

static inline void renew(S *s, V cell) { CELLS(s)[cell] = ++s->version; }

/* Cards come to a place, leave it, or lie there otherwise. */
static inline void renew_place(S *s, int place) {
    renew(s, PLACE(s, place).cell);
    CELLS(s)[CELL_CARDS] = s->version;
}

static inline void renew_memory(S *s, V which) { renew(s, s->g->first_memory + which); }
static inline void renew_state(S *s, V one) { renew(s, s->g->first_state + one); }

static void renew_all(S *s) {
    for (int cell = 0; cell < s->g->cells; cell++) renew(s, cell);
}

static inline int64_t latest(S *s, const V *cells) {
    int64_t found = 0;
    for (V i = cells[0]; i > 1; i--)
        if (CELLS(s)[cells[i]] > found) found = CELLS(s)[cells[i]];
    return found;
}

static inline Kept *find_kept(const V *cells, V key) {
    return kept_answers + (((uint64_t)cells[1] * 37 + (uint64_t)key) & (SITES_KEPT - 1));
}

/* The answer that is kept for a key, if nothing has changed that it reads. */
static inline const Kept *recalled(S *s, const V *cells, V key) {
    if (!kept_answers) return NULL;
    const Kept *kept = find_kept(cells, key);
    return kept->site == cells[1] && kept->key == key && kept->version == latest(s, cells) ? kept : NULL;
}

static __attribute__((noinline)) void keep_answer(S *s, const V *cells, V key, V value, int64_t looked) {
    if (!kept_answers && !(kept_answers = calloc(SITES_KEPT, sizeof *kept_answers))) return;
    if (is_list(key) || is_list(value) || looked < 0 || looked > INT32_MAX) return;
    *find_kept(cells, key) = (Kept){latest(s, cells), key, value, (int32_t)cells[1], (int32_t)looked};
}
