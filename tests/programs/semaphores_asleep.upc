// Facts 3.1: the same as semaphores.upc where each waiter sleeps at once: no wake-up is lost.
// env: BANYAN_WAIT=sleep
#include "semaphores.upc"
