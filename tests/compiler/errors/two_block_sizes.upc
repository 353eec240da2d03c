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
