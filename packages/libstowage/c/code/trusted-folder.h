/* Whether a folder holds only what this user and root have put there. */
#ifndef STOWAGE_TRUSTED_FOLDER_H
#define STOWAGE_TRUSTED_FOLDER_H

#include <limits.h>

/* Follows a path component by component, links too, as src/cache/safe-path.ts does: each is this user's or root's, and
 * others cannot write to it, or remove there alone what is theirs (sticky); to the last one others cannot write at all.
 * Then nobody else can rename or replace what was checked. What is not there yet only this user or root can make.
 * 0: not so; `at` is which component. */
int is_trusted_folder(const char *path, char at[PATH_MAX]);

#endif
