// The size operators of UPC need a shared operand, and what sizeof needs (facts 1.6, constraint 13)
#include <stddef.h>
int private_object;
shared struct {
    int bf : 3;
    int x;
} s;
shared struct incomplete *p;
void func(void);
shared int a[THREADS];
size_t f(void)
{
    size_t n = 0;
    n += upc_blocksizeof(int); // error: .
    n += upc_elemsizeof(*(int *)0); // error: .
    n += upc_localsizeof(private_object); // error: .
    n += upc_localsizeof(func); // error: .
    n += upc_localsizeof(shared void); // error: .
    n += upc_blocksizeof(shared void); // error: .
    n += upc_elemsizeof(shared struct incomplete); // error: .
    n += upc_localsizeof(*p); // error: .
    n += upc_localsizeof(s.bf); // error: .
    n += upc_blocksizeof(5); // error: .
    n += upc_blocksizeof(shared int *); // error: .
    n += upc_elemsizeof(p); // error: .
    n += sizeof(shared void); // error: .
    n += sizeof(*p); // error: .
    n += sizeof(s.bf); // error: .
    n += upc_blocksizeof(s.x) + upc_blocksizeof(a) + upc_blocksizeof(shared int) + upc_elemsizeof(s);
    n += upc_localsizeof(a) + upc_localsizeof a + upc_elemsizeof(shared int[10]);
    return n;
}
