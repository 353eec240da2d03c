// Clause: the phase rules hold for assignment, arguments, return values and initialisers, too (facts 1.9)
#include <upc.h>

#include "check.h"

shared [4] int a[8 * THREADS];
struct pointers {
    shared void *generic;
    shared [4] int *typed;
};

static size_t phase_of_generic(shared void *p)
{
    return upc_phaseof(p);
}

static size_t phase_of_cyclic(shared [1] int *p)
{
    return upc_phaseof(p);
}

static size_t phase_of_blocked(shared [4] int *p)
{
    return upc_phaseof(p);
}

static shared void *to_generic(shared [4] int *p)
{
    return p;
}

static shared int *to_cyclic(shared void *p)
{
    return p;
}

static shared [4] const int *to_const(shared [4] int *p)
{
    return p;
}

int main(void)
{
    shared void *generic;
    shared [] int *indefinite;
    shared [0] int *zero;
    shared int *plain;
    shared [1] int *one;
    shared [4] int *blocked;

    for (int i = 0; i < 8 * THREADS; i++) {
        size_t phase = (size_t)i % 4;
        struct pointers pointers = {&a[i], &a[i]};

        generic = &a[i];
        EQ(upc_phaseof(generic), phase);
        blocked = generic;
        EQ(upc_phaseof(blocked), phase);
        indefinite = generic;
        EQ(upc_phaseof(indefinite), 0);
        plain = generic;
        EQ(upc_phaseof(plain), 0);
        one = plain;
        plain = one;
        zero = indefinite;
        indefinite = zero;
        CHECK(one == plain && zero == indefinite);
        EQ(upc_phaseof(pointers.generic), phase);
        pointers.generic = pointers.typed;
        pointers.typed = pointers.generic;
        EQ(upc_phaseof(pointers.typed), phase);
        EQ(phase_of_generic(&a[i]), phase);
        EQ(phase_of_cyclic(generic), 0);
        EQ(phase_of_blocked(generic), phase);
        EQ(upc_phaseof(to_generic(&a[i])), phase);
        EQ(upc_phaseof(to_cyclic(generic)), 0);
        EQ(upc_phaseof((shared void *)to_const(&a[i])), phase);
        CHECK(to_cyclic(generic) == generic);
        shared [4] int *chain = generic = &a[i];
        EQ(upc_phaseof(chain), phase);
    }
    return finish();
}
