// Standard input goes to thread 0, the others read nothing
// pthreads: no
// stdin: 42 hello
#include "check.h"

int main(void)
{
    int number = 0;
    char word[20] = "";
    int items = scanf("%d %19s", &number, word);

    if (MYTHREAD == 0) {
        EQ(items, 2);
        EQ(number, 42);
        CHECK(strcmp(word, "hello") == 0);
    } else {
        EQ(items, EOF);
    }
    return finish();
}
