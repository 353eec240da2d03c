#include "platform/background.h"

#include "platform/signals.h"

#include <signal.h>
#include <stdlib.h>

/* Enough for sanitizers and for handlers of fatal signals; only touched pages take memory. */
enum { STACK_BYTES = 256 << 10 };

struct start {
    void (*work)(void *);
    void *argument;
};

static void *run(void *argument)
{
    struct start start = *(struct start *)argument;
    free(argument);
    start.work(start.argument);
    return NULL;
}

static void block_signals(sigset_t *before_p)
{
    sigset_t set;
    bn_signals_fill_without_faults(&set);
    pthread_sigmask(SIG_SETMASK, &set, before_p);
}

bool bn_background_start(struct bn_background *background, void (*work)(void *), void *argument)
{
    pthread_attr_t attributes;
    sigset_t before;
    struct start *start = malloc(sizeof *start);
    if (!start)
        return false;
    *start = (struct start){work, argument};
    if (pthread_attr_init(&attributes) != 0) {
        free(start);
        return false;
    }
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    block_signals(&before);
    bool is_started = pthread_create(&background->thread, &attributes, run, start) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (!is_started)
        free(start);
    return is_started;
}

void bn_background_join(struct bn_background *background)
{
    pthread_join(background->thread, NULL);
}
