// Arrays inside shared structs, arrays of arrays of structs, flexible members in allocated memory
#include <upc.h>

#include "check.h"

struct message {
    int length;
    char text[];
};
struct table {
    struct {
        int cell[3][4];
    } part[2];
};
shared [2] struct table t[2 * THREADS][3];

int main(void)
{
    shared [] struct message *shared *all = upc_all_alloc(THREADS, sizeof(shared void *));
    shared [] struct message *mine = upc_alloc(sizeof(struct message) + 50);

    mine->length = snprintf((char *)mine->text, 50, "from %d", MYTHREAD);
    all[MYTHREAD] = mine;
    upc_barrier;
    for (int i = 0; i < THREADS; i++) {
        shared [] struct message *m = all[i];
        char expected[50];
        EQ(m->length, snprintf(expected, sizeof expected, "from %d", i));
        for (int k = 0; k <= m->length; k++)
            EQ(m->text[k], expected[k]);
    }
    int number = 0;
    for (int i = 0; i < 2 * THREADS; i++)
        for (int j = 0; j < 3; j++, number++) {
            EQ(upc_threadof(&t[i][j]), number / 2 % THREADS);
            EQ(upc_threadof(&t[i][j].part[1].cell[2][3]), number / 2 % THREADS);
            EQ(upc_blocksizeof(t[i][j].part[1].cell), 0);
            if (MYTHREAD == number % THREADS)
                t[i][j].part[1].cell[2][3] = number;
        }
    upc_barrier;
    number = 0;
    for (int i = 0; i < 2 * THREADS; i++)
        for (int j = 0; j < 3; j++, number++)
            EQ(t[i][j].part[1].cell[2][3], number);
    upc_barrier;
    upc_free(mine);
    upc_all_free(all);
    return finish();
}
