/*
 * ft_seq: FT in C.
 *
 * usage: ft_seq CLASS
 */
#include "ft_slab.h"

/* With one process the slab already holds all layers; the transforms along z write to the right places. */
static void ft_to_layers(struct ft_state *s)
{
    struct ft_piece *slab = s->slab;
    s->slab = s->layers;
    s->layers = slab;
}

static void ft_begin(struct ft_state *s)
{
    (void)s;
}

static struct ft_piece *ft_room(struct ft_state *s, int layer, long *to_slab)
{
    *to_slab = 0;
    return &s->slab[layer * ft_row_pieces(&s->part)];
}

static void ft_send(struct ft_state *s, int layer)
{
    (void)s;
    (void)layer;
}

static void ft_receive(struct ft_state *s)
{
    (void)s;
}

static void ft_sum_all(double *sums, int count)
{
    (void)sums;
    (void)count;
}

int main(int argc, char **argv)
{
    static struct ft_state state;
    int class = npb_class(argc, argv, 1);
    if (class < 0)
        return 2;
    state.part = ft_part_of(class, 0, 1);
    size_t bytes = (size_t)ft_slab_pieces(&state.part) * sizeof(struct ft_piece);
    state.slab = ft_take(bytes);
    state.layers = ft_take(bytes);
    state.lines = ft_take(sizeof *state.lines);
    if (state.slab == NULL || state.layers == NULL || state.lines == NULL) {
        npb_no_memory(0);
        return 1;
    }
    ft_start();
    ft_solve(&state, 1); /* warm-up: touches the memory */
    double start = app_seconds();
    ft_solve(&state, ft_classes[class].iterations);
    double seconds = app_seconds() - start;
    free(state.slab);
    free(state.layers);
    free(state.lines);
    return ft_report("sequential", class, 1, seconds, state.sums);
}
