// Private objects with static storage are each thread's own, whatever their initial values are made of: addresses of
// one another, of members and elements, in lists and in functions (facts 1.4)
#include <upc.h>

#include "check.h"

struct node {
    int value;
    struct node *next;
    int *to;
};

extern int later[4];
static int own = 3;
int tentative;
int *to_own = &own;
int *to_element = &later[2];
int *const constant = &tentative;
static struct node last = {.value = 2, .to = &later[1]}, first_node = {1, &last, &last.value};
static struct node *const heads[] = {&first_node, &last};
const char *text = "text", *const texts[] = {"a", "b"};
int later[4] = {10, 11, 12, 13}, *pair[2] = {later, later + 3}, function_and(void);
static const int shared_by_all = 7;
static const int *to_constant = &shared_by_all;

int function_and(void)
{
    static int calls, *to_calls = &calls, *table[2] = {&own, &tentative};
    struct local {
        int *p, n;
    };
    static struct local here = {&calls, 5}, many[2] = {{.n = 1}, {.p = &calls, .n = 2}};
    ++*to_calls;
    CHECK(table[0] == &own && table[1] == &tentative);
    CHECK(here.p == &calls && here.n == 5 && many[1].p == &calls && many[0].p == NULL);
    return calls;
}

static double large[2 << 20]; /* more than a stack holds */

shared int *shared seen[THREADS];
shared int value[THREADS];
shared [] int *p_own = (shared [] int *)&value[0];

int main(void)
{
    own += MYTHREAD;
    tentative = 100 + MYTHREAD;
    later[1] += MYTHREAD;
    large[(2 << 20) - 1] = MYTHREAD;
    upc_barrier;
    EQ(large[(2 << 20) - 1], MYTHREAD);
    EQ(*to_own, 3 + MYTHREAD);
    EQ(*constant, 100 + MYTHREAD);
    EQ(*to_element, 12);
    EQ(*heads[0]->next->to, 11 + MYTHREAD);
    CHECK(first_node.to == &last.value && heads[1] == &last && pair[1] == &later[3] && pair[0] == later);
    CHECK(text[0] == 't' && texts[1][0] == 'b' && *to_constant == 7);
    for (int i = 0; i <= MYTHREAD; i++)
        EQ(function_and(), i + 1);
    CHECK(upc_threadof(p_own) == 0);
    value[MYTHREAD] = own;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        EQ(value[t], 3 + t);
    return finish();
}
