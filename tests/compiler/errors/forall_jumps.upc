// Jumps into and out of upc_forall (facts 1.12)
#include <setjmp.h>
int f(int n)
{
    int i;
    upc_forall (i = 0; i < n; i++; i) {
        if (i == 3)
            break; // warning: 'break' leaves a upc_forall loop, which is undefined; let the loop end on all threads \[-Wupc-forall\]
        if (i == 4)
            return 1; // warning: 'return' leaves a upc_forall loop, which is undefined; let the loop end on all threads \[-Wupc-forall\]
        if (i == 5)
            goto out; // warning: 'goto' leaves a upc_forall loop, which is undefined; let the loop end on all threads \[-Wupc-forall\]
        for (;;) {
            break;
        }
        switch (i) {
        case 1:
            break;
        default:
            continue;
        }
        while (i) {
            if (n)
                return 2; // warning: 'return' leaves a upc_forall loop, which is undefined; let the loop end on all threads \[-Wupc-forall\]
            continue;
        }
        goto in_body;
    in_body:
        n--;
    }
    goto inside; // warning: 'goto' jumps into a upc_forall loop, which is undefined \[-Wupc-forall\]
out:
    upc_forall (i = 0; i < n; i++; i) {
    inside:
        n--;
    }
    switch (n) {
    case 0:
        upc_forall (i = 0; i < n; i++; i) {
        case 1: // warning: 'case' jumps into a upc_forall loop, which is undefined \[-Wupc-forall\]
            n--;
        default: // warning: 'default' jumps into a upc_forall loop, which is undefined \[-Wupc-forall\]
            n--;
        }
    }
    return n;
}
// Labels of __label__ are local to their block, and may have the names of others.
int local_labels(int n)
{
    {
        __label__ end, in;
        if (n)
            goto end;
        goto in;
    in:
        n++;
    end:;
    }
    upc_forall (int i = 0; i < n; i++; i) {
        __label__ end;
        if (i)
            goto end;
        n++;
        if (n)
            goto out; // warning: 'goto' leaves a upc_forall loop, which is undefined; let the loop end on all threads \[-Wupc-forall\]
        upc_forall (int j = 0; j < n; j++; j)
            goto end; // warning: 'goto' leaves a upc_forall loop, which is undefined; let the loop end on all threads \[-Wupc-forall\]
    end:;
    }
out:
    return n;
}
// A computed goto is wrong for certain only if each label whose address is taken is outside of its loop.
int computed(int n)
{
    void *to = n ? &&one : &&two;
    upc_forall (int i = 0; i < n; i++; i)
        goto *to; // warning: 'goto' leaves a upc_forall loop, which is undefined; let the loop end on all threads \[-Wupc-forall\]
one:
    n++;
two:
    goto *to;
}
int interpreter(const char *code, int n)
{
    upc_forall (int i = 0; i < n; i++; i) {
        static const void *const operations[] = {&&inc, &&dec, &&done};
        goto *operations[(int)*code++];
    inc:
        n++;
        goto *operations[(int)*code++];
    dec:
        n--;
        goto *operations[(int)*code++];
    done:;
    }
    goto *&&out;
out:
    return n;
}
int computed_into(int n)
{
    void *to = &&inside;
    goto *to; // warning: 'goto' jumps into a upc_forall loop, which is undefined \[-Wupc-forall\]
    upc_forall (int i = 0; i < n; i++; i) {
    inside:
        n--;
    }
    return n;
}
// Functions may jump to the labels of those that they are nested in.
int nested(int n)
{
    __label__ out, next;
    auto void leave(int m)
    {
        if (m)
            goto out;
        upc_forall (int i = 0; i < m; i++; i) {
            if (i == m)
                goto next; // warning: 'goto' leaves a upc_forall loop, which is undefined; let the loop end on all threads \[-Wupc-forall\]
        again:
            if (m--)
                goto again;
        }
    }
    leave(n);
next:
    n++;
out:
    return n;
}
