# OpenMP shares out loops that access shared elements, and the iterations of a upc_forall that are this thread's, where
# the C compiler has OpenMP
# pthreads: no, OpenMP's threads are none of UPC's
# races: no, ThreadSanitizer does not know OpenMP's barriers
# network: smp
flag=-fopenmp
echo 'int main(void) { return 0; }' | $CC -fopenmp -x c - -o probe 2> /dev/null || flag=-Wno-unknown-pragmas
$UPCC $flag "$SOURCE/main.upc" -o program
