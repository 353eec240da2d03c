// Elements of shared arrays are lvalues at computed addresses
shared int cyclic[2 * THREADS];
shared [*] int whole[5 * THREADS];
shared [4] double blocked[8 * THREADS];
shared [] char indefinite[10];
int translate_begins;
void f(int i)
{
    cyclic[i] = 1;
    whole[i] = 2;
    blocked[i] += 2.5;
    indefinite[i]++;
    int x = cyclic[i] + indefinite[3];
}
int translate_ends;

// emits:
// void f(int i)
// {
//     (*(int *)bn_outlined_elem_cyclic(cyclic, (bn_u64)(i), sizeof(int))) = 1;
//     (*(int *)bn_narrow_once(whole, (bn_u32)(i), 5, sizeof(int))) = 2;
//     (*(double *)bn_outlined_elem_block(blocked, (bn_u64)(i), 4, sizeof(double))) += 2.5;
//     (*(char *)bn_elem_indef(indefinite, (bn_u64)(i), sizeof(char)))++;
//     int x = (*(int *)bn_outlined_elem_cyclic(cyclic, (bn_u64)(i), sizeof(int))) + (*(char *)bn_elem_indef(indefinite, (bn_u64)(3), sizeof(char)));
// }
