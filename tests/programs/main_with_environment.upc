// main may have a third parameter, as gcc allows; the environment reaches every thread (facts 3.6, gotcha 42)
// env: CHECK_ME=hello UPC_SOMETHING=5
#include "check.h"

extern char **environ;

int main(int argc, char **argv, char **envp)
{
    int found = 0;

    for (char **p = envp; *p; p++)
        found += strcmp(*p, "CHECK_ME=hello") == 0;
    EQ(found, 1);
    CHECK(argc == 1 && argv[1] == NULL);
    CHECK(getenv("CHECK_ME") && strcmp(getenv("CHECK_ME"), "hello") == 0);
    CHECK(getenv("UPC_SOMETHING") && strcmp(getenv("UPC_SOMETHING"), "5") == 0);
    return finish();
}
