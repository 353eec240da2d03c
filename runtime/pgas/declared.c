#include "pgas/declared.h"

#include "base/log.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool is_end_of_item(char c)
{
    return c == '\0' || c == ',' || c == '}';
}

static const char *after_item(const char *form)
{
    for (int depth = 0; depth > 0 || !is_end_of_item(*form); form++)
        depth += (*form == '{') - (*form == '}');
    return form;
}

/* A '?' matches any item. */
static bool is_same_form(const char *a, const char *b)
{
    while (*a || *b) {
        if (*a == '?' || *b == '?') {
            a = after_item(a);
            b = after_item(b);
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return true;
}

static uint64_t element_count(const struct bn_declared *declared, int threads)
{
    return declared->times_threads ? declared->elements * (uint64_t)threads : declared->elements;
}

/* Whether the definition has all elements that the declaration names; a program that names fewer sees the same ones. */
static bool has_room(const struct bn_declared *definition, const struct bn_declared *declaration, int threads)
{
    bool is_known = threads > 0 || definition->times_threads == declaration->times_threads;
    return !is_known || element_count(declaration, threads) <= element_count(definition, threads);
}

static bn_status_t compare(const struct bn_declared *a, const struct bn_declared *b, int threads)
{
    /* Of several tentative definitions the largest counts. */
    bool is_definition_first = a->handle && !b->handle;
    bool has_all_elements = !is_definition_first || has_room(a, b, threads);
    bool has_same_form = is_same_form(a->form, b->form);
    if (has_all_elements && has_same_form && a->block_elems == b->block_elems)
        return BN_OK;
    if (strcmp(a->type, b->type) != 0)
        bn_log_error("shared object '%s' is '%s' in %s:%d, but '%s' in %s:%d; give all its declarations one type",
                     a->name, a->type, a->file, a->line, b->type, b->file, b->line);
    else
        bn_log_error("shared object '%s' is '%s' in %s:%d and in %s:%d, but these do not agree on what that type is; "
                     "include one definition of it in both",
                     a->name, a->type, a->file, a->line, b->file, b->line);
    return BN_ERR_MISMATCH;
}

static uint64_t count_all(const struct bn_unit *units)
{
    uint64_t count = 0;
    for (const struct bn_unit *unit = units; unit; unit = unit->next)
        count += (unit->abi & BN_ABI_DECLARES) ? unit->declared_count : 0;
    return count;
}

/* By name; of one name, the largest definition first and declarations last */
static int by_name(const void *a_p, const void *b_p)
{
    const struct bn_declared *a = *(const struct bn_declared *const *)a_p;
    const struct bn_declared *b = *(const struct bn_declared *const *)b_p;
    int order = strcmp(a->name, b->name);
    if (order != 0)
        return order;
    if (!a->handle != !b->handle)
        return !a->handle - !b->handle;
    if (a->elements != b->elements)
        return a->elements > b->elements ? -1 : 1;
    order = strcmp(a->file, b->file);
    return order ? order : a->line - b->line;
}

/* Compares declarations of one name. */
static bn_status_t compare_all(const struct bn_declared *const *all, uint64_t count, int threads)
{
    for (uint64_t i = 1; i < count && all[i]->handle; i++)
        if (all[i]->handle != all[0]->handle)
            return BN_OK;
    bn_status_t status = BN_OK;
    for (uint64_t i = 1; i < count && status == BN_OK; i++)
        status = compare(all[0], all[i], threads);
    return status;
}

bn_status_t bn_declared_check(const struct bn_unit *units, int threads)
{
    uint64_t count = count_all(units);
    if (count == 0)
        return BN_OK;
    const struct bn_declared **all = malloc(count * sizeof *all);
    if (!all) {
        bn_log_error("not enough memory to compare the declarations of shared objects");
        return BN_ERR_MEMORY;
    }
    uint64_t next = 0;
    for (const struct bn_unit *unit = units; unit; unit = unit->next)
        for (bn_u64 i = 0; (unit->abi & BN_ABI_DECLARES) && i < unit->declared_count; i++)
            all[next++] = &unit->declared[i];
    qsort(all, count, sizeof *all, by_name);
    bn_status_t status = BN_OK;
    for (uint64_t begin = 0, end = 0; begin < count && status == BN_OK; begin = end) {
        while (end < count && strcmp(all[end]->name, all[begin]->name) == 0)
            end++;
        status = compare_all(all + begin, end - begin, threads);
    }
    free(all);
    return status;
}
