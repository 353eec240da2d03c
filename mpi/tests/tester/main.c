// main.c: options, the series of cases, threads, and reports on cases that fail or hang.
#include "tester.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "combine.h"
#include "layout.h"

enum { MOST_THREADS = 8 };
#define MOST_CASES (LONG_MAX / 2)

struct options options = {.seed = 1,
                          .cases = 1000,
                          .percent_large = 2,
                          .limit_s = 120,
                          .operations = (1u << OPERATIONS) - 1,
                          .has_delays = true,
                          .has_inter = true};

const char *const operation_names[OPERATIONS] = {
    "barrier",   "bcast",     "scatter",    "scatterv",       "gather",
    "gatherv",   "allgather", "allgatherv", "alltoall",       "alltoallv",
    "alltoallw", "reduce",    "allreduce",  "reduce_scatter", "reduce_scatter_block",
    "scan",      "exscan",
};

static struct run runs[MOST_THREADS];
static int world_rank, world_size;

_Noreturn void fail(const struct trial *trial, const char *format, ...)
{
    char what[900];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    fprintf(stderr,
            "tester: case %ld, process %d of %d: %s\n  %s\n"
            "  again: -n %d tester --case %ld%s\n",
            trial->number, world_rank, world_size, what, trial->words, world_size, trial->number, options.repeated);
    fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 3);
    _exit(3);
}

void say(struct trial *trial, const char *format, ...)
{
    const size_t used = strlen(trial->words);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(trial->words + used, sizeof trial->words - used, format, arguments);
    va_end(arguments);
}

static void on_signal(int number)
{
    const char *what = number == SIGALRM ? "hangs, or was too slow" : "crashed";
    for (int i = 0; i < (options.threads ? options.threads : 1); i++) {
        char text[1500];
        const int length = snprintf(
            text, sizeof text, "tester: %s: process %d: %s\n  again: -n %d tester --case %ld%s\n", what, world_rank,
            runs[i].words ? runs[i].words : "communicators", world_size, runs[i].number, options.repeated);
        if (write(STDERR_FILENO, text, (size_t)length) < 0) {
            break;
        }
    }
    _exit(4);
}

static enum operation choose_operation(struct rng *rng)
{
    enum operation operation;
    do {
        operation = below(rng, OPERATIONS);
    } while (!(options.operations >> operation & 1));
    return operation;
}

static void one_case(struct run *run, long number)
{
    run->number = number;
    run->words = NULL;
    struct rng rng = {key_of(options.seed, (uint64_t)number, 99 + (uint64_t)run->thread)};
    const struct members *in = pool_take(run, number, (int)below(&rng, SLOTS));
    if (in->comm == MPI_COMM_NULL) {
        return;
    }
    struct trial trial = {.run = run, .in = in, .number = number, .key = key_of(in->key, (uint64_t)number, 1)};
    trial.common.state = key_of(trial.key, 2, 0);
    trial.own.state = key_of(trial.key, 3, (uint64_t)world_rank);
    trial.operation = choose_operation(&trial.common);
    const unsigned form = below(&trial.common, 100);
    trial.form = form < 85 ? BLOCKING : form < 95 || MPI_VERSION < 4 ? NONBLOCKING : PERSISTENT;
    trial.is_large_count = MPI_VERSION >= 4 && chance(&trial.common, 15);
    trial.in_place = chance(&trial.common, 25);
    trial.is_much = chance(&trial.common, (unsigned)options.percent_large);
    trial.checks_barriers = chance(&trial.common, 50);
    trial.root = (int)below(&trial.common, (unsigned)in->n);
    // Open MPI 4.1 hangs or crashes in MPI_Ialltoallw, and in place MPI_Ialltoallv is wrong.
    if (trial.operation == ALLTOALLW || (trial.operation == ALLTOALLV && trial.in_place)) {
        trial.form = BLOCKING;
    }
    run->words = trial.words;
    say(&trial, "%s: ", in->words);
    if (in->remote_n) {
        across_trial(&trial);
    } else {
        static const char *const forms[] = {"", "nonblocking ", "persistent "};
        say(&trial, "%s%s%s", forms[trial.form], operation_names[trial.operation], trial.is_large_count ? "_c" : "");
        if (trial.operation < REDUCE) {
            move_trial(&trial);
        } else {
            combine_trial(&trial);
        }
    }
    if (options.is_verbose) {
        printf("%ld %d: %s\n", number, world_rank, trial.words);
    }
    run->words = NULL;
    run->done++;
}

/* Open MPI 4.1 loads its topology component when the first topology is made, and crashes if two threads do that at
 * once. */
static void meet_topologies(void)
{
    const int size = 1, is_ring = 0;
    MPI_Comm alone;
    MPI_Cart_create(MPI_COMM_SELF, 1, &size, &is_ring, 0, &alone);
    MPI_Comm_free(&alone);
}

static void make_operations(struct run *run)
{
    MPI_Op_create(user_commutative, 1, &run->commutative);
    MPI_Op_create(user_ordered, 0, &run->ordered);
}

static void *run_cases(void *argument)
{
    struct run *run = argument;
    run->pool = -1;
    make_operations(run);
    for (long number = options.first; number < options.first + options.cases; number++) {
        alarm((unsigned)options.limit_s);
        if (number % CASES_OF_A_POOL == 0) {
            MPI_Op_free(&run->commutative);
            MPI_Op_free(&run->ordered);
            make_operations(run);
        }
        one_case(run, number);
    }
    pool_free(run);
    MPI_Op_free(&run->commutative);
    MPI_Op_free(&run->ordered);
    return NULL;
}

static _Noreturn void refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
static _Noreturn void refuse(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "tester: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\ntester: [--seed S] [--first K] [--cases N | --case K] [--threads T] [--large PERCENT]\n"
                    "        [--limit SECONDS] [--operations bcast,...] [--no-delays] [--no-inter] [--verbose]\n"
                    "Operations:");
    for (int i = 0; i < OPERATIONS; i++) {
        fprintf(stderr, " %s", operation_names[i]);
    }
    fprintf(stderr, "\n");
    va_end(arguments);
    exit(2);
}

static long number_of(const char *text, long least, long most)
{
    char *end;
    errno = 0;
    const long number = strtol(text, &end, 10);
    if (end == text || *end || errno || number < least || number > most) {
        refuse("'%s' is not a number from %ld to %ld", text, least, most);
    }
    return number;
}

static unsigned operations_of(const char *names)
{
    unsigned found = 0;
    for (const char *at = names; at; at = strchr(at, ','), at = at ? at + 1 : NULL) {
        const size_t length = strcspn(at, ",");
        int i = 0;
        while (i < OPERATIONS && (strncmp(at, operation_names[i], length) || operation_names[i][length])) {
            i++;
        }
        if (i == OPERATIONS) {
            refuse("there is no operation '%.*s'", (int)length, at);
        }
        found |= 1u << i;
    }
    return found;
}

static void read_options(int argc, char **argv)
{
    static const struct option known[] = {
        {"seed", required_argument, NULL, 's'},    {"first", required_argument, NULL, 'f'},
        {"cases", required_argument, NULL, 'c'},   {"case", required_argument, NULL, 'k'},
        {"threads", required_argument, NULL, 't'}, {"large", required_argument, NULL, 'l'},
        {"limit", required_argument, NULL, 'm'},   {"operations", required_argument, NULL, 'o'},
        {"verbose", no_argument, NULL, 'v'},       {"no-delays", no_argument, NULL, 'd'},
        {"no-inter", no_argument, NULL, 'i'},      {NULL, 0, NULL, 0},
    };
    const char *names = "";
    for (int found; (found = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        switch (found) {
        case 's': options.seed = (uint64_t)number_of(optarg, 0, LONG_MAX); break;
        case 'f': options.first = number_of(optarg, 0, MOST_CASES); break;
        case 'c': options.cases = number_of(optarg, 1, MOST_CASES); break;
        case 'k': options.first = number_of(optarg, 0, MOST_CASES), options.cases = 1; break;
        case 't': options.threads = (int)number_of(optarg, 0, MOST_THREADS); break;
        case 'l': options.percent_large = (int)number_of(optarg, 0, 100); break;
        case 'm': options.limit_s = (int)number_of(optarg, 1, INT_MAX); break;
        case 'o': options.operations = operations_of(names = optarg); break;
        case 'v': options.is_verbose = true; break;
        case 'd': options.has_delays = false; break;
        case 'i': options.has_inter = false; break;
        default: refuse("an option is unknown or lacks its value");
        }
    }
    if (optind < argc) {
        refuse("'%s' is no option", argv[optind]);
    }
    snprintf(options.repeated, sizeof options.repeated, " --seed %llu --large %d --threads %d%s%s%s%s",
             (unsigned long long)options.seed, options.percent_large, options.threads,
             options.has_delays ? "" : " --no-delays", options.has_inter ? "" : " --no-inter",
             *names ? " --operations " : "", names);
}

static void run_threads(void)
{
    pthread_t threads[MOST_THREADS];
    for (int i = 0; i < options.threads; i++) {
        runs[i].thread = i + 1;
        MPI_Comm_dup(MPI_COMM_WORLD, &runs[i].parent);
    }
    for (int i = 0; i < options.threads; i++) {
        pthread_create(&threads[i], NULL, run_cases, &runs[i]);
    }
    for (int i = 0; i < options.threads; i++) {
        pthread_join(threads[i], NULL);
        MPI_Comm_free(&runs[i].parent);
    }
}

int main(int argc, char **argv)
{
    int provided = MPI_THREAD_SINGLE;
    read_options(argc, argv);
    if (options.threads) {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    } else {
        MPI_Init(&argc, &argv);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    const int signals[] = {SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        signal(signals[i], on_signal);
    }
    basics_set_up();
    barrier_set_up();
    meet_topologies();
    if (world_size > MOST_MEMBERS) {
        fprintf(stderr, "tester: at most %d processes\n", MOST_MEMBERS);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (options.threads && provided < MPI_THREAD_MULTIPLE) {
        if (world_rank == 0) {
            printf("skipped: no MPI_THREAD_MULTIPLE\n");
        }
    } else if (options.threads) {
        run_threads();
    } else {
        runs[0].parent = MPI_COMM_WORLD;
        run_cases(&runs[0]);
    }
    alarm((unsigned)options.limit_s);
    long done = 0, all = 0;
    for (int i = 0; i < MOST_THREADS; i++) {
        done += runs[i].done;
    }
    PMPI_Reduce(&done, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    if (world_rank == 0) {
        printf("%ld calls in %ld cases passed\n", all, options.cases * (options.threads ? options.threads : 1));
    }
    return 0;
}
