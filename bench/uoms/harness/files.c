/*
 * files.c: opens the files of results.  A regular file stays locked until the run ends, however it ends.  Rows are
 * written as they are measured, so those of two runs would be mixed in one file.
 */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Pipes and devices, such as /dev/null, may be written by several. */
static bool is_regular(int descriptor, struct stat *status)
{
    return fstat(descriptor, status) == 0 && S_ISREG(status->st_mode);
}

static bool is_one_file(int first, int second)
{
    struct stat a, b;
    return is_regular(first, &a) && is_regular(second, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Whether another run has the lock.  There are file systems without locks. */
static bool is_taken(int descriptor)
{
    struct stat status;
    return is_regular(descriptor, &status) && flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

static bool is_emptied(int descriptor)
{
    struct stat status;
    return !is_regular(descriptor, &status) || ftruncate(descriptor, 0) == 0;
}

static int prepare(const char *const paths[UOMS_MOST_FILES], int descriptors[UOMS_MOST_FILES],
                   FILE *files[UOMS_MOST_FILES], char *message, size_t room)
{
    for (int i = 0; i < UOMS_MOST_FILES; i++) {
        if (paths[i] != NULL && (descriptors[i] = open(paths[i], O_WRONLY | O_CREAT | O_CLOEXEC, 0666)) < 0)
            return snprintf(message, room, "cannot write %s: %s", paths[i], strerror(errno));
    }
    if (is_one_file(descriptors[0], descriptors[1]))
        return snprintf(message, room, "%s and %s are one file; give -json and -csv a file each", paths[0], paths[1]);
    for (int i = 0; i < UOMS_MOST_FILES; i++) {
        if (paths[i] != NULL && is_taken(descriptors[i]))
            return snprintf(message, room, "%s is being written by another run", paths[i]);
    }
    for (int i = 0; i < UOMS_MOST_FILES; i++) {
        if (paths[i] != NULL && (!is_emptied(descriptors[i]) || (files[i] = fdopen(descriptors[i], "w")) == NULL))
            return snprintf(message, room, "cannot write %s: %s", paths[i], strerror(errno));
    }
    return 0;
}

int uoms_open_files(const char *const paths[UOMS_MOST_FILES], FILE *files[UOMS_MOST_FILES], char *message, size_t room)
{
    int descriptors[UOMS_MOST_FILES];
    for (int i = 0; i < UOMS_MOST_FILES; i++) {
        descriptors[i] = -1;
        files[i] = NULL;
    }
    int failed = prepare(paths, descriptors, files, message, room) != 0;
    for (int i = 0; failed && i < UOMS_MOST_FILES; i++) {
        if (files[i] != NULL)
            fclose(files[i]);
        else if (descriptors[i] >= 0)
            close(descriptors[i]);
        files[i] = NULL;
    }
    return failed;
}
