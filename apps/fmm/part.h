/*
 * A share of an evaluation, for programs that keep bodies in several memories: what is here computes, the program
 * carries. Each share has all cells, the bodies of a range of leaves in Morton order, and what these need of others.
 *
 *     fmm_tree_new; while (fmm_tree_open) { fmm_tree_count; add up over all shares; fmm_tree_split; }
 *     cut the leaves into shares; bring each share its bodies, ordered by key
 *     fmm_part_new; fmm_part_set_body for its own bodies and those of FMM_NEEDED_BODIES
 *     fmm_part_run(FMM_UP); offer what FMM_OFFERED_CELLS says; fmm_part_add what FMM_NEEDED_CELLS says
 *     fmm_part_run of the other stages, in their order; of FMM_U at any time after the bodies
 *     fmm_part_result
 *
 * Threads may each have a share at a time; none uses OpenMP's threads. Indices of bodies and cells are those of all
 * shares together, and arrays have a place for each; of that only what is used takes memory. A function that can fail
 * says why in `message`, as in fmm.h.
 *
 * BSD-3-Clause, the Banyan authors.
 */
#ifndef APPS_FMM_PART_H
#define APPS_FMM_PART_H

#include "fmm.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fmm_tree;

/* A tree with a root alone, for `count` bodies of all shares, at most `leaf` in a leaf, within low and high */
struct fmm_tree *fmm_tree_new(const double low[3], const double high[3], long count, int leaf, char *message);
void fmm_tree_free(struct fmm_tree *tree);
/* Of a place within low and high. Bodies are ordered by it. */
uint64_t fmm_tree_key(const struct fmm_tree *tree, const double place[3]);
/* How many cells are to be split; 0: the tree is complete. */
long fmm_tree_open(const struct fmm_tree *tree);
/* How many of `count` keys, ascending, are in each child of each open cell: 8 numbers a cell */
void fmm_tree_count(const struct fmm_tree *tree, long count, const uint64_t *keys, double *counts);
/* Splits the open cells by the counts of all shares together. */
int fmm_tree_split(struct fmm_tree *tree, const double *counts, char *message);

struct fmm_leaf {
    uint64_t key; /* the least that is in it */
    long first, count;
};
long fmm_tree_leaves(const struct fmm_tree *tree);
struct fmm_leaf fmm_tree_leaf(const struct fmm_tree *tree, long leaf);

/*
 * Share `mine` of `parts`; share p has the leaves from first_leaf[p] to first_leaf[p + 1]. The tree is taken, also on
 * failure. Operators are shared with problems of this process that still exist, so free the last one afterwards.
 */
struct fmm_problem *fmm_part_new(const struct fmm_options *options, struct fmm_tree *tree, int parts,
                                 const long *first_leaf, int mine, char *message);

/* Bodies or cells one after the other: `at` is the first here, `there` where it is among what its owner has. */
struct fmm_run {
    int owner;
    long at, there, count;
};
enum fmm_exchange {
    FMM_NEEDED_BODIES, /* `there`: among the owner's bodies */
    FMM_OFFERED_CELLS, /* `there`: where it is to be offered, in cells */
    FMM_NEEDED_CELLS,  /* `there`: where it is offered. A cell with bodies of several shares is needed from each. */
    FMM_EXCHANGES
};
/* The number of runs, and the first of them, which are the problem's */
long fmm_part_runs(const struct fmm_problem *problem, enum fmm_exchange what, const struct fmm_run **runs);

void fmm_part_set_body(struct fmm_problem *problem, long body, const double place[3], double charge);
/* Clears what the last evaluation left; to be called before FMM_UP. */
void fmm_part_begin(struct fmm_problem *problem);
void fmm_part_run(struct fmm_problem *problem, enum fmm_stage stage);
/* Bytes of a cell's charges; where those of a cell are here; adds those of a run that came from its owner. */
long fmm_part_cell_bytes(const struct fmm_problem *problem);
const void *fmm_part_charges(const struct fmm_problem *problem, long cell);
void fmm_part_add(struct fmm_problem *problem, const struct fmm_run *run, const void *charges);
/* Potential and gradient of one of the share's bodies */
void fmm_part_result(const struct fmm_problem *problem, long body, double result[4]);
/* Seconds that FMM_U and FMM_LEAF took for one of the share's leaves in the last evaluation */
double fmm_part_seconds(const struct fmm_problem *problem, long leaf);

#ifdef __cplusplus
}
#endif
#endif
