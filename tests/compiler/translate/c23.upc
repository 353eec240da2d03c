// C23 below UPC
// flags: -std=gnu2x
enum colour : unsigned char { RED, GREEN };
constexpr int N = 1'2;
shared enum colour colours[N * THREADS];
shared [N] int blocks[N * THREADS];
int translate_begins;
int f(shared int *p)
{
    auto q = &blocks[0x1'0];
    typeof_unqual(blocks[0]) x = 3;
    bool is_null = p == nullptr || false;
    thread_local static int t;
    p = nullptr;
    q[1] = true ? x : t;
    return is_null;
}
int translate_ends;

// emits:
// int f(bn_pts_t p)
// {
//     bn_pts_t q = bn_outlined_add_block(bn_start(blocks), (bn_i64)(0x1'0), 12, sizeof(int));
//     typeof_unqual((*(int *)bn_narrow_once(blocks, (bn_u32)(0), 12, sizeof(int)))) x = 3;
//     bool is_null = (p).addr == 0 || false;
//     thread_local static int t;
//     p = bn_null();
//     (*(int *)bn_outlined_add_block(q, (bn_i64)(1), 12, sizeof(int)).addr) = true ? x : t;
//     return is_null;
// }
