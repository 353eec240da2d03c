// Where threads may be on other nodes, each access asks whether its object is near
// flags: -network=shmem
// env: dynamic

struct cell {
    int value;
    unsigned low : 3;
    _Bool flag : 1;
    const int fixed : 4;
};

shared int x;
shared [2] double a[4*THREADS];
shared struct cell c[2*THREADS];
strict shared int ready;
shared int *shared p;

int translate_begins;
int f(int i)
{
    x = i;
    a[i] += 0.5;
    i = x + (int)a[i++];
    c[i].value = x++;
    struct cell copy = c[0];
    (void)copy;
    ready = 1;
    ready |= 2;
    ++p;
    return *p + (int)sizeof(a[i]);
}

int g(int i)
{
    c[i].low = 5;
    c[i].flag |= 1;
    return ready + c[i].low-- + c[i].fixed;
}

int translate_ends;

// emits:
// int f(int i)
// {
//     (__extension__ ({ int bn_v2; __typeof__(bn_v2) *bn_p1 = (__typeof__(bn_v2) *)&(*(int *)x); bn_v2 = i; if (bn_is_near(bn_p1)) *bn_p1 = bn_v2; else bn_put(bn_p1, &bn_v2, sizeof bn_v2); }));
//     (__extension__ ({ double bn_v4; __typeof__(bn_v4) *bn_p3 = (__typeof__(bn_v4) *)&(*(double *)bn_outlined_elem_block(a, (bn_u64)(i), 2, sizeof(double))); if (bn_is_near(bn_p3)) bn_v4 = *bn_p3; else bn_get(&bn_v4, bn_p3, sizeof bn_v4); bn_v4 += 0.5; if (bn_is_near(bn_p3)) *bn_p3 = bn_v4; else bn_put(bn_p3, &bn_v4, sizeof bn_v4); }));
//     i = (__extension__ ({ int bn_v6; __typeof__(bn_v6) *bn_p5 = (__typeof__(bn_v6) *)&(*(int *)x); if (bn_is_near(bn_p5)) bn_v6 = *bn_p5; else bn_get(&bn_v6, bn_p5, sizeof bn_v6); bn_v6; })) + (int)(__extension__ ({ double bn_v8; __typeof__(bn_v8) *bn_p7 = (__typeof__(bn_v8) *)&(*(double *)bn_outlined_elem_block(a, (bn_u64)(i++), 2, sizeof(double))); if (bn_is_near(bn_p7)) bn_v8 = *bn_p7; else bn_get(&bn_v8, bn_p7, sizeof bn_v8); bn_v8; }));
//     (__extension__ ({ int bn_v13; typedef __typeof__(bn_v13) bn_t14 __attribute__((aligned(1))); bn_t14 *bn_p12 = (bn_t14 *)&(*(struct cell *)bn_outlined_elem_cyclic(c, (bn_u64)(i), sizeof(struct cell))).value; bn_v13 = (__extension__ ({ int bn_v10; __typeof__(bn_v10) *bn_p9 = (__typeof__(bn_v10) *)&(*(int *)x); int bn_old11; if (bn_is_near(bn_p9)) bn_v10 = *bn_p9; else bn_get(&bn_v10, bn_p9, sizeof bn_v10); bn_old11 = bn_v10; ++bn_v10; if (bn_is_near(bn_p9)) *bn_p9 = bn_v10; else bn_put(bn_p9, &bn_v10, sizeof bn_v10); bn_old11; })); if (bn_is_near(bn_p12)) *bn_p12 = bn_v13; else bn_put(bn_p12, &bn_v13, sizeof bn_v13); }));
//     struct cell copy = (__extension__ ({ struct cell bn_v16; __typeof__(bn_v16) *bn_p15 = (__typeof__(bn_v16) *)&(*(struct cell *)bn_outlined_elem_cyclic(c, (bn_u64)(0), sizeof(struct cell))); if (bn_is_near(bn_p15)) __builtin_memcpy((void *)&bn_v16, (const void *)bn_p15, sizeof bn_v16); else bn_get((void *)&bn_v16, bn_p15, sizeof bn_v16); bn_v16; }));
//     (void)copy;
//     (__extension__ ({ int bn_v18; volatile __typeof__(bn_v18) *bn_p17 = (volatile __typeof__(bn_v18) *)&(*(int *)ready); bn_v18 = 1; bn_before_strict_write(); if (bn_is_near(bn_p17)) *bn_p17 = bn_v18; else bn_put(bn_p17, &bn_v18, sizeof bn_v18); bn_after_strict_write(); }));
//     (__extension__ ({ int bn_v20; volatile __typeof__(bn_v20) *bn_p19 = (volatile __typeof__(bn_v20) *)&(*(int *)ready); bn_fence(); if (bn_is_near(bn_p19)) bn_v20 = *bn_p19; else bn_get(&bn_v20, bn_p19, sizeof bn_v20); bn_v20 |= 2; if (bn_is_near(bn_p19)) *bn_p19 = bn_v20; else bn_put(bn_p19, &bn_v20, sizeof bn_v20); bn_fence(); }));
//     (__extension__ ({ bn_pts_t bn_v22; __typeof__(bn_v22) *bn_p21 = (__typeof__(bn_v22) *)&(*(bn_pts_t *)p); if (bn_is_near(bn_p21)) bn_v22 = *bn_p21; else bn_get(&bn_v22, bn_p21, sizeof bn_v22); bn_v22 = bn_next_cyclic(bn_v22, sizeof(int)); if (bn_is_near(bn_p21)) *bn_p21 = bn_v22; else bn_put(bn_p21, &bn_v22, sizeof bn_v22); }));
//     return (__extension__ ({ int bn_v24; __typeof__(bn_v24) *bn_p23 = (__typeof__(bn_v24) *)&(*(int *)((__extension__ ({ bn_pts_t bn_v26; __typeof__(bn_v26) *bn_p25 = (__typeof__(bn_v26) *)&(*(bn_pts_t *)p); if (bn_is_near(bn_p25)) bn_v26 = *bn_p25; else bn_get(&bn_v26, bn_p25, sizeof bn_v26); bn_v26; }))).addr); if (bn_is_near(bn_p23)) bn_v24 = *bn_p23; else bn_get(&bn_v24, bn_p23, sizeof bn_v24); bn_v24; })) + (int)sizeof(double);
// }
// int g(int i)
// {
//     (__extension__ ({ typedef struct cell bn_t29; typedef bn_t29 bn_t29u __attribute__((aligned(1))); bn_t29 bn_v28; bn_t29u *bn_p27 = ((void)__builtin_memset(&bn_v28, 0, sizeof bn_v28), (bn_t29u *)&(*(struct cell *)bn_outlined_elem_cyclic(c, (bn_u64)(i), sizeof(struct cell)))); bn_v28.low = 5; if (bn_is_near(bn_p27)) bn_p27->low = bn_v28.low; else { __typeof__(bn_v28) bn_m30; __builtin_memset(&bn_m30, 0, sizeof bn_m30); --bn_m30.low; bn_put_bits(bn_p27, &bn_v28, &bn_m30, sizeof bn_m30); } }));
//     (__extension__ ({ typedef struct cell bn_t33; typedef bn_t33 bn_t33u __attribute__((aligned(1))); bn_t33 bn_v32; bn_t33u *bn_p31 = ((void)__builtin_memset(&bn_v32, 0, sizeof bn_v32), (bn_t33u *)&(*(struct cell *)bn_outlined_elem_cyclic(c, (bn_u64)(i), sizeof(struct cell)))); if (bn_is_near(bn_p31)) bn_v32.flag = bn_p31->flag; else { __typeof__(bn_v32) bn_m34; __builtin_memset(&bn_m34, 0, sizeof bn_m34); bn_m34.flag = 1; bn_get_bits(&bn_v32, bn_p31, &bn_m34, sizeof bn_m34); } bn_v32.flag |= 1; if (bn_is_near(bn_p31)) bn_p31->flag = bn_v32.flag; else { __typeof__(bn_v32) bn_m35; __builtin_memset(&bn_m35, 0, sizeof bn_m35); bn_m35.flag = 1; bn_put_bits(bn_p31, &bn_v32, &bn_m35, sizeof bn_m35); } }));
//     return (__extension__ ({ int bn_v37; volatile __typeof__(bn_v37) *bn_p36 = (volatile __typeof__(bn_v37) *)&(*(int *)ready); bn_before_strict_read(); if (bn_is_near(bn_p36)) bn_v37 = *bn_p36; else bn_get(&bn_v37, bn_p36, sizeof bn_v37); bn_after_strict_read(); bn_v37; })) + (__extension__ ({ typedef struct cell bn_t40; typedef bn_t40 bn_t40u __attribute__((aligned(1))); bn_t40 bn_v39; bn_t40u *bn_p38 = ((void)__builtin_memset(&bn_v39, 0, sizeof bn_v39), (bn_t40u *)&(*(struct cell *)bn_outlined_elem_cyclic(c, (bn_u64)(i), sizeof(struct cell)))); int bn_old41; if (bn_is_near(bn_p38)) bn_v39.low = bn_p38->low; else { __typeof__(bn_v39) bn_m42; __builtin_memset(&bn_m42, 0, sizeof bn_m42); --bn_m42.low; bn_get_bits(&bn_v39, bn_p38, &bn_m42, sizeof bn_m42); } bn_old41 = bn_v39.low; --bn_v39.low; if (bn_is_near(bn_p38)) bn_p38->low = bn_v39.low; else { __typeof__(bn_v39) bn_m43; __builtin_memset(&bn_m43, 0, sizeof bn_m43); --bn_m43.low; bn_put_bits(bn_p38, &bn_v39, &bn_m43, sizeof bn_m43); } bn_old41; })) + (__extension__ ({ typedef struct cell bn_t46; typedef bn_t46 bn_t46u __attribute__((aligned(1))); bn_t46 bn_v45; bn_t46u *bn_p44 = ((void)__builtin_memset(&bn_v45, 0, sizeof bn_v45), (bn_t46u *)&(*(struct cell *)bn_outlined_elem_cyclic(c, (bn_u64)(i), sizeof(struct cell)))); if (bn_is_near(bn_p44)) __builtin_memcpy((void *)&bn_v45, (const void *)bn_p44, sizeof bn_v45); else bn_get((void *)&bn_v45, bn_p44, sizeof bn_v45); +bn_v45.fixed; }));
// }
