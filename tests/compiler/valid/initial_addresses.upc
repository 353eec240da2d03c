// Initial values of shared objects, which are constants of the emitted C, whose types are pointers
// flags: -Wall -Wextra
#include <upc.h>

int q, *pq = &q, rows[2][3];
static int twice(int x)
{
    return 2 * x;
}
static int *pick(int x)
{
    return &q + x;
}
static int (*choose(int x))[3]
{
    return &rows[x];
}
int **shared to_pointer = &pq;
int (*shared function)(int) = twice;
int *(*shared picks)(int) = pick;
int (*(*shared chooses)(int))[3] = choose;
int (*shared row)[3] = rows;
int (*shared[2] functions[2 * THREADS])(int) = {twice};
int **shared[] to_pointers[2] = {&pq, &pq};
char **shared texts = (char *[]){"a"};
shared struct {
    int **p, *(*f)(int);
} record = {&pq, pick};
