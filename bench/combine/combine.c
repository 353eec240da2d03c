/*
 * combine.c: the ways of vector reductions among processes with private memory, like those of MPI.
 *
 *     combine OPERATION MEMBERS BYTES[,BYTES...] [in-place] [rewritten] [WAY[@PIECE]...]
 *
 * Sums of doubles.  The ways run in turn, round by round; a sample is the time of the slowest process for one call,
 * after a barrier. "rewritten": each process writes its source before each call.
 */
#include "base/options.h"
#include "base/parse.h"
#include "coll/plan.h"
#include "coll/run.h"
#include "platform/clock.h"
#include "platform/copy.h"
#include "sync/wait.h"
#include "transport/kernel.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MEMBERS_MAX = 64, ROUNDS = 9, CALLS = 24, WAYS_MAX = 32, SIZES_MAX = 32, STAGE_BYTES = 64 << 20 };

struct bench {
    enum bn_operation operation;
    int members;
    uint64_t sizes[SIZES_MAX];
    int size_count;
    bool is_in_place, is_rewritten;
    unsigned char *stages;
    size_t piece_bytes;                        /* 0: built-in */
    double (*us)[ROUNDS * CALLS][MEMBERS_MAX]; /* by way */
};

static struct bench bench;

static void add(const void *left, void *right, size_t count, const struct bn_vector *vector)
{
    const double *restrict from = left;
    double *restrict to = right;
    (void)vector;
    for (size_t i = 0; i < count; i++)
        to[i] = from[i] + to[i];
}

static uint64_t alloc_stage(void *context, size_t size_bytes)
{
    const struct bn_team *team = context;
    return size_bytes > STAGE_BYTES ? 0 : (uint64_t)(bench.stages + (size_t)team->rank * STAGE_BYTES);
}

static void release_stage(void *context, uint64_t address)
{
    (void)context;
    (void)address;
}

static void use_way(struct bn_team *team, const char *way)
{
    char name[64];
    size_t length = strcspn(way, "@");
    snprintf(name, sizeof name, "%.*s", (int)length, way);
    team->plans->tuning.piece_bytes = way[length] ? strtoull(way + length + 1, NULL, 10) : bench.piece_bytes;
    bn_plans_force(team, bench.operation, name);
}

static void measure(struct bn_team *team, const char *const *ways, int way_count, size_t nbytes)
{
    size_t counts[MEMBERS_MAX];
    double *src = aligned_alloc(4096, nbytes + 4096), *dst = aligned_alloc(4096, nbytes + 4096);
    size_t count = nbytes / sizeof(double);
    for (int rank = 0; rank < team->size; rank++)
        counts[rank] = count * (size_t)(rank + 1) / (size_t)team->size - count * (size_t)rank / (size_t)team->size;
    const struct bn_vector vector = {.element_bytes = sizeof(double), .count = count, .counts = counts, .combine = add};
    memset(src, 0, nbytes);
    memset(dst, 0, nbytes);
    struct bn_call call = {.src = (uint64_t)(bench.is_in_place ? dst : src),
                           .dst = (uint64_t)dst,
                           .nbytes = nbytes,
                           .in = BN_SYNC_MY,
                           .out = BN_SYNC_MY,
                           .vector = &vector};
    for (int round = 0; round < ROUNDS; round++) {
        for (int way = 0; way < way_count; way++) {
            use_way(team, ways[way]);
            for (int i = -2; i < CALLS; i++) {
                if (bench.is_rewritten)
                    memset((void *)call.src, 0, nbytes);
                bn_team_barrier(team);
                uint64_t begin = bn_clock_ns();
                bn_operation_run(team, bench.operation, &call);
                if (i >= 0)
                    bench.us[way][round * CALLS + i][team->rank] = (double)(bn_clock_ns() - begin) * 1e-3;
            }
        }
    }
    bn_team_barrier(team);
    free(src);
    free(dst);
}

static int by_value(const void *left, const void *right)
{
    double l = *(const double *)left, r = *(const double *)right;
    return (l > r) - (l < r);
}

static void print(const char *const *ways, int way_count, size_t nbytes)
{
    for (int way = 0; way < way_count; way++) {
        double slowest[ROUNDS * CALLS];
        for (int i = 0; i < ROUNDS * CALLS; i++) {
            slowest[i] = 0;
            for (int rank = 0; rank < bench.members; rank++)
                slowest[i] = bench.us[way][i][rank] > slowest[i] ? bench.us[way][i][rank] : slowest[i];
        }
        qsort(slowest, ROUNDS * CALLS, sizeof slowest[0], by_value);
        printf("%-16s %2d %9zu  %-26s min %9.2f median %9.2f us\n", bn_operation_name(bench.operation), bench.members,
               nbytes, ways[way], slowest[0], slowest[ROUNDS * CALLS / 2]);
    }
    fflush(stdout);
}

/* Whether a name, which may end in @PIECE, asks for an entry. */
static bool is_way(const struct bn_entry *entry, const char *name)
{
    size_t length = strcspn(name, "@");
    return strncmp(entry->name, name, length) == 0 && entry->name[length] == '\0';
}

static bool can_go(const struct bn_entry *entry, const struct bn_team *team, size_t nbytes)
{
    size_t limit = bn_entry_limit(entry, team);
    return bn_entry_is_there(entry, team) && (limit == 0 || nbytes <= limit);
}

/* Finds the requested ways, or all, that can carry nbytes */
static int find_ways(const struct bn_team *team, size_t nbytes, const char *const *asked, int asked_count,
                     const char **ways)
{
    int count, way_count = 0;
    const struct bn_entry *entries = bn_registry(bench.operation, &count);
    for (int i = 0; i < count; i++) {
        if (asked_count == 0 && can_go(&entries[i], team, nbytes))
            ways[way_count++] = entries[i].name;
        for (int k = 0; k < asked_count && can_go(&entries[i], team, nbytes); k++) {
            if (is_way(&entries[i], asked[k]))
                ways[way_count++] = asked[k];
        }
    }
    return way_count;
}

static void run_sizes(struct bn_team *team, const char *const *asked, int asked_count)
{
    for (int i = 0; i < bench.size_count; i++) {
        const char *ways[WAYS_MAX];
        size_t nbytes = bench.sizes[i];
        int way_count = find_ways(team, nbytes, asked, asked_count, ways);
        measure(team, ways, way_count, nbytes);
        if (team->rank == 0)
            print(ways, way_count, nbytes);
        bn_team_barrier(team);
    }
}

static void *share(size_t size_bytes)
{
    return mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

static void run_member(int rank, void *control, void *kernel, const char *const *asked, int asked_count)
{
    static struct bn_plans plans;
    struct bn_wait_policy policy = bn_wait_policy_make(bench.members, (int)sysconf(_SC_NPROCESSORS_ONLN), BN_WAIT_AUTO);
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(rank % (int)sysconf(_SC_NPROCESSORS_ONLN), &set);
    sched_setaffinity(0, sizeof set, &set);
    struct bn_team team = bn_team_join(control, rank, bench.members, 0, (int)sysconf(_SC_NPROCESSORS_ONLN), policy);
    team.announces = true;
    team.process = bn_kernel_bits(rank);
    team.host = (struct bn_team_host){.context = &team, .alloc = alloc_stage, .release = release_stage};
    bn_plans_init(&team, &plans, NULL);
    bench.piece_bytes = plans.tuning.piece_bytes;
    bn_kernel_join(kernel, rank, bench.members);
    bn_wait_progress = bn_kernel_progress;
    bn_wait_bed = bn_kernel_bed();
    bn_team_barrier(&team);
    run_sizes(&team, asked, asked_count);
    _exit(0);
}

/* BYTES[,BYTES...], also as 8K; changes text.  Returns false if it is something else, or too much. */
static bool read_sizes(char *text)
{
    for (char *word; (word = strsep(&text, ",")) != NULL; bench.size_count++) {
        if (bench.size_count == SIZES_MAX || !bn_parse_bytes(word, 1, &bench.sizes[bench.size_count]))
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    struct bn_options options;
    int first = 4;
    while (argc > 3 && bench.operation < BN_OPERATION_COUNT && strcmp(bn_operation_name(bench.operation), argv[1]) != 0)
        bench.operation++;
    bench.members = argc > 3 ? atoi(argv[2]) : 0;
    if (bench.members < 1 || bench.members > MEMBERS_MAX || bench.operation < BN_COMBINE ||
        bench.operation > BN_COMBINE_PREFIX || !read_sizes(argv[3])) {
        fprintf(stderr,
                "usage: combine OPERATION MEMBERS BYTES[,BYTES...] [in-place] [rewritten] [WAY[@PIECE]...]\n"
                "OPERATION: combine, combine_all, combine_scatter or combine_prefix; BYTES: such as 64 or 8K\n");
        return 2;
    }
    for (; first < argc && (strcmp(argv[first], "in-place") == 0 || strcmp(argv[first], "rewritten") == 0); first++)
        *(argv[first][0] == 'i' ? &bench.is_in_place : &bench.is_rewritten) = true;
    if (bn_options_read(&options, environ) != BN_OK)
        return 1;
    bn_options_load(&options);
    void *control = share(bn_team_control_bytes(bench.members));
    void *kernel = share(bn_kernel_shared_bytes(bench.members));
    bench.stages = share((size_t)STAGE_BYTES * (size_t)bench.members);
    bench.us = share(WAYS_MAX * sizeof *bench.us);
    bn_team_control_init(control, bench.members,
                         bn_wait_policy_make(bench.members, (int)sysconf(_SC_NPROCESSORS_ONLN), BN_WAIT_AUTO));
    for (int rank = 0; rank < bench.members; rank++) {
        if (fork() == 0)
            run_member(rank, control, kernel, (const char *const *)argv + first, argc - first);
    }
    int result = 0, status;
    while (wait(&status) > 0)
        result |= status != 0;
    return result;
}
