/*
 * uts.h: the trees, and what all forms of the search share.
 */
#ifndef UTS_H
#define UTS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../seconds.h"
#include "sha1.h"

enum { UTS_MOST_CHILDREN = 100 }; /* except for the root of a binomial tree */

struct uts_tree {
    const char *name;
    int is_binomial;
    double root_children; /* average of every node, in a geometric tree */
    double probability;   /* binomial: the probability that a node has children */
    int children;         /* binomial: how many children it has then */
    int depth;            /* geometric: nodes at this depth have no children */
    uint32_t seed;
    long nodes, leaves, height; /* as published; 0 if they are not */
};

static const struct uts_tree uts_trees[] = {
    {"T1", 0, 4, 0, 0, 10, 19, 4130071, 3305118, 10},
    {"T3", 1, 2000, 0.124875, 8, 0, 42, 4112897, 3599034, 1572},
    {"G6", 0, 4, 0, 0, 6, 19, 0, 0, 0},
    {"B100", 1, 100, 0.12, 8, 0, 42, 0, 0, 0},
};

struct uts_node {
    unsigned char state[SHA1_BYTES];
    int height;
};

/* What has been found */
struct uts_counts {
    long nodes, leaves, height;
};

/* The tree that the only argument names; NULL, with a message if is_heard, if there is no such tree. */
static inline const struct uts_tree *uts_tree_of(int argc, char **argv, int is_heard)
{
    for (size_t i = 0; argc == 2 && i < sizeof uts_trees / sizeof *uts_trees; i++)
        if (strcmp(argv[1], uts_trees[i].name) == 0)
            return &uts_trees[i];
    if (is_heard)
        fprintf(stderr, "usage: %s TREE, one of T1, T3, G6, B100\n", argv[0]);
    return NULL;
}

static inline struct uts_node uts_root(const struct uts_tree *tree)
{
    struct uts_node root = {.height = 0};
    unsigned char seed[SHA1_BYTES] = {0};
    for (int i = 0; i < 4; i++)
        seed[SHA1_BYTES - 4 + i] = (unsigned char)(tree->seed >> (24 - 8 * i));
    sha1(seed, sizeof seed, root.state);
    return root;
}

static inline struct uts_node uts_child(const struct uts_node *parent, int number)
{
    struct uts_node child = {.height = parent->height + 1};
    unsigned char message[SHA1_BYTES + 4];
    memcpy(message, parent->state, SHA1_BYTES);
    for (int i = 0; i < 4; i++)
        message[SHA1_BYTES + i] = (unsigned char)(number >> (24 - 8 * i));
    sha1(message, sizeof message, child.state);
    return child;
}

/* A random number in [0, 1) */
static inline double uts_random(const struct uts_node *node)
{
    const unsigned char *last = node->state + SHA1_BYTES - 4;
    uint32_t bits = (uint32_t)last[0] << 24 | (uint32_t)last[1] << 16 | (uint32_t)last[2] << 8 | last[3];
    return (bits & 0x7fffffff) / 2147483648.0;
}

static inline int uts_children(const struct uts_tree *tree, const struct uts_node *node)
{
    if (tree->is_binomial) {
        if (node->height == 0)
            return (int)tree->root_children;
        return uts_random(node) < tree->probability ? tree->children : 0;
    }
    if (node->height >= tree->depth)
        return 0;
    double p = 1 / (1 + tree->root_children);
    int children = (int)floor(log(1 - uts_random(node)) / log(1 - p));
    return children < UTS_MOST_CHILDREN ? children : UTS_MOST_CHILDREN;
}

/* Nodes whose children have not been visited, in private memory, from `bottom` up to `top` */
struct uts_stack {
    struct uts_node *nodes;
    long bottom, top, room;
};

/* Makes room for that many more; ends the program if there is none. */
static inline void uts_stack_make_room(struct uts_stack *stack, long more)
{
    if (stack->top + more <= stack->room)
        return;
    if (stack->bottom > 0) {
        memmove(stack->nodes, stack->nodes + stack->bottom,
                (size_t)(stack->top - stack->bottom) * sizeof(*stack->nodes));
        stack->top -= stack->bottom;
        stack->bottom = 0;
    }
    if (stack->top + more <= stack->room)
        return;
    stack->room = 2 * (stack->top + more);
    stack->nodes = realloc(stack->nodes, (size_t)stack->room * sizeof *stack->nodes);
    if (stack->nodes == NULL) {
        fprintf(stderr, "uts: no memory for %ld nodes\n", stack->room);
        exit(1);
    }
}

/* Counts the last node, and puts its children in its place. */
static inline void uts_visit(const struct uts_tree *tree, struct uts_stack *stack, struct uts_counts *counts)
{
    struct uts_node node = stack->nodes[--stack->top];
    int children = uts_children(tree, &node);
    counts->nodes++;
    counts->leaves += children == 0;
    if (node.height > counts->height)
        counts->height = node.height;
    uts_stack_make_room(stack, children);
    for (int i = 0; i < children; i++)
        stack->nodes[stack->top++] = uts_child(&node, i);
}

static inline void uts_push(struct uts_stack *stack, struct uts_node node)
{
    uts_stack_make_room(stack, 1);
    stack->nodes[stack->top++] = node;
}

/* Searches the whole tree with one thread */
static inline struct uts_counts uts_count(const struct uts_tree *tree)
{
    struct uts_counts counts = {0, 0, 0};
    struct uts_stack stack = {NULL, 0, 0, 0};
    uts_push(&stack, uts_root(tree));
    while (stack.top > stack.bottom)
        uts_visit(tree, &stack, &counts);
    free(stack.nodes);
    return counts;
}

/* Prints the result line; returns the exit status.  Trees without published numbers are counted once more for
 * comparison. */
static inline int uts_report(const char *form, const struct uts_tree *tree, int n, double seconds,
                             struct uts_counts counts)
{
    struct uts_counts expected = {tree->nodes, tree->leaves, tree->height};
    if (expected.nodes == 0)
        expected = uts_count(tree);
    int wrong = counts.nodes != expected.nodes || counts.leaves != expected.leaves || counts.height != expected.height;
    printf("uts %s: %s, %ld nodes, %ld leaves, depth %ld, n %d, %.3f s, %.3f million nodes per second: %s\n", form,
           tree->name, counts.nodes, counts.leaves, counts.height, n, seconds, 1e-6 * (double)counts.nodes / seconds,
           wrong ? "WRONG" : "right");
    return wrong;
}

#endif
