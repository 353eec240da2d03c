/*
 * file.h: small files of the system (proc, sysfs, cgroup) as text; what failed writes mean.
 */
#ifndef BN_PLATFORM_FILE_H
#define BN_PLATFORM_FILE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads the beginning of the file whose path is root followed by the formatted rest, and terminates it.  False, with an
 * empty text, if it cannot be read.  The text is cut to text_bytes.
 */
bool bn_file_read(char *text, size_t text_bytes, const char *root, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Whether a write to an open file has failed with this errno because nobody reads it any more: the other end of a pipe,
 * or the window of a terminal, is closed.  EIO from any other file is a fault of the device. */
bool bn_file_lacks_reader(int file, int error);

#ifdef __cplusplus
}
#endif

#endif
