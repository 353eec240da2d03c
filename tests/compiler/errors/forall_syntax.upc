// upc_forall has three semicolons (facts 1.12)
void f(int n)
{
    int i;
    upc_forall (i = 0; i < n; i++) // error: upc_forall needs a third ';' and an affinity expression, which may be empty or 'continue'
        ;
    n = 1;
}
void g(int n)
{
    int i;
    upc_forall (i = 0; i < n; i++; i; i) // error: expected '\)' before ';'
        ;
}
