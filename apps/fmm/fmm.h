/*
 * Potentials and gradients of N bodies in O(N), by the kernel-independent fast multipole method.
 *
 *     potential(i) = sum over j of  charge(j) K(|x(i) - x(j)|),   K(r) = 1 / r  or  exp(-r / length) / r
 *
 * and its gradient at x(i). Bodies in the same place do not act on each other. The factor 1 / (4 pi) is left to the
 * caller. Any thread may call, but only one at a time for each `struct fmm_problem`; inside, OpenMP threads do the
 * work. A function that fails puts the reason into `message` (FMM_MESSAGE_BYTES long) and changes nothing else.
 *
 * BSD-3-Clause, the Banyan authors.
 */
#ifndef APPS_FMM_H
#define APPS_FMM_H

#ifdef __cplusplus
extern "C" {
#endif

enum { FMM_MESSAGE_BYTES = 256 };
enum fmm_kernel { FMM_LAPLACE, FMM_YUKAWA };
enum fmm_precision { FMM_DOUBLE, FMM_SINGLE };

/* How the work is distributed to threads. The results are the same up to rounding. */
enum fmm_model {
    FMM_STATIC,        /* stage by stage, cells in equal shares */
    FMM_DYNAMIC,       /* stage by stage, one cell at a time to the next free thread */
    FMM_GUIDED,        /* stage by stage, cells in shrinking shares to the next free thread */
    FMM_NAIVE_TASKS,   /* a task for each cell and stage, started when its inputs are ready */
    FMM_TILED,         /* stage by stage, tiles of cells to the next free thread */
    FMM_TILED_TASKS,   /* tasks of tiles, with their inputs as OpenMP dependences */
    FMM_SUBTREE_TASKS, /* tasks of subtrees, created from the top down; a source counts down for those that read it */
    FMM_TBB,           /* the same with oneTBB, if that is linked */
    FMM_MODELS
};

struct fmm_options {
    enum fmm_kernel kernel;
    enum fmm_precision precision;
    enum fmm_model model;
    double length; /* for FMM_YUKAWA, in the unit of the bodies' coordinates, above 0 */
    int order;     /* points on an edge of a surface, 4 to 10: about as many digits, less one (fmm_promised) */
    int leaf;      /* most bodies in a leaf, above 0 */
    int tile;      /* cells per task or chunk of the tiled models, or per subtree of the subtree models, above 0 */
    int v_block;   /* in the tiled models, parents whose cells compute their far field together, above 0 */
};

/* Laplace, double, order 6, tiled, and sizes that suit current processors with OpenMP's present number of threads */
struct fmm_options fmm_defaults(void);

/* 0, or -1 with a message if an option is out of range */
int fmm_check_options(const struct fmm_options *options, char *message);

/*
 * Builds tree, lists and operators for `count` bodies at `places` (x, y, z of the first, of the second, ...; double or
 * float according to the precision), which are copied. NULL if an option is out of range, a coordinate is not finite,
 * the count is negative, or memory is exhausted. O(N log N) time; for memory see docs/design/018-fmm.md.
 */
struct fmm_problem *fmm_new(const struct fmm_options *options, long count, const void *places, char *message);

/*
 * Computes the potential of each body, and the gradients (x, y, z of each) unless `gradients` is NULL. Charges must be
 * finite. 0, or -1 with a message. May be called again with other charges.
 */
int fmm_evaluate(struct fmm_problem *problem, const void *charges, void *potentials, void *gradients, char *message);

void fmm_free(struct fmm_problem *problem);

/* Sets the model, tile and V block for later evaluations; -1 with a message if one is out of range. */
int fmm_set_model(struct fmm_problem *problem, enum fmm_model model, int tile, int v_block, char *message);

/* Why a model is unavailable; NULL if it is available. */
const char *fmm_lacks(enum fmm_model model);

/* Uses this many threads from now on, at most as many as OpenMP had in fmm_new; -1 with a message if that is
 * impossible. */
int fmm_set_threads(struct fmm_problem *problem, int threads, char *message);

/*
 * The same sums, computed directly, at `targets` of the bodies (indices into places), in double whatever the precision
 * is: O(count x targets).
 */
int fmm_direct(const struct fmm_options *options, long count, const void *places, const void *charges, long targets,
               const long *which, double *potentials, double *gradients, char *message);

/*
 * The accuracy that the order promises: a bound on the relative error (in the 2-norm over bodies) of potentials, or of
 * gradients, for charges of one sign. With charges of both signs the sums cancel but the error does not. In single
 * precision the bound holds unless bodies that are close together dominate: a place is stored to 6e-8 of the side of
 * the cube that holds all bodies.
 */
double fmm_promised(const struct fmm_options *options, int of_gradients);

enum fmm_stage { FMM_UP, FMM_TRANSFORM, FMM_V, FMM_DOWN, FMM_U, FMM_LEAF, FMM_STAGES };

/* Events that processor and kernel count, in user mode of a thread */
enum fmm_counter {
    FMM_CYCLES,
    FMM_INSTRUCTIONS,
    FMM_CACHE_REFERENCES,
    FMM_CACHE_MISSES,
    FMM_PAGE_FAULTS,
    FMM_COUNTERS
};

/* Statistics of the last evaluation. Seconds of a stage are summed over threads. */
struct fmm_profile {
    double seconds[FMM_STAGES];         /* in the numerics of each stage */
    double stage_processor[FMM_STAGES]; /* the same in processor time; with fmm_trace only */
    long calls[FMM_STAGES];
    double counts[FMM_STAGES][FMM_COUNTERS]; /* with fmm_count only */
    double wall;                             /* of the evaluation, without the copying of charges and results */
    double setup;                            /* of fmm_new */
    double processor, setup_processor;       /* processor seconds of the whole process in fmm_evaluate and in fmm_new */
    double caller_processor;                 /* of the calling thread, during `wall` */
    double making;                           /* of the task graph, made once for each model and tile */
    double pairs;                            /* interactions in the near field */
    double v_products;                       /* products of 8 x 8 complex matrices and vectors: 512 operations each */
    int pair_operations;                     /* multiplications and additions per pair, for 1/r with its gradient */
    long cells, leaves;
    int levels, threads, surface; /* surface: points of one */
    const char *vectors;          /* instructions used for the near field: "avx512", "avx2", "base" */
};
void fmm_last_profile(const struct fmm_problem *problem, struct fmm_profile *profile);

/* From the next evaluation on, counters are read before and after each piece of work; 0 stops that. */
void fmm_count(struct fmm_problem *problem, int on);
/* errno that says why a counter is unavailable here; 0 if it is available. */
int fmm_counter_error(enum fmm_counter counter);

/* From the next evaluation on, every piece of work is recorded (40 bytes each); 0 stops that. */
void fmm_trace(struct fmm_problem *problem, int on);
/* Writes the record of the last evaluation as JSON for Perfetto (ui.perfetto.dev). */
int fmm_write_trace(const struct fmm_problem *problem, const char *file, char *message);

/*
 * Where the threads' time went in the last evaluation, which must have been recorded: seconds over all threads. A
 * thread without work waits for the model (scheduling) if there is work that it could do; otherwise it is idle.
 */
struct fmm_times {
    double working, scheduling, idle;
};
/* `running`: the number of working threads in each of `bins` equal intervals of the time; NULL if bins is 0. */
int fmm_find_times(struct fmm_problem *problem, int bins, double *running, struct fmm_times *times, char *message);

/*
 * How long the last evaluation, which must have been recorded with one thread, would take on so many cores. Each piece
 * of work takes its recorded processor time, and the model's rule assigns it to the first free core. The model's own
 * overhead per piece is the rest of the single thread's time; with FMM_TILED_TASKS one core spends it on making tasks,
 * in the other models each core does. `running` as in fmm_find_times.
 */
int fmm_simulate(struct fmm_problem *problem, int cores, double *wall, int bins, double *running, char *message);

/*
 * The limits of this machine with all OpenMP threads at once, measured now: multiplications and additions per second of
 * each thread, with the instructions that the near field uses, and bytes per second that all threads together read from
 * memory. Takes a second.
 */
struct fmm_limits {
    double operations, bytes;
};
int fmm_measure_limits(enum fmm_precision precision, struct fmm_limits *limits, char *message);

const char *fmm_stage_name(enum fmm_stage stage);
const char *fmm_model_name(enum fmm_model model);
const char *fmm_counter_name(enum fmm_counter counter);

#ifdef __cplusplus
}
#endif
#endif
