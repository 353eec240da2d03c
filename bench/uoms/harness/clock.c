#include "clock.h"

#include "now.h"
#include "port.h"

#include <math.h>

enum { ROUNDS = 20, READINGS = 200, ROUND_TRIPS = 60 };

/* The cost of a reading in a row of readings; *step_p becomes the smallest difference between two, if that is
 * smaller. */
static double cost_in_a_row(double *step_p)
{
    double first = uoms_now_ns();
    double last = first;
    for (int i = 0; i < READINGS; i++) {
        double now = uoms_now_ns();
        if (now > last && now - last < *step_p)
            *step_p = now - last;
        last = now;
    }
    return (last - first) / READINGS;
}

void uoms_clock_examine(struct uoms_clock *clock_p)
{
    double cost = INFINITY;
    double step = INFINITY;
    /* The cheapest of many rows: others contain a first call, an interrupt or another thread on the core. */
    for (int i = 0; i < ROUNDS; i++) {
        double row = cost_in_a_row(&step);
        cost = row < cost ? row : cost;
    }
    clock_p->cost_ns = cost;
    clock_p->step_ns = isinf(step) ? 0 : step;
    clock_p->offset_ns = clock_p->error_ns = 0;
}

double uoms_clock_offset(double sent_ns, double remote_ns, double received_ns, double *error_p)
{
    *error_p = (received_ns - sent_ns) / 2;
    return remote_ns - (sent_ns + received_ns) / 2;
}

/* Thread 0 asks, the other thread answers with its time; the fastest of many answers is the most accurate. */
static void ask(int other, double *answer)
{
    answer[0] = 0;
    answer[1] = INFINITY;
    for (int i = 0; i < ROUND_TRIPS; i++) {
        double error;
        double sent = uoms_now_ns();
        port_send(other, sent);
        double remote = port_receive(other);
        double offset = uoms_clock_offset(sent, remote, uoms_now_ns(), &error);
        if (error < answer[1]) {
            answer[0] = offset;
            answer[1] = error;
        }
    }
    port_send(other, answer[0]);
    port_send(other, answer[1]);
}

void uoms_clock_synchronise(struct uoms_clock *clock_p)
{
    int threads = port_threads();
    int thread = port_thread();
    clock_p->offset_ns = clock_p->error_ns = 0;
    for (int other = 1; other < threads; other++) {
        double answer[2];
        port_barrier();
        if (thread == 0) {
            ask(other, answer);
        } else if (thread == other) {
            for (int i = 0; i < ROUND_TRIPS; i++) {
                port_receive(0);
                port_send(0, uoms_now_ns());
            }
            clock_p->offset_ns = port_receive(0);
            clock_p->error_ns = port_receive(0);
        }
    }
    port_barrier();
}
