// One block size in one type (facts 1.6, constraint 4)
shared [2] shared [3] int x; // error: .
typedef shared [2] int T2;
shared [3] T2 y; // error: .
shared [] T2 z; // error: .
shared [2] T2 same;
shared T2 bare;
shared shared [5] int fine;
shared [2] int shared [4] *p; // error: .
typedef T2 T2_again;
shared [1] T2_again a[4 * THREADS]; // error: .
typedef shared int T1;
shared [1] T1 fine_too;
