// Types that only declarations of shared objects name, which emitted C does not have
// flags: -Wall -Wno-unused-variable
shared void *f(void);
int g(void)
{
    typedef int number, element;
    typedef int row[10];
    typedef struct {
        int a;
    } record;
    typedef shared number *pointer;
    typedef int of_cast, of_size;
    static shared element n;
    static shared[] row r;
    static shared record s;
    pointer p = f();
    int *const local = (int *)(shared of_cast *)f();
    return n + r[1] + s.a + *p + *local + (int)sizeof(shared of_size);
}
