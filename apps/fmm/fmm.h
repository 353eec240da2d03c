/*
 * Potentials and gradients of N bodies in O(N), by the kernel-independent fast multipole method.
 *
 *     potential(i) = sum over j of  charge(j) K(|x(i) - x(j)|),   K(r) = 1 / r  or  exp(-r / length) / r
 *
 * and the gradient of it at x(i). Bodies in the same place do not act on each other. The factor 1 / (4 pi) is the
 * caller's. Any thread may call, one at a time for each `struct fmm_problem`; inside, OpenMP's threads work. Where a
 * function fails it says why in `message` (FMM_MESSAGE_BYTES long) and changes nothing else.
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

/* How the work is given to threads. The results are the same to rounding. */
enum fmm_model {
    FMM_STATIC,        /* stage by stage, cells in equal shares */
    FMM_DYNAMIC,       /* stage by stage, a cell at a time to whoever is free */
    FMM_GUIDED,        /* stage by stage, cells in shares that become smaller, to whoever is free */
    FMM_NAIVE_TASKS,   /* a task for each cell and stage, begun when what it reads is there */
    FMM_TILED,         /* stage by stage, tiles of cells to whoever is free */
    FMM_TILED_TASKS,   /* tasks of tiles, with what they read as dependences */
    FMM_SUBTREE_TASKS, /* tasks of subtrees, made from the top down; a source counts down for those that read it */
    FMM_TBB,           /* the same, by oneTBB, where that is linked */
    FMM_MODELS
};

struct fmm_options {
    enum fmm_kernel kernel;
    enum fmm_precision precision;
    enum fmm_model model;
    double length; /* of FMM_YUKAWA, in the unit of the bodies' coordinates, above 0 */
    int order;     /* points on an edge of a surface, 4 to 10: about as many digits, less one (fmm_promised) */
    int leaf;      /* at most so many bodies in a leaf, above 0 */
    int tile;      /* cells of a task or chunk of the tiled models, of a subtree of those, above 0 */
    int v_block;   /* parents whose cells get their far field together in the tiled models, above 0 */
};

/* Laplace, double, order 6, tiled, and sizes that do well on current processors with as many threads as OpenMP has
 * now */
struct fmm_options fmm_defaults(void);

/* 0, or -1 with a message if an option is out of range */
int fmm_check_options(const struct fmm_options *options, char *message);

/*
 * Builds tree, lists and operators for `count` bodies at `places` (x, y, z of the first, of the second, ...; double or
 * float as the precision says), which are copied. NULL if an option is out of range, a coordinate is not finite,
 * the count is negative, or there is no memory. O(N log N) time; memory as docs/design/018-fmm.md says.
 */
struct fmm_problem *fmm_new(const struct fmm_options *options, long count, const void *places, char *message);

/*
 * Writes the potential of each body, and the gradients (x, y, z of each) unless `gradients` is NULL. Charges must be
 * finite. 0, or -1 with a message. May be called again with other charges.
 */
int fmm_evaluate(struct fmm_problem *problem, const void *charges, void *potentials, void *gradients, char *message);

void fmm_free(struct fmm_problem *problem);

/* Another model, tile or V block for what follows; -1 with a message if it is out of range. */
int fmm_set_model(struct fmm_problem *problem, enum fmm_model model, int tile, int v_block, char *message);

/* Why a model is not there; NULL: it is. */
const char *fmm_lacks(enum fmm_model model);

/* With so many threads from now on, at most as many as OpenMP had in fmm_new; -1 with a message if not. */
int fmm_set_threads(struct fmm_problem *problem, int threads, char *message);

/*
 * The same sums, directly, at `targets` of the bodies (indices into places), in double whatever the precision is:
 * O(count x targets).
 */
int fmm_direct(const struct fmm_options *options, long count, const void *places, const void *charges, long targets,
               const long *which, double *potentials, double *gradients, char *message);

/*
 * What the order promises: a bound of the relative error (in the 2-norm over bodies) of potentials, of gradients,
 * for charges of one sign: where those of both signs cancel, the error stays what it is, and the sums do not. In
 * single precision it holds where bodies that are close together do not dominate: a place is kept to 6e-8 of the side
 * of the cube that holds all.
 */
double fmm_promised(const struct fmm_options *options, int of_gradients);

enum fmm_stage { FMM_UP, FMM_TRANSFORM, FMM_V, FMM_DOWN, FMM_U, FMM_LEAF, FMM_STAGES };

/* What processor and kernel count, in the user's part of a thread */
enum fmm_counter {
    FMM_CYCLES,
    FMM_INSTRUCTIONS,
    FMM_CACHE_REFERENCES,
    FMM_CACHE_MISSES,
    FMM_PAGE_FAULTS,
    FMM_COUNTERS
};

/* What the last evaluation did. Seconds of a stage are summed over threads. */
struct fmm_profile {
    double seconds[FMM_STAGES];         /* in the numerics of each stage */
    double stage_processor[FMM_STAGES]; /* the same of processors, with fmm_trace only: without what others took */
    long calls[FMM_STAGES];
    double counts[FMM_STAGES][FMM_COUNTERS]; /* with fmm_count only */
    double wall;                             /* of the evaluation, without the copies of charges and results */
    double setup;                            /* of fmm_new */
    double processor, setup_processor;       /* seconds of the whole process in fmm_evaluate and in fmm_new */
    double caller_processor;                 /* of the thread that called, in what is timed as wall */
    double making;                           /* of the task graph, made once for each model and tile */
    double pairs;                            /* interactions of the near field */
    double v_products;                       /* products of 8 x 8 complex matrices and vectors: 512 operations each */
    int pair_operations;                     /* multiplications and additions of a pair of 1/r with its gradient */
    long cells, leaves;
    int levels, threads, surface; /* surface: points of one */
    const char *vectors;          /* instructions of the near field: "avx512", "avx2", "base" */
};
void fmm_last_profile(const struct fmm_problem *problem, struct fmm_profile *profile);

/* From the next evaluation on, counters are read before and after each piece of work; 0 ends it. */
void fmm_count(struct fmm_problem *problem, int on);
/* errno that says why there is no such counter here; 0: there is one. */
int fmm_counter_error(enum fmm_counter counter);

/* From the next evaluation on, every piece of work is recorded (40 bytes each); 0 ends it. */
void fmm_trace(struct fmm_problem *problem, int on);
/* Writes what the last evaluation recorded as JSON for Perfetto (ui.perfetto.dev). */
int fmm_write_trace(const struct fmm_problem *problem, const char *file, char *message);

/*
 * Where the threads' time went in the last evaluation, which was recorded: seconds over all threads. A thread that
 * does nothing while there is work that it could do waits for the model to give it some (scheduling), else it is idle.
 */
struct fmm_times {
    double working, scheduling, idle;
};
/* `running`: how many threads worked, in each of `bins` equal parts of the time; NULL if bins is 0. */
int fmm_find_times(struct fmm_problem *problem, int bins, double *running, struct fmm_times *times, char *message);

/*
 * How long the last evaluation, which was recorded with one thread, would take with so many cores: each piece of work
 * as long as it took the processor, given by the model's rule to the first core that is free. What the model itself
 * took for each is what was left of the one thread's time; with FMM_TILED_TASKS one core spends that on making tasks,
 * in others each does.
 `running` as in
 * fmm_find_times.
 */
int fmm_simulate(struct fmm_problem *problem, int cores, double *wall, int bins, double *running, char *message);

/*
 * What the machine does at most with all of OpenMP's threads at once, measured now: multiplications and additions a
 * second of each thread, with the instructions that the near field uses, and bytes a second that all together read from
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
