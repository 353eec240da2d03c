#include "front/call.h"

#include "base/log.h"
#include "front/escape.h"
#include "front/progress.h"
#include "front/uses.h"
#include "front/valid.h"
#include "host/options.h"
#include "platform/clock.h"

static enum bn_mpi_reason measure_nothing(struct bn_args *args)
{
    args->nbytes = 0;
    return BN_MPI_OURS;
}

static bool carry_barrier(struct bn_args *args)
{
    struct bn_communicator *communicator = args->communicator;
    if (communicator->span) /* leaders poll the library below while they wait for each other */
        return bn_communicator_run(communicator, BN_BARRIER, &(struct bn_call){0}) == BN_OK;
    bn_team_barrier(&communicator->team->team);
    bn_progress_behind_barrier();
    return true;
}

static enum bn_operation barrier_operation(const struct bn_args *args)
{
    (void)args;
    return BN_BARRIER;
}

static bool is_never_aliased(const struct bn_args *args)
{
    (void)args;
    return false;
}

static const struct family {
    enum bn_mpi_reason (*measure)(struct bn_args *args);
    bool (*is_aliased)(const struct bn_args *args);
    bool (*carry)(struct bn_args *args);
    enum bn_operation (*operation)(const struct bn_args *args);
} barrier = {measure_nothing, is_never_aliased, carry_barrier, barrier_operation},
  blocks = {bn_blocks_measure, bn_blocks_are_aliased, bn_blocks_carry, bn_blocks_operation},
  reduction = {bn_reduction_measure, bn_reduction_is_aliased, bn_reduction_carry, bn_reduction_operation};

static const struct family *const families[BN_MPI_OPERATION_COUNT] = {
    [BN_MPI_BARRIER] = &barrier,
    [BN_MPI_BCAST] = &blocks,
    [BN_MPI_SCATTER] = &blocks,
    [BN_MPI_SCATTERV] = &blocks,
    [BN_MPI_GATHER] = &blocks,
    [BN_MPI_GATHERV] = &blocks,
    [BN_MPI_ALLGATHER] = &blocks,
    [BN_MPI_ALLGATHERV] = &blocks,
    [BN_MPI_ALLTOALL] = &blocks,
    [BN_MPI_ALLTOALLV] = &blocks,
    [BN_MPI_ALLTOALLW] = &blocks,
    [BN_MPI_REDUCE] = &reduction,
    [BN_MPI_ALLREDUCE] = &reduction,
    [BN_MPI_REDUCE_SCATTER] = &reduction,
    [BN_MPI_REDUCE_SCATTER_BLOCK] = &reduction,
    [BN_MPI_SCAN] = &reduction,
    [BN_MPI_EXSCAN] = &reduction,
};

enum bn_operation bn_call_operation(const struct bn_args *args)
{
    return families[args->operation]->operation(args);
}

/* A call without data does nothing, so there is nothing to learn, except for barriers. */
static bool can_learn(const struct bn_args *args)
{
    return args->nbytes > 0 || args->operation == BN_MPI_BARRIER;
}

static struct bn_account *account_of(struct bn_args *args, unsigned size_class)
{
    struct bn_account *account = bn_communicator_account(args->communicator, args->operation, size_class);
    if (!account) { /* the other members have one, and might choose differently */
        bn_log_error("there is no memory for comparing Banyan with the MPI library; BANYAN_MPI=on uses Banyan without "
                     "comparing");
        bn_below_abort(args->comm);
    }
    return account;
}

static unsigned class_of(const struct bn_args *args)
{
    return args->communicator->team && !args->is_unknown ? bn_size_class(args->nbytes) : BN_LEDGER_NO_SIZE;
}

/* The size class of a call, the same on all members even if each knows only its own blocks; over several machines the
 * sizes of those are not exchanged. */
static unsigned agreed_class(const struct bn_args *args)
{
    struct bn_node_team *team = args->communicator->team;
    if (!args->is_unknown || args->communicator->span)
        return bn_size_class(args->nbytes);
    return bn_agree_on_largest(&args->communicator->sizes, &team->team, (int)args->operation,
                               bn_size_class(args->known_bytes), BN_LEDGER_NO_SIZE);
}

/* The engine's carriers for a call, the same on all members: between machines by messages, or by collective operations
 * of the library below among leaders (circle.h); with a leader for each machine, socket or region */
static unsigned own_candidates(const struct bn_args *args)
{
    const struct bn_communicator_span *span = args->communicator->span;
    const struct family *family = families[args->operation];
    int64_t between = bn_option_number(BN_OPTION_MPI_BETWEEN);
    if (!span)
        return bn_candidate(BN_BY_ENGINE);
    enum bn_operation operation = bn_call_operation(args);
    unsigned both = span->has_circle && bn_circle_has(operation, args->nbytes) ? bn_candidate(BN_BY_BOTH) : 0;
    if (both && between == BN_BETWEEN_COLLECTIVES)
        return both;
    return bn_candidate(BN_BY_ENGINE) | both | bn_span_parts(span, operation, family == &reduction);
}

/* Chooses between several candidates for a call by what the account has learned. */
static void learn(struct bn_args *args, unsigned candidates)
{
    unsigned size_class = agreed_class(args);
    args->account = account_of(args, size_class);
    bn_account_admit(args->account, candidates);
    enum bn_carrier warmed = bn_account_warms(args->account, size_class);
    if (warmed != BN_CARRIER_COUNT) {
        args->account->warm_calls++;
        if (warmed == BN_BY_LIBRARY)
            args->reason = BN_MPI_TRIAL;
        return;
    }
    args->is_tried = !args->account->is_decided;
    enum bn_carrier turn = bn_account_turn(args->account);
    if (turn == BN_BY_LIBRARY)
        args->reason = args->is_tried ? BN_MPI_TRIAL : BN_MPI_SLOWER;
    else
        args->carrier = turn;
    args->is_small = size_class <= BN_HABIT_CLASS;
}

static bool has_counts(const struct bn_args *args)
{
    return args->known_bytes > 0;
}

/* Chooses who carries out a call that the engine could carry out. */
static void choose(struct bn_args *args, enum bn_mpi_mode mode)
{
    struct bn_communicator *communicator = args->communicator;
    unsigned own = own_candidates(args);
    unsigned candidates = own | (mode == BN_MPI_MODE_LEARN ? bn_candidate(BN_BY_LIBRARY) : 0);
    args->carrier = own & bn_candidate(BN_BY_ENGINE) ? BN_BY_ENGINE : BN_BY_BOTH;
    if (can_learn(args) && (candidates & (candidates - 1)) != 0)
        learn(args, candidates);
    if (has_counts(args)) {
        struct bn_habit *habit = &communicator->habits[args->operation];
        bn_habit_note(habit, args->is_small && args->reason == BN_MPI_SLOWER);
        habit->is_learned = args->is_small && args->is_tried;
    }
    bn_communicator_use(communicator, args->carrier);
}

/* Whether the engine skips a call, but might have carried it out had its arguments been those of the other members:
 * they may be waiting for this one in the engine. */
static bool goes_past_engine(const struct bn_args *args)
{
    if (args->reason == BN_MPI_OURS)
        return !can_learn(args);
    return args->reason == BN_MPI_TRIAL || args->reason == BN_MPI_SLOWER;
}

static void tell_others(const struct bn_args *args)
{
    const struct bn_communicator *communicator = args->communicator;
    if (communicator->team && !communicator->span)
        bn_team_call_elsewhere(&communicator->team->team, (int)bn_call_operation(args), args->root, args->nbytes);
}

bool bn_call_begin(struct bn_args *args)
{
    if (!bn_communicator_find(args)) {
        args->reason = BN_MPI_NOT_READY;
        bn_below_find(); /* a program that began with MPI_Session_init has not called here yet */
        return false;
    }
    struct bn_communicator *communicator = args->communicator;
    if (communicator->is_lost) {
        args->error = MPI_ERR_OTHER;
        return true;
    }
    enum bn_mpi_mode mode = bn_mpi_mode_of(args->operation);
    bool reports = communicator->is_timed;
    struct bn_habit *habit = &communicator->habits[args->operation];
    bool is_blind = bn_habit_is_blind(habit);
    uint64_t look_ns = habit->is_learned ? bn_clock_ns() : 0;
    args->reason = communicator->reason;
    if (communicator->team && ((mode != BN_MPI_MODE_OFF && !is_blind) || reports)) {
        bn_use_begin(args);
        args->reason = families[args->operation]->measure(args);
    }
    if (mode == BN_MPI_MODE_OFF)
        args->reason = BN_MPI_SWITCHED_OFF;
    else if (is_blind)
        args->reason = BN_MPI_SLOWER;
    if (args->reason == BN_MPI_OURS && families[args->operation]->is_aliased(args))
        args->error = bn_alias_error(args->operation == BN_MPI_REDUCE);
    if (args->error != MPI_SUCCESS)
        return true; /* an error of this member alone: others may be carrying out the call without it */
    if (args->reason == BN_MPI_OURS)
        choose(args, mode);
    if (__builtin_expect(goes_past_engine(args), 0))
        tell_others(args);
    bool is_timed = args->is_tried || reports;
    if (is_timed) {
        bool counts_look = look_ns != 0 && args->is_tried && args->reason == BN_MPI_OURS;
        args->begin_ns = counts_look ? look_ns : bn_clock_ns();
    }
    bool is_ours = args->reason == BN_MPI_OURS;
    if (!is_ours && bn_use_is_open(args))
        bn_use_hand_down(args);
    args->is_watched = is_timed || bn_use_is_open(args);
    return is_ours;
}

static void keep_larger(const void *left, void *right, size_t count, const struct bn_vector *vector)
{
    const double *from = left;
    double *to = right;
    (void)vector;
    for (size_t i = 0; i < count; i++)
        to[i] = from[i] > to[i] ? from[i] : to[i];
}

/* The maximum over all members.  On one machine the engine finds it, since it notices a member that does not take part;
 * false: one does not. */
static bool find_slowest(struct bn_args *args, const double *own_ns, double *slowest_ns)
{
    struct bn_communicator *communicator = args->communicator;
    const struct bn_vector vector = {
        .element_bytes = sizeof *own_ns, .count = BN_CARRIER_COUNT, .combine = keep_larger};
    const struct bn_call call = {.src = (uint64_t)own_ns,
                                 .dst = (uint64_t)slowest_ns,
                                 .nbytes = BN_CARRIER_COUNT * sizeof *own_ns,
                                 .in = BN_SYNC_MY,
                                 .out = BN_SYNC_MY,
                                 .vector = &vector};
    if (communicator->span)
        return bn_below.Allreduce(own_ns, slowest_ns, BN_CARRIER_COUNT, bn_below.type_double, bn_below.op_max,
                                  args->comm) == MPI_SUCCESS;
    communicator->current = args;
    if (setjmp(communicator->escape) != 0)
        return false;
    bool is_done = bn_communicator_run(communicator, BN_COMBINE_ALL, &call) == BN_OK;
    communicator->current = NULL;
    return is_done;
}

/* Ends a round of trials.  All members do so after the same call. */
static void agree(struct bn_args *args)
{
    double own_ns[BN_CARRIER_COUNT], slowest_ns[BN_CARRIER_COUNT];
    bn_account_medians(args->account, own_ns);
    if (find_slowest(args, own_ns, slowest_ns))
        bn_account_agree(args->account, slowest_ns);
}

void bn_call_end(struct bn_args *args)
{
    double ns = (double)(bn_clock_ns() - args->begin_ns);
    bn_use_end(args);
    enum bn_carrier carrier = args->reason == BN_MPI_OURS ? args->carrier : BN_BY_LIBRARY;
    if (args->is_tried && bn_account_try(args->account, carrier, ns))
        agree(args);
    if (!args->communicator->is_timed)
        return;
    bn_account_enter(args->account ? args->account : account_of(args, class_of(args)), carrier, args->reason,
                     args->is_unknown ? args->own_bytes : args->nbytes, ns);
}

static int call_handler(struct bn_args *args, int error)
{
    bn_use_end(args);
    bn_below.Comm_call_errhandler(args->comm, error);
    return error;
}

/* Says which call it is and on whom, which the error handler of the library below does not know. */
__attribute__((cold)) static int report_misfit(struct bn_args *args, int error)
{
    const struct bn_communicator *communicator = args->communicator;
    bn_log_error("MPI_%s on a communicator of %d: rank %d asked for %s data than it was sent; let all ranks call with "
                 "counts that match",
                 bn_mpi_operation_name(args->operation), communicator->size, communicator->rank,
                 error == MPI_ERR_TRUNCATE ? "less" : "more");
    return call_handler(args, error);
}

/* The error of this member in a call that has been carried out: its data did not fit */
static int error_of(struct bn_args *args)
{
    struct bn_team *team = &args->communicator->team->team;
    if (__builtin_expect(team->fit == BN_FIT_EXACT, 1))
        return args->is_short ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
    int error = bn_fit_error(args, team->fit);
    team->fit = BN_FIT_EXACT;
    return error != MPI_SUCCESS || !args->is_short ? error : MPI_ERR_TRUNCATE;
}

static int carry(struct bn_args *args)
{
    struct bn_communicator *communicator = args->communicator;
    communicator->current = args;
    if (setjmp(communicator->escape) != 0)
        return args->error; /* the error handler has been called */
    bool is_done = families[args->operation]->carry(args);
    communicator->current = NULL;
    if (is_done) {
        int error = error_of(args);
        return __builtin_expect(error == MPI_SUCCESS, 1) ? MPI_SUCCESS : report_misfit(args, error);
    }
    const char *name = bn_mpi_operation_name(args->operation);
    bn_log_error("%s cannot be carried out: there is no memory, or see the message above; BANYAN_MPI_%s=off leaves "
                 "it to the MPI library",
                 name, name);
    bn_below_abort(args->comm);
}

int bn_call_carry(struct bn_args *args)
{
    return args->error != MPI_SUCCESS ? call_handler(args, args->error) : carry(args);
}
