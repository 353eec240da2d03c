// Collective calls with arguments that differ between threads write what some thread has named, and nothing else:
// guards around all arrays keep their bytes, and so do sources.
// fcheck: no
// needs: __UPC_COLLECTIVE__
// races: no, wrong arguments make threads write to one place
#include "coll_data.h"

enum { LARGEST = 3000, GUARD = 256, GUARD_BYTE = 0xa5, VALUES = 64 };

/* On each thread: guard, room, guard */
typedef struct {
    shared unsigned char *memory;
    size_t room;
} guarded;

static unsigned char *mine_of(const guarded *array)
{
    return (unsigned char *)&array->memory[MYTHREAD];
}

static guarded make(size_t room, int fill)
{
    guarded array = {upc_all_alloc(THREADS, room + 2 * GUARD), room};
    memset(mine_of(&array), GUARD_BYTE, room + 2 * GUARD);
    memset(mine_of(&array) + GUARD, fill, room);
    return array;
}

static shared void *room_of(const guarded *array, int thread)
{
    return (shared void *)(array->memory + thread + (ptrdiff_t)GUARD * THREADS);
}

/* Guards must be unchanged; and the room, too, if nothing may have been written there (fill >= 0) */
static void check(const guarded *array, int fill, const char *what)
{
    const unsigned char *mine = mine_of(array);
    for (size_t i = 0; i < array->room + 2 * GUARD; i++) {
        int is_room = i >= GUARD && i < GUARD + array->room;
        int expected = is_room ? fill : GUARD_BYTE;
        if (expected >= 0 && mine[i] != expected) {
            check_failed(__FILE__, __LINE__, what, mine[i], expected);
            return;
        }
    }
}

/* Each thread gives another size; there is room for the largest. */
static void differing_sizes(upc_flag_t flags)
{
    size_t n = (size_t)LARGEST - (size_t)MYTHREAD * 7;
    guarded src = make((size_t)LARGEST * THREADS, 1);
    guarded dst = make((size_t)LARGEST * THREADS, 2);
    upc_barrier;
    upc_all_gather(room_of(&dst, 0), room_of(&src, 0), n, flags);
    upc_barrier;
    upc_all_gather_all(room_of(&dst, 0), room_of(&src, 0), n, flags);
    upc_barrier;
    upc_all_scatter(room_of(&dst, 0), room_of(&src, 0), n, flags);
    upc_barrier;
    upc_all_broadcast(room_of(&dst, 0), room_of(&src, 0), n, flags);
    upc_barrier;
    upc_all_exchange(room_of(&dst, 0), room_of(&src, 0), n, flags);
    upc_barrier;
    check(&src, 1, "source with differing sizes");
    check(&dst, -1, "guards with differing sizes");
    upc_barrier;
    upc_all_free(src.memory);
    upc_all_free(dst.memory);
}

/* All threads send to the same thread. */
static void no_permutation(upc_flag_t flags)
{
    guarded src = make(LARGEST, 1);
    guarded dst = make(LARGEST, 2);
    shared int *perm = upc_all_alloc(THREADS, sizeof(int));
    perm[MYTHREAD] = THREADS - 1;
    upc_barrier;
    upc_all_permute(room_of(&dst, 0), room_of(&src, 0), perm, LARGEST, flags);
    upc_barrier;
    check(&src, 1, "source of what is no permutation");
    check(&dst, MYTHREAD == THREADS - 1 ? 1 : 2, "target of what is no permutation");
    upc_barrier;
    upc_all_free(perm);
    upc_all_free(src.memory);
    upc_all_free(dst.memory);
}

/* Different operations and numbers of elements */
static void differing_reductions(upc_flag_t flags)
{
    size_t part_bytes = VALUES * sizeof(long);
    guarded src = make(part_bytes, 1);
    guarded dst = make(part_bytes, 2);
    upc_op_t op = MYTHREAD % 2 ? UPC_ADD : UPC_MAX;
    int has_partners = (flags & (UPC_IN_MYSYNC | UPC_OUT_MYSYNC)) != 0;
    size_t nelems = (size_t)VALUES * THREADS - (has_partners ? 1 : (size_t)MYTHREAD);
    upc_barrier;
    upc_all_reduceL(room_of(&dst, 0), room_of(&src, 0), op, nelems, VALUES, NULL, flags);
    upc_barrier;
    check(&dst, MYTHREAD == 0 ? -1 : 2, "all but the root of a reduction");
    upc_all_prefix_reduceL(room_of(&dst, 0), room_of(&src, 0), op, nelems, VALUES, NULL, flags);
    upc_barrier;
    check(&src, 1, "source of differing reductions");
    check(&dst, -1, "guards of differing reductions");
    upc_barrier;
    upc_all_free(src.memory);
    upc_all_free(dst.memory);
}

/*
 * MYSYNC is left out where threads might wait for a partner that does not consider them its partner: with an invalid
 * permutation, with sizes, which determine the way, and with numbers of elements, which determine their owners.
 */
int main(void)
{
    static const upc_flag_t without_partners[] = {UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC, UPC_IN_ALLSYNC | UPC_OUT_NOSYNC,
                                                  UPC_IN_NOSYNC | UPC_OUT_ALLSYNC, UPC_IN_NOSYNC | UPC_OUT_NOSYNC};
    for (int f = 0; f < FLAGS; f++)
        differing_reductions(all_flags[f]);
    for (size_t f = 0; f < sizeof without_partners / sizeof *without_partners; f++) {
        no_permutation(without_partners[f]);
        differing_sizes(without_partners[f]);
    }
    return finish();
}
