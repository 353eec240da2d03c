// A type that the head of a loop declares, as clang allows, and whose name has another meaning in the body
// flags: -std=gnu2x
shared int x;
int f(void)
{
    int n = x;
    for (struct s { int a; } i = {0}; i.a < 3; i.a++) {
        shared struct s *q = 0;
        {
            struct s { int b[2]; };
            n += (int)sizeof(*q) + (q == 0);
        }
    }
    return n;
}
