// The translator computes sizes of structs where a block size depends on them; the C compiler must agree.
#include <stdint.h>
#include <upc.h>

#include "check.h"

struct chars { char a, b, c; };
struct mixed { char a; double d; short s; };
struct nested { struct mixed m; char c; struct chars x[3]; };
struct bits { unsigned a : 3; unsigned b : 30; int c : 5; };
struct bits_char { char a : 4; char b : 5; unsigned long l : 33; };
struct bits_zero { int a : 4; int : 0; int b : 4; };
struct bits_unnamed { short a : 3; int : 20; char c; };
struct bits_tail { char c; int b : 7; };
struct bits_bool { _Bool a : 1, b : 1; unsigned short s : 9; };
struct packed { char a; int i; double d; } __attribute__((packed));
struct packed_bits { unsigned a : 3; unsigned b : 30; char c; } __attribute__((__packed__));
struct packed_member { char a; int i __attribute__((packed)); char b; };
struct aligned { char a; } __attribute__((aligned(32)));
struct aligned_member { char a; int i __attribute__((aligned(16))); };
struct flexible { int n; double data[]; };
struct empty_end { int n; char data[0]; };
struct pointers { char c; int *p; shared int *q; shared [] char *r; char e; };
struct anonymous { int a; union { double d; struct { char x, y; }; }; enum { RED, GREEN } colour; };
struct long_double { char c; long double d; };
struct complex_member { char c; float _Complex f; double _Complex d; };
struct int128_member { char c; __int128 i; };
struct function_pointers { char c; void (*f)(int); int (*g[2])(void); };
union both { char c[9]; int i; };
union bits_union { unsigned a : 17; char c; };
enum small { ONE = 1 };
enum large { HUGE_VALUE = 0x100000000 };
enum __attribute__((packed)) tiny { TINY };
typedef int four __attribute__((aligned(64)));
struct typedef_aligned { char c; four f; };
typedef int vector __attribute__((vector_size(16)));
struct vector_member { char c; vector v; };
struct alignas_member { char c; _Alignas(32) char d; };

#define SAME_SIZE(name, ...)                                                                                           \
    static shared[sizeof(__VA_ARGS__)] char of_##name[THREADS];                                                        \
    static int same_##name(void) { return upc_blocksizeof(of_##name) == sizeof(__VA_ARGS__); }

SAME_SIZE(chars, struct chars)
SAME_SIZE(mixed, struct mixed)
SAME_SIZE(nested, struct nested)
SAME_SIZE(bits, struct bits)
SAME_SIZE(bits_char, struct bits_char)
SAME_SIZE(bits_zero, struct bits_zero)
SAME_SIZE(bits_unnamed, struct bits_unnamed)
SAME_SIZE(bits_tail, struct bits_tail)
SAME_SIZE(bits_bool, struct bits_bool)
SAME_SIZE(packed, struct packed)
SAME_SIZE(packed_bits, struct packed_bits)
SAME_SIZE(packed_member, struct packed_member)
SAME_SIZE(aligned, struct aligned)
SAME_SIZE(aligned_member, struct aligned_member)
SAME_SIZE(flexible, struct flexible)
SAME_SIZE(empty_end, struct empty_end)
SAME_SIZE(pointers, struct pointers)
SAME_SIZE(anonymous, struct anonymous)
SAME_SIZE(long_double, struct long_double)
SAME_SIZE(complex_member, struct complex_member)
SAME_SIZE(int128_member, struct int128_member)
SAME_SIZE(function_pointers, struct function_pointers)
SAME_SIZE(both, union both)
SAME_SIZE(bits_union, union bits_union)
SAME_SIZE(small, enum small)
SAME_SIZE(large, enum large)
SAME_SIZE(tiny, enum tiny)
SAME_SIZE(typedef_aligned, struct typedef_aligned)
SAME_SIZE(vector_member, struct vector_member)
SAME_SIZE(alignas_member, struct alignas_member)
SAME_SIZE(array, struct mixed[3][5])
SAME_SIZE(pointer, struct mixed *)
SAME_SIZE(pointer_to_shared, shared struct mixed *)
SAME_SIZE(expression, (struct mixed *)0)
SAME_SIZE(character, 'a')
SAME_SIZE(string, "twelve bytes")
SAME_SIZE(sum, (char)1 + 1L)
SAME_SIZE(offset, char[__builtin_offsetof(struct mixed, s)])
SAME_SIZE(alignment, char[_Alignof(struct long_double)])

int main(void)
{
    EQ(same_chars(), 1);
    EQ(same_mixed(), 1);
    EQ(same_nested(), 1);
    EQ(same_bits(), 1);
    EQ(same_bits_char(), 1);
    EQ(same_bits_zero(), 1);
    EQ(same_bits_unnamed(), 1);
    EQ(same_bits_tail(), 1);
    EQ(same_bits_bool(), 1);
    EQ(same_packed(), 1);
    EQ(same_packed_bits(), 1);
    EQ(same_packed_member(), 1);
    EQ(same_aligned(), 1);
    EQ(same_aligned_member(), 1);
    EQ(same_flexible(), 1);
    EQ(same_empty_end(), 1);
    EQ(same_pointers(), 1);
    EQ(same_anonymous(), 1);
    EQ(same_long_double(), 1);
    EQ(same_complex_member(), 1);
    EQ(same_int128_member(), 1);
    EQ(same_function_pointers(), 1);
    EQ(same_both(), 1);
    EQ(same_bits_union(), 1);
    EQ(same_small(), 1);
    EQ(same_large(), 1);
    EQ(same_tiny(), 1);
    EQ(same_typedef_aligned(), 1);
    EQ(same_vector_member(), 1);
    EQ(same_alignas_member(), 1);
    EQ(same_array(), 1);
    EQ(same_pointer(), 1);
    EQ(same_pointer_to_shared(), 1);
    EQ(same_expression(), 1);
    EQ(same_character(), 1);
    EQ(same_string(), 1);
    EQ(same_sum(), 1);
    EQ(same_offset(), 1);
    EQ(same_alignment(), 1);
    return finish();
}
