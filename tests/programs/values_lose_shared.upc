// What comes out of an operator is a value, without the qualifiers of its operands (gotcha 15, 25)
#include <upc.h>

#include "check.h"

typedef struct later later_t;
typedef shared later_t shared_later_t;
extern shared_later_t *first;
struct later {
    int x;
    shared_later_t *next;
};
shared_later_t *first;

shared [3] int a[6 * THREADS];
shared [3] int *shared p;
strict shared int flag;
const shared double d = 0.5;

int main(void)
{
    if (MYTHREAD == 0)
        p = &a[1];
    upc_barrier;
    __typeof__(p + 1) moved = p + 1;
    __typeof__(a[0] + 0) number = a[0];
    __typeof__(+flag) read = flag;
    __typeof__((shared [3] int *)p) cast = p;
    __typeof__(*&number) lvalue = 3;
    __auto_type automatic = p;
    __auto_type from_const = d + 0;

    moved++;
    automatic++;
    from_const += 1;
    number++;
    lvalue += read;
    EQ(moved - a, 3);
    EQ(automatic - a, 2);
    CHECK(cast == &a[1]);
    EQ(upc_blocksizeof(*moved), 3);
    EQ(upc_blocksizeof(*automatic), 3);
    CHECK(from_const == 1.5);
    EQ(number, 1);
    EQ(lvalue, 3);

    first = upc_alloc(sizeof(struct later));
    first->next = upc_alloc(sizeof(later_t));
    first->next->x = MYTHREAD + 1;
    EQ(first->next->x, MYTHREAD + 1);
    EQ(upc_threadof(first->next), MYTHREAD);
    upc_free(first->next);
    upc_free(first);
    return finish();
}
