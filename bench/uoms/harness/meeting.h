/*
 * meeting.h: a barrier of the harness's own, for threads of one machine.
 *
 * Who leaves a barrier first depends on how it is made: where thread 0 lets the others go, it has posted its message
 * before they run, and where the last to come does, they wait for it.  With more threads than processors that is a
 * context switch, which would be counted to the operation in one system and to the barrier in another.  So all systems
 * that are compared start behind this one.
 */
#ifndef UOMS_MEETING_H
#define UOMS_MEETING_H

struct uoms_meeting_place;

struct uoms_meeting {
    struct uoms_meeting_place *place; /* in memory that all threads see */
    int threads;
    int gives_way; /* there are more threads than processors */
};

/* Collective; gives_way as in the struct.  Zero, or non-zero if the threads cannot share memory, as on several
 * machines. */
int uoms_meeting_open(struct uoms_meeting *meeting_p, int gives_way);
void uoms_meeting_close(struct uoms_meeting *meeting);

/* Collective: nobody leaves before all have come.  The last to come leaves first. */
void uoms_meet(struct uoms_meeting *meeting);

#endif
