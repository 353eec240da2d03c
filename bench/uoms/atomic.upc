/* atomic.upc: each operation of upc_atomic.h on a long of the last thread by thread 0, and one by all threads at
 * once. */
#include "families.h"

#include <upc_relaxed.h>

#if defined(__UPC_ATOMIC__)

#include <upc_atomic.h>

enum { BEFORE = 12, OPERAND = 5, FETCHED_NOTHING = -1 };

static const struct {
    upc_op_t op;
    int operands;
    long after; /* result for BEFORE and OPERAND; UPC_CSWAP writes OPERAND if it finds BEFORE */
} kinds[] = {
    [ATOMIC_GET] = {UPC_GET, 0, BEFORE},
    [ATOMIC_SET] = {UPC_SET, 1, OPERAND},
    [ATOMIC_CSWAP] = {UPC_CSWAP, 2, OPERAND},
    [ATOMIC_ADD] = {UPC_ADD, 1, BEFORE + OPERAND},
    [ATOMIC_SUB] = {UPC_SUB, 1, BEFORE - OPERAND},
    [ATOMIC_MULT] = {UPC_MULT, 1, BEFORE * OPERAND},
    [ATOMIC_MIN] = {UPC_MIN, 1, OPERAND},
    [ATOMIC_MAX] = {UPC_MAX, 1, BEFORE},
    [ATOMIC_INC] = {UPC_INC, 0, BEFORE + 1},
    [ATOMIC_DEC] = {UPC_DEC, 0, BEFORE - 1},
    [ATOMIC_AND] = {UPC_AND, 1, BEFORE & OPERAND},
    [ATOMIC_OR] = {UPC_OR, 1, BEFORE | OPERAND},
    [ATOMIC_XOR] = {UPC_XOR, 1, BEFORE ^ OPERAND},
    [ATOMIC_STRICT_ADD] = {UPC_ADD, 1, BEFORE + OPERAND},
    [ATOMIC_CONTENDED_ADD] = {UPC_ADD, 1, BEFORE + OPERAND},
};

static upc_atomicdomain_t *domain;
static shared long target[THREADS];
static long fetched;

int atomic_setup(struct uoms_run *run)
{
    domain = upc_all_atomicdomain_alloc(UPC_LONG, kinds[run->bench->param].op, UPC_ATOMIC_HINT_DEFAULT);
    return domain == NULL;
}

void atomic_prepare(struct uoms_run *run)
{
    (void)run;
    target[MYTHREAD] = BEFORE;
    fetched = FETCHED_NOTHING;
}

static int target_thread(const struct uoms_run *run)
{
    return run->bench->param == ATOMIC_CONTENDED_ADD ? 0 : THREADS - 1;
}

void atomic_run(struct uoms_run *run, long count)
{
    int kind = run->bench->param;
    upc_op_t op = kinds[kind].op;
    shared long *place = &target[target_thread(run)];
    const long before = BEFORE;
    const long operand = OPERAND;
    const long *first = kinds[kind].operands == 0 ? NULL : kind == ATOMIC_CSWAP ? &before : &operand;
    const long *second = kinds[kind].operands < 2 ? NULL : &operand;

    if (kind == ATOMIC_STRICT_ADD) {
        for (long i = 0; i < count; i++)
            upc_atomic_strict(domain, &fetched, op, place, first, second);
    } else {
        for (long i = 0; i < count; i++)
            upc_atomic_relaxed(domain, &fetched, op, place, first, second);
    }
}

size_t atomic_check(struct uoms_run *run)
{
    int kind = run->bench->param;
    long good = kind == ATOMIC_CONTENDED_ADD ? BEFORE + OPERAND * THREADS : kinds[kind].after;
    long found = target[target_thread(run)];
    if (MYTHREAD != 0)
        return 0;
    if (kind != ATOMIC_CONTENDED_ADD && fetched != BEFORE) {
        found = fetched;
        good = BEFORE;
    }
    run->bad_place = 0;
    run->bad_value = (unsigned)found;
    run->good_value = (unsigned)good;
    return found == good ? 0 : sizeof(long);
}

void atomic_teardown(struct uoms_run *run)
{
    (void)run;
    upc_all_atomicdomain_free(domain);
}

#else

int atomic_setup(struct uoms_run *run) { (void)run; return 1; }
void atomic_prepare(struct uoms_run *run) { (void)run; }
void atomic_run(struct uoms_run *run, long count) { (void)run; (void)count; }
size_t atomic_check(struct uoms_run *run) { (void)run; return 0; }
void atomic_teardown(struct uoms_run *run) { (void)run; }

#endif
