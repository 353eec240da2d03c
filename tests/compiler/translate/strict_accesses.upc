// Strict accesses stand between fences
strict shared int flag;
shared int data;
int translate_begins;
int f(void)
{
    data = 1;
    flag = 1;
    return flag + data;
}
int translate_ends;

// emits:
// int f(void)
// {
//     (*(int *)data) = 1;
//     (__extension__ ({ int bn_v1 = 1; bn_before_strict_write(); (*(volatile int *)flag) = bn_v1; bn_after_strict_write(); }));
//     return (__extension__ ({ int bn_v2 = (bn_before_strict_read(), (*(volatile int *)flag)); bn_after_strict_read(); bn_v2; })) + (*(int *)data);
// }
