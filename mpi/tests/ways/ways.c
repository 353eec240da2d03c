/*
 * ways.c: stands between mpi/front and the engine (ld --wrap).  Each call uses a way drawn from those that can carry it
 * out; the draw depends only on what all members know, so all of them draw the same way.
 *
 *     TESTED_WAYS=SEED          seed of the draws
 *     TESTED_WAYS_FILE=PREFIX   at its end each process writes PREFIX.PID: a line "operation way calls" for each way
 *                               that teams of private memory can use
 *     TESTED_WAYS_TRACE=1       print each call with its way on standard error
 */
#include "coll/plan.h"
#include "coll/run.h"
#include "platform/atomic_word.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_WAYS = 64, TREES_IN_SMALL = 2 };

bn_status_t __real_bn_operation_run(struct bn_team *team, enum bn_operation operation, const struct bn_call *call);
bn_status_t __wrap_bn_operation_run(struct bn_team *team, enum bn_operation operation, const struct bn_call *call);
void __real_bn_plans_init(struct bn_team *team, struct bn_plans *plans, const struct bn_table *table);
void __wrap_bn_plans_init(struct bn_team *team, struct bn_plans *plans, const struct bn_table *table);

static struct {
    uint64_t seed;
    bool is_traced;
    uint32_t calls[BN_OPERATION_COUNT][MOST_WAYS];
} ways;

__attribute__((constructor)) static void begin(void)
{
    const char *seed = getenv("TESTED_WAYS"), *trace = getenv("TESTED_WAYS_TRACE");
    ways.seed = seed ? strtoull(seed, NULL, 10) : 0;
    ways.is_traced = trace != NULL;
}

/* UPC's reductions and its permutation are not operations of MPI. */
static bool is_of_mpi(int operation)
{
    return operation < BN_PERMUTE || operation >= BN_BARRIER;
}

/* A process that never called the engine, such as the env command that starts the program, writes no file. */
static bool has_called(void)
{
    uint32_t all = 0;
    for (int operation = 0; operation < BN_OPERATION_COUNT; operation++) {
        for (int i = 0; i < MOST_WAYS; i++)
            all += ways.calls[operation][i];
    }
    return all > 0;
}

__attribute__((destructor)) static void write_calls(void)
{
    const char *prefix = getenv("TESTED_WAYS_FILE");
    char path[4096];
    snprintf(path, sizeof path, "%s.%ld", prefix ? prefix : "", (long)getpid());
    FILE *file = prefix && has_called() ? fopen(path, "w") : NULL;
    for (int operation = 0; file && operation < BN_OPERATION_COUNT; operation++) {
        int count;
        const struct bn_entry *entries = bn_registry((enum bn_operation)operation, &count);
        for (int i = 0; i < count; i++) {
            if (is_of_mpi(operation) && !entries[i].is_native && !entries[i].needs_mail)
                fprintf(file, "%s %s %u\n", bn_operation_name((enum bn_operation)operation), entries[i].name,
                        ways.calls[operation][i]);
        }
    }
    if (file)
        fclose(file);
}

static uint64_t mixed(uint64_t key, uint64_t value)
{
    uint64_t x = (key ^ value) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
    return x ^ (x >> 32);
}

static bool can_carry(const struct bn_team *team, const struct bn_entry *entry, size_t nbytes)
{
    size_t limit_bytes = bn_entry_limit(entry, team);
    return bn_entry_is_there(entry, team) && (limit_bytes == 0 || (size_t)1 << bn_size_class(nbytes) <= limit_bytes);
}

/* Forces one of the ways that can carry a given number of bytes. */
static void draw(struct bn_team *team, enum bn_operation operation, size_t nbytes, uint64_t key)
{
    int count, able[MOST_WAYS], able_count = 0;
    const struct bn_entry *entries = bn_registry(operation, &count);
    if (count > MOST_WAYS)
        abort();
    for (int i = 0; i < count; i++) {
        if (can_carry(team, &entries[i], nbytes))
            able[able_count++] = i;
    }
    int drawn = able[mixed(key, (uint64_t)operation + 1) % (uint64_t)able_count];
    if (!bn_plans_force(team, operation, entries[drawn].name))
        abort();
    bn_word_add(&ways.calls[operation][drawn], 1);
    if (ways.is_traced)
        fprintf(stderr, "ways: %ld: rank %d of %d, call %llu: %s %s, %zu bytes\n", (long)getpid(), team->rank,
                team->size, (unsigned long long)team->call, bn_operation_name(operation), entries[drawn].name, nbytes);
}

bn_status_t __wrap_bn_operation_run(struct bn_team *team, enum bn_operation operation, const struct bn_call *call)
{
    uint64_t key = mixed(ways.seed, team->call);
    if (key % 8 == 0)
        draw(team, BN_BARRIER, 1, key);
    key = mixed(mixed(mixed(key, (uint64_t)team->size), call->nbytes), (uint64_t)call->root);
    draw(team, operation, call->nbytes, key);
    return __real_bn_operation_run(team, operation, call);
}

/* Half of all teams, chosen by the address of their control memory, treat small messages as large and share trees. */
void __wrap_bn_plans_init(struct bn_team *team, struct bn_plans *plans, const struct bn_table *table)
{
    __real_bn_plans_init(team, plans, table);
    if (mixed(ways.seed, (uint64_t)team->lines) % 2 == 0)
        return;
    plans->tuning.chunk_bytes = 4096;
    plans->tuning.halves_from_bytes = 1024;
    plans->tuning.piece_bytes = 1024;
    plans->tuning.tree_max = TREES_IN_SMALL;
}
