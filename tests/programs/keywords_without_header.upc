// Clause: no header is needed for keywords (facts 1.1)
int printf(const char *, ...);

shared int total[THREADS];
strict shared int flag;

int main(void)
{
    int i, bad = 0;

    upc_forall (i = 0; i < 10 * THREADS; i++; i)
        total[MYTHREAD]++;
    upc_notify;
    upc_wait;
    upc_fence;
    upc_barrier 5;
    for (i = 0; i < THREADS; i++)
        bad += total[i] != 10;
    bad += upc_localsizeof(total) != sizeof(int);
    bad += upc_blocksizeof(total) != 1;
    bad += upc_elemsizeof(total) != sizeof(int);
    bad += flag;
    if (!bad)
        printf("ok\n");
    return bad;
}
