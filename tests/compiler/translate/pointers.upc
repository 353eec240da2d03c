// Pointers-to-shared are structs; arithmetic is inline functions
int translate_begins;
shared [3] int *add(shared [3] int *p, int i)
{
    return p + i;
}
int compare(shared int *p, shared int *q)
{
    return p == q || p < q || !p;
}
int read(shared int *p, shared [] int *q)
{
    return *p + q[2] + (int)(p - (shared int *)q);
}
int *local(shared int *p)
{
    return (int *)p;
}
int translate_ends;

// emits:
// bn_pts_t add(bn_pts_t p, int i)
// {
//     return bn_outlined_add_block(p, (bn_i64)(i), 3, sizeof(int));
// }
// int compare(bn_pts_t p, bn_pts_t q)
// {
//     return (p).addr == (q).addr || bn_diff_cyclic(p, q, sizeof(int)) < 0 || !(p).addr;
// }
// int read(bn_pts_t p, bn_pts_t q)
// {
//     return (*(int *)(p).addr) + (*(int *)bn_add_indef(q, (bn_i64)(2), sizeof(int)).addr) + (int)(bn_diff_cyclic(p, (q), sizeof(int)));
// }
// int *local(bn_pts_t p)
// {
//     return ((int *)(p).addr);
// }
