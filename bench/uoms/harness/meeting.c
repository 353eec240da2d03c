#include "meeting.h"

#include "port.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* How often a waiting thread lets the measured system make progress on operations that others wait for. */
enum { LOOKS_PER_PROGRESS = 64 };

/* Distance that puts a counter on a cache line of its own, for any existing line size */
enum { APART = 256 };

struct uoms_meeting_place {
    int arrived;
    char apart[APART - sizeof(int)];
    int meetings;
};

/* Thread 0 makes an unnamed file; the others open it through thread 0's list of open files. */
static int open_file(char *path, size_t room)
{
    int file = -1;
    memset(path, 0, room);
    if (port_thread() == 0) {
        file = memfd_create("uoms-meeting", MFD_CLOEXEC);
        if (file >= 0 && ftruncate(file, sizeof(struct uoms_meeting_place)) == 0)
            snprintf(path, room, "/proc/%ld/fd/%d", (long)getpid(), file);
    }
    port_broadcast(path, room);
    if (port_thread() != 0 && path[0] != '\0')
        file = open(path, O_RDWR | O_CLOEXEC);
    return file;
}

/* Whether a value is non-zero on all threads */
static int is_everywhere(int value)
{
    int *all = malloc((size_t)port_threads() * sizeof *all);
    int result = value;
    if (all == NULL)
        port_abort(1);
    port_gather(&value, sizeof value, all);
    for (int t = 0; port_thread() == 0 && t < port_threads(); t++)
        result = result && all[t];
    port_broadcast(&result, sizeof result);
    free(all);
    return result;
}

int uoms_meeting_open(struct uoms_meeting *meeting_p, int gives_way)
{
    char path[64];
    struct uoms_meeting_place *place = MAP_FAILED;
    meeting_p->threads = port_threads();
    meeting_p->gives_way = gives_way;
    meeting_p->place = NULL;
    if (port_threads_on_node() != meeting_p->threads)
        return 1;
    int file = open_file(path, sizeof path);
    if (file >= 0)
        place = mmap(NULL, sizeof *place, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    int is_there = is_everywhere(place != MAP_FAILED);
    if (file >= 0)
        close(file);
    if (place != MAP_FAILED)
        meeting_p->place = place;
    if (!is_there)
        uoms_meeting_close(meeting_p);
    return !is_there;
}

void uoms_meeting_close(struct uoms_meeting *meeting)
{
    if (meeting->place != NULL)
        munmap(meeting->place, sizeof *meeting->place);
    meeting->place = NULL;
}

void uoms_meet(struct uoms_meeting *meeting)
{
    struct uoms_meeting_place *place = meeting->place;
    int meetings = __atomic_load_n(&place->meetings, __ATOMIC_ACQUIRE);
    if (__atomic_add_fetch(&place->arrived, 1, __ATOMIC_ACQ_REL) == meeting->threads) {
        __atomic_store_n(&place->arrived, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&place->meetings, meetings + 1, __ATOMIC_RELEASE);
        return;
    }
    for (unsigned looks = 1; __atomic_load_n(&place->meetings, __ATOMIC_ACQUIRE) == meetings; looks++) {
        if (looks % LOOKS_PER_PROGRESS == 0)
            port_progress();
        if (meeting->gives_way)
            sched_yield();
    }
}
