// Names may have letters of any language, and mean the same when they are written as universal character names.
#include <stdio.h>
#include <upc.h>
#include "check.h"

struct größe {
    int höhe;
};
shared int zähler[THREADS];
shared struct größe α[THREADS];

int main(void)
{
    upc_forall (int é = 0; é < THREADS; é++; &zähler[é]) {
        z\u00e4hler[é] = é;
        \u03b1[é].h\u00f6he = é + 1;
    }
    upc_barrier;
    int Σ = 0;
    for (int i = 0; i < THREADS; i++)
        Σ += α[i].höhe - zähler[i];
    CHECK(Σ == THREADS);
    CHECK(sizeof "\u00e4" == sizeof "ä");
    return finish();
}
