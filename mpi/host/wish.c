#include "host/wish.h"

#include "base/log.h"

#include <string.h>

static const char json_prefix[] = "json:";

static const char *wish(enum bn_option_id id)
{
    const char *text = bn_option(id)->text;
    return text && strcmp(text, "0") != 0 && strcmp(text, "no") != 0 ? text : "";
}

bool bn_wish_is_made(enum bn_option_id id)
{
    return *wish(id) != '\0';
}

const char *bn_wish_json_file(enum bn_option_id id)
{
    const char *text = wish(id);
    return strncmp(text, json_prefix, strlen(json_prefix)) == 0 ? text + strlen(json_prefix) : NULL;
}

bool bn_wish_check(enum bn_option_id id)
{
    const char *text = wish(id), *file = bn_wish_json_file(id);
    bool is_right = *text == '\0' || strcmp(text, "1") == 0 || strcmp(text, "yes") == 0 || (file && *file);
    if (!is_right)
        bn_log_error("%s: \"%s\" is not 1, for a table, nor json:FILE", bn_option_describe(id)->name, text);
    return is_right;
}
