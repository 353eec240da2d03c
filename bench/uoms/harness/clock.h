/* clock.h: a common time for all threads, and the cost of reading it. */
#ifndef UOMS_CLOCK_H
#define UOMS_CLOCK_H

struct uoms_clock {
    double offset_ns; /* own clock minus thread 0's */
    double error_ns;  /* half of the shortest round trip: bound on the error of the offset */
    double cost_ns;   /* of reading the clock */
    double step_ns;   /* smallest difference between two readings */
};

/* Measures cost and step of the calling thread's clock; offset and error are set to 0. */
void uoms_clock_examine(struct uoms_clock *clock_p);

/* Collective: finds offset and error by many round trips between thread 0 and each other thread. */
void uoms_clock_synchronise(struct uoms_clock *clock_p);

/*
 * The offset that one round trip shows: thread 0 sent at sent_ns and got the answer at received_ns, on its clock; the
 * other thread's clock said remote_ns in between.  Sets *error_p to half of the round trip.
 */
double uoms_clock_offset(double sent_ns, double remote_ns, double received_ns, double *error_p);

#endif
