/* What upc_io.h specifies for failing calls: null or -1, with the same errno on all threads. */
#include <upc.h>
#include <upc_io.h>

#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define FAILS(call, expected)     \
    do {                          \
        errno = 0;                \
        EQ(call, -1);             \
        EQ(errno, expected);      \
    } while (0)

#define DOES_NOT_OPEN(name, flags, expected)                   \
    do {                                                       \
        errno = 0;                                             \
        CHECK(upc_all_fopen(name, flags, 0, NULL) == NULL);    \
        EQ(errno, expected);                                   \
        upc_barrier;                                           \
    } while (0)

static shared [16] char data[16 * THREADS];
static char own[64];
enum { COMMON = UPC_COMMON_FP, INDIVIDUAL = UPC_INDIVIDUAL_FP };

static void openings(void)
{
    DOES_NOT_OPEN("missing", UPC_RDONLY | COMMON, ENOENT);
    DOES_NOT_OPEN("missing", UPC_RDWR | INDIVIDUAL, ENOENT);
    DOES_NOT_OPEN("missing/file", UPC_RDWR | UPC_CREATE | INDIVIDUAL, ENOENT);
    DOES_NOT_OPEN("errors.dat/file", UPC_RDWR | UPC_CREATE | INDIVIDUAL, ENOTDIR);
    DOES_NOT_OPEN(".", UPC_RDONLY | COMMON, EISDIR);
    DOES_NOT_OPEN(".", UPC_WRONLY | COMMON, EISDIR);
    DOES_NOT_OPEN("errors.dat", UPC_RDWR | UPC_CREATE | UPC_EXCL | COMMON, EEXIST);
    DOES_NOT_OPEN("errors.dat", UPC_RDWR | UPC_EXCL | COMMON, EINVAL);
    DOES_NOT_OPEN("errors.dat", UPC_RDONLY | UPC_TRUNC | COMMON, EINVAL);
    DOES_NOT_OPEN("errors.dat", COMMON, EINVAL);
    DOES_NOT_OPEN("errors.dat", UPC_RDONLY | UPC_RDWR | COMMON, EINVAL);
    DOES_NOT_OPEN("errors.dat", UPC_RDONLY, EINVAL);
    DOES_NOT_OPEN("errors.dat", UPC_RDONLY | COMMON | INDIVIDUAL, EINVAL);
    DOES_NOT_OPEN("errors.dat", UPC_RDONLY | COMMON | 1 << 20, EINVAL);
    DOES_NOT_OPEN(NULL, UPC_RDONLY | COMMON, EINVAL);
    DOES_NOT_OPEN("", UPC_RDONLY | COMMON, ENOENT);
    errno = 0;
    CHECK(upc_all_fopen("errors.dat", UPC_RDONLY | COMMON, 1, NULL) == NULL);
    EQ(errno, EINVAL);
    if (THREADS > 1) {
        /* Wrong on one thread only: an error on all */
        DOES_NOT_OPEN(MYTHREAD == THREADS - 1 ? "missing" : "errors.dat", UPC_RDONLY | COMMON, ENOENT);
        DOES_NOT_OPEN(MYTHREAD == THREADS - 1 ? "other.dat" : "errors.dat", UPC_RDONLY | COMMON, EINVAL);
    }
}

/* Root may do everything, so it becomes another user for a while. */
static void permissions(void)
{
    bool was_root = geteuid() == 0;
    if (MYTHREAD == 0) {
        EQ(chmod(".", 0755), 0);
        EQ(mkdir("readonly", 0555), 0);
        EQ(chmod("other.dat", 0444), 0);
    }
    upc_barrier;
    if (was_root)
        EQ(seteuid(65534), 0);
    DOES_NOT_OPEN("readonly/new", UPC_RDWR | UPC_CREATE | COMMON, EACCES);
    DOES_NOT_OPEN("other.dat", UPC_RDWR | COMMON, EACCES);
    if (was_root)
        EQ(seteuid(0), 0);
    upc_barrier;
    if (MYTHREAD == 0)
        rmdir("readonly");
}

static void permissions_are(const char *name, int permissions)
{
    struct stat facts;
    EQ(stat(name, &facts), 0);
    EQ(facts.st_mode & 0777, permissions);
}

/* A new file may be inaccessible to all but the threads that make it; a failing call does not leave it behind. */
static void new_files(void)
{
    const char *name = "anyones/new";
    upc_hint_t hint = {"file_perm", "0444"};
    bool was_root = geteuid() == 0;
    if (MYTHREAD == 0) {
        EQ(mkdir("anyones", 0777), 0);
        EQ(chmod("anyones", 0777), 0);
    }
    upc_barrier;
    if (was_root)
        EQ(seteuid(65534), 0);
    umask(0777);
    upc_barrier;
    for (int round = 0; round < 2; round++) {
        upc_file_t *f = upc_all_fopen(name, UPC_RDWR | UPC_CREATE | INDIVIDUAL, 1, &hint);
        CHECK(f != NULL);
        permissions_are(name, round == 0 ? 0 : 0444);
        if (f)
            EQ(upc_all_fclose(f), 0);
        upc_barrier;
        DOES_NOT_OPEN(name, UPC_RDWR | UPC_CREATE | INDIVIDUAL, EACCES);
        permissions_are(name, round == 0 ? 0 : 0444);
        umask(022);
        upc_barrier;
        if (MYTHREAD == 0)
            remove(name);
        upc_barrier;
    }
    if (THREADS > 1)
        DOES_NOT_OPEN(MYTHREAD == THREADS - 1 ? "missing" : name, UPC_RDWR | UPC_CREATE | INDIVIDUAL, ENOENT);
    CHECK(access(name, F_OK) != 0);
    if (was_root)
        EQ(seteuid(0), 0);
    upc_barrier;
    if (MYTHREAD == 0)
        rmdir("anyones");
}

static void pointers_and_sizes(void)
{
    upc_file_t *f = upc_all_fopen("errors.dat", UPC_RDWR | INDIVIDUAL, 0, NULL);
    FAILS(upc_all_fseek(f, -1, UPC_SEEK_SET), EINVAL);
    FAILS(upc_all_fseek(f, -1, UPC_SEEK_CUR), EINVAL);
    FAILS(upc_all_fseek(f, -11, UPC_SEEK_END), EINVAL);
    FAILS(upc_all_fseek(f, 0, 3), EINVAL);
    FAILS(upc_all_fseek(f, INT64_MAX, UPC_SEEK_END), EOVERFLOW);
    EQ(upc_all_fseek(f, 0, UPC_SEEK_CUR), 0);
    FAILS(upc_all_fset_size(f, -1), EINVAL);
    FAILS(upc_all_fpreallocate(f, -1), EINVAL);
    FAILS(upc_all_fcntl(f, 3, NULL), EINVAL);
    FAILS(upc_all_fcntl(f, UPC_GET_FN, NULL), EINVAL);
    FAILS(upc_all_fcntl(f, UPC_GET_HINTS, NULL), EINVAL);
    FAILS(upc_all_fcntl(f, UPC_SET_HINT, NULL), EINVAL);
    EQ(upc_all_fseek(f, INT64_MAX - 8, UPC_SEEK_SET), INT64_MAX - 8);
    FAILS(upc_all_fread_local(f, own, 1, 16, 0), EOVERFLOW);
    EQ(upc_all_fseek(f, 0, UPC_SEEK_SET), 0);
    FAILS(upc_all_fread_local(f, own, SIZE_MAX, 2, 0), EOVERFLOW);
    FAILS(upc_all_fread_local(f, NULL, 1, 1, 0), EINVAL);
    FAILS(upc_all_fread_shared(f, NULL, 1, 1, 1, 0), EINVAL);
    EQ(upc_all_fread_local(f, NULL, 1, 0, 0), 0);
    EQ(upc_all_fread_shared(f, NULL, 1, 0, 1, 0), 0);
    /* If one thread fails, all do, since the call ends with a barrier */
    EQ(upc_all_fseek(f, 0, UPC_SEEK_SET), 0);
    FAILS(upc_all_fread_local(f, MYTHREAD == THREADS - 1 ? NULL : own, 1, 1, 0), EINVAL);
    EQ(upc_all_fclose(f), 0);
}

static void wrong_ways(void)
{
    upc_file_t *f = upc_all_fopen("errors.dat", UPC_RDONLY | COMMON, 0, NULL);
    FAILS(upc_all_fwrite_shared(f, data, 16, 1, 1, 0), EBADF);
    FAILS(upc_all_fset_size(f, 5), EBADF);
    FAILS(upc_all_fpreallocate(f, 5), EBADF);
    FAILS(upc_all_fread_local(f, own, 1, 1, 0), EINVAL);
    EQ(upc_all_fread_shared(f, data, 16, 1, 4, 0), 4);
    EQ(upc_all_fclose(f), 0);
    f = upc_all_fopen("errors.dat", UPC_WRONLY | COMMON, 0, NULL);
    FAILS(upc_all_fread_shared(f, data, 16, 1, 1, UPC_IN_NOSYNC | UPC_OUT_NOSYNC), EBADF);
    EQ(upc_all_fclose(f), 0);
}

static void lists(void)
{
    upc_file_t *f = upc_all_fopen("errors.dat", UPC_RDWR | COMMON, 0, NULL);
    struct upc_local_memvec memory[2] = {{own, 3}, {own + 8, 4}};
    struct upc_filevec file[2] = {{0, 3}, {5, 4}};
    EQ(upc_all_fread_list_local(f, 2, memory, 2, file, 0), 7);
    file[1].len = 5;
    FAILS(upc_all_fread_list_local(f, 2, memory, 2, file, 0), EINVAL);
    file[1] = (struct upc_filevec){2, 4};
    EQ(upc_all_fread_list_local(f, 2, memory, 2, file, 0), 7);
    FAILS(upc_all_fwrite_list_local(f, 2, memory, 2, file, 0), EINVAL);
    file[0].offset = 3;
    FAILS(upc_all_fread_list_local(f, 2, memory, 2, file, 0), EINVAL);
    file[0].offset = -1;
    FAILS(upc_all_fread_list_local(f, 2, memory, 2, file, 0), EINVAL);
    file[0] = (struct upc_filevec){0, 7};
    EQ(upc_all_fread_list_local(f, 2, memory, 1, file, 0), 7);
    memory[0].baseaddr = NULL;
    FAILS(upc_all_fread_list_local(f, 2, memory, 1, file, 0), EINVAL);
    FAILS(upc_all_fread_list_local(f, 2, NULL, 1, file, 0), EINVAL);
    FAILS(upc_all_fread_list_local(f, 2, memory, 1, NULL, 0), EINVAL);
    EQ(upc_all_fread_list_local(f, 0, NULL, 0, NULL, 0), 0);
    EQ(upc_all_fwrite_list_shared(f, 0, NULL, 0, NULL, 0), 0);
    EQ(upc_all_fclose(f), 0);
}

static void asynchronous(void)
{
    int flag = 7;
    upc_file_t *f = upc_all_fopen("errors.dat", UPC_RDWR | COMMON, 0, NULL);
    FAILS(upc_all_fwait_async(f), EINVAL);
    FAILS(upc_all_ftest_async(f, &flag), EINVAL);
    EQ(flag, 1);
    FAILS(upc_all_ftest_async(f, NULL), EINVAL);
    upc_all_fread_shared_async(f, data, 16, 1, 4, 0);
    FAILS(upc_all_fclose(f), EBUSY);
    FAILS(upc_all_fsync(f), EBUSY);
    FAILS(upc_all_fseek(f, 0, UPC_SEEK_SET), EBUSY);
    FAILS(upc_all_fget_size(f), EBUSY);
    FAILS(upc_all_fset_size(f, 1), EBUSY);
    FAILS(upc_all_fcntl(f, UPC_GET_FP, NULL), EBUSY);
    FAILS(upc_all_fread_shared(f, data, 16, 1, 4, 0), EBUSY);
    EQ(upc_all_fcntl(f, UPC_ASYNC_OUTSTANDING, NULL), 1);
    EQ(upc_all_fwait_async(f), 4);
    upc_all_fread_shared_async(f, data, 16, 1, 4, 0);
    upc_all_fread_shared_async(f, data, 16, 1, 4, 0);
    FAILS(upc_all_fwait_async(f), EBUSY);
    upc_all_fwrite_local_async(f, own, 1, 1, 0);
    FAILS(upc_all_fwait_async(f), EINVAL);
    EQ(upc_all_fseek(f, 0, UPC_SEEK_SET), 0);
    EQ(upc_all_fread_shared(f, data, 16, 1, 5, UPC_ASYNC), 0);
    EQ(upc_all_fwait_async(f), 5);
    EQ(upc_all_fclose(f), 0);
}

/* A full device, and a size limit: all threads get the error, with the common pointer and with individual ones. */
static void no_room(void)
{
    upc_file_t *f = upc_all_fopen("/dev/full", UPC_WRONLY | COMMON, 0, NULL);
    FAILS(upc_all_fwrite_shared(f, data, 16, 1, 4, 0), ENOSPC);
    upc_all_fwrite_shared_async(f, data, 16, 1, 4, 0);
    FAILS(upc_all_fwait_async(f), ENOSPC);
    EQ(upc_all_fcntl(f, UPC_SET_INDIVIDUAL_FP, NULL), 0);
    FAILS(upc_all_fwrite_local(f, own, 1, MYTHREAD == 0, 0), ENOSPC);
    EQ(upc_all_fclose(f), 0);

    struct rlimit limit = {1000, 1000}, before;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    limit.rlim_max = before.rlim_max;
    EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    f = upc_all_fopen("errors.dat", UPC_RDWR | COMMON, 0, NULL);
    EQ(upc_all_fseek(f, 998, UPC_SEEK_SET), 998);
    FAILS(upc_all_fwrite_shared(f, data, 16, 1, 4, 0), EFBIG);
    FAILS(upc_all_fset_size(f, 2000), EFBIG);
    setrlimit(RLIMIT_FSIZE, &before);
    EQ(upc_all_fclose(f), 0);
}

int main(void)
{
    if (MYTHREAD == 0) {
        const char *const names[] = {"errors.dat", "other.dat"};
        for (int i = 0; i < 2; i++) {
            FILE *stream = fopen(names[i], "w");
            fputs("0123456789", stream);
            fclose(stream);
        }
    }
    upc_barrier;
    openings();
    permissions();
    new_files();
    pointers_and_sizes();
    wrong_ways();
    lists();
    asynchronous();
    no_room();
    upc_barrier;
    if (MYTHREAD == 0) {
        remove("errors.dat");
        remove("other.dat");
    }
    return finish();
}
