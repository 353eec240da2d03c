/* otf2.h: traces in the Open Trace Format, by its library, which is loaded when one is asked for. */
#ifndef BN_UPC_PROFILE_OTF2_H
#define BN_UPC_PROFILE_OTF2_H

#include "base/status.h"
#include "upc/profile/gather.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Loads the library.  @errors BN_ERR_INVALID, reported as of an option: it is not there, or is another one. */
bn_status_t bn_otf2_load(const char *option);

/** Makes the folder of an archive, or makes one empty that had one.  Null, or what is in the way. */
const char *bn_otf2_prepare(const char *folder);

/** Writes the archive of all events there.  Null, or what went wrong. */
const char *bn_otf2_write(const char *folder, const struct bn_profile *profile);

#ifdef __cplusplus
}
#endif

#endif
