// Loops that wait for relaxed shared memory (facts 1.11): a relaxed read may be done just once
#include <upc_relaxed.h>
shared int flag, more[THREADS];
strict shared int there;
volatile shared int moving;
shared int *p;
struct node {
    shared struct node *next;
    int is_done;
};
shared struct node *node;
int ready(void);
void f(int i)
{
    while (!flag) // warning: this loop waits for 'flag' to change, but a relaxed read may be done just once; declare it 'strict', or write upc_fence in the loop \[-Wupc-wait\]
        ;
    while (more[i] != i) { // warning: this loop waits for 'more\[i\]' to change
    }
    do
        ;
    while (*p < 3 && i > 0); // warning: this loop waits for '\*p' to change
    for (i = 0; node->is_done == 0;) // warning: this loop waits for 'node->is_done' to change
        ;
    while (!there)
        ;
    while (!flag && !there)
        ;
    while (!moving)
        ;
    while (!flag)
        upc_fence;
    while (!flag && !ready())
        ;
    while (more[i++] == 0)
        ;
    for (i = 0; more[i] == 0; i++)
        ;
    while ((node = node->next) != NULL)
        ;
    while (sizeof(flag) < (size_t)i)
        ;
    while (&more[i] == p)
        ;
    {
#pragma upc strict
        while (!flag)
            ;
    }
}
