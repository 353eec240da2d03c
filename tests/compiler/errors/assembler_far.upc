// What assembler writes to must have an address in C, which objects of other machines have not
// flags: -network=shmem
shared int x;
void f(int y)
{
    __asm__("movl %1, %0" : "=m"(x) : "r"(y)); // error: assembler cannot write to 'x', which may be on another machine; let it write to a private variable, and assign that
    __asm__("movl %1, %0" : "=r"(y) : "r"(x));
}
