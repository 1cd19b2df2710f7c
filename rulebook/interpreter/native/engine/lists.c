/* Built-in questions: lists in an order, lists without doubles, seats around the table, positions of rows and grids. */

/* ── orders: the keys of each member stand one after the other in a list of their own ── */

static int is_more(const V *one, const V *other, int keys) {
    for (int i = 0; i < keys; i++)
        if (one[i] != other[i]) return one[i] > other[i];
    return 0;
}

/* The most first; equal ones keep their order. */
static V sorted(S *s, V *list, V *keys, int each) {
    V key[8];
    for (V i = 1; i < list[0]; i++) {
        V one = list[1 + i], at = i;
        memcpy(key, keys + 1 + i * each, (size_t)each * sizeof(V));
        for (; at > 0 && is_more(key, keys + 1 + (at - 1) * each, each); at--) {
            list[1 + at] = list[at];
            memcpy(keys + 1 + at * each, keys + 1 + (at - 1) * each, (size_t)each * sizeof(V));
        }
        list[1 + at] = one;
        memcpy(keys + 1 + at * each, key, (size_t)each * sizeof(V));
    }
    return handle(s, list);
}

/* All that share the most. */
static V best(S *s, const V *list, const V *keys, int each) {
    V top = 0, *found = fresh(s);
    for (V i = 1; i < list[0]; i++)
        if (is_more(keys + 1 + i * each, keys + 1 + top * each, each)) top = i;
    for (V i = 0; i < list[0]; i++)
        if (!memcmp(keys + 1 + i * each, keys + 1 + top * each, (size_t)each * sizeof(V))) push(s, &found, list[1 + i]);
    return handle(s, found);
}

static int holds(const S *s, const V *list, V value) {
    for (V at = 1; at <= list[0]; at++)
        if (same(s, list[at], value)) return 1;
    return 0;
}

/* A list of so many members that are nothing. */
static V *nothings(S *s, V many) {
    V *found = room_for(s, many);
    for (V at = 1; at <= many; at++) found[at] = NOTHING;
    return found;
}

static V chained(S *s, V one, V other) {
    V *found = fresh(s);
    const V *first = list_at(s, one), *second = list_at(s, other);
    for (V at = 1; at <= first[0]; at++) push(s, &found, first[at]);
    for (V at = 1; at <= second[0]; at++) push(s, &found, second[at]);
    return handle(s, found);
}

/* From the `from`-th member on, so many. */
static V part(S *s, V list, V from, V many) {
    const V *all = list_at(s, list);
    V *found = fresh(s);
    for (V at = from; at < from + many && at < all[0]; at++) push(s, &found, all[1 + at]);
    return handle(s, found);
}

static V first_of(S *s, V list, V many) { return part(s, list, 0, many > 0 ? many : 0); }

static V last_of(S *s, V list, V many) {
    V all = length(s, list), kept = many < 0 ? 0 : many > all ? all : many;
    return part(s, list, all - kept, kept);
}

/* ── around the table ── */

static V clockwise(S *s, V start, int after) {
    V *found = fresh(s);
    if (!after && is_alive(s, start)) push(s, &found, start);
    for (int at = 0; at < s->playing; at++)
        if (s->alive[at] > start) push(s, &found, s->alive[at]);
    for (int at = 0; at < s->playing; at++)
        if (s->alive[at] < start) push(s, &found, s->alive[at]);
    return handle(s, found);
}

static V neighbour(const S *s, V seat, int step) {
    V found = seat, least = PLAYERS;
    for (int at = 0; at < s->playing; at++) {
        V way = (s->alive[at] - seat) * step - 1;
        way = (way % PLAYERS + PLAYERS) % PLAYERS;
        if (way < least) least = way, found = s->alive[at];
    }
    return found;
}

static V living(S *s) {
    V *found = fresh(s);
    for (int at = 0; at < s->playing; at++) push(s, &found, s->alive[at]);
    return handle(s, found);
}

static V holder(const S *s, V card) { return OWNER[s->where[card]] < 0 ? NOTHING : OWNER[s->where[card]]; }

/* ── rows and grids; a row is a grid of one row, a cell the list of a place and an index ── */

static inline int rows_of(int place) { return KEPT[place] == GRID ? ROWS[place] : 1; }
static inline int columns_of(const S *s, int place) { return KEPT[place] == GRID ? COLUMNS[place] : s->n[place]; }

static V card_at(const S *s, V cell) {
    const V *at = list_at(s, cell);
    int place = (int)at[1];
    if (at[2] >= spots(s, place) || s->zone[place][at[2]] == EMPTY) return NOTHING;
    return s->zone[place][at[2]];
}

enum { ROW_OF, COLUMN_OF, AROUND, BESIDE };

/* What is near a card or a cell: where that is, and the rows and columns among which it is looked for. */
typedef struct {
    int place, row, column, cells, columns, top, bottom, left, right;
} Near;

/* Finds out what is near; no if it lies in no row or grid. */
static inline int look_around(S *s, V one, int way, Near *at) {
    int index, step = way == ROW_OF || way == COLUMN_OF ? 0 : 1;
    at->cells = is_list(one);
    if (at->cells) {
        const V *cell = list_at(s, one);
        at->place = (int)cell[1], index = (int)cell[2];
    } else {
        at->place = s->where[one];
        if (KEPT[at->place] != GRID && KEPT[at->place] != ROW) return 0;
        index = position(s, at->place, one);
    }
    int rows = rows_of(at->place), columns = columns_of(s, at->place);
    at->columns = columns > 1 ? columns : 1;
    at->row = index / at->columns, at->column = index % at->columns;
    at->top = way == COLUMN_OF || at->row < step ? 0 : at->row - step;
    at->bottom = way == COLUMN_OF || at->row + step >= rows ? rows - 1 : at->row + step;
    at->left = way == ROW_OF || at->column < step ? 0 : at->column - step;
    at->right = way == ROW_OF || at->column + step >= columns ? columns - 1 : at->column + step;
    return 1;
}

/* Whether a position among them counts. */
static inline int is_near(const Near *at, int way, int row, int column) {
    int apart = (row != at->row) + (column != at->column);
    return way == BESIDE ? apart == 1 : way == AROUND ? apart > 0 : 1;
}

/* What is at a position of a place: a card for a card, a cell for a cell. */
static inline void spot(S *s, V **found, int cells, int place, int index) {
    if (cells) push(s, found, pair(s, place, index));
    else if (s->zone[place][index] != EMPTY) push(s, found, s->zone[place][index]);
}

static V near(S *s, V one, int way) {
    Near at;
    if (!look_around(s, one, way, &at)) return LACKS;
    V *found = fresh(s);
    for (int row = at.top; row <= at.bottom; row++)
        for (int column = at.left; column <= at.right; column++)
            if (is_near(&at, way, row, column)) spot(s, &found, at.cells, at.place, row * at.columns + column);
    return handle(s, found);
}

/* The cards of each row, or of each column. */
static V each_line(S *s, V place, int way) {
    int rows = rows_of((int)place), columns = columns_of(s, (int)place), down = way == COLUMN_OF;
    V *found = fresh(s);
    for (int line = 0; line < (down ? columns : rows); line++) {
        V *one = fresh(s);
        for (int at = 0; at < (down ? rows : columns); at++)
            spot(s, &one, 0, (int)place, down ? at * columns + line : line * columns + at);
        push(s, &found, handle(s, one));
    }
    return handle(s, found);
}

static V cells(S *s, V place) {
    int many = rows_of((int)place) * columns_of(s, (int)place);
    V *found = fresh(s);
    for (int at = 0; at < many; at++) push(s, &found, pair(s, place, at));
    return handle(s, found);
}

/* All straight lines of a length: what lies on each of their positions, or nothing. */
static V lines(S *s, V place, V length) {
    static const int WAYS[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    int rows = rows_of((int)place), columns = columns_of(s, (int)place);
    V *found = fresh(s);
    for (int way = 0; way < 4; way++)
        for (int row = 0; row < rows; row++)
            for (int column = 0; column < columns; column++) {
                int down = WAYS[way][0], right = WAYS[way][1];
                V last_row = row + down * (length - 1), last = column + right * (length - 1);
                if (last_row < 0 || last_row >= rows || last < 0 || last >= columns) continue;
                V *one = fresh(s);
                for (V at = 0; at < length; at++) {
                    CARD card = s->zone[place][(row + down * at) * columns + column + right * at];
                    push(s, &one, card == EMPTY ? NOTHING : card);
                }
                push(s, &found, handle(s, one));
            }
    return handle(s, found);
}

/* Whether cards are of these definitions; those that are wanted are sorted unless they are in order. */
static int same_cards(S *s, V value, V wanted, int ordered) {
    const V one[2] = {1, value}, *several = is_list(value) ? list_at(s, value) : one, *names = list_at(s, wanted);
    V many = value == NOTHING ? 0 : several[0], *found = fresh(s);
    if (many != names[0]) return 0;
    for (V at = 1; at <= many; at++) {
        push(s, &found, LIKENESS[several[at]]);
        for (V to = at; !ordered && to > 1 && found[to - 1] > found[to]; to--) {
            V less = found[to];
            found[to] = found[to - 1], found[to - 1] = less;
        }
    }
    for (V at = 1; at <= many; at++)
        if (found[at] != names[at]) return 0;
    return 1;
}
