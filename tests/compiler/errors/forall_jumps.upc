// Jumps into and out of upc_forall (facts 1.12)
#include <setjmp.h>
int f(int n)
{
    int i;
    upc_forall (i = 0; i < n; i++; i) {
        if (i == 3)
            break; // warning: .
        if (i == 4)
            return 1; // warning: .
        if (i == 5)
            goto out; // warning: .
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
                return 2; // warning: .
            continue;
        }
        goto in_body;
    in_body:
        n--;
    }
    goto inside; // warning: .
out:
    upc_forall (i = 0; i < n; i++; i) {
    inside:
        n--;
    }
    switch (n) {
        upc_forall (i = 0; i < n; i++; i) {
        case 1: // warning: .
            n--;
        default: // warning: .
            n--;
        }
    }
    return n;
}
