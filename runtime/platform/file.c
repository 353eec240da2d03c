#include "platform/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool bn_file_read(char *text, size_t text_bytes, const char *root, const char *format, ...)
{
    text[0] = '\0';
    char path[PATH_MAX];
    size_t used = strlen(root);
    if (used >= sizeof path)
        return false;
    memcpy(path, root, used);
    va_list args;
    va_start(args, format);
    int wanted = vsnprintf(path + used, sizeof path - used, format, args);
    va_end(args);
    if (wanted < 0 || (size_t)wanted >= sizeof path - used)
        return false;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    size_t bytes = 0;
    while (bytes < text_bytes - 1) {
        ssize_t now = read(file, text + bytes, text_bytes - 1 - bytes);
        if (now < 0 && errno == EINTR)
            continue;
        if (now <= 0)
            break;
        bytes += (size_t)now;
    }
    close(file);
    text[bytes] = '\0';
    return bytes > 0;
}

/* isatty is false for a terminal whose window is closed. */
bool bn_file_lacks_reader(int file, int error)
{
    struct stat facts;
    return error == EPIPE || (error == EIO && fstat(file, &facts) == 0 && S_ISCHR(facts.st_mode));
}
