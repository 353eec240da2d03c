/* Flags of upc_all_fopen, and upc_all_fcntl with all its commands. */
#include <upc.h>
#include <upc_io.h>

#include "check.h"

#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#if !__UPC_IO__ || !__UPC_IO_TYPEDEFS__
#error "no upc_io.h"
#endif

static shared [4] char data[4 * THREADS];
static const char *const name = "control.dat";

static long size_on_disk(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 ? (long)facts.st_size : -1;
}

static void creating(void)
{
    upc_file_t *f = upc_all_fopen(name, UPC_RDWR | UPC_COMMON_FP | UPC_CREATE | UPC_EXCL, 0, NULL);
    CHECK(f != NULL);
    EQ(upc_all_fwrite_shared(f, data, 4, 1, 4, 0), 4);
    EQ(upc_all_fget_size(f), 4);
    EQ(upc_all_fclose(f), 0);
    EQ(size_on_disk(name), 4);

    /* The end is where pointers begin, but they do not stay there. */
    f = upc_all_fopen(name, UPC_RDWR | UPC_COMMON_FP | UPC_APPEND, 0, NULL);
    EQ(upc_all_fseek(f, 0, UPC_SEEK_CUR), 4);
    EQ(upc_all_fwrite_shared(f, data, 4, 1, 3, 0), 3);
    EQ(upc_all_fseek(f, 1, UPC_SEEK_SET), 1);
    EQ(upc_all_fwrite_shared(f, data, 4, 1, 1, 0), 1);
    EQ(upc_all_fget_size(f), 7);
    EQ(upc_all_fclose(f), 0);
    f = upc_all_fopen(name, UPC_RDWR | UPC_INDIVIDUAL_FP | UPC_APPEND | UPC_CREATE, 0, NULL);
    EQ(upc_all_fseek(f, 0, UPC_SEEK_CUR), 7);
    EQ(upc_all_fclose(f), 0);

    f = upc_all_fopen(name, UPC_WRONLY | UPC_COMMON_FP | UPC_TRUNC, 0, NULL);
    EQ(upc_all_fget_size(f), 0);
    EQ(upc_all_fclose(f), 0);
    EQ(size_on_disk(name), 0);

    f = upc_all_fopen(name, UPC_RDONLY | UPC_COMMON_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
    upc_barrier;
    EQ(size_on_disk(name), 0);
    upc_barrier;
    if (MYTHREAD == 0)
        EQ(chdir("/"), 0); /* the same file even if the working directory has changed */
    EQ(upc_all_fclose(f), 0);
}

/* Two files at once, with names that differ between threads; the handles are the same on all threads. */
static upc_file_t *shared of_thread_0;

static void handles(void)
{
    char path[64];
    snprintf(path, sizeof path, "%s%s", MYTHREAD % 2 ? "././" : "", name);
    upc_file_t *f = upc_all_fopen(path, UPC_RDWR | UPC_COMMON_FP | UPC_CREATE, 0, NULL);
    upc_file_t *g = upc_all_fopen(path, UPC_RDWR | UPC_INDIVIDUAL_FP, 0, NULL);
    const char *given = NULL;
    EQ(upc_all_fcntl(f, UPC_GET_FN, &given), 0);
    CHECK(strcmp(given, path) == 0);
    if (MYTHREAD == 0)
        of_thread_0 = f;
    upc_barrier;
    CHECK(of_thread_0 == f);
    CHECK(f != g);
    upc_file_t *h = of_thread_0;
    EQ(upc_all_fwrite_shared(h, data, 4, 1, 4, 0), 4);
    EQ(upc_all_fclose(f), 0);
    EQ(upc_all_fget_size(g), 4);
    EQ(upc_all_fclose(g), 0);
}

static void commands(void)
{
    int flags = UPC_RDWR | UPC_COMMON_FP | UPC_CREATE | UPC_TRUNC;
    upc_file_t *f = upc_all_fopen(name, flags, 0, NULL);
    EQ(upc_all_fcntl(f, UPC_GET_FL, NULL), flags);
    EQ(upc_all_fcntl(f, UPC_GET_CA_SEMANTICS, NULL), 0);
    EQ(upc_all_fcntl(f, UPC_SET_STRONG_CA_SEMANTICS, NULL), 0);
    EQ(upc_all_fcntl(f, UPC_GET_CA_SEMANTICS, NULL), UPC_STRONG_CA);
    EQ(upc_all_fcntl(f, UPC_GET_FL, NULL), flags | UPC_STRONG_CA);
    EQ(upc_all_fcntl(f, UPC_SET_WEAK_CA_SEMANTICS, NULL), 0);
    EQ(upc_all_fcntl(f, UPC_GET_CA_SEMANTICS, NULL), 0);
    EQ(upc_all_fcntl(f, UPC_GET_FP, NULL), UPC_COMMON_FP);
    EQ(upc_all_fseek(f, 10, UPC_SEEK_SET), 10);
    EQ(upc_all_fcntl(f, UPC_SET_INDIVIDUAL_FP, NULL), 0);
    EQ(upc_all_fcntl(f, UPC_GET_FP, NULL), UPC_INDIVIDUAL_FP);
    EQ(upc_all_fseek(f, 0, UPC_SEEK_CUR), 0);
    EQ(upc_all_fseek(f, MYTHREAD + 5, UPC_SEEK_CUR), MYTHREAD + 5);
    EQ(upc_all_fcntl(f, UPC_SET_COMMON_FP, NULL), 0);
    EQ(upc_all_fseek(f, 0, UPC_SEEK_CUR), 0);
    EQ(upc_all_fcntl(f, UPC_GET_FL, NULL), flags);
    EQ(upc_all_fcntl(f, UPC_ASYNC_OUTSTANDING, NULL), 0);
    EQ(upc_all_fclose(f), 0);
}

static void hints(void)
{
    upc_hint_t given[] = {{"access_style", "read_mostly,sequential"}, {"file_perm", "0640"}, {"my_own", "word"}};
    upc_hint_t more = {"cb_buffer_size", "8192"};
    upc_hint_t other = {"my_own", "other"};
    const upc_hint_t *kept = NULL;
    if (MYTHREAD == 0)
        remove(name);
    upc_barrier;
    upc_file_t *f = upc_all_fopen(name, UPC_RDWR | UPC_COMMON_FP | UPC_CREATE, 3, given);
    given[2].value = "changed";
    EQ(upc_all_fcntl(f, UPC_GET_HINTS, &kept), 3);
    CHECK(strcmp(kept[2].key, "my_own") == 0 && strcmp(kept[2].value, "word") == 0);
    EQ(upc_all_fcntl(f, UPC_SET_HINT, &more), 0);
    EQ(upc_all_fcntl(f, UPC_SET_HINT, &other), 0);
    EQ(upc_all_fcntl(f, UPC_GET_HINTS, &kept), 4);
    CHECK(strcmp(kept[2].value, "other") == 0 && strcmp(kept[3].value, "8192") == 0);
    struct stat facts;
    EQ(stat(name, &facts), 0);
    EQ(facts.st_mode & 0777, 0640);
    EQ(upc_all_fwrite_shared(f, data, 1, 1, 4, 0), 4);
    EQ(upc_all_fclose(f), 0);
}

int main(void)
{
    char here[512];
    CHECK(getcwd(here, sizeof here) != NULL);
    umask(022);
    creating();
    EQ(chdir(here), 0);
    EQ(size_on_disk(name), -1);
    upc_barrier;
    handles();
    commands();
    hints();
    upc_barrier;
    if (MYTHREAD == 0)
        remove(name);
    return finish();
}
