/*
 * fmm_upc: the fast multipole method over UPC threads; the numerics are the library's (part.h), the communication is
 * here.
 *
 * usage: upcrun -n THREADS fmm_upc [options of fmm but -model, -tile, -trace, -tune, -study, -counters and -limits]
 *
 * Bodies are ordered along Morton's curve, which is cut between leaves into a piece for each thread. Each thread makes
 * its locally essential tree, and gets the cells and bodies of others that this needs by one-sided copies, since a
 * thread knows where everything that it needs is. Each of -repeat steps begins with bodies where the last one left
 * them, and cuts the curve by the time that the bodies took in that step.
 *
 * BSD-3-Clause, the Banyan authors.
 */
#include <math.h>
#include <string.h>
#include <time.h>

#include "../app.h"
#include "part.h"
#include "request.h"

struct point {
    double place[3], charge;
};
struct label {
    uint64_t key;
    long id;
    double weight; /* seconds that the body took in the last step */
};

/* What a thread offers to the others */
static shared struct offer {
    shared[] struct point *points;
    shared[] struct label *labels; /* of the points, which are ordered by key */
    shared[] long *cuts;           /* where those for each thread begin, and one past the last */
    shared[] double *numbers;      /* for sums */
    shared[] struct fmm_offer *tree; /* for each of the thread's cells */
    shared[] char *cells;          /* charges */
} offers[THREADS];

/* A thread's own bodies */
struct bodies {
    long count;
    shared[] struct point *points;
    shared[] struct label *labels;
};

static struct request request;
static char message[FMM_MESSAGE_BYTES];

static void fail(const char *what)
{
    fprintf(stderr, "fmm: thread %d: %s\n", MYTHREAD, what);
    upc_global_exit(1);
}

/* Local shared memory, freed by upc_free */
static shared void *take(size_t bytes)
{
    shared void *memory = upc_alloc(bytes > 0 ? bytes : 1);
    if (memory == NULL)
        fail("there is not enough shared memory; more of it: upcrun -shared-heap, or fewer bodies");
    return memory;
}

static void *take_private(size_t bytes)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);
    if (memory == NULL)
        fail("there is not enough memory for what other threads have");
    return memory;
}

static void get(void *to, shared const void *from, size_t bytes)
{
    if (bytes > 0)
        upc_memget(to, from, bytes);
}

/*
 * Adds up `count` numbers over all threads, and leaves the sums on all of them: each thread adds up a share of the
 * numbers, and gets the sums of the other shares.
 */
static void sum(double *values, long count)
{
    long from = count * MYTHREAD / THREADS, to = count * (MYTHREAD + 1) / THREADS;
    double *others = take_private((size_t)(to - from) * sizeof *others);
    offers[MYTHREAD].numbers = take((size_t)count * sizeof *values);
    double *mine = (double *)offers[MYTHREAD].numbers;
    memcpy(mine, values, (size_t)count * sizeof *values);
    upc_barrier;
    for (int step = 1; step < THREADS; step++) {
        get(others, offers[(MYTHREAD + step) % THREADS].numbers + from, (size_t)(to - from) * sizeof *others);
        for (long i = from; i < to; i++)
            mine[i] += others[i - from]; /* nobody else reads this share before the barrier */
    }
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        from = count * t / THREADS;
        to = count * (t + 1) / THREADS;
        get(values + from, offers[t].numbers + from, (size_t)(to - from) * sizeof *values);
    }
    upc_barrier;
    upc_free(offers[MYTHREAD].numbers);
    free(others);
}

/* The bodies that a thread begins with: an equal share, by number */
static struct bodies first_bodies(void)
{
    long first = request.n * MYTHREAD / THREADS, last = request.n * (MYTHREAD + 1) / THREADS;
    struct bodies b = {last - first, take((size_t)(last - first) * sizeof(struct point)),
                       take((size_t)(last - first) * sizeof(struct label))};
    struct point *points = (struct point *)b.points;
    struct label *labels = (struct label *)b.labels;
    for (long i = 0; i < b.count; i++) {
        request_body(&request, first + i, points[i].place, &points[i].charge);
        labels[i].id = first + i;
        labels[i].weight = 1;
    }
    return b;
}

static int by_key(const void *a, const void *b)
{
    const struct label *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* Sorts a thread's bodies by key. */
static void order(struct bodies *b, const struct fmm_tree *tree)
{
    struct point *points = (struct point *)b->points;
    struct label *labels = (struct label *)b->labels;
    bool ordered = true;
    for (long i = 0; i < b->count; i++) {
        labels[i].key = fmm_tree_key(tree, points[i].place);
        ordered &= i == 0 || by_key(&labels[i - 1], &labels[i]) < 0;
    }
    if (ordered)
        return;
    struct {
        struct label label;
        struct point point;
    } *both = take_private((size_t)b->count * sizeof *both);
    for (long i = 0; i < b->count; i++) {
        both[i].label = labels[i];
        both[i].point = points[i];
    }
    qsort(both, (size_t)b->count, sizeof *both, by_key); /* the label comes first */
    for (long i = 0; i < b->count; i++) {
        labels[i] = both[i].label;
        points[i] = both[i].point;
    }
    free(both);
}

/* Makes an empty tree around all bodies; sorts the thread's own by key. */
static struct fmm_tree *new_tree(struct bodies *b)
{
    double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    const struct point *points = (const struct point *)b->points;
    for (int d = 0; d < 3 && request.n > 0; d++) {
        double least = HUGE_VAL, most = -HUGE_VAL;
        for (long i = 0; i < b->count; i++) {
            least = points[i].place[d] < least ? points[i].place[d] : least;
            most = points[i].place[d] > most ? points[i].place[d] : most;
        }
        low[d] = -app_max(-least);
        high[d] = app_max(most);
    }
    struct fmm_tree *tree = fmm_tree_new(low, high, request.n, request.options.leaf, message);
    if (tree == NULL)
        fail(message);
    order(b, tree);
    return tree;
}

/* The first of the thread's bodies with this key or a later one */
static long first_with(const struct bodies *b, uint64_t key)
{
    const struct label *labels = (const struct label *)b->labels;
    long begin = 0, end = b->count;
    while (begin < end) {
        long middle = begin + (end - begin) / 2;
        if (labels[middle].key < key)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

/* The cell that a cut goes through, while it descends from the root to a leaf */
struct descent {
    uint64_t key;
    int level;
    double count, weight, before; /* number of bodies, their weight, and the weight of all with smaller keys */
};
enum { CHILDREN = 16 }; /* counts of the 8 children, and their weights */

static bool at_leaf(const struct descent *d)
{
    return d->count <= request.options.leaf || d->level == FMM_DEEPEST;
}

/* This thread's contribution to the children of a cell; sums[i] is the weight of its bodies before i */
static void look_into(const struct descent *d, const struct bodies *b, const double *sums, double *children)
{
    uint64_t step = fmm_key_step(d->level + 1);
    long from = first_with(b, d->key);
    for (unsigned k = 0; k < 8; k++) {
        long to = first_with(b, d->key + (k + 1) * step);
        children[k] = (double)(to - from);
        children[8 + k] = sums[to] - sums[from];
        from = to;
    }
}

/* Goes to the child in which `weight` is reached, or to the last child with bodies. */
static void go_down(struct descent *d, const double *children, double weight)
{
    struct descent next = *d;
    double before = d->before;
    for (unsigned k = 0; k < 8; k++) {
        if (children[k] == 0)
            continue;
        next = (struct descent){d->key + k * fmm_key_step(d->level + 1), d->level + 1, children[k], children[8 + k],
                                before};
        before += children[8 + k];
        if (before > weight)
            break;
    }
    *d = next;
}

/* Cuts the curve between leaves into pieces of equal weight: a leaf belongs to the piece in which its middle is. */
static void find_cuts(const struct bodies *b, uint64_t *cuts)
{
    double *sums = take_private((size_t)(b->count + 1) * sizeof *sums);
    const struct label *labels = (const struct label *)b->labels;
    sums[0] = 0;
    for (long i = 0; i < b->count; i++)
        sums[i + 1] = sums[i] + labels[i].weight;
    double all = sums[b->count], children[CHILDREN * THREADS];
    sum(&all, 1);
    struct descent descents[THREADS];
    bool any = THREADS > 1;
    for (int t = 0; t < THREADS; t++)
        descents[t] = (struct descent){0, 0, (double)request.n, all, 0};
    while (any) {
        any = false;
        memset(children, 0, sizeof children);
        for (int t = 1; t < THREADS; t++) {
            if (!at_leaf(&descents[t]))
                look_into(&descents[t], b, sums, children + CHILDREN * t);
        }
        sum(children, CHILDREN * THREADS);
        for (int t = 1; t < THREADS; t++) {
            if (!at_leaf(&descents[t]))
                go_down(&descents[t], children + CHILDREN * t, all * t / THREADS);
            any |= !at_leaf(&descents[t]);
        }
    }
    cuts[0] = 0;
    cuts[THREADS] = FMM_KEYS;
    for (int t = 1; t < THREADS; t++) {
        bool is_after = descents[t].before + descents[t].weight / 2 < all * t / THREADS;
        cuts[t] = descents[t].key + (is_after ? fmm_key_step(descents[t].level) : 0);
    }
    free(sums);
}

/* Brings each thread the bodies of its leaves, ordered. */
static void distribute(struct bodies *b, const uint64_t *keys)
{
    long begins[THREADS], ends[THREADS], count = 0;
    shared[] long *cuts = take((THREADS + 1) * sizeof *cuts);
    for (int t = 0; t <= THREADS; t++)
        cuts[t] = first_with(b, keys[t]);
    struct offer offer = {b->points, b->labels, cuts, NULL, NULL, NULL};
    offers[MYTHREAD] = offer;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        shared[] long *theirs = offers[t].cuts;
        begins[t] = theirs[MYTHREAD];
        ends[t] = theirs[MYTHREAD + 1];
        count += ends[t] - begins[t];
    }
    struct bodies now = {count, take((size_t)count * sizeof(struct point)), take((size_t)count * sizeof(struct label))};
    struct point *points = take_private((size_t)count * sizeof *points);
    struct label *labels = take_private((size_t)count * sizeof *labels);
    long at = 0;
    for (int t = 0; t < THREADS; t++) {
        size_t some = (size_t)(ends[t] - begins[t]);
        get(points + at, offers[t].points + begins[t], some * sizeof *points);
        get(labels + at, offers[t].labels + begins[t], some * sizeof *labels);
        ends[t] = at + (long)some; /* from now on, the index among the received bodies */
        begins[t] = at;
        at += (long)some;
    }
    struct point *to = (struct point *)now.points;
    struct label *to_labels = (struct label *)now.labels;
    for (long i = 0; i < count; i++) {
        int least = -1;
        for (int t = 0; t < THREADS; t++) {
            if (begins[t] < ends[t] && (least < 0 || by_key(&labels[begins[t]], &labels[begins[least]]) < 0))
                least = t;
        }
        to_labels[i] = labels[begins[least]];
        to[i] = points[begins[least]++];
    }
    free(points);
    free(labels);
    upc_barrier; /* all threads have copied what was offered */
    upc_free(b->points);
    upc_free(b->labels);
    upc_free(cuts);
    *b = now;
    offers[MYTHREAD].points = now.points;
    upc_barrier;
}

/* Makes the thread's essential tree from what others offer of their cells. */
static void grow_tree(struct fmm_tree *tree, const struct bodies *b, const uint64_t *cuts, const long *first_body)
{
    uint64_t *keys = take_private((size_t)b->count * sizeof *keys);
    const struct label *labels = (const struct label *)b->labels;
    for (long i = 0; i < b->count; i++)
        keys[i] = labels[i].key;
    if (fmm_tree_plant(tree, THREADS, cuts, first_body, MYTHREAD, keys, message) != 0)
        fail(message);
    free(keys);
    const struct fmm_offer *own;
    size_t bytes = (size_t)fmm_tree_offers(tree, &own) * sizeof *own;
    offers[MYTHREAD].tree = take(bytes);
    if (bytes > 0)
        memcpy((void *)offers[MYTHREAD].tree, own, bytes);
    upc_barrier;
    const struct fmm_run *runs;
    long count_runs;
    for (long count; (count = fmm_tree_wanted(tree, &runs, &count_runs)) >= 0;) {
        struct fmm_offer *theirs = take_private((size_t)count * sizeof *theirs);
        for (long r = 0; r < count_runs; r++)
            get(theirs + runs[r].at, offers[runs[r].owner].tree + runs[r].there,
                (size_t)runs[r].count * sizeof *theirs);
        if (fmm_tree_take(tree, theirs, message) != 0)
            fail(message);
        free(theirs);
    }
}

/* The thread's share of the problem, with its own bodies and those that it needs of others */
static struct fmm_problem *make_part(struct fmm_tree *tree, const struct bodies *b, long first)
{
    struct fmm_problem *problem = fmm_part_new(&request.options, tree, message);
    if (problem == NULL)
        fail(message);
    const struct point *points = (const struct point *)b->points;
    for (long i = 0; i < b->count; i++)
        fmm_part_set_body(problem, first + i, points[i].place, points[i].charge);
    const struct fmm_run *runs;
    long count = fmm_part_runs(problem, FMM_NEEDED_BODIES, &runs);
    for (long r = 0; r < count; r++) {
        struct point *theirs = take_private((size_t)runs[r].count * sizeof *theirs);
        get(theirs, offers[runs[r].owner].points + runs[r].there, (size_t)runs[r].count * sizeof *theirs);
        for (long i = 0; i < runs[r].count; i++)
            fmm_part_set_body(problem, runs[r].at + i, theirs[i].place, theirs[i].charge);
        free(theirs);
    }
    return problem;
}

static void offer_cells(const struct fmm_problem *problem)
{
    char *room = (char *)offers[MYTHREAD].cells;
    long each = fmm_part_cell_bytes(problem);
    const struct fmm_run *runs;
    long count = fmm_part_runs(problem, FMM_OFFERED_CELLS, &runs);
    for (long r = 0; r < count; r++)
        memcpy(room + runs[r].there * each, fmm_part_charges(problem, runs[r].at), (size_t)(runs[r].count * each));
}

static void add_cells(struct fmm_problem *problem)
{
    long each = fmm_part_cell_bytes(problem), most = 0;
    const struct fmm_run *runs;
    long count = fmm_part_runs(problem, FMM_NEEDED_CELLS, &runs);
    for (long r = 0; r < count; r++)
        most = runs[r].count > most ? runs[r].count : most;
    char *came = take_private((size_t)(most * each));
    for (long r = 0; r < count; r++) {
        get(came, offers[runs[r].owner].cells + runs[r].there * each, (size_t)(runs[r].count * each));
        fmm_part_add(problem, &runs[r], came);
    }
    free(came);
}

/* Evaluates the potentials, with the near field while charges of cells are in flight. Returns the seconds that the
 * thread worked */
static double evaluate(struct fmm_problem *problem)
{
    double begin = app_seconds(), waited;
    fmm_part_begin(problem);
    fmm_part_run(problem, FMM_UP);
    offer_cells(problem);
    upc_notify;
    fmm_part_run(problem, FMM_U);
    waited = -app_seconds();
    upc_wait;
    waited += app_seconds();
    add_cells(problem);
    fmm_part_run(problem, FMM_TRANSFORM);
    fmm_part_run(problem, FMM_V);
    fmm_part_run(problem, FMM_DOWN);
    fmm_part_run(problem, FMM_LEAF);
    return app_seconds() - begin - waited;
}

/* Sets the weight of each body: its part of the time measured in its leaf, plus an equal share of the remaining time */
static void weigh(const struct fmm_problem *problem, struct bodies *b, double worked)
{
    struct label *labels = (struct label *)b->labels;
    long leaves = fmm_part_leaves(problem), i = 0;
    double at_leaves = 0;
    for (long leaf = 0; leaf < leaves; leaf++)
        at_leaves += fmm_part_leaf(problem, leaf).seconds;
    for (long leaf = 0; leaf < leaves; leaf++) {
        struct fmm_leaf this = fmm_part_leaf(problem, leaf);
        for (long end = i + this.count; i < end; i++)
            labels[i].weight = this.seconds / (double)this.count + (worked - at_leaves) / (double)b->count;
    }
}

/* Relative errors of a sample, compared with direct sums, to which each thread contributes the action of its own
 * bodies */
static void find_errors(const struct bodies *b, const double (*results)[4], double errors[2])
{
    enum { EACH = 8 }; /* potential and gradient: computed, and exact */
    static double all[EACH * REQUEST_SAMPLE];
    long samples = request.n < REQUEST_SAMPLE ? request.n : REQUEST_SAMPLE, which[REQUEST_SAMPLE];
    double potentials[REQUEST_SAMPLE], gradients[3 * REQUEST_SAMPLE];
    double *places = take_private((size_t)(b->count + samples) * 3 * sizeof *places);
    double *charges = take_private((size_t)(b->count + samples) * sizeof *charges);
    const struct point *points = (const struct point *)b->points;
    const struct label *labels = (const struct label *)b->labels;
    struct fmm_options in_double = request.options;
    in_double.precision = FMM_DOUBLE;
    memset(all, 0, sizeof all);
    for (long i = 0; i < b->count; i++) {
        memcpy(places + 3 * i, points[i].place, sizeof points[i].place);
        charges[i] = points[i].charge;
        long step = request.n / samples, sample = labels[i].id / step;
        if (labels[i].id % step == 0 && sample < samples)
            memcpy(all + EACH * sample, results[i], sizeof results[i]);
    }
    for (long s = 0; s < samples; s++) { /* targets have no charge, so they do not act themselves */
        which[s] = b->count + s;
        request_body(&request, s * (request.n / samples), places + 3 * which[s], &charges[which[s]]);
        charges[which[s]] = 0;
    }
    if (fmm_direct(&in_double, b->count + samples, places, charges, samples, which, potentials, gradients,
                   message) != 0)
        fail(message);
    for (long s = 0; s < samples; s++) {
        all[EACH * s + 4] = potentials[s];
        memcpy(all + EACH * s + 5, gradients + 3 * s, 3 * sizeof *gradients);
    }
    sum(all, EACH * samples);
    double square[2] = {0, 0}, norm[2] = {0, 0};
    for (long i = 0; i < EACH * samples; i++) {
        long part = i % EACH;
        if (part >= 4)
            continue;
        square[part > 0] += (all[i] - all[i + 4]) * (all[i] - all[i + 4]);
        norm[part > 0] += all[i + 4] * all[i + 4];
    }
    for (int k = 0; k < 2; k++)
        errors[k] = sqrt(norm[k] > 0 ? square[k] / norm[k] : square[k]);
    free(places);
    free(charges);
}

/* Processor time of this thread since it began */
static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Statistics of a step, over all threads */
struct step {
    double seconds, balance; /* of the evaluation; the most work of a thread over the mean */
    double processor;        /* processor seconds of all threads in the evaluation */
    double cells, all_cells; /* the most cells that a thread holds, and all cells that hold bodies */
};

/* Computes the index of each thread's first body among all bodies */
static void count_bodies(const struct bodies *b, long *first_body)
{
    double counts[THREADS];
    memset(counts, 0, sizeof counts);
    counts[MYTHREAD] = (double)b->count;
    sum(counts, THREADS);
    first_body[0] = 0;
    for (int t = 0; t < THREADS; t++)
        first_body[t + 1] = first_body[t] + (long)counts[t];
}

/* Performs one step, from the bodies' present distribution. `before` is the last step's problem, or NULL. */
static struct step take_step(struct bodies *b, struct fmm_problem **before, double (**results)[4])
{
    uint64_t cuts[THREADS + 1];
    long first_body[THREADS + 1];
    struct fmm_tree *tree = new_tree(b);
    find_cuts(b, cuts);
    distribute(b, cuts);
    count_bodies(b, first_body);
    grow_tree(tree, b, cuts, first_body);
    const struct fmm_offer *own;
    long cells = fmm_tree_offers(tree, &own);
    struct fmm_problem *problem = make_part(tree, b, first_body[MYTHREAD]);
    fmm_free(*before); /* after the new one has got its operators */
    *before = problem;
    offers[MYTHREAD].cells = take((size_t)(cells * fmm_part_cell_bytes(problem)));
    upc_barrier;
    upc_free(offers[MYTHREAD].tree);
    struct step s;
    double begin = app_seconds(), processor = processor_seconds(), worked = evaluate(problem);
    processor = processor_seconds() - processor;
    upc_barrier;
    s.seconds = app_max(app_seconds() - begin);
    s.processor = app_sum(processor);
    double mean = app_sum(worked) / THREADS;
    s.balance = app_max(worked) / (mean > 0 ? mean : 1);
    struct fmm_profile profile;
    fmm_last_profile(problem, &profile);
    s.cells = app_max((double)profile.cells);
    s.all_cells = app_sum((double)cells);
    weigh(problem, b, worked);
    free(*results);
    *results = take_private((size_t)b->count * sizeof **results);
    for (long i = 0; i < b->count; i++)
        fmm_part_result(problem, first_body[MYTHREAD] + i, (*results)[i]);
    upc_free(offers[MYTHREAD].cells);
    return s;
}

static void check_request(void)
{
    if (request.model == REQUEST_OF_LIBRARY || request.model == REQUEST_ALL || request.has_tile || request.trace ||
        request.tune || request.study || request.counters || request.limits)
        fail("-model (but upc), -tile, -trace, -tune, -study, -counters and -limits are for the program fmm");
    if (request.n < 0)
        fail("the number of bodies is negative");
    if (fmm_check_options(&request.options, message) != 0)
        fail(message);
}

int main(int argc, char **argv)
{
    request = request_read(argc, argv, MYTHREAD == 0);
    if (MYTHREAD == 0)
        check_request();
    upc_barrier;
    struct bodies b = first_bodies();
    struct fmm_problem *problem = NULL;
    double(*results)[4] = NULL, best = 0;
    for (int i = 0; i < request.repeat; i++) {
        double begin = app_seconds(), processor = processor_seconds();
        struct step s = take_step(&b, &problem, &results);
        double all = app_max(app_seconds() - begin), all_processor = app_sum(processor_seconds() - processor);
        best = i == 0 || s.seconds < best ? s.seconds : best;
        if (MYTHREAD == 0 && request.profile)
            printf("  step %d: %.4f s, with tree and exchange %.4f s; of processors %.4f s, %.4f s; most cells of a"
                   " thread %.0f, all threads' own %.0f; most work / mean %.3f\n",
                   i, s.seconds, all, s.processor, all_processor, s.cells, s.all_cells, s.balance);
    }
    double errors[2] = {0, 0};
    if (request.check && request.n > 0)
        find_errors(&b, results, errors);
    /* Written so that NaN counts as wrong */
    bool right = errors[0] <= fmm_promised(&request.options, 0) && errors[1] <= fmm_promised(&request.options, 1);
    if (MYTHREAD == 0) {
        printf("fmm: %ld bodies, %s, upc, n %d, %.4f s, %.3f million bodies/s", request.n, request_words(&request),
               THREADS, best, best > 0 ? (double)request.n / best / 1e6 : 0);
        if (request.check)
            printf(", errors %.2g %.2g, promised %.2g %.2g: %s", errors[0], errors[1],
                   fmm_promised(&request.options, 0), fmm_promised(&request.options, 1), right ? "right" : "WRONG");
        putchar('\n');
    }
    fmm_free(problem);
    free(results);
    upc_free(b.points);
    upc_free(b.labels);
    return right ? 0 : 1;
}
