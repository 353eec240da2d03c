struct node; /* stays incomplete */
struct pair {
    int first;
    unsigned bits : 3;
    double rest[2];
    shared struct node *node;
    shared [2] int *shared *to_pointer;
};
extern shared [2] int unsized[];
extern shared int rows[][3];
extern shared [6] char automatic[6 * THREADS];
extern long int shared word;
extern shared unsigned colour;
extern shared struct pair pair;
extern shared [] struct pair *shared pairs;
extern shared [4] const volatile double *shared doubles;
extern strict shared int flag;
extern shared [7] short another[7 * THREADS]; /* no expression makes use of it */
extern shared double own[THREADS];            /* likewise */
extern shared int nowhere;

static inline int never_called(void)
{
    return nowhere;
}

int sum_there(void)
{
    if (doubles)
        pairs = 0;
    return unsized[3] + rows[0][2] + automatic[5] + (int)word + (int)colour + pair.first + flag + !pairs;
}
