// A static shared object of a type that only the function knows
int f(int n)
{
    struct local {
        int x;
    };
    static shared struct local s; // error: a static shared object of a type that is local to a function is not supported yet
    s.x = n;
    return s.x;
}
