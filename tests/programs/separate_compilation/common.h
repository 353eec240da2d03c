/* common.h: declarations shared by both units. */
#include <upc.h>

typedef struct record {
    int x;
    shared [3] int *p;
} record_t;

extern shared int scalar;
extern shared [3] int blocked[9 * THREADS];
extern shared int open_array[];
extern shared record_t records[THREADS];
extern shared [3] int *pointer;
extern shared [3] int *shared shared_pointer;
extern strict shared int flag;
extern int private_object;
extern upc_lock_t *lock;

int sum_of_blocked(shared [3] int *p, int n);
shared [3] int *at(int i);
record_t make_record(int i);
int count_inside_forall(void);
int own_static(void);
int call_main(void);
