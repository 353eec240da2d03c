// Clause: every thread gets argc and argv; options after the program's name are its own (facts 1.4, 3.4)
// args: -n 5 -- "two words" --help ""
#include "check.h"

int main(int argc, char **argv)
{
    static const char *const expected[] = {"-n", "5", "--", "two words", "--help", ""};

    EQ(argc, 7);
    CHECK(strlen(argv[0]) > 0);
    for (int i = 1; i < argc && i < 7; i++)
        CHECK(strcmp(argv[i], expected[i - 1]) == 0);
    CHECK(argv[argc] == NULL);
    return finish();
}
