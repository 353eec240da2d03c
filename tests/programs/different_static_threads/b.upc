shared int b[10];

int f(void)
{
    return b[THREADS - 1];
}
