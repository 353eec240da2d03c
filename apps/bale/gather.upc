/*
 * gather: reads elements of a table from all threads, each by an index of its own.
 *
 * usage: gather [reads-per-thread]
 *
 * The elements of the table are dealt out to the threads in turn, 1000 on each.  Check: an element holds its own index.
 */
#include "bale.h"

static const char usage[] = "gather [reads-per-thread]";

enum { PLACES = 1000 };

static shared uint64_t table[PLACES * THREADS];
static uint64_t reads, *target;
static banyan_aggregate_t *answers;

static uint64_t place_of(uint64_t i)
{
    return bale_random((uint64_t)MYTHREAD, i, (uint64_t)PLACES * THREADS);
}

static int is_wrong(void)
{
    int wrong = 0;
    for (uint64_t i = 0; i < reads; i++) {
        wrong |= target[i] != bale_mix(place_of(i));
        target[i] = 0;
    }
    return wrong;
}

static int plain(double *seconds)
{
    upc_barrier;
    double start = app_seconds();
    for (uint64_t i = 0; i < reads; i++)
        target[i] = table[place_of(i)];
    upc_barrier;
    *seconds = app_seconds() - start;
    return is_wrong();
}

struct question {
    uint64_t place, slot;
};

struct answer {
    uint64_t value, slot;
};

static void answer_questions(void *context, int from, const void *items, size_t count)
{
    const uint64_t *mine = context;
    const struct question *question = items;
    for (size_t i = 0; i < count; i++) {
        struct answer answer = {mine[question[i].place], question[i].slot};
        banyan_aggregate_push(answers, from, &answer);
    }
}

static void keep_answers(void *context, int from, const void *items, size_t count)
{
    uint64_t *kept = context;
    const struct answer *answer = items;
    (void)from;
    for (size_t i = 0; i < count; i++)
        kept[answer[i].slot] = answer[i].value;
}

static int aggregated(double *seconds)
{
    banyan_aggregate_t *questions = banyan_aggregate_all_make(sizeof(struct question), 0, answer_questions,
                                                              (uint64_t *)&table[MYTHREAD]);
    answers = banyan_aggregate_all_make(sizeof(struct answer), 0, keep_answers, target);
    upc_barrier;
    double start = app_seconds();
    for (uint64_t i = 0; i < reads; i++) {
        uint64_t place = place_of(i);
        struct question question = {place / THREADS, i};
        banyan_aggregate_push(questions, (int)(place % THREADS), &question);
    }
    banyan_aggregate_end(questions);
    banyan_aggregate_end(answers);
    upc_barrier;
    *seconds = app_seconds() - start;
    banyan_aggregate_all_free(answers);
    banyan_aggregate_all_free(questions);
    return is_wrong();
}

int main(int argc, char **argv)
{
    uint64_t i;
    if (argc > 2)
        app_usage(usage);
    reads = (uint64_t)app_argument(argc, argv, 1, 100000, 1, 1000000000, usage);
    target = bale_take(reads, sizeof *target);
    upc_forall (i = 0; i < (uint64_t)PLACES * THREADS; i++; &table[i])
        table[i] = bale_mix(i);
    double all = (double)reads * THREADS;
    int wrong = bale_run("gather", "plain", plain, all, "reads");
    wrong |= bale_run("gather", "aggregated", aggregated, all, "reads");
    free(target);
    return wrong;
}
