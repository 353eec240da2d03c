// Words that are no keywords of UPC
int barrier, forall, barrier_wait, fence, local, global, private_, upc, mythread, threads, strictly;
struct barrier_notify {
    int upc_forall_;
};
enum { UPC, SHARED, STRICT, RELAXED };
#define shared_ptr int *
shared_ptr p;
int upc_thing(int upc_x)
{
    goto barrier;
barrier:
    return upc_x + UPC + SHARED;
}
