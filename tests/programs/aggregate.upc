// Threads push items for each other, which arrive once each and in order; answers; phases; blocks of one item and of
// many.
#include <banyan_aggregate.h>
#include <upc_relaxed.h>

#include "check.h"

enum { MOST_THREADS = 1024, ITEMS = FAR_TIMES(3000, 600), PHASES = 4, TABLE = 101 };

struct item {
    int number;
    int phase;
    char rest[5];
};

static int next_number[MOST_THREADS], phase, taken;

static void take(void *context, int from, const void *items, size_t count)
{
    const struct item *item = items;
    EQ(context == &phase, 1);
    CHECK(count > 0);
    for (size_t i = 0; i < count; i++) {
        EQ(item[i].number, next_number[from]++);
        EQ(item[i].phase, phase);
        EQ(item[i].rest[4], from % 100);
        taken++;
    }
}

/* All to all, in phases without barriers in between: no phase may take items of the next one. */
static void everybody(size_t block_bytes)
{
    struct item item = {.rest = {0, 0, 0, 0, (char)(MYTHREAD % 100)}};
    banyan_aggregate_t *aggregate = banyan_aggregate_all_make(sizeof item, block_bytes, take, &phase);
    memset(next_number, 0, sizeof next_number);
    for (phase = 0; phase < PHASES; phase++) {
        item.phase = phase;
        taken = 0;
        /* Some thread pushes nothing in some phases. */
        int count = (MYTHREAD + phase) % 3 == 0 ? 0 : ITEMS / THREADS;
        for (int i = 0; i < count; i++, item.number++)
            for (int t = 0; t < THREADS; t++)
                banyan_aggregate_push(aggregate, t, &item);
        banyan_aggregate_end(aggregate);
        int expected = 0;
        for (int t = 0; t < THREADS; t++)
            expected += (t + phase) % 3 == 0 ? 0 : ITEMS / THREADS;
        EQ(taken, expected);
    }
    banyan_aggregate_all_free(aggregate);
}

/* ---- Questions and answers ---- */

struct question {
    int place, slot;
};

struct answer {
    int slot, value;
};

static banyan_aggregate_t *answers;
static int answered[ITEMS];

static int value_at(int thread, int place)
{
    return thread * 1000 + place;
}

static void take_questions(void *context, int from, const void *items, size_t count)
{
    const struct question *question = items;
    for (size_t i = 0; i < count; i++) {
        struct answer answer = {question[i].slot, value_at(MYTHREAD, question[i].place)};
        banyan_aggregate_push(answers, from, &answer);
    }
    EQ(context == NULL, 1);
}

static void take_answers(void *context, int from, const void *items, size_t count)
{
    const struct answer *answer = items;
    for (size_t i = 0; i < count; i++)
        ((int *)context)[answer[i].slot] = answer[i].value;
    CHECK(from >= 0 && from < THREADS);
}

/* Blocks of one and two items, so that pushes wait inside take functions, and inside those for each other */
static void answer_all(void)
{
    banyan_aggregate_t *questions = banyan_aggregate_all_make(sizeof(struct question), 1, take_questions, NULL);
    answers = banyan_aggregate_all_make(sizeof(struct answer), 2 * sizeof(struct answer), take_answers, answered);
    memset(answered, -1, sizeof answered);
    for (int i = 0; i < ITEMS; i++) {
        struct question question = {i % TABLE, i};
        banyan_aggregate_push(questions, i * 7 % THREADS, &question);
    }
    banyan_aggregate_end(questions);
    banyan_aggregate_end(answers);
    for (int i = 0; i < ITEMS; i++)
        EQ(answered[i], value_at(i * 7 % THREADS, i % TABLE));
    banyan_aggregate_all_free(questions); /* not the last one */
    banyan_aggregate_all_free(answers);
}

int main(void)
{
    CHECK(THREADS <= MOST_THREADS);
    everybody(0);
    everybody(1);
    everybody(3 * sizeof(struct item));
    answer_all();
    banyan_aggregate_all_free(NULL);
    return finish();
}
