#include "plan.h"

#include "port.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_chosen(const struct uoms_bench *bench, const char *name)
{
    return uoms_matches(name, bench->name) || uoms_matches(name, bench->operation);
}

static int is_glob(const char *name)
{
    return strpbrk(name, "*?[") != NULL;
}

/* Whether -reduce_op is an operator that is not defined for the benchmark's type */
static int is_undefined(const struct uoms_options *options, const struct uoms_bench *bench)
{
    int is_bitwise = options->reduce_op >= UOMS_AND && options->reduce_op <= UOMS_XOR;
    return is_bitwise && (bench->flags & UOMS_REDUCES) && !(bench->flags & UOMS_INTEGERS);
}

/* The name in the table that is most similar to a mistyped one */
static const char *near_name(const char *name)
{
    const char *best = NULL;
    size_t best_length = 3;
    for (const struct uoms_bench *bench = uoms_benches; bench->name != NULL; bench++) {
        const char *tail = strstr(bench->name, name);
        size_t length = 0;
        while (name[length] != '\0' && name[length] == bench->name[length])
            length++;
        if (tail != NULL)
            length = strlen(name) + 1;
        if (length > best_length) {
            best_length = length;
            best = bench->name;
        }
    }
    return best;
}

/* Each name must select something that this build has. */
static int check_name(const char *name, char *message, size_t room)
{
    const struct uoms_bench *lacking = NULL;
    for (const struct uoms_bench *bench = uoms_benches; bench->name != NULL; bench++) {
        if (!is_chosen(bench, name))
            continue;
        if (bench->missing == NULL)
            return 0;
        lacking = bench;
    }
    if (lacking != NULL) {
        snprintf(message, room, "%s cannot be run: %s", lacking->name, lacking->missing);
    } else {
        const char *near = near_name(name);
        snprintf(message, room, "there is no benchmark '%s'%s%s%s; -list shows all", name,
                 near != NULL ? "; is it " : "", near != NULL ? near : "", near != NULL ? "?" : "");
    }
    return 1;
}

/* Fills a plan that has room for all benchmarks. */
static int choose(const struct uoms_options *options, size_t total, struct uoms_plan *plan, char *message, size_t room)
{
    for (size_t i = 0; i < options->name_count; i++) {
        if (check_name(options->names[i], message, room))
            return 1;
    }
    for (size_t b = 0; b < total; b++) {
        const struct uoms_bench *bench = &uoms_benches[b];
        int chosen = options->name_count == 0;
        int named = 0;
        for (size_t i = 0; i < options->name_count; i++) {
            int matches = is_chosen(bench, options->names[i]);
            chosen = chosen || matches;
            named = named || (matches && !is_glob(options->names[i]));
        }
        if (!chosen || bench->missing != NULL)
            continue;
        if (!is_undefined(options, bench)) {
            plan->benches[plan->bench_count++] = bench;
        } else if (named) {
            snprintf(message, room, "%s: %s is not defined for its type", bench->name,
                     uoms_operator_name(options->reduce_op));
            return 1;
        }
    }
    if (plan->bench_count > 0)
        return 0;
    snprintf(message, room, "nothing to run; -list shows all benchmarks");
    return 1;
}

int uoms_plan_make(const struct uoms_options *options, struct uoms_plan *plan_p, char *message, size_t room)
{
    size_t total = 0;
    while (uoms_benches[total].name != NULL)
        total++;
    plan_p->bench_count = 0;
    plan_p->benches = malloc((total + 1) * sizeof *plan_p->benches);
    if (plan_p->benches == NULL) {
        snprintf(message, room, "no memory for the list of benchmarks");
        return 1;
    }
    if (choose(options, total, plan_p, message, room) == 0)
        return 0;
    free(plan_p->benches);
    return 1;
}

size_t uoms_plan_sizes(const struct uoms_options *options, const struct uoms_bench *bench, size_t *sizes)
{
    size_t count = 0;
    if (!(bench->flags & UOMS_SIZED)) {
        sizes[0] = 0;
        return 1;
    }
    for (size_t i = 0; i < options->size_count; i++) {
        if (options->sizes[i] % bench->unit == 0)
            sizes[count++] = options->sizes[i];
    }
    return count;
}

long uoms_plan_batch(const struct uoms_options *options, const struct uoms_bench *bench, size_t bytes, int threads,
                     int is_near)
{
    /* A reading of the clock takes some 20 ns, a call that touches little 0.3 ns to 100 ns, a meeting of threads 100 ns
     * or more, a message to another machine 1 us or more.  All copies of a sample take 100 us at 10 GB/s. */
    enum { MOST_CALLS = 4096, FEW_CALLS = 64, BYTES_IN_ALL = 1 << 20 };
    if (options->cache != UOMS_HOT || options->skew_ns > 0)
        return 1;
    if (!(bench->flags & UOMS_BATCHED) && threads > 1)
        return 1;
    size_t most = (bench->flags & UOMS_FEW_CALLS) || !is_near ? FEW_CALLS : MOST_CALLS;
    if (options->batch > 0 && most > options->batch)
        most = options->batch;
    size_t count = bytes > 0 ? BYTES_IN_ALL / bytes : most;
    return (long)(count > most ? most : count > 0 ? count : 1);
}

size_t uoms_plan_bytes(const struct uoms_bench *bench, size_t bytes, int threads)
{
    return bench->shared_bytes == NULL ? 0 : bench->shared_bytes(bytes, threads);
}

/* The benchmark of the plan that needs most memory at a size, among those that have it */
static const struct uoms_bench *largest_bench(const struct uoms_options *options, const struct uoms_plan *plan,
                                              size_t limit, int threads, size_t *bytes_p, size_t *size_p)
{
    static size_t sizes[UOMS_MOST_SIZES];
    const struct uoms_bench *largest = NULL;
    *bytes_p = *size_p = 0;
    for (size_t b = 0; b < plan->bench_count; b++) {
        size_t count = uoms_plan_sizes(options, plan->benches[b], sizes);
        for (size_t i = 0; i < count; i++) {
            size_t bytes = uoms_plan_bytes(plan->benches[b], sizes[i], threads);
            if (sizes[i] > limit || bytes <= *bytes_p)
                continue;
            *bytes_p = bytes;
            *size_p = sizes[i];
            largest = plan->benches[b];
        }
    }
    return largest;
}

static int fits(size_t bytes, int threads_on_node, double available_bytes)
{
    /* A tenth is left to other programs. */
    if (bytes == SIZE_MAX || (double)bytes * threads_on_node > 0.9 * available_bytes)
        return 0;
    return bytes == 0 || port_can_allocate(bytes);
}

int uoms_plan_fits(const struct uoms_options *options, const struct uoms_plan *plan, int threads, int threads_on_node,
                   double available_bytes, char *message, size_t room)
{
    const double mega = 1048576.0;
    size_t needed, asked, smaller_bytes, unused;
    size_t smaller;
    const struct uoms_bench *bench = largest_bench(options, plan, (size_t)-1, threads, &needed, &asked);

    if (bench == NULL || fits(needed, threads_on_node, available_bytes))
        return 0;
    for (smaller = asked / 2; smaller > 0; smaller /= 2) {
        const struct uoms_bench *left = largest_bench(options, plan, smaller, threads, &smaller_bytes, &unused);
        if (left == NULL)
            smaller = 0;
        if (left == NULL || fits(smaller_bytes, threads_on_node, available_bytes))
            break;
    }
    char takes[40] = "more than can be addressed", available[60] = "";
    if (needed != SIZE_MAX) {
        snprintf(takes, sizeof takes, "%.0f MiB", (double)needed / mega);
        if (isfinite(available_bytes))
            snprintf(available, sizeof available, ", and %.0f MiB are available to all", available_bytes / mega);
        else
            snprintf(available, sizeof available, ", which the system does not grant");
    }
    int used = snprintf(message, room, "%s with %zu bytes takes %s on each of %d threads%s; ", bench->name, asked,
                        takes, threads, available);
    if (used < 0 || (size_t)used >= room)
        return 1;
    if (smaller > 0)
        snprintf(message + used, room - (size_t)used, "-maxsize %zu would fit", smaller);
    else
        snprintf(message + used, room - (size_t)used, "%s",
                 needed == SIZE_MAX ? "choose smaller sizes" : "run fewer threads");
    return 1;
}
