/* What a table is to a seat in whole numbers, and its value as a bot has learned it, as `interpreter/features.py` and
   `by_machine` have them. A plan of the features is a row of numbers: how many there are of each sort, then which. */

#include <math.h>

#define MOST_AHEAD 60 /* so many answers of others are given at random until a seat is asked again */
#define LARGEST 1000000
#define SHIFT 20 /* weights are so many bits finer than what they rate */
#define HALF 500 /* payoff and lead are worth so much each */

enum { F_WIDTH, F_GROUPS, F_SIGNS, F_MEMORIES, F_OF_PLAYERS, F_OF_TABLE, F_OF_CARDS, F_SPOTS, F_STAGES, F_LOCALS, F_PLAN };
enum { AS_NUMBER, AS_PLAYER, AS_WORD };

static V capped(V number) { return number > LARGEST ? LARGEST : number < -LARGEST ? -LARGEST : number; }

static V number_in(S *s, V value) {
    if (value <= LACKS) return 0;
    if (is_list(value)) return length(s, value);
    return value >= WORD ? 0 : capped(value);
}

/* The answer to a question as a number; 0 where the rules have none, or would stop. */
static V asked_number(S *s, V code, const V *given, int count) {
    jmp_buf outer;
    V top = s->top, asking = s->asking, used = s->used, found = 0;
    memcpy(&outer, &way_out, sizeof outer);
    s->looked = 0;
    int why = setjmp(way_out);
    if (!why) found = number_in(s, answer_to(s, code, given, count));
    memcpy(&way_out, &outer, sizeof outer);
    s->top = top, s->asking = asking, s->used = used;
    if (why >= TOO_MUCH || why == NO_ROOM) stop(s, why);
    return why ? 0 : found;
}

/* What is one's own, what the others have together, and the most that one of them has. */
static V *tell_own(V *at, const V *by_seat, int seat, int players) {
    V most = 0;
    for (int other = 0, met = 0; other < players; other++) {
        if (other == seat) continue;
        at[1] += by_seat[other];
        if (!met++ || by_seat[other] > most) most = by_seat[other];
    }
    at[0] = by_seat[seat], at[1] = capped(at[1]), at[2] = most;
    return at + 3;
}

static V *tell_counts(S *s, const V *plan, const V *group, const V *owned, const V *begin, const V *sign, int seat, V *at) {
    const Game *g = s->g;
    V *rows = at + plan[F_GROUPS];
    for (int place = 0; place < g->places; place++)
        if (may_count(s, seat, place)) at[group[place] + (owned[place] && g->place[place].owner != seat)] += count_in(s, place);
    for (int card = 0; card < g->cards; card++) {
        int place = WHERE(s)[card];
        if (!(KNOWN(s)[card] >> seat & 1) || KEPT(s, place) == POOL) continue;
        V *row = rows + (group[place] + (owned[place] && g->place[place].owner != seat)) * plan[F_SIGNS];
        for (V i = begin[card]; i < begin[card + 1]; i++) row[sign[2 * i]] += sign[2 * i + 1];
    }
    return rows + plan[F_GROUPS] * plan[F_SIGNS];
}

/* One memory that a seat may read; `one` is its number, in which way it is read, how many words it may hold, and these. */
static V *tell_remembered(S *s, const V *one, int seat, V *at) {
    const Memory *memory = s->g->memory + one[0];
    const V *held = MEMORIES_OF(s) + memory->first;
    int players = s->g->players;
    if (memory->owned) {
        V by_seat[MOST_PLAYERS];
        for (int other = 0; other < players; other++) by_seat[other] = sees_memory(s, memory, other, seat) ? number_in(s, held[other]) : 0;
        return tell_own(at, by_seat, seat, players);
    }
    int sees = sees_memory(s, memory, 0, seat);
    if (one[1] == AS_PLAYER) {
        if (sees && *held >= 0 && *held < players) at[(*held - seat + players) % players] = 1;
        return at + players;
    }
    if (one[1] == AS_WORD) {
        for (V i = 0; i < one[2]; i++) at[i] = sees && *held == one[3 + i];
        return at + one[2];
    }
    *at = sees ? number_in(s, *held) : 0;
    return at + 1;
}

/* Who is asked, and where; which stages go on; what is counted in the script of the game. */
static V *tell_course(S *s, const V *plan, const V *spot, const V *local, int seat, V *at) {
    const Game *g = s->g;
    int players = g->players, which = 0;
    while (which < s->asked && s->entry[which].done) which++;
    if (which < s->asked) {
        int other = s->entry[which].seat;
        V step = STACK_OF(s)[s->base + PC];
        at[(other - seat + players) % players] = 1;
        for (V i = 0; i < plan[F_SPOTS]; i++)
            if (spot[i] == step) at[players + (other == seat ? 0 : plan[F_SPOTS]) + i] = 1;
    }
    at += players + 2 * plan[F_SPOTS];
    int64_t last = -1;
    for (int64_t base = s->base; base >= 0; last = base, base = STACK_OF(s)[base + CALLER])
        for (int one = stage_of(s, base); one >= 0; one = (int)g->stage[one].outer) at[g->stage[one].name] = 1;
    at += plan[F_STAGES];
    for (V i = 0; i < plan[F_LOCALS]; i++) *at++ = last < 0 ? 0 : number_in(s, STACK_OF(s)[last + REGISTERS + local[i]]);
    at[0] = s->clock, at[1] = s->counts[seat], at[2] = s->playing, at[3] = s->plays >> seat & 1;
    return at + 4;
}

/* All numbers of a table as a seat knows it, which are 0 before. */
static void tell_features(S *s, const V *plan, int seat, V *at) {
    const Game *g = s->g;
    const V *group = plan + F_PLAN, *owned = group + g->places, *begin = owned + g->places, *sign = begin + g->cards + 1;
    const V *next = sign + 2 * begin[g->cards];
    at = tell_counts(s, plan, group, owned, begin, sign, seat, at);
    for (V i = 0; i < plan[F_MEMORIES]; i++, next += 3 + next[2]) at = tell_remembered(s, next, seat, at);
    for (V i = 0; i < plan[F_OF_PLAYERS]; i++, next++) {
        V by_seat[MOST_PLAYERS];
        for (V other = 0; other < g->players; other++) by_seat[other] = s->plays >> other & 1 ? asked_number(s, *next, &other, 1) : 0;
        at = tell_own(at, by_seat, seat, g->players);
    }
    for (V i = 0; i < plan[F_OF_TABLE]; i++) *at++ = asked_number(s, *next++, NULL, 0);
    for (V i = 0; i < plan[F_OF_CARDS]; i++, next += 2) {
        V given[2] = {next[1], seat};
        *at++ = s->plays >> seat & 1 ? asked_number(s, next[0], given, 2) : 0;
    }
    int64_t payoffs[MOST_PLAYERS] = {0}, margins[MOST_PLAYERS] = {0};
    s->looked = 0;
    tell_standing(s, payoffs, margins);
    *at++ = capped(payoffs[seat]), *at++ = capped(margins[seat]);
    tell_course(s, plan, next, next + plan[F_SPOTS], seat, at);
}

/* How it goes on after an answer at the table, until the seat is asked again or the game is over. */
static S *go_on_after(Imagining *m, int answer) {
    S *s = m->tried;
    copy_state(s, m->table);
    give_answer(s, m->which, m->at, answer);
    for (int i = 0; i < MOST_AHEAD && s->result == RUNNING && entry_of(s, m->seat) < 0; i++) {
        int which = first_asked(s);
        s->looked = 0;
        go_behind(s, answer_entry(s, which, at_random(s, which, &m->numbers)));
    }
    s->looked = 0;
    return s;
}

/* What the table is then, to who is asked: whether the game is over, and then payoff and margin; else how many features
   are not 0, and each with its number. */
DOOR int look_on(Imagining *m, const V *plan, int answer) {
    int why = setjmp(way_out);
    if (why) return why;
    S *s = go_on_after(m, answer);
    m->row[0] = s->result != RUNNING;
    if (s->result != RUNNING) {
        int64_t payoffs[MOST_PLAYERS] = {0}, margins[MOST_PLAYERS] = {0};
        tell_standing(s, payoffs, margins);
        m->row[1] = payoffs[m->seat], m->row[2] = margins[m->seat];
        return OK;
    }
    V width = plan[F_WIDTH], found[width], many = 0;
    memset(found, 0, (size_t)width * sizeof(V));
    tell_features(s, plan, m->seat, found);
    for (V i = 0; i < width; i++)
        if (found[i]) m->row[2 + 2 * many] = i, m->row[3 + 2 * many] = found[i], many++;
    m->row[1] = many;
    return OK;
}

static int64_t floor_of(int64_t number, int64_t by) { return number / by - (number % by < 0); }

static int64_t within(int64_t number, int64_t most) { return number > most ? most : number < -most ? -most : number; }

/* The worth of an end, as `Scale.rate` has it. */
static int64_t rate_end(const int64_t *scale, int64_t payoff, int64_t lead) {
    int64_t got = scale[0] ? floor_of(HALF * payoff, scale[0]) : 0, ahead = scale[1] ? floor_of(HALF * lead, scale[1]) : 0;
    return within(got, 4 * HALF) + within(ahead, HALF);
}

/* Whoever answers AS_LEARNED goes by this from now on; it is kept outside. Of each member there is a row of weights, and a
   scale. */
DOOR void teach(Imagining *m, const V *plan, const V *weights, const int64_t *scales, int64_t members, int64_t tables) {
    m->plan = plan, m->weights = weights, m->scales = scales, m->members = members, m->tables = tables;
}

/* Which member plays for a seat in this game: one at random. */
static int64_t member_of(const Imagining *m, const S *s, int seat) {
    Stream numbers;
    start(&numbers, s->seed, m->plays[seat], 1);
    return next_number(&numbers, m->members);
}

/* The worth of a table to a seat, as has been learned. The last weight is of no feature. */
static V rate_table(S *s, const V *plan, const V *weights, int seat) {
    V width = plan[F_WIDTH], found[width], value = weights[width];
    memset(found, 0, (size_t)width * sizeof(V));
    tell_features(s, plan, seat, found);
    for (V i = 0; i < width; i++)
        if (found[i]) value += weights[i] * found[i];
    return value;
}

/* The worth of the table after an answer, as has been learned, to some seats together. */
DOOR int value_answer(Imagining *m, const V *plan, const V *weights, const int64_t *scale, int answer, int seats) {
    int why = setjmp(way_out);
    if (why) return why;
    S *s = go_on_after(m, answer);
    int64_t payoffs[MOST_PLAYERS] = {0}, margins[MOST_PLAYERS] = {0}, value = 0;
    if (s->result != RUNNING) tell_standing(s, payoffs, margins);
    for (int seat = 0; seat < s->g->players; seat++) {
        if (!(seats >> seat & 1)) continue;
        s->looked = 0;
        value += s->result == RUNNING ? rate_table(s, plan, weights, seat)
                                      : rate_end(scale, payoffs[seat], margins[seat]) * (1 << SHIFT);
    }
    *m->row = value;
    return OK;
}

/* Note from now on, by pick, what hangs on the decisions of who answers AS_LEARNED; they stand outside. */
DOOR void note_stakes(Imagining *m, int64_t *stakes) { m->stakes = stakes; }

/* Add by how much the answer that is best at one of two tables is worth more at the other than the mean answer, so that
   where all answers do the same this is nothing on average, however they vary from table to table. */
static void add_stakes(Imagining *m, int many, uint64_t decision, int64_t *stakes) {
    int64_t sum[2] = {0, 0}, most[2] = {0, 0}, gain[2] = {0, 0};
    int count = 0;
    for (int i = 0; i < many; i++) {
        int at = m->order[i];
        if (m->times[at] != 2) continue;
        int64_t worth[2] = {m->first[at], m->worth[at] - m->first[at]};
        for (int table = 0; table < 2; table++) {
            if (!count || worth[table] > most[table]) most[table] = worth[table], gain[table] = worth[!table];
            sum[table] += worth[table];
        }
        count++;
    }
    if (count < 2) return;
    stakes[0] += decision != m->weighed, m->weighed = decision;
    stakes[1] += (gain[0] + gain[1] - floor_of(sum[0] + sum[1], count)) / 2;
}

/* The answer that leads to the best of some tables, as `take_best` takes it; of equal ones one at random. */
static int find_best_learned(Imagining *m, const S *s, int pick, uint64_t decision, Stream *numbers, int *best) {
    int many = 0, why;
    int64_t most = 0;
    if (!m->weights) return UNKNOWN;
    int64_t member = member_of(m, s, m->seat);
    const V *weights = m->weights + member * (m->plan[F_WIDTH] + 1);
    memset(m->times, 0, (size_t)m->root.count * sizeof *m->times);
    for (int64_t table = 0; table < m->tables && m->root.count > 1; table++) {
        if (table || !m->at) {
            why = imagine_next(m, (uint64_t)next_number(numbers, (int64_t)1 << 62), 0);
            if (why == NO_TABLE) continue;
            if (why) return why;
        }
        for (int i = 0, at = 0; i < m->at->count; i++) {
            if ((why = value_answer(m, m->plan, weights, m->scales + 2 * member, i, m->seats))) return why;
            while (m->root.mark[at] != m->at->mark[i]) at++;
            if (!m->times[at]++) m->worth[at] = 0, m->order[many++] = at;
            m->worth[at] += *m->row;
            if (m->times[at] == 1) m->first[at] = m->worth[at];
        }
    }
    if (!many) {
        *best = m->root.count < 2 ? 0 : (int)next_number(numbers, m->root.count);
        return OK;
    }
    if (m->stakes) add_stakes(m, many, decision, m->stakes + 2 * pick);
    int equal = 0;
    for (int i = 0; i < many; i++) {
        int64_t mean = floor_of(m->worth[m->order[i]], m->times[m->order[i]]);
        if (!i || mean > most) most = mean, equal = 0;
        if (mean == most) m->order[equal++] = m->order[i];
    }
    *best = m->order[next_number(numbers, equal)];
    return OK;
}

/* Whoever answers with GUESSES does so at random where this says so, by pick; it is kept outside. */
DOOR void guess_at(Imagining *m, const uint8_t *guessed) { m->guessed = guessed; }

/* Add to sums of products over rows: each is a target, how many features it has, and these with their numbers. `at` is the
   column of a feature, -1 if it has none; the sums are of each two columns, and of each with the target. */
DOOR void add_products(const int32_t *rows, int64_t end, const int32_t *at, int64_t columns, int64_t *products, int64_t *targets) {
    int32_t column[columns + 1], number[columns + 1];
    for (int64_t i = 0; i < end;) {
        int64_t target = rows[i++], size = rows[i++], many = 0;
        for (int64_t j = 0; j < size; j++, i += 2)
            if (at[rows[i]] >= 0) column[many] = at[rows[i]], number[many++] = rows[i + 1];
        for (int64_t a = 0; a < many; a++) {
            int64_t *row = products + column[a] * columns;
            targets[column[a]] += target * number[a];
            for (int64_t b = 0; b <= a; b++) row[column[b]] += (int64_t)number[a] * number[b];
        }
    }
}

/* How far two columns vary together: exactly, where whole numbers hold it. */
static double spread_of(int64_t rows, int64_t product, int64_t one, int64_t other) {
    int64_t whole, common, left;
    if (__builtin_mul_overflow(rows, product, &whole) || __builtin_mul_overflow(one, other, &common) ||
        __builtin_sub_overflow(whole, common, &left))
        return (double)rows * (double)product - (double)one * (double)other;
    return (double)left;
}

/* Solve a ridge regression for the weights of standardized columns but the first, which is always 1, from such sums. The
   order of all sums is that of `_solve_by_hand`, so that the digits are. */
DOOR int solve_ridge(const int64_t *products, const int64_t *targets, int64_t columns, double ridge, double *sizes, double *weights) {
    int64_t many = columns - 1, rows = products[0];
    double *lower = calloc((size_t)(many * many + 1), sizeof *lower);
    if (!lower) return TOO_MUCH;
    for (int64_t i = 0; i < many; i++) {
        const int64_t *row = products + (i + 1) * columns;
        double *mine = lower + i * many;
        double own = spread_of(rows, row[i + 1], *row, *row);
        sizes[i] = own > 0 ? sqrt(own) : 0;
        weights[i] = own > 0 ? spread_of(rows, targets[i + 1], *row, *targets) / sizes[i] : 0;
        for (int64_t j = 0; j <= i; j++) {
            const double *other = lower + j * many;
            double left = 0, spread = spread_of(rows, row[j + 1], *row, products[(j + 1) * columns]);
            if (sizes[i] > 0 && sizes[j] > 0) left = (double)rows * (spread / (sizes[i] * sizes[j]));
            if (i == j) left += ridge;
            for (int64_t k = 0; k < j; k++) left -= mine[k] * other[k];
            mine[j] = i == j ? sqrt(left) : left / other[j];
        }
    }
    for (int64_t i = 0; i < many; i++) {
        for (int64_t k = 0; k < i; k++) weights[i] -= lower[i * many + k] * weights[k];
        weights[i] /= lower[i * many + i];
    }
    for (int64_t i = many - 1; i >= 0; i--) {
        for (int64_t k = i + 1; k < many; k++) weights[i] -= lower[k * many + i] * weights[k];
        weights[i] /= lower[i * many + i];
    }
    free(lower);
    return OK;
}
