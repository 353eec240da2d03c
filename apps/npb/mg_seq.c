/*
 * mg_seq: MG in C.
 *
 * usage: mg_seq CLASS
 */
#include "mg_slab.h"

static void mg_exchange(struct mg_state *s, int k, int which)
{
    const struct mg_level *level = &s->levels[k];
    double *array = mg_array(level, which);
    size_t bytes = (size_t)level->plane * sizeof *array;
    memcpy(array, array + level->n * level->plane, bytes);
    memcpy(array + (level->n + 1) * level->plane, array + level->plane, bytes);
}

static void mg_wait(void)
{
}

static double mg_sum_all(double mine)
{
    return mine;
}

int main(int argc, char **argv)
{
    struct mg_state s = {.processes = 1, .has_copies = 1};
    s.class = npb_class(argc, argv, 1);
    if (s.class < 0)
        return 2;
    int finest = mg_classes[s.class].levels;
    for (int k = 1; k <= finest; k++) {
        struct mg_level *level = &s.levels[k];
        mg_set_level(level, finest, k, 0, 1);
        level->u = mg_take(mg_room(level));
        level->r = mg_take(mg_room(level));
        if (level->u == NULL || level->r == NULL) {
            npb_no_memory(0);
            return 1;
        }
    }
    s.v = mg_take(mg_room(&s.levels[finest]));
    if (s.v == NULL) {
        npb_no_memory(0);
        return 1;
    }
    double seconds, norm = mg_run(&s, &seconds);
    for (int k = 1; k <= finest; k++) {
        free(s.levels[k].u);
        free(s.levels[k].r);
    }
    free(s.v);
    return mg_report("sequential", s.class, 1, seconds, norm);
}
