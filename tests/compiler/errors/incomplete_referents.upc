// No order and no arithmetic on pointers to incomplete types (facts 1.6, constraint 12)
shared void *v, *w;
shared struct inc *s, *t;
long f(long n)
{
    n += v < w; // error: '<' orders pointers to an incomplete type: 'shared void \*' and 'shared void \*'
    n += v >= w; // error: '>=' orders pointers to an incomplete type: 'shared void \*' and 'shared void \*'
    n += v - w; // error: arithmetic on 'shared void \*', which points to an incomplete type; cast it to a pointer to the element type first
    v + 1; // error: arithmetic on 'shared void \*', which points to an incomplete type; cast it to a pointer to the element type first
    v++; // error: arithmetic on 'shared void \*', which points to an incomplete type; cast it to a pointer to the element type first
    --v; // error: arithmetic on 'shared void \*', which points to an incomplete type; cast it to a pointer to the element type first
    v += 2; // error: arithmetic on 'shared void \*', which points to an incomplete type; cast it to a pointer to the element type first
    v[1]; // error: arithmetic on 'shared void \*', which points to an incomplete type; cast it to a pointer to the element type first
    n += s < t; // error: '<' orders pointers to an incomplete type: 'shared struct inc \*' and 'shared struct inc \*'
    n += s - t; // error: arithmetic on 'shared struct inc \*', which points to an incomplete type; cast it to a pointer to the element type first
    s + 1; // error: arithmetic on 'shared struct inc \*', which points to an incomplete type; cast it to a pointer to the element type first
    s++; // error: arithmetic on 'shared struct inc \*', which points to an incomplete type; cast it to a pointer to the element type first
    s->x; // error: 'shared struct inc' is incomplete here, so its member 'x' is not known
    n += v == w;
    n += s != t;
    n += s == v;
    return n;
}
