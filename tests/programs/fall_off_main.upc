// Clause: falling off main is exit status 0 (facts 1.4)
#include "check.h"

int main(void)
{
    EQ(THREADS > MYTHREAD, 1);
    finish();
}
