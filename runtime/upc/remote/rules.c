#include "upc/remote/rules.h"

#include "base/log.h"
#include "pgas/remote/remote.h"
#include "platform/atomic_word.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((size_t)BN_TABLE_BYTES <= sizeof((struct bn_member_mail *)NULL)->of_slots,
               "any table fits into the mail");

bn_status_t bn_rules_show(struct bn_member_mail *mail, struct bn_table **table_p)
{
    char *text;
    bn_status_t status = bn_table_load(table_p, &text);
    if (status != BN_OK || !text)
        return status;
    size_t text_bytes = strlen(text) + 1;
    memcpy(mail, text, text_bytes);
    bn_word64_set(&bn_remote.controls[0]->rules, text_bytes);
    free(text);
    return BN_OK;
}

bn_status_t bn_rules_take(const struct bn_member_mail *mail, struct bn_table **table_p)
{
    const struct bn_transport *transport = bn_remote.transport;
    size_t text_bytes = (size_t)transport->load(0, BN_CONTROL_OFFSET(rules));
    int thread;
    uint64_t offset;
    *table_p = NULL;
    if (text_bytes == 0 || !bn_remote_find((uintptr_t)mail, &thread, &offset))
        return BN_OK;
    char *text = malloc(text_bytes);
    if (!text) {
        bn_log_error("there is no memory for the rules of collectives that thread 0 has read");
        return BN_ERR_MEMORY;
    }
    transport->get(text, thread, offset, text_bytes);
    bn_status_t status = bn_table_parse(text, "the rules of thread 0", NULL, table_p);
    free(text);
    return status;
}
