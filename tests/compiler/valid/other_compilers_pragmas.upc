// Pragmas for other tools
#pragma upc c_code
#pragma upc upc_code
#pragma pupc on
#pragma STDC FP_CONTRACT ON
shared int x;
int f(void)
{
#pragma GCC unroll 4
    for (int i = 0; i < 3; i++)
        x++;
#pragma pupc off
    return x;
}
