/*
 * tree: all threads insert words into one binary search tree and look them up.
 *
 * usage: tree [keys [look-ups-per-thread]]
 *
 * The tree is a forest by the upper bits of the hashed key: each of its roots has a lock of its own, and threads that
 * work below different roots do not disturb each other.  A node lives on the thread that inserted it.  Looking up needs
 * no lock once the tree is complete: a barrier separates the two phases.
 *
 * Check: each key is found with its value, others are not found, and the nodes below all roots add up.
 */
#include <stdint.h>

#include "app.h"

static const char usage[] = "tree [keys [look-ups-per-thread]]";

typedef shared struct node node_t;
struct node {
    uint64_t key;
    long value;
    node_t *child[2];
};

enum { LOG2_ROOTS = 6, ROOTS = 1 << LOG2_ROOTS };

/* Roots are dealt out to the threads in turn.  There are ROOTS of them on each thread, of which the first ROOTS in
 * total are used. */
shared struct root {
    node_t *top;
    upc_lock_t *lock;
} roots[ROOTS * THREADS];

/* A bijection whose results look random: inserting sorted keys would turn the tree into a list. */
static uint64_t hash(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static shared struct root *root_of(uint64_t key)
{
    return &roots[key >> (64 - LOG2_ROOTS)];
}

static void insert(uint64_t key, long value)
{
    node_t *node = upc_alloc(sizeof(struct node));
    if (node == NULL) {
        fprintf(stderr, "thread %d: no memory for a node; choose fewer keys\n", MYTHREAD);
        upc_global_exit(1);
    }
    node->key = key;
    node->value = value;
    node->child[0] = NULL;
    node->child[1] = NULL;

    shared struct root *root = root_of(key);
    upc_lock(root->lock);
    if (root->top == NULL) {
        root->top = node;
    } else {
        node_t *at = root->top;
        for (;;) {
            int side = key > at->key;
            node_t *below = at->child[side];
            if (below == NULL) {
                at->child[side] = node;
                break;
            }
            at = below;
        }
    }
    upc_unlock(root->lock);
}

/* The value of a key, or -1.  Adds the number of links followed to *links. */
static long look_up(uint64_t key, long *links)
{
    for (node_t *at = root_of(key)->top; at != NULL; at = at->child[key > at->key]) {
        ++*links;
        if (at->key == key)
            return at->value;
    }
    return -1;
}

/* Counts the nodes below and including this one, and frees them. */
static long count_and_free(node_t *node)
{
    if (node == NULL)
        return 0;
    long count = 1 + count_and_free(node->child[0]) + count_and_free(node->child[1]);
    upc_free(node);
    return count;
}

int main(int argc, char **argv)
{
    if (argc > 3)
        app_usage(usage);
    long keys = app_argument(argc, argv, 1, 100000, 1, 100000000, usage);
    long look_ups = app_argument(argc, argv, 2, 200000, 1, 1000000000, usage);
    long i;

    upc_forall (i = 0; i < ROOTS; i++; &roots[i])
        roots[i].lock = upc_global_lock_alloc();
    upc_barrier;
    double start = app_seconds();
    upc_forall (i = 0; i < keys; i++; i)
        insert(hash((uint64_t)i), i);
    upc_barrier;
    double built = app_seconds();

    long wrong = 0, links = 0;
    for (long n = 0; n < look_ups; n++) {
        /* One key in eight is not in the tree. */
        long number = (n * 31 + MYTHREAD) % (keys + keys / 8 + 1);
        wrong += look_up(hash((uint64_t)number), &links) != (number < keys ? number : -1);
    }
    upc_barrier;
    double end = app_seconds();

    long nodes = 0;
    upc_forall (i = 0; i < ROOTS; i++; &roots[i]) {
        nodes += count_and_free(roots[i].top);
        upc_lock_free(roots[i].lock);
    }
    double all_links = app_sum((double)links);
    int failed = app_sum((double)wrong) != 0 || app_sum((double)nodes) != (double)keys;
    if (MYTHREAD == 0)
        printf("tree: %.0f insertions, %.0f look-ups, %.2f million links walked per second: %s\n",
               (double)keys / (built - start), (double)look_ups * THREADS / (end - built),
               1e-6 * all_links / (end - built), failed ? "WRONG" : "right");
    return failed;
}
