#include "upc/start/lifetime.h"

#include "banyan/access.h"
#include "banyan/per_thread.h"
#include "platform/library.h"

#include <stdbool.h>
#include <stddef.h>

typedef void constructor_t(int argc, char **argv, char **environment);

/* Filled by constructors before main, and by libraries that the program's constructors load: those stay loaded. */
static struct bn_lifetime *constructors;
static struct bn_lifetime **last_constructor = &constructors;
static struct bn_lifetime *destructors; /* in the order of their calls, which is the reverse one */

static BN_PER_THREAD struct {
    bool has_begun, has_ended;
    int argc;
    char **argv, **environment;
} own;

static void construct(const struct bn_lifetime *constructor)
{
    ((constructor_t *)constructor->function)(own.argc, own.argv, own.environment);
}

__attribute__((visibility("default"))) void bn_lifetime_add_constructor(struct bn_lifetime *constructor)
{
    if (own.has_begun) { /* a thread that runs has loaded the library */
        construct(constructor);
        return;
    }
    bn_library_keep(constructor);
    constructor->next = NULL;
    *last_constructor = constructor;
    last_constructor = &constructor->next;
}

__attribute__((visibility("default"))) void bn_lifetime_add_destructor(struct bn_lifetime *destructor)
{
    destructor->is_late = own.has_begun;
    if (destructor->is_late)
        return;
    bn_library_keep(destructor);
    destructor->next = destructors;
    destructors = destructor;
}

/* The process ends without the end of its threads, as when a C library calls exit or a thread has forked, or a library
 * is unloaded. */
__attribute__((visibility("default"))) void bn_lifetime_leave(struct bn_lifetime *destructor)
{
    if (destructor->is_late || (own.has_begun && !own.has_ended))
        destructor->function();
}

void bn_lifetime_begin(int argc, char **argv, char **environment)
{
    own.argc = argc;
    own.argv = argv;
    own.environment = environment;
    for (const struct bn_lifetime *each = constructors; each; each = each->next)
        construct(each);
    own.has_begun = true;
}

void bn_lifetime_end(void)
{
    if (!own.has_begun || own.has_ended)
        return;
    own.has_ended = true;
    for (const struct bn_lifetime *each = destructors; each; each = each->next)
        each->function();
}
