/*
 * permute: a random permutation of the numbers 0, 1, ..., by throwing darts.
 *
 * usage: permute [numbers-per-thread]
 *
 * There are twice as many places as numbers.  Each number is thrown at random places until it hits a free one; the
 * order of the occupied places then is the permutation.  Check: the number of numbers, and two sums over all of them.
 */
#include <upc_atomic.h>

#include "bale.h"

static const char usage[] = "permute [numbers-per-thread]";

static shared uint64_t *board; /* a number + 1, or 0 for a free place; place p is on thread p % THREADS */
static uint64_t numbers, places; /* per thread */

static uint64_t place_of(uint64_t number, uint64_t throw)
{
    return bale_random(number, throw, places * THREADS);
}

static int is_wrong(void)
{
    double found[3] = {0}, expected[3] = {0};
    const uint64_t *mine = (const uint64_t *)&board[MYTHREAD];
    for (uint64_t i = 0; i < places; i++) {
        if (mine[i] == 0)
            continue;
        found[0]++;
        found[1] += (double)mine[i];
        found[2] += (double)(bale_mix(mine[i]) >> 40);
    }
    for (uint64_t i = 0; i < numbers; i++) {
        uint64_t dart = i * THREADS + MYTHREAD + 1;
        expected[0]++;
        expected[1] += (double)dart;
        expected[2] += (double)(bale_mix(dart) >> 40);
    }
    int wrong = 0;
    for (int i = 0; i < 3; i++)
        wrong |= app_sum(found[i]) != app_sum(expected[i]);
    return wrong;
}

static void clear(void)
{
    uint64_t *mine = (uint64_t *)&board[MYTHREAD];
    for (uint64_t i = 0; i < places; i++)
        mine[i] = 0;
    upc_barrier;
}

static int plain(double *seconds)
{
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_UINT64, UPC_CSWAP, 0);
    clear();
    double start = app_seconds();
    for (uint64_t i = 0; i < numbers; i++) {
        uint64_t number = i * THREADS + MYTHREAD, dart = number + 1, unused = 0, there = 1;
        for (uint64_t throw = 0; there != 0; throw++)
            upc_atomic_relaxed(domain, &there, UPC_CSWAP, &board[place_of(number, throw)], &unused, &dart);
    }
    upc_barrier;
    *seconds = app_seconds() - start;
    upc_all_atomicdomain_free(domain);
    return is_wrong();
}

struct throw {
    uint64_t number, place; /* within its thread */
};

/* Numbers that have not hit a free place yet; they return to the thread that throws them. */
static uint64_t *waiting, waiting_count;
static banyan_aggregate_t *misses;

static void hit(void *context, int from, const void *items, size_t count)
{
    uint64_t *mine = context;
    const struct throw *throws = items;
    for (size_t i = 0; i < count; i++) {
        if (mine[throws[i].place] == 0)
            mine[throws[i].place] = throws[i].number + 1;
        else
            banyan_aggregate_push(misses, from, &throws[i].number);
    }
}

static void keep(void *context, int from, const void *items, size_t count)
{
    (void)context, (void)from;
    for (size_t i = 0; i < count; i++)
        waiting[waiting_count++] = ((const uint64_t *)items)[i];
}

static int aggregated(double *seconds)
{
    clear();
    banyan_aggregate_t *throws =
        banyan_aggregate_all_make(sizeof(struct throw), 0, hit, (uint64_t *)&board[MYTHREAD]);
    misses = banyan_aggregate_all_make(sizeof(uint64_t), 0, keep, NULL);
    waiting = bale_take(numbers, sizeof *waiting);
    uint64_t *thrown = bale_take(numbers, sizeof *thrown);
    for (waiting_count = 0; waiting_count < numbers; waiting_count++)
        waiting[waiting_count] = waiting_count * THREADS + MYTHREAD;
    upc_barrier;
    double start = app_seconds();
    for (uint64_t round = 0; app_sum((double)waiting_count) > 0; round++) {
        uint64_t *last = thrown, count = waiting_count;
        thrown = waiting;
        waiting = last;
        waiting_count = 0;
        for (uint64_t i = 0; i < count; i++) {
            uint64_t place = place_of(thrown[i], round);
            struct throw one = {thrown[i], place / THREADS};
            banyan_aggregate_push(throws, (int)(place % THREADS), &one);
        }
        banyan_aggregate_end(throws);
        banyan_aggregate_end(misses);
    }
    *seconds = app_seconds() - start;
    banyan_aggregate_all_free(misses);
    banyan_aggregate_all_free(throws);
    free(waiting);
    free(thrown);
    return is_wrong();
}

int main(int argc, char **argv)
{
    if (argc > 2)
        app_usage(usage);
    numbers = (uint64_t)app_argument(argc, argv, 1, 100000, 1, 100000000, usage);
    places = 2 * numbers;
    board = bale_share(places * THREADS, sizeof *board);
    double all = (double)numbers * THREADS;
    int wrong = bale_run("permute", "plain", plain, all, "numbers");
    wrong |= bale_run("permute", "aggregated", aggregated, all, "numbers");
    upc_all_free(board);
    return wrong;
}
