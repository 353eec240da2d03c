/*
 * list: all threads build one sorted linked list and remove half of it again.
 *
 * usage: list [keys [walks]]
 *
 * Every node has a lock.  A thread goes down the list hand over hand: it holds the lock of a node until it has that of
 * the next, so nobody can overtake it and no node can vanish under it.  Nodes live on the thread that inserted them.
 * Then all threads walk the whole list, which measures how fast pointers can be chased.
 *
 * Check: after the insertions all keys are in the list, in order; after the removals only the even ones.
 */
#include "app.h"

static const char usage[] = "list [keys [walks]]";

typedef shared struct node node_t;
struct node {
    long key;
    node_t *next;
    upc_lock_t *lock;
};

/* The head compares less than every key. */
shared struct node head;

static node_t *new_node(long key, node_t *next)
{
    node_t *node = upc_alloc(sizeof(struct node));
    if (node == NULL) {
        fprintf(stderr, "thread %d: no memory for a node; choose fewer keys\n", MYTHREAD);
        upc_global_exit(1);
    }
    node->key = key;
    node->next = next;
    node->lock = upc_global_lock_alloc();
    return node;
}

/* The last node with a smaller key; the caller holds its lock, and nobody can change its link. */
static node_t *lock_before(long key)
{
    node_t *at = &head;
    upc_lock(at->lock);
    for (;;) {
        node_t *next = at->next;
        if (next == NULL || next->key >= key)
            return at;
        upc_lock(next->lock);
        upc_unlock(at->lock);
        at = next;
    }
}

static void insert(long key)
{
    node_t *before = lock_before(key);
    before->next = new_node(key, before->next);
    upc_unlock(before->lock);
}

static void delete(long key)
{
    node_t *before = lock_before(key);
    node_t *gone = before->next;
    upc_lock(gone->lock);
    before->next = gone->next;
    upc_unlock(gone->lock);
    upc_lock_free(gone->lock);
    upc_unlock(before->lock);
    upc_free(gone);
}

/* Walks the list: 1 if it has count keys first, first + step, ... */
static int is_list(long first, long step, long count)
{
    long key = first;
    long seen = 0;
    for (node_t *node = head.next; node != NULL; node = node->next, seen++) {
        if (node->key != key)
            return 0;
        key += step;
    }
    return seen == count;
}

int main(int argc, char **argv)
{
    if (argc > 3)
        app_usage(usage);
    long keys = app_argument(argc, argv, 1, 2000, 1, 10000000, usage);
    long walks = app_argument(argc, argv, 2, 100, 1, 10000000, usage);
    long key;

    upc_lock_t *first_lock = upc_all_lock_alloc();
    if (MYTHREAD == 0) {
        head.key = -1;
        head.lock = first_lock;
    }

    /* A prime stride meets every key once, in an order that looks random. */
    long stride = keys % 7919 == 0 ? 1 : 7919;
    upc_barrier;
    double start = app_seconds();
    upc_forall (key = 0; key < keys; key++; key)
        insert(key * stride % keys);
    upc_barrier;
    double built = app_seconds();

    int right = 1;
    for (long walk = 0; walk < walks; walk++)
        right &= is_list(0, 1, keys);
    upc_barrier;
    double walked = app_seconds();

    upc_forall (key = 1; key < keys; key += 2; key / 2)
        delete(key);
    upc_barrier;
    double end = app_seconds();
    right &= is_list(0, 2, (keys + 1) / 2);

    int wrong = app_sum(right ? 0 : 1) != 0;
    if (MYTHREAD == 0)
        printf("list: %.0f insertions, %.0f removals, %.2f million links walked per second: %s\n",
               (double)keys / (built - start), (double)(keys / 2) / (end - walked),
               1e-6 * (double)keys * (double)walks * THREADS / (walked - built), wrong ? "WRONG" : "right");
    return wrong;
}
