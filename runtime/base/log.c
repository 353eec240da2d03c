#include "base/log.h"

#include "banyan/per_thread.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LINE_BYTES = 2048 };

static enum bn_log_level level = BN_LOG_NORMAL;
static BN_PER_THREAD int own_thread = -1;

void bn_log_set_level(enum bn_log_level new_level)
{
    level = new_level;
}

void bn_log_set_thread(int thread)
{
    own_thread = thread;
}

static void write_line(const char *kind, const char *format, va_list args)
{
    char line[LINE_BYTES];
    int saved_errno = errno;
    int used = own_thread >= 0 ? snprintf(line, sizeof line, "banyan: thread %d: %s", own_thread, kind)
                               : snprintf(line, sizeof line, "banyan: %s", kind);
    size_t bytes = used > 0 ? (size_t)used : 0;
    int wanted = vsnprintf(line + bytes, sizeof line - bytes, format, args);
    if (wanted > 0)
        bytes += (size_t)wanted;
    if (bytes > sizeof line - 1)
        bytes = sizeof line - 1;
    line[bytes++] = '\n';
    for (size_t done = 0; done < bytes;) {
        ssize_t now = write(STDERR_FILENO, line + done, bytes - done);
        if (now < 0 && errno != EINTR)
            break;
        if (now > 0)
            done += (size_t)now;
    }
    errno = saved_errno;
}

void bn_log_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_line("", format, args);
    va_end(args);
}

void bn_log_answer(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_line("", format, args);
    va_end(args);
}

void bn_log_warning(const char *format, ...)
{
    if (level < BN_LOG_NORMAL)
        return;
    va_list args;
    va_start(args, format);
    write_line("warning: ", format, args);
    va_end(args);
}

void bn_log_info(const char *format, ...)
{
    if (level < BN_LOG_VERBOSE)
        return;
    va_list args;
    va_start(args, format);
    write_line("", format, args);
    va_end(args);
}

bool bn_log_output_arrived(void)
{
    bool was_lost = ferror(stdout); /* which does not tell why; another try does */
    errno = 0;
    if (was_lost)
        putc('\n', stdout);
    if (fflush(stdout) == 0 && !was_lost)
        return true;
    bn_log_error("standard output cannot be written%s%s", errno != 0 ? ": " : "", errno != 0 ? strerror(errno) : "");
    return false;
}

void bn_assert_failed(const char *condition, const char *file, int line)
{
    bn_log_error("this is a bug in Banyan: %s does not hold at %s:%d; please report it", condition, file, line);
    abort();
}

void bn_log_await_reader(void)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    struct stat stream;
    int unread_bytes = 0;
    if (fstat(STDERR_FILENO, &stream) != 0 || !S_ISFIFO(stream.st_mode))
        return;
    for (int i = 0; i < 1000; i++) {
        if (ioctl(STDERR_FILENO, FIONREAD, &unread_bytes) != 0 || unread_bytes == 0)
            return;
        nanosleep(&pause, NULL);
    }
}
