int *limit;

int absl(int x)
{
    if (x >= 3)
        *limit = 5;
    return x;
}

long labsf(long x)
{
    return absl((int)x);
}
