# A program for a fixed number of threads refuses another number (facts 1.3)
# static: no
# threads: 1 2 4
# expect-exit: nonzero
# expect-stderr: (?i)banyan|upcrun.*3
$PLAIN_UPCC -T 3 "$SOURCE/main.upc" -o program
