int f(void);
shared int a[10 * THREADS];

int main(void)
{
    return f();
}
