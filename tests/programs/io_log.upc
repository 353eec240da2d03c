// args: 40
/* A log to which all threads append lines of different lengths, in rounds; each round is in the order of the threads.
 * Runs
   append to what earlier runs have left.

   usage: io_log ROUNDS [keep] */
#include <upc.h>
#include <upc_collective.h>
#include <upc_io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static shared long lengths[THREADS];
static shared long ends[THREADS];
static char lines[65536];

static int must(long long result, const char *what)
{
    if (result < 0) {
        perror(what);
        upc_global_exit(1);
    }
    return 1;
}

/* Lines of one thread in one round; some threads have none */
static size_t compose(int thread, int round)
{
    size_t n = 0;
    lines[0] = '\0';
    for (int i = 0; i < (thread * 7 + round * 3) % 5; i++)
        n += (size_t)sprintf(lines + n, "round %d thread %d line %d %.*s\n", round, thread, i,
                             (thread + i * 13 + round) % 60,
                             "............................................................");
    return n;
}

static upc_off_t append(upc_file_t *log, upc_off_t at, size_t bytes)
{
    lengths[MYTHREAD] = (long)bytes;
    upc_all_prefix_reduceL(ends, lengths, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    long end = ends[MYTHREAD];
    must(upc_all_fseek(log, at + end - (long)bytes, UPC_SEEK_SET), "seek");
    must(upc_all_fwrite_local(log, lines, 1, bytes, UPC_IN_NOSYNC | UPC_OUT_NOSYNC), "write");
    upc_off_t next = at + ends[THREADS - 1];
    upc_barrier;
    return next;
}

/* The file as seen by a reader without threads */
static int check(const char *name, int rounds, int copies)
{
    FILE *stream = fopen(name, "r");
    if (stream == NULL)
        return 0;
    int right = 1;
    for (int copy = 0; copy < copies; copy++) {
        for (int round = 0; round < rounds; round++) {
            for (int t = 0; t < THREADS; t++) {
                static char got[65536];
                size_t n = compose(t, round);
                right &= fread(got, 1, n, stream) == n && memcmp(got, lines, n) == 0;
            }
        }
    }
    right &= fgetc(stream) == EOF;
    fclose(stream);
    return right;
}

static void run(const char *name, int rounds)
{
    upc_file_t *log = upc_all_fopen(name, UPC_WRONLY | UPC_CREATE | UPC_APPEND | UPC_INDIVIDUAL_FP, 0, NULL);
    if (log == NULL) {
        perror(name);
        upc_global_exit(1);
    }
    upc_off_t at = upc_all_fseek(log, 0, UPC_SEEK_CUR);
    for (int round = 0; round < rounds; round++)
        at = append(log, at, compose(MYTHREAD, round));
    must(upc_all_fclose(log), "close");
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 40;
    run("append.log", rounds);
    run("append.log", rounds);
    if (check("append.log", rounds, 2))
        printf("ok\n");
    else
        printf("thread %d: the log is wrong\n", MYTHREAD);
    upc_barrier;
    if (MYTHREAD == 0 && argc < 3)
        remove("append.log");
    return 0;
}
