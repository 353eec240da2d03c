// Clause: file-scope initialisers that use shared addresses (facts 1.11, gotcha 22)
#include <upc.h>

#include "check.h"

shared [3] int a[9 * THREADS];
shared int scalar = 5;
struct record {
    int x;
    shared int *p;
};
shared struct record rec = {7, &scalar};

shared [3] int *whole = a;
shared [3] int *fifth = a + 5;
shared [3] int *eighth = &a[8];
shared [3] int *back = &a[8] - 1;
shared int *to_scalar = &scalar;
static shared void *generic = &a[4];
shared [5] int *other_block = (shared [5] int *)&a;
shared [] int *member = &rec.x;
shared [3] int *shared shared_pointer = a + 7;
shared [3] int *table[3] = {a, a + 1, &a[2]};
shared [3] int *designated[4] = {[2] = &a[6]};
struct record private_record = {3, &scalar};
struct record records[2] = {{1, &scalar}, {2, NULL}};
const struct {
    struct record in;
    shared void *q;
} nested = {{4, &scalar}, &a[1]};
shared [3] int *null = NULL;
extern shared [3] int *const constant;
shared [3] int *const constant = &a[2];
extern const struct record constants[];
const struct record constants[2] = {{1, &scalar}, {2, NULL}};
shared [3] int (*row)[3] = (shared [3] int(*)[3])a;
shared int *shared *indirect;

int main(void)
{
    static shared [3] int *local_static = &a[3];
    static shared [3] int *shared local_shared = &a[4];

    CHECK(whole == a && fifth == &a[5] && eighth == &a[8] && back == &a[7]);
    EQ(upc_phaseof(fifth), 2);
    EQ(upc_phaseof(eighth), 2);
    EQ(*to_scalar, 5);
    CHECK(generic == &a[4]);
    EQ(upc_phaseof(generic), 1);
    CHECK((shared void *)other_block == (shared void *)a);
    EQ(*member, 7);
    EQ(*rec.p, 5);
    CHECK(shared_pointer == &a[7]);
    EQ(upc_phaseof(shared_pointer), 1);
    for (int i = 0; i < 3; i++) {
        CHECK(table[i] == &a[i]);
        EQ(upc_phaseof(table[i]), i);
    }
    CHECK(designated[2] == &a[6] && designated[0] == NULL && designated[3] == NULL);
    EQ(*private_record.p, 5);
    EQ(private_record.x, 3);
    EQ(records[0].x + records[1].x, 3);
    EQ(*records[0].p, 5);
    CHECK(records[1].p == NULL);
    EQ(*nested.in.p + nested.in.x, 9);
    CHECK(nested.q == &a[1]);
    CHECK(null == NULL);
    CHECK(constant == &a[2] && constants[0].p == &scalar && constants[1].p == NULL);
    EQ(constants[0].x + constants[1].x, 3);
    CHECK(row[1] == a + 3);
    CHECK(local_static == &a[3] && local_shared == &a[4]);
    return finish();
}
