/* Programs that a user or a site keeps native, by their names. */
#ifndef STOWAGE_EXCLUDED_H
#define STOWAGE_EXCLUDED_H

/* Whether STOWAGE_EXCLUDE names this process: patterns of fnmatch(3) separated by colons, for the last part of the name
 * that the program was called by, or of its file (for a script, that of its interpreter). */
int is_excluded(void);

#endif
