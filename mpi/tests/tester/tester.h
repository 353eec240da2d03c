// tester.h: random collectives of MPI, compared with a model that needs no communication.
//
// A *run* is a series of cases on communicators made from one parent; each thread of a process has its own run.  Every
// member derives a case from the seed, the number of the case and the communicator, so all know what the others do.
#pragma once

#include <mpi.h>
#include <stdio.h>

#include "random.h"

enum { MOST_MEMBERS = 64, SLOTS = 3, CASES_OF_A_POOL = 16, MOST_BLOCK_BYTES = 1 << 20 };

struct options {
    uint64_t seed;
    long first, cases;
    int threads;         // 0: MPI_Init, else MPI_THREAD_MULTIPLE
    int percent_large;   // share of cases that move much data
    int limit_s;         // a case that takes longer counts as hanging
    unsigned operations; // a bit for each that is tested
    char repeated[400];  // what determines a case, except its number, as on the command line
    bool is_verbose, has_delays;
    bool has_inter; // test inter-communicators, and communicators merged from them
};
extern struct options options;

// What all processes of a communicator know about it.  For inter-communicators, members are those of the own group.
struct members {
    MPI_Comm comm; // MPI_COMM_NULL: this process is not a member
    int n, me;
    int remote_n;        // 0: not an inter-communicator
    bool is_first_group; // of inter-communicators
    uint64_t key;        // the same on all members, and different for concurrent communicators
    char words[80];
};

struct run {
    MPI_Comm parent;
    int thread;
    struct rng pool_rng;
    long pool; // number of the pool that slots hold
    struct members slots[SLOTS];
    MPI_Op commutative, ordered;
    long done;         // cases in which this process took part
    const char *words; // describe the case in progress
    long number;
};

enum operation {
    BARRIER,
    BCAST,
    SCATTER,
    SCATTERV,
    GATHER,
    GATHERV,
    ALLGATHER,
    ALLGATHERV,
    ALLTOALL,
    ALLTOALLV,
    ALLTOALLW,
    REDUCE,
    ALLREDUCE,
    REDUCE_SCATTER,
    REDUCE_SCATTER_BLOCK,
    SCAN,
    EXSCAN,
    OPERATIONS,
};
extern const char *const operation_names[OPERATIONS];

enum form { BLOCKING, NONBLOCKING, PERSISTENT };

struct trial {
    struct run *run;
    const struct members *in;
    long number;
    uint64_t key;
    struct rng common, own; // the same on all members; this member's
    enum operation operation;
    enum form form;
    bool is_large_count; // the _c form
    bool in_place;
    bool is_much;
    bool checks_barriers;
    int root;
    char words[800];
};

// Reports what was wrong with a trial, and aborts the job.
_Noreturn void fail(const struct trial *trial, const char *format, ...) __attribute__((format(printf, 2, 3)));
void say(struct trial *trial, const char *format, ...) __attribute__((format(printf, 2, 3)));

// pool.c: the communicator of a slot, made when it is first used; collective over the run's parent.
const struct members *pool_take(struct run *run, long number, int slot);
void pool_free(struct run *run);

// moves.c, combine.c, across.c (inter-communicators): one trial
void move_trial(struct trial *trial);
void combine_trial(struct trial *trial);
void across_trial(struct trial *trial);

// calls.c: makes the call of a trial.  send or receive is null if the process has no such side, or it is in place; for
// a broadcast, receive is the buffer.
struct side;
struct reduction {
    size_t count;         // of instances, or of each block
    const size_t *counts; // for MPI_Reduce_scatter
    MPI_Datatype type;
    MPI_Op op;
};
void call_move(const struct trial *trial, const struct side *send, const struct side *receive);
void call_combine(const struct trial *trial, const struct side *send, const struct side *receive,
                  const struct reduction *reduction);

// barrier.c: whether nobody left a barrier before the last member came.  The check is collective and comes directly
// after a barrier that began (MPI_Ibarrier: was started) at the given time.  It keeps members together, so half of the
// trials do without: there a fast member can enter the next operation while others are still leaving the barrier.
// barrier_set_up is collective over all processes.
void barrier_set_up(void);
int64_t clock_ns(void);
void barrier_check(const struct trial *trial, const char *which, int64_t came_ns);

// beside.c: operations in progress on the same communicator while a collective runs
struct beside;
struct beside *beside_begin(struct trial *trial);
void beside_end(struct trial *trial, struct beside *beside);
void delay(struct trial *trial);
