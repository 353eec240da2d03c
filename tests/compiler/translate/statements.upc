// Barriers and upc_forall
int translate_begins;
void f(int n)
{
    upc_notify;
    upc_wait 3;
    upc_barrier;
    upc_barrier n;
    upc_fence;
    upc_forall (int i = 0; i < n; i++; i)
        n--;
    upc_forall (;;; continue)
        n--;
}
int translate_ends;

// emits:
// void f(int n)
// {
//     bn_notify();
//     bn_wait_value((int)(3));
//     bn_barrier();
//     bn_barrier_value((int)(n));
//     bn_fence();
//     { int bn_outer1 __attribute__((cleanup(bn_forall_leave))) = bn_forall_enter(); for (int i = 0; i < n; i++) if (bn_outer1 | (bn_here_int(i))) {
// n--; } }
//     { for (;;)
// n--; }
// }
