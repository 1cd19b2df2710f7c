/* Rows and grids; a row is a grid of one row, a cell the list of a place and an index. */

static inline int rows_of(S *s, int place) { return KEPT(s, place) == GRID ? (int)PLACE(s, place).rows : 1; }
static inline int columns_of(S *s, int place) {
    return KEPT(s, place) == GRID ? (int)PLACE(s, place).columns : is_row(s, place) ? COUNT(s, place).n : 0;
}

/* The place and index of a cell. */
static int cell_at(S *s, V cell, int *index) {
    const V *at = list_at(s, cell);
    if (at[0] != 2 || at[2] < 0) stop(s, UNKNOWN);
    *index = at[2] > INT_MAX ? INT_MAX : (int)at[2];
    return place_number(s, at[1]);
}

static V card_at(S *s, V cell) {
    int index, place = cell_at(s, cell, &index);
    if (!is_row(s, place) || index >= COUNT(s, place).n || ZONE(s, place)[index] == NO_CARD) return NOTHING;
    return ZONE(s, place)[index];
}

enum { ROW_OF, COLUMN_OF, AROUND, BESIDE };

/* What is near a card or a cell; LACKS if it lies in no row or grid. */
static V near(S *s, V one, V way) {
    int index, place, cells = is_list(one), step = way == ROW_OF || way == COLUMN_OF ? 0 : 1;
    if (cells) {
        place = cell_at(s, one, &index);
    } else {
        place = WHERE(s)[card_number(s, one)];
        if (KEPT(s, place) != GRID && KEPT(s, place) != ROW) return LACKS;
        index = position(s, place, one);
    }
    int rows = rows_of(s, place), columns = columns_of(s, place);
    if (!columns) return handle(s, fresh(s));
    int row = index / columns, column = index % columns;
    int top = way == COLUMN_OF || row < step ? 0 : row - step;
    int bottom = way == COLUMN_OF || row + step >= rows ? rows - 1 : row + step;
    int left = way == ROW_OF || column < step ? 0 : column - step;
    int right = way == ROW_OF || column + step >= columns ? columns - 1 : column + step;
    const uint16_t *zone = ZONE(s, place);
    V *found = cells ? fresh(s) : room_for(s, (V)(bottom - top + 1) * (right - left + 1)), *end = found + 1;
    for (int r = top; r <= bottom; r++)
        for (int c = left; c <= right; c++) {
            int apart = (r != row) + (c != column);
            if (way == BESIDE ? apart != 1 : way == AROUND && !apart) continue;
            if (cells) push(s, &found, pair(s, place, r * columns + c));
            else if (zone[r * columns + c] != NO_CARD) *end++ = zone[r * columns + c];
        }
    return cells ? handle(s, found) : closed(s, found, end);
}

/* The cards of each row, or of each column. */
static V each_line(S *s, int place, V way) {
    int rows = rows_of(s, place), columns = columns_of(s, place), down = way == COLUMN_OF;
    V *found = fresh(s);
    for (int line = 0; line < (down ? columns : rows); line++) {
        V *one = fresh(s);
        for (int at = 0; at < (down ? rows : columns); at++) {
            uint16_t card = ZONE(s, place)[down ? at * columns + line : line * columns + at];
            if (card != NO_CARD) push(s, &one, card);
        }
        push(s, &found, handle(s, one));
    }
    return handle(s, found);
}

static V cells(S *s, int place) {
    int many = rows_of(s, place) * columns_of(s, place);
    V *found = fresh(s);
    for (int at = 0; at < many; at++) push(s, &found, pair(s, place, at));
    return handle(s, found);
}

/* All straight lines of a length: what lies on each of their positions, or nothing. */
static V lines(S *s, int place, V length) {
    static const int WAYS[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    int rows = rows_of(s, place), columns = columns_of(s, place);
    V *found = fresh(s);
    if (length < 1) stop(s, UNKNOWN);
    for (int way = 0; way < 4; way++)
        for (int row = 0; row < rows; row++)
            for (int column = 0; column < columns; column++) {
                int down = WAYS[way][0], right = WAYS[way][1];
                V last_row = row + down * (length - 1), last = column + right * (length - 1);
                if (last_row < 0 || last_row >= rows || last < 0 || last >= columns) continue;
                V *one = fresh(s);
                for (V at = 0; at < length; at++) {
                    uint16_t card = ZONE(s, place)[(row + down * at) * columns + column + right * at];
                    push(s, &one, card == NO_CARD ? NOTHING : card);
                }
                push(s, &found, handle(s, one));
            }
    return handle(s, found);
}
