/*
 * mg_expert: MG with a run of planes on each thread, which puts its outermost planes next to those of its neighbours.
 *
 * usage: mg_expert CLASS
 */
#include <bupc_collectivev.h>
#include <upc.h>
#include <upc_nb.h>

#include "mg_links.h"

/* On each thread, u and r of a level, each with as much room as the largest thread needs */
static shared char *arrays[MG_MOST_LEVELS + 1][2];
static struct mg_links all_links[MG_MOST_LEVELS + 1];

/* The planes overwritten here were last read before another exchange, whose barrier comes in between. */
static void mg_exchange(struct mg_state *s, int k, int which)
{
    const struct mg_level *level = &s->levels[k];
    size_t bytes = (size_t)level->plane * sizeof(double);
    for (int i = 0; i < all_links[k].count; i++) {
        const struct mg_link *link = &all_links[k].list[i];
        shared[] char *there = (shared[] char *)&arrays[k][which][link->receiver];
        if (link->sender == MYTHREAD)
            upc_memput_nbi(there + link->to * (long)bytes, mg_array(level, which) + link->from * level->plane, bytes);
    }
    upc_synci();
    upc_barrier;
}

static void mg_wait(void)
{
}

static double mg_sum_all(double mine)
{
    return bupc_allv_reduce_all(double, mine, UPC_ADD);
}

static double *take(int k, int which, size_t bytes)
{
    arrays[k][which] = upc_all_alloc(THREADS, bytes);
    return arrays[k][which] == NULL ? NULL : (double *)&arrays[k][which][MYTHREAD];
}

/* Returns 0, or 1 if out of memory. */
static int start(struct mg_state *s)
{
    int finest = mg_classes[s->class].levels, failed = 0;
    for (int k = 1; k <= finest; k++) {
        struct mg_level *level = &s->levels[k];
        mg_set_level(level, finest, k, s->me, s->processes);
        size_t most = (size_t)(level->n / THREADS + 3) * (size_t)level->plane * sizeof(double);
        level->u = take(k, MG_U, most);
        level->r = take(k, MG_R, most);
        failed |= level->u == NULL || level->r == NULL || mg_find_links(s, k, &all_links[k]) != 0;
    }
    s->v = mg_take(mg_room(&s->levels[finest]));
    return failed || s->v == NULL;
}

int main(int argc, char **argv)
{
    struct mg_state s = {.me = MYTHREAD, .processes = THREADS, .has_copies = 1};
    s.class = npb_class(argc, argv, MYTHREAD == 0);
    if (s.class < 0)
        return 2;
    if (start(&s) != 0) {
        npb_no_memory(MYTHREAD);
        upc_global_exit(1);
    }
    double seconds, norm = mg_run(&s, &seconds);
    for (int k = 1; k <= mg_classes[s.class].levels; k++) {
        upc_all_free(arrays[k][MG_U]);
        upc_all_free(arrays[k][MG_R]);
        free(all_links[k].list);
    }
    free(s.v);
    return MYTHREAD == 0 ? mg_report("UPC expert", s.class, THREADS, seconds, norm) : 0;
}
