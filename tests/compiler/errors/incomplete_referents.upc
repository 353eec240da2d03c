// No order and no arithmetic on pointers to incomplete types (facts 1.6, constraint 12)
shared void *v, *w;
shared struct inc *s, *t;
long f(long n)
{
    n += v < w; // error: .
    n += v >= w; // error: .
    n += v - w; // error: .
    v + 1; // error: .
    v++; // error: .
    --v; // error: .
    v += 2; // error: .
    v[1]; // error: .
    n += s < t; // error: .
    n += s - t; // error: .
    s + 1; // error: .
    s++; // error: .
    *v; // error: .
    s->x; // error: .
    n += v == w;
    n += s != t;
    n += s == v;
    return n;
}
