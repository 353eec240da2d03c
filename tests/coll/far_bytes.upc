/*
 * far_bytes.upc: checks how many bytes collectives move between nodes, wherever the threads are: the data of a
 * broadcast enter each node once, and so does each block of a gather_all.
 */
#include <upc.h>
#include <upc_castable.h>
#include <upc_collective.h>
#include <banyan/coll.h>

#include <stdio.h>

enum { BYTES = 200000, BLOCK_BYTES = 20000 };

static shared int leads[THREADS];
static shared unsigned long long moved[THREADS];
static int failures;

/* Nodes are groups of threads that may cast each other's pointers. */
static int count_nodes(void)
{
    int lower = 0, nodes = 0;
    for (int thread = 0; thread < MYTHREAD; thread++)
        lower += upc_thread_info((size_t)thread).guaranteedCastable != 0;
    leads[MYTHREAD] = lower == 0;
    upc_barrier;
    for (int thread = 0; thread < THREADS; thread++)
        nodes += leads[thread];
    return nodes;
}

/* Bytes moved by all threads, where each had `before` */
static unsigned long long sum_since(unsigned long long before)
{
    unsigned long long own = bn_coll_far_bytes() - before, sum = 0;
    upc_barrier;
    moved[MYTHREAD] = own;
    upc_barrier;
    for (int thread = 0; thread < THREADS; thread++)
        sum += moved[thread];
    upc_barrier;
    return sum;
}

static void check(unsigned long long sum, unsigned long long least, unsigned long long most, const char *what, int root)
{
    if (MYTHREAD != 0 || (sum >= least && sum <= most))
        return;
    failures++;
    printf("%s from %d: %llu bytes between nodes, not %llu to %llu\n", what, root, sum, least, most);
}

int main(void)
{
    unsigned long long nodes = (unsigned long long)count_nodes();
    shared char *src = upc_all_alloc(THREADS, BYTES);
    shared char *dst = upc_all_alloc(THREADS, BYTES);
    shared char *all = upc_all_alloc(THREADS, BLOCK_BYTES * (size_t)THREADS);
    unsigned long long before, least = BYTES * (nodes - 1);
    /* The first call of each kind exchanges where the threads are. */
    upc_all_broadcast(dst, src, BYTES, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    upc_all_gather_all(all, src, BLOCK_BYTES, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    for (int root = 0; root < THREADS; root++) {
        before = bn_coll_far_bytes();
        upc_all_broadcast(dst, src + root, BYTES, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
        check(sum_since(before), least, least, "broadcast", root);
    }
    before = bn_coll_far_bytes();
    upc_all_gather_all(all, src, BLOCK_BYTES, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    least = BLOCK_BYTES * (unsigned long long)THREADS * (nodes - 1);
    check(sum_since(before), least, least, "gather_all", 0);
    printf("%d nodes %s\n", (int)nodes, failures == 0 ? "ok" : "failed");
    return failures != 0;
}
