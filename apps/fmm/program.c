/*
 * Computes potentials and gradients of bodies in some distribution, and reports the time.
 *
 *     fmm [-n N] [-distribution uniform|ellipse|plummer|point|line|clusters] [-order 4..10] [-leaf Q]
 *         [-kernel laplace|yukawa] [-length L] [-precision double|single]
 *         [-model static|dynamic|guided|naive-tasks|tiled|tiled-tasks|subtree-tasks|tbb|upc|all]
 *         [-tile CELLS] [-block GROUPS] [-repeat TIMES] [-check] [-profile] [-counters] [-limits] [-trace FILE]
 *         [-tune FILE [-quick] [-processor] [-map FILE]] [-study [-timeline FILE]]
 *
 * -tune tries leaves, models, tiles and blocks and uses the fastest (instead of those options); measurements are kept
 * in FILE, so that the next run only reads them. -quick tries fewer; -map draws them (SVG). -processor compares
 * processor seconds, divided by the threads, for machines that other programs use as well: time that threads wait for
 * each other is left out, so it works best with OMP_WAIT_POLICY=passive. -study runs all models with one thread and
 * with all, in -repeat turns, and prints where their time went and what it would be on more cores; -timeline draws how
 * many threads worked. -counters adds hardware counters, -limits how far near field and V list are from the machine's
 * limits, which are measured. -check compares a sample with direct summation and fails if the error is above what the
 * order promises; with all models (-model all), also if one differs from the first by more than rounding.
 * OMP_NUM_THREADS sets the number of threads. Exit status: 0, 1 if a result is wrong or something failed, 2 for a wrong
 * command line.
 *
 * BSD-3-Clause, the Banyan authors.
 */
#include "request.h"
#include "study.h"
#include "tune.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SAMPLE = REQUEST_SAMPLE };

static int status = 2; /* exit status if the program ends now: while it reads its command line */

/*
 * Ends without the libraries' exit handlers: OpenBLAS waits there for threads that it started when it was loaded, and
 * that request memory for ever if there is too little.
 */
static void leave(void)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("fmm: standard output could not be written whole");
        status = status != 0 ? status : 1;
    }
    _exit(status);
}

static void fail(const char *message)
{
    fprintf(stderr, "fmm: %s\n", message);
    exit(1);
}

/* Memory for `count` numbers of the precision, initialised from doubles if `from` is not NULL */
static void *numbers(const struct fmm_options *o, long count, const double *from)
{
    size_t each = o->precision == FMM_DOUBLE ? sizeof(double) : sizeof(float);
    void *to = calloc((size_t)count + 1, each);
    if (to == NULL)
        fail("there is not enough memory for the bodies");
    for (long i = 0; from != NULL && i < count; i++) {
        if (o->precision == FMM_DOUBLE)
            ((double *)to)[i] = from[i];
        else
            ((float *)to)[i] = (float)from[i];
    }
    return to;
}

static double get(const struct fmm_options *o, const void *from, long i)
{
    return o->precision == FMM_DOUBLE ? ((const double *)from)[i] : ((const float *)from)[i];
}

/* Sums of squares: of the differences, and of the exact values */
struct difference {
    double square, norm;
};
static double relative(struct difference d)
{
    return d.norm > 0 ? sqrt(d.square / d.norm) : sqrt(d.square);
}

struct bodies {
    void *places, *charges, *potentials, *gradients, *first_potentials;
};

static struct bodies make_bodies(const struct request *r)
{
    if (r->n < 0 || r->n > INT32_MAX)
        return (struct bodies){0}; /* fmm_new reports that */
    double *values = malloc((size_t)(r->n + 1) * 4 * sizeof *values);
    if (values == NULL)
        fail("there is not enough memory for the bodies");
    for (long i = 0; i < r->n; i++)
        request_body(r, i, values + 3 * i, values + 3 * r->n + i);
    const struct fmm_options *o = &r->options;
    struct bodies b = {numbers(o, 3 * r->n, values), numbers(o, r->n, values + 3 * r->n), numbers(o, r->n, NULL),
                       numbers(o, 3 * r->n, NULL), numbers(o, r->n, NULL)};
    free(values);
    return b;
}

/* Relative errors of a sample: of potentials, and of gradients */
static void errors_of(const struct request *r, const struct bodies *b, double errors[2])
{
    static long which[SAMPLE];
    static double potentials[SAMPLE], gradients[3 * SAMPLE];
    long count = r->n < SAMPLE ? r->n : SAMPLE;
    char message[FMM_MESSAGE_BYTES];
    for (long i = 0; i < count; i++)
        which[i] = i * (r->n / count);
    if (fmm_direct(&r->options, r->n, b->places, b->charges, count, which, potentials, gradients, message) != 0) {
        fail(message);
    }
    struct difference p = {0}, g = {0};
    for (long i = 0; i < count; i++) {
        double d = get(&r->options, b->potentials, which[i]) - potentials[i];
        p.square += d * d;
        p.norm += potentials[i] * potentials[i];
        for (int k = 0; k < 3; k++) {
            d = get(&r->options, b->gradients, 3 * which[i] + k) - gradients[3 * i + k];
            g.square += d * d;
            g.norm += gradients[3 * i + k] * gradients[3 * i + k];
        }
    }
    errors[0] = relative(p);
    errors[1] = relative(g);
}

/* The relative difference between the potentials and those of the first model */
static double from_first(const struct request *r, const struct bodies *b)
{
    struct difference p = {0};
    for (long i = 0; i < r->n; i++) {
        double first = get(&r->options, b->first_potentials, i);
        double d = get(&r->options, b->potentials, i) - first;
        p.square += d * d;
        p.norm += first * first;
    }
    return relative(p);
}

static void print_profile(const struct fmm_profile *p, int order)
{
    double busy = 0;
    long f = 4L * order * order * (order + 1);
    for (int s = 0; s < FMM_STAGES; s++)
        busy += p->seconds[s];
    printf("  %ld cells, %ld leaves, %d levels, surfaces of %d points, %s; set up in %.3f s, tasks in %.3f s\n",
           p->cells, p->leaves, p->levels, p->surface, p->vectors, p->setup, p->making);
    for (int s = 0; s < FMM_STAGES; s++) {
        printf("  %-9s %8.3f s on all threads, %7ld pieces\n", fmm_stage_name((enum fmm_stage)s), p->seconds[s],
               p->calls[s]);
    }
    printf("  idle      %8.3f s on all threads: scheduling and waiting\n", p->wall * p->threads - busy);
    printf("  processor %8.3f s of the process in the evaluation, %.3f s to set up\n", p->processor,
           p->setup_processor);
    if (p->seconds[FMM_U] > 0) {
        printf("  near field: %.3g pairs, %.2f million a second on a thread\n", p->pairs,
               p->pairs / p->seconds[FMM_U] / 1e6);
    }
    if (p->seconds[FMM_V] > 0) {
        printf("  V list: %.3g products of %ld frequencies, %.2f Gflop/s on a thread\n", p->v_products, f,
               p->v_products * 512 / p->seconds[FMM_V] / 1e9);
    }
}

static void print_counters(const struct fmm_profile *p)
{
    for (int c = 0; c < FMM_COUNTERS; c++) {
        int error = fmm_counter_error((enum fmm_counter)c);
        printf("  %s:", fmm_counter_name((enum fmm_counter)c));
        if (error != 0) {
            printf(" not counted here (perf_event_open: %s)\n", strerror(error));
            continue;
        }
        for (int s = 0; s < FMM_STAGES; s++)
            printf(" %s %.4g", fmm_stage_name((enum fmm_stage)s), p->counts[s][c]);
        putchar('\n');
    }
}

/*
 * Prints times next to the machine's limits; a stage counts with the least of its processor seconds. The V list reads
 * from memory at most the 26 matrices of each frequency (1 KiB) for each of its pieces, and an octet (128 bytes in
 * double) for each product.
 */
static void print_limits(const struct request *r, const struct fmm_profile *p, const double *seconds)
{
    struct fmm_limits limits;
    char message[FMM_MESSAGE_BYTES];
    if (fmm_measure_limits(r->options.precision, &limits, message) != 0)
        fail(message);
    int order = r->options.order;
    double number = r->options.precision == FMM_DOUBLE ? 8 : 4;
    double matrices = (double)p->calls[FMM_V] * 26 * 4 * order * order * (order + 1) * 128 * number;
    double bytes = matrices + p->v_products * 16 * number, each = limits.bytes / p->threads;
    printf("  limits, measured: %.1f Gflop/s of multiply-adds on each of %d threads, %.1f GB/s read by all\n",
           limits.operations / 1e9, p->threads, limits.bytes / 1e9);
    if (seconds[FMM_U] > 0 && r->options.kernel == FMM_LAPLACE) {
        double rate = p->pairs * p->pair_operations / seconds[FMM_U];
        printf("  near field: %d operations a pair, %.1f Gflop/s, %.0f %% of the limit\n", p->pair_operations,
               rate / 1e9, 100 * rate / limits.operations);
    }
    if (seconds[FMM_V] > 0) {
        double operations = p->v_products * 512, rate = operations / seconds[FMM_V];
        printf(
            "  V list: %.1f Gflop/s, %.0f %% of the limit; at most %.3g bytes, %.2f operations each, of which memory "
            "alone allows %.1f Gflop/s\n",
            rate / 1e9, 100 * rate / limits.operations, bytes, operations / bytes, operations / bytes * each / 1e9);
    }
}

/* Evaluates with one model several times, and reports the fastest; returns whether the result is right */
static bool run(const struct request *r, struct fmm_problem *problem, enum fmm_model model, struct bodies *b)
{
    char message[FMM_MESSAGE_BYTES];
    const struct fmm_options *o = &r->options;
    struct fmm_profile best = {0}, last;
    double least[FMM_STAGES] = {0};
    if (fmm_set_model(problem, model, o->tile, o->v_block, message) != 0)
        fail(message);
    for (int i = 0; i < r->repeat; i++) {
        if (fmm_evaluate(problem, b->charges, b->potentials, b->gradients, message) != 0)
            fail(message);
        fmm_last_profile(problem, &last);
        for (int s = 0; s < FMM_STAGES; s++)
            least[s] = i == 0 || last.stage_processor[s] < least[s] ? last.stage_processor[s] : least[s];
        if (i == 0 || last.wall < best.wall)
            best = last;
    }
    printf("fmm: %ld bodies, %s, %s, n %d, %.4f s, %.3f million bodies/s", r->n, request_words(r),
           fmm_model_name(model), best.threads, best.wall, best.wall > 0 ? (double)r->n / best.wall / 1e6 : 0);
    bool right = true;
    if (r->check) {
        double errors[2] = {0, 0}, rounding = o->precision == FMM_DOUBLE ? 1e-11 : 1e-4, apart = 0;
        if (r->n > 0)
            errors_of(r, b, errors);
        if (r->model == REQUEST_ALL && model == 0) {
            void *swapped = b->first_potentials;
            b->first_potentials = b->potentials;
            b->potentials = swapped;
        } else if (r->model == REQUEST_ALL)
            apart = from_first(r, b);
        /* Written so that NaN counts as wrong */
        right = errors[0] <= fmm_promised(o, 0) && errors[1] <= fmm_promised(o, 1) && apart <= rounding;
        printf(", errors %.2g %.2g, promised %.2g %.2g", errors[0], errors[1], fmm_promised(o, 0), fmm_promised(o, 1));
        if (r->model == REQUEST_ALL)
            printf(", %.2g from %s", apart, fmm_model_name((enum fmm_model)0));
        printf(": %s", right ? "right" : "WRONG");
    }
    putchar('\n');
    if (r->profile)
        print_profile(&best, o->order);
    if (r->counters)
        print_counters(&best);
    if (r->limits)
        print_limits(r, &best, least);
    return right;
}

int main(int argc, char **argv)
{
    atexit(leave);
    struct request r = request_read(argc, argv, true);
    status = 1;
    if (r.model == REQUEST_UPC)
        fail("the model upc is a program of its own: upcrun -n THREADS fmm_upc, with the other options");
    struct bodies b = make_bodies(&r);
    char message[FMM_MESSAGE_BYTES];
    if (r.tune != NULL && tune(&r, b.places, b.charges, b.potentials, b.gradients, message) != 0)
        fail(message);
    struct fmm_problem *problem = fmm_new(&r.options, r.n, b.places, message);
    if (problem == NULL)
        fail(message);
    if (r.study && study(&r, problem, b.charges, b.potentials, b.gradients, message) != 0)
        fail(message);
    fmm_trace(problem, r.trace != NULL || r.limits);
    fmm_count(problem, r.counters);
    bool right = true;
    int first = r.model == REQUEST_ALL ? 0 : (int)r.options.model,
        last = r.model == REQUEST_ALL ? FMM_MODELS - 1 : first;
    for (int model = first; model <= last && !r.study; model++) {
        const char *lack = r.model == REQUEST_ALL ? fmm_lacks((enum fmm_model)model) : NULL;
        if (lack != NULL)
            printf("fmm: %s is left out: %s\n", fmm_model_name((enum fmm_model)model), lack);
        else
            right &= run(&r, problem, (enum fmm_model)model, &b);
    }
    if (r.trace != NULL && fmm_write_trace(problem, r.trace, message) != 0)
        fail(message);
    fmm_free(problem);
    free(b.places);
    free(b.charges);
    free(b.potentials);
    free(b.gradients);
    free(b.first_potentials);
    return status = right ? 0 : 1;
}
