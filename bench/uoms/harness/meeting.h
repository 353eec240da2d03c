/*
 * meeting.h: a barrier of the harness's own, for threads on one machine.
 *
 * Which thread leaves a barrier first depends on its implementation: if thread 0 releases the others, it has posted its
 * message before they run; if the last thread to arrive does, the others wait for it.  With more threads than
 * processors that is a context switch, which would count as part of the operation in one system and of the barrier in
 * another.  So all systems that are compared start after this barrier.
 */
#ifndef UOMS_MEETING_H
#define UOMS_MEETING_H

struct uoms_meeting_place;

struct uoms_meeting {
    struct uoms_meeting_place *place; /* in memory shared by all threads */
    int threads;
    int gives_way; /* whether to yield, as there are more threads than processors */
};

/* Collective; gives_way as in the struct.  Zero, or non-zero if the threads cannot share memory, as on several
 * machines. */
int uoms_meeting_open(struct uoms_meeting *meeting_p, int gives_way);
void uoms_meeting_close(struct uoms_meeting *meeting);

/* Collective: no thread leaves before all have come.  The last to come leaves first. */
void uoms_meet(struct uoms_meeting *meeting);

#endif
