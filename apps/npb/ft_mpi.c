/*
 * ft_mpi: FT over MPI: an all-to-all exchange turns slabs into layers, and back.
 *
 * usage: ft_mpi CLASS
 */
#include <mpi.h>

#include "ft_slab.h"

static struct ft_piece *sent; /* layers to be sent, which become slabs */

static void exchange(const struct ft_state *s, const struct ft_piece *from, struct ft_piece *to)
{
    int doubles = (int)(ft_slab_pieces(&s->part) / s->part.n) * 2 * FT_WIDTH;
    MPI_Alltoall(from, doubles, MPI_DOUBLE, to, doubles, MPI_DOUBLE, MPI_COMM_WORLD);
}

static void ft_to_layers(struct ft_state *s)
{
    exchange(s, s->slab, s->layers);
}

static void ft_begin(struct ft_state *s)
{
    (void)s;
}

static struct ft_piece *ft_room(struct ft_state *s, int layer, long *to_slab)
{
    *to_slab = s->part.layers.most * ft_row_pieces(&s->part);
    return &sent[layer * ft_row_pieces(&s->part)];
}

static void ft_send(struct ft_state *s, int layer)
{
    (void)s;
    (void)layer;
}

static void ft_receive(struct ft_state *s)
{
    exchange(s, sent, s->slab);
}

static void ft_sum_all(double *sums, int count)
{
    MPI_Allreduce(MPI_IN_PLACE, sums, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* Returns 0, or 1 if out of memory. */
static int start(struct ft_state *state, int class, int process, int processes)
{
    state->part = ft_part_of(class, process, processes);
    size_t bytes = (size_t)ft_slab_pieces(&state->part) * sizeof(struct ft_piece);
    state->slab = ft_take(bytes);
    state->layers = ft_take(bytes);
    state->lines = ft_take(sizeof *state->lines);
    sent = ft_take(bytes);
    if (state->slab == NULL || state->layers == NULL || state->lines == NULL || sent == NULL)
        return 1;
    memset(sent, 0, bytes); /* padding behind the last plane or layer is sent, too */
    memset(state->slab, 0, bytes);
    return 0;
}

int main(int argc, char **argv)
{
    static struct ft_state state;
    int status = 0, process, processes;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &process);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    int class = npb_class(argc, argv, process == 0);
    if (class < 0) {
        MPI_Finalize();
        return 2;
    }
    if (start(&state, class, process, processes) != 0) {
        npb_no_memory(process);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    ft_start();
    ft_solve(&state, 1); /* warm-up: touches the memory */
    MPI_Barrier(MPI_COMM_WORLD);
    double start_s = app_seconds();
    ft_solve(&state, ft_classes[class].iterations);
    double seconds = app_seconds() - start_s;
    if (process == 0)
        status = ft_report("MPI", class, processes, seconds, state.sums);
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    free(state.slab);
    free(state.layers);
    free(state.lines);
    free(sent);
    MPI_Finalize();
    return status;
}
