/*
 * reach.c: collectives on private memory of processes (transport/kernel.h), every way of the registry in turn.
 *
 *     reach [-n 2,4,8] [-operation NAME] [-bytes 8,4096,...] [-way TEXT] [-rewrite] [-in-place] [-owner] [-mapped]
 *           [-rounds 15] [-machine TEXT [-cyclic]] [-chunk BYTES]
 *
 * For each operation, number of processes and size of a block, prints the median over the rounds of a call's time on
 * the slowest process; the fastest way first. -way: only ways whose names contain the text. -rewrite: each process
 * writes its source before a call and reads its destination after it, which is part of the time. -in-place: sources are
 * also destinations, if they have the same size. -owner: the system forbids process_vm_readv. -mapped: buffers are in
 * memory that all processes map, as if the program's heap were. -machine: trees and rings are also those of a machine
 * in hwloc's notation, on which consecutive ranks are neighbours or (-cyclic) as far apart as possible. -chunk: the
 * fragment size of ways that go in chunks.
 */
#include "base/options.h"
#include "coll/plan.h"
#include "coll/run.h"
#include "coll/stage.h"
#include "platform/clock.h"
#include "topology/spread.h"
#include "transport/kernel.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_PROCESSES = 64, MAX_WAYS = 64, MAX_ROUNDS = 99, MAX_SIZES = 24 };
enum { LEAST_SAMPLE_NS = 300000 };

static struct {
    int counts[8], count_count;
    size_t sizes[MAX_SIZES];
    int size_count, rounds;
    const char *operation, *way;
    bool rewrites, is_in_place, is_forbidden, is_mapped, is_cyclic;
    const char *machine;
    size_t chunk_bytes;
} wishes = {
    .counts = {2, 4, 8},
    .count_count = 3,
    .sizes = {8, 256, 1024, 4096, 16384, 65536, 262144, 1048576},
    .size_count = 8,
    .rounds = 15,
};

/* Shared by the processes */
static struct {
    double samples[MAX_WAYS][MAX_ROUNDS][MAX_PROCESSES];
    int repetitions[MAX_WAYS];
    size_t used_bytes;
    unsigned char memory[];
} *shared;
static const size_t SHARED_BYTES = (size_t)4 << 30;

static void forbid(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_writev, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        perror("seccomp");
}

static uint64_t alloc(void *context, size_t size_bytes)
{
    (void)context;
    size_t begin = __atomic_fetch_add(&shared->used_bytes, (size_bytes + 4095) & ~(size_t)4095, __ATOMIC_RELAXED);
    return begin + size_bytes <= SHARED_BYTES - sizeof *shared ? (uint64_t)(shared->memory + begin) : 0;
}

static void release(void *context, uint64_t address)
{
    (void)context;
    (void)address;
}

static const struct bn_hierarchy *find_hierarchy(void *context)
{
    struct bn_spread spread = {.node_count = 1, .order = wishes.is_cyclic ? BN_SPREAD_CYCLIC : BN_SPREAD_BLOCK};
    struct bn_machine *machine;
    struct bn_hierarchy *hierarchy;
    if (bn_machine_read(wishes.machine, NULL, false, &machine) != BN_OK ||
        bn_spread_hierarchy(machine, &spread, *(int *)context, &hierarchy) != BN_OK)
        _exit(1);
    return hierarchy;
}

/* Calls with buffers that are large enough for all operations */
struct work {
    struct bn_team *team;
    enum bn_operation operation;
    struct bn_call call;
    size_t src_bytes, dst_bytes;
    struct bn_block_table parts;
};

static void sum(const void *left, void *right, size_t count, const struct bn_vector *vector)
{
    const double *add = left;
    double *to = right;
    (void)vector;
    for (size_t i = 0; i < count; i++)
        to[i] = add[i] + to[i];
}

static unsigned char *memory_of(size_t size_bytes)
{
    size_t page_bytes = (size_bytes + 8191) & ~(size_t)4095;
    unsigned char *memory =
        wishes.is_mapped ? (unsigned char *)alloc(NULL, page_bytes) : aligned_alloc(4096, page_bytes);
    memset(memory, 1, size_bytes);
    return memory;
}

static void prepare(struct work *work, size_t nbytes)
{
    static struct bn_vector vector;
    size_t n = (size_t)work->team->size;
    size_t *tables = calloc(2 * n, sizeof *tables);
    enum bn_operation operation = work->operation;
    bool is_array = operation == BN_SCATTER || operation == BN_EXCHANGE || operation >= BN_SCATTER_V;
    work->src_bytes = is_array ? n * nbytes : nbytes;
    work->dst_bytes = n * nbytes;
    if (operation == BN_BROADCAST || operation == BN_SCATTER || operation == BN_PERMUTE || operation > BN_EXCHANGE_V)
        work->dst_bytes = nbytes;
    for (size_t i = 0; i < n; i++) {
        tables[i] = nbytes;
        tables[n + i] = i * nbytes;
    }
    work->parts = (struct bn_block_table){tables, tables + n};
    bool has_src_parts = operation == BN_SCATTER_V || operation == BN_EXCHANGE_V;
    bool has_dst_parts = operation == BN_GATHER_V || operation == BN_GATHER_ALL_V || operation == BN_EXCHANGE_V;
    size_t *counts = calloc(n, sizeof *counts);
    for (size_t i = 0; i < n; i++)
        counts[i] = nbytes / sizeof(double) / n + (i < nbytes / sizeof(double) % n);
    vector = (struct bn_vector){.element_bytes = sizeof(double), .count = nbytes / sizeof(double), .combine = sum};
    vector.counts = counts;
    uint64_t src = (uint64_t)memory_of(work->src_bytes);
    bool is_in_place = wishes.is_in_place && work->src_bytes == work->dst_bytes;
    work->call = (struct bn_call){
        .src = src,
        .dst = is_in_place ? src : (uint64_t)memory_of(work->dst_bytes),
        .nbytes = operation >= BN_SCATTER_V && operation <= BN_EXCHANGE_V ? 1 : nbytes,
        .in = BN_SYNC_MY,
        .out = BN_SYNC_MY,
        .src_parts = has_src_parts ? &work->parts : NULL,
        .dst_parts = has_dst_parts ? &work->parts : NULL,
        .own_bytes = nbytes,
        .vector = &vector,
    };
}

static void finish(struct work *work)
{
    if (!wishes.is_mapped) {
        free((void *)work->call.src);
        if (work->call.dst != work->call.src)
            free((void *)work->call.dst);
    }
    free((void *)work->parts.bytes);
    free((void *)work->call.vector->counts);
}

static void call_once(struct work *work)
{
    if (wishes.rewrites)
        memset((void *)work->call.src, 2, work->src_bytes);
    bn_operation_run(work->team, work->operation, &work->call);
    if (wishes.rewrites) {
        const unsigned char *dst = (const unsigned char *)work->call.dst;
        for (size_t i = 0; i < work->dst_bytes; i += 64)
            (void)*(const volatile unsigned char *)&dst[i];
    }
}

static double time_of(struct work *work, int repetitions)
{
    bn_team_barrier(work->team);
    uint64_t begin = bn_clock_ns();
    for (int i = 0; i < repetitions; i++)
        call_once(work);
    return (double)(bn_clock_ns() - begin) / repetitions;
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

static double median_of(int way, int member_count)
{
    double slowest[MAX_ROUNDS];
    for (int round = 0; round < wishes.rounds; round++) {
        slowest[round] = 0;
        for (int rank = 0; rank < member_count; rank++) {
            double sample = shared->samples[way][round][rank];
            slowest[round] = sample > slowest[round] ? sample : slowest[round];
        }
    }
    qsort(slowest, (size_t)wishes.rounds, sizeof slowest[0], compare);
    return slowest[wishes.rounds / 2];
}

/* The ways of an operation that carry blocks of this size */
static int ways_of(struct work *work, size_t nbytes, const struct bn_entry **ways)
{
    int count, found = 0;
    const struct bn_entry *entries = bn_registry(work->operation, &count);
    for (int i = 0; i < count && found < MAX_WAYS; i++) {
        size_t limit = bn_entry_limit(&entries[i], work->team);
        bool needs_machine = entries[i].shape != NULL && !wishes.machine;
        if (!needs_machine && bn_entry_is_there(&entries[i], work->team) && (limit == 0 || nbytes <= limit) &&
            (!wishes.way || strstr(entries[i].name, wishes.way)))
            ways[found++] = &entries[i];
    }
    return found;
}

static void show(const struct work *work, size_t nbytes, const struct bn_entry **ways, int count)
{
    double times[MAX_WAYS];
    printf("%-14s n=%d %8zu ", bn_operation_name(work->operation), work->team->size, nbytes);
    for (int way = 0; way < count; way++)
        times[way] = median_of(way, work->team->size);
    for (int shown = 0; shown < count; shown++) {
        int best = -1;
        for (int way = 0; way < count; way++)
            best = times[way] > 0 && (best < 0 || times[way] < times[best]) ? way : best;
        printf("  %s %.2f", ways[best]->name, times[best] / 1e3);
        times[best] = 0;
    }
    printf("\n");
    fflush(stdout);
}

static void contest(struct bn_team *team, enum bn_operation operation, size_t nbytes)
{
    struct work work = {.team = team, .operation = operation};
    const struct bn_entry *ways[MAX_WAYS];
    prepare(&work, nbytes);
    int count = ways_of(&work, nbytes, ways);
    for (int round = -1; round < wishes.rounds; round++) {
        for (int way = 0; way < count; way++) {
            bn_plans_force(team, operation, ways[way]->name);
            if (round < 0) {
                double first = (time_of(&work, 1), time_of(&work, 3));
                int wanted = 1 + (int)(LEAST_SAMPLE_NS / (first + 1));
                if (team->rank == 0)
                    shared->repetitions[way] = wanted;
            } else {
                shared->samples[way][round][team->rank] = time_of(&work, shared->repetitions[way]);
            }
        }
        bn_team_barrier(team);
    }
    if (team->rank == 0 && count > 0)
        show(&work, nbytes, ways, count);
    bn_team_barrier(team);
    finish(&work);
}

static bool is_wanted(int operation)
{
    if (wishes.operation)
        return strcmp(bn_operation_name((enum bn_operation)operation), wishes.operation) == 0;
    return operation != BN_PERMUTE && operation != BN_REDUCE && operation != BN_REDUCE_ALL && operation != BN_PREFIX &&
           operation != BN_BARRIER;
}

static void run_member(void *control, struct bn_member_stage *stages, int rank, int count, struct bn_wait_policy policy)
{
    static struct bn_plans plans;
    struct bn_team team = bn_team_join(control, rank, count, 0, 2, policy);
    cpu_set_t cores;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    CPU_ZERO(&cores);
    CPU_SET((size_t)rank % (size_t)sysconf(_SC_NPROCESSORS_ONLN), &cores);
    sched_setaffinity(0, sizeof cores, &cores);
    if (wishes.is_forbidden)
        forbid();
    team.host = (struct bn_team_host){.context = &team.size, .alloc = alloc, .release = release};
    if (wishes.machine)
        team.host.find_hierarchy = find_hierarchy;
    team.announces = true;
    team.stages = stages;
    team.process = wishes.is_mapped ? 0 : bn_kernel_bits(rank);
    bn_plans_init(&team, &plans, NULL);
    if (wishes.chunk_bytes > 0)
        plans.tuning.chunk_bytes = wishes.chunk_bytes;
    if (!bn_kernel_join((unsigned char *)control + ((bn_team_control_bytes(count) + 4095) & ~(size_t)4095), rank,
                        count))
        _exit(1);
    bn_wait_progress = bn_kernel_progress;
    bn_wait_bed = bn_kernel_bed();
    bn_team_barrier(&team);
    for (int operation = 0; operation < BN_OPERATION_COUNT; operation++) {
        for (int size = 0; is_wanted(operation) && size < wishes.size_count; size++)
            contest(&team, (enum bn_operation)operation, wishes.sizes[size]);
    }
    _exit(0);
}

static int run_processes(int count)
{
    struct bn_wait_policy policy = bn_wait_policy_make(count, (int)sysconf(_SC_NPROCESSORS_ONLN), BN_WAIT_AUTO);
    size_t control_bytes = (bn_team_control_bytes(count) + 4095) & ~(size_t)4095;
    struct bn_member_stage *stages = mmap(NULL, (size_t)count * sizeof *stages, PROT_READ | PROT_WRITE,
                                          MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    void *control = mmap(NULL, control_bytes + bn_kernel_shared_bytes(count), PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bn_team_control_init(control, count, policy);
    shared->used_bytes = 0;
    fflush(stdout);
    for (int rank = 0; rank < count; rank++) {
        if (fork() == 0)
            run_member(control, stages, rank, count, policy);
    }
    int failures = 0, status;
    while (wait(&status) > 0)
        failures += status != 0;
    munmap(stages, (size_t)count * sizeof *stages);
    munmap(control, control_bytes + bn_kernel_shared_bytes(count));
    return failures;
}

static int read_numbers(char *text, size_t *numbers, int limit)
{
    int count = 0;
    for (char *word = strtok(text, ","); word && count < limit; word = strtok(NULL, ","))
        numbers[count++] = strtoul(word, NULL, 10);
    return count;
}

static bool *flag_of(const char *option)
{
    static const struct {
        const char *name;
        bool *flag;
    } flags[] = {
        {"-rewrite", &wishes.rewrites}, {"-in-place", &wishes.is_in_place}, {"-mapped", &wishes.is_mapped},
        {"-cyclic", &wishes.is_cyclic}, {"-owner", &wishes.is_forbidden},
    };
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (strcmp(option, flags[i].name) == 0)
            return flags[i].flag;
    return NULL;
}

int main(int argc, char **argv)
{
    static struct bn_options options;
    static char *const no_environment[] = {NULL};
    for (int i = 1; i < argc; i++) {
        char *value = i + 1 < argc ? argv[i + 1] : "";
        size_t numbers[8];
        bool *flag = flag_of(argv[i]);
        if (flag) {
            *flag = true;
            continue;
        }
        if (strcmp(argv[i], "-n") == 0) {
            wishes.count_count = read_numbers(value, numbers, 8);
            for (int k = 0; k < wishes.count_count; k++)
                wishes.counts[k] = (int)numbers[k];
        } else if (strcmp(argv[i], "-operation") == 0) {
            wishes.operation = value;
        } else if (strcmp(argv[i], "-way") == 0) {
            wishes.way = value;
        } else if (strcmp(argv[i], "-machine") == 0) {
            wishes.machine = value;
        } else if (strcmp(argv[i], "-chunk") == 0) {
            wishes.chunk_bytes = strtoul(value, NULL, 10);
        } else if (strcmp(argv[i], "-bytes") == 0) {
            wishes.size_count = read_numbers(value, wishes.sizes, MAX_SIZES);
        } else if (strcmp(argv[i], "-rounds") == 0) {
            wishes.rounds = atoi(value) < MAX_ROUNDS ? atoi(value) : MAX_ROUNDS;
        } else {
            fprintf(stderr, "reach: %s is not an option; see the head of reach.c\n", argv[i]);
            return 2;
        }
        i++;
    }
    if (bn_options_read(&options, no_environment) != BN_OK)
        return 1;
    bn_options_load(&options);
    shared = mmap(NULL, SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    int failures = 0;
    for (int i = 0; i < wishes.count_count; i++)
        failures += run_processes(wishes.counts[i]);
    return failures != 0;
}
