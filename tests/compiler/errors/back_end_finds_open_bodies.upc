// A body is not closed, which cc finds; its messages about what upcc adds behind the program are left out
shared int total;
int f(int n)
{
    if (n) {
        return 1;
}
int g(void) { return 2; } // error: expected declaration or statement at end of input
