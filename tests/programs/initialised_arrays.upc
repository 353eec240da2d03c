// Initialisers of shared arrays are accepted (facts 1.11)
#include <upc.h>

#include "check.h"

shared [2] int a[5 * THREADS] = {1, 2, 3, 4, 5};
shared [] int b[] = {10, 20, 30};
shared [] char text[] = "hello";
shared [] const unsigned char escaped[] = "\0\377\x41" "1\\" /* in pieces */ "\u00e9é\12345";
shared [] __WCHAR_TYPE__ wide[] = L"a\u00e9" "é\x1234";
shared [] __CHAR16_TYPE__ pairs[] = u"é\U0001F600😀";
shared [] char fits[4] = "a\n\tb";
shared [] int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
shared [] int designated[6] = {[4] = 4, [1] = 1, 2};
shared [3] struct {
    int x;
    double y;
} s[4 * THREADS] = {{1, 1.5}, {2, 2.5}, {.y = 3.5}, {4, 4.5}};
shared [] int *shared [] p[2] = {b, b + 1};

int main(void)
{
    for (int i = 0; i < 5 * THREADS; i++)
        EQ(a[i], i < 5 ? i + 1 : 0);
    EQ(sizeof b, 3 * sizeof(int));
    for (int i = 0; i < 3; i++)
        EQ(b[i], 10 * (i + 1));
    EQ(sizeof text, 6);
    for (int i = 0; i < 6; i++)
        EQ(text[i], "hello"[i]);
    for (int i = 0; i < 6; i++)
        EQ(m[i / 3][i % 3], i + 1);
    static const unsigned char private_escaped[] = "\0\377\x41" "1\\" "\u00e9é\12345";
    EQ(sizeof escaped, sizeof private_escaped);
    for (int i = 0; i < (int)sizeof private_escaped; i++)
        EQ(escaped[i], private_escaped[i]);
    EQ(sizeof wide, sizeof L"a\u00e9" "é\x1234");
    EQ(wide[3] * 10 + wide[4], 0x1234 * 10);
    EQ(sizeof pairs, sizeof u"é\U0001F600😀");
    EQ(pairs[4], 0xDE00);
    EQ(fits[1] * 1000 + fits[3], '\n' * 1000 + 'b');
    EQ(designated[1] * 100 + designated[2] * 10 + designated[4], 124);
    EQ(designated[0] + designated[3] + designated[5], 0);
    EQ(s[0].x + s[1].x + s[2].x + s[3].x, 7);
    CHECK(s[2].y == 3.5 && s[3].y == 4.5);
    EQ(*p[0], 10);
    EQ(p[1][1], 30);
    return finish();
}
