// What -fcheck adds
// flags: -fcheck
shared int a[4 * THREADS];
shared [2] int b[THREADS][6];
struct pair { int x; int y[3]; unsigned z : 3; };
void upc_call(int);
int *local;
int translate_begins;
#line 1 "checks.upc"
void f(shared [] struct pair *p, shared [3] int *q, shared void *v, int i)
{
    a[i] = b[i][1];
    p->x = p->y[i];
    p->z = (*p).x;
    *q = q[i];
    *(a + i) = 1;
    local = (int *)q;
    q = v;
    p = (shared [] struct pair *)&q[i];
    i = q - &q[1] + (q < q);
    upc_call(i);
    upc_notify;
    upc_wait 1;
}
int translate_ends;

// emits:
// void f(bn_pts_t p, bn_pts_t q, bn_pts_t v, int i)
// {
//     (*(int *)bn_outlined_elem_cyclic(a, (bn_u64)(bn_check_index((bn_i64)(i), 4 * (bn_u64)bn_threads(), "a", "checks.upc", 3)), sizeof(int))) = (*(int *)bn_outlined_elem_block(b, (bn_u64)((bn_i64)(bn_check_index((bn_i64)(i), 1 * (bn_u64)bn_threads(), "b", "checks.upc", 3)) * 6 + (bn_i64)(bn_check_index((bn_i64)(1), 6, "b[]", "checks.upc", 3))), 2, sizeof(int)));
//     ((struct pair *)bn_check_pointer(p, __builtin_offsetof(struct pair, x) + sizeof((*(struct pair *)0).x), "checks.upc", 4))->x = ((struct pair *)bn_check_pointer(p, __builtin_offsetof(struct pair, y) + sizeof((*(struct pair *)0).y), "checks.upc", 4))->y[bn_check_index((bn_i64)(i), 3, ".y", "checks.upc", 4)];
//     ((struct pair *)bn_check_pointer(p, sizeof(struct pair), "checks.upc", 5))->z = ((*(struct pair *)bn_check_pointer(p, sizeof(struct pair), "checks.upc", 5))).x;
//     (*(int *)bn_check_pointer(q, sizeof(int), "checks.upc", 6)) = (*(int *)bn_check_pointer(bn_outlined_add_block(bn_check_base(q, "checks.upc", 6), (bn_i64)(i), 3, sizeof(int)), sizeof(int), "checks.upc", 6));
//     (*(int *)bn_check_address((bn_u64)bn_outlined_elem_cyclic(a, (bn_u64)(i), sizeof(int)), sizeof(int), "checks.upc", 7)) = 1;
//     local = ((int *)bn_check_local(q, "checks.upc", 8));
//     q = bn_check_phase(v, 3, "checks.upc", 9);
//     p = (bn_reset_phase(bn_outlined_add_block(q, (bn_i64)(i), 3, sizeof(int))));
//     i = bn_check_diff_block(q, bn_outlined_add_block(q, (bn_i64)(1), 3, sizeof(int)), 3, sizeof(int), "checks.upc", 11) + (bn_check_diff_block(q, q, 3, sizeof(int), "checks.upc", 11) < 0);
//     (__extension__ ({ struct bn_check_place bn_outer1 __attribute__((cleanup(bn_check_leave))) = bn_check_enter("checks.upc", 12); upc_call(i); }));
//     bn_check_notify("checks.upc", 13);
//     bn_check_wait_value((int)(1), "checks.upc", 14);
// }
