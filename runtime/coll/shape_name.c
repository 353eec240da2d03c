/* shape_name.c: parses and formats the names of shapes. */
#include "coll/shape.h"

#include "base/parse.h"

#include <stdio.h>
#include <string.h>

/* Which levels the parts connect, by the number of parts; the last part connects members. */
enum { NAMED_PART_MAX = 5 };
static const enum bn_level levels_of_names[NAMED_PART_MAX][NAMED_PART_MAX - 1] = {
    {0},
    {BN_LEVEL_NODE},
    {BN_LEVEL_NODE, BN_LEVEL_NUMA},
    {BN_LEVEL_NODE, BN_LEVEL_NUMA, BN_LEVEL_CACHE},
    {BN_LEVEL_SWITCH, BN_LEVEL_NODE, BN_LEVEL_NUMA, BN_LEVEL_CACHE},
};

static const char distance_name[] = "distance";

static void make_distance(struct bn_shape *shape)
{
    *shape = (struct bn_shape){.part_count = BN_SHAPE_PART_MAX};
    for (int part = 0; part < BN_SHAPE_PART_MAX; ++part) {
        shape->parts[part].kind = BN_SHAPE_FLAT;
        shape->parts[part].level = (enum bn_level)(part < BN_LEVEL_COUNT ? BN_LEVEL_COUNT - 1 - part : 0);
    }
}

static bool parse_part(const char *word, struct bn_shape_part *part)
{
    static const char knomial[] = "knomial-";
    int64_t radix;
    *part = (struct bn_shape_part){.kind = BN_SHAPE_KNOMIAL, .radix = 2};
    if (strcmp(word, "binomial") == 0)
        return true;
    if (strncmp(word, knomial, sizeof knomial - 1) == 0) {
        const char *digits = word + sizeof knomial - 1;
        if (digits[strspn(digits, "0123456789")] != '\0' || !bn_parse_int(digits, &radix) || radix < 2 ||
            radix > BN_SHAPE_RADIX_MAX)
            return false;
        part->radix = (int)radix;
        return true;
    }
    *part = (struct bn_shape_part){.kind = BN_SHAPE_FLAT};
    if (strcmp(word, "flat") == 0)
        return true;
    part->kind = BN_SHAPE_CHAIN;
    return strcmp(word, "chain") == 0;
}

bool bn_shape_parse(const char *name, struct bn_shape *shape_p)
{
    char text[BN_SHAPE_NAME_BYTES];
    struct bn_shape shape = {0};
    if (strlen(name) >= sizeof text)
        return false;
    if (strcmp(name, distance_name) == 0) {
        make_distance(shape_p);
        return true;
    }
    strcpy(text, name);
    for (char *word = text; word;) {
        char *dot = strchr(word, '.');
        if (dot)
            *dot++ = '\0';
        if (shape.part_count == NAMED_PART_MAX || !parse_part(word, &shape.parts[shape.part_count++]))
            return false;
        word = dot;
    }
    for (int part = 0; part < shape.part_count - 1; ++part)
        shape.parts[part].level = levels_of_names[shape.part_count - 1][part];
    *shape_p = shape;
    return true;
}

void bn_shape_format(const struct bn_shape *shape, char *name)
{
    size_t used = 0;
    if (shape->part_count > NAMED_PART_MAX) {
        strcpy(name, distance_name);
        return;
    }
    name[0] = '\0';
    for (int i = 0; i < shape->part_count; ++i) {
        const struct bn_shape_part *part = &shape->parts[i];
        char word[24] = "binomial";
        if (part->kind == BN_SHAPE_FLAT)
            strcpy(word, "flat");
        else if (part->kind == BN_SHAPE_CHAIN)
            strcpy(word, "chain");
        else if (part->radix != 2)
            snprintf(word, sizeof word, "knomial-%d", part->radix);
        used += (size_t)snprintf(name + used, BN_SHAPE_NAME_BYTES - used, "%s%s", i > 0 ? "." : "", word);
    }
}
