/*
 * mg_mpi: MG over MPI: each process has a run of planes, and gets those before and behind from their owners.
 *
 * usage: mg_mpi CLASS
 */
#include <mpi.h>

#include "mg_links.h"

static struct mg_links all_links[MG_MOST_LEVELS + 1];
static MPI_Request *requests;

static void mg_exchange(struct mg_state *s, int k, int which)
{
    const struct mg_level *level = &s->levels[k];
    double *array = mg_array(level, which);
    int pending = 0, numbers = (int)level->plane;
    for (int i = 0; i < all_links[k].count; i++) {
        const struct mg_link *link = &all_links[k].list[i];
        if (link->sender == link->receiver)
            memcpy(array + link->to * level->plane, array + link->from * level->plane,
                   (size_t)level->plane * sizeof *array);
        else if (link->receiver == s->me)
            MPI_Irecv(array + link->to * level->plane, numbers, MPI_DOUBLE, link->sender, 0, MPI_COMM_WORLD,
                      &requests[pending++]);
        else
            MPI_Isend(array + link->from * level->plane, numbers, MPI_DOUBLE, link->receiver, 0, MPI_COMM_WORLD,
                      &requests[pending++]);
    }
    for (int i = 0; i < pending; i++) /* no MPI_Waitall: for MPICH's MPI_STATUSES_IGNORE, gcc warns of overflow */
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
}

static void mg_wait(void)
{
}

static double mg_sum_all(double mine)
{
    double sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

/* Returns 0, or 1 if out of memory. */
static int start(struct mg_state *s)
{
    int finest = mg_classes[s->class].levels, failed = 0;
    requests = malloc(2 * (size_t)s->processes * sizeof *requests);
    for (int k = 1; k <= finest; k++) {
        struct mg_level *level = &s->levels[k];
        mg_set_level(level, finest, k, s->me, s->processes);
        level->u = mg_take(mg_room(level));
        level->r = mg_take(mg_room(level));
        failed |= level->u == NULL || level->r == NULL || mg_find_links(s, k, &all_links[k]) != 0;
    }
    s->v = mg_take(mg_room(&s->levels[finest]));
    return failed || s->v == NULL || requests == NULL;
}

int main(int argc, char **argv)
{
    struct mg_state s = {.has_copies = 1};
    int status = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &s.me);
    MPI_Comm_size(MPI_COMM_WORLD, &s.processes);
    s.class = npb_class(argc, argv, s.me == 0);
    if (s.class < 0) {
        MPI_Finalize();
        return 2;
    }
    if (start(&s) != 0) {
        npb_no_memory(s.me);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    double seconds, norm = mg_run(&s, &seconds);
    if (s.me == 0)
        status = mg_report("MPI", s.class, s.processes, seconds, norm);
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int k = 1; k <= mg_classes[s.class].levels; k++) {
        free(s.levels[k].u);
        free(s.levels[k].r);
        free(all_links[k].list);
    }
    free(s.v);
    free(requests);
    MPI_Finalize();
    return status;
}
