shared int object[THREADS];
int f(void);

int main(void)
{
    return f();
}
