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
