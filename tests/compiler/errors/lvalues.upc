// THREADS and MYTHREAD are values; bit-fields have no address (facts 1.2, 1.6)
shared struct {
    int bf : 3;
    int x;
} s;
shared int a[THREADS];
const shared int c = 1;
void f(void)
{
    int *p = &MYTHREAD; // error: .
    int *q = &THREADS; // error: .
    THREADS = 2; // error: .
    MYTHREAD = 0; // error: .
    MYTHREAD++; // error: .
    --THREADS; // error: .
    MYTHREAD += 1; // error: .
    shared [] int *r = &s.bf; // error: .
    a = 0; // error: .
    (a[0] + 1) = 3; // error: .
    c = 2; // error: .
    c++; // error: .
    r = &s.x;
}
