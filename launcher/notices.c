#include "notices.h"

#include "base/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char rule[] = "------------------------------------------------------------------------";

const char launcher_files_remedy[] = "a limit of open files is reached: raise it (ulimit -n)";

static void send(struct launcher_notices *notices, const char *text, size_t bytes)
{
    if (bytes > 0)
        notices->write(notices->context, text, bytes);
}

static bool contains_one_of(const char *text, const char *const *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strstr(text, parts[i]))
            return true;
    }
    return false;
}

/* The value after a word of a block, up to the end of the line or the next blank */
static bool find_value(const char *block, const char *word, char *value, size_t value_bytes)
{
    const char *begin = strstr(block, word);
    if (!begin)
        return false;
    begin += strlen(word);
    begin += strspn(begin, " ");
    snprintf(value, value_bytes, "%.*s", (int)strcspn(begin, " \n"), begin);
    return true;
}

/* "Remote daemon: [[1,0],2] on node two" */
static bool find_lost_host(const char *block, char *host, size_t host_bytes)
{
    const char *daemon =
        strstr(block, "lost communication with a remote daemon") ? strstr(block, "Remote daemon:") : NULL;
    return daemon && find_value(daemon, " on node ", host, host_bytes);
}

static const char temporary_remedy[] =
    "OpenSHMEM does not start, most often because there is no room for the launcher's temporary files: it needs some 5 "
    "MB in the folder that TMPDIR names, else /tmp, and files of that size (ulimit -f); name another folder in TMPDIR";

/* Known reasons why Open MPI's launcher gives up before threads run, with remedies */
static const char *remedy_of(const char *block)
{
    static const char processes_remedy[] =
        "a limit of processes is reached: raise it (ulimit -u, or pids.max of the control group), or start fewer "
        "threads";
    static const char room_remedy[] =
        "OpenSHMEM does not start, most often because /dev/shm is full, too small or not writable: remove unused "
        "files there, make it larger (mount -o remount,size=1G /dev/shm; of a container: --shm-size 1g), or writable "
        "for all (chmod 1777 /dev/shm)";
    static const struct {
        const char *mark;
        const char *line;
    } remedies[] = {
        {"getting local rank failed", temporary_remedy},
        {"listener thread failed to start",
         "the launcher finds no network interface that is up, and needs one even for this machine alone: ip link set "
         "lo up"},
        {"plm_rsh_agent", "the launcher finds no ssh to log in to hosts with: install it, or name another command in "
                          "OMPI_MCA_plm_rsh_agent"},
        {"unable to reliably start one or more daemons",
         "cannot log in to a host: ssh HOST true must work without a password for each, and Open MPI must be "
         "installed there, in the same folder"},
        {"more processes than the ppr",
         "there are fewer machines than -N asks for: name them with -hosts, or have the batch system give them"},
        {"unable to create the desired directory",
         "the launcher cannot make its folder for temporary files: the folder that TMPDIR names, else /tmp, must be "
         "writable and have room; name another one in TMPDIR"},
        {"number of processes that can be started", processes_remedy},
        {"progress_thread_start failed", processes_remedy},
        {"limit on number of pipes a process can open", launcher_files_remedy},
        {"limit exceeded on number of pipes that can be open", launcher_files_remedy},
        {"not enough space for /dev/shm", room_remedy},
        {"No available spml components were found", room_remedy},
    };
    for (size_t i = 0; i < sizeof remedies / sizeof remedies[0]; i++) {
        if (strstr(block, remedies[i].mark))
            return remedies[i].line;
    }
    return NULL;
}

/* "Executable: /data/heat", "Node: two": upcrun has checked only this machine. */
static bool report_missing_program(struct launcher_notices *notices)
{
    char program[512], host[256], line[1024];
    if (!strstr(notices->words, "could not access or execute") ||
        !find_value(notices->words, "Executable:", program, sizeof program) ||
        !find_value(notices->words, "Node:", host, sizeof host))
        return false;
    snprintf(line, sizeof line,
             "%s cannot be run on host %s: the program must be there under the same path as here; a "
             "file system that all machines have does that",
             program, host);
    notices->report(notices->context, line);
    return true;
}

static void report_lost(struct launcher_notices *notices, const char *host)
{
    char line[512];
    snprintf(line, sizeof line,
             "host %s was lost: it is down, its processes were killed, or the network to it failed; the job is ended",
             host);
    if (!notices->is_lost)
        notices->report(notices->context, line);
    notices->is_lost = true;
}

/* "oshrun noticed that process rank 2 with PID 13 on node two exited on signal 9 (Killed).": the monitor of the thread
 * was killed with it, or instead of it */
static bool report_death(struct launcher_notices *notices)
{
    char rank[16], pid[16], host[256], signal[16], line[400], process[32] = "";
    const char *block = strstr(notices->words, "noticed that process rank ");
    if (!block || !find_value(block, "process rank ", rank, sizeof rank) ||
        !find_value(block, " with PID ", pid, sizeof pid) || !find_value(block, " on node ", host, sizeof host) ||
        !find_value(block, " exited on signal ", signal, sizeof signal))
        return false;
    if (strcmp(pid, "0") != 0) /* the launcher may no longer know it */
        snprintf(process, sizeof process, "pid %s ", pid);
    int first = atoi(rank) * notices->threads_each;
    int last = first + notices->threads_each - 1;
    last = last < notices->thread_count ? last : notices->thread_count - 1;
    if (last > first)
        snprintf(line, sizeof line, "threads %d to %d (%son %s) were killed by signal %s; the job is ended", first,
                 last, process, host, signal);
    else
        snprintf(line, sizeof line, "thread %d (%son %s) was killed by signal %s; the job is ended", first, process,
                 host, signal);
    notices->report(notices->context, line);
    notices->has_said = true;
    return true;
}

/* Whether a block only repeats the exit status or what a thread has reported.  Ubuntu 26.04 has no texts for the
 * notices of PRRTE: "Sorry!  You were supposed to get help about: prun:non-zero-exit But I couldn't open the help
 * file". */
static bool is_known(const struct launcher_notices *notices)
{
    static const char *const statuses[] = {"process returned a non-zero exit code",
                                           "SHMEM_ABORT was invoked",
                                           "processes exited with non-zero status",
                                           "MPI_ABORT was invoked",
                                           "calling \"abort\"",
                                           "get help about: prun:non-zero-exit",
                                           "get help about: prun:proc-ordered-abort"};
    static const char *const followers[] = {"does not know how to route a message", "failed for some reason",
                                            "when it cannot guarantee that all of its peer processes"};
    static const char *const deaths[] = {"exited on signal", "was killed without calling finalize",
                                         "exiting improperly", "peer process has unexpectedly disconnected",
                                         "get help about: prun:proc-"};
    return contains_one_of(notices->words, statuses, sizeof statuses / sizeof statuses[0]) ||
           (notices->has_remedy &&
            contains_one_of(notices->words, followers, sizeof followers / sizeof followers[0])) ||
           ((notices->has_said || notices->is_lost) &&
            contains_one_of(notices->words, deaths, sizeof deaths / sizeof deaths[0]));
}

/* Passes on text outside blocks: before the job has begun, that of the launcher and its helpers, such as ssh. */
static void send_text(struct launcher_notices *notices, const char *text, size_t bytes)
{
    notices->has_reason = notices->has_reason || (bytes > 0 && !notices->has_begun);
    send(notices, text, bytes);
}

/* Replaces runs of blanks and newlines by one blank, because versions break lines at different places. */
static void flatten(struct launcher_notices *notices)
{
    size_t end = 0;
    for (size_t i = 0; i < notices->block_bytes; i++) {
        bool is_blank = strchr(" \t\n", notices->block[i]) != NULL;
        if (!is_blank)
            notices->words[end++] = notices->block[i];
        else if (end > 0 && notices->words[end - 1] != ' ')
            notices->words[end++] = ' ';
    }
    notices->words[end] = '\0';
}

static void end_block(struct launcher_notices *notices)
{
    char host[256];
    notices->is_in_block = false;
    notices->is_after_block = true;
    notices->has_reason = true;
    flatten(notices);
    const char *remedy = remedy_of(notices->words);
    if (find_lost_host(notices->words, host, sizeof host)) {
        report_lost(notices, host);
    } else if (remedy) {
        if (!notices->has_remedy) /* later failures are consequences */
            notices->report(notices->context, remedy);
        notices->has_remedy = true;
    } else if (report_missing_program(notices)) {
        notices->has_remedy = true;
    } else if (!is_known(notices) && !report_death(notices)) {
        send(notices, notices->block, notices->block_bytes);
    }
    notices->block_bytes = 0;
}

static void add_to_block(struct launcher_notices *notices, const char *line, size_t bytes)
{
    if (notices->block_bytes + bytes >= sizeof notices->block) { /* too long for a notice of a launcher */
        send(notices, notices->block, notices->block_bytes);
        send(notices, line, bytes);
        notices->block_bytes = 0;
        notices->is_in_block = false;
        return;
    }
    memcpy(notices->block + notices->block_bytes, line, bytes);
    notices->block_bytes += bytes;
}

/* "[host:4711] plm:rsh: Warning: setpgid(77,77) failed in parent with errno=Permission denied(13)", sometimes printed
 * for an ssh that has started nevertheless; plm:ssh in Open MPI 5 */
static const char *const needless[] = {"] plm:rsh: Warning: setpgid(", "] plm:ssh: Warning: setpgid("};

/* "oshrun: Forwarding signal 20 to job", for each signal that upcrun passes on */
static const char forwarding[] = "oshrun: Forwarding signal ";

static bool is_needless(const char *line)
{
    return (line[0] == '[' && contains_one_of(line, needless, sizeof needless / sizeof needless[0])) ||
           strncmp(line, forwarding, strlen(forwarding)) == 0;
}

/* Whether an incomplete line may become one that begins so, or is one */
static bool may_begin(const char *line, const char *beginning)
{
    return strncmp(line, beginning, strnlen(line, strlen(beginning))) == 0;
}

/* Whether an incomplete line may become one for is_fault, is_end_of_launcher or is_needless: it begins with a name in
 * brackets, followed by one of these. */
static bool begins_fault(const char *line)
{
    static const char *const next[] = {
        "][[", "] [[", "] PMIX ERROR: ", "] OPAL ERROR: ", "] PRTE ERROR: ", "] plm:", "] *** "};
    const char *rest = line + (line[0] == '[' ? strcspn(line, "]") : 0);
    for (size_t i = 0; line[0] == '[' && i < sizeof next / sizeof next[0]; i++) {
        if (may_begin(rest, next[i]))
            return true;
    }
    return false;
}

/* "[host][[61209,1],0][pshmem_p.c:152:pshmem_ulong_p] Internal error is appeared rc = -1", "[host:4711] PMIX ERROR:
 * ERROR in file ../../../src/client/pmix_client.c at line 665", and of each process of Open MPI 5 that learns of the
 * end of another, "[host:00000] *** An error occurred in Socket closed" with more such lines */
static bool is_fault(const char *line)
{
    static const char *const errors[] = {
        " ORTE_ERROR_LOG: ", "] PMIX ERROR: ", "] OPAL ERROR: ", "] PRTE ERROR: ", ":00000] *** "};
    return begins_fault(line) && (contains_one_of(line, errors, sizeof errors / sizeof errors[0]) ||
                                  (strstr(line, "[pshmem_") && strstr(line, "nternal error")));
}

/* "[host:4711] [[INVALID],INVALID] FORCE-TERMINATE AT Not found:-13 - error .../plm_rsh_component.c(335)" */
static bool is_end_of_launcher(const char *line)
{
    return line[0] == '[' && strstr(line, "] [[") && strstr(line, " FORCE-TERMINATE AT ");
}

/* Open MPI 5 warns about each pair of processes that one of its transports does not connect, even if another one does;
 * the warning comes in two pieces, possibly interleaved with those of other processes. */
static const char unused_way[] = "Unable to find reachable pairing between local and remote interfaces";

static bool is_unused_way(const char *line)
{
    return strncmp(line, unused_way, strlen(unused_way)) == 0 || (begins_fault(line) && strstr(line, unused_way));
}

/* Reports a fault after which the launcher hangs. */
static void report_fault(struct launcher_notices *notices, const char *line)
{
    const char *remedy = notices->has_begun || notices->has_remedy ? NULL : remedy_of(line);
    if (!remedy)
        return;
    notices->report(notices->context, remedy);
    notices->has_remedy = true;
}

static void keep_fault(struct launcher_notices *notices, const char *line, size_t bytes)
{
    if (notices->faults_bytes + bytes > sizeof notices->faults)
        return;
    memcpy(notices->faults + notices->faults_bytes, line, bytes);
    notices->faults_bytes += bytes;
}

/* Takes a whole line, with its newline */
static void take_line(struct launcher_notices *notices, const char *line, size_t bytes)
{
    bool is_rule = strncmp(line, rule, strlen(rule)) == 0;
    bool is_in_block = notices->is_in_block;
    if (!is_in_block && (is_needless(line) || (is_unused_way(line) && notices->has_begun)))
        return;
    if (!is_in_block && (is_fault(line) || is_unused_way(line))) {
        report_fault(notices, line);
        keep_fault(notices, line, bytes);
        notices->is_after_block = true;
        return;
    }
    if (!is_in_block && strcmp(line, BN_BEGUN_LINE) == 0) {
        notices->has_begun = true;
        notices->faults_bytes = 0; /* the job has begun in spite of them */
        notices->has_reason = false;
        return;
    }
    if (!is_in_block && strcmp(line, BN_ENDED_LINE) == 0) {
        notices->is_ended = true;
        notices->has_reason = true;
        return;
    }
    if (!is_in_block && notices->has_remedy && is_end_of_launcher(line))
        return;
    if (!is_in_block && !is_rule) {
        send_text(notices, line, bytes);
        return;
    }
    notices->is_in_block = true;
    add_to_block(notices, line, bytes);
    if (is_in_block && is_rule)
        end_block(notices);
}

/* Whether the beginning of a line must be held until its end: it may be a rule, a fault or needless, or lies in a
 * block. */
static bool is_held(const struct launcher_notices *notices)
{
    static const char *const beginnings[] = {BN_BEGUN_LINE, BN_ENDED_LINE, unused_way, forwarding, rule};
    if (notices->line_bytes + 1 >= sizeof notices->line)
        return false;
    bool is_one = notices->is_in_block || begins_fault(notices->line);
    for (size_t i = 0; !is_one && i < sizeof beginnings / sizeof beginnings[0]; i++)
        is_one = may_begin(notices->line, beginnings[i]);
    return is_one;
}

static void take_byte(struct launcher_notices *notices, char byte)
{
    if (notices->is_in_line) {
        send(notices, &byte, 1);
        notices->is_in_line = byte != '\n';
        return;
    }
    bool is_end_of_text = notices->is_after_block && byte == '\0'; /* which PRRTE writes, too */
    notices->is_after_block = false;
    if (is_end_of_text)
        return;
    notices->line[notices->line_bytes++] = byte;
    notices->line[notices->line_bytes] = '\0';
    if (byte == '\n') {
        take_line(notices, notices->line, notices->line_bytes);
        notices->line_bytes = 0;
    } else if (!is_held(notices)) {
        send_text(notices, notices->line, notices->line_bytes);
        notices->line_bytes = 0;
        notices->is_in_line = true;
    }
}

/*
 * Searches for the prefix of the runtime's messages anywhere in a line, since another thread may have begun the line.
 * The first letter occurs only once in the prefix, so after a mismatch the search simply restarts.  A warning says so
 * behind the prefix, or behind the thread: "banyan: thread 1023: warning: ".
 */
static void look_for_reason(struct launcher_notices *notices, const char *data, size_t bytes)
{
    static const char prefix[] = "banyan: ";
    for (size_t i = 0; i < bytes && !notices->has_said; i++) {
        if (notices->said_bytes < strlen(prefix) && data[i] != prefix[notices->said_bytes])
            notices->said_bytes = 0;
        if (notices->said_bytes > 0 || data[i] == prefix[0])
            notices->said[notices->said_bytes++] = data[i];
        if (notices->said_bytes < strlen(prefix) || (data[i] != '\n' && notices->said_bytes + 1 < sizeof notices->said))
            continue;
        notices->said[notices->said_bytes] = '\0';
        notices->has_said = strstr(notices->said, "warning: ") == NULL;
        notices->said_bytes = 0;
    }
}

void launcher_notices_put(struct launcher_notices *notices, const char *data, size_t bytes)
{
    size_t done = 0;
    look_for_reason(notices, data, bytes);
    while (done < bytes) {
        /* The rest of a line whose beginning was passed on is passed on immediately. */
        const char *end = notices->is_in_line ? memchr(data + done, '\n', bytes - done) : NULL;
        size_t now = !notices->is_in_line ? 0 : end ? (size_t)(end - data) - done : bytes - done;
        send(notices, data + done, now);
        done += now;
        if (done < bytes)
            take_byte(notices, data[done++]);
    }
}

/* After the loss of a host, Open MPI's launcher may take 15 s, but ends. */
bool launcher_notices_tell_end(const struct launcher_notices *notices)
{
    return notices->is_ended || (notices->has_remedy && !notices->has_begun);
}

/* "PMIX ERROR: OUT-OF-RESOURCE in file ../src/mca/common/dstore/dstore_segment.c": the job may begin in spite of it. */
static bool lacks_room(const struct launcher_notices *notices)
{
    static const char mark[] = "OUT-OF-RESOURCE in file";
    return !notices->has_begun && memmem(notices->faults, notices->faults_bytes, mark, sizeof mark - 1) &&
           memmem(notices->faults, notices->faults_bytes, "dstore", strlen("dstore"));
}

void launcher_notices_end(struct launcher_notices *notices)
{
    if (notices->is_in_block)
        end_block(notices);
    if (!notices->has_remedy && lacks_room(notices)) {
        notices->report(notices->context, temporary_remedy);
        notices->has_remedy = true;
    }
    send_text(notices, notices->line, notices->line_bytes);
    notices->has_reason = notices->has_reason || notices->faults_bytes > 0;
    if (!notices->has_said && !notices->is_lost && !notices->has_remedy)
        send(notices, notices->faults, notices->faults_bytes);
    notices->line_bytes = 0;
    notices->faults_bytes = 0;
}
