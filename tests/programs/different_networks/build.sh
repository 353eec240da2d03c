# Units for another network do not start: they would reach shared memory in another way.
# pthreads: no
# threads: 2
# static: no
# fcheck: no
# network: smp
# expect-exit: 1
# expect-stderr: part\.upc was compiled for another network than this program was linked for
cat >main.upc <<'END'
shared int x;
shared int *part(void);
int main(void) { return x + (part() != &x); }
END
cat >part.upc <<'END'
extern shared int x;
shared int *part(void) { return &x; }
END
$UPCC -network=smp -c main.upc
$UPCC -network=shmem -c part.upc
$UPCC -network=smp main.o part.o -o program
