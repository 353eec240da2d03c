/* otf2.h: traces in the Open Trace Format, written by its library, which is loaded when such a trace is requested. */
#ifndef BN_UPC_PROFILE_OTF2_H
#define BN_UPC_PROFILE_OTF2_H

#include "base/status.h"
#include "upc/profile/gather.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Loads the library. @errors BN_ERR_INVALID, reported for the option: the library is missing or has another
 * version. */
bn_status_t bn_otf2_load(const char *option);

/** Makes the folder for an archive, or empties one that had an archive.  Returns null, or a description of the
 * obstacle. */
const char *bn_otf2_prepare(const char *folder);

/** Writes an archive of all events to the folder.  Returns null, or what went wrong. */
const char *bn_otf2_write(const char *folder, const struct bn_profile *profile);

#ifdef __cplusplus
}
#endif

#endif
