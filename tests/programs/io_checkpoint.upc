// args: check
/* Heat in a square plate with checkpoints: the plate is written while the next steps are computed, and a run goes on
 * from
   the last checkpoint, with as many threads as there happen to be.

   usage: io_checkpoint [check | run STEPS | resume STEPS] */
#include <upc_relaxed.h>
#include <upc_io.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_PER_THREAD 24
#define COLUMNS 200

struct header {
    char magic[8];
    long rows;
    long columns;
    long step;
};

/* Blocks of rows; rows of the file are those of all threads one after the other */
typedef shared [ROWS_PER_THREAD * COLUMNS] double *plate_t;
static plate_t plate, next, saved;
static long rows;

static void die(const char *what)
{
    fprintf(stderr, "thread %d: %s: %s\n", MYTHREAD, what, strerror(errno));
    upc_global_exit(1);
}

static plate_t new_plate(void)
{
    plate_t p = (plate_t)upc_all_alloc(THREADS, ROWS_PER_THREAD * COLUMNS * sizeof(double));
    if (p == NULL)
        die("no memory");
    return p;
}

static void start_hot_in_a_corner(void)
{
    long i, j;
    upc_forall (i = 0; i < rows; i++; &plate[i * COLUMNS]) {
        for (j = 0; j < COLUMNS; j++)
            plate[i * COLUMNS + j] = i < 5 && j < 5 ? 100.0 : (double)(i + j) / 1000;
    }
    upc_barrier;
}

static void step(void)
{
    long i, j;
    upc_forall (i = 0; i < rows; i++; &plate[i * COLUMNS]) {
        for (j = 0; j < COLUMNS; j++) {
            double sum = plate[i * COLUMNS + j];
            int n = 1;
            if (i > 0) { sum += plate[(i - 1) * COLUMNS + j]; n++; }
            if (i < rows - 1) { sum += plate[(i + 1) * COLUMNS + j]; n++; }
            if (j > 0) { sum += plate[i * COLUMNS + j - 1]; n++; }
            if (j < COLUMNS - 1) { sum += plate[i * COLUMNS + j + 1]; n++; }
            next[i * COLUMNS + j] = sum / n;
        }
    }
    upc_barrier;
    plate_t old = plate;
    plate = next;
    next = old;
}

/* The header is written by thread 0, the plate by all in the background; save_end waits. */
static upc_file_t *save_begin(const char *name, long at)
{
    upc_file_t *f = upc_all_fopen(name, UPC_WRONLY | UPC_CREATE | UPC_TRUNC | UPC_COMMON_FP, 0, NULL);
    if (f == NULL)
        die(name);
    struct header header = {"HEATSAV", rows, COLUMNS, at};
    struct upc_local_memvec memory = {&header, sizeof header};
    struct upc_filevec place = {0, sizeof header};
    size_t n = MYTHREAD == 0;
    if (upc_all_fwrite_list_local(f, n, &memory, n, &place, 0) < 0)
        die("header");
    memcpy((void *)&saved[MYTHREAD * ROWS_PER_THREAD * COLUMNS], (void *)&plate[MYTHREAD * ROWS_PER_THREAD * COLUMNS],
           ROWS_PER_THREAD * COLUMNS * sizeof(double));
    upc_all_fseek(f, sizeof header, UPC_SEEK_SET);
    upc_all_fwrite_shared_async(f, saved, ROWS_PER_THREAD * COLUMNS, sizeof(double), rows * COLUMNS,
                                UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    return f;
}

static void save_end(upc_file_t *f)
{
    if (upc_all_fwait_async(f) != (upc_off_t)(rows * COLUMNS * sizeof(double)))
        die("checkpoint");
    if (upc_all_fclose(f) < 0)
        die("close");
}

/* The file may come from a run with more or fewer threads; here it must fit exactly into the plate of this one. */
static long load(const char *name)
{
    struct header header;
    upc_file_t *f = upc_all_fopen(name, UPC_RDONLY | UPC_INDIVIDUAL_FP, 0, NULL);
    if (f == NULL)
        die(name);
    if (upc_all_fread_local(f, &header, sizeof header, 1, 0) != sizeof header || strcmp(header.magic, "HEATSAV") != 0) {
        fprintf(stderr, "%s is not a checkpoint\n", name);
        upc_global_exit(1);
    }
    if (header.rows != rows || header.columns != COLUMNS) {
        if (MYTHREAD == 0)
            fprintf(stderr, "%s has %ld x %ld points\n", name, header.rows, header.columns);
        upc_global_exit(1);
    }
    upc_all_fcntl(f, UPC_SET_COMMON_FP, NULL);
    upc_all_fseek(f, sizeof header, UPC_SEEK_SET);
    upc_off_t got = upc_all_fread_shared(f, plate, ROWS_PER_THREAD * COLUMNS, sizeof(double), rows * COLUMNS, 0);
    if (got != (upc_off_t)(rows * COLUMNS * sizeof(double)))
        die("short checkpoint");
    upc_all_fclose(f);
    return header.step;
}

static double total(void)
{
    double sum = 0;
    for (long i = 0; i < rows * COLUMNS; i++)
        sum += plate[i];
    upc_barrier;
    return sum;
}

static void run(long from, long to)
{
    upc_file_t *f = NULL;
    for (long s = from; s < to; s++) {
        if (s % 10 == 0) {
            if (f != NULL)
                save_end(f);
            f = save_begin("heat.sav", s);
        }
        step();
    }
    if (f != NULL)
        save_end(f);
    f = save_begin("heat.sav", to);
    save_end(f);
}

int main(int argc, char **argv)
{
    rows = (long)ROWS_PER_THREAD * THREADS;
    plate = new_plate();
    next = new_plate();
    saved = new_plate();
    const char *how = argc > 1 ? argv[1] : "check";
    long steps = argc > 2 ? atol(argv[2]) : 35;
    if (strcmp(how, "resume") == 0) {
        long at = load("heat.sav");
        run(at, at + steps);
        if (MYTHREAD == 0)
            printf("step %ld: %.12g\n", at + steps, total());
        else
            total();
        return 0;
    }
    start_hot_in_a_corner();
    run(0, steps);
    double straight = total();
    if (strcmp(how, "run") == 0) {
        if (MYTHREAD == 0)
            printf("step %ld: %.12g\n", steps, straight);
        return 0;
    }
    /* The same again in two parts, with a checkpoint between them */
    start_hot_in_a_corner();
    run(0, 20);
    memset((void *)&plate[MYTHREAD * ROWS_PER_THREAD * COLUMNS], 0, ROWS_PER_THREAD * COLUMNS * sizeof(double));
    upc_barrier;
    long at = load("heat.sav");
    run(at, steps);
    double in_parts = total();
    if (at == 20 && in_parts == straight)
        printf("ok\n");
    else
        printf("thread %d: from step %ld: %.17g in place of %.17g\n", MYTHREAD, at, in_parts, straight);
    upc_barrier;
    if (MYTHREAD == 0)
        remove("heat.sav");
    return 0;
}
