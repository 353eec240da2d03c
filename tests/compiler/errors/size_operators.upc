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
    typeof(s.bf) *of_bits; // error: 'typeof' cannot be applied to a bit-field
    typeof(s.x) *of_member = &s.x;
    n += *of_member;
    n += upc_blocksizeof(int); // error: 'upc_blocksizeof' needs a shared type or object, not 'int'
    n += upc_elemsizeof(*(int *)0); // error: 'upc_elemsizeof' needs a shared type or object, not 'int'
    n += upc_localsizeof(private_object); // error: 'upc_localsizeof' needs a shared type or object, not 'int'
    n += upc_localsizeof(func); // error: 'upc_localsizeof' cannot be applied to a function
    n += upc_localsizeof(shared void); // error: 'upc_localsizeof' cannot be applied to the incomplete type 'shared void'
    n += upc_blocksizeof(shared void); // error: 'upc_blocksizeof' cannot be applied to the incomplete type 'shared void'
    n += upc_elemsizeof(shared struct incomplete); // error: 'upc_elemsizeof' cannot be applied to the incomplete type 'shared struct incomplete'
    n += upc_localsizeof(*p); // error: 'upc_localsizeof' cannot be applied to the incomplete type 'shared struct incomplete'
    n += upc_localsizeof(s.bf); // error: 'upc_localsizeof' cannot be applied to a bit-field
    n += upc_blocksizeof(5); // error: 'upc_blocksizeof' needs a shared type or object, not 'int'
    n += upc_blocksizeof(shared int *); // error: 'upc_blocksizeof' needs a shared type or object, not 'shared int \*'
    n += upc_elemsizeof(p); // error: 'upc_elemsizeof' needs a shared type or object, not 'shared struct incomplete \*'
    n += sizeof(shared void); // error: 'sizeof' cannot be applied to the incomplete type 'shared void'
    n += sizeof(*p); // error: 'sizeof' cannot be applied to the incomplete type 'shared struct incomplete'
    n += sizeof(s.bf); // error: 'sizeof' cannot be applied to a bit-field
    n += upc_blocksizeof(s.x) + upc_blocksizeof(a) + upc_blocksizeof(shared int) + upc_elemsizeof(s);
    n += upc_localsizeof(a) + upc_localsizeof a + upc_elemsizeof(shared int[10]);
    return n;
}
