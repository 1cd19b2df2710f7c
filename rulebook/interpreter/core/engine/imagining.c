/* States that a seat could not tell from the true one, drawn at random: `determinize.py`, with the same numbers.

   A hole is called by the card that lies there in truth. Holes stand by where they are and cards by their numbers, so
   that nothing that is drawn hangs on what lies where. */

#define MOST_TWINS 64 /* after so many that will not do there is none */
#define MOST_PARTS 16384

/* ── cards that may change places with each other ── */

typedef struct {
    int many, blocks;
    uint16_t *card, *hole; /* the cards by block, each in the order of their numbers; the holes, by block too */
    uint64_t *fit;         /* by hole: the kinds that fit */
    int32_t *room, *begin; /* by hole: how many cards fit; by block: where it begins */
    uint8_t *free;         /* by block: everything fits everywhere */
} Hidden;

/* Which parts cards play in scripts, open decisions and memory, counted as they are met: by card the first and the last,
   by part the next one of the same card; -1 for none. */
typedef struct {
    int32_t many, *first, *last, next[MOST_PARTS];
} Parts;

static void note_parts(S *s, Parts *p, V value) {
    if (is_list(value)) {
        for (V at = 1; at <= length(s, value); at++) note_parts(s, p, list_at(s, value)[at]);
        return;
    }
    if (value < 0 || value >= s->g->cards) return;
    if (p->many == MOST_PARTS) stop(s, TOO_MUCH);
    p->next[p->many] = -1;
    if (p->first[value] < 0) p->first[value] = p->many;
    else p->next[p->last[value]] = p->many;
    p->last[value] = p->many++;
}

/* Note what scripts and open decisions are busy with, then what memories name; in between, which cards are bound. */
static void find_parts(S *s, Parts *p, uint8_t *bound) {
    const Game *g = s->g;
    p->many = 0;
    for (int card = 0; card < g->cards; card++) p->first[card] = -1;
    for (int64_t base = s->base; base >= 0; base = STACK_OF(s)[base + CALLER]) {
        const V *slots = g->data + code_of(s, base)->cards;
        for (V i = 1; i <= slots[0]; i++) note_parts(s, p, STACK_OF(s)[base + REGISTERS + slots[i]]);
    }
    for (int i = 0; i < s->asked; i++)
        for (int made = 0; made < s->entry[i].made; made++)
            if (g->pick[choice_at(s)->pick + made].cards) note_parts(s, p, s->entry[i].picks[made]);
    for (int card = 0; card < g->cards; card++) bound[card] = p->first[card] >= 0;
    for (int i = 0; i < g->kinds_of_memory; i++)
        for (V at = 0; g->memory[i].cards && at < g->memory[i].slots; at++) note_parts(s, p, MEMORIES_OF(s)[g->memory[i].first + at]);
}

/* Which of two holes at one spot comes first, by what can be seen of them: negative, 0 or positive. */
static int order_holes(S *s, const Parts *p, V one, V other) {
    if (FACE(s)[one] != FACE(s)[other]) return FACE(s)[one] - FACE(s)[other];
    if (KNOWN(s)[one] != KNOWN(s)[other]) return KNOWN(s)[one] - KNOWN(s)[other];
    for (int i = 0; i < s->g->changing; i++) {
        int found = s->g->state[i].with_face ? 0 : order(s, STATE(s, i)[one], STATE(s, i)[other], 0);
        if (found) return found;
    }
    int32_t mine = p->first[one], yours = p->first[other];
    for (; mine >= 0 && yours >= 0; mine = p->next[mine], yours = p->next[yours])
        if (mine != yours) return mine - yours;
    return (mine >= 0) - (yours >= 0);
}

/* The holes in the order of where they are; what is equal there can change places unseen. */
static int find_holes(S *s, const Parts *p, const uint8_t *hidden, uint16_t *hole) {
    int found = 0;
    uint16_t cards[s->g->cards + 1];
    for (int place = 0; place < s->g->places; place++) {
        const Count *c = &COUNT(s, place);
        int is_crowd = in_no_order(s, place), was_loose = 0, from = found;
        int all = is_crowd ? lying(s, place, cards) : KEPT(s, place) == POOL ? 0 : c->n;
        const uint16_t *lies = is_crowd ? cards : ZONE(s, place);
        for (int at = 0; at < all; at++) {
            int is_loose = is_crowd || (KEPT(s, place) == PILE && at >= c->first && at < c->n - c->last);
            if (!is_loose || !was_loose) from = found;
            was_loose = is_loose;
            if (lies[at] == NO_CARD || !hidden[lies[at]]) continue;
            int to = found++;
            for (; to > from && order_holes(s, p, hole[to - 1], lies[at]) > 0; to--) hole[to] = hole[to - 1];
            hole[to] = lies[at];
        }
    }
    return found;
}

/* Cards and holes, in blocks of kinds that have holes in common, directly or through others. */
static void find_blocks(S *s, Hidden *h, const uint16_t *hole, const uint64_t *fit) {
    uint64_t block[MOST_KINDS], present = 0;
    int blocks = 0, in_order[MOST_KINDS], at = 0, holes = 0, many[MOST_KINDS] = {0};
    const V *kind = s->g->kind;
    uint16_t cards[h->many + 1];
    memcpy(cards, h->card, (size_t)h->many * sizeof *cards);
    for (int i = 0; i < h->many; i++) present |= (uint64_t)1 << kind[cards[i]], many[kind[cards[i]]]++;
    for (uint64_t left = present; left; left &= left - 1) block[blocks++] = left & -left;
    for (int i = 0; i < h->many; i++) {
        uint64_t together = 0;
        int kept = 0;
        if (!fit[i]) stop(s, UNKNOWN);
        if (i && fit[i] == fit[i - 1]) continue;
        for (int j = 0; j < blocks; j++) {
            if (block[j] & fit[i]) together |= block[j];
            else block[kept++] = block[j];
        }
        block[kept++] = together, blocks = kept;
    }
    h->blocks = 0;
    for (int i = 0; i < h->many; i++)
        for (int j = 0; j < blocks; j++)
            if (block[j] >> kind[cards[i]] & 1) {
                int known = 0;
                for (int k = 0; k < h->blocks; k++) known |= in_order[k] == j;
                if (!known) in_order[h->blocks++] = j;
            }
    for (int b = 0; b < h->blocks; b++) {
        uint64_t mask = block[in_order[b]];
        h->begin[b] = at, h->free[b] = 1;
        for (int i = 0; i < h->many; i++)
            if (mask >> kind[cards[i]] & 1) h->card[at++] = cards[i];
        for (int i = 0; i < h->many; i++) {
            if (!(fit[i] & mask)) continue;
            h->hole[holes] = hole[i], h->fit[holes] = fit[i], h->room[holes] = 0;
            for (uint64_t left = fit[i]; left; left &= left - 1) h->room[holes] += many[__builtin_ctzll(left)];
            h->free[b] &= h->room[holes++] == at - h->begin[b];
        }
        if (holes != at) stop(s, UNKNOWN);
    }
    h->begin[h->blocks] = at;
}

/* Find out how cards may change places in a state. */
static void find_hidden(S *s, Hidden *h, Parts *p, const uint8_t *hidden) {
    const Game *g = s->g;
    uint8_t bound[g->cards + 1];
    uint16_t hole[g->cards + 1];
    uint64_t fit[g->cards + 1], present = 0;
    find_parts(s, p, bound);
    h->many = 0;
    for (int card = 0; card < g->cards; card++)
        if (hidden[card]) h->card[h->many++] = (uint16_t)card, present |= (uint64_t)1 << g->kind[card];
    if (find_holes(s, p, hidden, hole) != h->many) stop(s, UNKNOWN);
    for (int i = 0; i < h->many; i++) {
        V kind = g->kind[hole[i]], holds = PLACE(s, WHERE(s)[hole[i]]).holds;
        /* A script that is busy with a card counts on its kind. */
        fit[i] = (uint64_t)(bound[hole[i]] || !holds ? (V)1 << kind : holds) & (uint64_t)g->tops[kind] & present;
    }
    find_blocks(s, h, hole, fit);
}

/* ── cards into holes: `matching.py` ── */

static void mix_up(uint16_t *several, int many, Stream *numbers) {
    for (int last = many - 1; last > 0; last--) {
        int other = (int)next_number(numbers, last + 1);
        uint16_t one = several[last];
        several[last] = several[other], several[other] = one;
    }
}

/* Cards that are left, by kind in the order in which kinds were met; holes that are filled, in the order of that. */
typedef struct {
    S *s;
    const Hidden *h;
    int kinds, kind[MOST_KINDS], begin[MOST_KINDS], many[MOST_KINDS], filled;
    uint16_t *left, *hole, *card; /* holes by their numbers within all */
} Filling;

static int fits(const Filling *f, int hole, int kind) { return f->h->fit[hole] >> kind & 1; }

/* Along a path of holes that hand their cards on, the last one takes a card that is left. */
static void make_room(Filling *f, int hole) {
    int came[f->h->many + 1], front[f->h->many + 1], first = 0, behind = 1, at[f->h->many + 1];
    for (int i = 0; i < f->h->many; i++) came[i] = -1;
    for (int i = 0; i < f->filled; i++) at[f->hole[i]] = i;
    for (front[0] = hole; first < behind; first++) {
        int taker = front[first];
        for (int i = 0; i < f->filled; i++) {
            int giver = f->hole[i], several = 0;
            if (came[giver] >= 0 || !fits(f, taker, (int)f->s->g->kind[f->card[i]])) continue;
            came[giver] = taker;
            while (several < f->kinds && !(f->many[several] && fits(f, giver, f->kind[several]))) several++;
            if (several == f->kinds) {
                front[behind++] = giver;
                continue;
            }
            uint16_t free = f->left[f->begin[several] + --f->many[several]];
            for (; giver != hole; giver = came[giver]) {
                uint16_t handed_on = f->card[at[giver]];
                f->card[at[giver]] = free, free = handed_on;
            }
            f->hole[f->filled] = (uint16_t)hole, f->card[f->filled++] = free;
            return;
        }
    }
    stop(f->s, UNKNOWN);
}

/* Fill holes that fewest cards fit first. */
static void fill(S *s, const Hidden *h, int block, uint16_t *to, Stream *numbers) {
    int begin = h->begin[block], many = h->begin[block + 1] - begin;
    uint16_t cards[many + 1], holes[many + 1], left[many + 1], hole[many + 1], card[many + 1];
    Filling f = {s, h, 0, {0}, {0}, {0}, 0, left, hole, card};
    memcpy(cards, h->card + begin, (size_t)many * sizeof *cards);
    mix_up(cards, many, numbers);
    for (int i = 0, put = 0; i < many; i++) {
        int kind = (int)s->g->kind[cards[i]], known = 0;
        for (int j = 0; j < f.kinds; j++) known |= f.kind[j] == kind;
        if (known) continue;
        f.kind[f.kinds] = kind, f.begin[f.kinds] = put;
        for (int j = i; j < many; j++)
            if (s->g->kind[cards[j]] == kind) left[put++] = cards[j];
        f.many[f.kinds] = put - f.begin[f.kinds], f.kinds++;
    }
    for (int i = 0; i < many; i++) holes[i] = (uint16_t)(begin + i);
    mix_up(holes, many, numbers);
    for (int i = 1; i < many; i++)
        for (int at = i; at > 0 && h->room[holes[at - 1]] > h->room[holes[at]]; at--) {
            uint16_t one = holes[at];
            holes[at] = holes[at - 1], holes[at - 1] = one;
        }
    for (int i = 0; i < many; i++) {
        int fitting = 0, several = 0;
        for (int j = 0; j < f.kinds; j++) fitting += fits(&f, holes[i], f.kind[j]) ? f.many[j] : 0;
        if (!fitting) {
            make_room(&f, holes[i]);
            continue;
        }
        int index = (int)next_number(numbers, fitting);
        for (;; several++) {
            if (!fits(&f, holes[i], f.kind[several])) continue;
            if (index < f.many[several]) break;
            index -= f.many[several];
        }
        uint16_t *from = left + f.begin[several];
        hole[f.filled] = holes[i], card[f.filled++] = from[index];
        memmove(from + index, from + index + 1, (size_t)(--f.many[several] - index) * sizeof *from);
    }
    for (int i = 0; i < f.filled; i++) to[h->hole[hole[i]]] = card[i];
}

/* Say for each card which one comes to lie where it lies. */
static void draw_laying(S *s, const Hidden *h, uint16_t *to, Stream *numbers) {
    for (int card = 0; card < s->g->cards; card++) to[card] = (uint16_t)card;
    for (int block = 0; block < h->blocks; block++) {
        int begin = h->begin[block], many = h->begin[block + 1] - begin;
        if (!h->free[block]) {
            fill(s, h, block, to, numbers);
            continue;
        }
        uint16_t cards[many + 1];
        memcpy(cards, h->card + begin, (size_t)many * sizeof *cards);
        mix_up(cards, many, numbers);
        for (int i = 0; i < many; i++) to[h->hole[begin + i]] = cards[i];
    }
}

/* ── laying ── */

static void sort_cards(uint16_t *several, int many) {
    for (int i = 1; i < many; i++)
        for (int at = i; at > 0 && several[at - 1] > several[at]; at--) {
            uint16_t one = several[at];
            several[at] = several[at - 1], several[at - 1] = one;
        }
}

static void lay_place(S *s, int place, const uint16_t *to) {
    if (in_no_order(s, place)) {
        uint64_t after[s->g->parts];
        memset(after, 0, sizeof after);
        for (int part = 0; part < s->g->parts; part++)
            for (uint64_t left = SET(s, place)[part]; left; left &= left - 1) add_bit(after, to[part * 64 + __builtin_ctzll(left)]);
        memcpy(SET(s, place), after, sizeof after);
        return;
    }
    const Count *c = &COUNT(s, place);
    uint16_t *zone = ZONE(s, place);
    for (int at = 0; at < c->n; at++) {
        if (zone[at] == NO_CARD) continue;
        zone[at] = to[zone[at]];
        SPOT(s)[zone[at]] = (uint16_t)at;
    }
    if (KEPT(s, place) == PILE) sort_cards(zone + c->first, c->n - c->last - c->first);
}

/* A value in which cards have changed places. */
static V renamed(S *s, V value, const uint16_t *to) {
    if (!is_list(value)) return value >= 0 && value < s->g->cards ? to[value] : value;
    V many = length(s, value), all = handle(s, room_for(s, many));
    for (V at = 1; at <= many; at++) list_at(s, all)[at] = NOTHING;
    for (V at = 1; at <= many; at++) {
        V one = renamed(s, list_at(s, value)[at], to);
        list_at(s, all)[at] = one;
    }
    return all;
}

/* Put the cards into their holes, everywhere a state speaks of them. */
static void lay(S *s, const Hidden *h, const uint16_t *to) {
    const Game *g = s->g;
    int many = h->many;
    uint16_t where[many + 1], known[many + 1];
    uint8_t face[many + 1], laid[g->places + 1];
    memset(laid, 0, sizeof laid);
    for (int i = 0; i < many; i++) {
        V hole = h->hole[i];
        where[i] = WHERE(s)[hole], face[i] = FACE(s)[hole], known[i] = KNOWN(s)[hole];
        if (to[hole] == hole || laid[where[i]]) continue;
        laid[where[i]] = 1;
        lay_place(s, where[i], to);
    }
    for (int i = 0; i < many; i++) {
        V card = to[h->hole[i]];
        WHERE(s)[card] = where[i], FACE(s)[card] = face[i], KNOWN(s)[card] = known[i];
    }
    for (int one = 0; one < g->changing; one++) {
        V before[many + 1];
        if (g->state[one].with_face) continue;
        for (int i = 0; i < many; i++) before[i] = STATE(s, one)[h->hole[i]];
        for (int i = 0; i < many; i++) put_state(s, one, to[h->hole[i]], before[i]);
    }
    for (int i = 0; i < g->kinds_of_memory; i++)
        for (V at = 0; g->memory[i].cards && at < g->memory[i].slots; at++) {
            V *memory = MEMORIES_OF(s) + g->memory[i].first + at;
            *memory = renamed(s, *memory, to);
        }
    for (int64_t base = s->base; base >= 0; base = STACK_OF(s)[base + CALLER]) {
        const V *slots = g->data + code_of(s, base)->cards;
        for (V i = 1; i <= slots[0]; i++) {
            V *local = STACK_OF(s) + base + REGISTERS + slots[i];
            *local = renamed(s, *local, to);
        }
    }
    for (int i = 0; i < s->asked; i++)
        for (int made = 0; made < s->entry[i].made; made++)
            if (g->pick[choice_at(s)->pick + made].cards) s->entry[i].picks[made] = renamed(s, s->entry[i].picks[made], to);
    renew_all(s);
}

/* ── values ── */

/* Whether a seat may read the slot of a memory. */
static int sees_memory(const S *s, const Memory *memory, V slot, int seat) {
    if (memory->seen_by == BY_OWNER || memory->seen_by == BY_OTHERS)
        return memory->owned && (slot == seat) == (memory->seen_by == BY_OWNER) && (s->plays >> seat & 1);
    return memory->seen_by == BY_EVERYONE;
}

/* Streams begin as in a new game, from a seed that nobody knows. */
static void refresh_streams(S *s, Stream *numbers) {
    s->seed = (uint64_t)next_number(numbers, INT64_MIN); /* below 2 to the 63rd */
    for (int i = 0; i < s->g->streams; i++) STREAM(s, i).low = STREAM(s, i).high = 0, STREAM(s, i).times = 0;
}

/* Dice, memory and streams that the seat cannot know. */
static void draw_values(S *s, int seat, const uint8_t *hidden, Stream *numbers) {
    const Game *g = s->g;
    for (int one = 0; one < g->changing; one++) {
        if (!g->state[one].rolled || !g->state[one].with_face || g->state[one].values < 0) continue;
        const V *faces = g->data + g->state[one].values;
        for (int card = 0; card < g->cards; card++)
            if (hidden[card] && STATE(s, one)[card] != NOTHING) put_state(s, one, card, faces[1 + next_number(numbers, faces[0])]);
    }
    for (int i = 0; i < g->kinds_of_memory; i++)
        for (V at = 0; at < g->memory[i].slots; at++) {
            if (g->memory[i].legal < 0 || sees_memory(s, g->memory + i, at, seat)) continue;
            const V *legal = g->data + g->memory[i].legal;
            V *memory = MEMORIES_OF(s) + g->memory[i].first + at;
            V many = g->memory[i].entries, *table = many ? room_for(s, many) : memory - 1;
            for (V entry = 1; entry <= (many ? many : 1); entry++) table[entry] = legal[1 + next_number(numbers, legal[0])];
            if (many) *memory = handle(s, table);
            renew_memory(s, i);
        }
    refresh_streams(s, numbers);
}

/* What a watched value was is what it is here: 0 or 1, and nothing where it was not asked yet. */
static void follow_values(S *s) {
    for (int i = 0; i < s->g->kinds_of_memory; i++) {
        const Memory *memory = s->g->memory + i;
        for (V at = 0; memory->follows >= 0 && at < memory->slots; at++) {
            V *was = MEMORIES_OF(s) + memory->first + at;
            if (*was == NOTHING || (memory->owned && !(s->plays >> at & 1))) continue;
            s->looked = 0;
            V now = answer_to(s, memory->follows, &at, (int)memory->owned);
            if (now != LACKS) *was = now, renew_memory(s, i);
        }
    }
}

/* ── an open decision ── */

/* Whether what a seat has picked so far may be picked here too; -1 if something is asked of nothing. */
static int may_have_picked(S *s, const Choice *c, const Entry *e) {
    Entry before = *e;
    Offer o;
    for (before.made = 0; before.made < e->made; before.made++) {
        if (!find_offer(s, c, &before, &o)) return -1;
        if (!o.open) return 0;
        const V one[2] = {1, e->picks[before.made]};
        const V *picked = s->g->pick[c->pick + before.made].many ? list_at(s, one[1]) : one;
        for (V at = 1; at <= picked[0]; at++) {
            int found = 0;
            for (V i = 1; i <= o.count && !found; i++) found = same(s, list_at(s, o.values)[i], picked[at]);
            if (!found) return 0;
        }
    }
    return 1;
}

/* Who had nothing to decide in truth, and has here, decides at once: others are not asked more than in truth. 0 if
   something is asked of nothing. */
static int decide_at_once(S *s, const Choice *c, int which, Stream *numbers) {
    Entry *e = &s->entry[which];
    e->made = 0, e->done = 0;
    for (;;) {
        s->found &= ~(1 << which);
        int done = settle_picks(s, c, e, &s->offer[which]);
        if (done < 0) return 0;
        if (done) break;
        s->found |= 1 << which;
        V value = at_random(s, which, numbers);
        if (value == ABSENT) break;
        e->picks[e->made++] = value;
    }
    s->found &= ~(1 << which);
    e->done = 1, e->number = 0;
    return 1;
}

/* Whether this seat is asked what it is asked in truth, and may have picked what it has. */
static int is_own_entry(S *s, const Choice *c, int which) {
    Entry *e = &s->entry[which];
    Offer *o = &s->offer[which];
    V value;
    if (!e->number) {
        e->made = 0;
        e->done = settle_picks(s, c, e, o);
        return e->done > 0;
    }
    if (may_have_picked(s, c, e) <= 0) return 0;
    if (e->done) return 1;
    if (!find_offer(s, c, e, o) || !o->open || only(s, c, e, o, &value)) return 0;
    s->found |= 1 << which;
    return 1;
}

/* Find out whether another seat is asked. Whether that may be so: of who is asked in the sight of all, everybody knows. */
static int is_other_entry(S *s, const Choice *c, int which, Stream *numbers) {
    Entry *e = &s->entry[which];
    if (!e->number) return decide_at_once(s, c, which, numbers);
    e->made = 0;
    e->done = settle_picks(s, c, e, &s->offer[which]);
    if (e->done < 0 || (e->done && !c->veiled)) return 0;
    if (e->done) e->number = 0;
    else s->found |= 1 << which;
    return 1;
}

/* Ask again in the decision that is open, and make the picks that follow from what is offered. Whether the twin will do:
   those are asked of whom the seat knows it, and the decision is open. */
static int ask_again(S *s, int seat, Stream *numbers) {
    const Choice *c = choice_at(s);
    int waiting = 0;
    s->found = 0, s->looked = 0;
    if (!s->asked) return 1;
    if (c->veiled) {
        int32_t seats[MOST_PLAYERS];
        V who = value_of(s, c->deciders, registers(s));
        if (who == LACKS || alive_of(s, who, seats) != s->asked) return 0;
        for (int i = 0; i < s->asked; i++)
            if (seats[i] != s->entry[i].seat) return 0;
    }
    for (int i = 0; i < s->asked; i++) {
        if (s->entry[i].seat == seat ? !is_own_entry(s, c, i) : !is_other_entry(s, c, i, numbers)) return 0;
        waiting += !s->entry[i].done;
    }
    return waiting > 0;
}

/* ── what scripts remember ── */

#define MOST_WALKS 64

/* A list that a script goes through so many frames below, of which a seat does not know who comes later: the locals that
   hold it, how far it is gone through, and who is meant; where it is read again. If nowhere (-1), `member` holds what
   each seat answered, by the number of one of so many options; with 0 of these, things, and others are taken to have
   passed. */
typedef struct {
    int64_t depth, several, at, member, anew, options;
} Walk;

/* The registers of the script that goes through a list. */
static V *walked(S *s, const Walk *w) {
    int64_t base = s->base;
    for (int64_t i = 0; i < w->depth; i++) base = STACK_OF(s)[base + CALLER];
    return STACK_OF(s) + base + REGISTERS;
}

/* In a window of things, leave of what was chosen only what this seat has. */
static void forget_answers(S *s, const Walk *w, int seat) {
    V *r = walked(s, w), many = length(s, r[w->member]), *answers = room_for(s, many);
    for (V at = 0; at < many; at++) answers[1 + at] = at == seat ? list_at(s, r[w->member])[1 + at] : NOTHING;
    r[w->member] = handle(s, answers);
}

/* Make anew who comes later; 0 if who is meant is not in the list here. */
static int walk_again(S *s, const Walk *w, int seat, Stream *numbers) {
    V *r = walked(s, w);
    s->looked = 0;
    if (w->anew < 0 && !w->options) return 1;
    if (w->anew < 0) {
        V many = length(s, r[w->member]), *answers = room_for(s, many), found = handle(s, answers);
        memcpy(answers + 1, list_at(s, r[w->member]) + 1, (size_t)many * sizeof(V));
        const V *several = list_at(s, r[w->several]);
        for (V at = r[w->at] + 1; at <= several[0]; at++) {
            if (several[at] == seat) continue;
            V answer = next_number(numbers, w->options + 1);
            answers[1 + several[at]] = answer == w->options ? NOTHING : answer;
        }
        r[w->member] = found;
        return 1;
    }
    V found = value_of(s, w->anew, r), at = 0;
    if (found == LACKS) return 0;
    while (at < length(s, found) && list_at(s, found)[1 + at] != r[w->member]) at++;
    if (at == length(s, found)) return 0;
    r[w->several] = part(s, found, at, length(s, found) - at), r[w->at] = 1;
    return 1;
}

/* Whether somebody in a counted list of locals, from a place on, is this seat. */
static int names_seat(const V *list, V from, const V *r, int seat) {
    for (V i = from; i <= list[0]; i++)
        if (r[list[i]] == seat) return 1;
    return 0;
}

static int is_among(V one, const V *several, V many) {
    for (V i = 0; i < many; i++)
        if (several[i] == one) return 1;
    return 0;
}

/* What scripts remember at the step where a frame waits: see `encode.py`. */
static const V *unknown_in(const S *s, int64_t base) {
    static const V NOBODY[] = {0, 0, 0};
    int32_t at = base < 0 ? -1 : s->g->unknown_at[STACK_OF(s)[base + PC]];
    return at < 0 ? NOBODY : s->g->data + at;
}

/* Find the lists that scripts go through of which a seat does not know who comes later, innermost first: how many, -1 if
   scripts remember anything else that it does not know. */
static int find_walks(S *s, int seat, Walk *walk) {
    int walks = 0, is_asked = 0;
    const V *named = unknown_in(s, s->base);
    for (int i = 0; i < s->asked; i++) is_asked |= s->entry[i].seat == seat && s->entry[i].number;
    /* Who is asked knows who that is, whatever scripts above call them. */
    V depth = 0, askers = is_asked ? named[0] : 0, asker[askers + 1];
    memcpy(asker, named + 1, (size_t)askers * sizeof *asker);
    for (int64_t base = s->base; base >= 0; base = STACK_OF(s)[base + CALLER], depth++) {
        const V *r = STACK_OF(s) + base + REGISTERS, *list;
        named = unknown_in(s, base), list = named + 1 + named[0];
        for (V i = 0; depth && i < askers; i++) asker[i] = asker[i] >= 0 && asker[i] < named[0] ? named[1 + asker[i]] : -1;
        for (V left = *list++; left; left--, list += 1 + list[0])
            if (!is_among(list[1], asker, askers) && !names_seat(list, 2, r, seat)) return -1;
        for (V left = *list++; left; left--, list += 1 + list[0]) {
            Walk one = {depth, list[1], list[2], list[3], list[4], list[5]};
            if (one.anew >= 0 && names_seat(list, 6, r, seat)) continue;
            if (one.anew >= 0 && !is_among(one.member, asker, askers)) return -1;
            if (walks == MOST_WALKS) stop(s, UNKNOWN);
            walk[walks++] = one;
        }
    }
    return walks;
}

/* ── twins of one state ── */

typedef struct {
    const Game *g;
    int seat, walks; /* how many lists are gone through again, -1 if more is remembered that the seat does not know */
    Walk walk[MOST_WALKS]; /* outermost last */
    S *bare; /* the true state, without what others picked in the decision that is open, and how often they were asked */
    uint8_t *hidden;
    Hidden all;
    Parts parts;
} Twins;

/* Whether a seat neither sees nor knows a card, which is no piece of a pool. */
static int is_hidden(S *s, int seat, V card) {
    return !(KNOWN(s)[card] >> seat & 1) && KEPT(s, WHERE(s)[card]) != POOL && !(sight(s, card) >> seat & 1);
}

/* In a choice of which others may not learn who is asked, all others are as if they were, until that is found out. */
static void prepare_twins(Twins *t, const S *truth, int seat) {
    S *s = t->bare;
    int32_t own = truth->counts[seat];
    copy_state(s, truth);
    t->seat = seat, t->walks = find_walks(s, seat, t->walk);
    for (int i = 0; i < t->g->players; i++) s->counts[i] = own;
    s->clock = own;
    for (int i = 0; i < t->walks; i++)
        if (t->walk[i].anew < 0 && !t->walk[i].options) forget_answers(s, t->walk + i, seat);
    for (int i = 0; i < t->g->kinds_of_memory; i++) {
        const Memory *memory = t->g->memory + i;
        for (V at = 0; memory->secret && memory->legal < 0 && at < memory->slots; at++)
            if (!sees_memory(s, memory, at, seat)) MEMORIES_OF(s)[memory->first + at] = memory->start, renew_memory(s, i); /* it may hold anything */
    }
    for (int i = 0; i < s->asked; i++) {
        Entry *e = &s->entry[i];
        if (e->seat == seat && e->number) continue;
        e->number = e->seat != seat && (e->number || choice_at(s)->veiled) ? own + !own : 0;
        e->made = 0, e->done = !e->number;
    }
    s->found = 0;
    for (int card = 0; card < t->g->cards; card++) t->hidden[card] = (uint8_t)is_hidden(s, seat, card);
    find_hidden(s, &t->all, &t->parts, t->hidden);
}

/* Draw one at random; what kept it from being one, -1 if it will not do. */
static int try_twin(Twins *t, S *s, Stream *numbers) {
    uint16_t to[t->g->cards + 1];
    int why = setjmp(way_out);
    if (why) return why == TOO_MUCH || why == UNKNOWN ? why : -1; /* what is offered in truth breaks no rule */
    copy_state(s, t->bare);
    draw_laying(s, &t->all, to, numbers);
    lay(s, &t->all, to);
    draw_values(s, t->seat, t->hidden, numbers);
    for (int i = t->walks - 1; i >= 0; i--)
        if (!walk_again(s, t->walk + i, t->seat, numbers)) return -1;
    follow_values(s);
    return ask_again(s, t->seat, numbers) ? OK : -1;
}

/* Draw one at random; what stopped that, if something did: NO_TABLE if none was found. */
static int draw_twin(Twins *t, S *s, Stream *numbers) {
    for (int attempt = 0; attempt < MOST_TWINS && t->walks >= 0; attempt++) {
        int why = try_twin(t, s, numbers);
        if (why >= 0) return why;
    }
    return NO_TABLE;
}
