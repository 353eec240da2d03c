/*
 * A share of an evaluation, for programs that keep bodies in several memories: what is here computes, the program
 * carries. Bodies are ordered by their keys along Morton's curve, which is cut into a share for each memory. A share
 * has its own bodies, the cells that hold them, and what these need of others' cells and bodies: the locally essential
 * tree.
 *
 *     fmm_tree_new; order the bodies by fmm_tree_key; cut between leaves (fmm_key_step); bring each share its bodies
 *     fmm_tree_plant; offer what fmm_tree_offers says
 *     while (fmm_tree_wanted) { get those offers of others; fmm_tree_take; }
 *     fmm_part_new; fmm_part_set_body for its own bodies and those of FMM_NEEDED_BODIES
 *     fmm_part_run(FMM_UP); offer what FMM_OFFERED_CELLS says; fmm_part_add what FMM_NEEDED_CELLS says
 *     fmm_part_run of the other stages, in their order; of FMM_U at any time after the bodies
 *     fmm_part_result
 *
 * Threads may each have a share at a time; none uses OpenMP's threads. Indices of bodies are those of all shares
 * together, and arrays have a place for each; of that only what is used takes memory. Indices of cells are a share's
 * own. A function that can fail says why in `message`, as in fmm.h.
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

/* For `count` bodies of all shares, at most `leaf` in a leaf, within low and high */
struct fmm_tree *fmm_tree_new(const double low[3], const double high[3], long count, int leaf, char *message);
void fmm_tree_free(struct fmm_tree *tree);
/* Of a place within low and high; below FMM_KEYS */
uint64_t fmm_tree_key(const struct fmm_tree *tree, const double place[3]);

#define FMM_KEYS ((uint64_t)1 << 60)
enum { FMM_DEEPEST = 20 };
/* How many keys a cell of a level has, one after the other from a multiple of that; its children have an eighth each.
 */
static inline uint64_t fmm_key_step(int level)
{
    return FMM_KEYS >> 3 * level;
}
/* A cell with at most `leaf` bodies, or of level FMM_DEEPEST, is a leaf. Cuts are where leaves begin or end. */

/*
 * Share `mine` of `parts`: share p has the keys from cuts[p] to cuts[p + 1], and of all bodies those from first_body[p]
 * to first_body[p + 1]. `keys` are those of its own bodies, ascending; they are copied.
 */
int fmm_tree_plant(struct fmm_tree *tree, int parts, const uint64_t *cuts, const long *first_body, int mine,
                   const uint64_t *keys, char *message);

/* What a share offers of each of its cells */
struct fmm_offer {
    int64_t first_child; /* where the first of the children with bodies of this share is; the others follow it */
    int32_t counts[8];   /* bodies of this share in each child */
};
long fmm_tree_offers(const struct fmm_tree *tree, const struct fmm_offer **offers);

/* Bodies, cells or offers one after the other: `at` is the first here, `there` where it is among what its owner has. */
struct fmm_run {
    int owner;
    long at, there, count;
};
/*
 * How many offers of others are needed for the next level of the tree, and how many runs they are; `at` counts from 0.
 * -1: the tree is complete.
 */
long fmm_tree_wanted(const struct fmm_tree *tree, const struct fmm_run **runs, long *count_runs);
/* Makes the next level, from all those offers. */
int fmm_tree_take(struct fmm_tree *tree, const struct fmm_offer *offers, char *message);

/*
 * The share of a complete tree, which is taken, also on failure. Operators are shared with problems of this process
 * that still exist, so free the last one afterwards.
 */
struct fmm_problem *fmm_part_new(const struct fmm_options *options, struct fmm_tree *tree, char *message);

enum fmm_exchange {
    FMM_NEEDED_BODIES, /* `there`: among the owner's bodies */
    FMM_OFFERED_CELLS, /* `there`: where it is to be offered, in cells; as many as fmm_tree_offers */
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

/* The share's own leaves, in the order of keys: bodies, and seconds of FMM_U and FMM_LEAF in the last evaluation */
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
