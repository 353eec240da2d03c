// Types in terms of types, 60 deep: each name is looked at once, or this takes for ever
shared int x;
typedef int (*F0)(shared int *, int);
typedef F0 (*F1)(F0, F0);
typedef F1 (*F2)(F1, F1);
typedef F2 (*F3)(F2, F2);
typedef F3 (*F4)(F3, F3);
typedef F4 (*F5)(F4, F4);
typedef F5 (*F6)(F5, F5);
typedef F6 (*F7)(F6, F6);
typedef F7 (*F8)(F7, F7);
typedef F8 (*F9)(F8, F8);
typedef F9 (*F10)(F9, F9);
typedef F10 (*F11)(F10, F10);
typedef F11 (*F12)(F11, F11);
typedef F12 (*F13)(F12, F12);
typedef F13 (*F14)(F13, F13);
typedef F14 (*F15)(F14, F14);
typedef F15 (*F16)(F15, F15);
typedef F16 (*F17)(F16, F16);
typedef F17 (*F18)(F17, F17);
typedef F18 (*F19)(F18, F18);
typedef F19 (*F20)(F19, F19);
typedef F20 (*F21)(F20, F20);
typedef F21 (*F22)(F21, F21);
typedef F22 (*F23)(F22, F22);
typedef F23 (*F24)(F23, F23);
typedef F24 (*F25)(F24, F24);
typedef F25 (*F26)(F25, F25);
typedef F26 (*F27)(F26, F26);
typedef F27 (*F28)(F27, F27);
typedef F28 (*F29)(F28, F28);
typedef F29 (*F30)(F29, F29);
typedef F30 (*F31)(F30, F30);
typedef F31 (*F32)(F31, F31);
typedef F32 (*F33)(F32, F32);
typedef F33 (*F34)(F33, F33);
typedef F34 (*F35)(F34, F34);
typedef F35 (*F36)(F35, F35);
typedef F36 (*F37)(F36, F36);
typedef F37 (*F38)(F37, F37);
typedef F38 (*F39)(F38, F38);
typedef F39 (*F40)(F39, F39);
typedef F40 (*F41)(F40, F40);
typedef F41 (*F42)(F41, F41);
typedef F42 (*F43)(F42, F42);
typedef F43 (*F44)(F43, F43);
typedef F44 (*F45)(F44, F44);
typedef F45 (*F46)(F45, F45);
typedef F46 (*F47)(F46, F46);
typedef F47 (*F48)(F47, F47);
typedef F48 (*F49)(F48, F48);
typedef F49 (*F50)(F49, F49);
typedef F50 (*F51)(F50, F50);
typedef F51 (*F52)(F51, F51);
typedef F52 (*F53)(F52, F52);
typedef F53 (*F54)(F53, F53);
typedef F54 (*F55)(F54, F54);
typedef F55 (*F56)(F55, F55);
typedef F56 (*F57)(F56, F56);
typedef F57 (*F58)(F57, F57);
typedef F58 (*F59)(F58, F58);
typedef F59 (*F60)(F59, F59);
typedef shared int *restrict const P0;
typedef P0 *P1;
F60 f(F60 g, P1 p)
{
    return **p + x != 0 ? g : 0;
}

// Types that are defined where a member points to them
struct outer {
    shared struct inner {
        int x;
    } *p;
    char c;
    shared enum colour { RED, GREEN } *q[2];
    shared struct {
        int y;
    } *r;
};
_Static_assert(__builtin_offsetof(struct outer, c) == sizeof(shared int *), "definitions are no members");
struct outer list = {0, 'c'};
int sum(struct outer *o, struct inner *i)
{
    return o->p->x + (*o->q[GREEN] == RED) + o->r->y + i->x;
}
