#define PASTE(name, number) name##number
#define NAMED(name, number) PASTE(name, number)
#define EXPORT __attribute__((__visibility__("default")))

__attribute__((visibility("hidden"))) extern shared int same_name[THREADS];
shared int same_name[THREADS];
extern shared int same_value __attribute__((aligned(64), visibility("hidden")));
shared int same_value = NUMBER;
EXPORT shared int NAMED(exported, NUMBER)[THREADS];

EXPORT void NAMED(set, NUMBER)(int value)
{
    same_name[MYTHREAD] = value;
    NAMED(exported, NUMBER)[MYTHREAD] = same_value;
}

EXPORT int NAMED(get, NUMBER)(int thread)
{
    return same_name[thread];
}
