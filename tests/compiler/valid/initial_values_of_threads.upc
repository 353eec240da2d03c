// What C takes as constant is so, too, where code sets it before main
// flags: -pthreads -std=gnu2x -Wall -Wno-unused -Wno-address
#include <string.h>
int own, f(int *);
extern int later[4];
const int known = 5;
const struct {
    int m, a[2];
} pair = {1, {2, 3}};
struct s {
    int m, a[3];
} st;
static int *const ok[] = {&own, later, &later[3], later + 1, &st.m, st.a + 1, &*&own, &(&st)->m, 1 ? &own : later};
static long fine[] = {(long)&own - 4, !&own, &own != 0, known + !&own, pair.a[1] + !&own, *&known + !&own,
                      0 && f(&own), 1 || f(&own), 1 ? 2 : f(&own), sizeof f(&own), __builtin_constant_p(own)};
static _Bool is_set = &own;
typedef int four __attribute__((vector_size(16)));
four vector, *to_vector = &vector;
int *to_element = &vector[2];
shared four shared_vector;
shared [] int *to_shared_element = &shared_vector[2];
shared int a[THREADS];
shared int *q = &a[MYTHREAD] + 1, *r = (shared int *)&a[2] - 1;
shared int y = MYTHREAD + known;
char *behind_text = (char *)&own + strlen("abc");
void in_functions(void)
{
    static int here, *to_here = &here, *in_a_list[2] = {[1] = &here + 1};
}
