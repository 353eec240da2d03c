// Designators that lead into an object keep what earlier ones have set in other parts of it (C11 6.7.9p19)
// flags: -w
#include <upc.h>

#include "check.h"

struct two {
    shared int *p, *q;
};
shared int x, y;
shared struct {
    struct two in[2];
    int n;
} parts = {.in[1].p = &x, .in[0].q = &y, .n = THREADS, .in[1].q = &y},
  replaced = {.in[1].p = &x, .in[0].q = &y, .in[1].p = 0, .in[0].q = &x},
  whole = {.in[1].p = &x, .in[0].q = &y, .in[1] = {.q = &x}}, run = {.in[0].q = &y, .in[0].p = &x, 0, &y};
struct two private_parts[2] = {[1].p = &x, [1].q = &y};
static struct {
    union {
        shared int *p;
        struct two both;
    } u;
    int n;
} member = {.u.both.q = &y, .u.p = &x}, other_member = {.u.p = &x, .u.both.q = &y, .n = 1, .u.both.p = &y};

int main(void)
{
    CHECK(parts.in[1].p == &x && parts.in[0].q == &y && parts.in[1].q == &y && parts.in[0].p == NULL);
    EQ(parts.n, THREADS);
    CHECK(replaced.in[1].p == NULL && replaced.in[0].q == &x);
    CHECK(whole.in[1].p == NULL && whole.in[1].q == &x && whole.in[0].q == &y);
    CHECK(run.in[0].p == &x && run.in[0].q == NULL && run.in[1].p == &y);
    CHECK(private_parts[1].p == &x && private_parts[1].q == &y && private_parts[0].p == NULL);
    CHECK(member.u.p == &x && member.n == 0);
    CHECK(other_member.u.both.p == &y && other_member.u.both.q == &y && other_member.n == 1);
    return finish();
}
