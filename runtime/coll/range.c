#include "coll/range.h"
#include "platform/copy.h"

/* A piece of one block, and where it lies in the array */
struct stretch {
    size_t in_array;
    size_t size_bytes;
};

/* The first stretch of [begin, end); all of it if the tree's order is that of ranks */
static struct stretch first_stretch(const struct bn_plan *plan, size_t begin, size_t end, size_t nbytes)
{
    if (plan->is_in_rank_order)
        return (struct stretch){begin, end - begin};
    size_t index = begin / nbytes;
    size_t within = begin - index * nbytes;
    size_t rank = (size_t)bn_shape_member_at(plan->hierarchy, &plan->shape, (int)index);
    size_t left = nbytes - within;
    return (struct stretch){rank * nbytes + within, left < end - begin ? left : end - begin};
}

void bn_range_from_root(const struct bn_plan *plan, const unsigned char *array, unsigned char *piece, size_t begin,
                        size_t end, size_t nbytes)
{
    while (begin < end) {
        struct stretch stretch = first_stretch(plan, begin, end, nbytes);
        bn_copy(piece, array + stretch.in_array, stretch.size_bytes);
        piece += stretch.size_bytes;
        begin += stretch.size_bytes;
    }
}

void bn_range_to_root(const struct bn_plan *plan, unsigned char *array, const unsigned char *piece, size_t begin,
                      size_t end, size_t nbytes)
{
    while (begin < end) {
        struct stretch stretch = first_stretch(plan, begin, end, nbytes);
        bn_copy(array + stretch.in_array, piece, stretch.size_bytes);
        piece += stretch.size_bytes;
        begin += stretch.size_bytes;
    }
}
