// Tables of objects in a section of their own, between symbols of the linker
#include "check.h"

struct entry {
    const int *number;
    int calls;
};
static int one = 1, two = 2;
static struct entry changing_1 __attribute__((section("changing"), used)) = {&one, 0};
static struct entry changing_2 __attribute__((used, section("changing"))) = {&two, 0};
static const int constant_1 __attribute__((section("constant"), used)) = 3;
static const int constant_2 __attribute__((section("constant"), used)) = 4;
extern struct entry __start_changing[], __stop_changing[];
extern const int __start_constant[], __stop_constant[];

int main(void)
{
    int sum = 0;
    for (struct entry *entry = __start_changing; entry < __stop_changing; entry++) {
        sum += *entry->number;
        EQ(entry->calls, 0);
        entry->calls++;
    }
    for (const int *number = __start_constant; number < __stop_constant; number++)
        sum += *number;
    EQ(sum, 10);
    upc_barrier;
    EQ(changing_1.calls + changing_2.calls, 2);
    return finish();
}
