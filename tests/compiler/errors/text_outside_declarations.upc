// Text where a declaration should stand
shared int x;
struct s {
    shared int *p;
    5; // error: .
    int fine;
};
int f(struct s *q)
{
    return x + q->fine;
}
