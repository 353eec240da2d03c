/*
 * A share of an evaluation, for programs that keep bodies in several memories: these functions compute, the program
 * communicates. Bodies are ordered by their keys along Morton's curve, which is cut into a share for each memory. A
 * share has its own bodies, the cells that hold them, and what it needs of other shares' cells and bodies: the locally
 * essential tree.
 *
 *     fmm_tree_new; order the bodies by fmm_tree_key; cut between leaves (fmm_key_step); bring each share its bodies
 *     fmm_tree_plant; offer what fmm_tree_offers returns
 *     while (fmm_tree_wanted) { get those offers of others; fmm_tree_take; }
 *     fmm_part_new; fmm_part_set_body for its own bodies and those of FMM_NEEDED_BODIES
 *     fmm_part_run(FMM_UP); offer what FMM_OFFERED_CELLS says; fmm_part_add what FMM_NEEDED_CELLS says
 *     fmm_part_run of the other stages, in their order; FMM_U at any time after the bodies
 *     fmm_part_result
 *
 * Several threads may each work on a share at the same time; none uses OpenMP threads. Indices of bodies are global,
 * and arrays have room for all bodies; only the part that is used takes memory. Indices of cells are local to a share.
 * A function that can fail puts the reason into `message`, as in fmm.h.
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

/* For `count` bodies in all shares together, with at most `leaf` in a leaf, within low and high */
struct fmm_tree *fmm_tree_new(const double low[3], const double high[3], long count, int leaf, char *message);
void fmm_tree_free(struct fmm_tree *tree);
/* The key of a place within low and high; below FMM_KEYS */
uint64_t fmm_tree_key(const struct fmm_tree *tree, const double place[3]);

#define FMM_KEYS ((uint64_t)1 << 60)
enum { FMM_DEEPEST = 20 };
/* The number of consecutive keys of a cell of a level, starting at a multiple of it; a child has an eighth of them. */
static inline uint64_t fmm_key_step(int level)
{
    return FMM_KEYS >> 3 * level;
}
/* A cell with at most `leaf` bodies, or of level FMM_DEEPEST, is a leaf. Cuts are where leaves begin or end. */

/*
 * Makes share `mine` of `parts`: share p has the keys from cuts[p] to cuts[p + 1], and of all bodies those from
 * first_body[p] to first_body[p + 1]. `keys` are those of its own bodies, ascending; they are copied.
 */
int fmm_tree_plant(struct fmm_tree *tree, int parts, const uint64_t *cuts, const long *first_body, int mine,
                   const uint64_t *keys, char *message);

/* What a share offers for each of its cells */
struct fmm_offer {
    int64_t first_child; /* the index of the first child with bodies of this share; the others follow it */
    int32_t counts[8];   /* bodies of this share in each child */
};
long fmm_tree_offers(const struct fmm_tree *tree, const struct fmm_offer **offers);

/* Consecutive bodies, cells or offers: `at` is the index of the first here, `there` its index at the owner. */
struct fmm_run {
    int owner;
    long at, there, count;
};
/*
 * The number of other shares' offers that the next level of the tree needs, and the runs in which they are; `at` counts
 * from 0. -1: the tree is complete.
 */
long fmm_tree_wanted(const struct fmm_tree *tree, const struct fmm_run **runs, long *count_runs);
/* Makes the next level from all those offers. */
int fmm_tree_take(struct fmm_tree *tree, const struct fmm_offer *offers, char *message);

/*
 * Makes the share from a complete tree, which it takes over, even on failure. Operators are shared with problems of
 * this process that still exist, so free the previous one afterwards.
 */
struct fmm_problem *fmm_part_new(const struct fmm_options *options, struct fmm_tree *tree, char *message);

enum fmm_exchange {
    FMM_NEEDED_BODIES, /* `there`: index among the owner's bodies */
    FMM_OFFERED_CELLS, /* `there`: where to offer it, in cells; as many as fmm_tree_offers */
    FMM_NEEDED_CELLS,  /* `there`: where it is offered. A cell with bodies of several shares is needed from each. */
    FMM_EXCHANGES
};
/* Returns the number of runs; *runs is an array of them that belongs to the problem */
long fmm_part_runs(const struct fmm_problem *problem, enum fmm_exchange what, const struct fmm_run **runs);

void fmm_part_set_body(struct fmm_problem *problem, long body, const double place[3], double charge);
/* Clears the results of the last evaluation; to be called before FMM_UP. */
void fmm_part_begin(struct fmm_problem *problem);
void fmm_part_run(struct fmm_problem *problem, enum fmm_stage stage);
/* The bytes of a cell's charges; the address of a cell's charges here; adds the charges of a run received from its
 * owner. */
long fmm_part_cell_bytes(const struct fmm_problem *problem);
const void *fmm_part_charges(const struct fmm_problem *problem, long cell);
void fmm_part_add(struct fmm_problem *problem, const struct fmm_run *run, const void *charges);
/* Potential and gradient of one of the share's bodies */
void fmm_part_result(const struct fmm_problem *problem, long body, double result[4]);

/* The share's own leaves, in key order: bodies, and seconds of FMM_U and FMM_LEAF in the last evaluation */
struct fmm_leaf {
    long count;
    double seconds;
};
long fmm_part_leaves(const struct fmm_problem *problem);
struct fmm_leaf fmm_part_leaf(const struct fmm_problem *problem, long leaf);

#ifdef __cplusplus
}
#endif
#endif
