shared int a[10];
int f(void);

int main(void)
{
    return f() + a[0];
}
