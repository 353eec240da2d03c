// One block size in one type (facts 1.6, constraint 4)
shared [2] shared [3] int x; // error: block sizes '\[2\]' and '\[3\]' in one type; a type has one block size
typedef shared [2] int T2;
shared [3] T2 y; // error: block sizes '\[2\]' and '\[3\]' in one type; a type has one block size
shared [] T2 z; // error: block sizes '\[2\]' and '\[\]' in one type; a type has one block size
shared [2] T2 same;
shared T2 bare;
shared shared [5] int fine;
shared [2] int shared [4] *p; // error: block sizes '\[2\]' and '\[4\]' in one type; a type has one block size
typedef T2 T2_again;
shared [1] T2_again a[4 * THREADS]; // error: block sizes '\[2\]' and '\[1\]' in one type; a type has one block size
typedef shared int T1;
shared [1] T1 fine_too;
shared [1] shared [*] int star_of_one[THREADS];
shared [*] shared [3] int star_of_three[3 * THREADS];
typedef shared [1] int T1_explicit;
shared [*] T1_explicit star_through_name[THREADS], scalar;
shared [*] T1_explicit star_of_two[2 * THREADS]; // error: block sizes '\[1\]' and '\[\*\], which is \[2\]' in one type; a type has one block size
shared [3] shared [*] int star_of_more[4 * THREADS]; // error: block sizes '\[3\]' and '\[\*\], which is \[4\]' in one type; a type has one block size
shared [*] shared [1] shared [2] int star_of_both[THREADS]; // error: block sizes '\[\*\]' and '\[2\]' in one type; a type has one block size
shared [] shared [*] int star_of_none[8]; // dynamic error: block sizes '\[\]' and '\[\*\]' in one type; a type has one block size // dynamic error: shared array 'star_of_none\[8\]' must have THREADS in one dimension when the number of threads is chosen at run time; multiply a dimension by THREADS, use 'shared \[\]', or compile with -T N // static error: block sizes '\[\]' and '\[\*\]' in one type; a type has one block size
