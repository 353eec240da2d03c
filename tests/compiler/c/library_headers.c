/* Heavy headers in use: tgmath, complex, atomics, threads, signals, setjmp, intrinsics */
#include <complex.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#if defined __x86_64__
#include <immintrin.h>
#endif
static atomic_int hits;
static _Thread_local int mine = 5;
static jmp_buf back;
static volatile sig_atomic_t signalled;
static void handler(int s) { signalled = s; }
static void *work(void *p) { for (int i = 0; i < 1000; i++) atomic_fetch_add(&hits, 1); mine++; return p; }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static double average(int n, ...) { va_list l; double s = 0; va_start(l, n); for (int i = 0; i < n; i++) s += va_arg(l, double); va_end(l); return s / n; }
int main(void)
{
    pthread_t t[3];
    int v[] = {5, 3, 9, 1};
    for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    printf("%d %d\n", atomic_load(&hits), mine);
    double complex z = 3 + 4 * I;
    printf("%.1f %.1f %.1f %.1f\n", fabs(z), creal(z * z), sqrt(2.25f), pow(2, 10));
    qsort(v, 4, sizeof *v, compare);
    printf("%d %d %.2f\n", v[0], v[3], average(3, 1.0, 2.0, 4.5));
    if (setjmp(back) == 0) longjmp(back, 1); else puts("back");
    signal(SIGUSR1, handler); raise(SIGUSR1); printf("%d\n", signalled == SIGUSR1);
    errno = 0; strtol("99999999999999999999", NULL, 10); printf("%d\n", errno == ERANGE);
    struct sigaction action = {.sa_handler = SIG_IGN, .sa_flags = SA_RESTART}; sigemptyset(&action.sa_mask); sigaction(SIGUSR2, &action, NULL);
    struct timespec now; clock_gettime(CLOCK_REALTIME, &now); printf("%d %" PRId64 "\n", now.tv_sec > 0, INT64_C(-5));
#if defined __x86_64__
    __m128i x = _mm_add_epi32(_mm_set1_epi32(3), _mm_setr_epi32(1, 2, 3, 4));
    printf("%d\n", _mm_cvtsi128_si32(_mm_srli_si128(x, 4)));
#endif
    return strcmp("a", "b") < 0 ? 3 : 4;
}
