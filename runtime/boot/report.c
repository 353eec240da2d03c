#include "boot/report.h"

#include "base/options.h"
#include "boot/job.h"
#include "boot/locate.h"
#include "platform/atomic_word.h"
#include "platform/process.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LOCATE_LIMIT_MS = 800 };

/* A text buffer that truncates what does not fit */
struct writer {
    char *text;
    size_t room;
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void add(struct writer *writer, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int wanted = vsnprintf(writer->text + writer->used, writer->room - writer->used, format, args);
    va_end(args);
    if (wanted > 0)
        writer->used += (size_t)wanted;
    if (writer->used >= writer->room)
        writer->used = writer->room - 1;
}

/* The innermost frame in user code: one with a known line if possible, otherwise one with a known function */
static const struct bn_location *find_users_frame(const struct bn_location *locations, int count)
{
    const struct bn_location *best = NULL;
    for (int i = 0; i < count; ++i) {
        const struct bn_location *location = &locations[i];
        if (!location->is_program || location->is_runtime)
            continue;
        if (location->place[0] != '\0')
            return location;
        if (!best && location->function[0] != '\0' && location->function[0] != '_')
            best = location;
    }
    return best;
}

static void add_location(struct writer *writer, const struct bn_location *location)
{
    if (location->place[0] != '\0')
        add(writer, " at %s", location->place);
    if (location->function[0] != '\0')
        add(writer, " in %s()", location->function);
    if (location->place[0] == '\0')
        add(writer, " (compile with -g to see the line)");
}

static void add_address(struct writer *writer, const struct bn_crash *crash, bn_describe_fn describe)
{
    static const char *const verbs[] = {[BN_ACCESS_UNKNOWN] = "accessing",
                                        [BN_ACCESS_READ] = "reading",
                                        [BN_ACCESS_WRITE] = "writing",
                                        [BN_ACCESS_JUMP] = "jumping to"};
    if (crash->is_stack_overflow) {
        struct rlimit limit;
        bool has_limit = getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
        add(writer, ", because its stack is full (endless recursion, or %s)",
            has_limit ? "raise ulimit -s"
                      : "set ulimit -s to a number: without one, threads of -pthreads have 8192 KiB");
        return;
    }
    add(writer, ", %s address 0x%lx", verbs[crash->access], (unsigned long)crash->address);
    char place[256] = "";
    if (describe)
        describe(crash->address, place, sizeof place);
    if (place[0] != '\0')
        add(writer, ", %s", place);
    else if (crash->address < 4096)
        add(writer, " (a null pointer)");
}

static void add_backtrace(struct writer *writer, const struct bn_crash *crash, const struct bn_location *locations)
{
    for (int i = 0; i < crash->frame_count; ++i) {
        const struct bn_location *location = &locations[i];
        add(writer, "banyan:   #%d 0x%lx", i, (unsigned long)crash->frames[i]);
        if (location->function[0] != '\0')
            add(writer, " in %s()", location->function);
        if (location->place[0] != '\0')
            add(writer, " at %s", location->place);
        add(writer, "\n");
    }
}

void bn_report_name(char *text, size_t text_bytes, int first, int end)
{
    if (end - first <= 1)
        snprintf(text, text_bytes, "thread %d of %d", first, bn_job()->thread_count);
    else
        snprintf(text, text_bytes, "the process of threads %d to %d", first, end - 1);
}

const char *bn_report_killer(void)
{
    struct rlimit limit;
    bool has_limit = getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_max != RLIM_INFINITY;
    return has_limit ? ", by a person, or by the system because memory ran out or the limit of processor time was "
                       "reached (ulimit -t)"
                     : ", by a person or by the system because memory ran out";
}

void bn_report_signal(char *text, size_t text_bytes, int thread, int end, pid_t process, int signal,
                      bn_describe_fn describe)
{
    static struct bn_location locations[BN_CRASH_FRAME_MAX];
    struct writer writer = {text, text_bytes, 0};
    const struct bn_crash *crash = &bn_job()->threads[thread].crash;
    bool has_record = bn_word_see(&crash->order) != 0 && crash->signal == signal;
    char who[64];
    bn_report_name(who, sizeof who, thread, has_record ? thread + 1 : end);
    add(&writer, "banyan: %s (pid %d) was killed by signal %d (%s)", who, (int)process, signal,
        bn_process_signal_name(signal));
    if (has_record) {
        bn_locate(crash->frames, crash->frame_count, LOCATE_LIMIT_MS, locations);
        const struct bn_location *location = find_users_frame(locations, crash->frame_count);
        if (location)
            add_location(&writer, location);
        if (crash->has_address)
            add_address(&writer, crash, describe);
    } else if (signal == SIGKILL) {
        add(&writer, "%s", bn_report_killer());
    }
    add(&writer, "; the job is ended\n");
    if (has_record && bn_option_number(BN_OPTION_BACKTRACE))
        add_backtrace(&writer, crash, locations);
}

void bn_report_own_death(int thread, bn_describe_fn describe)
{
    static char text[BN_REPORT_BYTES];
    bn_report_signal(text, sizeof text, thread, thread + 1, getpid(), bn_job()->threads[thread].crash.signal, describe);
    (void)!write(STDERR_FILENO, text, strlen(text));
}
