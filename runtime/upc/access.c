#include <banyan/access.h>

bn_u64 bn_cold_elem_cyclic(bn_shared_t a, bn_u64 i, bn_u64 elem)
{
    return bn_elem_cyclic(a, i, elem);
}

bn_u64 bn_cold_elem_block(bn_shared_t a, bn_u64 i, bn_u64 block, bn_u64 elem)
{
    return bn_elem_block(a, i, block, elem);
}
