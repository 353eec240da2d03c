/*
 * cpi: pi in two ways.
 *
 * usage: cpi [intervals [darts]]
 *
 * Integration: pi is the integral of 4 / (1 + x*x) from 0 to 1, by the midpoint rule.  The intervals are dealt out by
 * the affinity expression of upc_forall.
 * Monte Carlo: of the darts thrown at the unit square, pi/4 land in the quarter circle.  Each thread throws its share
 * with random numbers of its own, and adds its hits to a shared counter under a lock.
 *
 * Check: the first result is within its error bound of pi, the second within six standard deviations.
 */
#include <math.h>
#include <stdint.h>

#include "app.h"

static const char usage[] = "cpi [intervals [darts]]";

#define PI 3.14159265358979323846

shared long total_hits;

static double integrate(long intervals)
{
    double width = 1.0 / (double)intervals;
    double sum = 0;
    long i;

    upc_forall (i = 0; i < intervals; i++; i) {
        double x = ((double)i + 0.5) * width;
        sum += 4.0 / (1.0 + x * x);
    }
    return app_sum(sum * width);
}

/* A random number in [0, 1), by the splitmix64 generator */
static double random_real(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-53;
}

static double throw_darts(long darts, upc_lock_t *lock)
{
    uint64_t state = UINT64_C(0x1234567) + ((uint64_t)MYTHREAD << 40);
    long hits = 0;
    long i;

    upc_forall (i = 0; i < darts; i++; i) {
        double x = random_real(&state);
        double y = random_real(&state);
        hits += x * x + y * y < 1.0;
    }
    upc_lock(lock);
    total_hits += hits;
    upc_unlock(lock);
    upc_barrier;
    return 4.0 * (double)total_hits / (double)darts;
}

int main(int argc, char **argv)
{
    if (argc > 3)
        app_usage(usage);
    long intervals = app_argument(argc, argv, 1, 20000000, 1, 1000000000000, usage);
    long darts = app_argument(argc, argv, 2, 20000000, 1, 1000000000000, usage);
    upc_lock_t *lock = upc_all_lock_alloc();

    upc_barrier;
    double start = app_seconds();
    double pi = integrate(intervals);
    double middle = app_seconds();
    double monte_carlo = throw_darts(darts, lock);
    double end = app_seconds();

    /* The midpoint rule is wrong by less than width^2 * max|f''| / 24, to which rounding errors are added. */
    double bound = 8.0 / 24.0 / ((double)intervals * (double)intervals) + 1e-11;
    double deviation = 4.0 * sqrt(PI / 4 * (1 - PI / 4) / (double)darts);
    int wrong = !(fabs(pi - PI) <= bound) || !(fabs(monte_carlo - PI) <= 6 * deviation);

    if (MYTHREAD == 0) {
        printf("integration: pi = %.12f, off by %.1e, %.1f million intervals per second\n", pi, fabs(pi - PI),
               1e-6 * (double)intervals / (middle - start));
        printf("Monte Carlo: pi = %.6f, off by %.1e, %.1f million darts per second\n", monte_carlo,
               fabs(monte_carlo - PI), 1e-6 * (double)darts / (end - middle));
        printf("cpi: %s\n", wrong ? "WRONG" : "right");
    }
    upc_all_lock_free(lock);
    return wrong;
}
