/*
 * ft_expert: FT in which each thread puts what it has transformed to its destination while it transforms the next
 * layer.
 *
 * usage: ft_expert CLASS
 */
#include <bupc_collectivev.h>
#include <upc.h>
#include <upc_nb.h>

#include "ft_slab.h"

static shared char *slabs, *layers; /* on each thread, its slab and all its layers */
static struct ft_piece *rooms[2];   /* layers that have been transformed along z */
static upc_handle_t *handles[2];    /* of the puts from each room to each thread */

static shared[] char *place_of(shared char *all, int thread, long piece)
{
    return (shared[] char *)&all[thread] + piece * (long)sizeof(struct ft_piece);
}

/* Puts this thread's planes of each row of its slab into the layers of the row's owner. */
static void ft_to_layers(struct ft_state *s)
{
    const struct ft_part *part = &s->part;
    long row = ft_row_pieces(part);
    size_t bytes = (size_t)part->planes.count * (size_t)ft_pieces(part->class) * sizeof(struct ft_piece);
    upc_barrier; /* nobody reads the layers of the previous solution any more */
    for (int i = 0; i < ft_classes[part->class].ny; i++) {
        int y = (i + part->layers.first) % ft_classes[part->class].ny;
        int owner = y / part->layers.most;
        long piece = (long)MYTHREAD * part->layers.most * row + y % part->layers.most * row;
        upc_memput_nbi(place_of(layers, owner, piece), &s->slab[y * row], bytes);
    }
    upc_synci();
    upc_barrier;
}

static void ft_begin(struct ft_state *s)
{
    (void)s;
    upc_barrier;
}

static void wait_for(int room)
{
    for (int t = 0; t < THREADS; t++) {
        upc_sync(handles[room][t]);
        handles[room][t] = UPC_COMPLETE_HANDLE;
    }
}

static struct ft_piece *ft_room(struct ft_state *s, int layer, long *to_slab)
{
    *to_slab = ft_row_pieces(&s->part);
    wait_for(layer % 2);
    return rooms[layer % 2];
}

static void ft_send(struct ft_state *s, int layer)
{
    const struct ft_part *part = &s->part;
    long row = ft_row_pieces(part);
    for (int i = 0; i < THREADS; i++) {
        int t = (MYTHREAD + i) % THREADS;
        struct ft_run planes = ft_run_of(ft_classes[part->class].nz, t, THREADS);
        handles[layer % 2][t] =
            upc_memput_nb(place_of(slabs, t, (part->layers.first + layer) * row), &rooms[layer % 2][t * row],
                          (size_t)planes.count * (size_t)ft_pieces(part->class) * sizeof(struct ft_piece));
    }
}

static void ft_receive(struct ft_state *s)
{
    (void)s;
    wait_for(0);
    wait_for(1);
    upc_barrier;
}

static void ft_sum_all(double *sums, int count)
{
    for (int i = 0; i < count; i++)
        sums[i] = bupc_allv_reduce_all(double, sums[i], UPC_ADD);
}

/* Returns 0, or 1 if out of memory. */
static int start(struct ft_state *state, int class)
{
    state->part = ft_part_of(class, MYTHREAD, THREADS);
    size_t bytes = (size_t)ft_slab_pieces(&state->part) * sizeof(struct ft_piece);
    slabs = upc_all_alloc(THREADS, bytes);
    layers = upc_all_alloc(THREADS, bytes);
    state->lines = ft_take(sizeof *state->lines);
    for (int i = 0; i < 2; i++) {
        rooms[i] = ft_take((size_t)(THREADS * ft_row_pieces(&state->part)) * sizeof(struct ft_piece));
        handles[i] = calloc(THREADS, sizeof *handles[i]);
    }
    if (slabs == NULL || layers == NULL || state->lines == NULL || rooms[0] == NULL || rooms[1] == NULL ||
        handles[0] == NULL || handles[1] == NULL)
        return 1;
    for (int t = 0; t < THREADS; t++)
        handles[0][t] = handles[1][t] = UPC_COMPLETE_HANDLE;
    state->slab = (struct ft_piece *)&slabs[MYTHREAD];
    state->layers = (struct ft_piece *)&layers[MYTHREAD];
    return 0;
}

int main(int argc, char **argv)
{
    static struct ft_state state;
    int class = npb_class(argc, argv, MYTHREAD == 0);
    if (class < 0)
        return 2;
    if (start(&state, class) != 0) {
        npb_no_memory(MYTHREAD);
        upc_global_exit(1);
    }
    ft_start();
    ft_solve(&state, 1); /* warm-up: touches the memory */
    upc_barrier;
    double start_s = app_seconds();
    ft_solve(&state, ft_classes[class].iterations);
    double seconds = app_seconds() - start_s;
    for (int i = 0; i < 2; i++) {
        free(rooms[i]);
        free(handles[i]);
    }
    free(state.lines);
    upc_all_free(slabs);
    upc_all_free(layers);
    return MYTHREAD == 0 ? ft_report("UPC expert", class, THREADS, seconds, state.sums) : 0;
}
