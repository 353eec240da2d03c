/* io_jobs.upc: jobs with open files that end in various ways, for io_test.py. */
#include <upc.h>
#include <upc_io.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 16 };

static shared [BLOCK] char data[BLOCK * THREADS];

static upc_file_t *must_open(const char *name, int flags)
{
    upc_file_t *file = upc_all_fopen(name, flags, 0, NULL);
    if (file == NULL) {
        printf("open: %s\n", strerror(errno));
        exit(1);
    }
    return file;
}

static void say(const char *what, upc_off_t result)
{
    if (result < 0)
        printf("%s: %s\n", what, strerror(errno));
    else
        printf("%s: %lld\n", what, (long long)result);
}

/* Leaves an operation outstanding, and two files open. */
static void leave_open(void)
{
    upc_file_t *kept = must_open("kept", UPC_RDWR | UPC_COMMON_FP | UPC_CREATE);
    must_open("gone", UPC_RDWR | UPC_COMMON_FP | UPC_CREATE | UPC_DELETE_ON_CLOSE);
    memset((char *)&data[MYTHREAD * BLOCK], 'x', BLOCK);
    upc_all_fwrite_shared_async(kept, data, BLOCK, 1, BLOCK * THREADS, 0);
}

/* Writes endlessly; a thread dies in the middle. */
static void die(void)
{
    upc_file_t *file = must_open("dying", UPC_RDWR | UPC_COMMON_FP | UPC_CREATE);
    for (int round = 0;; round++) {
        upc_all_fseek(file, 0, UPC_SEEK_SET);
        upc_all_fwrite_shared_async(file, data, BLOCK, 1, BLOCK * THREADS, 0);
        if (round == 20 && MYTHREAD == THREADS - 1)
            raise(SIGKILL);
        upc_all_fwait_async(file);
    }
}

/* Writes more than the device has room for. */
static void fill(const char *name)
{
    upc_file_t *file = must_open(name, UPC_RDWR | UPC_COMMON_FP | UPC_CREATE);
    upc_off_t result;
    do
        result = upc_all_fwrite_shared(file, data, BLOCK, 1, BLOCK * THREADS, 0);
    while (result >= 0);
    say("common", result);
    upc_all_fwrite_shared_async(file, data, BLOCK, 1, BLOCK * THREADS, 0);
    say("asynchronous", upc_all_fwait_async(file));
    upc_all_fcntl(file, UPC_SET_INDIVIDUAL_FP, NULL);
    upc_all_fseek(file, (upc_off_t)(MYTHREAD + 1) << 30, UPC_SEEK_SET);
    say("individual", upc_all_fwrite_local(file, (char *)&data[MYTHREAD * BLOCK], 1, BLOCK, 0));
    say("preallocate", upc_all_fpreallocate(file, 1 << 30));
    upc_all_fset_size(file, 0);
    upc_all_fseek(file, MYTHREAD, UPC_SEEK_SET);
    say("again", upc_all_fwrite_local(file, (char *)&data[MYTHREAD * BLOCK], 1, 1, 0));
    say("size", upc_all_fget_size(file));
    say("close", upc_all_fclose(file));
}

/* Writes a file of 8 GiB, nearly all of it a hole */
static void be_huge(void)
{
    const upc_off_t size = (upc_off_t)8 << 30;
    upc_file_t *file = must_open("huge", UPC_RDWR | UPC_COMMON_FP | UPC_CREATE);
    say("set", upc_all_fset_size(file, size));
    say("get", upc_all_fget_size(file));
    memset((char *)&data[MYTHREAD * BLOCK], 'a' + MYTHREAD, BLOCK);
    say("seek", upc_all_fseek(file, -(upc_off_t)BLOCK * THREADS / 2, UPC_SEEK_END));
    say("write", upc_all_fwrite_shared(file, data, BLOCK, 1, BLOCK * THREADS, 0));
    say("get", upc_all_fget_size(file));
    upc_all_fcntl(file, UPC_SET_INDIVIDUAL_FP, NULL);
    char last = 0, own = (char)('A' + MYTHREAD);
    say("seek", upc_all_fseek(file, -1, UPC_SEEK_END));
    upc_all_fread_local(file, &last, 1, 1, 0);
    printf("last: %d\n", last - 'a');
    struct upc_local_memvec memory = {&own, 1};
    struct upc_filevec place = {((upc_off_t)3 << 30) + MYTHREAD, 1};
    say("list", upc_all_fwrite_list_local(file, 1, &memory, 1, &place, 0));
    say("close", upc_all_fclose(file));
}

int main(int argc, char **argv)
{
    const char *action = argc > 1 ? argv[1] : "";
    if (strcmp(action, "return") == 0) {
        leave_open();
    } else if (strcmp(action, "end") == 0) {
        leave_open();
        upc_barrier;
        if (MYTHREAD == THREADS - 1)
            upc_global_exit(3);
        upc_barrier;
    } else if (strcmp(action, "die") == 0) {
        die();
    } else if (strcmp(action, "fill") == 0) {
        fill(argv[2]);
    } else if (strcmp(action, "open") == 0) {
        must_open(argv[2], UPC_RDWR | UPC_COMMON_FP | UPC_CREATE);
    } else if (strcmp(action, "huge") == 0) {
        be_huge();
    } else if (strcmp(action, "null") == 0) {
        upc_all_fsync(NULL);
    } else if (strcmp(action, "closed") == 0) {
        upc_file_t *file = must_open("kept", UPC_RDWR | UPC_COMMON_FP | UPC_CREATE);
        upc_all_fclose(file);
        upc_all_fsync(file);
    } else if (strcmp(action, "differ") == 0) {
        must_open("kept", UPC_RDWR | UPC_CREATE | (MYTHREAD ? UPC_COMMON_FP : UPC_INDIVIDUAL_FP));
    }
    return 0;
}
