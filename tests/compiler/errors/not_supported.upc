// What is not there yet is refused, not translated wrongly
shared int x;
shared int a[2][THREADS] = {{1}, {2}}; // dynamic error: .
int f(void)
{
    struct local {
        int n;
        shared int *p;
    };
    static shared struct local s = {1}; // error: .
    static struct local t = {1, &x}; // error: .
    static shared struct local fine;
    fine.n = 1;
    return fine.n + s.n + t.n + a[0][0];
}
