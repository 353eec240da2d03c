// What -Rupc says of a loop that reads far elements by index
// flags: -O2 -network=shmem -Rupc
shared double x[100*THREADS];
double gather(int n, const int *columns, const double *values)
{
    double sum = 0;
    for (int k = 0; k < n; k++) // optimized: elements that this loop reads by index and that lie on other nodes are fetched together
        sum += values[k] * x[columns[k]];
    return sum;
}
