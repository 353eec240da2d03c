// An integer sort as the NAS benchmarks for UPC have it: keys dealt out to buckets, counts by upc_all_reduceI and
// exchange, keys by upc_memget, sums under a lock; verified by ranks.
// static: only
// expect-stdout: Verification\s+=\s+SUCCESSFUL
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#include <upc_collective.h>

#define TOTAL_KEYS_LOG_2 14
#define MAX_KEY_LOG_2 11
#define NUM_BUCKETS_LOG_2 8
#define TOTAL_KEYS (1 << TOTAL_KEYS_LOG_2)
#define MAX_KEY (1 << MAX_KEY_LOG_2)
#define NUM_BUCKETS (1 << NUM_BUCKETS_LOG_2)
#define NUM_KEYS (TOTAL_KEYS / THREADS)
#define SIZE_OF_BUFFERS (2 * TOTAL_KEYS)

typedef int INT_TYPE;
typedef struct {
    INT_TYPE count[THREADS];
    INT_TYPE displ[THREADS];
} send_info;

shared INT_TYPE *bucket_size_all;
shared [NUM_BUCKETS] INT_TYPE bucket_size[THREADS * NUM_BUCKETS];
shared [NUM_BUCKETS] INT_TYPE bucket_totals[THREADS * NUM_BUCKETS];
shared [] INT_TYPE *shared key_buff1_shd[THREADS];
shared send_info *infos;
shared int failures;
shared long key_sum_before, key_sum_after;
upc_lock_t *critical;

static double randlc(double *x, double a)
{
    const double r23 = 1.1920928955078125e-07, r46 = r23 * r23, t23 = 8388608.0, t46 = t23 * t23;
    double t1 = r23 * a, a1 = (int)t1, a2 = a - t23 * a1, x1, x2, t2, z, t3, t4;
    t1 = r23 * *x;
    x1 = (int)t1;
    x2 = *x - t23 * x1;
    t1 = a1 * x2 + a2 * x1;
    t2 = (int)(r23 * t1);
    z = t1 - t23 * t2;
    t3 = t23 * z + a2 * x2;
    t4 = (int)(r46 * t3);
    *x = t3 - t46 * t4;
    return r46 * *x;
}

static long sum_of(const INT_TYPE *keys, int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += keys[i];
    return sum;
}

int main(int argc, char **argv)
{
    static INT_TYPE key_array[TOTAL_KEYS], key_buff2[SIZE_OF_BUFFERS];
    INT_TYPE totals[NUM_BUCKETS], pointers[NUM_BUCKETS], owner[NUM_BUCKETS];
    double seed = 314159265.0 + 2.0 * MYTHREAD;
    int mine = MYTHREAD == THREADS - 1 ? TOTAL_KEYS - NUM_KEYS * (THREADS - 1) : NUM_KEYS;
    int i, b, shift = MAX_KEY_LOG_2 - NUM_BUCKETS_LOG_2;

    critical = upc_all_lock_alloc();
    infos = (shared send_info *)upc_all_alloc(THREADS, sizeof(send_info));
    key_buff1_shd[MYTHREAD] = (shared [] INT_TYPE *)upc_alloc(TOTAL_KEYS * sizeof(INT_TYPE));
    for (i = 0; i < mine; i++) {
        double x = randlc(&seed, 1220703125.0);
        x += randlc(&seed, 1220703125.0);
        x += randlc(&seed, 1220703125.0);
        x += randlc(&seed, 1220703125.0);
        key_array[i] = (INT_TYPE)(MAX_KEY / 4 * x);
    }
    upc_lock(critical);
    key_sum_before += sum_of(key_array, mine);
    upc_unlock(critical);

    INT_TYPE *local_sizes = (INT_TYPE *)&bucket_size[MYTHREAD * NUM_BUCKETS];
    for (i = 0; i < mine; i++)
        local_sizes[key_array[i] >> shift]++;
    upc_barrier 1;
    for (b = 0; b < NUM_BUCKETS; b++) {
        totals[b] = 0;
        for (i = 0; i < THREADS; i++)
            totals[b] += bucket_size[i * NUM_BUCKETS + b];
    }
    int sum = 0;
    for (b = 0; b < NUM_BUCKETS; b++) {
        owner[b] = sum < TOTAL_KEYS ? (int)((long)sum * THREADS / TOTAL_KEYS) : THREADS - 1; /* empty ones at the end */
        sum += totals[b];
    }
    /* local keys in order of buckets, from which the others take theirs */
    INT_TYPE *sorted = (INT_TYPE *)key_buff1_shd[MYTHREAD];
    pointers[0] = 0;
    for (b = 1; b < NUM_BUCKETS; b++)
        pointers[b] = pointers[b - 1] + local_sizes[b - 1];
    for (b = 0; b < NUM_BUCKETS; b++) {
        int t = owner[b];
        if (infos[MYTHREAD].count[t] == 0)
            infos[MYTHREAD].displ[t] = pointers[b];
        infos[MYTHREAD].count[t] += local_sizes[b];
    }
    for (i = 0; i < mine; i++)
        sorted[pointers[key_array[i] >> shift]++] = key_array[i];
    upc_barrier 2;
    int received = 0;
    for (i = 0; i < THREADS; i++) {
        send_info info;
        upc_memget(&info, &infos[i], sizeof info);
        upc_memget(key_buff2 + received, key_buff1_shd[i] + info.displ[MYTHREAD],
                   info.count[MYTHREAD] * sizeof(INT_TYPE));
        received += info.count[MYTHREAD];
    }
    upc_notify 3;
    INT_TYPE *histogram = calloc(MAX_KEY, sizeof(INT_TYPE));
    for (i = 0; i < received; i++)
        histogram[key_buff2[i]]++;
    int k = 0, lowest = received ? MAX_KEY : -1, highest = -1;
    for (b = 0; b < MAX_KEY; b++)
        for (i = 0; i < histogram[b]; i++) {
            key_buff2[k++] = b;
            lowest = b < lowest ? b : lowest;
            highest = b;
        }
    upc_wait 3;
    static shared int lowest_key[THREADS], highest_key[THREADS], counts[THREADS], total_count;
    lowest_key[MYTHREAD] = lowest;
    highest_key[MYTHREAD] = highest;
    counts[MYTHREAD] = received;
    upc_all_reduceI(&total_count, counts, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    upc_lock(critical);
    key_sum_after += sum_of(key_buff2, received);
    for (i = MYTHREAD + 1; i < THREADS && received; i++)
        if (counts[i] && lowest_key[i] <= highest)
            failures++;
    upc_unlock(critical);
    upc_barrier;
    if (MYTHREAD == 0)
        printf(" Verification    =               %s\n",
               failures == 0 && key_sum_before == key_sum_after && total_count == TOTAL_KEYS ? "SUCCESSFUL" : "FAILED");
    free(histogram);
    upc_free(key_buff1_shd[MYTHREAD]);
    upc_barrier;
    if (MYTHREAD == 0) {
        upc_free(infos);
        upc_lock_free(critical);
    }
    return 0;
}
