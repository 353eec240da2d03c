// Headers of glibc pass through (facts 1.1, gotcha 27)
#include <assert.h>
#include <complex.h>
#include <ctype.h>
#include <errno.h>
#include <fenv.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <tgmath.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <upc.h>

#include "check.h"

int main(void)
{
    double _Complex z = 3.0 + 4.0 * I;
    atomic_int a = 5;
    bool truth = isdigit('5');

    EQ(cabs(z), 5);
    EQ(sqrt(2.25f) * 2, 3);
    EQ(atomic_fetch_add(&a, 2) + a, 12);
    CHECK(truth);
    EQ(INT64_C(5), 5);
    return finish();
}
