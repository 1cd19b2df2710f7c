/* In which order cards without an order are offered, once some have changed: by what they are.

   It is the order of the texts that Python writes for their values. */

#include <inttypes.h>
#include <stdio.h>

typedef struct {
    char text[512];
    size_t used;
} Written;

static void letters(S *s, Written *to, const char *text) {
    size_t many = strlen(text);
    if (to->used + many >= sizeof to->text) stop(s, TOO_MUCH);
    memcpy(to->text + to->used, text, many + 1);
    to->used += many;
}

static void written(S *s, Written *to, V value, int yes_no) {
    char number[32];
    if (is_list(value)) {
        const V *list = list_at(s, value);
        letters(s, to, "(");
        for (V at = 1; at <= list[0]; at++) {
            if (at > 1) letters(s, to, ", ");
            written(s, to, list[at], yes_no);
        }
        letters(s, to, list[0] == 1 ? ",)" : ")");
    } else if (value == NOTHING) {
        letters(s, to, "None");
    } else if (value >= WORD) {
        letters(s, to, WORDS[value - WORD]);
    } else if (yes_no) {
        letters(s, to, value ? "True" : "False");
    } else {
        snprintf(number, sizeof number, "%" PRId64, value);
        letters(s, to, number);
    }
}

/* What equal cards share, as Python writes it. */
static void likeness_of(S *s, Written *to, V card) {
    to->used = 0;
    if (SINGULAR[card]) {
        written(s, to, ~card, 0);
        return;
    }
    letters(s, to, "(");
    written(s, to, LIKENESS[card], 0);
    for (int one = 0; one < STATES; one++) {
        letters(s, to, ", ");
        written(s, to, s->state[one][card], YES_NO[one]);
    }
    letters(s, to, ")");
}

static int comes_before(S *s, V card, V other) {
    if (LIKENESS[card] != LIKENESS[other]) return LIKENESS[card] < LIKENESS[other];
    Written mine, yours;
    likeness_of(s, &mine, card);
    likeness_of(s, &yours, other);
    int order = strcmp(mine.text, yours.text);
    return order ? order < 0 : s->where[card] < s->where[other];
}

/* The cards among these values that lie in no order change places among each other. */
static void in_open_order(S *s, V *values, V count) {
    V *loose = fresh(s);
    for (V at = 0; at < count; at++)
        if (values[at] < CARDS && (in_no_order(s->where[values[at]]) || KEPT[s->where[values[at]]] == POOL))
            push(s, &loose, at);
    for (V i = 2; i <= loose[0]; i++)
        for (V at = i; at > 1 && comes_before(s, values[loose[at]], values[loose[at - 1]]); at--) {
            V less = values[loose[at]];
            values[loose[at]] = values[loose[at - 1]];
            values[loose[at - 1]] = less;
        }
}
