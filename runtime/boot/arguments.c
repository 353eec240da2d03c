#include "boot/arguments.h"

#include "base/log.h"

#include <ctype.h>
#include <string.h>

struct form {
    const char *text;
    enum bn_option_id id;
    bool takes_next; /* the value may be the next argument */
};

/*
 * Programs may have a switch "-n" of their own; they are then started by upcrun, or with "--" in front of it.
 * Arguments that merely begin like a switch ("-name", "-heapsort") belong to the program.
 */
static const struct form forms[] = {
    {"-n", BN_OPTION_THREADS, true},
    {"-fupc-threads", BN_OPTION_THREADS, false},
    {"-heap", BN_OPTION_SHARED_HEAP, true},
    {"-fupc-heap", BN_OPTION_SHARED_HEAP, false},
};

enum match { NOT_OURS, VALUE_ATTACHED, VALUE_NEXT };

static enum match match_form(const struct form *form, const char *argument, const char **value_p)
{
    size_t bytes = strlen(form->text);
    if (strncmp(argument, form->text, bytes) != 0)
        return NOT_OURS;
    const char *rest = argument + bytes;
    if (*rest == '\0')
        return form->takes_next ? VALUE_NEXT : NOT_OURS;
    bool has_separator = *rest == '=' || (!form->takes_next && *rest == '-');
    if (has_separator)
        ++rest;
    else if (!form->takes_next || !isdigit((unsigned char)*rest))
        return NOT_OURS;
    *value_p = rest;
    return VALUE_ATTACHED;
}

/* How many arguments from argv[0] on form one of our switches; 0 for none */
static int take_one(struct bn_options *options, char **argv, bn_status_t *status_p)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i) {
        const char *value = NULL;
        enum match match = match_form(&forms[i], argv[0], &value);
        if (match == NOT_OURS)
            continue;
        if (match == VALUE_NEXT)
            value = argv[1];
        if (!value) {
            bn_log_error("%s needs a value after it", argv[0]);
            *status_p = BN_ERR_INVALID;
            return 0;
        }
        *status_p = bn_options_set(options, forms[i].id, value, BN_OPTION_FROM_SWITCH, forms[i].text);
        return *status_p != BN_OK ? 0 : match == VALUE_NEXT ? 2 : 1;
    }
    return 0;
}

bn_status_t bn_arguments_take(struct bn_options *options, int *argc, char **argv)
{
    int taken = 1;
    bn_status_t status = BN_OK;
    while (taken < *argc) {
        if (strcmp(argv[taken], "--") == 0) {
            ++taken;
            break;
        }
        int now = take_one(options, argv + taken, &status);
        if (status != BN_OK)
            return status;
        if (now == 0)
            break;
        taken += now;
    }
    if (taken > 1) {
        memmove(argv + 1, argv + taken, (size_t)(*argc - taken + 1) * sizeof *argv);
        *argc -= taken - 1;
    }
    return BN_OK;
}
