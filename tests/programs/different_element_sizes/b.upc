shared double object[THREADS];

int f(void)
{
    return object[0] != 0;
}
