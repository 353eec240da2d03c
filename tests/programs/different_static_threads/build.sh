# Objects for different fixed numbers of threads are refused, at link time or when the program starts (facts 1.3)
# static: no
# threads: 2 3
# expect-exit: nonzero
# expect-stderr: (upcc|banyan): .*THREADS|compiled for
$PLAIN_UPCC -T 2 -c "$SOURCE/a.upc" -o a.o
$PLAIN_UPCC -T 3 -c "$SOURCE/b.upc" -o b.o
if ! $PLAIN_UPCC a.o b.o -o program 2> messages; then
    grep -q THREADS messages || { cat messages >&2; exit 1; }
    printf '#!/bin/sh\ncat "%s/messages" >&2\nexit 1\n' "$PWD" > program
    chmod +x program
fi
