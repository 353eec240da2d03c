/*
 * cgroup.h: the control groups that limit this process.
 */
#ifndef BN_PLATFORM_CGROUP_H
#define BN_PLATFORM_CGROUP_H

#ifdef __cplusplus
extern "C" {
#endif

/** A group is the folder with its files; the version, 1 or 2, says which files these are. */
typedef void bn_cgroup_visit(void *context, const char *folder, int version);

/**
 * Visits the group of this process and all groups around it, in each hierarchy that may have the controller: that of
 * version 2, and the one of version 1 that names it.  Folders need not exist.
 *
 * In a container the path of the group may be the host's, which is not mounted here.  The walk up from it then finds
 * only folders that do not exist, until it reaches the mount point, which is the container's own group.
 *
 * @param root        "" for this machine; tests give a folder that holds proc and sys of another.
 * @param controller  "cpu", "memory"
 */
void bn_cgroup_walk(const char *root, const char *controller, bn_cgroup_visit *visit, void *context);

#ifdef __cplusplus
}
#endif

#endif
