// A string that does not end (the messages have quotes, which must not stand in that line)
shared int x;
int f(void)
{
    char *s = "abc; // error: missing terminating . character // warning: missing terminating . character
    ;
    return x + s[0];
}
