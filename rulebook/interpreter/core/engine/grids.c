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
    V *found = room_for(s, (V)(bottom - top + 1) * (right - left + 1)), *end = found + 1;
    for (int r = top; r <= bottom; r++)
        for (int c = left; c <= right; c++) {
            int apart = (r != row) + (c != column), at = r * columns + c;
            if (way == BESIDE ? apart != 1 : way == AROUND && !apart) continue;
            if (cells) *end++ = pair(s, place, at);
            else if (zone[at] != NO_CARD) *end++ = zone[at];
        }
    if (!cells) return closed(s, found, end);
    found[0] = end - found - 1; /* the cells stand behind it */
    return handle(s, found);
}

/* The number of the row or column of a card or a cell, from 1; LACKS if it lies in no row or grid. */
static V number_on_grid(S *s, V one, V way) {
    int index, place;
    if (is_list(one)) {
        place = cell_at(s, one, &index);
    } else {
        place = WHERE(s)[card_number(s, one)];
        if (KEPT(s, place) != GRID && KEPT(s, place) != ROW) return LACKS;
        index = position(s, place, one);
    }
    int columns = columns_of(s, place);
    return !columns ? LACKS : 1 + (way == ROW_OF ? index / columns : index % columns);
}

/* The cell in a row and column, from 1; NOTHING outside. */
static V cell_in(S *s, int place, V row, V column) {
    int columns = columns_of(s, place);
    if (row < 1 || row > rows_of(s, place) || column < 1 || column > columns) return NOTHING;
    return pair(s, place, (row - 1) * columns + column - 1);
}

/* A list of so many lists, which are made afterwards: if it grew with them it would be moved behind each. */
static V *room_for_lists(S *s, V many) {
    if (many > MOST_LISTED) stop(s, TOO_LONG);
    return room_for(s, many);
}

/* The cards of each row, or of each column. */
static V each_line(S *s, int place, V way) {
    int rows = rows_of(s, place), columns = columns_of(s, place), down = way == COLUMN_OF;
    int many = down ? columns : rows, length = down ? rows : columns;
    V *found = room_for_lists(s, many);
    for (int line = 0; line < many; line++) {
        V *one = room_for(s, length), *end = one + 1;
        for (int at = 0; at < length; at++) {
            uint16_t card = ZONE(s, place)[down ? at * columns + line : line * columns + at];
            if (card != NO_CARD) *end++ = card;
        }
        if (end - one > MOST_LISTED + 1) stop(s, TOO_LONG);
        found[1 + line] = closed(s, one, end);
    }
    return handle(s, found);
}

static V cells(S *s, int place) {
    int many = rows_of(s, place) * columns_of(s, place);
    V *found = room_for_lists(s, many);
    for (int at = 0; at < many; at++) found[1 + at] = pair(s, place, at);
    return handle(s, found);
}

/* All straight lines of a length: what lies on each of their positions, or nothing. */
static V lines(S *s, int place, V length) {
    static const int WAYS[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    int rows = rows_of(s, place), columns = columns_of(s, place);
    if (length < 1) stop(s, UNKNOWN);
    V across = length > columns ? 0 : columns - length + 1, down = length > rows ? 0 : rows - length + 1;
    V *found = room_for_lists(s, rows * across + down * columns + 2 * down * across), *next = found + 1;
    for (int way = 0; way < 4; way++)
        for (int row = 0; row < rows; row++)
            for (int column = 0; column < columns; column++) {
                int step = WAYS[way][0] * columns + WAYS[way][1];
                V last_row = row + WAYS[way][0] * (length - 1), last = column + WAYS[way][1] * (length - 1);
                if (last_row < 0 || last_row >= rows || last < 0 || last >= columns) continue;
                if (length > MOST_LISTED) stop(s, TOO_LONG);
                V *one = room_for(s, length);
                for (V at = 0; at < length; at++) {
                    uint16_t card = ZONE(s, place)[row * columns + column + step * at];
                    one[1 + at] = card == NO_CARD ? NOTHING : card;
                }
                *next++ = handle(s, one);
            }
    return handle(s, found);
}
