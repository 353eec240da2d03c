// What assembler writes to must have an address in C
shared int x;
strict shared int flag;
shared struct {
    int m;
} s;
#pragma upc relaxed
void f(int y)
{
    __asm__("movl %1, %0" : "=m"(flag) : "r"(y)); // error: assembler cannot write to 'flag', which is strict; let it write to a private variable, and assign that
    __asm__("addl %[y], %[x]" : [x] "+r"((x)) : [y] "r"(flag));
    __asm__("movl %1, %0" : "=m"(s.m), "=r"(y) : "m"(x));
}
#pragma upc strict
void g(int y)
{
    __asm__("movl %2, %0; movl %2, %1" : "=r"(y), "=r"((x)) : "r"(y)); // error: assembler cannot write to '\(x\)', which is strict
}
